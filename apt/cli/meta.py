"""`apt-meta`: do the scores agree with people?"""

from typing import Any, NoReturn

import click

from apt.cli.common import Commands, run
from apt.cli.options import version_option

NAME = "apt-meta"


@click.group(
    name=NAME,
    cls=Commands,
    modules={
        "correlate": "apt.cli.meta_correlate",
        "agree": "apt.cli.meta_agree",
        "tune": "apt.cli.meta_tune",
        "lists": "apt.cli.meta_lists",
    },
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@version_option(NAME)
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Meta-evaluation: do metric scores agree with human judgments?"""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)
