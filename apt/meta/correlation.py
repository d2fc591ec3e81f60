"""How well two lists of numbers agree: Pearson, Spearman, Kendall and pairwise accuracy.

In go human and metric scores, `(..., n)` arrays that are looked at along the last axis, NaN where a score is
missing: a pair counts where both are there. Out come arrays `(...)`, NaN where a statistic is undefined
(fewer than two pairs, or a constant side). Working on many rows at once is what makes resampling quick.

Kendall's τ-b and both accuracies are formulas over the same `PairCounts`: how many pairs of items are
ordered alike, ordered otherwise, or tied on either side.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Correlation = Callable[[ArrayLike, ArrayLike], Floats]

_ALL_PAIRS = 48  # up to so many items every pair is looked at, for all rows at once
_SAME = 1e-12  # relative spread below which a side is constant: rounding makes it so of equal numbers


class PairCounts(NamedTuple):
    """Numbers of pairs of items; tied in the human score, in the metric's, in both, or in neither."""

    concordant: Floats
    discordant: Floats
    human_ties: Floats  # in the human score alone
    metric_ties: Floats
    both_ties: Floats


def pearson(human: ArrayLike, metric: ArrayLike) -> Floats:
    """Pearson's r."""
    x, y = _paired(human, metric)
    there = ~np.isnan(x)
    n = there.sum(axis=-1)
    x, y = _centred(x, n), _centred(y, n)
    spread = np.sqrt(np.sum(x * x, axis=-1)) * np.sqrt(np.sum(y * y, axis=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(spread > 0, np.sum(x * y, axis=-1) / spread, np.nan)
    return np.clip(r, -1.0, 1.0)


def spearman(human: ArrayLike, metric: ArrayLike) -> Floats:
    """Spearman's ρ: Pearson's r of the ranks, tied values sharing their mean rank."""
    x, y = _paired(human, metric)
    return pearson(_ranks(x), _ranks(y))


def kendall(human: ArrayLike, metric: ArrayLike) -> Floats:
    """Kendall's τ-b."""
    return _tau(pair_counts(human, metric))


def accuracy(human: ArrayLike, metric: ArrayLike) -> Floats:
    """The share of pairs ordered as by people; those people tie are left out, the metric's ties wrong."""
    return _accuracy(pair_counts(human, metric))


def accuracy_with_ties(human: ArrayLike, metric: ArrayLike) -> Floats:
    """The share of all pairs, a tie being right where people tie too (Deutsch et al. 2023)."""
    return _accuracy_with_ties(pair_counts(human, metric))


STATISTICS: Mapping[str, Correlation] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "accuracy": accuracy,
    "accuracy_ties": accuracy_with_ties,
}


def all_statistics(
    human: ArrayLike, metric: ArrayLike, repeated: ArrayLike | None = None
) -> dict[str, Floats]:
    """Every one of `STATISTICS`, with the pairs counted once.

    In a resample `repeated` says how many pairs are an item beside itself: such a tie is no merit.
    """
    pairs = pair_counts(human, metric)
    if repeated is not None:
        pairs = pairs._replace(both_ties=pairs.both_ties - np.asarray(repeated))
    return {
        "pearson": pearson(human, metric),
        "spearman": spearman(human, metric),
        "kendall": _tau(pairs),
        "accuracy": _accuracy(pairs),
        "accuracy_ties": _accuracy_with_ties(pairs),
    }


def _tau(pairs: PairCounts) -> Floats:
    ordered = pairs.concordant + pairs.discordant
    by_human, by_metric = ordered + pairs.metric_ties, ordered + pairs.human_ties
    tau = _share(pairs.concordant - pairs.discordant, np.sqrt(by_human) * np.sqrt(by_metric))
    return np.clip(tau, -1.0, 1.0)


def _accuracy(pairs: PairCounts) -> Floats:
    return _share(pairs.concordant, pairs.concordant + pairs.discordant + pairs.metric_ties)


def _accuracy_with_ties(pairs: PairCounts) -> Floats:
    return _share(pairs.concordant + pairs.both_ties, sum(pairs[1:], pairs.concordant))


def pair_counts(human: ArrayLike, metric: ArrayLike) -> PairCounts:
    """How pairs of items are ordered by the two."""
    x, y = _paired(human, metric)
    if x.shape[-1] <= _ALL_PAIRS:
        return _all_pairs(x, y)
    rows = [
        _sorted_pairs(*row)
        for row in zip(x.reshape(-1, x.shape[-1]), y.reshape(-1, y.shape[-1]), strict=True)
    ]
    columns = np.array(rows, dtype=np.float64).reshape(*x.shape[:-1], 5)
    return PairCounts(*np.moveaxis(columns, -1, 0))


def is_constant(values: Floats) -> bool:
    """Whether all of the values, none of them missing, are equal but for rounding.

    >>> is_constant(np.array([0.3, 0.1 + 0.2, 0.3]))
    True
    """
    return not _centred(values, np.array(len(values))).any()


def _paired(human: ArrayLike, metric: ArrayLike) -> tuple[Floats, Floats]:
    """Both sides with NaN wherever either has it."""
    x, y = np.broadcast_arrays(np.asarray(human, dtype=np.float64), np.asarray(metric, dtype=np.float64))
    missing = np.isnan(x) | np.isnan(y)
    if not missing.any():
        return x, y
    return np.where(missing, np.nan, x), np.where(missing, np.nan, y)


def _centred(values: Floats, n: NDArray[Any]) -> Floats:
    """Deviations from the mean, the largest being 1; 0 where a value is missing or all are constant.

    r does not change with their size, and the squares of very small ones would be 0.
    """
    missing = np.isnan(values)
    filled = np.where(missing, 0.0, values)
    mean = np.sum(filled, axis=-1) / np.maximum(n, 1)
    deviations = np.where(missing, 0.0, values - mean[..., None])
    largest = np.max(np.abs(filled), axis=-1, initial=0.0)
    farthest = np.max(np.abs(deviations), axis=-1, initial=0.0)
    constant = farthest <= _SAME * largest
    scale = np.where(constant, 1.0, farthest)
    centred: Floats = np.where(constant[..., None], 0.0, deviations) / scale[..., None]
    return centred


def _ranks(values: Floats) -> Floats:
    if values.shape[-1] <= _ALL_PAIRS:  # for many short rows quicker than sorting each
        others, own = values[..., None, :], values[..., :, None]
        below, equal = np.sum(others < own, axis=-1), np.sum(others == own, axis=-1)
        return np.where(np.isnan(values), np.nan, below + (equal + 1) / 2)
    from scipy.stats import rankdata

    if not np.isnan(values).any():
        return np.asarray(rankdata(values, axis=-1), dtype=np.float64)
    # Missing values are sorted behind all others, so they take no rank from them.
    ranks = rankdata(np.where(np.isnan(values), np.inf, values), axis=-1)
    return np.where(np.isnan(values), np.nan, ranks)


def _all_pairs(x: Floats, y: Floats) -> PairCounts:
    one, other = np.triu_indices(x.shape[-1], k=1)
    dx, dy = np.sign(x[..., one] - x[..., other]), np.sign(y[..., one] - y[..., other])
    product = dx * dy
    no_x, no_y = dx == 0, dy == 0
    counted = (product > 0, product < 0, no_x & (dy != 0) & ~np.isnan(dy), no_y & (dx != 0), no_x & no_y)
    return PairCounts(*(np.asarray(np.sum(kind, axis=-1, dtype=np.float64)) for kind in counted))


def _sorted_pairs(x: Floats, y: Floats) -> tuple[float, ...]:
    """The same by sorting, in n log n: from scipy's τ-b and the numbers of ties."""
    from scipy.stats import kendalltau

    there = ~np.isnan(x)
    ranks, others = (np.unique(side[there], return_inverse=True)[1] for side in (x, y))
    n = len(ranks)
    pairs = n * (n - 1) // 2
    by_x, by_y = _tied(ranks), _tied(others)
    both = _tied(ranks * (n + 1) + others)
    untied = pairs - by_x - by_y + both
    roots = np.sqrt(pairs - by_x) * np.sqrt(pairs - by_y)
    tau = float(kendalltau(ranks, others).statistic) if roots else 0.0
    concordant = (untied + round(tau * roots)) // 2
    return concordant, untied - concordant, by_x - both, by_y - both, both


def _tied(values: NDArray[Any]) -> int:
    counts = np.unique(values, return_counts=True)[1]
    return int(np.sum(counts * (counts - 1) // 2))


def _share(part: Floats, whole: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, np.nan)
