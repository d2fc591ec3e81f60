"""Metrics against human scores of whole systems: `correlate`.

In goes a `SystemTable`, out comes `Correlated`: one view with all systems, and one without those that were
named or are outliers, because one bad system can make any metric look good (Miculicich Werlen & Popescu-Belis
2017, Table 3). Systems are drawn for intervals, by the seed alone, so that what is said of a metric does not
depend on its company.
"""

import math
from collections.abc import Callable, Collection, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from apt.comparing import DEFAULT_SEED
from apt.errors import OptionError
from apt.meta.correlation import STATISTICS, Floats, all_statistics, is_constant, pearson
from apt.meta.differences import Permuted, Williams, clusters, permutation_test, williams_test
from apt.meta.findings import Correlated, Estimate, Line, MetricAgreement, PairTest, View
from apt.meta.intervals import accelerated_interval
from apt.meta.tables import LEAST_SYSTEMS, SystemTable, alike

OUTLIER = 2.5  # so many times the spread from the median (WMT metrics tasks since 2019)
_MAD_TO_SPREAD = 1.483  # the median absolute deviation of a normal distribution is its spread / 1.483

_FEW, _RESAMPLES_OF_FEW, _RESAMPLES_OF_MANY = 30, 10_000, 1_000
_PAIRS_AT_ONCE = 1 << 19  # of systems in resamples: a few megabytes
Test = Callable[[Floats, Floats], Permuted | None]


def outliers(table: SystemTable) -> list[str]:
    """The systems whose human score is far from the others': |x − median| / (1.483 · MAD) > 2.5.

    None where more than half of the scores are the same: then there is no spread to compare with.
    """
    away = np.abs(table.human - np.nanmedian(table.human))
    spread = _MAD_TO_SPREAD * float(np.nanmedian(away))
    if spread == 0:
        return []
    return [name for name, far in zip(table.systems, away / spread > OUTLIER, strict=True) if far]


def correlate(
    table: SystemTable,
    *,
    drop: Collection[str] = (),
    find_outliers: bool = True,
    statistic: str = "pearson",
    resamples: int | None = None,
    permutations: int = 10_000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> Correlated:
    """Correlations with intervals, of all systems and of those that are not dropped or outliers.

    Outliers are left out only where enough systems remain without them. Without a number of `resamples`
    few systems are drawn 10,000 times, because BCa looks far into the tails, and more than 30 of them 1,000
    times.

    >>> table = SystemTable.of([1, 2, 3, 4], {"up": [1, 2, 3, 5], "down": [5, 4, 2, 1]})
    >>> found = correlate(table).views[0]
    >>> round(found.of("up").estimates["pearson"].value, 4), found.of("down").estimates["kendall"].value
    (0.9827, -1.0)
    """
    if resamples is None:
        resamples = _RESAMPLES_OF_FEW if len(table.systems) <= _FEW else _RESAMPLES_OF_MANY
    check_plan(statistic, resamples, permutations, seed, level)
    table.check()
    chosen = [name for name in table.systems if name in set(drop)]
    remaining = table.without(drop)
    if chosen:
        _check_enough(remaining, chosen)
    found = outliers(remaining) if find_outliers else []
    left_out: list[list[str]] = [[]]
    left_out += [chosen] if chosen else []
    left_out += [[*chosen, *found]] if found and _judged(remaining.without(found)) >= LEAST_SYSTEMS else []
    plan = (resamples, permutations, seed)
    views = [_view(table.without(names), names, statistic, plan, level) for names in left_out]
    return Correlated(
        views, table.human_name, statistic, "systems", resamples, permutations, seed, level, tuple(found)
    )


def check_plan(statistic: str, resamples: int, permutations: int, seed: int, level: float) -> None:
    """Raise when any of these cannot be."""
    if statistic not in STATISTICS:
        raise OptionError(f"unknown statistic {statistic!r}. Available: {', '.join(STATISTICS)}")
    for name, number, least in (
        ("resamples", resamples, 1),
        ("permutations", permutations, 1),
        ("seed", seed, 0),
    ):
        if number < least:
            raise OptionError(f"{name}: at least {least} needed, found {number}")
    if not 0 < level < 1:
        raise OptionError(f"level: a number between 0 and 1 expected, found {level}")


def _check_enough(table: SystemTable, left_out: Sequence[str]) -> None:
    judged = _judged(table)
    if judged < LEAST_SYSTEMS:
        raise OptionError(
            f"without {', '.join(left_out)} only {judged} systems remain; at least {LEAST_SYSTEMS} are needed"
        )
    table.check()


def _judged(table: SystemTable) -> int:
    return int(np.count_nonzero(~np.isnan(table.human)))


def _view(
    table: SystemTable, left_out: Sequence[str], statistic: str, plan: tuple[int, int, int], level: float
) -> View:
    resamples, permutations, seed = plan
    found = [_agreement(table, name, resamples, seed, level) for name in table.metrics]

    def test(one: Floats, other: Floats) -> Permuted | None:
        return permutation_test(
            table.human[:, None],
            one[:, None],
            other[:, None],
            lambda human, metric: STATISTICS[statistic](human[..., 0], metric[..., 0]),
            permutations,
            seed,
        )

    tests = [_compared(table, pair, statistic, test) for pair in combinations(ranked(found, statistic), 2)]
    title = "all systems" if not left_out else f"without {', '.join(left_out)}"
    return View(
        title, "systems", table.systems, tuple(left_out), found, tests, clusters_of(found, tests, statistic)
    )


def _agreement(table: SystemTable, metric: str, resamples: int, seed: int, level: float) -> MetricAgreement:
    human, scores = table.human, table.metrics[metric]
    there = ~(np.isnan(human) | np.isnan(scores))
    n, of = int(there.sum()), int(np.count_nonzero(~np.isnan(human)))
    reason = why_undefined(human[there], scores[there])
    if reason is not None:
        return MetricAgreement(metric, n, of, {name: Estimate(None) for name in STATISTICS}, reason)
    human, scores = human[there], scores[there]
    drawn = np.random.default_rng(seed).integers(n, size=(resamples, n))
    values = all_statistics(human, scores)
    resampled = _resampled(human, scores, drawn)
    others = np.array([np.delete(np.arange(n), i) for i in range(n)])
    left_out = all_statistics(human[others], scores[others])
    estimates = {
        name: Estimate(
            float(value), accelerated_interval(resampled[name], float(value), left_out[name], level)
        )
        for name, value in values.items()
    }
    return MetricAgreement(metric, n, of, estimates, line=line_of(human, scores))


def _resampled(human: Floats, scores: Floats, drawn: NDArray[np.int64]) -> dict[str, Floats]:
    """The statistics of resamples, undefined where fewer than three different systems were drawn."""
    blocks = []
    at_once = max(1, _PAIRS_AT_ONCE // drawn.shape[1] ** 2)
    for start in range(0, len(drawn), at_once):
        block = drawn[start : start + at_once]
        times = np.stack([np.count_nonzero(block == system, axis=1) for system in range(block.shape[1])])
        values = all_statistics(human[block], scores[block], np.sum(times * (times - 1) // 2, axis=0))
        few = np.count_nonzero(times, axis=0) < LEAST_SYSTEMS
        blocks.append({name: np.where(few, np.nan, value) for name, value in values.items()})
    return {name: np.concatenate([block[name] for block in blocks]) for name in STATISTICS}


def why_undefined(human: Floats, scores: Floats) -> str | None:
    """Why nothing can be said of a metric, given the scores it has beside human ones."""
    if len(scores) < LEAST_SYSTEMS:
        return f"only {len(scores)} scores stand beside a human one"
    if is_constant(scores):
        return f"all scores {alike(scores)}"
    if is_constant(human):
        return f"all human scores beside it {alike(human)}"
    return None


def line_of(human: Floats, scores: Floats) -> Line | None:
    """Least squares of human on metric scores; None where numbers are too small for a slope."""
    away = scores - scores.mean()
    farthest = float(np.max(np.abs(away)))
    away = away / farthest  # squares of very small numbers would be 0
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        slope = float(np.sum(away * (human - human.mean())) / np.sum(away * away) / farthest)
        intercept = float(human.mean() - slope * scores.mean())
    return Line(slope, intercept) if math.isfinite(slope) and math.isfinite(intercept) else None


def ranked(found: Sequence[MetricAgreement], statistic: str) -> list[str]:
    """The metrics for which the statistic is defined, best first."""
    values = {metric.metric: metric.estimates[statistic].value for metric in found}
    defined = {name: value for name, value in values.items() if value is not None}
    return sorted(defined, key=lambda name: -defined[name])


def _compared(table: SystemTable, pair: tuple[str, str], statistic: str, test: Test) -> PairTest:
    """Both on the systems that both have scored."""
    one, other = (table.metrics[name] for name in pair)
    there = ~(np.isnan(table.human) | np.isnan(one) | np.isnan(other))
    williams = None
    if statistic == "pearson":
        sides = ((table.human, one), (table.human, other), (one, other))
        r = [float(pearson(a[there], b[there])) for a, b in sides]
        williams = None if np.isnan(r).any() else williams_test(r[0], r[1], r[2], int(there.sum()))
    return pair_test(pair, williams, test(one, other))


def pair_test(pair: tuple[str, str], williams: Williams | None, permuted: Permuted | None) -> PairTest:
    """The test of a pair: which is higher is seen on what both scored, not on what either did."""
    if permuted is None:
        return PairTest(*pair, None, williams, permuted)
    if permuted.difference < 0:
        pair = pair[::-1]
        permuted = permuted._replace(difference=-permuted.difference)
        williams = None if williams is None else williams._replace(t=-williams.t)
    return PairTest(*pair, permuted.difference, williams, permuted)


def clusters_of(
    found: Sequence[MetricAgreement], tests: Sequence[PairTest], statistic: str
) -> dict[str, int]:
    """The cluster of each metric by the permutation test."""
    order = ranked(found, statistic)
    p_of = {(test.higher, test.lower): test.permuted.p for test in tests if test.permuted is not None}
    return dict(zip(order, clusters(order, p_of), strict=True))
