"""Contrastive sets as line-parallel text: a source line beside every translation, and where groups begin.

The groups file has the first line of each group (from 0), ascending, and last the number of lines; the first
line of a group is the correct translation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from apt.contrast.instances import ContrastiveSet, Instance, checked
from apt.corpus import ParallelReader, name_of, read_lines
from apt.errors import InputError

KIND = "lines"
_LONGEST_NUMBER = 18  # digits


@dataclass(frozen=True)
class _Column:
    """The lines of one file, and what it is called."""

    name: str
    lines: list[str]

    def check_full(self) -> None:
        if "" in self.lines:
            raise InputError("the line is empty", self.name, self.lines.index("") + 1)

    def check_alike(self, start: int, end: int, group: int) -> None:
        for line in range(start + 1, end):
            if self.lines[line] != self.lines[start]:
                message = f"group {group} (from 0): the line must be the same as line {start + 1}"
                raise InputError(message, self.name, line + 1)


def read_grouped(source: str, target: str, groups: str, contexts: Sequence[str] = ()) -> ContrastiveSet:
    """Read source and target lines, perhaps with a line of context each (source, then target).

    Source and context must be the same all through a group.
    """
    sources, targets, *before = _columns([source, target, *contexts])
    sources.check_full()
    targets.check_full()
    instances = []
    starts = _starts(groups, len(targets.lines), targets.name)
    for number, (start, end) in enumerate(pairwise(starts)):
        for column in (sources, *before):
            column.check_alike(start, end, number)
        correct, *contrastive = targets.lines[start:end]
        source_context, target_context = (_context(column, start) for column in (*before, None, None)[:2])
        instances.append(
            Instance(sources.lines[start], correct, tuple(contrastive), source_context, target_context)
        )
    return checked(ContrastiveSet(targets.name, KIND, instances), targets.name)


def _columns(paths: Sequence[str]) -> list[_Column]:
    columns = [_Column(name_of(path), []) for path in paths]
    with ParallelReader(paths) as reader:
        for chunk in reader:
            for column, lines in zip(columns, chunk, strict=True):
                column.lines.extend(line.strip() for line in lines)
    return columns


def _context(column: _Column | None, line: int) -> tuple[str, ...] | None:
    """The sentence before, if such are given; an empty line is the beginning of a text."""
    if column is None:
        return None
    return (column.lines[line],) if column.lines[line] else ()


def _starts(path: str, lines: int, target: str) -> list[int]:
    """Where groups begin, and last where all end."""
    name = name_of(path)
    starts: list[int] = []
    for number, text in enumerate(read_lines(path), start=1):
        word = text.strip()
        if not (word.isascii() and word.isdigit() and len(word) <= _LONGEST_NUMBER):
            raise InputError(f"a line number from 0 on expected, found {text[:40]!r}", name, number)
        start = int(word)
        if not starts and start != 0:
            raise InputError(f"the first group must begin at line 0, not {start}", name, number)
        if starts and start < starts[-1] + 2:
            raise InputError(
                f"a group needs a correct and a contrastive line: {start} comes after {starts[-1]}",
                name,
                number,
            )
        starts.append(start)
    if len(starts) < 2:
        raise InputError("no group: the first line of each, and last the number of lines expected", name, 1)
    if starts[-1] != lines:
        raise InputError(
            f"the last number must be that of all lines, {lines} in {target}, not {starts[-1]}",
            name,
            len(starts),
        )
    return starts
