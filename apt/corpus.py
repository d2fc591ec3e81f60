"""Reading parallel files safely.

In go paths, out come chunks: one list of lines per file, all of the same length. Text is UTF-8 and a line
ends at a newline byte and nowhere else, so a form feed, U+0085 or U+2028 inside a line cannot shift the
lines after it. Files are read in lockstep and never held whole; when they do not end together the error
names both files and both counts.
"""

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from apt.errors import InputError

STDIN = "-"
CHUNK_LINES = 4096
_BLOCK = 1 << 19  # bytes read at once; a chunk never holds more than a block or one line of its first file


def open_binary(path: str) -> BinaryIO:
    """Open a file, a `.gz` file or standard input (`-`) for reading bytes."""
    if path == STDIN:
        if sys.stdin is None:
            raise InputError("standard input is closed")
        return sys.stdin.buffer
    try:
        raw = Path(path).open("rb")  # noqa: SIM115  # LineReader closes it
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from None
    return io.BufferedReader(gzip.GzipFile(fileobj=raw)) if path.endswith(".gz") else raw


def name_of(path: str) -> str:
    """What a file is called in messages."""
    return "standard input" if path == STDIN else path


def read_lines(path: str) -> list[str]:
    """All lines of a file that is small enough to be held whole."""
    reader = LineReader(path)
    lines: list[str] = []
    try:
        while more := reader.take_ready(CHUNK_LINES):
            lines += more
    finally:
        reader.close()
    return lines


class LineReader:
    """The lines of one file, a few thousand at a time."""

    def __init__(self, path: str) -> None:
        self.name = name_of(path)
        self.taken = 0  # lines handed out so far
        self._stream = open_binary(path)
        self._owned = path != STDIN
        self._rest = bytearray()  # the unfinished line at the end of the last block
        self._ready: list[str] = []
        self._decoded = 0  # lines decoded so far
        self._ended = False

    def take(self, count: int) -> list[str]:
        """The next `count` lines; fewer only at the end of the file."""
        while len(self._ready) < count and not self._ended:
            self._ready += self._next_block()
        return self._hand_out(count)

    def take_ready(self, most: int) -> list[str]:
        """The next lines without holding more than a block of text; none only at the end of the file."""
        while not self._ready and not self._ended:
            self._ready += self._next_block()
        return self._hand_out(most)

    def close(self) -> None:
        if self._owned:
            self._stream.close()

    def _hand_out(self, count: int) -> list[str]:
        lines, self._ready = self._ready[:count], self._ready[count:]
        self.taken += len(lines)
        return lines

    def _next_block(self) -> list[str]:
        try:
            block = self._stream.read(_BLOCK)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"cannot be read: {error}", self.name) from None
        if not block:
            self._ended = True
            return self._lines(bytes(self._rest)) if self._rest else []
        finished, newline, rest = block.rpartition(b"\n")
        if not newline:
            self._rest += rest
            return []
        finished = bytes(self._rest) + finished
        self._rest = bytearray(rest)
        return self._lines(finished)

    def _lines(self, content: bytes) -> list[str]:
        if self._decoded == 0:
            content = content.removeprefix(codecs.BOM_UTF8)
        if b"\0" in content:
            raise self._not_utf8(content, content.index(b"\0"))
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._not_utf8(content, error.start) from None
        if "\r" in text:
            text = text.replace("\r\n", "\n").removesuffix("\r")
        lines = text.split("\n")
        self._decoded += len(lines)
        return lines

    def _not_utf8(self, content: bytes, at: int) -> InputError:
        line = self._decoded + 1 + content.count(b"\n", 0, at)
        found, advice = f"byte 0x{content[at]:02x}", "convert the file to UTF-8"
        if self._decoded == 0 and content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            found = "it begins like UTF-16"
        elif self._decoded == 0 and content.startswith(b"\x1f\x8b"):
            found, advice = "it begins like gzip", "give it a name in .gz, or unpack it"
        elif content[at] == 0:
            found = "NUL byte, as in UTF-16 or no text at all"
        return InputError(f"not UTF-8 text ({found}): {advice}", self.name, line)


class ParallelReader:
    """Files read in lockstep: iterating gives chunks, one list of lines per file, all equally long.

    `blank_end` are the positions of files whose surplus empty last line is no fault (links, as published
    data has them). The chunks before a missing line have been handed out when it is noticed, so whoever
    consumes them shows nothing before the iteration has ended.
    """

    def __init__(
        self, paths: Sequence[str], blank_end: Sequence[int] = (), chunk_lines: int | None = None
    ) -> None:
        if list(paths).count(STDIN) > 1:
            raise InputError("standard input (-) can be named only once")
        self._blank_end = frozenset(blank_end)
        self._chunk_lines = CHUNK_LINES if chunk_lines is None else min(chunk_lines, CHUNK_LINES)
        self._readable = True
        self._readers: list[LineReader] = []
        try:
            for path in paths:
                self._readers.append(LineReader(path))
        except InputError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        for reader in self._readers:
            reader.close()

    def __iter__(self) -> Iterator[list[list[str]]]:
        first, *others = self._readers
        while True:
            try:
                lead = first.take_ready(self._chunk_lines)
                chunk = [lead, *(other.take(len(lead)) for other in others)]
            except InputError:
                self._readable = False
                raise
            if not lead or any(len(lines) != len(lead) for lines in chunk):
                break
            yield chunk
        self.check_counts()

    def check_counts(self) -> None:
        """Read every file to its end and raise unless all have as many lines as the first.

        Once a file could not be read its lines cannot be counted, and nothing is said.
        """
        if not self._readable:
            return
        first, *others = self._readers
        expected = self._count(0)
        if expected == 0:
            raise InputError("the file is empty", first.name, 1)
        for index, other in enumerate(others, start=1):
            found = self._count(index)
            if found != expected:
                line = min(found, expected) + 1
                message = f"{expected} lines expected to match {first.name}, found {found}"
                raise InputError(message, other.name, line)

    def _count(self, index: int) -> int:
        reader = self._readers[index]
        last: list[str] = []
        while lines := reader.take_ready(CHUNK_LINES):
            last = lines
        surplus = index in self._blank_end and reader.taken == self._readers[0].taken + 1
        return reader.taken - 1 if surplus and last and not last[-1].strip() else reader.taken
