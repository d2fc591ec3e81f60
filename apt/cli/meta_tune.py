"""`apt-meta tune`: which weights agree best with people, and is that more than chance?"""

from typing import Any

import click

from apt.cli.common import options_of
from apt.cli.reporting import report_options, show

_table_options = options_of(
    click.option("--human", required=True, metavar="TABLE", help="CSV or TSV of human scores."),
    click.option("--column", default="human", show_default=True, help="The column with the human scores."),
    click.option("--systems", metavar="COLUMN", help="The column with the systems' names. [the first]"),
)
_search_options = options_of(
    click.option(
        "--statistic",
        type=click.Choice(["pearson", "spearman", "kendall", "accuracy"]),
        default="pearson",
        show_default=True,
        help="What is to become as high as possible.",
    ),
    click.option("--search", type=click.Choice(["grid", "simplex"]), default="grid", show_default=True),
    click.option("--step", type=float, default=0.1, show_default=True, help="Of the grid; divides 1."),
    click.option(
        "--leave-out",
        type=click.Choice(["systems", "documents"]),
        default="systems",
        show_default=True,
        help="What the weights are cross-validated on.",
    ),
)


@click.command(short_help="Weights that agree best with people, cross-validated.")
@click.argument("details", nargs=-1, required=True)
@_table_options
@_search_options
@report_options
def command(details: tuple[str, ...], **options: Any) -> None:
    """Find the weights of cases 2 and 6, and the cases to discard, that agree best with human scores.

    DETAILS are files of apt-score --details (TSV or JSONL), of one source text and all systems. The table has
    a row a system, or, with a column document, a row for each document of a system.
    """
    from apt.meta.tuning import tune
    from apt.meta.tuning_data import read_tuning_data
    from apt.render.meta_tune import tune_report

    data = read_tuning_data(details, options["human"], options["column"], options["systems"])
    tuning = tune(
        data,
        statistic=options["statistic"],
        search=options["search"],
        step=options["step"],
        leave_out=options["leave_out"],
    )
    show(tune_report(tuning, options["width"]), options)
