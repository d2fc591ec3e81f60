"""Correlations and pairwise accuracies against scipy, against mt-metrics-eval, and by hand."""

import numpy as np
import pytest
from scipy import stats

from apt.meta.correlation import (
    STATISTICS,
    accuracy,
    accuracy_with_ties,
    all_statistics,
    is_constant,
    kendall,
    pair_counts,
    pearson,
    spearman,
)

NONE = np.nan
SCIPY = {pearson: stats.pearsonr, spearman: stats.spearmanr, kendall: stats.kendalltau}
SMALL, LARGE = 20, 300  # of few items every pair is looked at, many are sorted


def drawn(items, ties, missing=False, seed=11):
    """Two related lists; with `ties` of about ten values each."""
    rng = np.random.default_rng(seed)
    human = rng.normal(size=items)
    metric = human + rng.normal(size=items)
    if ties:
        human, metric = np.round(2 * human), np.round(2 * metric)
    if missing:
        human[rng.permutation(items)[: items // 5]] = NONE
        metric[rng.permutation(items)[: items // 5]] = NONE
    return human, metric


# ---- against scipy ----


@pytest.mark.parametrize("statistic", SCIPY, ids=lambda function: function.__name__)
@pytest.mark.parametrize("ties", [False, True], ids=["untied", "tied"])
@pytest.mark.parametrize("items", [3, SMALL, 48, 49, LARGE])
def test_as_scipy_has_it(statistic, ties, items):
    human, metric = drawn(items, ties)
    assert statistic(human, metric) == pytest.approx(SCIPY[statistic](human, metric).statistic, abs=1e-12)


@pytest.mark.parametrize("statistic", SCIPY, ids=lambda function: function.__name__)
@pytest.mark.parametrize("items", [SMALL, LARGE])
def test_missing_values_are_left_out_in_pairs(statistic, items):
    human, metric = drawn(items, ties=True, missing=True)
    there = ~np.isnan(human) & ~np.isnan(metric)
    assert there.sum() < items - items // 5  # those of both sides are not the same
    expected = SCIPY[statistic](human[there], metric[there]).statistic
    assert statistic(human, metric) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("missing", [False, True], ids=["all", "missing"])
@pytest.mark.parametrize("ties", [False, True], ids=["untied", "tied"])
def test_sorting_counts_as_looking_at_all_pairs_does(ties, missing):
    human, metric = drawn(40, ties, missing)
    # Items without scores change nothing but the number of items, and with it the way of counting.
    nothing = np.full(60, NONE)
    by_sorting = pair_counts(np.concatenate([human, nothing]), np.concatenate([metric, nothing]))
    assert by_sorting == pair_counts(human, metric)
    assert sum(by_sorting) == _pairs(human, metric)


def _pairs(human, metric):
    n = np.count_nonzero(~np.isnan(human + metric))
    return n * (n - 1) / 2


@pytest.mark.parametrize("items", [SMALL, LARGE])
def test_many_rows_at_once_are_as_each_alone(items):
    rows = [drawn(items, ties=True, missing=seed % 2 == 1, seed=seed) for seed in range(6)]
    human, metric = (np.stack(side).reshape(2, 3, items) for side in zip(*rows, strict=True))
    for name, function in STATISTICS.items():
        together = function(human, metric)
        assert together.shape == (2, 3)
        alone = [float(function(*row)) for row in rows]
        np.testing.assert_allclose(together.ravel(), alone, rtol=0, atol=1e-12, err_msg=name)


def test_one_row_of_human_scores_goes_with_many_of_a_metric():
    human, metric = drawn(SMALL, ties=False)
    both = kendall(human, np.stack([metric, -metric]))
    assert both == pytest.approx([kendall(human, metric), -kendall(human, metric)])


# ---- against mt-metrics-eval, and by hand ----


def test_the_example_of_mt_metrics_eval():
    gold, metric = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]
    assert kendall(gold, metric) == pytest.approx(0.316227766, abs=1e-9)
    # 10 pairs: 6 ordered alike, 3 otherwise (the first item before the tied two; the last two), 1 human tie.
    assert pair_counts(gold, metric) == (6, 3, 1, 0, 0)
    assert accuracy_with_ties(gold, metric) == pytest.approx(0.6)
    assert accuracy(gold, metric) == pytest.approx(6 / 9)


@pytest.mark.parametrize(
    ("human", "metric", "counted", "without", "with_ties"),
    [
        # Three pairs, all alike.
        ([1, 2, 3], [1, 5, 9], (3, 0, 0, 0, 0), 1, 1),
        # All the other way round.
        ([1, 2, 3], [3, 2, 1], (0, 3, 0, 0, 0), 0, 0),
        # (1, 2) tied by both, right only where ties count; the other two pairs are right.
        ([1, 1, 2], [4, 4, 5], (2, 0, 0, 0, 1), 1, 1),
        # (1, 2) tied by people alone: not counted, or wrong.
        ([1, 1, 2], [4, 5, 6], (2, 0, 1, 0, 0), 1, 2 / 3),
        # (1, 2) tied by the metric alone: wrong either way.
        ([1, 2, 3], [4, 4, 5], (2, 0, 0, 1, 0), 2 / 3, 2 / 3),
        # One of each kind but the last: (1, 2) human tie, (1, 3) alike, (2, 3) metric tie.
        ([1, 1, 2], [3, 4, 4], (1, 0, 1, 1, 0), 1 / 2, 1 / 3),
        # A missing score takes its pairs with it: (1, 3) alone remains.
        ([1, 2, 3], [1, NONE, 2], (1, 0, 0, 0, 0), 1, 1),
        ([1, NONE, 3], [2, 7, 1], (0, 1, 0, 0, 0), 0, 0),
    ],
)
def test_accuracies_by_hand(human, metric, counted, without, with_ties):
    assert pair_counts(human, metric) == counted
    assert accuracy(human, metric) == pytest.approx(without)
    assert accuracy_with_ties(human, metric) == pytest.approx(with_ties)


def test_all_statistics_are_those_of_each():
    human, metric = drawn(SMALL, ties=True, missing=True)
    found = all_statistics(human, metric)
    assert found == {name: function(human, metric) for name, function in STATISTICS.items()}


def test_an_item_beside_itself_is_no_tie():
    # In the resample a, a, b, b two of six pairs are an item beside itself; the other four are alike.
    human, metric = [1, 1, 2, 2], [5, 5, 7, 7]
    assert all_statistics(human, metric)["accuracy_ties"] == 1
    # Where all four are ordered otherwise, the two are the whole merit: 2 / 6 if they count, else 0 / 4.
    turned = [7, 7, 5, 5]
    assert all_statistics(human, turned)["accuracy_ties"] == pytest.approx(2 / 6)
    corrected = all_statistics(human, turned, repeated=2)
    assert corrected["accuracy_ties"] == 0
    # Nothing else looks at pairs tied by both.
    for name in ("pearson", "spearman", "kendall", "accuracy"):
        assert corrected[name] == all_statistics(human, turned)[name]


# ---- where there is nothing to say ----


@pytest.mark.parametrize("statistic", [pearson, spearman, kendall], ids=lambda function: function.__name__)
@pytest.mark.parametrize(
    ("human", "metric"),
    [
        ([1, 1, 1], [1, 2, 3]),
        ([1, 2, 3], [0, 0, 0]),
        ([1], [1]),
        ([1, 2, 3], [NONE, 5, NONE]),
        ([NONE, NONE], [NONE, NONE]),
        # Constant where both are there, though not otherwise.
        ([1, 1, 2], [1, 2, NONE]),
        ([5.0] * LARGE, list(range(LARGE))),
    ],
)
def test_a_constant_side_or_fewer_than_two_pairs_is_undefined(statistic, human, metric):
    assert np.isnan(statistic(human, metric))


def test_accuracies_are_undefined_only_without_a_pair():
    assert np.isnan(accuracy([1, 1, 1], [1, 2, 3]))  # no pair that people do not tie
    assert accuracy_with_ties([1, 1, 1], [1, 2, 3]) == 0
    assert accuracy([1, 2, 3], [4, 4, 4]) == 0
    assert np.isnan(accuracy_with_ties([1, NONE], [NONE, 2]))


def test_numbers_that_differ_by_rounding_are_constant():
    metric = [0.3, 0.1 + 0.2, 0.3]
    assert metric[0] != metric[1]
    assert np.isnan(pearson([1, 2, 3], metric))
    assert is_constant(np.array(metric))
    assert not is_constant(np.array([0.3, 0.3 + 1e-9, 0.3]))
    assert is_constant(np.array([0.0, -0.0]))


@pytest.mark.parametrize("scale", [1e-300, 1e-120, 1e-9, 1e9, 1e100])
def test_very_small_and_large_scores_correlate_as_usual_ones_do(scale):
    human, metric = drawn(SMALL, ties=False)
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        assert pearson(human, scale * metric) == pytest.approx(float(pearson(human, metric)), abs=1e-12)


def test_an_offset_costs_no_digits_that_are_there():
    human, metric = drawn(SMALL, ties=False)
    assert pearson(human, metric + 1e6) == pytest.approx(float(pearson(human, metric)), abs=1e-9)


def test_no_correlation_leaves_its_range():
    # Rounding alone would make some of these 1.0000000000000002.
    rng = np.random.default_rng(3)
    human = rng.normal(size=(2000, 7))
    for factor in (3.7, -0.1):
        found = pearson(human, factor * human)
        assert np.all(np.abs(found) <= 1)
        assert found == pytest.approx(np.full(2000, np.sign(factor)))
