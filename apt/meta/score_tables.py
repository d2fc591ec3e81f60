"""Human and metric scores from a table with a head: a row a system, or a row a system and segment.

In go a path and the names of columns, out comes a `SystemTable` or a `SegmentTable`. Everything that does not
fit is an error with file and line.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from apt.errors import InputError, OptionError
from apt.meta.reading import Row, Rows, read_rows
from apt.meta.tables import SegmentTable, SystemTable

T = TypeVar("T")
ByItem = dict[tuple[str, str], dict[str, float | None]]


@dataclass(frozen=True)
class Columns:
    """Which column is what; None is the first column for systems, and all that is left for metrics."""

    human: str = "human"
    systems: str | None = None
    metrics: Sequence[str] | None = None
    segments: str | None = None
    documents: str | None = None
    raters: str | None = None

    def metrics_of(self, rows: Rows) -> list[str]:
        """The columns that hold metrics, all of them there."""
        names = [self.systems_of(rows), self.human]
        others = [name for name in (self.segments, self.documents, self.raters) if name is not None]
        rows.require(*names, *others)
        taken = {*names, *others}
        if len(taken) < len(names) + len(others):
            raise InputError(f"one column cannot be two things: {', '.join([*names, *others])}", rows.path, 1)
        if self.metrics is None:
            return [name for name in rows.columns if name not in taken]
        rows.require(*self.metrics)
        for name in self.metrics:
            if name in taken:
                raise InputError(f"column {name!r} holds something else and is no metric", rows.path, 1)
        return list(dict.fromkeys(self.metrics))

    def systems_of(self, rows: Rows) -> str:
        return rows.columns[0] if self.systems is None else self.systems


def read_table(
    path: str, columns: Columns = Columns(), *, standardize: bool = False
) -> SystemTable | SegmentTable:
    """A table a row a system or, if `columns.segments` is named, a row a system and segment (and rater).

    `standardize` brings each rater's scores to mean 0 and spread 1 before they are averaged.
    """
    for name, value in (("raters", columns.raters), ("documents", columns.documents)):
        if value is not None and columns.segments is None:
            raise OptionError(f"{name} need segments: say which column holds them")
    rows = read_rows(path)
    if columns.human not in rows.columns and columns.human == Columns().human:
        message = f"which column holds the human scores? (--human) Columns: {', '.join(rows.columns)}"
        raise InputError(message, rows.path, 1)
    metrics = columns.metrics_of(rows)
    if not metrics:
        raise InputError("there is no column for a metric beside the human scores", rows.path, 1)
    if columns.segments is None:
        return located(rows.path, lambda: _system_table(rows, columns, metrics))
    return located(rows.path, lambda: _segment_table(rows, columns, metrics, standardize))


def _system_table(rows: Rows, columns: Columns, metrics: Sequence[str]) -> SystemTable:
    named = columns.systems_of(rows)
    lines: dict[str, int] = {}
    for row in rows.rows:
        name = _name(rows, row, named)
        if name in lines:
            raise rows.error(
                row,
                f"{name!r} is in column {named!r} twice (line {lines[name]}): a row a system is needed; "
                "another column may hold their names (--systems), or the rows are segments (--segments)",
            )
        lines[name] = row.line
    return SystemTable.of(
        [rows.numeric(row, columns.human) for row in rows.rows],
        {metric: [_metric(rows, row, metric, columns) for row in rows.rows] for metric in metrics},
        list(lines),
        columns.human,
    )


def _segment_table(rows: Rows, columns: Columns, metrics: Sequence[str], standardize: bool) -> SegmentTable:
    assert columns.segments is not None
    cells = _Cells(rows, columns, metrics)
    for row in rows.rows:
        cells.add(row)
    human = cells.human(standardize)
    systems, segments = list(cells.systems), list(cells.segments)
    return SegmentTable.of(
        {system: [human.get((system, segment)) for segment in segments] for system in systems},
        {
            metric: {
                system: [cells.metrics.get((system, segment), {}).get(metric) for segment in segments]
                for system in systems
            }
            for metric in metrics
        },
        segments=segments,
        documents=None if columns.documents is None else [cells.segments[segment] for segment in segments],
        human_name=columns.human,
    )


class _Cells:
    """The rows of a long table, brought together by system and segment."""

    def __init__(self, rows: Rows, columns: Columns, metrics: Sequence[str]) -> None:
        self._rows, self._columns, self._metrics = rows, columns, metrics
        self.systems: dict[str, None] = {}
        self.segments: dict[str, str] = {}  # and their documents
        self.metrics: ByItem = {}
        self._human: dict[tuple[str, str], dict[str, float | None]] = {}  # by rater
        self._lines: dict[tuple[str, str, str], int] = {}

    def add(self, row: Row) -> None:
        columns, rows = self._columns, self._rows
        system = _name(rows, row, columns.systems_of(rows))
        segment = _name(rows, row, columns.segments or "")
        rater = "" if columns.raters is None else _name(rows, row, columns.raters)
        first = self._lines.setdefault((system, segment, rater), row.line)
        if first != row.line:
            who = f", rater {rater!r}" if rater else ""
            hint = "" if rater else "; several people's scores need a column of raters (--raters)"
            what = f"system {system!r}, segment {segment!r}{who}"
            raise rows.error(row, f"{what} is there twice (line {first}){hint}")
        self.systems[system] = None
        document = "" if columns.documents is None else _name(rows, row, columns.documents)
        if self.segments.setdefault(segment, document) != document:
            both = f"{document!r} here and {self.segments[segment]!r} before"
            raise rows.error(row, f"the document of segment {segment!r} is {both}")
        scores = {metric: _metric(rows, row, metric, columns) for metric in self._metrics}
        before = self.metrics.setdefault((system, segment), scores)
        for metric, score in scores.items():
            if before[metric] != score:
                both = f"{score} here and {before[metric]} before"
                raise rows.error(row, f"column {metric!r}: {both}, for the same translation")
        self._human.setdefault((system, segment), {})[rater] = rows.numeric(row, columns.human)

    def human(self, standardize: bool) -> dict[tuple[str, str], float | None]:
        """The mean over raters of each translation's scores."""
        scales = self._scales() if standardize else {}
        means: dict[tuple[str, str], float | None] = {}
        for key, by_rater in self._human.items():
            scores = [
                (score - scales[rater][0]) / scales[rater][1] if standardize else score
                for rater, score in by_rater.items()
                if score is not None
            ]
            means[key] = math.fsum(scores) / len(scores) if scores else None
        return means

    def _scales(self) -> dict[str, tuple[float, float]]:
        """Each rater's mean and spread."""
        given: dict[str, list[float]] = {}
        for by_rater in self._human.values():
            for rater, score in by_rater.items():
                if score is not None:
                    given.setdefault(rater, []).append(score)
        scales = {}
        for rater, scores in given.items():
            mean = math.fsum(scores) / len(scores)
            spread = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
            if spread == 0:
                message = f"rater {rater!r} gives the same score to everything: it cannot be standardised"
                raise InputError(message, self._rows.path)
            scales[rater] = (mean, spread)
        return scales


def _metric(rows: Rows, row: Row, metric: str, columns: Columns) -> float | None:
    """A metric's score; all columns being taken for metrics, one with text may not have been meant."""
    try:
        return rows.numeric(row, metric)
    except InputError as error:
        hint = "" if columns.metrics is not None else "; which columns are metrics? (--metrics)"
        raise rows.error(row, f"{error.message}{hint}") from None


def _name(rows: Rows, row: Row, column: str) -> str:
    name = " ".join(row.cells[column].split())  # a line break would tear tables apart
    if not name:
        raise rows.error(row, f"column {column!r}: the cell is empty")
    return name


def located(path: str, make: Callable[[], T]) -> T:
    """What is made of a file; what is wrong with it as a whole names the file."""
    try:
        return make()
    except OptionError as error:
        raise InputError(str(error), path) from None
