"""Metrics against human scores of single segments (or documents): `correlate_segments`.

In goes a `SegmentTable`, out comes `Correlated` with a view for each way of bringing scores together: the
systems' means; all pairs in one heap; the correlation within each system, averaged over systems; that within
each segment, averaged over segments (where systems compete on the same text). A score that is missing on
either side is left out, and how many there are is part of what is found. Segments are drawn for intervals and
swapped for tests, or whole documents, whose segments are not independent.

Arrays are systems × segments, with more axes before these when many resamples are looked at together.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from apt.comparing import DEFAULT_SEED, UNITS, Unit
from apt.errors import OptionError
from apt.meta.correlate import check_plan, clusters_of, line_of, outliers, pair_test, ranked, why_undefined
from apt.meta.correlation import STATISTICS, Floats, all_statistics
from apt.meta.differences import permutation_test
from apt.meta.findings import Correlated, Estimate, Grouping, Line, MetricAgreement, PairTest, View
from apt.meta.intervals import percentile_interval
from apt.meta.tables import LEAST_SYSTEMS, SegmentTable, SystemTable, row_means

GROUPINGS: tuple[Grouping, ...] = ("systems", "pooled", "by system", "by segment")
Ints = NDArray[np.int64]
Values = Mapping[str, Floats]
Progress = Callable[[float], None]


def correlate_segments(
    table: SegmentTable,
    *,
    drop: Collection[str] = (),
    find_outliers: bool = False,
    common: bool = False,
    unit: Unit = "segments",
    group: Grouping = "pooled",
    statistic: str = "pearson",
    resamples: int = 1000,
    permutations: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    progress: Progress = lambda share: None,
) -> Correlated:
    """Correlations in every grouping with intervals, and the tests of metrics in one of them, `group`.

    All of it for all systems and, where there are such, without those that are dropped and without outliers
    of the mean human score. `common` looks only at what all metrics have scored; otherwise each metric is
    seen on all it has, and two are compared on what both have.
    """
    check_plan(statistic, resamples, permutations, seed, level)
    if group not in GROUPINGS:
        raise OptionError(f"unknown grouping {group!r}. Available: {', '.join(GROUPINGS)}")
    table.check()
    far = _outliers(table.without(drop)) if find_outliers else []
    parts = [_Part(table, left_out, common, unit, group) for left_out in _left_out(table, drop, far)]
    plan = _Plan(group, statistic, resamples, permutations, seed, level)
    views: list[View] = []
    for number, part in enumerate(parts):
        views += _views(part, plan, partial(_overall, progress, number, len(parts)))
    return Correlated(
        views,
        table.human_name,
        statistic,
        unit,
        resamples,
        permutations,
        seed,
        level,
        tuple(far),
        units=parts[-1].count,
    )


@dataclass(frozen=True)
class _Plan:
    """What is computed of every part."""

    group: Grouping
    statistic: str
    resamples: int
    permutations: int
    seed: int
    level: float


class _Part:
    """The scores of some of the systems, found fit to be looked at."""

    def __init__(
        self, table: SegmentTable, left_out: Sequence[str], common: bool, unit: Unit, group: Grouping
    ) -> None:
        part = table.without(left_out)
        self.left_out = tuple(left_out)
        self.judged = int(np.count_nonzero(~np.isnan(part.human)))
        self.table = part.common() if common else part
        self.table.check()
        self.units = _units(self.table, unit)
        if group not in _groupings(self.table):
            raise OptionError(f"grouping {group!r} needs at least {LEAST_SYSTEMS} systems")

    @property
    def count(self) -> int:
        return int(self.units.max()) + 1


def _overall(progress: Progress, part: int, parts: int, share: float) -> None:
    progress((part + share) / parts)


def _left_out(table: SegmentTable, drop: Collection[str], far: Sequence[str]) -> list[list[str]]:
    """Nobody; those dropped; and outliers besides, where three systems remain."""
    chosen = [name for name in table.systems if name in set(drop)]
    sets: list[list[str]] = [[], chosen] if chosen else [[]]
    if far and len(table.systems) - len(chosen) - len(far) >= LEAST_SYSTEMS:
        sets.append([*chosen, *far])
    return sets


def _outliers(table: SegmentTable) -> list[str]:
    """By the systems' mean human scores."""
    if np.isnan(table.human).all():
        return []  # everything is dropped, which is refused elsewhere
    return outliers(SystemTable(table.systems, row_means(table.human), {}, table.human_name))


def _views(part: _Part, plan: _Plan, progress: Progress) -> list[View]:
    """A view for each grouping."""
    table, group, statistic = part.table, plan.group, plan.statistic
    found: dict[Grouping, list[MetricAgreement]] = {grouping: [] for grouping in _groupings(table)}
    for number, metric in enumerate(table.metrics):
        drawn = _Drawn(part.units, plan.resamples, plan.seed)
        for grouping, agreement in _agreements(table, metric, drawn, plan.level, part.judged).items():
            found[grouping].append(agreement)
        progress((number + 1) / len(table.metrics))
    tests = _tests(table, found[group], group, statistic, part.units, plan.permutations, plan.seed)
    return [
        View(
            _title(grouping, table, part.left_out),
            grouping,
            table.systems,
            part.left_out,
            agreements,
            tests if grouping == group else (),
            clusters_of(agreements, tests, statistic) if grouping == group else {},
        )
        for grouping, agreements in found.items()
    ]


def _groupings(table: SegmentTable) -> list[Grouping]:
    """Those that make sense: a correlation over systems needs three."""
    few = len(table.systems) < LEAST_SYSTEMS
    return [grouping for grouping in GROUPINGS if not few or grouping in ("pooled", "by system")]


def _title(grouping: Grouping, table: SegmentTable, left_out: Sequence[str]) -> str:
    item = table.item
    title = {
        "systems": f"systems: means of their {item} scores",
        "pooled": f"pooled: all {item}s of all systems together",
        "by system": f"by system: over the {item}s of each, averaged over systems",
        "by segment": f"by {item}: over the systems of each, averaged over {item}s",
    }[grouping]
    return f"{title}, without {', '.join(left_out)}" if left_out else title


def _units(table: SegmentTable, unit: Unit) -> Ints:
    """The unit of each column, numbered from 0."""
    if unit not in UNITS:
        raise OptionError(f"unknown unit {unit!r}. Available: {', '.join(UNITS)}")
    if unit == "segments":
        names: Sequence[str] = table.segments
    elif table.documents is None:
        raise OptionError("documents cannot be drawn: nothing says which segments they are")
    else:
        names = table.documents
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    if len(numbers) < 2:
        raise OptionError(f"resampling: at least 2 {unit} needed, found {len(numbers)}")
    return np.array([numbers[name] for name in names])


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Columns drawn with repetition, unit by unit."""

    units: Ints
    resamples: int
    seed: int

    @property
    def count(self) -> int:
        return int(self.units.max()) + 1

    def columns(self) -> list[Ints]:
        """The columns of each resample."""
        members = np.split(np.argsort(self.units, kind="stable"), np.cumsum(np.bincount(self.units))[:-1])
        rng = np.random.default_rng(self.seed)
        draws = (rng.integers(len(members), size=len(members)) for _ in range(self.resamples))
        return [np.concatenate([members[unit] for unit in draw]) for draw in draws]


def _agreements(
    table: SegmentTable, metric: str, drawn: _Drawn, level: float, judged: int
) -> dict[Grouping, MetricAgreement]:
    """One metric in every grouping; `judged` is how many human scores there are."""
    human, scores = table.human, table.metrics[metric]
    there = ~(np.isnan(human) | np.isnan(scores))
    n, _ = table.coverage(metric)
    reason = why_undefined(human[there], scores[there])
    groupings = _groupings(table)
    if reason is not None:
        nothing = {name: Estimate(None) for name in STATISTICS}
        return {grouping: MetricAgreement(metric, n, judged, nothing, reason) for grouping in groupings}
    by_segment = _within(human.T, scores.T)
    resampled: dict[Grouping, list[Values]] = {grouping: [] for grouping in groupings}
    for columns in drawn.columns():
        for grouping in groupings:
            resampled[grouping].append(_values(grouping, human, scores, columns, by_segment))
    observed = np.arange(human.shape[1])
    found = {}
    for grouping in groupings:
        values = _values(grouping, human, scores, observed, by_segment)
        draws = {name: np.array([float(draw[name]) for draw in resampled[grouping]]) for name in values}
        estimates = {
            name: Estimate(_defined(value), percentile_interval(draws[name], drawn.count, level))
            for name, value in values.items()
        }
        counted = _systems_counted(human, scores) if grouping == "systems" else (n, judged)
        whole = MetricAgreement(metric, *counted, estimates, line=_line(grouping, human, scores))
        found[grouping] = _with_groups(whole, grouping, table)
    return found


def _values(
    grouping: Grouping, human: Floats, scores: Floats, columns: Ints, by_segment: Values
) -> dict[str, Floats]:
    """Every statistic of the columns drawn."""
    if grouping == "by segment":
        return {name: row_means(values[columns]) for name, values in by_segment.items()}
    human, scores = human[:, columns], scores[:, columns]
    if grouping == "systems":
        return _of_enough(*_means(human, scores))
    # A column drawn twice stands beside itself: such ties are no merit.
    times = np.bincount(columns)[columns]
    beside_itself = ~np.isnan(human + scores) * (times - 1) / 2
    if grouping == "pooled":
        return all_statistics(human.ravel(), scores.ravel(), beside_itself.sum())
    within = _within(human, scores, beside_itself.sum(axis=1))
    return {name: row_means(values) for name, values in within.items()}


def _within(human: Floats, scores: Floats, repeated: Floats | None = None) -> dict[str, Floats]:
    """Every statistic of each row, where it has a correlation: all are averaged over the same rows."""
    values = _of_enough(human, scores, repeated)
    undefined = np.isnan(values["pearson"])
    return {name: np.where(undefined, np.nan, value) for name, value in values.items()}


def _of_enough(human: Floats, scores: Floats, repeated: Floats | None = None) -> dict[str, Floats]:
    """Every statistic, undefined where there are fewer than three pairs: two always lie on a line."""
    few = np.count_nonzero(~np.isnan(human + scores), axis=-1) < LEAST_SYSTEMS
    values = all_statistics(human, scores, repeated)
    return {name: np.where(few, np.nan, value) for name, value in values.items()}


def _with_groups(found: MetricAgreement, grouping: Grouping, table: SegmentTable) -> MetricAgreement:
    """How many systems or segments were averaged over, and what each system has."""
    if grouping not in ("by system", "by segment"):
        return found
    human, scores = table.human, table.metrics[found.metric]
    within = _within(human, scores) if grouping == "by system" else _within(human.T, scores.T)
    undefined = int(np.count_nonzero(np.isnan(within["pearson"])))
    parts = {
        system: {name: _defined(values[row]) for name, values in within.items()}
        for row, system in enumerate(table.systems if grouping == "by system" else ())
    }
    groups = len(within["pearson"]) - undefined
    return replace(found, groups=groups, undefined_groups=undefined, parts=parts)


def _line(grouping: Grouping, human: Floats, scores: Floats) -> Line | None:
    if grouping not in ("pooled", "systems"):
        return None
    if grouping == "systems":
        human, scores = _means(human, scores)
    both = ~np.isnan(human + scores)
    human, scores = human[both], scores[both]
    return None if why_undefined(human, scores) else line_of(human, scores)


def _tests(
    table: SegmentTable,
    found: Sequence[MetricAgreement],
    group: Grouping,
    statistic: str,
    units: Ints,
    permutations: int,
    seed: int,
) -> list[PairTest]:
    """Williams' test is not among them: it wants scores that are independent, and segments are not."""
    whole = _whole(group, statistic)
    tests = []
    for pair in combinations(ranked(found, statistic), 2):
        one, other = (table.metrics[name] for name in pair)
        permuted = permutation_test(table.human, one, other, whole, permutations, seed, units)
        tests.append(pair_test(pair, None, permuted))
    return tests


def _whole(group: Grouping, statistic: str) -> Callable[[Floats, Floats], Floats]:
    """The statistic of arrays (..., systems, segments) in a grouping."""
    of = STATISTICS[statistic]

    def pooled(human: Floats, scores: Floats) -> Floats:
        return of(human.reshape(*human.shape[:-2], -1), scores.reshape(*scores.shape[:-2], -1))

    def within(human: Floats, scores: Floats) -> Floats:
        few = np.count_nonzero(~np.isnan(human + scores), axis=-1) < LEAST_SYSTEMS
        undefined = few | np.isnan(STATISTICS["pearson"](human, scores))
        return row_means(np.where(undefined, np.nan, of(human, scores)))

    whole: dict[Grouping, Callable[[Floats, Floats], Floats]] = {
        "pooled": pooled,
        "systems": lambda human, scores: of(*_means(human, scores)),
        "by system": within,
        "by segment": lambda human, scores: within(np.swapaxes(human, -1, -2), np.swapaxes(scores, -1, -2)),
    }
    return whole[group]


def _systems_counted(human: Floats, scores: Floats) -> tuple[int, int]:
    """How many systems have a mean of the metric, and how many one of people."""
    both = ~np.isnan(_means(human, scores)[0])
    return int(np.count_nonzero(both)), int(np.count_nonzero(~np.isnan(human).all(axis=1)))


def _means(human: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """The systems' means, of people too only over what the metric has scored: the same text for both."""
    missing = np.isnan(human) | np.isnan(scores)
    return row_means(np.where(missing, np.nan, human)), row_means(np.where(missing, np.nan, scores))


def _defined(value: Floats) -> float | None:
    return None if np.isnan(value) else float(value)
