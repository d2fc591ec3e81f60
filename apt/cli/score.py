"""`apt-score SRC REF HYP… --lang fr`: score candidate translations with APT."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NoReturn

import click

from apt.align.links import LinkOptions
from apt.cases import OTHER_POLICIES
from apt.cli.common import pronoun_step_option, run
from apt.cli.options import (
    document_options,
    link_options,
    output_options,
    positions_option,
    resampling_options,
    text_options,
    version_option,
)
from apt.cli.scoring import (
    Renderers,
    check_arguments,
    check_standard_input,
    document_starts,
    files_of,
    metric_options,
    perform,
)
from apt.errors import OptionError
from apt.metric import ANCHORS, APT
from apt.pronouns import available_lists
from apt.result import APTResult
from apt.segments import Chunk
from apt.stream import Files, TripleSink
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
    "mtme",
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
    perform(NAME, apt, files, options, _renderers, details=lambda names: _details(options, files, names))


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)


def _from_config(context: click.Context) -> tuple[APT, Files]:
    from apt.legacy import read_config

    check_standard_input(context.params)
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
    files = replace(legacy.files, docids=options["docids"], doc_starts=document_starts(options))
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


@contextmanager
def _details(options: dict[str, Any], files: Files, names: Sequence[str]) -> Iterator[TripleSink | None]:
    """What writes every triple, where that is asked for."""
    if options["details"] is None:
        yield None
        return
    from apt.render.details import DetailsWriter

    others = [files.docids, options["doc_starts"], options["positions"]]
    inputs = [*files.texts(), *files.links(), *(path for path in others if path is not None)]
    with DetailsWriter(options["details"], inputs) as writer:

        def sink(number: int, triples: Sequence[Triple], chunk: Chunk) -> None:
            writer.write(names[number], triples, chunk.documents, chunk.start)

        yield sink


def _renderers() -> Renderers[APTResult]:
    from apt.render.json import render_json
    from apt.render.text import TextRenderer
    from apt.render.tsv import render_tsv

    return Renderers(TextRenderer, render_json, render_tsv)
