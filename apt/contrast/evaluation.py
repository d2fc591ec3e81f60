"""How often a model finds the correct translation better than every contrastive one.

In go a set and a model's scores, out comes `Evaluation`: right and tied instances, and their shares in every
bucket. A tie, the correct translation being as good as the best contrastive one, is wrong, and counted. Two
models are compared by McNemar's test on the instances that only one of them gets right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from apt.contrast.instances import UNKNOWN, ContrastiveSet
from apt.contrast.scores import Floats
from apt.errors import OptionError

ALL = "all"
FAR_ABOVE = 0.1  # in accuracy: then the scores were probably read in the wrong direction
Flags = NDArray[np.bool_]
Value = TypeVar("Value", str, tuple[str, str])  # of one bucket, or of two


@dataclass(frozen=True)
class Share:
    """So many of so many, with the Wilson interval; there is none of nothing."""

    right: int
    total: int
    low: float | None
    high: float | None

    @property
    def accuracy(self) -> float | None:
        return self.right / self.total if self.total else None


@dataclass(frozen=True)
class Compared:
    """One model against another: the difference in accuracy, and McNemar's exact two-sided p."""

    model: str
    baseline: str
    difference: float
    only_model: int
    only_baseline: int
    p: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One model on one set; `buckets` by name and value, `crossed` by a pair of buckets and their values."""

    model: str
    higher_is_better: bool
    total: Share
    ties: int
    other_direction: float
    buckets: Mapping[str, Mapping[str, Share]]
    crossed: Mapping[tuple[str, str], Mapping[tuple[str, str], Share]]
    blocks: Share | None
    right: Flags

    @property
    def looks_reversed(self) -> bool:
        """Whether the other direction of scores would give a far better result."""
        accuracy = self.total.accuracy
        return accuracy is not None and self.other_direction > accuracy + FAR_ABOVE


def evaluate(
    contrastive_set: ContrastiveSet, scores: Floats, *, model: str = "model", higher_is_better: bool = False
) -> Evaluation:
    """Compare every correct translation with its contrastive ones; the lower score is better by default."""
    if len(scores) != sum(contrastive_set.sizes):
        raise OptionError(f"{sum(contrastive_set.sizes)} scores needed, found {len(scores)}")
    correct, best = _correct_and_best(contrastive_set, -scores if higher_is_better else scores)
    other_correct, other_best = _correct_and_best(contrastive_set, scores if higher_is_better else -scores)
    right = correct < best
    buckets = {name: _by_value(_values(contrastive_set, name), right) for name in contrastive_set.buckets}
    crossed = {}
    for one, other in contrastive_set.crossed:
        pairs = zip(_values(contrastive_set, one), _values(contrastive_set, other), strict=True)
        crossed[one, other] = _by_value(list(pairs), right)
    return Evaluation(
        model,
        higher_is_better,
        share(int(right.sum()), len(right)),
        int(np.count_nonzero(correct == best)),
        float(np.mean(other_correct < other_best)),
        buckets,
        crossed,
        _blocks(contrastive_set, right),
        right,
    )


def compare(evaluation: Evaluation, baseline: Evaluation) -> Compared:
    """McNemar's test, exact: of the instances that one gets right, half would be either's by chance."""
    from scipy.stats import binomtest

    if len(evaluation.right) != len(baseline.right):
        raise OptionError(f"{evaluation.model} and {baseline.model} were evaluated on different sets")
    ours = int(np.count_nonzero(evaluation.right & ~baseline.right))
    theirs = int(np.count_nonzero(baseline.right & ~evaluation.right))
    p = float(binomtest(ours, ours + theirs).pvalue) if ours + theirs else 1.0
    p = max(p, float(np.finfo(np.float64).tiny))  # smaller than any number here, but not 0
    difference = (ours - theirs) / len(evaluation.right)
    return Compared(evaluation.model, baseline.model, difference, ours, theirs, p)


def share(right: int, total: int, level: float = 0.95) -> Share:
    """A share with its Wilson interval."""
    if not total:
        return Share(right, total, None, None)
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    middle = (right + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * float(np.sqrt(right * (total - right) / total + z * z / 4))
    return Share(right, total, max(0.0, middle - half), min(1.0, middle + half))


def _correct_and_best(contrastive_set: ContrastiveSet, scores: Floats) -> tuple[Floats, Floats]:
    """The score of each correct translation and the lowest of its contrastive ones."""
    starts = np.concatenate([[0], np.cumsum(contrastive_set.sizes)[:-1]])
    others = scores.copy()
    others[starts] = np.inf
    best: Floats = np.minimum.reduceat(others, starts)
    return scores[starts], best


def _values(contrastive_set: ContrastiveSet, bucket: str) -> list[str]:
    return [instance.buckets.get(bucket, UNKNOWN) for instance in contrastive_set.instances]


def _by_value(values: Sequence[Value], right: Flags) -> dict[Value, Share]:
    """Shares by value, in their natural order, what is unknown last."""
    totals: dict[Value, list[int]] = {}
    for value, is_right in zip(values, right.tolist(), strict=True):
        counts = totals.setdefault(value, [0, 0])
        counts[0] += is_right
        counts[1] += 1
    return {value: share(*totals[value]) for value in sorted(totals, key=_order)}


def _order(value: str | tuple[str, str]) -> tuple[tuple[bool, bool, str], ...]:
    parts = value if isinstance(value, tuple) else (value,)
    return tuple((part == UNKNOWN, str(part).startswith(">"), str(part)) for part in parts)


def _blocks(contrastive_set: ContrastiveSet, right: Flags) -> Share | None:
    """How many blocks have all their instances right."""
    whole: dict[str, bool] = {}
    for instance, is_right in zip(contrastive_set.instances, right.tolist(), strict=True):
        if instance.block is not None:
            whole[instance.block] = whole.get(instance.block, True) and is_right
    return share(sum(whole.values()), len(whole)) if whole else None
