"""`apt-meta agree`: the metric's six cases against human judgments."""

from typing import Any

import click

from apt.cli.common import options_of
from apt.cli.reporting import bad_option, report_options, resamples_option, seed_option, show
from apt.comparing import UNITS


@click.command(short_help="The six cases against human judgments of triples.")
@click.argument("details", nargs=-1, required=True)
@click.option(
    "--judgments", required=True, metavar="FILE", help="TSV or CSV: the triples, and what people say of them."
)
@click.option("--by", multiple=True, metavar="COLUMN", help="Each value of this column of the judgments too.")
@click.option(
    "--accept", default="1,2", show_default=True, metavar="CASES", help="Cases that the metric calls right."
)
@click.option("--discard", default="none", metavar="CASES", help="Cases that are not compared, such as 5,6.")
@bad_option
@click.option(
    "--resample",
    type=click.Choice(UNITS),
    default="segments",
    show_default=True,
    help="What is drawn for the intervals.",
)
@options_of(resamples_option("--confidence-n", 1000, "Resamples for the intervals."), seed_option)
@report_options
def command(details: tuple[str, ...], **options: Any) -> None:
    """Compare the cases that apt-score found with human judgments of the same pronouns.

    DETAILS are files of apt-score --details (TSV or JSONL), of one source text and one or more systems.
    A file of judgments is such a table with one column more: judgment (correct, incorrect, bad, or empty).
    Where several people judged, a column rater says who.
    """
    from apt.meta.cases_judged import judged_cases
    from apt.meta.details import read_details
    from apt.meta.judgments import read_judgments
    from apt.render.meta_agree import agree_report

    if [*details, options["judgments"]].count("-") > 1:
        raise click.UsageError("standard input (-) can be named only once.")
    judged = judged_cases(
        read_judgments(options["judgments"]),
        read_details(details),
        accept=options["accept"],
        discard=options["discard"],
        bad=options["bad"],
        by=options["by"],
        resample=options["resample"],
        resamples=options["confidence_n"],
        seed=options["seed"],
    )
    show(agree_report(judged, options["width"]), options)
