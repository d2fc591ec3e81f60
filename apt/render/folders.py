"""Folders of output that appear whole or not at all."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from apt.errors import InputError


@contextmanager
def output_folder(folder: str) -> Iterator[Path]:
    """A place to write files that move into `folder` when the block ends without an error.

    After an error nothing is left, not even a folder that was made for them.
    """
    if not folder:
        raise InputError("cannot be written: the name of a folder is needed", "''")
    wanted = Path(folder)
    missing = [path for path in (wanted, *wanted.parents) if not path.exists()]
    try:
        with complaining(folder):
            wanted.mkdir(parents=True, exist_ok=True)
            place = tempfile.TemporaryDirectory(prefix=".being-written.", dir=wanted)
        with place as name:
            yield Path(name)
            with complaining(folder):
                for path in sorted(Path(name).iterdir()):
                    path.replace(wanted / path.name)
    except BaseException:
        for path in missing:
            with suppress(OSError):
                path.rmdir()
        raise


@contextmanager
def complaining(folder: str) -> Iterator[None]:
    """An error of the operating system becomes one of the package, naming the folder."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", folder) from None
