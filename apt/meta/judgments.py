"""Human judgments of triples, and what they say of the triples of details files.

In goes a table (TSV or CSV with a head): system, segment, position, source, reference, candidate, judgment,
perhaps rater, and further columns, which are categories. A judgment is correct, incorrect or bad (the
sentence is so poor that the pronoun cannot be judged), or empty: not judged. `settled` makes one judgment a
triple of what several raters say, `join` finds the triples. What does not fit is an error with file and line.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from apt.errors import InputError, OptionError
from apt.meta.details import DetailedTriple, DetailedTriples, Key, whole_number
from apt.meta.reading import Row, Rows, read_rows

Verdict = Literal["correct", "incorrect", "bad"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
Bad = Literal["leave", "incorrect"]
BAD: tuple[Bad, ...] = get_args(Bad)
COLUMNS = ("system", "segment", "position", "source", "reference", "candidate", "judgment")
RATER = "rater"
_COMPARED = ("source", "reference", "candidate")


@dataclass(frozen=True)
class Judgment:
    """One row: what one rater says of one triple; `verdict` is None where it was not judged."""

    key: Key
    source: str
    reference: str
    candidate: str
    verdict: Verdict | None
    rater: str
    categories: Mapping[str, str]
    line: int


@dataclass(frozen=True)
class Judgments:
    """A file of judgments; `raters` and `categories` (names of columns) in the order of the file."""

    path: str
    rows: Sequence[Judgment]
    raters: tuple[str, ...]
    categories: tuple[str, ...]

    @property
    def not_judged(self) -> int:
        return sum(row.verdict is None for row in self.rows)


@dataclass(frozen=True)
class Settled:
    """One triple with all its judgments; `verdict` is the most frequent, None where two are."""

    rows: tuple[Judgment, ...]
    verdict: Verdict | None

    @property
    def first(self) -> Judgment:
        return self.rows[0]


@dataclass(frozen=True)
class Joined:
    """A triple that people agree about, what they say, and the judgments it comes from."""

    triple: DetailedTriple
    verdict: Verdict
    settled: Settled


def read_judgments(path: str) -> Judgments:
    """Read and check a file of judgments."""
    table = read_rows(path)
    table.require(*COLUMNS)
    categories = tuple(name for name in table.columns if name not in (*COLUMNS, RATER))
    first: dict[Key, Judgment] = {}
    seen: dict[tuple[Key, str], int] = {}
    rows = []
    for row in table.rows:
        judgment = _judgment(table, row, categories)
        earlier = seen.setdefault((judgment.key, judgment.rater), row.line)
        if earlier != row.line:
            raise table.error(row, _twice(judgment, RATER in table.columns, earlier))
        known = first.setdefault(judgment.key, judgment)
        _check_same(judgment, known, f"in line {known.line}", table.path)
        rows.append(judgment)
    raters = tuple(dict.fromkeys(row.rater for row in rows if row.rater))
    return Judgments(table.path, rows, raters, categories)


def settled(judgments: Judgments) -> list[Settled]:
    """Every judged triple, in the order of the file, with the judgment that most raters give."""
    by_key: dict[Key, list[Judgment]] = {}
    for row in judgments.rows:
        if row.verdict is not None:
            by_key.setdefault(row.key, []).append(row)
    return [Settled(tuple(rows), _most_frequent(rows)) for rows in by_key.values()]


def join(judgments: Judgments, decided: Sequence[Settled], details: DetailedTriples) -> list[Joined]:
    """The triples of the judgments; a tie has none. Raises unless all that is judged fits the details."""
    joined = []
    for item in decided:
        row = item.first
        triple = details.by_key.get(row.key)
        if triple is None:
            raise InputError(
                f"{row.key} is not in {', '.join(details.paths)}: the details must be of the same systems "
                "and positions as the judgments",
                judgments.path,
                row.line,
            )
        place = f"in {triple.path}, line {triple.line}"
        hint = "; were the details made with other links or lists?"
        _check_same(row, triple, place, judgments.path, hint)
        if item.verdict is not None:
            joined.append(Joined(triple, item.verdict, item))
    return joined


def category(judgments: Judgments, item: Settled, column: str) -> str:
    """What a triple is in a column of categories, in which all of its raters must agree."""
    if column not in judgments.categories:
        others = ", ".join(judgments.categories) or "none"
        raise OptionError(f"by: {judgments.path} has no further column {column!r}. Further columns: {others}")
    value = item.first.categories[column]
    for row in item.rows[1:]:
        if row.categories[column] != value:
            raise InputError(
                f"column {column!r}: {row.categories[column]!r}, but {value!r} in line {item.first.line} "
                "for the same triple",
                judgments.path,
                row.line,
            )
    return value


def _judgment(table: Rows, row: Row, categories: Sequence[str]) -> Judgment:
    cells = row.cells
    verdict = _verdict(table, row)
    rater = cells.get(RATER, "").strip()
    if verdict is not None and RATER in table.columns and not rater:
        raise table.error(row, "there is a judgment, but column 'rater' is empty")
    for column in ("reference", "candidate"):
        if not cells[column].strip():
            message = f"column {column!r} is empty; where nothing was found it says NONE, as in the details"
            raise table.error(row, message)
    return Judgment(
        Key(cells["system"], _whole(table, row, "segment"), _whole(table, row, "position")),
        cells["source"],
        cells["reference"],
        cells["candidate"],
        verdict,
        rater,
        {name: cells[name] for name in categories},
        row.line,
    )


def _verdict(table: Rows, row: Row) -> Verdict | None:
    text = row.cells["judgment"].strip()
    for verdict in VERDICTS:
        if text == verdict:
            return verdict
    if text:
        allowed = ", ".join(VERDICTS)
        raise table.error(row, f"unknown judgment {text[:40]!r}. Allowed: {allowed}, or empty if not judged")
    return None


def _whole(table: Rows, row: Row, column: str) -> int:
    text = row.cells[column].strip()
    number = whole_number(text)
    if number is None:
        raise table.error(row, f"column {column!r}: a whole number from 0 on expected, found {text[:40]!r}")
    return number


def _twice(judgment: Judgment, has_raters: bool, earlier: int) -> str:
    if has_raters:
        return f"{judgment.key} is there twice for rater {judgment.rater!r}: first in line {earlier}"
    return (
        f"{judgment.key} is there twice: first in line {earlier}. Judgments of several people need a "
        "column 'rater'"
    )


def _check_same(
    row: Judgment, known: Judgment | DetailedTriple, place: str, path: str, hint: str = ""
) -> None:
    """Raise where a row speaks of other words than `known` does."""
    for name in _COMPARED:
        ours, theirs = getattr(row, name), getattr(known, name)
        if ours != theirs:
            raise InputError(f"{name} is {ours!r}, but {theirs!r} {place}{hint}", path, row.line)


def _most_frequent(rows: Sequence[Judgment]) -> Verdict | None:
    counts = Counter(row.verdict for row in rows).most_common(2)
    tie = len(counts) > 1 and counts[0][1] == counts[1][1]
    return None if tie else counts[0][0]
