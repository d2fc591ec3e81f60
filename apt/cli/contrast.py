"""`apt-contrast`: contrastive test sets of pronoun translation."""

from typing import Any, NoReturn

import click

from apt.cli.common import Commands, run
from apt.cli.options import version_option

NAME = "apt-contrast"


@click.group(
    name=NAME,
    cls=Commands,
    modules={
        "evaluate": "apt.cli.contrast_evaluate",
        "prepare": "apt.cli.contrast_prepare",
        "generate": "apt.cli.contrast_generate",
        "score": "apt.cli.contrast_score",
    },
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@version_option(NAME)
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Contrastive evaluation: does a model find the correct pronoun likelier than a wrong one?"""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)
