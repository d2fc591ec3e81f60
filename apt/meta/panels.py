"""What a scatter plot shows: points, intervals, a line with its band, captions; and where they lie.

In go scores, out come points and segments in the units of the scores, which apt.meta.plots draws.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from apt.meta.correlation import Floats


@dataclass(frozen=True)
class Band:
    """Where the regression line may lie: lower and upper end at each of some metric scores."""

    x: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


@dataclass(frozen=True)
class Panel:
    """One plot: a point a system (or segment), and what is said about them.

    `line` is slope and intercept of human = slope · metric + intercept; `captions` are lines of text inside
    the axes; intervals are (low, high), None where there is none; `left_out` are the names of systems that
    the line and the captions do not speak of.
    """

    title: str
    x_label: str
    y_label: str
    names: Sequence[str]
    metric: Sequence[float]
    human: Sequence[float]
    line: tuple[float, float] | None = None
    band: Band | None = None
    captions: Sequence[str] = ()
    metric_intervals: Sequence[tuple[float, float] | None] | None = None
    human_intervals: Sequence[tuple[float, float] | None] | None = None
    left_out: Collection[str] = ()

    def __post_init__(self) -> None:
        given = (self.names, self.metric, self.human, self.metric_intervals, self.human_intervals)
        if len({len(values) for values in given if values is not None}) != 1 or not self.names:
            raise ValueError("a name, a metric and a human score needed for every point, and one point")
        if not all(map(math.isfinite, [*self.metric, *self.human])):
            raise ValueError("points without a score cannot be drawn: leave them away")

    def points(self) -> Floats:
        """The points, n × 2."""
        return np.column_stack([self.metric, self.human]).astype(np.float64)

    def line_ends(self) -> Floats | None:
        """The regression line (x, y, x, y), as long as the points it speaks of and the band reach."""
        if self.line is None:
            return None
        slope, intercept = self.line
        points = zip(self.names, self.metric, strict=True)
        reach = [x for name, x in points if name not in self.left_out] or list(self.metric)
        reach += [] if self.band is None else list(self.band.x)
        low, high = min(reach), max(reach)
        return np.array([low, slope * low + intercept, high, slope * high + intercept])

    def bars(self) -> Floats:
        """The intervals as segments (x, y, x, y)."""
        points = list(zip(self.metric, self.human, strict=True))
        across = zip(points, self.metric_intervals or [None] * len(points), strict=True)
        along = zip(points, self.human_intervals or [None] * len(points), strict=True)
        segments = [(between[0], y, between[1], y) for (_, y), between in across if between is not None]
        segments += [(x, between[0], x, between[1]) for (x, _), between in along if between is not None]
        return np.array(segments, dtype=np.float64).reshape(-1, 4)
