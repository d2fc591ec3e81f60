"""`APTResult`: a score with its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apt.comparing import Unit
from apt.counts import CaseCounts, Counts
from apt.evidence import Evidence
from apt.score import Scoring

if TYPE_CHECKING:
    from apt.significance import Sample


@dataclass(frozen=True)
class PartScore:
    """The score of a part of the text: one pronoun, or one document."""

    score: float | None
    counts: Counts

    @property
    def cases(self) -> CaseCounts:
        return self.counts.cases


@dataclass(frozen=True, kw_only=True)
class APTResult(Evidence[Counts]):
    """A score with its evidence.

    `score` is None when there is nothing to count, and `undefined` then says why. `by_document` is None
    without documents; `triples` and `segment_counts` are None unless they were asked for.
    """

    score: float | None
    undefined: str | None
    scoring: Scoring

    @property
    def by_pronoun(self) -> dict[str, PartScore]:
        """The score of each source pronoun, the most frequent first."""
        return self._parts(self.counts.by_pronoun())

    @property
    def by_document(self) -> dict[str, PartScore] | None:
        """The score of each document, in the order of the text."""
        return None if self.document_counts is None else self._parts(self.document_counts)

    def _parts(self, counts: Mapping[str, Counts]) -> dict[str, PartScore]:
        return {name: PartScore(self.scoring.score(part), part) for name, part in counts.items()}

    @property
    def cases(self) -> CaseCounts:
        return self.counts.cases

    @property
    def confusion(self) -> dict[tuple[str, str], int]:
        """How often a reference form met a candidate form: (reference, candidate) → count."""
        return self.counts.confusion

    def segment_scores(self) -> list[float | None]:
        """The score of each segment; None where no pronoun is evaluated."""
        return [self.scoring.score(counts) for counts in self.kept_segments()]

    def samples(self, unit: Unit, beside: Sequence["APTResult"] = ()) -> "dict[str, Sample]":
        """What can be resampled: the score, a share of credit in what is counted.

        `beside` are results whose statistics must be comparable; here those of any two are.
        """
        import numpy as np

        from apt.significance import Sample

        rows = np.array([self.scoring.statistics(counts) for counts in self.kept_segments()])
        return {"score": Sample(self.sample_rows(rows, unit), lambda sums: sums[..., 0] / sums[..., 1])}

    def to_dict(self) -> dict[str, Any]:
        """What `apt-score -f json` prints for a system."""
        from apt.render.json import result_dict  # rendering stands behind results

        return result_dict(self)
