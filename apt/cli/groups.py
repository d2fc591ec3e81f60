"""Commands that have commands of their own, each loaded when it is needed."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from apt.cli.options import version_option

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """`modules` says in which module each one's `command` is."""

    def __init__(self, *, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(**options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        command: click.Command = import_module(self._modules[cmd_name]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self._modules:
            commands = ", ".join(self._modules)
            raise click.UsageError(f"No such command {args[0]!r}. Commands: {commands}.", ctx)
        return super().resolve_command(ctx, args)


def group_of(name: str, purpose: str, modules: Mapping[str, str]) -> click.Group:
    """A command with commands, which shows its help when none of them is named."""

    @click.group(
        name=name,
        cls=Commands,
        modules=modules,
        help=purpose,
        no_args_is_help=False,
        invoke_without_command=True,
        context_settings=_SETTINGS,
    )
    @version_option(name)
    @click.pass_context
    def command(context: click.Context, /, **options: Any) -> None:
        if context.invoked_subcommand is None:
            click.echo(context.get_help())

    return command
