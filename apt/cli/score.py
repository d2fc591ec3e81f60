"""`apt-score SRC REF HYP… --lang fr`: score candidate translations with APT."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

import click

from apt.align.links import LinkOptions
from apt.cases import OTHER_POLICIES
from apt.cli.common import colour_wanted, pronoun_step_option, run, system_names
from apt.cli.scoring import (
    check_arguments,
    check_resampling,
    check_standard_input,
    document_options,
    files_of,
    link_options,
    metric_options,
    output_options,
    plan_of,
    positions_option,
    remark,
    resampling_options,
    score,
    scores_only,
    text_options,
    version_option,
)
from apt.comparing import compare
from apt.documents import read_document_starts
from apt.errors import OptionError
from apt.metric import ANCHORS, APT
from apt.pronouns import available_lists
from apt.result import APTResult
from apt.segments import Chunk, Keep
from apt.stream import Files, FilesResult
from apt.triples import Triple

NAME = "apt-score"

# What can be said beside --config; everything else the configuration says itself.
_WITH_CONFIG = {
    "config",
    "docids",
    "doc_starts",
    "confidence",
    "confidence_n",
    "resample",
    "seed",
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
@text_options
@click.option(
    "--ref", "more_references", multiple=True, metavar="FILE", help="A further reference; repeatable."
)
@link_options
@pronoun_step_option
@document_options
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
@positions_option
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
    "--count-abbreviations", is_flag=True, help="Count IT as a pronoun in a sentence not in capitals."
)
@click.option("--config", metavar="FILE", help="Run a configuration file of the old idiap tool as it is.")
@output_options
@click.option("--details", metavar="FILE", help="Write every triple, as TSV or (.jsonl) JSON.")
@resampling_options
@click.option(
    "--list-languages",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_languages,
    help="Show the shipped lists and exit.",
)
@version_option(NAME)
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Score the pronouns of candidate translations: how many match the reference's (APT).

    SRC, REF and each HYP are UTF-8 text, one segment a line; - is standard input, .gz is unpacked.
    """
    if not options["arguments"] and options["config"] is None:
        click.echo(context.get_help())
        return
    apt, files = _from_config(context) if options["config"] is not None else _from_options(options)
    check_standard_input(files, options)
    names = system_names([side.text for side in files.candidates])
    check_resampling(options, names)
    result = _score(apt, files, names, options)
    results = dict(zip(names, result.systems, strict=True))
    if not options["quiet"]:
        remark(NAME, result, shows_links=options["output"] == "text" and not options["score_only"])
    click.echo(_render(compare(results, plan_of(options), options["baseline"]), options))


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
    starts = options["doc_starts"]
    files = replace(
        legacy.files,
        docids=options["docids"],
        doc_starts=None if starts is None else read_document_starts(starts),
    )
    return APT.from_settings(settings), files


def _from_options(options: dict[str, Any]) -> tuple[APT, Files]:
    check_arguments(options)
    apt = APT(
        **metric_options(options, NAME),
        target_pronouns=options["target_pronouns"],
        weights=options["weights"],
        discard=options["discard"],
        other=options["other"],
        anchor=options["anchor"],
        heuristic=options["heuristic"],
        count_abbreviations=options["count_abbreviations"],
        pronoun_step=options["pronoun_step"],
    )
    return apt, files_of(options, options["more_references"])


def _score(apt: APT, files: Files, names: Sequence[str], options: dict[str, Any]) -> FilesResult[APTResult]:
    keep = Keep(segments=plan_of(options).wanted)
    if options["details"] is None:
        return score(apt, files, options, keep)
    from apt.render.details import DetailsWriter

    inputs = [*files.texts(), *files.links(), *([files.docids] if files.docids else [])]
    with DetailsWriter(options["details"], inputs) as writer:

        def sink(number: int, triples: Sequence[Triple], chunk: Chunk) -> None:
            writer.write(names[number], triples, chunk.documents, chunk.start)

        return score(apt, files, options, keep, sink)


def _render(results: dict[str, APTResult], options: dict[str, Any]) -> str:
    width = options["width"]
    if options["score_only"]:
        return scores_only([result.score for result in results.values()], width)
    if options["output"] == "json":
        from apt.render.json import render_json

        return render_json(results)
    if options["output"] == "tsv":
        from apt.render.tsv import render_tsv

        return render_tsv(results, width)
    from apt.render.text import TextRenderer

    return TextRenderer(width, colour_wanted()).render(results)
