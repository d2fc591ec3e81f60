"""Statistics of AutoPRF that add up, and the numbers made of them.

In go triples, out come `PRFCounts`: how often each (pronoun, reference words, candidate words) was seen. Both
ways of clipping are views of these counts, so pieces of a text merge exactly, as everywhere in the package.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from apt.normalize import fold
from apt.triples import Triple

Clip = Literal["occurrence", "corpus"]
CLIPS: tuple[Clip, ...] = get_args(Clip)
Words = tuple[str, ...]


class Cell(NamedTuple):
    """What one occurrence is counted under: its pronoun in lower case, and the words linked to it."""

    pronoun: str
    reference: Words
    candidate: Words


class Sums(NamedTuple):
    """The sums that precision and recall are made of."""

    matches: int = 0
    candidate: int = 0
    reference: int = 0

    @property
    def precision(self) -> float | None:
        return self.matches / self.candidate if self.candidate else None

    @property
    def recall(self) -> float | None:
        return self.matches / self.reference if self.reference else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean; 0 when nothing matches, undefined when a side has no words at all."""
        if not self.candidate or not self.reference:
            return None
        return 2 * self.matches / (self.candidate + self.reference)


@dataclass(frozen=True)
class PRFCounts:
    """Counts of occurrences per cell."""

    cells: Mapping[Cell, int] = field(default_factory=dict)

    def __add__(self, other: "PRFCounts") -> "PRFCounts":
        tally = PRFTally()
        tally.add_counts(self)
        tally.add_counts(other)
        return tally.counts()

    @property
    def total(self) -> int:
        """How many occurrences there are."""
        return sum(self.cells.values())

    def sums(self, clip: Clip) -> Sums:
        """Matches clipped within each occurrence, or over all of them together."""
        if not self.cells:
            return Sums()
        candidate = sum(n * len(cell.candidate) for cell, n in self.cells.items())
        reference = sum(n * len(cell.reference) for cell, n in self.cells.items())
        if clip == "occurrence":
            matches = sum(
                n * clipped_matches(cell.candidate, cell.reference) for cell, n in self.cells.items()
            )
        else:
            words = self.word_counts()
            matches = sum(min(pair) for pair in words.values())
        return Sums(matches, candidate, reference)

    def word_counts(self) -> dict[str, tuple[int, int]]:
        """How often each word is linked in the candidate and in the reference."""
        candidate: Counter[str] = Counter()
        reference: Counter[str] = Counter()
        for cell, n in self.cells.items():
            for word in cell.candidate:
                candidate[word] += n
            for word in cell.reference:
                reference[word] += n
        return {word: (candidate[word], reference[word]) for word in sorted(candidate | reference)}

    def by_pronoun(self) -> dict[str, "PRFCounts"]:
        """The same counts, one pronoun at a time, the most frequent first."""
        parts: dict[str, dict[Cell, int]] = {}
        for cell, n in self.cells.items():
            parts.setdefault(cell.pronoun, {})[cell] = n
        counts = {pronoun: PRFCounts(cells) for pronoun, cells in parts.items()}
        return dict(sorted(counts.items(), key=lambda item: (-item[1].total, item[0])))


class PRFTally:
    """Counts in the making."""

    def __init__(self) -> None:
        self._cells: Counter[Cell] = Counter()

    def add(self, triples: Iterable[Triple], not_in_source: Sequence[str] = ()) -> None:
        assert not not_in_source, "only a walk along the reference has such pronouns"
        for triple in triples:
            self._cells[Cell(fold(triple.pronoun), triple.reference.forms, triple.candidate.forms)] += 1

    def add_counts(self, counts: PRFCounts) -> None:
        self._cells.update(counts.cells)

    def counts(self) -> PRFCounts:
        return PRFCounts(dict(self._cells))


def clipped_matches(candidate: Words, reference: Words) -> int:
    """Σ min over words: a word matches as often as it is on both sides."""
    return (Counter(candidate) & Counter(reference)).total()
