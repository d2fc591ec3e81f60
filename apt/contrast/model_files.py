"""The files of scoring with a model: a prepared folder, and scores that grow block by block.

`read_prepared` gives the lines to score if they are as `apt-contrast prepare` wrote them. `PartFile` keeps
scores in `SCORES.part` until all are there; whoever begins again with the same set, model and options goes
on where it ends.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apt.contrast.fields import read_json
from apt.contrast.preparing import FORMAT, MANIFEST
from apt.errors import InputError
from apt.output_files import checked_output, write_file

_SOURCE, _TARGET = "source.txt", "target.txt"


@dataclass(frozen=True)
class PreparedLines:
    """What `apt-contrast prepare` wrote: lines to score, and the digest of their manifest."""

    sources: Sequence[str]
    targets: Sequence[str]
    paths: tuple[str, str]
    separator: str | None
    manifest: str

    @property
    def inputs(self) -> list[str]:
        return [*self.paths, str(Path(self.paths[0]).with_name(MANIFEST))]


def read_prepared(folder: str, *, last: bool = False) -> PreparedLines:
    """The lines, if they are those of the manifest; for `last` their last sentences must be told apart."""
    place = Path(folder)
    if not place.is_dir():
        raise InputError("no folder of apt-contrast prepare", folder)
    path = str(place / MANIFEST)
    manifest = read_json(path)
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict) or not {_SOURCE, _TARGET} <= files.keys():
        raise InputError("no manifest of apt-contrast prepare", path)
    if manifest.get("format") != FORMAT:
        raise InputError(f"format {FORMAT} expected, found {manifest.get('format')!r}", path)
    if files.keys() != {_SOURCE, _TARGET}:
        message = "the context is in files of its own, which no model would see: prepare with --separator"
        raise InputError(message, path)
    separator = manifest.get("separator")
    sources, targets = (_lines(place / name, files[name]) for name in (_SOURCE, _TARGET))
    paths = str(place / _SOURCE), str(place / _TARGET)
    if last:
        _check_separators(targets, separator, manifest.get("context"), paths[1], path)
    digest = hashlib.sha256(_content(place / MANIFEST)).hexdigest()
    return PreparedLines(sources, targets, paths, separator, digest)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path)) from None


def _lines(path: Path, digest: object) -> list[str]:
    content = _content(path)
    if hashlib.sha256(content).hexdigest() != digest:
        raise InputError("not as apt-contrast prepare wrote it: prepare the set again", str(path))
    return content.decode("utf-8").split("\n")[:-1]


def _check_separators(
    targets: Sequence[str], separator: object, context: object, path: str, manifest: str
) -> None:
    if not isinstance(separator, str) or not separator or not isinstance(context, int):
        raise InputError("prepared without a separator: there is no last sentence to score", manifest)
    for number, target in enumerate(targets, start=1):
        if (found := target.count(separator)) > context:
            reason = f"{found} times the separator {separator!r}, with {context} of context at most"
            raise InputError(f"{reason}: the last sentence cannot be told", path, number)


class PartFile:
    """Scores in the making: a line of JSON that says what they are, then one score a line.

    `block` scores at a time are added; of a block that is not whole after a kill nothing is kept, so that
    the work goes on where a block begins.
    """

    def __init__(
        self, output: str, header: Mapping[str, Any], count: int, block: int, inputs: Sequence[str] = ()
    ) -> None:
        check_output(output, inputs)
        self._output, self._inputs = output, inputs
        self._path = part_path(output)
        self._header = f"{json.dumps(header, ensure_ascii=False)}\n".encode()
        content = _content(self._path) if self._path.exists() else b""
        if self._header.startswith(content):  # new, or killed before its first line was there
            self.done = 0
            self._put("wb", self._header)
            return
        lines = self._checked(content, header, count)
        self.done = len(lines) if len(lines) == count else len(lines) // block * block
        whole = self._header + b"".join(line + b"\n" for line in lines[: self.done])
        if whole != content:
            # Not cut in place: a kill meanwhile leaves either of the two.
            write_file(str(self._path), whole)

    def add(self, scores: Sequence[float]) -> None:
        """A block of scores, in full precision."""
        self._put("ab", "".join(f"{score!r}\n" for score in scores).encode())
        self.done += len(scores)

    def finish(self) -> None:
        """Give the scores their own name."""
        content = _content(self._path)
        write_file(self._output, content[len(self._header) :], self._inputs)
        self._path.unlink(missing_ok=True)

    def _put(self, mode: str, content: bytes) -> None:
        try:
            with self._path.open(mode) as file:
                file.write(content)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", str(self._path)) from None

    def _checked(self, content: bytes, header: Mapping[str, Any], count: int) -> list[bytes]:
        first, *lines = content.split(b"\n")
        try:
            found = json.loads(first)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.keys() != header.keys() or not lines:
            raise self._wrong("no scores in the making: remove it, or give another name to -o")
        for key, wanted in header.items():
            if found[key] != wanted:
                begun = f"begun with {_shown(key, found[key])}, not {_shown(key, wanted)}"
                raise self._wrong(f"{begun}: go on with the same, or remove the file to begin anew")
        lines = lines[:-1]  # what is behind the last line break is not whole
        for number, line in enumerate(lines, start=2):
            if not _is_score(line):
                raise self._wrong("a score expected: remove the file to begin anew", number)
        if len(lines) > count:
            raise self._wrong(
                f"{count} scores expected, found {len(lines)}: remove the file to begin anew", 1
            )
        return lines

    def _wrong(self, message: str, line: int | None = None) -> InputError:
        return InputError(message, str(self._path), line)


def part_path(output: str) -> Path:
    """Where scores are kept until all are there."""
    return Path(f"{output}.part")


def check_output(output: str, inputs: Sequence[str]) -> None:
    """Raise at once where scores could not be written after hours."""
    place = checked_output(output, inputs)
    if not place.parent.is_dir():
        raise InputError("cannot be written: No such file or directory", output)
    if place.exists() and not place.is_file():
        raise InputError("cannot be written: the name of a file is needed", output)


def _shown(key: str, value: object) -> str:
    return f"{key.replace('_', ' ')} {'unset' if value is None else value}"


def _is_score(line: bytes) -> bool:
    try:
        return math.isfinite(float(line))
    except ValueError:
        return False
