"""What the words promise, by simulation: 95 % of intervals hold the true score, and at p ≤ 5 % one finds a
difference between equal systems 5 times in 100. 500 draws, so that 2.5 points are two and a half standard
deviations."""

import numpy as np
import pytest

from apt.significance import Sample, approximate_randomization, confidence, paired_bootstrap

DRAWS = 500
SEGMENTS = 300
RESAMPLES = 400
RIGHT = 2 / 3  # the share of pronouns a system translates right, in the population


def apt(sums):
    """Credit / pronouns."""
    return sums[..., 0] / sums[..., 1]


def f1(sums):
    """2 matches / (candidate + reference)."""
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def population(rng, score):
    """Two equal systems: 0 to 3 pronouns a segment, hard or easy together; for F1, others are made up."""
    pronouns = rng.integers(0, 4, SEGMENTS)
    ease = rng.beta(2, 1, SEGMENTS)  # mean 2/3
    for _ in range(2):
        columns = [rng.binomial(pronouns, ease), pronouns]
        if score is f1:
            columns.append(pronouns + rng.integers(0, 2, SEGMENTS))
        yield Sample(np.column_stack(columns).astype(float), score)


# Per segment 1.5 pronouns and 1 right; candidates have 0.5 pronouns more: 2 · 1 / (1.5 + 2).
TRUE = [pytest.param(apt, RIGHT, id="APT"), pytest.param(f1, 2 / 3.5, id="F1")]


@pytest.mark.parametrize(("score", "true"), TRUE)
def test_coverage(score, true):
    rng = np.random.default_rng(2017)
    intervals = [confidence(next(population(rng, score)), RESAMPLES, seed) for seed in range(DRAWS)]
    covered = np.mean([i.low <= true <= i.high for i in intervals])
    assert covered == pytest.approx(0.95, abs=0.025)


@pytest.mark.parametrize("score", [apt, f1])
@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])
def test_equal_systems_are_found_different_as_often_as_p_says(test, score):
    rng = np.random.default_rng(2017)
    found = [test(*population(rng, score), RESAMPLES, seed).p for seed in range(DRAWS)]
    assert np.mean(np.array(found) <= 0.05) == pytest.approx(0.05, abs=0.025)
