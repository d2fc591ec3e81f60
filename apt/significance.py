"""Confidence intervals and paired tests by resampling, for every score that is a function of sums.

In go statistics, one row a unit (a segment, or a document by `by_document`), and the function from their sum
to the score; out come `Interval` and `PairedTest`. Units are drawn by the seed alone, so what is found for a
system or a pair does not depend on which others are looked at.

Here u is the number of units, k that of statistics, and a block a few resamples at once: memory does not grow
with their number. Whole numbers sum exactly. A denominator should be whole, to be 0 when nothing is drawn.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apt.errors import OptionError

Floats = NDArray[np.float64]
ScoreOf = Callable[[Floats], Floats]  # (..., k) sums to (...) scores; 0/0 may be divided: NaN is undefined

_BLOCK = 1 << 17  # numbers in a block: a megabyte, which stays in the cache
_NOISE = 1e-12  # differences of scores that are closer than this are the same


@dataclass(frozen=True, eq=False)
class Sample:
    """One system: u × k statistics (a scipy sparse array where most are 0) and the score of their sum."""

    statistics: Any
    score: ScoreOf

    @property
    def units(self) -> int:
        return int(self.statistics.shape[0])

    def scores(self, sums: Floats) -> Floats:
        """The score of each sum, NaN where there is none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.asarray(self.score(sums), dtype=np.float64)
        return np.where(np.isfinite(scores), scores, np.nan)

    @cached_property
    def total(self) -> Floats:
        """The sum of all units, rounded once, so that a unit swapped and swapped back leaves no trace."""
        if not isinstance(self.statistics, np.ndarray):
            return np.asarray(self.statistics.sum(axis=0), dtype=np.float64).ravel()
        return np.array([math.fsum(column) for column in self.statistics.T])

    @property
    def observed(self) -> float | None:
        """The score of all units, None where there is none."""
        score = float(self.scores(self.total))
        return None if np.isnan(score) else score


@dataclass(frozen=True)
class Interval:
    """A percentile interval; `undefined` of the resamples have no score and are left out."""

    low: float
    high: float
    undefined: int
    resamples: int
    level: float = 0.95


@dataclass(frozen=True)
class PairedTest:
    """System − baseline, and the two-sided p of no difference; `undefined` of the resamples are left out."""

    difference: float
    interval: Interval | None
    p: float
    undefined: int
    resamples: int


def by_document(statistics: Any, documents: Sequence[str]) -> Any:
    """The rows summed per document, in order of first appearance."""
    from scipy.sparse import csr_array, issparse

    rows = statistics if issparse(statistics) else np.asarray(statistics, dtype=np.float64)
    units = rows.shape[0]
    if units != len(documents):
        raise OptionError(f"documents: one a segment needed, found {len(documents)} for {units} segments")
    numbers: dict[str, int] = {}
    document_of = [numbers.setdefault(document, len(numbers)) for document in documents]
    members = csr_array((np.ones(units), (document_of, np.arange(units))), shape=(len(numbers), units))
    return members @ rows


def draws(units: int, resamples: int, seed: int, block: int | None = None) -> Iterator[Floats]:
    """How often each unit is drawn: blocks of at most `block` resamples × units."""
    _check_resampling(units, resamples, seed)
    rng = np.random.default_rng(seed)
    return (_drawn(units, size, rng) for size in _blocks(resamples, units, block))


def confidence(sample: Sample, resamples: int, seed: int, level: float = 0.95) -> Interval | None:
    """The percentile bootstrap interval; None when the score, or that of every resample, is undefined."""
    _check([sample], resamples, seed, level)
    if sample.observed is None:
        return None
    blocks = draws(sample.units, resamples, seed)
    return _interval(np.concatenate([sample.scores(counts @ sample.statistics) for counts in blocks]), level)


def paired_bootstrap(
    system: Sample, baseline: Sample, resamples: int, seed: int, level: float = 0.95
) -> PairedTest | None:
    """Test the difference by drawing units for both at once; None when it is undefined.

    p is how often a resampled difference is at least as far from the mean of all, on either side, as the
    observed one is from 0. (sacrebleu takes absolute values before the mean. That counts one side only: where
    the difference is clear, its p is half of this one; over 10 % of equal systems differ at its 5 %.)
    """
    _check([system, baseline], resamples, seed, level)
    observed = _difference(system, baseline)
    if observed is None:
        return None
    differences = np.concatenate(
        [
            system.scores(counts @ system.statistics) - baseline.scores(counts @ baseline.statistics)
            for counts in draws(system.units, resamples, seed)
        ]
    )
    interval = _interval(differences, level)
    if interval is None:
        return None
    return _test(observed, differences - np.nanmean(differences), interval)


def approximate_randomization(
    system: Sample, baseline: Sample, resamples: int, seed: int
) -> PairedTest | None:
    """Test the difference by swapping the two at random, unit by unit; None when it is undefined.

    p is how often the swapped systems differ at least as much as the observed ones.
    """
    _check([system, baseline], resamples, seed)
    observed = _difference(system, baseline)
    if observed is None:
        return None
    gain = baseline.statistics - system.statistics  # what the system's sum gains when a unit is swapped
    gain = gain[np.unique(gain.nonzero()[0])]  # swapping equals changes nothing
    rng = np.random.default_rng(seed)
    units = gain.shape[0]
    gains = (_swapped(units, size, rng) @ gain for size in _blocks(resamples, units))
    differences = np.concatenate(
        [system.scores(system.total + by) - baseline.scores(baseline.total - by) for by in gains]
    )
    return None if np.isnan(differences).all() else _test(observed, differences, None)


def _drawn(units: int, size: int, rng: np.random.Generator) -> Floats:
    counts = np.empty((size, units))
    for row in counts:  # one call a resample: the numbers must not depend on the size of a block
        row[:] = np.bincount(rng.integers(units, size=units), minlength=units)
    return counts


def _swapped(units: int, size: int, rng: np.random.Generator) -> Floats:
    """1 where a unit is swapped."""
    swaps = np.empty((size, units))
    for row in swaps:
        bits = np.frombuffer(rng.bytes((units + 7) // 8), dtype=np.uint8)
        row[:] = np.unpackbits(bits, count=units)
    return swaps


def _blocks(resamples: int, units: int, block: int | None = None) -> Iterator[int]:
    """The sizes of blocks that make up the resamples."""
    size = max(1, _BLOCK // max(1, units)) if block is None else block
    for start in range(0, resamples, size):
        yield min(size, resamples - start)


def _difference(system: Sample, baseline: Sample) -> float | None:
    scores = system.observed, baseline.observed
    return None if scores[0] is None or scores[1] is None else scores[0] - scores[1]


def _interval(scores: Floats, level: float) -> Interval | None:
    defined = scores[~np.isnan(scores)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), len(scores) - len(defined), len(scores), level)


def _test(observed: float, under_null: Floats, interval: Interval | None) -> PairedTest:
    """The +1 counts the observed data as one of the resamples, so p is never 0; ties count as extreme."""
    defined = under_null[~np.isnan(under_null)]
    extreme = int(np.count_nonzero(np.abs(defined) >= abs(observed) - _NOISE))
    undefined = len(under_null) - len(defined)
    return PairedTest(observed, interval, (extreme + 1) / (len(defined) + 1), undefined, len(under_null))


def _check(samples: Sequence[Sample], resamples: int, seed: int, level: float = 0.95) -> None:
    units = [sample.units for sample in samples]
    if len(set(units)) > 1:
        raise OptionError(f"paired test: as many units as the baseline's {units[1]} needed, found {units[0]}")
    if not 0 < level < 1:
        raise OptionError(f"level: a number between 0 and 1 expected, found {level}")
    _check_resampling(units[0], resamples, seed)


def _check_resampling(units: int, resamples: int, seed: int) -> None:
    if units < 2:
        raise OptionError(f"resampling: at least 2 segments or documents needed, found {units}")
    if resamples < 1:
        raise OptionError(f"resamples: at least 1 needed, found {resamples}")
    if seed < 0:
        raise OptionError(f"seed: a whole number from 0 on expected, found {seed}")
