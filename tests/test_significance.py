"""Resampling: against sacrebleu and Student on the same data, and what holds for all."""

import os
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.base import Metric, Score
from sacrebleu.significance import PairedTest as SacrebleuTest
from scipy import stats

from apt.errors import OptionError
from apt.significance import (
    Sample,
    approximate_randomization,
    by_document,
    confidence,
    draws,
    paired_bootstrap,
)

RESAMPLES = 10_000
TESTS = [paired_bootstrap, approximate_randomization]


def apt(sums):
    """Credit / pronouns."""
    return sums[..., 0] / sums[..., 1]


def f1(sums):
    """2 matches / (candidate + reference)."""
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def apt_pair(better, units=300, seed=1):
    """Two systems on the same pronouns; credits are fractions, so that hardly two resamples tie."""
    rng = np.random.default_rng(seed)
    pronouns = rng.integers(0, 4, units)
    credit = [rng.beta(2, 1, units) * pronouns for _ in range(2)]
    return [Sample(np.column_stack((c, pronouns)), apt) for c in (credit[0] + better * pronouns, credit[1])]


def f1_pair(better, units=300, seed=1):
    rng = np.random.default_rng(seed)
    reference = rng.integers(0, 9, units)
    candidates = [reference + rng.integers(0, 5, units) for _ in range(2)]
    matches = [rng.binomial(reference, p) for p in (0.6 + better, 0.6)]
    columns = zip(matches, candidates, strict=True)
    return [Sample(np.column_stack((m, c, reference)).astype(float), f1) for m, c in columns]


PAIRS = [
    pytest.param(apt_pair, 0.0, id="APT, equal"),
    pytest.param(apt_pair, 0.04, id="APT, better"),
    pytest.param(f1_pair, 0.0, id="F1, equal"),
    pytest.param(f1_pair, 0.03, id="F1, better"),
]


class Given(Metric):
    """A sacrebleu metric whose segments are their statistics, written out."""

    def __init__(self, score):
        super().__init__()
        self.score = score
        self.num_refs = 1

    def _aggregate_and_compute(self, stats):
        return self._compute_score_from_stats(np.sum(stats, axis=0))

    def _compute_score_from_stats(self, stats):
        return Score("given", float(self.score(np.asarray(stats, dtype=float))))

    def _preprocess_segment(self, sent):
        return sent

    def _extract_reference_info(self, refs):
        return {}

    def _compute_segment_statistics(self, hypothesis, ref_kwargs):
        return [float(number) for number in hypothesis.split()]


def sacrebleu(system, baseline, test):
    """What sacrebleu finds for the system."""
    written = [[" ".join(map(repr, map(float, row))) for row in s.statistics] for s in (baseline, system)]
    systems = list(zip(("baseline", "system"), written, strict=True))
    references = [["-"] * len(written[0])]
    assert "SACREBLEU_SEED" not in os.environ  # its seed is then fixed
    _, scores = SacrebleuTest(systems, {"given": Given(system.score)}, references, test, RESAMPLES)()
    return scores["given"][1]


def monte_carlo(p, variances=2):
    """Four standard deviations of a difference with the variance of so many p: two, each found by resampling."""
    return 4 * np.sqrt(variances * max(p, 0.002) / RESAMPLES)


@pytest.mark.parametrize(("pair", "better"), PAIRS)
def test_randomization_agrees_with_sacrebleu(pair, better):
    system, baseline = pair(better)
    expected = sacrebleu(system, baseline, "ar").p_value
    found = approximate_randomization(system, baseline, RESAMPLES, seed=0)
    assert found.p == pytest.approx(expected, abs=monte_carlo(expected))


@pytest.mark.parametrize(("pair", "better"), PAIRS)
def test_interval_agrees_with_sacrebleu(pair, better):
    system, baseline = pair(better)
    expected = sacrebleu(system, baseline, "bs")
    found = confidence(system, RESAMPLES, seed=0)
    assert (found.high - found.low) / 2 == pytest.approx(expected.ci, rel=0.05)
    assert (found.high + found.low) / 2 == pytest.approx(expected.mean, abs=0.05 * expected.ci)


@pytest.mark.parametrize(
    ("pair", "better"), [(apt_pair, 0.06), (apt_pair, 0.07), (f1_pair, 0.04), (f1_pair, 0.05)]
)
def test_bootstrap_counts_both_sides_where_sacrebleu_counts_one(pair, better):
    """sacrebleu: |d*| − mean |d*| > |d|, which no resample on the other side of the mean fulfils."""
    system, baseline = pair(better)
    one_sided = sacrebleu(system, baseline, "bs").p_value
    found = paired_bootstrap(system, baseline, RESAMPLES, seed=0)
    assert one_sided < 0.05  # further in, |d*| of both signs mix
    assert found.p == pytest.approx(2 * one_sided, abs=monte_carlo(one_sided, variances=2**2 + 2))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("better", [0.0, 0.01, 0.02, 0.03])
def test_one_pronoun_a_segment_is_a_paired_t_test(test, better):
    """Then the difference is a mean of differences, and with 1000 of them Student's p is right."""
    rng = np.random.default_rng(3)
    credit = rng.uniform(size=(2, 1000))
    credit[0] += better
    system, baseline = (Sample(np.column_stack((c, np.ones(1000))), apt) for c in credit)
    expected = stats.ttest_rel(*credit).pvalue
    found = test(system, baseline, RESAMPLES, seed=0)
    assert found.p == pytest.approx(expected, abs=monte_carlo(expected, variances=1))
    assert found.difference == pytest.approx(credit[0].mean() - credit[1].mean())


def test_randomization_of_few_units_against_all_swaps():
    """Eight units have 256 swaps. Ties are many; they count as extreme."""
    system = np.array([[1, 2], [2, 2], [0.5, 1], [1, 1], [3, 3], [0, 1], [1, 1], [0.5, 1]])
    baseline = np.array([[0, 2], [1, 2], [1, 1], [1, 1], [2, 3], [0, 1], [0, 1], [0.5, 1]])
    differences = (system - baseline)[:, 0]
    extreme = [abs(np.dot(signs, differences)) >= 3.5 for signs in product((1, -1), repeat=8)]
    found = approximate_randomization(Sample(system, apt), Sample(baseline, apt), RESAMPLES, seed=0)
    assert found.p == pytest.approx(np.mean(extreme), abs=monte_carlo(np.mean(extreme), variances=1))
    assert found.difference == pytest.approx(3.5 / 12)
    assert found.interval is None


def test_interval_of_two_units_by_hand():
    """Both, twice the one or twice the other: 1/2, 0, 1 with probabilities 1/2, 1/4, 1/4."""
    found = confidence(Sample(np.array([[0.0, 1.0], [1.0, 1.0]]), apt), 1000, seed=0, level=0.4)
    assert (found.low, found.high, found.level) == (0.5, 0.5, 0.4)
    found = confidence(Sample(np.array([[0.0, 1.0], [1.0, 1.0]]), apt), 1000, seed=0)
    assert (found.low, found.high, found.level) == (0.0, 1.0, 0.95)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("pair", [apt_pair, f1_pair])
def test_identical_systems_never_differ(pair, test):
    system, _ = pair(0.1)
    same = Sample(system.statistics.copy(), system.score)
    found = test(system, same, 100, seed=0)
    assert (found.p, found.difference) == (1.0, 0.0)


def test_one_differing_unit_is_no_evidence():
    """Swapped or not, the difference is the same but for its sign, and for rounding when credits are odd."""
    credit = np.random.default_rng(0).uniform(size=50_000)
    statistics = np.column_stack((100 * credit, np.ones(50_000)))
    changed = statistics.copy()
    changed[17, 0] /= 3
    found = approximate_randomization(Sample(statistics, apt), Sample(changed, apt), 100, seed=0)
    assert found.difference > 0
    assert found.p == 1.0


@pytest.mark.parametrize("test", TESTS)
def test_difference_does_not_depend_on_the_order_of_units(test):
    pair = apt_pair(0.02, units=3000)
    turned = [Sample(sample.statistics[::-1], apt) for sample in pair]
    assert test(*pair, 10, seed=0).difference == test(*turned, 10, seed=0).difference


@pytest.mark.parametrize("test", TESTS)
def test_p_is_never_zero(test):
    system, baseline = apt_pair(0.9)
    assert test(system, baseline, 99, seed=0).p == 1 / 100


@pytest.mark.parametrize("test", TESTS)
def test_system_and_baseline_change_sides(test):
    """The difference changes its sign and nothing else, but for the rounding of the mean."""
    there, back = (test(*pair, 500, seed=4) for pair in (f1_pair(0.02), f1_pair(0.02)[::-1]))
    assert there.p == back.p
    assert there.difference == -back.difference
    if there.interval:
        assert there.interval.low == pytest.approx(-back.interval.high)


@pytest.mark.parametrize("resample", [lambda a, _, *how: confidence(a, *how), *TESTS])
class TestSeed:
    def test_same_seed_same_numbers(self, resample):
        assert resample(*apt_pair(0.02), 200, 0) == resample(*apt_pair(0.02), 200, 0)

    def test_zero_is_a_seed(self, resample):
        assert resample(*apt_pair(0.02), 200, 0) != resample(*apt_pair(0.02), 200, 1)

    def test_global_state_plays_no_part_and_stays(self, resample):
        np.random.seed(1)  # that is the state meant
        before = np.random.get_state()[1].tolist()
        first = resample(*apt_pair(0.02), 200, 0)
        assert np.random.get_state()[1].tolist() == before
        np.random.seed(2)
        assert resample(*apt_pair(0.02), 200, 0) == first


def test_draws_are_the_same_for_every_system():
    """Against a baseline of score 0 everywhere, the difference is the system: so are the intervals."""
    system, _ = apt_pair(0.0)
    nothing = Sample(system.statistics * [0, 1], apt)
    assert paired_bootstrap(system, nothing, 300, seed=5).interval == confidence(system, 300, seed=5)


@given(st.integers(2, 40), st.integers(1, 60), st.integers(0, 5), st.integers(1, 70))
def test_draws_do_not_depend_on_blocks(units, resamples, seed, block):
    blocks = list(draws(units, resamples, seed, block))
    assert {len(counts) for counts in blocks[:-1]} <= {block}
    counts = np.concatenate(blocks)
    assert counts.shape == (resamples, units)
    assert (counts.sum(axis=1) == units).all()
    assert (counts == np.concatenate(list(draws(units, resamples, seed)))).all()


@pytest.mark.parametrize("block", [1, 1 << 10, 1 << 30])
def test_results_do_not_depend_on_blocks(monkeypatch, block):
    system, baseline = f1_pair(0.02)
    expected = [test(system, baseline, 500, seed=0) for test in TESTS]
    monkeypatch.setattr("apt.significance._BLOCK", block)
    assert [test(system, baseline, 500, seed=0) for test in TESTS] == expected


class TestUndefined:
    """One segment of ten has a pronoun: nothing is drawn in 0.9^10 = 35 % of resamples."""

    rows = np.array([[1.0, 2.0]] + [[0.0, 0.0]] * 9)

    def test_interval(self):
        found = confidence(Sample(self.rows, apt), RESAMPLES, seed=0)
        assert found.undefined / RESAMPLES == pytest.approx(0.9**10, abs=0.02)
        assert (found.low, found.high, found.resamples) == (0.5, 0.5, RESAMPLES)

    def test_paired_bootstrap(self):
        found = paired_bootstrap(Sample(self.rows, apt), Sample(self.rows * [2, 1], apt), RESAMPLES, seed=0)
        alone = confidence(Sample(self.rows, apt), RESAMPLES, seed=0)
        assert found.undefined == found.interval.undefined == alone.undefined
        assert found.p == 1 / (RESAMPLES - found.undefined + 1)  # left out of n as well

    def test_either_system(self):
        """The one has a pronoun in the first segment, the other in the second: both must be drawn."""
        found = paired_bootstrap(
            Sample(self.rows, apt), Sample(np.roll(self.rows, 1, axis=0), apt), RESAMPLES, seed=0
        )
        drawn = 1 - 2 * 0.9**10 + 0.8**10
        assert found.undefined / RESAMPLES == pytest.approx(1 - drawn, abs=0.02)

    def test_randomization(self):
        """Swapped one without the other, a system is left with no pronoun: half of the swaps."""
        found = approximate_randomization(
            Sample(self.rows, apt), Sample(np.roll(self.rows, 1, axis=0) * [2, 1], apt), RESAMPLES, seed=0
        )
        assert found.undefined / RESAMPLES == pytest.approx(0.5, abs=0.02)
        assert found.p == 1.0

    @pytest.mark.parametrize("score", [apt, lambda sums: (1 + sums[..., 0]) / 0.0])
    def test_no_score_no_result(self, score):
        empty, full = Sample(np.zeros((5, 2)), score), Sample(np.ones((5, 2)), apt)
        assert confidence(empty, 10, seed=0) is None
        for test in TESTS:
            assert test(empty, full, 10, seed=0) is None
            assert test(full, empty, 10, seed=0) is None

    def test_no_resample_defined(self):
        """Both units needed, and the one resample of this seed draws one of them twice."""
        both = Sample(np.eye(2), lambda sums: np.where(sums.all(axis=-1), 1.0, np.nan))
        seed = next(s for s in range(99) if next(draws(2, 1, s)).max() == 2)
        assert confidence(both, 1, seed) is None
        assert paired_bootstrap(both, both, 1, seed) is None


class TestDocuments:
    def test_sums_in_order_of_first_appearance(self):
        rows = [[1, 10], [2, 20], [3, 30], [4, 40]]
        assert by_document(rows, ["b", "a", "b", "c"]).tolist() == [[4, 40], [2, 20], [4, 40]]

    def test_wider_interval_when_segments_of_a_document_are_alike(self):
        """All 20 segments of a document are right or wrong together: √20 times as wide."""
        right = np.repeat(np.random.default_rng(0).integers(0, 2, 50), 20)
        rows = np.column_stack((right, np.ones(1000)))
        documents = [str(i // 20) for i in range(1000)]
        segments, clustered = (
            confidence(Sample(statistics, apt), RESAMPLES, seed=0)
            for statistics in (rows, by_document(rows, documents))
        )
        wider = (clustered.high - clustered.low) / (segments.high - segments.low)
        assert wider == pytest.approx(np.sqrt(20), rel=0.1)

    def test_one_a_segment(self):
        with pytest.raises(OptionError, match="one a segment needed, found 1 for 2 segments"):
            by_document([[1, 1], [1, 1]], ["a"])


class TestErrors:
    two = Sample(np.ones((2, 2)), apt)

    @pytest.mark.parametrize(
        "resample",
        [lambda a, *how: confidence(a, *how), *[lambda a, *how, t=t: t(a, a, *how) for t in TESTS]],
    )
    @pytest.mark.parametrize(
        ("units", "resamples", "seed", "message"),
        [
            (2, 10, -1, "seed: a whole number from 0 on expected, found -1"),
            (2, 0, 0, "resamples: at least 1 needed, found 0"),
            (1, 10, 0, "resampling: at least 2 segments or documents needed, found 1"),
            (0, 10, 0, "resampling: at least 2 segments or documents needed, found 0"),
        ],
    )
    def test_options(self, resample, units, resamples, seed, message):
        with pytest.raises(OptionError, match=message):
            resample(Sample(np.ones((units, 2)), apt), resamples, seed)

    @pytest.mark.parametrize("test", TESTS)
    def test_lengths(self, test):
        three = Sample(np.ones((3, 2)), apt)
        with pytest.raises(OptionError, match="as many units as the baseline's 2 needed, found 3"):
            test(three, self.two, 10, seed=0)

    @pytest.mark.parametrize("level", [0.0, 1.0, 95])
    def test_level(self, level):
        with pytest.raises(OptionError, match=f"level: a number between 0 and 1 expected, found {level}"):
            confidence(self.two, 10, seed=0, level=level)

    def test_draws_at_once(self):
        with pytest.raises(OptionError, match="seed"):
            draws(2, 10, -1)
