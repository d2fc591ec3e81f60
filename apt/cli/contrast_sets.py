"""How a contrastive set is named on the command line."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from apt.cli.common import options_of
from apt.corpus import STDIN
from apt.errors import OptionError

if TYPE_CHECKING:
    from apt.contrast.instances import ContrastiveSet

_FILES = ("groups", "source", "source_context", "target_context")
set_options = options_of(
    click.option("--groups", metavar="FILE", help="SET has target lines; groups of them begin at these."),
    click.option("--source", metavar="FILE", help="The source line beside each target line, with --groups."),
    click.option("--source-context", metavar="FILE", help="The source line before each, with --groups."),
    click.option("--target-context", metavar="FILE", help="The target line before each, with --groups."),
)


def set_of(path: str, options: Mapping[str, Any]) -> "ContrastiveSet":
    """The set that is named: JSON, or lines with a file of groups."""
    from apt.contrast.grouped import read_grouped
    from apt.contrast.sets import read_set

    if options["groups"] is None:
        for name in _FILES[1:]:
            if options[name] is not None:
                raise OptionError(f"--{name.replace('_', '-')} goes with --groups")
        return read_set(path)
    if options["source"] is None:
        raise OptionError("--groups needs --source: the source line beside each target line")
    if options["source_context"] is None and options["target_context"] is not None:
        raise OptionError("--target-context goes with --source-context")
    contexts = [options[name] for name in ("source_context", "target_context") if options[name] is not None]
    return read_grouped(options["source"], path, options["groups"], contexts)


def check_standard_input(*paths: str | None, options: Mapping[str, Any]) -> None:
    """Standard input can be read once, whatever is read from it."""
    if [*paths, *(options[name] for name in _FILES)].count(STDIN) > 1:
        raise OptionError("standard input (-) can be named only once")
