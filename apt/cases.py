"""The six cases (Miculicich Werlen & Popescu-Belis 2017, §2.4) from the forms found on either side.

In go the forms that translate one source pronoun in the reference and in the candidate, out comes the case
and the cell of the confusion matrix the triple stands in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Literal, NamedTuple, get_args

OTHER = "OTHER"  # translated by a word that is not a listed pronoun
NONE = "NONE"  # no translation found

Forms = tuple[str, ...]
_MOST_KEPT = 1 << 14  # verdicts, so that memory is bounded
OtherPolicy = Literal["different", "equal", "missing"]
OTHER_POLICIES: tuple[OtherPolicy, ...] = get_args(OtherPolicy)


class Case(IntEnum):
    """The paper's numbers."""

    __hash__ = int.__hash__  # an Enum's own hashes its name, slowly, and cases are counted by the million

    IDENTICAL = 1
    EQUIVALENT = 2
    DIFFERENT = 3
    CANDIDATE_MISSING = 4
    REFERENCE_MISSING = 5
    BOTH_MISSING = 6

    @property
    def label(self) -> str:
        return self.name.lower().replace("_", " ")


class Verdict(NamedTuple):
    """A case, and the two forms (after the identical lists) that stand for it in the confusion matrix."""

    case: Case
    reference: str
    candidate: str


@dataclass(frozen=True)
class Comparison:
    """How forms are compared: groups of identical forms, equivalent pairs with p, and what OTHER means."""

    group_of: Mapping[str, str]
    equivalent: Mapping[tuple[str, str], float]
    other: OtherPolicy = "different"

    def verdict(self, reference: Forms | None, candidate: Forms | None) -> Verdict:
        """Compare the two translations of one pronoun.

        Each side is its forms in text order; empty: translated by something else; None: not found.
        """
        sides = (reference, candidate)
        verdict = self._given.get(sides)
        if verdict is None:
            if len(self._given) >= _MOST_KEPT:
                self._given.clear()
            verdict = self._given[sides] = self._verdict(reference, candidate)
        return verdict

    @cached_property
    def _given(self) -> dict[tuple[Forms | None, Forms | None], Verdict]:
        """The verdicts given so far: the same few hundred make up most of a text."""
        return {}

    def _verdict(self, reference: Forms | None, candidate: Forms | None) -> Verdict:
        if self.other == "missing":
            reference, candidate = reference or None, candidate or None
        if reference is None or candidate is None:
            return self._missing(reference, candidate)
        references = [self.group_of.get(form, form) for form in reference]
        candidates = [self.group_of.get(form, form) for form in candidate]
        for name in references:
            if name in candidates:
                return Verdict(Case.IDENTICAL, name, name)
        if not references or not candidates:
            equal = self.other == "equal" and not references and not candidates
            return Verdict(
                Case.IDENTICAL if equal else Case.DIFFERENT, _first(references), _first(candidates)
            )
        return self._differing(references, candidates)

    def _missing(self, reference: Forms | None, candidate: Forms | None) -> Verdict:
        """The verdict when a side was not found."""
        case = Case.CANDIDATE_MISSING
        if reference is None:
            case = Case.BOTH_MISSING if candidate is None else Case.REFERENCE_MISSING
        names = (
            NONE if forms is None else _first([self.group_of.get(form, form) for form in forms])
            for forms in (reference, candidate)
        )
        return Verdict(case, *names)

    def rank(self, verdict: Verdict) -> tuple[int, float]:
        """Better verdicts first: by case, and equivalent pairs by their p."""
        p = self.equivalent[verdict.reference, verdict.candidate] if verdict.case is Case.EQUIVALENT else 0.0
        return verdict.case, -p

    def _differing(self, references: Sequence[str], candidates: Sequence[str]) -> Verdict:
        pairs = [(r, c) for r in references for c in candidates if (r, c) in self.equivalent]
        if pairs:
            # max keeps the first of equals, so text order decides.
            return Verdict(Case.EQUIVALENT, *max(pairs, key=self.equivalent.__getitem__))
        return Verdict(Case.DIFFERENT, references[0], candidates[0])


def _first(names: Sequence[str]) -> str:
    return names[0] if names else OTHER
