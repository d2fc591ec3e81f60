"""What is found of metrics by scores of segments, in every grouping: by hand, by scipy, as mt-metrics-eval has it."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

from apt.errors import OptionError
from apt.meta import SegmentTable, correlate_segments

quickly = partial(correlate_segments, resamples=60, permutations=60)

# Of mt-metrics-eval's own tests.
GOLD = {"one": [1, 2, 3], "two": [4, 5, 6]}
METRIC = {"one": [2, 1, 4], "two": [3, 3, 7]}


def segment_table(human, metrics, missing_human=None, missing_metric=None, documents=None):
    def rows(scores, missing):
        gone = np.zeros(scores.shape, dtype=bool) if missing is None else missing
        return {
            f"system {row}": [
                None if gone[row, column] else float(score) for column, score in enumerate(scores[row])
            ]
            for row in range(len(scores))
        }

    by_metric = {name: rows(scores, missing_metric) for name, scores in metrics.items()}
    return SegmentTable.of(rows(human, missing_human), by_metric, documents=documents)


def value(found, statistic="pearson"):
    return found.estimates[statistic].value


def grouped(found, grouping):
    return next(view for view in found.views if view.grouping == grouping).metrics[0]


def test_groupings_as_mt_metrics_eval_has_them():
    found = quickly(SegmentTable.of(GOLD, {"m": METRIC}))
    pooled, by_system = grouped(found, "pooled"), grouped(found, "by system")
    assert (value(pooled), value(by_system)) == pytest.approx((0.776, 0.760), abs=0.0005)
    assert (value(pooled, "kendall"), value(by_system, "kendall")) == pytest.approx(
        (0.552, 0.575), abs=0.0005
    )
    assert (by_system.groups, by_system.undefined_groups) == (2, 0)
    mean = (by_system.parts["one"]["pearson"] + by_system.parts["two"]["pearson"]) / 2
    assert value(by_system) == pytest.approx(mean)
    # Two systems are too few for a correlation over systems.
    assert [view.grouping for view in found.views] == ["pooled", "by system"]


def test_by_segment_and_by_means_of_systems_by_hand():
    # Segments: r 1 and τ 1; r 0.5 and τ 1/3; constant, so left out. The metric's means are 7/3, 10/3 and 10/3,
    # people's 2, 3 and 4: deviations (−2, 1, 1) / 3 and (−1, 0, 1), so r = 1 / √(2/3 · 2) = √3 / 2.
    human = {"a": [1, 2, 3], "b": [2, 3, 4], "c": [3, 4, 5]}
    metric = {"a": [1, 1, 5], "b": [2, 3, 5], "c": [3, 2, 5]}
    found = quickly(SegmentTable.of(human, {"m": metric}))
    by_segment = grouped(found, "by segment")
    assert (value(by_segment), value(by_segment, "kendall")) == pytest.approx((0.75, 2 / 3))
    assert (by_segment.groups, by_segment.undefined_groups) == (2, 1)
    assert value(grouped(found, "systems")) == pytest.approx(3**0.5 / 2)


def test_segments_without_a_score_are_left_out_and_counted():
    rng = np.random.default_rng(1)
    human = rng.normal(size=(3, 9))
    metric = human + rng.normal(size=(3, 9))
    missing = rng.random((2, 3, 9)) < 0.25
    there = ~missing.any(axis=0)
    found = quickly(segment_table(human, {"m": metric}, missing_human=missing[0], missing_metric=missing[1]))
    pooled = grouped(found, "pooled")
    assert (pooled.n, pooled.of) == (there.sum(), (~missing[0]).sum())
    assert value(pooled) == pytest.approx(stats.pearsonr(human[there], metric[there]).statistic)
    line = stats.linregress(metric[there], human[there])
    assert (pooled.line.slope, pooled.line.intercept) == pytest.approx((line.slope, line.intercept))
    each = [stats.kendalltau(human[row, there[row]], metric[row, there[row]]).statistic for row in range(3)]
    assert value(grouped(found, "by system"), "kendall") == pytest.approx(np.mean(each))


def test_common_looks_only_at_what_all_have():
    human = {"a": [1, 2, 3, 4, 5], "b": [2, 1, 5, 3, 4]}
    all_there = {"a": [1, 3, 2, 5, 4], "b": [1, 2, 3, 5, 4]}
    gaps = {"a": [None, 3, 2, 5, 4], "b": [1, 2, 3, 5, None]}
    table = SegmentTable.of(human, {"whole": all_there, "gaps": gaps})
    each = next(view for view in quickly(table).views if view.grouping == "pooled")
    assert [metric.n for metric in each.metrics] == [10, 8]
    common = next(view for view in quickly(table, common=True).views if view.grouping == "pooled")
    assert [(metric.n, metric.of) for metric in common.metrics] == [(8, 10), (8, 10)]
    # There the two are the same metric; before they were not, though tests always look at what both have.
    assert common.metrics[0].estimates == common.metrics[1].estimates
    assert each.metrics[0].estimates != each.metrics[1].estimates
    assert each.tests[0].permuted.p == common.tests[0].permuted.p == 1


def test_documents_of_one_segment_are_segments():
    rng = np.random.default_rng(2)
    human = rng.normal(size=(3, 8))
    metrics = {"m": human + rng.normal(size=(3, 8)), "k": human + rng.normal(size=(3, 8))}
    table = segment_table(human, metrics, documents=[f"d{i}" for i in range(8)])
    segments, documents = quickly(table), quickly(table, unit="documents")
    assert [view.metrics for view in documents.views] == [view.metrics for view in segments.views]
    assert [view.tests for view in documents.views] == [view.tests for view in segments.views]


def test_segments_that_repeat_each_other_make_documents_no_surer():
    """Each segment five times: drawn by document, intervals are as before; by segment they are too narrow."""
    rng = np.random.default_rng(2)
    human = rng.normal(size=(3, 10))
    metric = human + rng.normal(size=(3, 10))
    once = segment_table(human, {"m": metric})
    five_times = segment_table(
        np.repeat(human, 5, axis=1),
        {"m": np.repeat(metric, 5, axis=1)},
        documents=[f"d{i // 5}" for i in range(50)],
    )
    expected = grouped(quickly(once), "pooled").estimates["pearson"].interval
    by_document = grouped(quickly(five_times, unit="documents"), "pooled").estimates["pearson"].interval
    by_segment = grouped(quickly(five_times), "pooled").estimates["pearson"].interval
    assert (by_document.low, by_document.high) == pytest.approx((expected.low, expected.high))
    assert by_segment.high - by_segment.low < 0.7 * (expected.high - expected.low)


def test_a_system_left_out_is_named_in_every_title():
    human = {"a": [1, 2, 3], "b": [4, 5, 6], "c": [3, 2, 5]}
    found = quickly(SegmentTable.of(human, {"m": human}), drop=["c", "c"])
    assert [view.left_out for view in found.views] == [()] * 4 + [("c",)] * 2  # of two systems two groupings
    for view in found.views:
        assert view.title.endswith(", without c") == bool(view.left_out)
        assert view.systems == (("a", "b") if view.left_out else ("a", "b", "c"))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"unit": "documents"}, "documents cannot be drawn"),
        ({"unit": "words"}, "unknown unit 'words'. Available: segments, documents"),
        ({"group": "by segment"}, "grouping 'by segment' needs at least 3 systems"),
        ({"group": "all"}, "unknown grouping 'all'. Available: systems, pooled, by system, by segment"),
        ({"statistic": "r"}, "unknown statistic 'r'. Available: pearson, spearman, kendall"),
        ({"resamples": 0}, "resamples: at least 1 needed, found 0"),
        ({"permutations": 0}, "permutations: at least 1 needed, found 0"),
        ({"seed": -1}, "seed: at least 0 needed, found -1"),
        ({"level": 95}, "level: a number between 0 and 1 expected, found 95"),
        ({"drop": ["one", "two"]}, "at least 3 human scores are needed"),
    ],
)
def test_a_plan_that_cannot_be(options, expected):
    with pytest.raises(OptionError, match=expected):
        correlate_segments(SegmentTable.of(GOLD, {"m": METRIC}), **options)


# ---- metrics that have scored different text ----


def test_which_metric_is_better_is_seen_on_what_both_scored():
    """`wide` looks better on all it has scored, `narrow` is perfect where it has scored; there `wide` is not."""
    human = {name: [1, 2, 3, 4, 50, 60, 70, 80] for name in "abc"}
    wide = {name: [4, 3, 2, 1, 50, 60, 70, 80] for name in "abc"}
    narrow = {"a": [1, 2, 3, 4], "b": [1, 2, 4, 3], "c": [1, 2, 3, 4]}
    narrow = {name: [*scores, None, None, None, None] for name, scores in narrow.items()}
    table = SegmentTable.of(human, {"wide": wide, "narrow": narrow})
    view = correlate_segments(table, resamples=20, permutations=1000).views[1]
    assert view.of("wide").estimates["pearson"].value > view.of("narrow").estimates["pearson"].value
    (test,) = view.tests
    assert (test.higher, test.lower) == ("narrow", "wide")
    assert test.difference > 1.5  # about 0.93 − (−1)
    assert view.clusters == {"wide": 1, "narrow": 1}  # it is not worse, so it opens no cluster


def test_means_of_systems_are_of_what_the_metric_has_scored():
    """People like c best on the first segment, which is all the metric has seen, and a on the others."""
    human = {"a": [1, 90, 90], "b": [2, 50, 50], "c": [3, 10, 10]}
    metric = {"a": [0.1, None, None], "b": [0.2, None, None], "c": [0.3, None, None]}
    table = SegmentTable.of(human, {"metric": metric})
    systems, *_ = correlate_segments(table, resamples=5, permutations=1).views
    assert systems.grouping == "systems"
    assert systems.of("metric").estimates["pearson"].value == pytest.approx(1.0)


def test_two_systems_are_no_correlation():
    """The metric has scored two of three systems: any two points lie on a line."""
    human = {"a": [1, 2, 3], "b": [5, 4, 6], "c": [7, 9, 8]}
    metric = {"a": [0.1, 0.2, 0.3], "b": [0.4, 0.6, 0.5], "c": [None, None, None]}
    views = correlate_segments(SegmentTable.of(human, {"m": metric}), resamples=5, permutations=1).views
    by_grouping = {view.grouping: view.of("m") for view in views}
    assert by_grouping["systems"].estimates["pearson"].value is None
    assert (by_grouping["systems"].n, by_grouping["systems"].of) == (2, 3)
    assert by_grouping["by segment"].estimates["kendall"].value is None
    assert by_grouping["by segment"].groups == 0
    assert by_grouping["pooled"].estimates["pearson"].value > 0.5


def test_few_documents_have_no_interval():
    human = {name: [1, 2, 3, 4, 5, 6, 7, 8] for name in "abc"}
    metric = {name: [1, 3, 2, 4, 6, 5, 8, 7] for name in "abc"}
    documents = ["x"] * 4 + ["y"] * 4
    table = SegmentTable.of(human, {"m": metric}, documents=documents)
    of_documents = correlate_segments(table, unit="documents", resamples=50, permutations=1)
    assert all(view.of("m").estimates["pearson"].interval is None for view in of_documents.views)
    pooled = correlate_segments(table, resamples=50, permutations=1).views[1]
    assert pooled.of("m").estimates["pearson"].interval is not None


def test_an_outlier_is_left_out_as_well():
    """Mean human scores 10, 11, 12, 13 and 90: the median is 12, MAD 1, and 78 / 1.483 is far above 2.5."""
    human = {
        name: [mean - 1, mean, mean + 1] for name, mean in zip("abcde", [10, 11, 12, 13, 90], strict=True)
    }
    metric = {name: [0.4, 0.6, 0.5] for name in "abcd"} | {"e": [0.9, 0.8, 0.9]}
    found = quickly(SegmentTable.of(human, {"m": metric}), find_outliers=True)
    assert found.outliers == ("e",)
    assert [view.left_out for view in found.views] == [()] * 4 + [("e",)] * 4
    pooled = [view.of("m").estimates["pearson"].value for view in found.views if view.grouping == "pooled"]
    assert pooled[0] > 0.8 > pooled[1]  # it was the one bad system that made the metric look good
