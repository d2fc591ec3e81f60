"""Single files of output that appear whole or not at all, and never over an input."""

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from apt.errors import InputError


def checked_output(path: str, inputs: Sequence[str] = ()) -> Path:
    """Where to write, a link followed; `inputs` are paths that must not be overwritten."""
    if path in ("", "-") or path.endswith("/"):
        raise InputError("cannot be written: the name of a file is needed", path or "''")
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        return Path(path)  # a pipe or device is written to directly
    place = Path(path).resolve()
    if place.is_dir():
        raise InputError("cannot be written: Is a directory", path)
    if any(Path(name).exists() and place == Path(name).resolve() for name in inputs):
        raise InputError("cannot be written: it is one of the inputs", path)
    return place


def write_file(path: str, content: bytes, inputs: Sequence[str] = ()) -> None:
    """Write a file that takes its name when all of it is there."""
    place = checked_output(path, inputs)
    temporary: Path | None = None
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(content)
            return
        check_writable(place)
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        give_usual_rights(temporary)
        temporary.replace(place)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        raise InputError(f"cannot be written: {error.strerror}", path) from None


def check_writable(place: Path) -> None:
    """Replacing a file needs no right to write it; nobody expects that."""
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(13, "Permission denied")


def give_usual_rights(path: Path) -> None:
    """Give a file the rights any new one has: mkstemp makes it private."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(0o666 & ~mask)
