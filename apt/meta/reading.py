"""Tables that people hand in: CSV or TSV with a head, every cell with its line for messages.

In goes a path, out come rows of text; `numeric` makes a number of a cell. Nothing is guessed: a row of
another length, a column named twice or a cell that is no number is an error with file and line. A cell that
is empty, `None` or `n/a` is a missing value; NaN and infinity are not numbers that anybody can have meant.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from apt.corpus import LineReader
from apt.errors import InputError

MISSING = ("", "None", "n/a")
_AT_ONCE = 1 << 14
_LARGEST = 1e100  # nobody scores so high, and squares would be infinite


@dataclass(frozen=True)
class Row:
    """One row, its cells by column, and the line it ends on."""

    line: int
    cells: dict[str, str]


@dataclass(frozen=True)
class Rows:
    """A table as it stands in a file."""

    path: str
    columns: tuple[str, ...]
    rows: Sequence[Row]

    def require(self, *columns: str) -> None:
        """Raise unless all of the columns are there."""
        for column in columns:
            if column not in self.columns:
                message = f"there is no column {column!r}. Columns: {', '.join(self.columns)}"
                raise InputError(message, self.path, 1)

    def error(self, row: Row, message: str) -> InputError:
        """What is wrong with a row."""
        return InputError(message, self.path, row.line)

    def numeric(self, row: Row, column: str) -> float | None:
        """The number in a cell, None where it is missing."""
        text = row.cells[column].strip()
        if text in MISSING:
            return None
        return parsed_number(text, lambda message: self.error(row, f"column {column!r}: {message}"))


def parsed_number(text: str, error: Callable[[str], InputError]) -> float:
    """The number that a cell holds."""
    try:
        value = float("no number" if "_" in text else text)  # 1_000 is Python's, and nobody else's
    except ValueError:
        raise error(f"a number expected, found {text[:40]!r}") from None
    if not is_score(value):
        raise error(f"{text[:40]} is no score; leave it out where there is none (an empty cell, or None)")
    return value


def is_score(value: float) -> bool:
    """Neither NaN nor infinite, nor so large that nothing can be computed of it."""
    return abs(value) <= _LARGEST


def read_rows(path: str) -> Rows:
    """Read a table: tab-separated if there is a tab in its head, else comma-separated."""
    reader = LineReader(path)
    try:
        return _rows(reader)
    finally:
        reader.close()


def _rows(reader: LineReader) -> Rows:
    first = reader.take(1)
    if not first or not first[0].strip():
        raise InputError("the file is empty, or does not begin with the names of its columns", reader.name, 1)
    lines = _lines(reader, first[0])
    cells: Iterator[tuple[int, list[str]]]
    if "\t" in first[0]:
        cells = ((number, line.split("\t")) for number, line in enumerate(lines, start=1))
    else:
        cells = _comma_separated(lines, reader.name)
    _, head = next(cells)
    columns = tuple(" ".join(name.split()) for name in head)  # a line break would tear tables apart
    for name in columns:
        if columns.count(name) > 1 or not name:
            what = f"the column {name!r} is named twice" if name else "a column has no name"
            raise InputError(what, reader.name, 1)
    rows = []
    empty = None  # an empty line may be the end, but not in between
    for number, values in cells:
        if not any(value.strip() for value in values):
            empty = empty or number
            continue
        if empty is not None:
            raise InputError("the line is empty", reader.name, empty)
        if len(values) != len(columns):
            message = f"{len(columns)} cells expected, one a column, found {len(values)}"
            raise InputError(message, reader.name, number)
        rows.append(Row(number, dict(zip(columns, values, strict=True))))
    if not rows:
        raise InputError("there is nothing below the names of the columns", reader.name, 1)
    return Rows(reader.name, columns, rows)


def _lines(reader: LineReader, first: str) -> Iterator[str]:
    yield first
    while lines := reader.take(_AT_ONCE):
        yield from lines


def _comma_separated(lines: Iterator[str], name: str) -> Iterator[tuple[int, list[str]]]:
    table = csv.reader((f"{line}\n" for line in lines), strict=True)
    while True:
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            what = "a carriage return inside a line" if "new-line" in str(error) else error
            raise InputError(f"not comma-separated values: {what}", name, table.line_num) from None
        yield table.line_num, cells
