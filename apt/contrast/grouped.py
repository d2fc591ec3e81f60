"""Contrastive sets as line-parallel text: a source line beside every translation, and where groups begin.

The groups file has the first line of each group (from 0), ascending, and last the number of lines; the first
line of a group is the correct translation.
"""

from collections.abc import Sequence
from itertools import pairwise

from apt.contrast.instances import ContrastiveSet, Instance, checked
from apt.corpus import LineReader, ParallelReader
from apt.errors import InputError

KIND = "lines"
_AT_ONCE = 1 << 14


def read_grouped(source: str, target: str, groups: str, contexts: Sequence[str] = ()) -> ContrastiveSet:
    """Read source and target lines, perhaps with a line of context each (source, then target)."""
    with ParallelReader([source, target, *contexts]) as reader:
        columns: list[list[str]] = [[] for _ in range(2 + len(contexts))]
        for chunk in reader:
            for column, lines in zip(columns, chunk, strict=True):
                column += lines
    starts = _starts(groups, len(columns[0]), source)
    instances = []
    for number, (start, end) in enumerate(pairwise(starts)):
        sources = set(columns[0][start:end])
        if len(sources) > 1:
            raise InputError(f"group {number} (from 0) has different source lines", source, start + 1)
        instances.append(
            Instance(
                columns[0][start],
                columns[1][start],
                tuple(columns[1][start + 1 : end]),
                _context(columns[2:3], start),
                _context(columns[3:4], start),
            )
        )
    return checked(ContrastiveSet(target, KIND, instances), target)


def _context(columns: Sequence[Sequence[str]], line: int) -> tuple[str, ...] | None:
    """The sentence before, if such are given; an empty line is the beginning of a text."""
    if not columns:
        return None
    return (columns[0][line],) if columns[0][line].strip() else ()


def _starts(path: str, lines: int, source: str) -> list[int]:
    reader = LineReader(path)
    texts: list[str] = []
    try:
        while more := reader.take(_AT_ONCE):
            texts += more
    finally:
        reader.close()
    starts: list[int] = []
    for number, text in enumerate(texts, start=1):
        word = text.strip()
        if not (word.isascii() and word.isdigit() and len(word) < 19):
            raise InputError(f"a line number from 0 on expected, found {text[:40]!r}", path, number)
        start = int(word)
        if not starts and start != 0:
            raise InputError(f"the first group must begin at line 0, not {start}", path, number)
        if starts and start < starts[-1] + 2:
            raise InputError(
                f"a group needs a correct and a contrastive line: {start} comes after {starts[-1]}",
                path,
                number,
            )
        starts.append(start)
    if len(starts) < 2:
        raise InputError("no group: the first line of each, and last the number of lines expected", path, 1)
    if starts[-1] != lines:
        raise InputError(
            f"the last number must be that of all lines, {lines} in {source}, not {starts[-1]}",
            path,
            len(starts),
        )
    return starts
