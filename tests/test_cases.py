"""The six cases and the cell of the confusion matrix, from the forms on either side."""

import pytest

from apt import APT, Case
from apt.cases import NONE, OTHER, Comparison, Verdict

FRENCH = Comparison(
    group_of={"ce": "ce", "c'": "ce", "ça": "ça", "ç'": "ça", "cela": "ça"},
    equivalent={("ce", "il"): 0.6, ("il", "ce"): 0.6, ("ce", "ça"): 0.7, ("ça", "ce"): 0.7},
)

# reference forms, candidate forms, case, cell; None: not found, (): translated by something else
VERDICTS = [
    (("il",), ("il",), Case.IDENTICAL, ("il", "il")),
    (("c'",), ("ce",), Case.IDENTICAL, ("ce", "ce")),  # identical after the list, named by the group
    (("cela",), ("ç'",), Case.IDENTICAL, ("ça", "ça")),
    (("il",), ("c'",), Case.EQUIVALENT, ("il", "ce")),
    (("cela",), ("c'",), Case.EQUIVALENT, ("ça", "ce")),
    (("il",), ("ça",), Case.DIFFERENT, ("il", "ça")),  # equivalence is not transitive
    (("il",), ("elle",), Case.DIFFERENT, ("il", "elle")),
    (("il",), None, Case.CANDIDATE_MISSING, ("il", NONE)),
    (None, ("il",), Case.REFERENCE_MISSING, (NONE, "il")),
    (None, None, Case.BOTH_MISSING, (NONE, NONE)),
    (("il",), (), Case.DIFFERENT, ("il", OTHER)),
    ((), ("il",), Case.DIFFERENT, (OTHER, "il")),
    ((), (), Case.DIFFERENT, (OTHER, OTHER)),  # OTHER never equals OTHER by default
    (None, (), Case.REFERENCE_MISSING, (NONE, OTHER)),
    ((), None, Case.CANDIDATE_MISSING, (OTHER, NONE)),
    # Several forms: sets are compared, the cell is the shared form …
    (("elle", "le"), ("la", "le"), Case.IDENTICAL, ("le", "le")),
    # … the pair with the highest p …
    (("ce",), ("il", "cela"), Case.EQUIVALENT, ("ce", "ça")),
    # … or the first of each side.
    (("elle", "le"), ("la", "les"), Case.DIFFERENT, ("elle", "la")),
]


@pytest.mark.parametrize(("reference", "candidate", "case", "cell"), VERDICTS)
def test_verdict(reference, candidate, case, cell):
    assert FRENCH.verdict(reference, candidate) == Verdict(case, *cell)


@pytest.mark.parametrize(
    ("policy", "reference", "candidate", "case", "cell"),
    [
        ("equal", (), (), Case.IDENTICAL, (OTHER, OTHER)),
        ("equal", (), ("il",), Case.DIFFERENT, (OTHER, "il")),
        ("missing", (), (), Case.BOTH_MISSING, (NONE, NONE)),
        ("missing", (), ("il",), Case.REFERENCE_MISSING, (NONE, "il")),
        ("missing", ("il",), (), Case.CANDIDATE_MISSING, ("il", NONE)),
    ],
)
def test_other_policy(policy, reference, candidate, case, cell):
    comparison = Comparison(FRENCH.group_of, FRENCH.equivalent, policy)
    assert comparison.verdict(reference, candidate) == Verdict(case, *cell)


def test_old_tools_fault_inverted_pronouns_are_not_identical():
    """marche-t-il against marche-t-elle scored as identical there."""
    apt = APT(lang="fr")
    result = apt.sentence_score(
        "marche-t-elle ?",
        "marche-t-il ?",
        "does it work ?",
        reference_links="1-1 2-0",
        hypothesis_links="1-1 2-0",
    )
    assert result.triples[0].verdict == Verdict(Case.DIFFERENT, "il", "elle")
