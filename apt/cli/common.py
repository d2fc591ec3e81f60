"""What every command needs: one-line errors, UTF-8 output, colour only where it can be seen."""

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from apt.align.aligners import LEXICAL, METHODS
from apt.base import PRONOUN_STEPS
from apt.errors import AptError

USAGE_ERROR = 2
_SECONDS_WITHOUT_PROGRESS = 2.0
_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # scoring makes many small objects and no cycles
Decorated = TypeVar("Decorated", bound=Callable[..., object])


def run(command: click.Command, name: str) -> NoReturn:
    """Run a command; a user's mistake is one line on standard error and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    gc.freeze()  # what is loaded by now stays: the collector need not go through it again and again
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)  # so that what is open is closed and temporary files go
    sys.exit(_guarded(lambda: _invoke(command, name), name))


def _leave(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)


def _invoke(command: click.Command, name: str) -> None:
    # Not command.main(), which takes any broken pipe, a scoring process's too, for a reader that has left.
    with command.make_context(name, sys.argv[1:]) as context:
        command.invoke(context)
    if sys.stdout is None:
        raise AptError("standard output is closed: there is nowhere to write the result")
    sys.stdout.flush()


def _guarded(main: Callable[[], None], name: str) -> int:
    try:
        main()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        help_of = name if error.ctx is None else error.ctx.command_path
        return _complain(name, f"{_one_line(error.format_message())} Try '{help_of} --help'.")
    except (AptError, click.ClickException, UnicodeError) as error:
        return _complain(
            name, error.format_message() if isinstance(error, click.ClickException) else str(error)
        )
    except BrokenPipeError:
        # The reader has gone (… | head). Python would complain once more at exit.
        _silence(sys.stdout)
    except OSError as error:
        _silence(sys.stdout)
        return _complain(name, f"cannot write the output: {error.strerror or error}")
    except (click.Abort, KeyboardInterrupt):
        return 128 + signal.SIGINT
    return 0


def _silence(stream: object) -> None:
    """Let nothing more be written to a stream that cannot be written to."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[attr-defined]  # may be None


def _complain(name: str, message: str) -> int:
    with suppress(OSError):
        click.echo(f"{name}: error: {_one_line(message)}", err=True)
    return USAGE_ERROR


def _one_line(message: str) -> str:
    return " ".join(message.split())


def warn(name: str, message: str) -> None:
    """A remark that is no result: on standard error."""
    click.echo(f"{name}: {_one_line(message)}", err=True)


@contextmanager
def progress_line(quiet: bool) -> Iterator[Callable[[int], None]]:
    """Shows how many segments are done, on a terminal, from two seconds on; gone when all are."""
    start = time.monotonic()
    shown = False

    def show(segments: int) -> None:
        nonlocal shown
        seconds = time.monotonic() - start
        if seconds >= _SECONDS_WITHOUT_PROGRESS:
            text = f"\r{segments:,} segments, {segments / seconds:,.0f} a second "
            click.echo(text, file=sys.stderr, nl=False)
            shown = True

    wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
    try:
        yield show if wanted else lambda segments: None
    finally:
        if shown:
            click.echo("\r\x1b[K", file=sys.stderr, nl=False)


def progress_share(quiet: bool) -> Callable[[str, float], None]:
    """Shows what is being done and how much of it is, on a terminal."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return lambda what, share: None
    return lambda what, share: click.echo(f"\r{what}: {share:4.0%}   ", err=True, nl=share >= 1)


def colour_wanted() -> bool:
    """Colour on a terminal, unless NO_COLOR (no-color.org) is set."""
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    return on_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def options_of(*options: Any) -> Callable[[Decorated], Decorated]:
    """Several options as one decorator, shown in this order."""

    def decorate(command: Decorated) -> Decorated:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


aligner_options = options_of(
    click.option(
        "--aligner",
        default=LEXICAL,
        show_default=True,
        metavar="NAME",
        help="What makes links that are not given: lexical, simalign or simalign:MODEL.",
    ),
    click.option("--lexicon", metavar="FILE", help="A lexicon of your own (apt-align-train) for lexical."),
    click.option(
        "--align-method",
        type=click.Choice(METHODS),
        default="itermax",
        show_default=True,
        help="Of simalign.",
    ),
)
pronoun_step_option = click.option(
    "--pronoun-step",
    type=click.Choice(PRONOUN_STEPS),
    default="posterior",
    show_default=True,
    help="How made links are amended for pronouns.",
)


def system_names(paths: Sequence[str]) -> list[str]:
    """A name of its own for each path: the file's name, the path, or the path with a number."""
    short = [Path(path).name or path for path in paths]
    names: list[str] = []
    for name, path in zip(short, paths, strict=True):
        wanted = name if short.count(name) == 1 else path
        number = 1
        free = wanted
        while free in names or (number > 1 and free in short):
            number += 1
            free = f"{wanted}#{number}"
        names.append(free)
    return names
