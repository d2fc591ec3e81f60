"""What the commands of apt-meta have in common: how a report is asked for and printed."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from apt.cli.common import Decorated, colour_wanted, options_of
from apt.comparing import DEFAULT_SEED

if TYPE_CHECKING:
    from apt.render.report import Report

report_options = options_of(
    click.option(
        "--format",
        "-f",
        "output",
        type=click.Choice(["text", "json", "tsv", "latex"]),
        default="text",
        show_default=True,
    ),
    click.option("--width", "-w", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimals."),
)
bad_option = click.option(
    "--bad",
    type=click.Choice(["leave", "incorrect"]),
    default="leave",
    show_default=True,
    help="Bad translations: leave them out, or count them as incorrect.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True, help="Of all resampling."
)


def resamples_option(name: str, usual: int, purpose: str) -> Callable[[Decorated], Decorated]:
    """How many resamples for what."""
    return click.option(
        name, type=click.IntRange(1, 1_000_000), default=usual, show_default=True, help=purpose
    )


def show(report: "Report", options: Mapping[str, Any]) -> None:
    """Print the report in the format asked for."""
    from apt.render.report import render_report

    click.echo(render_report(report, options["output"], colour_wanted()))
