"""Right, tied and wrong; shares, intervals and tests."""

import numpy as np
import pytest
from scipy.stats import binomtest
from small_sets import ANAPHORA, CONTRAPRO, Folder, counts, evaluated, instance

from apt.contrast.evaluation import compare, evaluate, share
from apt.contrast.instances import ContrastiveSet, Instance
from apt.errors import OptionError


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def set_of(*contrastive, **buckets):
    """Instances with so many contrastive translations each."""
    return ContrastiveSet(
        "set",
        "kind",
        [
            Instance("s", "right", tuple(f"wrong {n}" for n in range(many)), buckets=buckets)
            for many in contrastive
        ],
    )


@pytest.mark.parametrize(
    ("scores", "right", "tied"),
    [
        ([1.0, 2.0, 3.0], True, False),
        ([1.0, 3.0, 2.0], True, False),
        ([2.0, 1.0, 3.0], False, False),
        ([2.0, 3.0, 1.0], False, False),
        # As good as the best contrastive one: wrong, and a tie.
        ([1.0, 1.0, 2.0], False, True),
        ([1.0, 2.0, 1.0], False, True),
        ([1.0, 1.0, 1.0], False, True),
        ([0.0, -0.0, 1.0], False, True),
        # As good as one that is not the best, or the contrastive ones alike: no tie.
        ([2.0, 2.0, 1.0], False, False),
        ([1.0, 2.0, 2.0], True, False),
        ([2.0, 1.0, 1.0], False, False),
        # The smallest difference there is.
        ([1.0, float(np.nextafter(1, 2)), 3.0], True, False),
        ([-5.0, -4.0, 1e300], True, False),
    ],
)
def test_an_instance(scores, right, tied):
    lower = evaluate(set_of(2), np.array(scores))
    assert (lower.total.right, lower.ties) == (right, tied)
    higher = evaluate(set_of(2), -np.array(scores), higher_is_better=True)
    assert (higher.total.right, higher.ties) == (right, tied)


def test_instances_of_different_sizes():
    """One, three and two contrastive translations: the second is beaten by its last one alone."""
    found = evaluate(set_of(1, 3, 2), np.array([1.0, 2, 5, 6, 7, 4, 0, 3, 3.5]))
    assert found.right.tolist() == [True, False, True]


def test_by_hand(folder, apt_contrast):
    """Three instances of 2, 3 and 1 contrastive translations: right, wrong by the third, a tie."""
    test_set = folder.write("set.json", CONTRAPRO)
    scores = folder.scores(1, 2, 3, 5, 6, 7, 4, 2, 2)
    [model] = evaluated(apt_contrast, test_set, scores)["models"]
    assert (model["right"], model["total"], model["ties"], model["accuracy"]) == (1, 3, 1, 1 / 3)
    assert counts(model["buckets"]["pronoun"], "pronoun") == {"er": (1, 1), "es": (0, 1), "sie": (0, 1)}
    assert counts(model["buckets"]["distance"], "distance") == {"0": (1, 1), "1": (0, 1), "unknown": (0, 1)}
    cells = [(cell["distance"], cell["pronoun"], cell["right"], cell["total"]) for cell in model["crossed"]]
    assert cells == [("0", "er", 1, 1), ("1", "sie", 0, 1), ("unknown", "es", 0, 1)]
    assert model["whole_blocks"] is None


def test_buckets_stand_in_their_natural_order(folder, apt_contrast):
    distances = (None, 40, 3, 0, 4, 1, 2)
    test_set = folder.write("set.json", [instance("ihn", ("x",), **{"ante distance": d}) for d in distances])
    [model] = evaluated(apt_contrast, test_set, folder.scores(*[1, 2] * 7))["models"]
    found = counts(model["buckets"]["distance"], "distance")
    assert list(found) == ["0", "1", "2", "3", ">3", "unknown"]
    assert found[">3"] == (2, 2)
    assert counts(model["buckets"]["pronoun"], "pronoun") == {"er": (7, 7)}


@pytest.mark.parametrize(
    ("scores", "right", "blocks"),
    [
        ([1, 2, 1, 2, 1, 2], 3, 2),
        ([1, 2, 1, 2, 2, 1], 2, 1),  # block 10 is half right
        ([1, 2, 2, 1, 1, 2], 2, 1),  # so it is, the other half
        ([2, 1, 1, 2, 1, 2], 2, 1),  # block 2 is wrong
        ([2, 1, 1, 2, 1, 1], 1, 0),
    ],
)
def test_whole_blocks(folder, apt_contrast, scores, right, blocks):
    test_set = folder.write("set.json", ANAPHORA)
    [model] = evaluated(apt_contrast, test_set, folder.scores(*scores))["models"]
    assert (model["right"], model["whole_blocks"]["right"], model["whole_blocks"]["total"]) == (
        right,
        blocks,
        2,
    )


def test_an_instance_without_a_bucket_that_others_have():
    instances = [Instance("s", "a", ("b",), buckets={"step": "1"}), Instance("s", "c", ("d",))]
    found = evaluate(ContrastiveSet("set", "kind", instances), np.array([1.0, 2, 1, 2]))
    assert list(found.buckets["step"]) == ["1", "unknown"]


# ---- directions ----


def test_directions(folder, apt_contrast):
    test_set = folder.write("set.json", CONTRAPRO)
    scores = folder.scores(-1, -2, -3, -1, -2, -3, -4, -2, -1)
    [lower] = evaluated(apt_contrast, test_set, scores)["models"]
    assert (lower["right"], lower["higher_is_better"], lower["other_direction"]) == (1, False, 2 / 3)
    [higher] = evaluated(apt_contrast, test_set, scores, "--higher-is-better")["models"]
    assert (higher["right"], higher["higher_is_better"], higher["other_direction"]) == (2, True, 1 / 3)
    [same] = evaluated(apt_contrast, test_set, scores, "--lower-is-better")["models"]
    assert same == lower


def test_scores_that_look_reversed_are_remarked_on(folder, apt_contrast):
    test_set = folder.write("set.json", CONTRAPRO)
    good = folder.scores(1, 2, 3, 1, 2, 3, 4, 1, 2)
    remark = "m.scores: the other direction of scores ({}) would give 1.0000"
    for option, other in (
        ("--higher-is-better", "--lower-is-better"),
        ("--lower-is-better", "--higher-is-better"),
    ):
        path = good if option == "--higher-is-better" else folder.scores(-1, -2, -3, -1, -2, -3, -4, -1, -2)
        text = apt_contrast("evaluate", test_set, path, option)
        assert (text.status, text.err) == (0, "")
        assert remark.format(other) in text.out
        # Where the output is for programs, it is said beside it.
        data = apt_contrast("evaluate", test_set, path, option, "-f", "tsv")
        assert remark.format(other) not in data.out
        assert remark.format(other) in data.err
        assert data.err.count("\n") == 1


@pytest.mark.parametrize(
    "scores",
    [
        [1, 2, 3, 1, 2, 3, 4, 1, 2],  # all right
        [1] * 9,  # all ties: no direction is better
    ],
)
def test_no_remark_without_cause(folder, apt_contrast, scores):
    outcome = apt_contrast("evaluate", folder.write("set.json", CONTRAPRO), folder.scores(*scores))
    assert "direction" not in outcome.out + outcome.err


# ---- intervals and tests ----


@pytest.mark.parametrize("right, total", [(0, 1), (1, 1), (0, 50), (50, 50), (7, 20), (9043, 12_000)])  # noqa: PT006
def test_the_interval_is_wilsons(right, total):
    found = share(right, total)
    expected = binomtest(right, total).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= found.low <= right / total <= found.high <= 1


def test_nothing_has_no_share():
    nothing = share(0, 0)
    assert (nothing.accuracy, nothing.low, nothing.high) == (None, None, None)


def models(only_one, only_other, both=0, neither=0):
    """Two evaluations, of which the first alone is right so often, the second alone so often, …"""
    cases = [(1, 0)] * only_one + [(0, 1)] * only_other + [(1, 1)] * both + [(0, 0)] * neither
    contrastive_set = set_of(*[1] * len(cases))
    return [
        evaluate(
            contrastive_set,
            np.array([score for case in cases for score in (1 - case[which], 0.5)]),
            model=name,
        )
        for which, name in enumerate("ab")
    ]


@pytest.mark.parametrize(
    ("only_one", "only_other", "p"),
    [
        # Twice the tail of a binomial of 1/2, at most 1.
        (5, 0, 2 / 32),
        (0, 5, 2 / 32),
        (6, 1, 2 * (1 + 7) / 128),
        (8, 2, 2 * (1 + 10 + 45) / 1024),
        (3, 3, 1.0),
        (1, 0, 1.0),
        (0, 0, 1.0),
    ],
)
def test_mcnemar_by_hand(only_one, only_other, p):
    found = compare(*models(only_one, only_other, both=4, neither=3))
    assert (found.only_model, found.only_baseline) == (only_one, only_other)
    assert found.p == pytest.approx(p, abs=1e-12)
    assert found.difference == pytest.approx((only_one - only_other) / (only_one + only_other + 7))


def test_p_is_never_nought():
    assert 0 < compare(*models(3000, 0)).p < 1e-300


def test_models_of_different_sets_are_not_compared():
    one, other = models(2, 1)[0], models(2, 2)[1]
    with pytest.raises(OptionError, match="different sets"):
        compare(one, other)


def test_too_few_scores_for_the_library():
    with pytest.raises(OptionError, match="3 scores needed, found 2"):
        evaluate(set_of(2), np.array([1.0, 2.0]))


def test_models_side_by_side(folder, apt_contrast):
    test_set = folder.write("set.json", CONTRAPRO)
    good = folder.scores(1, 2, 3, 1, 2, 3, 4, 1, 2, name="good")
    half = folder.scores(1, 2, 3, 9, 2, 3, 4, 1, 2, name="half")
    bad = folder.scores(9, 2, 3, 9, 2, 3, 4, 1, 2, name="bad")
    document = evaluated(apt_contrast, test_set, good, half, bad, "--baseline", "half")
    assert [(model["model"], model["right"]) for model in document["models"]] == [
        ("good", 3),
        ("half", 2),
        ("bad", 1),
    ]
    found = [
        (each["model"], each["baseline"], each["only_model"], each["only_baseline"])
        for each in document["comparisons"]
    ]
    assert found == [("good", "half", 1, 0), ("bad", "half", 0, 1)]
    first = evaluated(apt_contrast, test_set, good, half)["comparisons"]
    assert [each["baseline"] for each in first] == ["good"]


@pytest.mark.parametrize("output", ["text", "tsv", "latex"])
def test_every_format_says_how_many_are_right(folder, apt_contrast, output):
    test_set = folder.write("set.json", CONTRAPRO)
    outcome = apt_contrast("evaluate", test_set, folder.scores(1, 2, 3, 1, 2, 3, 4, 2, 1), "-f", output)
    assert outcome.status == 0
    assert ("0.6667" if output != "tsv" else "0.6666666666666666") in outcome.out
