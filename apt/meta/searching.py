"""Settings of APT, and the search for the one whose scores agree best with people.

In go counts of cases, S × 6, and S human scores; out comes a `Setting`: the weights of the cases 2 and 6 and
the cases that are discarded (the paper's Table 4). The other weights stay: w₁ = 1, w₃ = w₄ = w₅ = 0. A
setting under which a system has nothing left to count is not available.

K settings are looked at together: that makes thousands of them cheap.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from apt.cases import Case
from apt.errors import OptionError
from apt.meta.correlation import STATISTICS, Floats
from apt.score import Weights

SearchName = Literal["grid", "simplex"]
SEARCHES: tuple[SearchName, ...] = get_args(SearchName)
TUNED_STATISTICS = ("pearson", "spearman", "kendall", "accuracy")

_LEAST_STEP = Fraction(1, 200)
_DECIMALS = 12  # scores that differ less are equal: rounding must not rank systems
_SAME = 1e-12  # values of a statistic that differ less are equal
_BLOCK = 1 << 22  # pairs of systems looked at together: Kendall's τ needs them all
_STARTS = ((0.5, 0.0), (0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.2, 0.8))
_FIRST_STEP = 0.2  # of the simplex, towards the middle


@dataclass(frozen=True)
class Setting:
    """The weights that are tuned, and what is discarded; the weight of a discarded case is 0."""

    w2: float = 0.5
    w6: float = 0.0
    discard: frozenset[Case] = frozenset()

    @property
    def weights(self) -> Weights:
        return Weights(1.0, self.w2, 0.0, 0.0, 0.0, self.w6)

    @property
    def discarded(self) -> str:
        """As `apt-score --discard` takes it."""
        return ",".join(str(case.value) for case in sorted(self.discard)) or "none"

    @property
    def remoteness(self) -> tuple[float, ...]:
        """How far from the default: by discarded cases, then by weights; the rest only settles the order."""
        far = round(math.hypot(self.w2 - DEFAULT.w2, self.w6 - DEFAULT.w6), 9)
        return len(self.discard), far, self.w6, self.w2, *sorted(self.discard)


DEFAULT = Setting()
DISCARDS = tuple(
    frozenset(cases) for cases in ((), (Case.REFERENCE_MISSING,), (Case.BOTH_MISSING,), tuple(Case)[-2:])
)


@dataclass(frozen=True)
class Found:
    """A setting and the statistic it reaches."""

    setting: Setting
    value: float


class Search(Protocol):
    """Finds the best setting; None where the statistic is undefined under every one."""

    def best(self, counts: NDArray[Any], human: Floats) -> Found | None: ...


@dataclass(frozen=True)
class Settings:
    """K settings, with what scoring by all of them needs."""

    each: tuple[Setting, ...]

    @cached_property
    def counted(self) -> Floats:
        """1 where a case counts: K × 6."""
        rows = [[case not in setting.discard for case in Case] for setting in self.each]
        return np.array(rows, dtype=np.float64)

    @cached_property
    def weights(self) -> Floats:
        return np.array([setting.weights for setting in self.each], dtype=np.float64) * self.counted

    def scores(self, counts: NDArray[Any]) -> Floats:
        """The score of each of (..., 6) counts under each setting: (K, ...), NaN where nothing is counted."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (counts @ self.weights.T) / (counts @ self.counted.T)
        return np.round(np.moveaxis(ratio, -1, 0), _DECIMALS)

    def values(self, statistic: str, counts: NDArray[Any], human: Floats) -> Floats:
        """The statistic under each setting, NaN where it is undefined or the setting is not available."""
        found = self.scores(counts)
        block = max(1, _BLOCK // max(1, found.shape[1] ** 2))
        parts = [STATISTICS[statistic](human, found[at : at + block]) for at in range(0, len(found), block)]
        return np.where(np.isnan(found).any(axis=1), np.nan, np.concatenate(parts))

    def best(self, statistic: str, counts: NDArray[Any], human: Floats) -> Found | None:
        """The setting with the highest value; of equals the first. None where all are undefined."""
        found = self.values(statistic, counts, human)
        if np.isnan(found).all():
            return None
        first = int(np.flatnonzero(found >= np.nanmax(found) - _SAME)[0])
        return Found(self.each[first], float(found[first]))


def by_nearness(settings: Iterable[Setting]) -> Settings:
    """Each setting once, those nearest to the default first."""
    return Settings(tuple(sorted(set(settings), key=lambda setting: setting.remoteness)))


def available(counts: NDArray[Any]) -> tuple[frozenset[Case], ...]:
    """What can be discarded while every one of S × 6 counts keeps something to count."""
    there = Settings(tuple(Setting(discard=discard) for discard in DISCARDS)).scores(counts)
    return tuple(discard for discard, row in zip(DISCARDS, there, strict=True) if not np.isnan(row).any())


@dataclass(frozen=True)
class Grid:
    """Every setting whose weights are multiples of `step`, and the default; ties go to the nearest to it."""

    statistic: str
    step: float = 0.1
    discards: tuple[frozenset[Case], ...] = DISCARDS

    @cached_property
    def settings(self) -> Settings:
        parts = _parts(self.step)
        weights = [part / parts for part in range(parts + 1)]
        made = [
            Setting(w2, 0.0 if Case.BOTH_MISSING in discard else w6, discard)
            for w2, w6, discard in product(weights, weights, self.discards)
        ]
        return by_nearness([DEFAULT, *made])

    def best(self, counts: NDArray[Any], human: Floats) -> Found | None:
        """The best setting of the grid."""
        return self.settings.best(self.statistic, counts, human)


@dataclass(frozen=True)
class Simplex:
    """Nelder and Mead's search from fixed points, for each set of discarded cases.

    It finds what lies between the points of a grid. A statistic of ranks does not change there, or jumps: of
    these it may miss the best.
    """

    statistic: str
    discards: tuple[frozenset[Case], ...] = DISCARDS

    def best(self, counts: NDArray[Any], human: Floats) -> Found | None:
        """The best setting that any of the searches ends at."""
        ends = [DEFAULT]
        for discard in self.discards:
            for start in _starts(discard):
                ends.append(self._end(counts, human, discard, start))
        return by_nearness(ends).best(self.statistic, counts, human)

    def _end(
        self, counts: NDArray[Any], human: Floats, discard: frozenset[Case], start: tuple[float, ...]
    ) -> Setting:
        from scipy.optimize import minimize

        def setting(weights: Sequence[float]) -> Setting:
            w2, w6 = (round(min(1.0, max(0.0, float(weight))), 6) for weight in (*weights, 0.0)[:2])
            return Setting(w2, w6, discard)

        def loss(weights: Sequence[float]) -> float:
            value = Settings((setting(weights),)).values(self.statistic, counts, human)[0]
            return 2.0 if np.isnan(value) else -float(value)  # worse than any value there is

        corners = [start]
        for axis in range(len(start)):
            moved = list(start)
            moved[axis] += _FIRST_STEP if start[axis] < 0.5 else -_FIRST_STEP
            corners.append(tuple(moved))
        options = {"initial_simplex": corners, "xatol": 1e-4, "fatol": 1e-9}
        return setting(
            minimize(loss, start, method="Nelder-Mead", bounds=[(0.0, 1.0)] * len(start), options=options).x
        )


def _starts(discard: frozenset[Case]) -> list[tuple[float, ...]]:
    if Case.BOTH_MISSING not in discard:
        return list(_STARTS)
    return [(w2,) for w2 in dict.fromkeys(w2 for w2, _ in _STARTS)]


def _parts(step: float) -> int:
    """How many steps make 1."""
    if not math.isfinite(step) or not _LEAST_STEP <= Fraction(step).limit_denominator(10**6) <= 1:
        raise OptionError(f"step: a number from {float(_LEAST_STEP)} to 1 expected, found {step:g}")
    parts = round(1 / step)
    if abs(parts * step - 1) > 1e-6:
        raise OptionError(f"step: {step:g} does not divide 1; 0.1, 0.05 or 0.25 would")
    return parts
