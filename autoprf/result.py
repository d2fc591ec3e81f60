"""`AutoPRFResult`: precision, recall and F1 with their evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apt.comparing import Unit
from apt.evidence import Evidence
from autoprf.counts import Clip, PRFCounts, Sums

if TYPE_CHECKING:
    from apt.significance import Sample


@dataclass(frozen=True)
class PartPRF:
    """Precision, recall and F1 of a part of the text: one pronoun, or one document."""

    counts: PRFCounts
    clip: Clip

    @property
    def sums(self) -> Sums:
        return self.counts.sums(self.clip)

    @property
    def score(self) -> float | None:
        """F1."""
        return self.sums.f1


@dataclass(frozen=True, kw_only=True)
class AutoPRFResult(Evidence[PRFCounts]):
    """Precision, recall and F1 with their evidence.

    Each is None when it is 0/0, and `undefined` says why F1 is.
    """

    clip: Clip

    @property
    def sums(self) -> Sums:
        return self.counts.sums(self.clip)

    @property
    def precision(self) -> float | None:
        return self.sums.precision

    @property
    def recall(self) -> float | None:
        return self.sums.recall

    @property
    def f1(self) -> float | None:
        return self.sums.f1

    @property
    def score(self) -> float | None:
        """F1: the one number, where one is asked for."""
        return self.f1

    @property
    def undefined(self) -> str | None:
        if not self.counts.total:
            return "no evaluated pronoun in the source"
        for side, words in (("candidate", self.sums.candidate), ("reference", self.sums.reference)):
            if not words:
                return f"none of the {self.counts.total} pronouns is linked to a word of the {side}"
        return None

    @property
    def by_pronoun(self) -> dict[str, PartPRF]:
        """Each source pronoun, in lower case, the most frequent first."""
        return self._parts(self.counts.by_pronoun())

    @property
    def by_document(self) -> dict[str, PartPRF] | None:
        """Each document, in the order of the text."""
        return None if self.document_counts is None else self._parts(self.document_counts)

    def _parts(self, counts: Mapping[str, PRFCounts]) -> dict[str, PartPRF]:
        return {name: PartPRF(part, self.clip) for name, part in counts.items()}

    def segment_scores(self) -> list[float | None]:
        """F1 of each segment; None where it is undefined."""
        return [counts.sums(self.clip).f1 for counts in self.kept_segments()]

    def samples(self, unit: Unit, beside: Sequence["AutoPRFResult"] = ()) -> "dict[str, Sample]":
        """What can be resampled: F1, precision and recall; comparable with those of the results `beside`."""
        from autoprf.sampling import samples

        return samples(self, unit, beside)

    def to_dict(self) -> dict[str, Any]:
        """What `autoprf-score -f json` prints for a system."""
        from autoprf.render import result_dict  # rendering stands behind results

        return result_dict(self)
