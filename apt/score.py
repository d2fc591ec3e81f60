"""From counts to one number: Σ wᵢnᵢ / Σ nᵢ over the cases that are not discarded (the paper's §2.4)."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from apt.cases import Case
from apt.counts import Counts
from apt.errors import OptionError

PAIR_P = "p"  # in place of the weight of case 2: each pair of the equivalent list weighs its own p


class Weights(NamedTuple):
    """The weight of each case; the paper's best setting as default."""

    identical: float = 1.0
    equivalent: float | Literal["p"] = 0.5
    different: float = 0.0
    candidate_missing: float = 0.0
    reference_missing: float = 0.0
    both_missing: float = 0.0

    def __str__(self) -> str:
        return ",".join(w if isinstance(w, str) else f"{w + 0.0:.12g}" for w in self)  # -0 is 0


@dataclass(frozen=True)
class Scoring:
    """How counts become a score; `equivalent` holds the p of each equivalent pair."""

    weights: Weights
    discard: frozenset[Case]
    equivalent: Mapping[tuple[str, str], float]

    def score(self, counts: Counts) -> float | None:
        """The score, or None when there is nothing to count."""
        credit, total = self.statistics(counts)
        return credit / total if total else None

    def statistics(self, counts: Counts) -> tuple[float, int]:
        """Credit, and how many triples count: their sums over parts give the score of the whole."""
        if not counts.cells:
            return 0.0, 0
        cases = counts.cases
        counted = [case for case in Case if case not in self.discard]
        total = sum(cases.of(case) for case in counted)
        return math.fsum(self._credit(case, counts) for case in counted), total

    def _credit(self, case: Case, counts: Counts) -> float:
        weight = self.weights[case - 1]
        if isinstance(weight, str):
            return math.fsum(n * self.equivalent[pair] for pair, n in counts.equivalent_pairs.items())
        return weight * counts.cases.of(case)

    def why_undefined(self, counts: Counts, anchor: str) -> str | None:
        """The reason there is no score, or None when there is one."""
        cases = counts.cases
        if any(cases.of(case) for case in Case if case not in self.discard):
            return None
        if counts.total:
            return f"all {counts.total} pronouns fall into discarded cases"
        if counts.total_not_in_source:
            return f"none of the {counts.total_not_in_source} reference pronouns has a linked source word"
        return f"no evaluated pronoun in the {anchor}"


def parse_weights(weights: Sequence[float | str] | str) -> Weights:
    """Six numbers in [0, 1]; the second may be `p`."""
    if not isinstance(weights, Iterable):
        raise OptionError(f"weights: six numbers expected, found {weights!r}")
    parts = weights.split(",") if isinstance(weights, str) else list(weights)
    if len(parts) != len(Case):
        raise OptionError(f"weights: six needed, one a case, found {len(parts)} in {_shown(weights)}")
    numbers: list[float | str] = []
    for case, part in zip(Case, parts, strict=True):
        text = str(part).strip()
        if case is Case.EQUIVALENT and text == PAIR_P:
            numbers.append(PAIR_P)
            continue
        try:
            number = float(text)
        except ValueError:
            raise OptionError(f"weights: {text!r} for case {case.value} is not a number") from None
        if not 0 <= number <= 1:
            raise OptionError(f"weights: {text} for case {case.value} is outside [0, 1]")
        numbers.append(number)
    return Weights(*numbers)  # type: ignore[arg-type]  # only the second can be the string


def parse_discard(discard: Collection[int | str] | str) -> frozenset[Case]:
    """Numbers of cases, or `none`."""
    if isinstance(discard, str):
        discard = [] if discard.strip() in ("", "none") else discard.split(",")
    if not isinstance(discard, Iterable):
        raise OptionError(f"discard: a list of cases expected, found {discard!r}")
    cases = set()
    for part in discard:
        try:
            cases.add(Case(int(str(part).strip())))
        except ValueError:
            raise OptionError(
                f"discard: unknown case {str(part).strip()!r}. Cases: 1, 2, 3, 4, 5, 6, or none"
            ) from None
    return frozenset(cases)


def _shown(weights: Sequence[float | str] | str) -> str:
    return repr(weights if isinstance(weights, str) else ",".join(map(str, weights)))
