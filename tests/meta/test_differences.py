"""Tests of two metrics: Williams' against mt-metrics-eval and by hand, permutations enumerated by hand."""

import math
from functools import partial

import numpy as np
import pytest

from apt.errors import OptionError
from apt.meta.correlation import kendall, pearson
from apt.meta.differences import clusters, permutation_test, williams_test

NONE = np.nan

# ---- Williams' test ----


def test_williams_as_mt_metrics_eval_has_it():
    """The example of its own tests; its p, 0.019, is one-sided."""
    gold, one, other = [1, 2, 3, 4, 5], [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]
    r = [float(pearson(gold, one)), float(pearson(gold, other)), float(pearson(one, other))]
    assert r[:2] == pytest.approx([0.999, 0.987], abs=0.0005)
    found = williams_test(*r, len(gold))
    assert found.p == pytest.approx(2 * 0.019, abs=0.001)
    assert found.degrees == 2
    assert found.t > 0


def test_williams_by_hand():
    """r of 0.8 and 0.5 with people, 0.5 with each other, 12 systems.

    K = 1 − 0.8² − 0.5² − 0.5² + 2 · 0.8 · 0.5 · 0.5 = 1 − 0.64 − 0.25 − 0.25 + 0.4 = 0.26
    mean of the two = 0.65, squared 0.4225; (1 − 0.5)³ = 0.125
    below = 2 · 0.26 · 11 / 9 + 0.4225 · 0.125 = 0.635556 + 0.052813 = 0.688368
    t = (0.8 − 0.5) · √(11 · 1.5 / 0.688368) = 0.3 · √23.96974 = 0.3 · 4.895890 = 1.468767, with 12 − 3 degrees
    In the table of t with 9 degrees: 1.383 for p = 0.2 and 1.833 for p = 0.1, two-sided.
    """
    found = williams_test(0.8, 0.5, 0.5, 12)
    assert found.t == pytest.approx(1.468767, abs=1e-5)
    assert found.degrees == 9
    assert 0.1 < found.p < 0.2


def test_williams_does_not_care_which_metric_comes_first():
    one, other = williams_test(0.8, 0.5, 0.4, 10), williams_test(0.5, 0.8, 0.4, 10)
    assert one.p == other.p
    assert one.t == -other.t


@pytest.mark.parametrize(
    ("r_one", "r_other", "r_between", "n"),
    [
        (0.8, 0.5, 0.4, 3),  # no degree of freedom
        (0.8, 0.8, 1.0, 10),  # the same metric
        (0.8, 0.8, 1 - 1e-15, 10),  # the same up to scale, and rounding
        (0.8, -0.8, -1.0, 10),  # the same turned round
    ],
)
def test_williams_has_nothing_to_say(r_one, r_other, r_between, n):
    assert williams_test(r_one, r_other, r_between, n) is None


def test_equal_correlations_of_different_metrics_do_not_differ():
    found = williams_test(0.6, 0.6, 0.3, 10)
    assert (found.t, found.p) == (0, 1)


# ---- the permutation test, exact ----


def of_systems(statistic, human, metric):
    """A statistic of tables with one column."""
    return statistic(human[..., 0], metric[..., 0])


def permuted(human, one, other, statistic=pearson, permutations=10_000, seed=1):
    columns = (np.array(scores, dtype=float)[:, None] for scores in (human, one, other))
    return permutation_test(*columns, partial(of_systems, statistic), permutations, seed)


@pytest.mark.parametrize(
    ("statistic", "human", "one", "other", "difference", "p"),
    [
        # Both metrics hold the same values, so standardising them is the same. τ of `one` is 1; `other` turns one of
        # three pairs round: 1/3. Swaps of the third system change nothing. Of the four of the first two:
        # none gives +2/3, both −2/3; a single one makes a tie in either metric: 0. Two of four.
        (kendall, [1, 2, 3], [1, 2, 3], [2, 1, 3], 2 / 3, 2 / 4),
        # r is 1 and −1: 2 apart. Swapped, `one` is (±3, ±1, ±1, ±3) about its mean, and only with all or none
        # swapped is that a line: two of sixteen.
        (pearson, [1, 2, 3, 4], [1, 2, 3, 4], [4, 3, 2, 1], 2, 2 / 16),
        # `other` turns two of ten pairs round: τ = 1 and 0.6. The third system does not matter. Of the sixteen
        # swaps of the others, none and all four give ±0.4. Both of one pair: 0. A single one of a pair makes a tie
        # in either metric, which leaves at most 2 / √(10 · 9) = 0.21. Two of sixteen.
        (kendall, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [2, 1, 3, 5, 4], 0.4, 2 / 16),
        # The same metric on another scale: no swap changes anything.
        (pearson, [1, 2, 3, 5], [1, 2, 4, 3], [10, 20, 40, 30], 0, 1),
    ],
)
def test_all_swaps_by_hand(statistic, human, one, other, difference, p):
    found = permuted(human, one, other, statistic)
    assert found.difference == pytest.approx(difference, abs=1e-12)
    assert found.p == pytest.approx(p)
    assert (found.swaps, found.exact) == (2 ** len(human), True)


def test_all_swaps_are_looked_at_if_they_are_no_more_than_asked_for():
    scores = [1, 2, 3, 4], [1, 3, 2, 5], [2, 1, 3, 4]
    assert permuted(*scores, permutations=16).exact
    found = permuted(*scores, permutations=15)
    assert (found.exact, found.swaps) == (False, 15)


# ---- the permutation test by random swaps ----


@pytest.fixture(scope="module")
def twelve():
    """Scores of twelve systems, one metric better than the other."""
    rng = np.random.default_rng(5)
    human = rng.normal(size=12)
    return human, human + rng.normal(size=12), 0.3 * human + rng.normal(size=12)


@pytest.mark.parametrize("statistic", [pearson, kendall])
def test_random_swaps_come_near_all_swaps(twelve, statistic):
    exact = permuted(*twelve, statistic, permutations=4096)
    near = permuted(*twelve, statistic, permutations=4095)
    assert exact.exact
    assert not near.exact
    assert near.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / 4095))


@pytest.mark.parametrize("permutations", [500, 4096], ids=["random", "exact"])
def test_the_metrics_can_change_places(twelve, permutations):
    human, one, other = twelve
    forth, back = permuted(human, one, other, permutations=permutations), permuted(human, other, one, permutations=permutations)  # fmt: skip
    assert forth.p == back.p
    assert forth.difference == -back.difference


def test_the_seed_alone_decides(twelve):
    first, again, another = (permuted(*twelve, permutations=400, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.p != another.p


def test_p_is_never_0():
    """Forty systems: a perfect metric and one of noise."""
    rng = np.random.default_rng(0)
    human = rng.normal(size=40)
    found = permuted(human, human, rng.normal(size=40), permutations=99)
    assert found.p == pytest.approx(1 / 100)


def test_the_scale_of_a_metric_does_not_matter(twelve):
    human, one, other = twelve
    expected = permuted(human, one, other, permutations=300)
    scaled = permuted(human, 1000 * one - 7, 1e-150 * other, permutations=300)
    assert scaled.p == expected.p
    assert scaled.difference == pytest.approx(expected.difference)


# ---- what is missing ----


def test_only_systems_that_all_have_scored_count():
    expected = permuted([1, 2, 3, 4], [1, 2, 3, 4], [2, 4, 1, 3])
    found = permuted([1, 2, 9, 3, 4, NONE, 9], [1, 2, NONE, 3, 4, 9, 9], [2, 4, 9, 1, 3, 9, NONE])
    assert (found.difference, found.p) == pytest.approx((expected.difference, expected.p))


@pytest.mark.parametrize(
    ("human", "one", "other"),
    [
        ([1, 2, 3], [4, 4, 4], [1, 2, 3]),
        ([1, 2, 3], [0.3, 0.1 + 0.2, 0.3], [1, 2, 3]),  # constant but for rounding
        ([1, 1, 1], [1, 2, 3], [2, 1, 3]),
        ([1, 2, 3], [1, 2, NONE], [NONE, 2, 3]),  # one system has both
        ([1, 2, 3], [NONE, NONE, NONE], [1, 2, 3]),
    ],
)
def test_nothing_can_be_compared(human, one, other):
    assert permuted(human, one, other) is None


def test_at_least_one_swap_is_needed():
    with pytest.raises(OptionError, match="permutations: at least 1 needed, found 0"):
        permuted([1, 2, 3], [1, 2, 3], [1, 3, 2], permutations=0)


# ---- units of columns: segments, documents ----


def of_heap(human, metric):
    return pearson(human.reshape(*human.shape[:-2], -1), metric.reshape(*metric.shape[:-2], -1))


def test_segments_of_one_system_are_swapped_as_systems_with_one_segment_are(twelve):
    as_systems = permuted(*twelve)
    as_segments = permutation_test(*(scores[None] for scores in twelve), of_heap, 10_000, 1, np.arange(12))
    assert as_segments == as_systems


def test_a_unit_is_swapped_in_all_systems_and_columns_at_once():
    """Two systems with three segments, of which the last two are a document: four swaps, by hand.

    Both metrics hold 0 to 5, people are of `one`'s opinion. `other` differs in the document alone, where it turns
    all round; so a swap of the first segment changes nothing, and one of the document turns the difference.
    """
    human = np.array([[0.0, 1, 2], [3, 4, 5]])
    other = np.array([[0.0, 5, 4], [3, 2, 1]])
    found = permutation_test(human, human, other, of_heap, 100, 1, np.array([0, 1, 1]))
    assert (found.swaps, found.exact, found.p) == (4, True, 1)
    # Segment by segment there are eight, and those that swap one segment of the document lie between.
    single = permutation_test(human, human, other, of_heap, 100, 1, np.array([0, 1, 2]))
    assert (single.swaps, single.p) == (8, 1 / 2)


# ---- clusters ----


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        # p of a-b, a-c, b-c; None where there is no test.
        ((0.5, 0.5, 0.5), [1, 1, 1]),
        ((0.01, 0.01, 0.01), [1, 2, 3]),
        ((0.01, 0.01, 0.5), [1, 2, 2]),
        # c is worse than a, though not worse than b, which cannot be told from a.
        ((0.5, 0.01, 0.5), [1, 1, 2]),
        ((0.5, 0.5, 0.01), [1, 1, 2]),
        # Only the current cluster is looked at: that c is not worse than a does not bring it back.
        ((0.01, 0.5, 0.5), [1, 2, 2]),
        ((0.05, 0.05, 0.05), [1, 1, 1]),  # not below 5 %
        ((None, None, None), [1, 1, 1]),
        ((None, 0.01, None), [1, 1, 2]),
    ],
)
def test_clusters(p, expected):
    """None: the pair could not be tested, or the later one was better where both could be."""
    p_of = dict(zip([("a", "b"), ("a", "c"), ("b", "c")], p, strict=True))
    assert clusters("abc", {pair: value for pair, value in p_of.items() if value is not None}) == expected


def test_clusters_at_another_level():
    p_of = {("a", "b"): 0.08}
    assert clusters("ab", p_of, alpha=0.1) == [1, 2]
    assert clusters("a", {}) == [1]
    assert clusters("", {}) == []
