"""What the words promise, by simulation: 95 % of intervals hold the true correlation, and at p ≤ 5 % one finds a
difference between equally good metrics 5 times in 100."""

import math
from importlib import import_module

import numpy as np
import pytest

from apt.meta import SegmentTable, SystemTable, correlate, correlate_segments, pearson

SYSTEMS = 10


def equally_good(rng, systems, noise=(1.0, 1.0)):
    """Human scores, and metrics that are noisy copies of them."""
    human = rng.normal(size=systems)
    metrics = {
        f"metric {n}": (human + spread * rng.normal(size=systems)).tolist() for n, spread in enumerate(noise)
    }
    return SystemTable.of(human.tolist(), metrics)


# ---- intervals ----


@pytest.mark.parametrize("noise", [0.5, 1.5])
def test_intervals_over_systems_hold_the_true_r(noise):
    """300 draws: 95 % ± 4 is three standard deviations."""
    rng = np.random.default_rng(2017)
    true = 1 / math.hypot(1, noise)
    covered = []
    for seed in range(300):
        table = equally_good(rng, SYSTEMS, [noise])
        found = correlate(table, find_outliers=False, resamples=200, permutations=1, seed=seed)
        interval = found.views[0].metrics[0].estimates["pearson"].interval
        covered.append(interval.low <= true <= interval.high)
    assert 0.90 <= np.mean(covered) <= 0.98


SEGMENTS = 100


def of_hard_and_easy_segments(rng, metrics):
    """Two systems that do the same: what a segment is like decides what both of them get, from people and metrics.

    A score is the segment's ease, an error that people, or a metric, make in both systems, and a little of its own:
    people and metrics have 1 of the variance 1 + 1 + 0.1² in common. Of 200 scores only 100 are independent, so
    intervals that took all for independent would be shorter by √2 and hold the true r in 83 %.
    """
    ease = rng.normal(size=SEGMENTS)

    def scores():
        shared = ease + rng.normal(size=SEGMENTS)
        return {name: (shared + 0.1 * rng.normal(size=SEGMENTS)).tolist() for name in ("a", "b")}

    return SegmentTable.of(scores(), {name: scores() for name in metrics})


@pytest.fixture
def _only_r(monkeypatch):
    """The other statistics take most of the time and are not looked at here."""
    module = import_module("apt.meta.correlate_segments")
    monkeypatch.setattr(
        module, "all_statistics", lambda human, metric, repeated=None: {"pearson": pearson(human, metric)}
    )


@pytest.mark.usefixtures("_only_r")
def test_intervals_over_segments_hold_the_true_r_where_difficulty_is_shared():
    """150 draws: 95 % ± 5 is nearly three standard deviations."""
    rng = np.random.default_rng(2017)
    true = 1 / (1 + 1 + 0.1**2)
    covered = []
    for seed in range(150):
        table = of_hard_and_easy_segments(rng, ["m"])
        found = correlate_segments(table, resamples=100, permutations=1, seed=seed)
        assert found.views[0].grouping == "pooled"
        interval = found.views[0].metrics[0].estimates["pearson"].interval
        covered.append(interval.low <= true <= interval.high)
    assert 0.90 <= np.mean(covered) <= 0.99


# ---- tests of two metrics ----


def rejected(noise, tables=400):
    """How often Williams' test and the exact permutation test say that two metrics differ."""
    rng = np.random.default_rng(2017)
    found = {"williams": 0, "permuted": 0}
    for _ in range(tables):
        table = equally_good(rng, SYSTEMS, noise)
        view = correlate(table, find_outliers=False, resamples=1, permutations=2**SYSTEMS).views[0]
        for name in found:
            found[name] += getattr(view.tests[0], name).p <= 0.05
    return {name: count / tables for name, count in found.items()}


def test_equally_good_metrics_are_found_different_as_often_as_p_says():
    """400 draws: 5 % ± 3 is nearly three standard deviations."""
    for name, share in rejected((1.0, 1.0)).items():
        assert 0.02 <= share <= 0.085, name


def test_a_clearly_better_metric_is_found():
    for name, share in rejected((0.2, 2.0), tables=100).items():
        assert share >= 0.7, name


@pytest.mark.usefixtures("_only_r")
def test_segments_of_equally_good_metrics_are_found_different_as_often_as_p_says():
    """Segments are swapped in all systems at once, so what these have in common does no harm."""
    rng = np.random.default_rng(2017)
    found = []
    for seed in range(400):
        table = of_hard_and_easy_segments(rng, ["one", "other"])
        view = correlate_segments(table, resamples=1, permutations=200, seed=seed).views[0]
        found.append(view.tests[0].permuted.p <= 0.05)
    assert 0.02 <= np.mean(found) <= 0.085
