"""Statistics that add up.

In go triples, out come `Counts`: how often each (pronoun, case, reference form, candidate form) was seen.
They are whole numbers and `a + b` is exact, so a corpus scored in pieces, in any order, on any number of
machines, gives the number it gives when scored whole. Everything reported is a view of these counts.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from apt.cases import Case, Verdict
from apt.triples import Triple

Key = TypeVar("Key", str, tuple[str, str])


class Cell(NamedTuple):
    """What one triple is counted under."""

    pronoun: str
    case: Case
    reference: str
    candidate: str

    @property
    def verdict(self) -> Verdict:
        return Verdict(*self[1:])


class CaseCounts(NamedTuple):
    """How many triples fell into each of the six cases."""

    identical: int = 0
    equivalent: int = 0
    different: int = 0
    candidate_missing: int = 0
    reference_missing: int = 0
    both_missing: int = 0

    def of(self, case: Case) -> int:
        return self[case - 1]


@dataclass(frozen=True)
class Counts:
    """Counts of triples per cell, and of reference pronouns that are not in the source."""

    cells: Mapping[Cell, int] = field(default_factory=dict)
    not_in_source: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Counts") -> "Counts":
        tally = CaseTally()
        tally.add_counts(self)
        tally.add_counts(other)
        return tally.counts()

    @property
    def total(self) -> int:
        return sum(self.cells.values())

    @property
    def total_not_in_source(self) -> int:
        return sum(self.not_in_source.values())

    @property
    def cases(self) -> CaseCounts:
        numbers = [0] * len(Case)
        for cell, n in self.cells.items():
            numbers[cell.case - 1] += n
        return CaseCounts(*numbers)

    @property
    def confusion(self) -> dict[tuple[str, str], int]:
        """Reference form × candidate form, the most frequent first."""
        return self._pairs(Case)

    @property
    def confusions(self) -> dict[tuple[str, str], int]:
        """The part of `confusion` where the two sides differ: cases 2 to 5."""
        return self._pairs(set(Case) - {Case.IDENTICAL, Case.BOTH_MISSING})

    @property
    def equivalent_pairs(self) -> dict[tuple[str, str], int]:
        """The (reference, candidate) pairs of case 2, for weights that depend on the pair."""
        return self._pairs([Case.EQUIVALENT])

    def _pairs(self, cases: Iterable[Case]) -> dict[tuple[str, str], int]:
        wanted = frozenset(cases)
        pairs: Counter[tuple[str, str]] = Counter()
        for cell, n in self.cells.items():
            if cell.case in wanted:
                pairs[cell.reference, cell.candidate] += n
        return dict(_by_frequency(pairs))

    def by_pronoun(self) -> dict[str, "Counts"]:
        """The same counts, one pronoun at a time, the most frequent first."""
        parts: dict[str, dict[Cell, int]] = {}
        for cell, n in self.cells.items():
            parts.setdefault(cell.pronoun, {})[cell] = n
        for pronoun in self.not_in_source:
            parts.setdefault(pronoun, {})
        counts = {
            pronoun: Counts(cells, {key: n for key, n in self.not_in_source.items() if key == pronoun})
            for pronoun, cells in parts.items()
        }
        totals = {pronoun: part.total for pronoun, part in counts.items()}
        return {pronoun: counts[pronoun] for pronoun, _ in _by_frequency(totals)}


class CaseTally:
    """Counts in the making."""

    def __init__(self) -> None:
        self._cells: Counter[tuple[str, Verdict]] = Counter()
        self._not_in_source: Counter[str] = Counter()

    def add(self, triples: Iterable[Triple], not_in_source: Collection[str] = ()) -> None:
        for triple in triples:
            self._cells[triple.pronoun, triple.verdict] += 1
        if not_in_source:
            self._not_in_source.update(not_in_source)

    def add_counts(self, counts: Counts) -> None:
        for cell, n in counts.cells.items():
            self._cells[cell.pronoun, cell.verdict] += n
        self._not_in_source.update(counts.not_in_source)

    def counts(self) -> Counts:
        cells = {Cell(pronoun, *verdict): n for (pronoun, verdict), n in self._cells.items()}
        return Counts(cells, dict(self._not_in_source))


def _by_frequency(numbers: Mapping[Key, int]) -> list[tuple[Key, int]]:
    return sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
