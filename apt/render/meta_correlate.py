"""What correlating found, as a `Report`: tables and remarks for people, rows and JSON for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from apt.meta.correlate import ranked
from apt.meta.correlation import STATISTICS
from apt.meta.findings import Correlated, Estimate, MetricAgreement, PairTest, View
from apt.meta.intervals import LEAST_UNITS
from apt.render.report import UNDEFINED, Report, Table, exact, interval, number
from apt.render.tables import p_value

TITLES = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ",
    "accuracy": "accuracy",
    "accuracy_ties": "acc. (ties)",
}
_FEW = 10  # systems
_FEW_UNITS = 60  # segments: simulated with 30 of them, intervals held the true r in 89 % of cases
_ALPHA = 0.05
_TIDY = ("view", "metric", "statistic", "value", "low", "high", "n", "of", "system", "against")


def correlation_report(found: Correlated, notes: Sequence[str] = (), width: int = 4) -> Report:
    """Tables of every view, tests, and what has to be said about them."""
    tables = []
    for view in found.views:
        tables += _view_tables(view, found, width)
    tables.append(_lines_table(found, width))
    return Report(
        "apt-meta correlate",
        tables,
        [*notes, *_notes(found)],
        Table("", _TIDY, _tidy_rows(found), labels=3),
        correlation_dict(found, [*notes, *_notes(found)]),
    )


def _view_tables(view: View, found: Correlated, width: int) -> list[Table]:
    tables = [_agreement_table(view, found, width)]
    parts = _parts_table(view, found.statistic, width)
    tables += [parts] if parts.rows else []
    if view.tests:
        tables.append(_tests_table(view, found, width))
    return tables


def _agreement_table(view: View, found: Correlated, width: int) -> Table:
    head = ["metric", "n", *TITLES.values()]
    kind = f"{view.grouping.removeprefix('by ')}s" if view.grouping.startswith("by ") else None
    if kind is not None:
        head.insert(2, kind)
    if view.clusters:
        head.insert(1, "cluster")
    rows = []
    for metric in _best_first(view, found.statistic):
        cells = [metric.metric, _n(metric)]
        if kind is not None:
            cells.append(UNDEFINED if metric.groups is None else str(metric.groups))
        if view.clusters:
            cells.insert(1, str(view.clusters.get(metric.metric, UNDEFINED)))
        rows.append([*cells, *(_estimate(metric.estimates[name], width) for name in TITLES)])
        intervals = [metric.estimates[name].interval for name in TITLES]
        if any(intervals):
            blank = [""] * len(cells)
            decimals = width if width > 4 else min(width, 3)  # two of them stand in a cell
            ends = [
                UNDEFINED if ends is None else interval(ends.low, ends.high, decimals) for ends in intervals
            ]
            rows.append([*blank, *ends])
    return Table(_title(view, found), head, rows)


def _title(view: View, found: Correlated) -> str:
    if view.grouping == "systems" and found.unit == "systems":
        which = f"all {len(view.systems)} systems"
        if view.left_out:
            which = f"{len(view.systems)} systems, {view.title},"
        return f"{which} against {found.human_name}"
    return f"{view.title}, against {found.human_name}"


def _lines_table(found: Correlated, width: int) -> Table:
    """The regression lines."""
    rows = [
        [
            view.title.partition(":")[0],
            metric.metric,
            f"{line.intercept:.{width}g}",
            f"{line.slope:.{width}g}",
        ]
        for view in found.views
        for metric in _best_first(view, found.statistic)
        if (line := metric.line) is not None
    ]
    title = f"regression: {found.human_name} = intercept + slope · metric"
    return Table(title, ["", "metric", "intercept", "slope"], rows, labels=2)


def _parts_table(view: View, statistic: str, width: int) -> Table:
    """The correlation within each system."""
    systems = [system for system in view.systems if any(system in found.parts for found in view.metrics)]
    rows = [
        [system, *(number(found.parts.get(system, {}).get(statistic), width) for found in view.metrics)]
        for system in systems
    ]
    head = ["system", *(found.metric for found in view.metrics)]
    return Table(f"{TITLES[statistic]} within each system", head, rows)


def _tests_table(view: View, found: Correlated, width: int) -> Table:
    """A matrix: above the diagonal p of the permutation test, below it Williams' (systems only)."""
    order = ranked(view.metrics, found.statistic)
    tests = {frozenset((test.higher, test.lower)): test for test in view.tests}
    with_williams = _has_williams(view)
    rows = []
    for row, name in enumerate(order):
        cells = [name]
        for column, other in enumerate(order):
            if row == column or (row > column and not with_williams):
                cells.append("-")
                continue
            test = tests[frozenset((name, other))]
            cells.append(_p(test.permuted if row < column else test.williams))
        rows.append(cells)
    below = ", below the diagonal Williams' test" if with_williams else ""
    title = f"p of no difference in {TITLES[found.statistic]} (two-sided): permutation test{below}"
    return Table(title, ["", *order], rows)


def _has_williams(view: View) -> bool:
    return any(test.williams is not None for test in view.tests)


def _p(found: Any) -> str:
    return UNDEFINED if found is None else p_value(found.p)


def _best_first(view: View, statistic: str) -> list[MetricAgreement]:
    def key(found: MetricAgreement) -> tuple[bool, float]:
        value = found.estimates[statistic].value
        return value is None, -(value or 0.0)

    return sorted(view.metrics, key=key)


def _estimate(estimate: Estimate, width: int) -> str:
    return number(estimate.value, width)


def _n(found: MetricAgreement) -> str:
    return str(found.n) if found.n == found.of else f"{found.n} of {found.of}"


# ---- what has to be said ----


def _notes(found: Correlated) -> list[str]:
    view = found.views[0]
    kind = "BCa bootstrap" if found.unit == "systems" else "percentile bootstrap"
    drawn = f"{found.resamples} resamples of {found.unit}, seed {found.seed}"
    notes = [
        "accuracy: pairs ordered as by people, except their ties; acc. (ties): all pairs, equal ties right",
        f"[low, high]: {100 * found.level:g} % by {kind}, {drawn}",
    ]
    if not _has_intervals(found):
        del notes[-1]
        if found.unit != "systems":
            notes.append(f"no interval could be found: too few different values in {drawn}")
    notes += _undefined_notes(found)
    if found.unit == "systems":
        notes += _system_notes(found)
    else:
        notes += _segment_notes(found)
    if any(view.tests for view in found.views):
        notes += _test_notes(found)
    elif len(view.metrics) > 1:
        notes.append("no pair of metrics could be tested")
    return notes


def _has_intervals(found: Correlated) -> bool:
    return any(
        estimate.interval is not None
        for view in found.views
        for metric in view.metrics
        for estimate in metric.estimates.values()
    )


def _undefined_notes(found: Correlated) -> list[str]:
    reasons = {
        f"{metric.metric} is undefined: {metric.undefined}": None
        for view in found.views
        for metric in view.metrics
        if metric.undefined is not None
    }
    partial = {
        f"{metric.metric} has scores for {metric.n} of the {metric.of} with a human score": None
        for metric in _whole_view(found).metrics
        if metric.n < metric.of and metric.undefined is None
    }
    return [*reasons, *partial]


def _whole_view(found: Correlated) -> View:
    """The view that counts every score: that of all systems, or of all segments."""
    return next((view for view in found.views if view.grouping == "pooled"), found.views[0])


def _outlier_notes(found: Correlated) -> list[str]:
    if not found.outliers:
        return []
    far = "|human − median| / (1.483 MAD) > 2.5"
    without = set(found.outliers) <= set(found.views[-1].left_out)
    what = "left out of the last tables" if without else "not left out, too few systems would remain"
    return [f"outliers, {what}: {', '.join(found.outliers)} ({far})"]


def _system_notes(found: Correlated) -> list[str]:
    notes = []
    notes += _outlier_notes(found)
    sizes = {view.title: max(metric.n for metric in view.metrics) for view in found.views}
    chance = [f"{_critical_r(n):.3f} with {n} systems" for n in dict.fromkeys(sizes.values()) if n >= 4]
    if chance:
        notes.append(f"chance alone gives a larger |r| in 5 % of cases than {', '.join(chance)}")
    notes += _interval_notes(found)
    n = min(sizes.values())
    if n < _FEW:
        notes.append(f"{n} systems are few: the order of the metrics can be chance")
    least = 2 / 2**n
    if least > _ALPHA and any(view.tests for view in found.views):
        notes.append(
            f"with {n} systems no permutation test can give p below {least:g}: nothing can be told apart"
        )
    return notes


def _interval_notes(found: Correlated) -> list[str]:
    """Why intervals are missing."""
    few: dict[str, None] = {}
    alike = False
    for view in found.views:
        for metric in view.metrics:
            if metric.undefined is None and metric.n < LEAST_UNITS:
                few[f"{metric.metric} ({metric.n})"] = None
            elif metric.undefined is None:
                estimates = metric.estimates.values()
                alike |= any(each.value is not None and each.interval is None for each in estimates)
    notes = []
    if few:
        notes.append(f"no intervals of fewer than {LEAST_UNITS} systems, being too narrow: {', '.join(few)}")
    if alike:
        notes.append("interval n/a: the resamples have all the same value, or half of them none")
    return notes


def _critical_r(n: int) -> float:
    """The |r| that uncorrelated normal scores exceed in 5 % of cases."""
    from scipy.stats import t as student

    t = float(student.ppf(1 - _ALPHA / 2, n - 2))
    return t / float((n - 2 + t * t) ** 0.5)


def _segment_notes(found: Correlated) -> list[str]:
    notes = ["a metric whose scores are often equal has a low accuracy for that alone: ties count as wrong"]
    notes += _outlier_notes(found)
    if found.units is not None and found.units < LEAST_UNITS:
        notes.append(f"no intervals: of fewer than {LEAST_UNITS} {found.unit} they are far too narrow")
    elif found.units is not None and found.units < _FEW_UNITS:
        notes.append(f"{found.units} {found.unit} are few to draw from: intervals are somewhat too narrow")
    for view in found.views:
        undefined = {
            metric.metric: metric.undefined_groups for metric in view.metrics if metric.undefined_groups
        }
        if undefined:
            each = ", ".join(f"{name} {n}" for name, n in undefined.items())
            kind = view.grouping.removeprefix("by ")
            without = f" without {', '.join(view.left_out)}" if view.left_out else ""
            what = f"left out, a side being constant or missing ({kind}s)"
            notes.append(f"{view.grouping}{without}: {what}: {each}")
    return notes


def _test_notes(found: Correlated) -> list[str]:
    tested = [view for view in found.views if view.tests]
    permuted = [test.permuted for view in tested for test in view.tests if test.permuted is not None]
    notes = []
    if permuted:
        how = "all swaps, exact" if permuted[0].exact else f"{permuted[0].swaps} random swaps"
        notes.append(f"permutation test: the two metrics' standardised scores swapped, {how}")
    if any(len(set(view.clusters.values())) > 1 for view in tested):
        comparisons = len(tested[0].tests)
        notes.append(
            f"cluster: no metric is worse than another of it with p < {_ALPHA:g} by the permutation test "
            f"({comparisons} comparisons, not adjusted); between clusters not every pair differs"
        )
    for view in tested:
        turned = [test for test in view.tests if _is_turned(test, view)]
        if len(set(view.clusters.values())) == 1 < len(view.clusters) and not turned:
            notes.append(f"{view.title}: one cluster, these data cannot tell the metrics apart")
        notes += [
            f"{test.higher} is better than {test.lower} on what both scored, though not above: see --common"
            for test in turned
        ]
    return notes


def _is_turned(test: PairTest, view: View) -> bool:
    """Whether two metrics differ, but not in the order in which they stand: they scored different text."""
    order = list(view.clusters)
    clear = test.permuted is not None and test.permuted.p < _ALPHA
    return clear and order.index(test.higher) > order.index(test.lower)


# ---- for programs ----


def _tidy_rows(found: Correlated) -> list[list[str]]:
    rows = []
    for view in found.views:
        for metric in view.metrics:
            for name in STATISTICS:
                estimate = metric.estimates[name]
                ends = estimate.interval
                low, high = (None, None) if ends is None else (ends.low, ends.high)
                cells = [
                    exact(estimate.value),
                    exact(low),
                    exact(high),
                    str(metric.n),
                    str(metric.of),
                    "",
                    "",
                ]
                rows.append([view.title, metric.metric, name, *cells])
            for system, values in metric.parts.items():
                rows += [
                    [view.title, metric.metric, name, exact(value), "", "", "", "", system, ""]
                    for name, value in values.items()
                ]
            rows += [
                [view.title, metric.metric, name, exact(value), "", "", "", "", "", ""]
                for name, value in _further(metric, view).items()
            ]
        for test in view.tests:
            rows += [
                [view.title, test.higher, name, exact(value), "", "", "", "", "", test.lower]
                for name, value in _tested(test).items()
            ]
    return rows


def _further(metric: MetricAgreement, view: View) -> dict[str, float | None]:
    """What else there is to say of a metric in numbers."""
    line = metric.line
    further = {
        "slope": None if line is None else line.slope,
        "intercept": None if line is None else line.intercept,
        "groups": metric.groups,
        "cluster": view.clusters.get(metric.metric),
    }
    return {name: value for name, value in further.items() if value is not None}


def _tested(test: PairTest) -> dict[str, float | None]:
    return {
        "difference": test.difference,
        "p_permutation": None if test.permuted is None else test.permuted.p,
        "p_williams": None if test.williams is None else test.williams.p,
    }


def correlation_dict(found: Correlated, notes: Sequence[str] = ()) -> dict[str, Any]:
    """The same as JSON."""
    return {
        "human": found.human_name,
        "resampling": {
            "unit": found.unit,
            "resamples": found.resamples,
            "permutations": found.permutations,
            "seed": found.seed,
            "level": found.level,
        },
        "statistic": found.statistic,
        "outliers": list(found.outliers),
        "views": [_view_dict(view) for view in found.views],
        "notes": list(notes),
    }


def _view_dict(view: View) -> dict[str, Any]:
    return {
        "title": view.title,
        "grouping": view.grouping,
        "systems": list(view.systems),
        "left_out": list(view.left_out),
        "metrics": [_metric_dict(metric, view) for metric in view.metrics],
        "tests": [_test_dict(test) for test in view.tests],
    }


def _metric_dict(found: MetricAgreement, view: View) -> dict[str, Any]:
    return {
        "metric": found.metric,
        "n": found.n,
        "of": found.of,
        "undefined": found.undefined,
        "cluster": view.clusters.get(found.metric),
        "line": found.line and asdict(found.line),
        "groups": found.groups,
        "undefined_groups": found.undefined_groups,
        "by_system": {system: dict(values) for system, values in found.parts.items()},
        **{
            name: {"value": estimate.value, "interval": estimate.interval and asdict(estimate.interval)}
            for name, estimate in found.estimates.items()
        },
    }


def _test_dict(test: PairTest) -> dict[str, Any]:
    return {
        "higher": test.higher,
        "lower": test.lower,
        "difference": test.difference,
        "williams": test.williams and test.williams._asdict(),
        "permutation": test.permuted and test.permuted._asdict(),
    }
