"""Documents given by where they start: a zero-based line number a document, and perhaps an id."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from apt.corpus import LineReader
from apt.errors import InputError

_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class DocumentStarts:
    """The first line of each document, ascending from 0, and the ids."""

    path: str
    starts: Sequence[int]
    ids: Sequence[str]

    def documents(self, start: int, count: int) -> list[str]:
        """The document of each of `count` lines from `start` on."""
        return [self.ids[bisect_right(self.starts, line) - 1] for line in range(start, start + count)]

    def check_length(self, lines: int) -> None:
        """Raise when a document starts behind the end of the text."""
        for number, start in enumerate(self.starts, start=1):
            if start >= lines:
                raise InputError(
                    f"a document starts at line {start} (counted from 0), but the text has {lines} lines",
                    self.path,
                    number,
                )


def read_document_starts(path: str) -> DocumentStarts:
    """Read and check a file of starts; without an id a document is called by its number, from 0 on."""
    reader = LineReader(path)
    try:
        lines = reader.take(_AT_ONCE)
        while more := reader.take(_AT_ONCE):
            lines += more
    finally:
        reader.close()
    starts: list[int] = []
    ids: dict[str, None] = {}  # in order, and quick to look up: a corpus may have many documents
    for number, line in enumerate(lines, start=1):
        first, _, name = line.strip().partition("\t" if "\t" in line else " ")
        if not (first.isascii() and first.isdigit() and len(first) < 19):
            raise InputError(f"expected a line number and perhaps an id, found {line[:40]!r}", path, number)
        start = int(first)
        if not starts and start != 0:
            raise InputError(f"the first document must start at line 0, not {start}", path, number)
        if starts and start <= starts[-1]:
            raise InputError(f"starts must ascend: {start} comes after {starts[-1]}", path, number)
        identifier = name.strip() or str(number - 1)
        if identifier in ids:
            raise InputError(f"the document id {identifier!r} is given twice", path, number)
        starts.append(start)
        ids[identifier] = None
    if not starts:
        raise InputError("the file is empty", path, 1)
    return DocumentStarts(path, starts, list(ids))
