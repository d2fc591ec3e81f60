"""Results: a score with its evidence, put together from the counts of chunks.

In come `ChunkResult`s in the order of the text, out comes one frozen `APTResult` per system.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apt.counts import CaseCounts, Counts, Tally
from apt.score import Scoring
from apt.segments import Anchor, ChunkResult, Keep
from apt.signature import Signature
from apt.triples import Triple


@dataclass(frozen=True)
class PartScore:
    """The score of a part of the text: one pronoun, or one document."""

    score: float | None
    counts: Counts

    @property
    def cases(self) -> CaseCounts:
        return self.counts.cases


@dataclass(frozen=True)
class LinksReport:
    """Which links were read and checked, and what lenient reading dropped, per input."""

    all_segments: bool
    segments_checked: int
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class APTResult:
    """A score with its evidence.

    `score` is None when there is nothing to count, and `undefined` then says why. `by_document` is None
    without document ids; `triples` and `segment_counts` are None unless they were asked for.
    """

    score: float | None
    undefined: str | None
    counts: Counts
    by_pronoun: Mapping[str, PartScore]
    by_document: Mapping[str, PartScore] | None
    segments: int
    links: LinksReport
    signature: Signature
    scoring: Scoring
    triples: tuple[Triple, ...] | None = None
    segment_counts: tuple[Counts, ...] | None = None

    @property
    def cases(self) -> CaseCounts:
        return self.counts.cases

    @property
    def confusion(self) -> dict[tuple[str, str], int]:
        """How often a reference form met a candidate form: (reference, candidate) → count."""
        return self.counts.confusion

    def to_dict(self) -> dict[str, Any]:
        """What `apt-score -f json` prints for a system."""
        from apt.render.json import (
            result_dict,
        )  # rendering stands behind results, so it is not imported above

        return result_dict(self)


class _System:
    def __init__(self) -> None:
        self.tally = Tally()
        self.documents: dict[str, Tally] = {}
        self.triples: list[Triple] = []
        self.segments: list[Counts] = []


class Collector:
    """Adds up chunk results; `result` gives one system's."""

    def __init__(self, systems: int, keep: Keep) -> None:
        self._keep = keep
        self._systems = [_System() for _ in range(systems)]
        self._segments = 0
        self._checked = 0
        self._dropped: Counter[str] = Counter()

    @property
    def segments(self) -> int:
        return self._segments

    def add(self, chunk: ChunkResult) -> None:
        self._segments += chunk.segments
        self._checked += chunk.checked
        self._dropped.update(chunk.dropped)
        for system, part in zip(self._systems, chunk.systems, strict=True):
            system.tally.add_counts(part.counts)
            for document, counts in part.by_document.items():
                system.documents.setdefault(document, Tally()).add_counts(counts)
            system.triples.extend(part.triples if self._keep.triples else ())
            system.segments.extend(part.by_segment if self._keep.segments else ())

    def result(
        self, index: int, scoring: Scoring, signature: Signature, anchor: Anchor, link_names: Sequence[str]
    ) -> APTResult:
        """One system's result; `link_names` are the link inputs that concern it."""
        system = self._systems[index]
        counts = system.tally.counts()

        def parts(named: Mapping[str, Counts]) -> dict[str, PartScore]:
            return {name: PartScore(scoring.score(part), part) for name, part in named.items()}

        documents = {document: tally.counts() for document, tally in system.documents.items()}
        return APTResult(
            score=scoring.score(counts),
            undefined=scoring.why_undefined(counts, anchor),
            counts=counts,
            by_pronoun=parts(counts.by_pronoun()),
            by_document=parts(documents) if documents else None,
            segments=self._segments,
            links=LinksReport(
                all_segments=self._checked == self._segments,
                segments_checked=self._checked,
                dropped={name: self._dropped[name] for name in link_names if self._dropped[name]},
            ),
            signature=signature,
            scoring=scoring,
            triples=tuple(system.triples) if self._keep.triples else None,
            segment_counts=tuple(system.segments) if self._keep.segments else None,
        )
