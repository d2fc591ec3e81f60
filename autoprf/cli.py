"""`autoprf-score SRC REF HYP… --lang fr`: score candidate translations with AutoPRF."""

from typing import Any, NoReturn

import click

from apt.cli.common import run
from apt.cli.options import (
    document_options,
    link_options,
    output_options,
    positions_option,
    resampling_options,
    text_options,
    version_option,
)
from apt.cli.scoring import Renderers, check_arguments, files_of, metric_options, perform
from autoprf.counts import CLIPS
from autoprf.metric import MATCH_CASES, AutoPRF
from autoprf.result import AutoPRFResult

NAME = "autoprf-score"


@click.command(
    name=NAME,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: autoprf-score source.en reference.fr output.fr --lang fr",
)
@click.argument("arguments", metavar="SRC REF HYP...", nargs=-1)
@text_options
@link_options
@document_options
@click.option(
    "--pronouns", metavar="LIST", help="Source words to evaluate, as they are written. [it,It,they,They]"
)
@positions_option
@click.option(
    "--clip",
    type=click.Choice(CLIPS),
    default="occurrence",
    show_default=True,
    help="Where matches are clipped.",
)
@click.option(
    "--case",
    type=click.Choice(MATCH_CASES),
    default="mixed",
    show_default=True,
    help="fold: Il matches il.",
)
@click.option(
    "--lists",
    multiple=True,
    metavar="FILE",
    help="A list file of your own, for its tokenizer's rules and usual pronouns; repeatable.",
)
@output_options
@click.option(
    "--verbose", "-v", is_flag=True, help="Print each occurrence with its reference and candidate words."
)
@resampling_options
@version_option(NAME)
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Score the words that pronouns are linked to: clipped precision, recall and F1 (AutoPRF).

    SRC, REF and each HYP are UTF-8 text, one segment a line; - is standard input, .gz is unpacked.
    """
    if not options["arguments"]:
        click.echo(context.get_help())
        return
    check_arguments(options)
    if options["verbose"] and (options["output"] != "text" or options["score_only"]):
        raise click.UsageError("--verbose goes with text output.")
    metric = AutoPRF(**metric_options(options, NAME), clip=options["clip"], case=options["case"])
    perform(NAME, metric, files_of(options), options, _renderers, keep_triples=options["verbose"])


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)


def _renderers() -> Renderers[AutoPRFResult]:
    from autoprf.render import TextRenderer, render_json, render_tsv

    return Renderers(TextRenderer, render_json, render_tsv)
