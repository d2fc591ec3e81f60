"""What is found of metrics by scores of systems: by hand and by scipy; and findings as values."""

import json
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from functools import partial

import numpy as np
import pytest
from scipy import stats

from apt.errors import OptionError
from apt.meta import SegmentTable, SystemTable, correlate, correlate_segments, outliers
from apt.render.meta_correlate import correlation_report
from apt.render.report import REPORT_FORMATS, render_report

quickly = partial(correlate, resamples=60, permutations=60)
segments_quickly = partial(correlate_segments, resamples=60, permutations=60)

HUMAN = [71.2, 68.0, 75.9, 60.3, 66.6, 70.1, 64.0, 73.3]
METRICS = {
    "APT": [0.61, 0.64, 0.70, 0.48, 0.55, 0.66, 0.50, 0.62],
    "BLEU": [31.0, 29.4, 33.8, 27.2, 33.0, 30.9, 30.0, 29.9],
    "TER": [55.0, 57.1, 50.2, 60.0, 51.1, 49.0, 58.3, 57.5],
}


def table_of(*metrics):
    return SystemTable.of(HUMAN, {name: METRICS[name] for name in metrics})


def value(found, statistic="pearson"):
    return found.estimates[statistic].value


# ---- outliers and systems left out ----


@pytest.mark.parametrize(
    ("human", "expected"),
    [
        # Median 71.5, away 1.5 0.5 0.5 1.5 2.5 21.5, their median 1.5: 21.5 / (1.483 · 1.5) = 9.7, 2.5 / … = 1.1.
        ([70, 71, 72, 73, 74, 50], ["6"]),
        # Median 0, MAD 1: the bound is 2.5 · 1.483 = 3.7075.
        ([-1, -1, 0, 1, 3.70], []),
        ([-1, -1, 0, 1, 3.71], ["5"]),
        ([1, 1, 0, -1, -3.71], ["5"]),
        # More than half are the same: MAD 0, no outlier, however far one is.
        ([5, 5, 5, 5, 900], []),
        # Systems nobody judged are none, and do not count: as the second.
        ([-1, None, -1, 0, 1, 3.71, None], ["6"]),
    ],
)
def test_outliers_by_hand(human, expected):
    table = SystemTable.of(human, {"m": list(range(len(human)))})
    assert outliers(table) == expected
    found = quickly(table)
    assert list(found.outliers) == expected
    assert [list(view.left_out) for view in found.views] == [[], *([expected] if expected else [])]


def test_outliers_can_stay():
    found = quickly(SystemTable.of([70, 71, 72, 73, 74, 50], {"m": [1, 2, 3, 4, 5, 0]}), find_outliers=False)
    assert len(found.views) == 1
    assert found.outliers == ()


def test_outliers_stay_where_too_few_would_remain():
    # Median 2, away 1 0 8, MAD 1: the last is an outlier, but two points always lie on a line.
    found = quickly(SystemTable.of([1, 2, 10], {"m": [1, 3, 2]}))
    assert found.outliers == ("3",)
    assert [list(view.left_out) for view in found.views] == [[]]


def test_systems_are_left_out_by_name_and_outliers_are_those_of_the_rest():
    # Without f: median 71.5, away 1.5 0.5 0.5 1.5 2.5 6.5, MAD 1.5: 6.5 / (1.483 · 1.5) = 2.9.
    table = SystemTable.of(
        [70, 71, 72, 73, 74, 50, 65], {"m": [1, 2, 3, 4, 5, 9, 0]}, ["a", "b", "c", "d", "e", "f", "g"]
    )
    found = quickly(table, drop=["f"])
    assert [view.left_out for view in found.views] == [(), ("f",), ("f", "g")]
    assert found.views[2].systems == ("a", "b", "c", "d", "e")
    # What is said without a system is what is said of a table that never had it.
    alone = SystemTable.of([70, 71, 72, 73, 74], {"m": [1, 2, 3, 4, 5]}, ["a", "b", "c", "d", "e"])
    assert found.views[2].metrics == quickly(alone).views[0].metrics


@pytest.mark.parametrize(
    ("drop", "expected"),
    [
        (["x"], "there is no system 'x'. There are: 1, 2, 3"),
        (["1", "2", "3", "4", "5", "6"], "only 2 systems remain"),
        ([str(number) for number in range(1, 9)], "only 0 systems remain"),
    ],
)
def test_what_cannot_be_left_out(drop, expected):
    with pytest.raises(OptionError, match=expected):
        quickly(table_of("APT"), drop=drop)


# ---- a metric by itself ----


def test_a_metric_is_the_same_in_any_company():
    alone = quickly(table_of("BLEU")).views[0].of("BLEU")
    assert alone == quickly(table_of("APT", "BLEU", "TER")).views[0].of("BLEU")
    with_gaps = table_of("TER", "BLEU")
    gaps = {**with_gaps.metrics, "TER": np.where(np.arange(8) < 3, np.nan, with_gaps.metrics["TER"])}
    assert alone == quickly(replace(with_gaps, metrics=gaps)).views[0].of("BLEU")


def test_a_comparison_of_two_is_the_same_in_any_company():
    (alone,) = quickly(table_of("APT", "BLEU")).views[0].tests
    assert alone in quickly(table_of("TER", "BLEU", "APT")).views[0].tests


def test_statistics_line_and_interval():
    found = quickly(table_of("APT")).views[0].of("APT")
    assert value(found) == pytest.approx(stats.pearsonr(HUMAN, METRICS["APT"]).statistic)
    line = stats.linregress(METRICS["APT"], HUMAN)
    assert (found.line.slope, found.line.intercept) == pytest.approx((line.slope, line.intercept))
    for estimate in found.estimates.values():
        assert estimate.interval.low < estimate.value < estimate.interval.high
        assert (estimate.interval.resamples, estimate.interval.level) == (60, 0.95)


def test_the_line_of_very_small_scores():
    scores = [score * 1e-200 for score in METRICS["APT"]]
    found = quickly(SystemTable.of(HUMAN, {"p": scores})).views[0].of("p")
    assert found.line.slope == pytest.approx(1e200 * stats.linregress(METRICS["APT"], HUMAN).slope)
    assert value(found) == pytest.approx(stats.pearsonr(HUMAN, METRICS["APT"]).statistic)


def test_missing_scores_are_left_out_and_counted():
    human = [*HUMAN, None, 50.0]
    found = quickly(SystemTable.of(human, {"APT": [*METRICS["APT"], 0.9, None]}), find_outliers=False)
    metric = found.views[0].of("APT")
    assert (metric.n, metric.of) == (8, 9)
    assert value(metric) == pytest.approx(stats.pearsonr(HUMAN, METRICS["APT"]).statistic)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([7, 7, 7, 7], "all scores are 7"),
        ([0.3, 0.1 + 0.2, 0.3, 0.3], "all scores differ by rounding alone"),
        ([1, None, None, 2], "only 2 scores stand beside a human one"),
        ([None, None, None, None], "only 0 scores"),
        ([1, 2, 3, None], "all human scores beside it are 5"),
    ],
)
def test_a_metric_of_which_nothing_can_be_said(scores, reason):
    found = quickly(SystemTable.of([5, 5, 5, 6], {"bad": scores, "good": [1, 2, 3, 4]})).views[0]
    assert found.of("bad").undefined.startswith(reason)
    assert {estimate.value for estimate in found.of("bad").estimates.values()} == {None}
    assert found.of("good").undefined is None
    assert list(found.clusters) == ["good"]
    assert found.tests == []


def test_the_tests_go_by_the_statistic_asked_for():
    # "line" has the higher r, "order" the higher rank correlations.
    table = SystemTable.of([1, 2, 3, 4, 9], {"line": [1, 3, 2, 4, 9], "order": [1, 2, 3, 4, 4.1]})
    by_r, by_rank = (quickly(table, statistic=name, find_outliers=False).views[0].tests[0] for name in ("pearson", "kendall"))  # fmt: skip
    assert (by_r.higher, by_rank.higher) == ("line", "order")
    assert by_r.williams is not None
    assert by_rank.williams is None  # it is of Pearson's r alone


def test_the_higher_of_two_is_the_higher_on_what_both_have():
    # On all systems "whole" is nearly perfect; on the four that "gaps" has it is worse than that one.
    human = [1, 2, 3, 4, 50, 60, 70, 80]
    whole, gaps = [2, 1, 4, 3, 50, 60, 70, 80], [1, 2, 4, 3, None, None, None, None]
    view = quickly(SystemTable.of(human, {"whole": whole, "gaps": gaps}), find_outliers=False).views[0]
    assert value(view.of("whole")) > value(view.of("gaps"))
    (test,) = view.tests
    assert (test.higher, test.lower) == ("gaps", "whole")
    # r of 4 3 and 1 2 turned, and of 4 3 alone: 1 − 6 · 4 / 60 = 0.6 and 1 − 6 · 2 / 60 = 0.8.
    assert test.difference == pytest.approx(0.2)
    assert test.permuted.difference == pytest.approx(0.2)
    assert test.williams.t > 0


# ---- results as values ----


def odd_tables():
    """Tables in which something is undefined."""
    constant = [3.0] * 8
    yield quickly(SystemTable.of(HUMAN, {**METRICS, "constant": constant, "none": [None] * 8}))
    yield quickly(SystemTable.of([1, 2, 3], {"up": [1, 2, 3], "nearly": [0.3, 0.1 + 0.2, 0.3]}))
    human = {"a": [1, 2, 3], "b": [2, None, 4], "c": [3, 4, 5]}
    metric = {"a": [1, None, 5], "b": [None, None, None], "c": [3, 2, 5]}
    constant = {"a": [1, 1, 1], "b": [1, 1, 1], "c": [1, 1, 1]}
    yield segments_quickly(SegmentTable.of(human, {"m": metric, "k": human, "constant": constant}))


def test_no_format_shows_nan():
    for found in odd_tables():
        report = correlation_report(found)
        json.dumps(report.data, allow_nan=False)
        for output in REPORT_FORMATS:
            assert "nan" not in render_report(report, output).lower()


def test_findings_are_frozen():
    for found in odd_tables():
        for part in (found, found.views[0], found.views[0].metrics[0], value_of_first(found)):
            assert is_dataclass(part)
            with pytest.raises(FrozenInstanceError):
                setattr(part, fields(part)[0].name, None)


def value_of_first(found):
    return found.views[0].metrics[0].estimates["pearson"]
