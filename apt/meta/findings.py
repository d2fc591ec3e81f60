"""What correlating finds, as frozen values: the same for systems and for segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from apt.meta.differences import Permuted, Williams
from apt.significance import Interval

# How scores are brought together: a score a system; all pairs in one heap; the mean over systems, or over
# segments, of the correlation within each.
Grouping = Literal["systems", "pooled", "by system", "by segment"]


@dataclass(frozen=True)
class Estimate:
    """A statistic with its interval; None where it is undefined."""

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True)
class Line:
    """The regression line: human = intercept + slope · metric."""

    slope: float
    intercept: float


@dataclass(frozen=True)
class MetricAgreement:
    """How one metric agrees with people.

    `n` is the number of pairs of scores, `of` that of the human scores; `groups` is the number of systems or
    segments averaged over, where a grouping does that, besides `undefined_groups` without a correlation.
    `parts` holds the statistics of each system.
    """

    metric: str
    n: int
    of: int
    estimates: Mapping[str, Estimate]
    undefined: str | None = None
    line: Line | None = None
    groups: int | None = None
    undefined_groups: int = 0
    parts: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class PairTest:
    """Two metrics compared by one statistic on what both scored; `higher` is the one that agrees better."""

    higher: str
    lower: str
    difference: float | None
    williams: Williams | None
    permuted: Permuted | None


@dataclass(frozen=True)
class View:
    """All metrics on the same scores; `clusters` numbers those that cannot be told apart, best first."""

    title: str
    grouping: Grouping
    systems: Sequence[str]
    left_out: Sequence[str]
    metrics: Sequence[MetricAgreement]
    tests: Sequence[PairTest] = ()
    clusters: Mapping[str, int] = field(default_factory=dict)

    def of(self, metric: str) -> MetricAgreement:
        """What was found of one metric."""
        return next(found for found in self.metrics if found.metric == metric)


@dataclass(frozen=True)
class Correlated:
    """Everything found, and how: the statistic tested, what was drawn, how often, by which seed."""

    views: Sequence[View]
    human_name: str
    statistic: str
    unit: str
    resamples: int
    permutations: int
    seed: int
    level: float
    outliers: Sequence[str] = ()
    units: int | None = None  # how many segments or documents there are to draw; systems are in the views
