"""`apt-meta`: do the scores agree with people?"""

from importlib import import_module
from typing import Any, NoReturn

import click

from apt.cli.common import run
from apt.cli.options import version_option

NAME = "apt-meta"
_COMMANDS = {
    "correlate": "apt.cli.meta_correlate",
    "agree": "apt.cli.meta_agree",
    "tune": "apt.cli.meta_tune",
    "lists": "apt.cli.meta_lists",
}


class Commands(click.Group):
    """Commands that are loaded when they are needed, in the order in which one meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(_COMMANDS[cmd_name]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            raise click.UsageError(f"No such command {args[0]!r}. Commands: {', '.join(_COMMANDS)}.", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    name=NAME,
    cls=Commands,
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
