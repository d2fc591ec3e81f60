"""`apt-meta agree`: the six cases against human judgments, on twelve triples that can be counted by hand.

Of the twelve triples of judged_files one is not judged and one is bad. The other ten, metric × people:

               correct                        incorrect
    right   3  (A 0, A 1, A 2)             2  (B 1, B 3)
    wrong   2  (A 4, B 2)                  3  (A 5, B 0, B 4)
"""

import json

import pytest
from conftest import check
from judged_files import JUDGMENTS, TWELVE, Folder, details_tsv, judgments_tsv, table

from apt.meta.agreement import cohen_kappa, fleiss_kappa, gwet_ac1


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture
def agree(folder, apt_meta):
    """Runs the command and gives its JSON."""

    def run(*options):
        outcome = apt_meta(*folder.agree("-f", "json", *options))
        assert outcome.err == ""
        assert outcome.status == 0
        return json.loads(outcome.out)

    return run


def values(part):
    return tuple(part[name]["value"] for name in ("accuracy", "kappa", "ac1"))


def ends(part):
    return [
        (part[name]["interval"]["low"], part[name]["interval"]["high"])
        for name in ("accuracy", "kappa", "ac1")
    ]


# ---- numbers ----


def test_judgments_by_case(agree):
    found = agree()
    assert found["cases"] == {
        "1": {"correct": 2, "incorrect": 1, "bad": 0},
        "2": {"correct": 1, "incorrect": 1, "bad": 0},
        "3": {"correct": 1, "incorrect": 2, "bad": 0},
        "4": {"correct": 0, "incorrect": 0, "bad": 1},
        "5": {"correct": 1, "incorrect": 0, "bad": 0},
        "6": {"correct": 0, "incorrect": 1, "bad": 0},
    }
    assert (found["triples"], found["judged"], found["not_judged"], found["bad"]) == (12, 11, 1, 1)


# accuracy, kappa, AC1; a = right and correct, d = wrong and incorrect.
@pytest.mark.parametrize(
    ("options", "counts", "expected"),
    [
        # 6 of 10; all margins 5, so chance is 1/2 for both coefficients.
        ([], (3, 2, 2, 3), (6 / 10, 1 / 5, 1 / 5)),
        # The bad one is in case 4: d = 4. Kappa: chance (5 * 5 + 6 * 6) / 121, so (77 - 61) / (121 - 61). AC1:
        # correct is 10 of 22 answers, chance 2 * 5/11 * 6/11 = 60/121, so (77 - 60) / (121 - 60).
        (["--bad", "incorrect"], (3, 2, 2, 4), (7 / 11, 16 / 60, 17 / 61)),
        # Without A 4 and B 4. Kappa: chance (5 * 4 + 3 * 4) / 64 = 1/2. AC1: correct is 9 of 16 answers, chance
        # 126/256, so (160 - 126) / (256 - 126).
        (["--discard", "5,6"], (3, 2, 1, 2), (5 / 8, 1 / 4, 34 / 130)),
        # The two of case 2 are wrong now. Kappa: chance (3 * 5 + 7 * 5) / 100 = 1/2. AC1: correct is 8 of 20
        # answers, chance 0.48.
        (["--accept", "1"], (2, 1, 3, 4), (6 / 10, 1 / 5, 0.12 / 0.52)),
    ],
)
def test_agreement(agree, options, counts, expected):
    found = agree(*options)["agreement"]
    names = ("right_correct", "right_incorrect", "wrong_correct", "wrong_incorrect")
    assert tuple(found[name] for name in names) == counts
    assert values(found) == pytest.approx(expected)


def test_agreement_of_parts(agree):
    by = agree()["by"]
    assert {name: (part["compared"], part["accuracy"]["value"]) for name, part in by["system"].items()} == {
        "A": (5, 4 / 5),  # all but A 4
        "B": (5, 2 / 5),  # B 0 and B 4
    }
    # It and it are one pronoun.
    assert {name: (part["compared"], part["accuracy"]["value"]) for name, part in by["source"].items()} == {
        "it": (7, 4 / 7),
        "they": (3, 2 / 3),
    }


def test_agreement_by_a_column(folder, agree):
    functions = ["pleonastic" if row[3:5] == (0, "it") else "anaphoric" for row in TWELVE]
    rows = [(row[0], *row[2:7], row[8], name) for row, name in zip(TWELVE, functions, strict=True)]
    folder.write("judgments.tsv", table([*JUDGMENTS, "function"], rows))
    part = agree("--by", "function")["by"]["function"]
    # it at position 0: A 1 yes, A 4 no, B 1 no, B 3 no, B 4 yes.
    assert (part["pleonastic"]["compared"], part["pleonastic"]["accuracy"]["value"]) == (5, 2 / 5)
    assert (part["anaphoric"]["compared"], part["anaphoric"]["accuracy"]["value"]) == (5, 4 / 5)


def test_one_answer_throughout_leaves_kappa_undefined(folder, agree):
    folder.write("judgments.tsv", judgments_tsv([TWELVE[0], TWELVE[2]]))  # both right, both correct
    found = agree()["agreement"]
    assert values(found) == (1, None, 1)
    assert "one and the same answer throughout" in found["kappa"]["undefined"]


def test_nothing_left_to_compare(folder, agree, apt_meta):
    folder.write("judgments.tsv", judgments_tsv([TWELVE[3]]))  # bad
    found = agree()["agreement"]
    assert values(found) == (None, None, None)
    assert found["accuracy"]["undefined"] == "there is nothing to compare"
    text = apt_meta(*folder.agree()).out
    assert "there is nothing to compare" in text
    assert "nan" not in text


# ---- intervals ----


def test_intervals_follow_the_seed(agree):
    assert agree("--seed", "7") == agree("--seed", "7")
    assert ends(agree("--seed", "7", "--confidence-n", "50")["agreement"]) != ends(
        agree("--seed", "8", "--confidence-n", "50")["agreement"]
    )


def test_intervals_hold_the_value(agree):
    found = agree()["agreement"]
    assert found["units"] == 6  # in segments 3 and 5 one of the two systems has something to compare
    for (low, high), value in zip(ends(found), values(found), strict=True):
        assert low < value < high


def test_more_systems_do_not_make_segments_independent(folder, agree):
    """The same system under two names says nothing new: the interval stays as wide as it was."""
    one = [row for row in TWELVE if row[0] == "A"]
    folder.write("details.tsv", details_tsv(one))
    folder.write("judgments.tsv", judgments_tsv(one))
    alone = agree()["agreement"]
    twice = one + [("copy", *row[1:]) for row in one]
    folder.write("details.tsv", details_tsv(twice))
    folder.write("judgments.tsv", judgments_tsv(twice))
    both = agree()["agreement"]
    assert both["compared"] == 2 * alone["compared"]
    assert ends(both) == ends(alone)


def test_documents_are_fewer_units(agree):
    by_document = agree("--resample", "documents")["agreement"]
    assert by_document["units"] == 2
    assert values(by_document) == values(agree()["agreement"])
    # d1 has 4 of 6 right, d2 2 of 4: resamples of two documents give 8/12, 6/10 and 4/8, and no others.
    assert ends(by_document)[0] == (4 / 8, 8 / 12)


def test_one_segment_has_no_interval(folder, agree):
    folder.write("judgments.tsv", judgments_tsv([TWELVE[0], TWELVE[6]]))
    found = agree()["agreement"]["accuracy"]
    assert (found["value"], found["interval"]) == (1, None)
    assert found["no_interval"] == "all is in one of the segments"


# ---- raters ----

RATED = [
    ("A", 0, ["correct", "correct", "incorrect"]),  # correct by majority
    ("A", 1, ["correct", "incorrect", ""]),  # a tie
    ("A", 2, ["bad", "bad", "correct"]),  # bad
    ("A", 4, ["incorrect", "", ""]),  # incorrect
    ("A", 5, ["correct", "incorrect", "bad"]),  # a tie
    ("B", 0, ["incorrect", "incorrect", "incorrect"]),
]


def rated(columns):
    rows = {(row[0], row[2]): (row[0], *row[2:7]) for row in TWELVE}
    names = ("ann", "bob", "eve")[:columns]
    return [
        (*rows[system, segment], judgment, rater)
        for system, segment, given in RATED
        for judgment, rater in zip(given[:columns], names, strict=True)
    ]


def test_the_majority_decides(folder, agree, apt_meta):
    folder.write("judgments.tsv", table([*JUDGMENTS, "rater"], rated(3)))
    found = agree()
    assert (found["judged"], found["ties"], found["not_judged"]) == (4, 2, 6)
    assert found["rows_without_judgment"] == 3
    assert found["cases"]["1"] == {"correct": 1, "incorrect": 0, "bad": 1}
    assert found["cases"]["5"] == {"correct": 0, "incorrect": 1, "bad": 0}
    assert "2 left out because raters are tied" in apt_meta(*folder.agree()).out


def test_agreement_of_raters(folder, agree):
    folder.write("judgments.tsv", table([*JUDGMENTS, "rater"], rated(3)))
    found = agree()
    assert found["raters"] == ["ann", "bob", "eve"]
    ratings = [[judgment or None for judgment in given] for _, _, given in RATED]
    expected = [
        make(ratings, ["correct", "incorrect", "bad"]) for make in (gwet_ac1, cohen_kappa, fleiss_kappa)
    ]
    for ours, theirs in zip(found["between_raters"], expected, strict=True):
        assert (ours["name"], ours["value"], ours["low"]) == (theirs.name, theirs.value, theirs.low)
    assert [ours["name"] for ours in found["between_raters"]] == ["AC1", "Conger's kappa", "Fleiss' kappa"]
    # Pairs that agree, of those there are: 1/3, 0, 1/3, none, 0, 1.
    assert found["between_raters"][0]["observed"] == pytest.approx((1 / 3 + 0 + 1 / 3 + 0 + 1) / 5)


def test_a_single_rater_agrees_with_nobody(folder, agree, apt_meta):
    folder.write("judgments.tsv", table([*JUDGMENTS, "rater"], rated(1)))
    assert agree()["between_raters"] == []
    assert "only ann" in apt_meta(*folder.agree()).out


# ---- shown ----


def test_text(folder, apt_meta):
    outcome = apt_meta(*folder.agree())
    lines = outcome.out.splitlines()
    assert "1 identical                2   66.7 %          1   33.3 %    0    0.0 %      3" in lines
    assert "4 candidate missing        0    0.0 %          0    0.0 %    1  100.0 %      1" in lines
    assert "total                      5   45.5 %          5   45.5 %    1    9.1 %     11" in lines
    assert "right                          3          2" in lines
    assert "11 of 12 triples judged, 1 not" in lines
    assert "10 compared: the metric says right in cases 1, 2" in lines
    assert max(map(len, lines)) <= 100


def test_the_six_shares_of_an_empty_case_are_not_made_up(folder, apt_meta):
    folder.write("judgments.tsv", judgments_tsv(TWELVE[:1]))
    lines = apt_meta(*folder.agree()).out.splitlines()
    (line,) = [line for line in lines if line.startswith("6 both missing")]
    assert line.split() == ["6", "both", "missing", "0", "n/a", "0", "n/a", "0", "n/a", "0"]


def test_width(folder, apt_meta):
    assert "0.60 " in apt_meta(*folder.agree("-w", "2")).out
    assert "0.6000 " not in apt_meta(*folder.agree("-w", "2")).out


def test_tsv(folder, apt_meta):
    head, *lines = apt_meta(*folder.agree("-f", "tsv")).out.splitlines()
    columns = head.split("\t")
    assert columns[:5] == ["table", "by", "name", "quantity", "value"]
    rows = [dict(zip(columns, line.split("\t"), strict=True)) for line in lines]
    found = {(row["table"], row["by"], row["name"], row["quantity"]): row for row in rows}
    assert len(found) == len(rows)
    assert found["cases", "case", "3", "incorrect"]["value"] == "2"
    assert found["agreement", "", "", "accuracy"]["value"] == "0.6"
    assert found["agreement", "system", "B", "accuracy"]["value"] == "0.4"
    assert found["agreement", "source", "they", "right_correct"]["value"] == "1"


def test_latex(folder, apt_meta):
    rows = [("sys_a&b", *row[1:]) for row in TWELVE[:6]] + TWELVE[6:]
    folder.write("details.tsv", details_tsv(rows))
    folder.write("judgments.tsv", judgments_tsv(rows))
    out = apt_meta(*folder.agree("-f", "latex")).out
    assert r"sys\_a\&b" in out
    assert "sys_a&b" not in out
    assert r"66.7 \%" in out
    assert out.count(r"\begin{table}") == out.count(r"\end{table}") == 5


def test_a_column_with_many_values_is_cut_for_people_only(folder, apt_meta):
    rows = [("A", "", segment, 0, "it", "il", "il", 1, "correct") for segment in range(30)]
    folder.write("details.tsv", details_tsv(rows))
    judgments = [(row[0], *row[2:7], row[8], f"talk{row[2]:02}") for row in rows]
    folder.write("judgments.tsv", table([*JUDGMENTS, "talk"], judgments))
    options = ["--by", "talk", "--confidence-n", "10"]
    text = apt_meta(*folder.agree(*options)).out
    assert "by talk: 20 of 30" in text
    assert "talk19" in text
    assert "talk25" not in text
    assert "talk25" in apt_meta(*folder.agree(*options, "-f", "tsv")).out


def test_a_discarded_case_is_said_to_be(folder, apt_meta):
    out = apt_meta(*folder.agree("--discard", "2,6")).out
    assert "left out of the comparison: 3 triples of the discarded cases 2, 6" in out
    assert "the metric says right in cases 1\n" in out


def test_details_are_needed(folder, apt_meta):
    check(apt_meta("agree", "--judgments", folder.file("judgments.tsv")), "DETAILS")
    check(apt_meta("agree", folder.file("details.tsv")), "--judgments")
