"""Text for people: what the tables of all metrics have in common.

Aligned columns; colour only where the caller says the reader has a terminal for it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from apt.comparing import Compared
from apt.evidence import LinksReport
from apt.signature import Signature

BOLD, DIM, GREEN, YELLOW, RED = "1", "2", "32", "33", "31"
_PARTS = 20


class Shown(Protocol):
    """What any result has."""

    @property
    def segments(self) -> int: ...
    @property
    def links(self) -> LinksReport: ...
    @property
    def signature(self) -> Signature: ...
    @property
    def compared(self) -> Compared | None: ...


R = TypeVar("R", bound=Shown)


class Renderer(ABC, Generic[R]):
    """Renders results with a number of decimals, in colour or plain."""

    def __init__(self, width: int = 4, colour: bool = False) -> None:
        self._width = width
        self._colour = colour

    def render(self, results: Mapping[str, R]) -> str:
        if len(results) == 1:
            ((name, result),) = results.items()
            blocks = self._one(name, result)
        else:
            blocks = self._several(results)
        return "\n\n".join("\n".join(lines) for lines in blocks if lines)

    @abstractmethod
    def _one(self, name: str, result: R) -> list[list[str]]:
        """One system in detail."""

    @abstractmethod
    def _several(self, results: Mapping[str, R]) -> list[list[str]]:
        """Several systems side by side."""

    def _links(self, result: R) -> list[str]:
        report = result.links
        which = "all" if report.all_segments else "those with an evaluated pronoun"
        align = result.signature.fields["align"]
        verb = "checked" if align.startswith("given") else f"made by {align.partition('@')[0]}"
        lines = [f"links {verb} in {report.segments_checked} of {result.segments} segments ({which})"]
        lines += [f"links dropped in {name}: {n}" for name, n in report.dropped.items()]
        return lines

    def _signatures(self, results: Mapping[str, R]) -> list[str]:
        """The first in full, of the others what is different: the links, each system having its own."""
        (first_name, first), *others = results.items()
        lines = [f"{first_name}: {first.signature}"]
        for name, result in others:
            fields = result.signature.fields.items() - first.signature.fields.items()
            different = "|".join(f"{key}:{value}" for key, value in sorted(fields))
            lines.append(f"{name}: the same with {different}" if different else f"{name}: the same")
        return [self._paint(line, DIM) for line in lines]

    def _side_by_side(self, kind: str, scores: Mapping[str, Mapping[str, float | None]]) -> list[str]:
        """The scores of parts, a row a part and a column a system."""
        parts = list(dict.fromkeys(name for columns in scores.values() for name in columns))
        if len(parts) < 2:
            return []
        rows = [[kind, *scores]]
        rows += [[name, *(self._score(column.get(name)) for column in scores.values())] for name in parts]
        return self._parts_table(rows)

    def _parts_table(self, rows: Sequence[Sequence[str]]) -> list[str]:
        hidden = len(rows) - 1 - _PARTS
        more = [f"… and {hidden} more (-f json shows all)"] if hidden > 0 else []
        return [*self._table(rows[: _PARTS + 1], numbers_from=1), *more]

    # ---- uncertainty ----

    def _interval(self, result: R, statistic: str) -> str:
        """` [low, high]`, or nothing."""
        interval = result.compared and result.compared.intervals.get(statistic)
        return f" {self._ends(interval.low, interval.high)}" if interval else ""

    def _ends(self, low: float, high: float, sign: str = "") -> str:
        return f"[{low:{sign}.{self._width}f}, {high:{sign}.{self._width}f}]"

    def _comparison(self, results: Mapping[str, R], statistics: Mapping[str, str]) -> list[str]:
        """Every system against the baseline; `statistics` are the numbers compared and their titles."""
        rows = []
        plan = None
        for name, result in results.items():
            compared = result.compared
            if compared is None or compared.baseline is None:
                continue
            plan, baseline = compared.plan, compared.baseline
            for statistic, title in statistics.items():
                tests = compared.bootstrap.get(statistic), compared.randomization.get(statistic)
                test = tests[0] or tests[1]
                cells = [name, title] if len(statistics) > 1 else [name]
                cells.append("n/a" if test is None else f"{test.difference:+.{self._width}f}")
                if plan.bootstrap:
                    interval = None if tests[0] is None else tests[0].interval
                    cells.append("n/a" if interval is None else self._ends(interval.low, interval.high, "+"))
                    cells.append("n/a" if tests[0] is None else p_value(tests[0].p))
                if plan.randomization:
                    cells.append("n/a" if tests[1] is None else p_value(tests[1].p))
                rows.append(cells)
        if plan is None:
            return []
        head = ["system", "number"] if len(statistics) > 1 else ["system"]
        head.append("difference")
        head += ["95 % interval", "p bootstrap"] if plan.bootstrap else []
        head += ["p randomization"] if plan.randomization else []
        table = self._table([head, *rows], numbers_from=2 if len(statistics) > 1 else 1)
        return [f"compared with {baseline}", *table]

    def _resampling_notes(self, results: Mapping[str, R]) -> list[str]:
        """How it was resampled, and how many resamples had no score."""
        compared = next((result.compared for result in results.values()), None)
        if compared is None:
            return []
        plan = compared.plan
        kinds = ", ".join(f"{n} for {kind}" for kind, n in plan.numbers().items() if n)
        level = "; intervals hold 95 %" if plan.confidence or plan.bootstrap else ""
        notes = [f"resampled: {plan.unit}, {kinds}; seed {plan.seed}{level}"]
        for name, result in results.items():
            values = [] if result.compared is None else result.compared.values()
            undefined = max((value.undefined for value in values if value is not None), default=0)
            if undefined:
                notes.append(f"{name}: up to {undefined} resamples have no score and are left out")
            if None in values:
                notes.append(f"{name}: an interval or test is n/a, because a score is undefined")
        return notes

    # ---- small things ----

    def _score(self, score: float | None) -> str:
        return "n/a" if score is None else f"{score:.{self._width}f}"

    def _table(self, rows: Sequence[Sequence[str]], numbers_from: int) -> list[str]:
        """Columns two spaces apart, from `numbers_from` on aligned to the right, with a head."""
        lines = aligned(rows, numbers_from)
        return [self._paint(lines[0], DIM), *lines[1:]]

    def _paint(self, text: str, code: str) -> str:
        return painted(text, code, self._colour)


def aligned(rows: Sequence[Sequence[str]], numbers_from: int) -> list[str]:
    """Columns two spaces apart, from `numbers_from` on aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for cells in rows:
        padded = [
            cell.rjust(width) if number >= numbers_from else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def painted(text: str, code: str, colour: bool) -> str:
    """The text in a colour, where colour is wanted."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def p_value(p: float) -> str:
    """Four decimals, but never 0: p is not."""
    return f"{p:.4f}" if p >= 0.00005 else "<0.0001"
