"""Two answers compared: the metric says right or wrong, people say correct or incorrect.

In go four counts a unit (a segment or a document), out come accuracy, Cohen's kappa and Gwet's AC1 of their
sum, each with a percentile bootstrap interval over the units. All three are functions of the summed counts,
so resampling is that of `apt.significance`.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apt.comparing import Unit
from apt.significance import Interval, Sample, confidence

Floats = NDArray[np.float64]


class Counts(NamedTuple):
    """How often the metric says (right, wrong) and people say (correct, incorrect)."""

    right_correct: int = 0
    right_incorrect: int = 0
    wrong_correct: int = 0
    wrong_incorrect: int = 0

    @property
    def total(self) -> int:
        return sum(self)


@dataclass(frozen=True)
class Resampling:
    """How intervals are made."""

    unit: Unit
    resamples: int
    seed: int
    level: float = 0.95


@dataclass(frozen=True)
class Measure:
    """One number; `undefined` says why there is none, `no_interval` why there is none of that."""

    value: float | None
    undefined: str | None
    interval: Interval | None
    no_interval: str | None


@dataclass(frozen=True)
class Agreement:
    """How well the two agree; `measures` has the keys of `MEASURES`, `units` is how many could be drawn."""

    counts: Counts
    units: int
    measures: Mapping[str, Measure]


def _accuracy(sums: Floats) -> Floats:
    return np.asarray((sums[..., 0] + sums[..., 3]) / sums.sum(axis=-1))


def _kappa(sums: Floats) -> Floats:
    """Cohen's kappa, multiplied out by n²: in whole numbers, 0/0 is 0/0 to the last digit."""
    a, b, c, d = np.moveaxis(sums, -1, 0)
    n = a + b + c + d
    expected = (a + b) * (a + c) + (c + d) * (b + d)
    return np.asarray((n * (a + d) - expected) / (n * n - expected))


def _ac1(sums: Floats) -> Floats:
    """Gwet's AC1 of two raters and two categories; expected agreement is at most a half."""
    a, b, c, _ = np.moveaxis(sums, -1, 0)
    share = (2 * a + b + c) / (2 * sums.sum(axis=-1))
    expected = 2 * share * (1 - share)
    return np.asarray((_accuracy(sums) - expected) / (1 - expected))


MEASURES: Mapping[str, Callable[[Floats], Floats]] = {"accuracy": _accuracy, "kappa": _kappa, "ac1": _ac1}


def agreement(answers: Iterable[tuple[Hashable, bool, bool]], resampling: Resampling) -> Agreement:
    """Compare answers: the unit each belongs to, whether the metric and whether people think it right.

    The units are those that have an answer here: what has none says nothing about how the two agree.
    """
    units: dict[Hashable, list[int]] = {}
    for unit, right, correct in answers:
        units.setdefault(unit, [0] * len(Counts._fields))[2 * (not right) + (not correct)] += 1
    rows = np.array(list(units.values()), dtype=np.float64).reshape(-1, len(Counts._fields))
    counts = Counts(*(int(n) for n in rows.sum(axis=0)))
    measures = {name: _measure(Sample(rows, score), counts, resampling) for name, score in MEASURES.items()}
    return Agreement(counts, len(units), measures)


def _measure(sample: Sample, counts: Counts, resampling: Resampling) -> Measure:
    value = sample.observed
    if value is None:
        same = "metric and people give one and the same answer throughout, as expected by chance"
        why = same if counts.total else "there is nothing to compare"
        return Measure(None, why, None, why)
    if sample.units < 2:
        return Measure(value, None, None, f"all is in one of the {resampling.unit}")
    interval = confidence(sample, resampling.resamples, resampling.seed, resampling.level)
    if interval is not None and interval.low == interval.high:
        # That they cannot be told apart by drawing says nothing of how sure the value is.
        return Measure(value, None, None, "all resamples have the same value")
    return Measure(value, None, interval, None if interval else "no resample has a value")
