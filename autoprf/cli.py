"""`autoprf-score SRC REF HYP… --lang fr`: score candidate translations with AutoPRF."""

from typing import Any, NoReturn

import click

from apt.cli.common import colour_wanted, run, system_names
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
from apt.segments import Keep
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
    files = files_of(options)
    check_standard_input(files, options)
    names = system_names([side.text for side in files.candidates])
    check_resampling(options, names)
    keep = Keep(triples=options["verbose"], segments=plan_of(options).wanted)
    result = score(metric, files, options, keep)
    results = dict(zip(names, result.systems, strict=True))
    if not options["quiet"]:
        remark(NAME, result, shows_links=options["output"] == "text" and not options["score_only"])
    click.echo(_render(compare(results, plan_of(options), options["baseline"]), options))


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)


def _render(results: dict[str, AutoPRFResult], options: dict[str, Any]) -> str:
    from autoprf.render import TextRenderer, render_json, render_tsv

    width = options["width"]
    if options["score_only"]:
        return scores_only([result.f1 for result in results.values()], width)
    if options["output"] == "json":
        return render_json(results)
    if options["output"] == "tsv":
        return render_tsv(results, width)
    return TextRenderer(width, colour_wanted()).render(results)
