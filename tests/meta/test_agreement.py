"""Chance-corrected agreement against irrCAC, scikit-learn and numbers worked out by hand."""

import random

import pytest

from apt.errors import OptionError
from apt.meta.agreement import cohen_kappa, fleiss_kappa, gwet_ac1

ALL = [gwet_ac1, cohen_kappa, fleiss_kappa]


def random_ratings(raters, categories, missing, items=60):
    """Raters who see the same thing two times in three, guess otherwise, and perhaps skip items."""
    rng = random.Random(f"{raters} {categories} {missing}")
    names = ["bad", "correct", "incorrect"][:categories]
    rows = []
    for _ in range(items):
        truth = rng.choice(names)
        row = [truth if rng.random() < 2 / 3 else rng.choice(names) for _ in range(raters)]
        rows.append([None if rng.random() < missing else rating for rating in row])
    return rows


@pytest.mark.filterwarnings("ignore::Warning:irrCAC")
@pytest.mark.parametrize("missing", [0, 0.3])
@pytest.mark.parametrize("categories", [2, 3])
@pytest.mark.parametrize("raters", [2, 3])
@pytest.mark.parametrize(("ours", "theirs"), list(zip(ALL, ["gwet", "conger", "fleiss"], strict=True)))
def test_irrcac_finds_the_same(ours, theirs, raters, categories, missing):
    reason = "irrCAC wants a version of scipy that Python 3.13 and later do not have"
    raw = pytest.importorskip("irrCAC.raw", reason=reason)
    pandas = pytest.importorskip("pandas", reason="comes with irrCAC")
    ratings = random_ratings(raters, categories, missing)
    if missing:  # what makes missing ratings hard: items that one rater alone rated, or nobody
        rated = [sum(rating is not None for rating in row) for row in ratings]
        assert 1 in rated
        assert 0 in rated
    found = ours(ratings)
    expected = getattr(raw.CAC(pandas.DataFrame(ratings), digits=12), theirs)()["est"]
    assert found.value == pytest.approx(expected["coefficient_value"], abs=1e-10)
    assert found.standard_error == pytest.approx(expected["se"], abs=1e-10)
    assert found.observed == pytest.approx(expected["pa"], abs=1e-10)
    assert found.expected == pytest.approx(expected["pe"], abs=1e-10)
    assert (found.low, found.high) == pytest.approx(expected["confidence_interval"], abs=1e-10)


@pytest.mark.parametrize("categories", [2, 3])
def test_scikit_learn_finds_the_same_cohen(categories):
    metrics = pytest.importorskip("sklearn.metrics")
    ratings = random_ratings(2, categories, 0)
    expected = metrics.cohen_kappa_score(*zip(*ratings, strict=True))
    assert cohen_kappa(ratings).value == pytest.approx(expected, abs=1e-12)


# 10 items: both say yes to 8, one says yes and the other no to 2. Observed agreement 0.8.
PARADOX = [["yes", "yes"]] * 8 + [["yes", "no"], ["no", "yes"]]


def test_ac1_by_hand():
    # yes is 0.9 of all ratings. AC1: chance 2 * 0.9 * 0.1 = 0.18, and (0.8 - 0.18) / 0.82 = 0.7561.
    found = gwet_ac1(PARADOX)
    assert found.expected == pytest.approx(0.18)
    assert found.value == pytest.approx(0.62 / 0.82)
    # An item where they agree is worth 1 to observed agreement and 0.1 to chance, the others 0 and 0.5. With
    # a = (1 - 0.18) / 0.82 - 2 * (0.2 / 0.82) * (0.1 - 0.18) / 0.82 = 1.047591 for eight items and
    # b = -0.18 / 0.82 - 2 * (0.2 / 0.82) * (0.5 - 0.18) / 0.82 = -0.409875 for two, the squared distances from
    # 0.756098 sum to 8 * 0.084969 + 2 * 1.359494 = 3.398739, and that / (10 * 9) has the root 0.194329.
    assert found.standard_error == pytest.approx(0.194329, abs=1e-5)


def test_kappas_by_hand():
    # Both raters say yes to 9 of 10: chance 0.81 + 0.01 = 0.82, and (0.8 - 0.82) / 0.18 = -1/9, "less than
    # chance" for two raters who agree on 8 of 10 items: the paradox for which there is AC1.
    for kappa in (cohen_kappa, fleiss_kappa):
        assert kappa(PARADOX).value == pytest.approx(-1 / 9)


def test_conger_and_fleiss_differ_where_raters_have_habits():
    # a, a, a and a, b, b: Cohen: chance 1 * 1/3 = 1/3, kappa 0. Fleiss: shares 2/3 and 1/3, chance 5/9, kappa -1/2.
    ratings = [["a", "a"], ["a", "b"], ["a", "b"]]
    assert cohen_kappa(ratings).value == pytest.approx(0)
    assert fleiss_kappa(ratings).value == pytest.approx(-1 / 2)


def test_categories_that_nobody_chose_count_for_ac1():
    # Three to choose from instead of two: chance is halved, 0.09, and (0.8 - 0.09) / 0.91.
    assert gwet_ac1(PARADOX, ["yes", "no", "perhaps"]).value == pytest.approx(0.71 / 0.91)
    for kappa in (cohen_kappa, fleiss_kappa):
        assert kappa(PARADOX, ["yes", "no", "perhaps"]).value == pytest.approx(-1 / 9)


def test_numbers_are_categories_too():
    assert (
        cohen_kappa([[1, 1], [0, 0], [1, 0]]).value == cohen_kappa([["y", "y"], ["n", "n"], ["y", "n"]]).value
    )


def test_the_interval_ends_where_coefficients_do():
    found = cohen_kappa([["a", "b"], ["b", "a"], ["a", "b"], ["a", "a"]])
    assert found.value == pytest.approx(-0.5)  # observed 1/4; chance 3/4 * 1/2 + 1/4 * 1/2 = 1/2
    assert found.low == -1
    assert gwet_ac1(random_ratings(2, 2, 0, items=5) + [["bad", "bad"]] * 5).high == 1


def test_a_level_of_its_own():
    wide, narrow = gwet_ac1(PARADOX, level=0.95), gwet_ac1(PARADOX, level=0.5)
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


@pytest.mark.parametrize("coefficient", ALL)
def test_no_item_with_two_ratings(coefficient):
    for ratings in ([], [["a", None], [None, "b"]], [[None, None]]):
        found = coefficient(ratings)
        assert (found.value, found.observed, found.low) == (None, None, None)
        assert found.undefined == "no item has two ratings"


@pytest.mark.parametrize("coefficient", ALL)
def test_one_category_is_undefined(coefficient):
    # irrCAC returns a number here.
    found = coefficient([["a", "a"], ["a", "a"]])
    assert found.value is None
    assert found.observed == 1
    assert found.undefined


def test_one_of_two_categories_is_perfect_for_ac1_and_undefined_for_kappa():
    ratings = [["a", "a"], ["a", "a"]]
    assert gwet_ac1(ratings, ["a", "b"]).value == 1
    assert cohen_kappa(ratings, ["a", "b"]).value is None
    assert fleiss_kappa(ratings, ["a", "b"]).value is None


@pytest.mark.parametrize("coefficient", ALL)
def test_one_item_has_a_value_and_no_interval(coefficient):
    found = coefficient([["a", "b"]])
    assert found.value is not None
    assert (found.standard_error, found.low, found.high) == (None, None, None)
    assert found.no_interval == "only one item was rated"


@pytest.mark.parametrize("coefficient", ALL)
def test_who_rated_nothing_is_not_there(coefficient):
    ratings = random_ratings(2, 3, 0)
    found = coefficient([[*row, None] for row in ratings])
    assert found == coefficient(ratings)


@pytest.mark.parametrize("coefficient", ALL)
@pytest.mark.parametrize(
    ("ratings", "options", "message"),
    [
        ([["a"], ["b"]], {}, "at least 2 raters needed, found 1"),
        ([["a", "b"], ["a", "b", "b"]], {}, "as many for every item expected, found 2 and 3"),
        ([["a", "c"]], {"categories": ["a", "b"]}, "unknown category 'c'. Categories: a, b"),
        ([["a", "b"]], {"categories": ["a", "b", "a"]}, "named twice"),
        ([["a", "b"]], {"level": 1.0}, "level: a number between 0 and 1 expected"),
    ],
)
def test_wrong_ratings(coefficient, ratings, options, message):
    with pytest.raises(OptionError, match=message):
        coefficient(ratings, **options)
