"""What every command needs: one-line errors, UTF-8 output, colour only where it can be seen."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

import click

from apt.errors import AptError

USAGE_ERROR = 2


def run(command: click.Command, name: str) -> NoReturn:
    """Run a command; a user's mistake is one line on standard error and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    status = _guarded(lambda: command.main(prog_name=name, standalone_mode=False), name)
    sys.exit(status)


def _guarded(main: Callable[[], object], name: str) -> int:
    try:
        main()
        sys.stdout.flush()
    except AptError as error:
        return _complain(name, str(error))
    except click.UsageError as error:
        return _complain(name, f"{_one_line(error.format_message())} Try '{name} --help'.")
    except click.ClickException as error:
        return _complain(name, _one_line(error.format_message()))
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # The reader has gone (… | head). Python would complain once more at exit.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _complain(name: str, message: str) -> int:
    click.echo(f"{name}: error: {_one_line(message)}", err=True)
    return USAGE_ERROR


def _one_line(message: str) -> str:
    return " ".join(message.split())


def warn(name: str, message: str) -> None:
    """A remark that is no result: on standard error."""
    click.echo(f"{name}: {message}", err=True)


def colour_wanted() -> bool:
    """Colour on a terminal, unless NO_COLOR (no-color.org) is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def system_names(paths: Sequence[str]) -> list[str]:
    """A name a path: the file's name where that is enough, the whole path where two would be the same."""
    short = [Path(path).name for path in paths]
    return [
        name if short.count(name) == 1 and name else path for name, path in zip(short, paths, strict=True)
    ]
