"""`apt-score SRC REF HYP… --lang fr`: score candidate translations with APT."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NoReturn

import click

from apt.align.links import LinkOptions
from apt.base import TOKENIZERS
from apt.cases import OTHER_POLICIES
from apt.cli.common import aligner_options, colour_wanted, run, system_names, warn
from apt.corpus import STDIN
from apt.errors import OptionError
from apt.metric import ANCHORS, APT
from apt.positions import read_positions
from apt.pronouns import available_lists
from apt.result import APTResult
from apt.segments import Chunk
from apt.stream import Files, FilesResult, Linked, LinksSink, TripleSink, score_files
from apt.triples import Triple
from apt.version import __version__

NAME = "apt-score"

# What can be said beside --config; everything else the configuration says itself.
_WITH_CONFIG = {
    "config",
    "docids",
    "lenient_links",
    "possible_links",
    "check_links",
    "output",
    "score_only",
    "width",
    "quiet",
    "details",
    "save_links",
    "jobs",
}


def _list_languages(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        for name, language in available_lists().items():
            click.echo(f"{name:10}{language}")
        context.exit()


@click.command(
    name=NAME,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-score source.en reference.fr output.fr --lang fr",
)
@click.argument("arguments", metavar="SRC REF HYP...", nargs=-1)
@click.option("--lang", "-l", help="Language of the references and candidates, such as fr.")
@click.option("--source-lang", default="en", show_default=True, help="Language of the source.")
@click.option(
    "--ref", "more_references", multiple=True, metavar="FILE", help="A further reference; repeatable."
)
@click.option(
    "--ref-align",
    multiple=True,
    metavar="FILE",
    help="Links source-reference, one file a reference, in their order; without: made by the aligner.",
)
@click.option(
    "--hyp-align",
    multiple=True,
    metavar="FILE",
    help="Links source-candidate, one file a HYP, in their order.",
)
@aligner_options
@click.option("--save-links", metavar="DIR", help="Write the words and links that were used.")
@click.option("--docids", metavar="FILE", help="A document id for each line: scores per document as well.")
@click.option(
    "--pronouns",
    metavar="LIST",
    help="Pronouns to evaluate, such as it,they; all: the wider list. [usual ones]",
)
@click.option(
    "--target-pronouns",
    metavar="LIST",
    help="What counts as a pronoun in the target; any: every word. [the list's]",
)
@click.option(
    "--positions", metavar="FILE", help="Evaluate these (segment, token position) pairs, zero-based."
)
@click.option(
    "--lists",
    multiple=True,
    metavar="FILE",
    help="A list file of your own, or a shipped one such as paper-fr; repeatable.",
)
@click.option(
    "--weights", default="1,0.5,0,0,0,0", show_default=True, help="Of cases 1 to 6; the second may be p."
)
@click.option(
    "--discard", default="none", show_default=True, metavar="CASES", help="Cases left out, such as 5,6."
)
@click.option(
    "--other",
    type=click.Choice(OTHER_POLICIES),
    default="different",
    show_default=True,
    help="What a translation by no listed pronoun is.",
)
@click.option(
    "--anchor",
    type=click.Choice(ANCHORS),
    default="source",
    show_default=True,
    help="Whose pronouns are walked.",
)
@click.option(
    "--heuristic/--no-heuristic", default=True, show_default=True, help="Rescue pronouns the links miss."
)
@click.option(
    "--tokenize",
    type=click.Choice(TOKENIZERS),
    default="words",
    show_default=True,
    help="none: split at spaces.",
)
@click.option(
    "--lenient-links", is_flag=True, help="Drop malformed and out-of-range links, and say how many."
)
@click.option("--possible-links", is_flag=True, help="Accept possible links (ipj, i?j) as links.")
@click.option(
    "--check-links", is_flag=True, help="Check the links of every line, not only where pronouns are."
)
@click.option(
    "--count-abbreviations", is_flag=True, help="Count IT as a pronoun in a sentence not in capitals."
)
@click.option("--config", metavar="FILE", help="Run a configuration file of the old idiap tool as it is.")
@click.option(
    "--format", "-f", "output", type=click.Choice(["text", "json", "tsv"]), default="text", show_default=True
)
@click.option("--score-only", "-b", is_flag=True, help="Print the number only, a line a system.")
@click.option(
    "--width", "-w", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimals of scores."
)
@click.option("--quiet", "-q", is_flag=True, help="No remarks on standard error.")
@click.option("--details", metavar="FILE", help="Write every triple, as TSV or (.jsonl) JSON.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes to score with."
)
@click.option(
    "--list-languages",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_languages,
    help="Show the shipped lists and exit.",
)
@click.version_option(__version__, "--version", "-V", prog_name=NAME, message="%(prog)s %(version)s")
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Score the pronouns of candidate translations: how many match the reference's (APT).

    SRC, REF and each HYP are UTF-8 text, one segment a line; - is standard input, .gz is unpacked.
    """
    if not options["arguments"] and options["config"] is None:
        click.echo(context.get_help())
        return
    apt, files = _from_config(context) if options["config"] is not None else _from_options(options)
    _check_standard_input([*files.texts(), *files.links(), files.docids, options["positions"]])
    names = system_names([side.text for side in files.candidates])
    result = _score(apt, files, names, options)
    results = dict(zip(names, result.systems, strict=True))
    if not options["quiet"]:
        _remark(result, shows_links=options["output"] == "text" and not options["score_only"])
    click.echo(_render(results, options))


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)


def _from_config(context: click.Context) -> tuple[APT, Files]:
    from apt.legacy import read_config

    given = click.core.ParameterSource.COMMANDLINE
    for parameter in context.command.params:
        if parameter.name not in _WITH_CONFIG and context.get_parameter_source(str(parameter.name)) is given:
            shown = "SRC REF HYP" if parameter.name == "arguments" else parameter.opts[0]
            if parameter.name != "arguments" or context.params["arguments"]:
                raise OptionError(f"--config has its own settings: {shown} cannot be given beside it")
    options = context.params
    legacy = read_config(options["config"])
    settings = replace(
        legacy.apt.settings,
        links=LinkOptions(options["lenient_links"], options["possible_links"]),
        check_links=options["check_links"],
    )
    return APT.from_settings(settings), replace(legacy.files, docids=options["docids"])


def _check_standard_input(paths: Sequence[str | None]) -> None:
    if paths.count(STDIN) > 1:
        raise OptionError("standard input (-) can be named only once")


def _from_options(options: dict[str, Any]) -> tuple[APT, Files]:
    if len(options["arguments"]) < 3:
        raise click.UsageError("SRC, REF and at least one HYP are needed.")
    if options["lang"] is None:
        raise click.UsageError(
            "--lang is needed: the language of the references and candidates, such as --lang fr."
        )
    source, reference, *candidates = options["arguments"]
    references = [reference, *options["more_references"]]
    apt = APT(
        lang=options["lang"],
        source_lang=options["source_lang"],
        pronouns=options["pronouns"],
        target_pronouns=options["target_pronouns"],
        positions=None if options["positions"] is None else read_positions(options["positions"]),
        lists=options["lists"],
        weights=options["weights"],
        discard=options["discard"],
        other=options["other"],
        anchor=options["anchor"],
        heuristic=options["heuristic"],
        tokenize=options["tokenize"],
        lenient_links=options["lenient_links"],
        possible_links=options["possible_links"],
        check_links=options["check_links"],
        count_abbreviations=options["count_abbreviations"],
        aligner=options["aligner"],
        lexicon=options["lexicon"],
        align_method=options["align_method"],
        pronoun_step=options["pronoun_step"],
        notify=None if options["quiet"] else lambda message: warn(NAME, message),
    )
    return apt, Files(
        source=source,
        references=_linked(references, options["ref_align"], "--ref-align", "reference"),
        candidates=_linked(candidates, options["hyp_align"], "--hyp-align", "HYP"),
        docids=options["docids"],
    )


def _linked(texts: Sequence[str], links: Sequence[str], option: str, what: str) -> list[Linked]:
    if not links:
        return [Linked(text) for text in texts]
    if len(links) != len(texts):
        raise OptionError(
            f"{option}: one file a {what} is needed: {len(texts)} {what}s, {len(links)} link files"
        )
    return [Linked(text, link) for text, link in zip(texts, links, strict=True)]


def _score(apt: APT, files: Files, names: Sequence[str], options: dict[str, Any]) -> FilesResult[APTResult]:
    with ExitStack() as stack:
        sink: TripleSink | None = None
        if options["details"] is not None:
            from apt.render.details import DetailsWriter

            inputs = [*files.texts(), *files.links(), *([files.docids] if files.docids else [])]
            writer = stack.enter_context(DetailsWriter(options["details"], inputs))

            def sink(number: int, triples: Sequence[Triple], chunk: Chunk) -> None:
                writer.write(names[number], triples, chunk.documents, chunk.start)

        links_sink: LinksSink | None = None
        if options["save_links"] is not None:
            from apt.render.links import LinksWriter

            sides = [side.text for side in files.sides()]
            links_sink = stack.enter_context(LinksWriter(options["save_links"], sides)).write
        return score_files(apt, files, jobs=options["jobs"], sink=sink, links_sink=links_sink)


def _remark(result: FilesResult[APTResult], shows_links: bool) -> None:
    for empty in result.empty_lines:
        lines = "line is" if empty.count == 1 else "lines are"
        warn(NAME, f"note: {empty.path}: {empty.count} {lines} empty, the first is line {empty.first}")
    dropped = {name: n for system in result.systems for name, n in system.links.dropped.items()}
    if not shows_links:  # the text output says it itself
        for name, n in dropped.items():
            warn(NAME, f"note: links dropped in {name}: {n}")


def _render(results: dict[str, APTResult], options: dict[str, Any]) -> str:
    width = options["width"]
    if options["score_only"]:
        scores = [result.score for result in results.values()]
        return "\n".join("n/a" if score is None else f"{score:.{width}f}" for score in scores)
    if options["output"] == "json":
        from apt.render.json import render_json

        return render_json(results)
    if options["output"] == "tsv":
        from apt.render.tsv import render_tsv

        return render_tsv(results, width)
    from apt.render.text import TextRenderer

    return TextRenderer(width, colour_wanted()).render(results)
