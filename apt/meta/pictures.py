"""Scatter plots of what was correlated: a panel a metric, for `apt.meta.plots.draw`.

In go the scores and what was found of them, out come panels. The line and its band are those of the systems
that are not left out; the band is where 95 % of the lines through resampled points lie.
"""

import numpy as np

from apt.meta.correlate import line_of, why_undefined
from apt.meta.correlation import Floats
from apt.meta.findings import Correlated, Estimate, View
from apt.meta.intervals import LEAST_UNITS
from apt.meta.panels import Band, Panel
from apt.meta.tables import LEAST_SYSTEMS, SegmentTable, SystemTable

_LINES = 1000  # through resampled points
_ACROSS = 50  # places at which the band is drawn
_SHOWN = (("pearson", "r"), ("spearman", "ρ"))


def pictures(table: SystemTable | SegmentTable, found: Correlated) -> list[Panel]:
    """A panel for each metric that has a correlation: of the systems, or of all segments together."""
    if isinstance(table, SegmentTable):
        view = [view for view in found.views if view.grouping == "pooled"][-1]
        segments = table.segments
        names = [f"{system} {segment}" for system in table.systems for segment in segments]
        table = SystemTable(
            tuple(names),
            table.human.ravel(),
            {name: scores.ravel() for name, scores in table.metrics.items()},
            table.human_name,
        )
        left_out = frozenset(f"{system} {segment}" for system in view.left_out for segment in segments)
    else:
        view = found.views[-1]
        left_out = frozenset(view.left_out)
    metrics = [metric.metric for metric in view.metrics if metric.undefined is None]
    return [_panel(table, metric, view, found, left_out) for metric in metrics]


def _panel(table: SystemTable, metric: str, view: View, found: Correlated, left_out: frozenset[str]) -> Panel:
    scores = table.metrics[metric]
    there = ~np.isnan(table.human + scores)
    names = [name for name, shown in zip(table.systems, there, strict=True) if shown]
    kept = np.array([name not in left_out for name in names])
    human, scores = table.human[there], scores[there]
    line = line_of(human[kept], scores[kept])
    agreement = view.of(metric)
    captions = [_caption(sign, agreement.estimates[name]) for name, sign in _SHOWN]
    of_systems = found.unit == "systems"
    if of_systems and view.left_out:
        r = found.views[0].of(metric).estimates["pearson"].value
        captions.append("all systems: r " + ("undefined" if r is None else f"= {_two(r)}"))
    return Panel(
        title="",
        x_label=metric,
        y_label=table.human_name,
        names=names,
        metric=[float(score) for score in scores],
        human=[float(score) for score in human],
        line=None if line is None else (line.slope, line.intercept),
        # Segments share their difficulty: lines through points drawn one by one would say too little.
        band=band_of(human[kept], scores[kept], found) if of_systems and line is not None else None,
        captions=captions,
        left_out=left_out,
    )


def _caption(sign: str, estimate: Estimate) -> str:
    if estimate.value is None:
        return f"{sign} undefined"
    ends = estimate.interval
    interval = f" [{_two(ends.low)}, {_two(ends.high)}]" if ends else ""
    return f"{sign} = {_two(estimate.value)}{interval}"


def _two(value: float) -> str:
    """Two decimals; −0 is 0."""
    return f"{round(value, 2) + 0.0:.2f}"


def band_of(human: Floats, scores: Floats, found: Correlated) -> Band | None:
    """Where the regression line may lie; None when there are too few points to resample."""
    if len(human) < LEAST_UNITS:
        return None
    x = np.linspace(scores.min(), scores.max(), _ACROSS)
    rng = np.random.default_rng(found.seed)
    heights = []
    for _ in range(min(found.resamples, _LINES)):
        drawn = rng.integers(len(human), size=len(human))
        if len(np.unique(drawn)) >= LEAST_SYSTEMS and why_undefined(human[drawn], scores[drawn]) is None:
            line = line_of(human[drawn], scores[drawn])
            if line is not None:
                heights.append(line.intercept + line.slope * x)
    if not heights:
        return None
    low, high = np.quantile(heights, [(1 - found.level) / 2, (1 + found.level) / 2], axis=0)
    return Band(list(map(float, x)), list(map(float, low)), list(map(float, high)))
