"""Do two metrics agree with people equally well? Williams' test, a permutation test, and clusters.

In go human scores and those of two metrics, NaN where one is missing; out come p-values, all of them
two-sided: which metric looks better is not known before. (The WMT tasks test one-sided: their p is half.)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apt.errors import OptionError
from apt.meta.correlation import Floats

Statistic = Callable[[Floats, Floats], Floats]  # human and metric, (..., rows, columns), to (...)
_NUMBERS_AT_ONCE = 1 << 18
_NOISE = 1e-12


class Williams(NamedTuple):
    """Student's t with its degrees of freedom, and the two-sided p."""

    t: float
    degrees: int
    p: float


class Permuted(NamedTuple):
    """The two-sided p of a difference; `exact` if all swaps were looked at, of which there are `swaps`."""

    difference: float
    p: float
    swaps: int
    exact: bool


def williams_test(r_one: float, r_other: float, r_between: float, n: int) -> Williams | None:
    """Are two Pearson correlations with the same human scores different? (Williams 1959)

    `r_between` is the correlation of the two metrics, n the number of systems. None for fewer than four, or
    when the metrics are the same up to scale, so that there is nothing to tell apart.
    """
    if n < 4:
        return None
    determinant = 1 - r_one**2 - r_other**2 - r_between**2 + 2 * r_one * r_other * r_between
    mean = (r_one + r_other) / 2
    below = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - r_between) ** 3
    if below <= _NOISE or 1 - abs(r_between) < _NOISE:
        return None
    from scipy.stats import t as student

    t = (r_one - r_other) * float(np.sqrt((n - 1) * (1 + r_between) / below))
    return Williams(t, n - 3, float(2 * student.sf(abs(t), n - 3)))


def permutation_test(
    human: Floats,
    one: Floats,
    other: Floats,
    statistic: Statistic,
    permutations: int,
    seed: int,
    units: NDArray[np.int64] | None = None,
) -> Permuted | None:
    """Swap the two metrics' standardised scores at random, unit by unit (Deutsch et al. 2021).

    Arrays are systems × columns. A unit is a system; or, with `units`, the columns of the same number: a
    segment or a document. When all swaps are no more than `permutations`, all are looked at and p is
    exact. None when the statistic is undefined for either metric. Only what people and both metrics scored
    counts.
    """
    if permutations < 1:
        raise OptionError(f"permutations: at least 1 needed, found {permutations}")
    there = ~(np.isnan(human) | np.isnan(one) | np.isnan(other))
    human, one, other = (np.where(there, scores, np.nan) for scores in (human, one, other))
    one, other = _standardised(one), _standardised(other)
    observed = float(statistic(human, one)) - float(statistic(human, other))
    if np.isnan(observed):
        return None
    count = len(human) if units is None else int(units.max()) + 1
    exact = count < 63 and 2**count <= permutations
    extreme = defined = 0
    for swaps in _swaps(count, permutations, seed, exact, human.size):
        chosen = swaps[:, :, None] if units is None else swaps[:, None, units]
        differences = statistic(human, np.where(chosen, other, one)) - statistic(
            human, np.where(chosen, one, other)
        )
        extreme += int(np.count_nonzero(np.abs(differences) >= abs(observed) - _NOISE))
        defined += int(np.count_nonzero(~np.isnan(differences)))
    p = extreme / defined if exact else (1 + extreme) / (1 + defined)
    return Permuted(observed, p, 2**count if exact else permutations, exact)


def clusters(order: Sequence[str], p_of: Mapping[tuple[str, str], float], alpha: float = 0.05) -> list[int]:
    """The cluster of each metric, the best being in cluster 1; `order` is from best to worst.

    `p_of` has the p of (better, worse) pairs; a pair that is not there is not known to differ. A metric
    begins a new cluster when any of the current one is better than it with p < alpha, as in the WMT metrics
    tasks. p is not adjusted for the number of comparisons.
    """
    numbers: list[int] = []
    start = 0
    for position, metric in enumerate(order):
        if any(p_of.get((above, metric), 1.0) < alpha for above in order[start:position]):
            start = position
            numbers.append(numbers[-1] + 1)
        else:
            numbers.append(numbers[-1] if numbers else 1)
    return numbers


def _standardised(scores: Floats) -> Floats:
    """Mean 0 and spread 1, so that scores of two metrics can stand in for each other."""
    largest = float(np.max(np.abs(scores), where=~np.isnan(scores), initial=0.0))
    scores = scores / (largest or 1.0)
    spread = float(np.nanstd(scores)) if largest else 0.0
    if spread <= _NOISE:  # equal but for rounding
        return np.where(np.isnan(scores), np.nan, 0.0)
    standardised: Floats = (scores - np.nanmean(scores)) / spread
    return standardised


def _swaps(count: int, permutations: int, seed: int, exact: bool, size: int) -> Iterator[NDArray[np.bool_]]:
    """Which units are swapped: blocks of so many rows that the swapped scores stay in memory."""
    rows = max(1, _NUMBERS_AT_ONCE // max(size, count))
    total = 2**count if exact else permutations
    rng = np.random.default_rng(seed)
    bits = np.arange(count)
    for start in range(0, total, rows):
        end = min(start + rows, total)
        if exact:
            yield (np.arange(start, end)[:, None] >> bits & 1).astype(bool)
        else:
            # One draw a row: what is drawn must not depend on the size of a block.
            yield np.stack([rng.integers(2, size=count, dtype=np.int8) for _ in range(start, end)]).astype(
                bool
            )
