"""Judgments and details that do not fit: one line that says where, exit status 2, and nothing else."""

import gzip
import json

import pytest
from conftest import check
from judged_files import (
    DETAILS,
    JUDGMENTS,
    TWELVE,
    Folder,
    details_json,
    details_tsv,
    judgments_tsv,
    table,
)

FIRST = ("A", 0, 0, "It", "il", "il", "correct")  # the first line of the judgments, on line 2


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def same_numbers(*outcomes):
    for outcome in outcomes:
        assert outcome.status == 0
        assert outcome.err == ""
    assert len({outcome.out for outcome in outcomes}) == 1


# ---- what can be read ----


def test_all_forms_of_a_file_say_the_same(folder, apt_meta):
    folder.write("details.jsonl", details_json())
    folder.write("details.ndjson.gz", gzip.compress(details_json().encode()))
    folder.write("details.tsv.gz", gzip.compress(details_tsv().encode()))
    folder.write("excel.csv", b"\xef\xbb\xbf" + judgments_tsv(separator=",").replace("\n", "\r\n").encode())
    expected = apt_meta(*folder.agree("-f", "json"))
    assert json.loads(expected.out)["judged"] == 11
    same_numbers(
        expected,
        apt_meta(*folder.agree("-f", "json", details="details.jsonl")),
        apt_meta(*folder.agree("-f", "json", details="details.ndjson.gz")),
        apt_meta(*folder.agree("-f", "json", details="details.tsv.gz")),
        apt_meta(*folder.agree("-f", "json", judgments="excel.csv")),
    )


def test_several_details_files_are_several_systems(folder, apt_meta):
    one = folder.write("a.tsv", details_tsv([row for row in TWELVE if row[0] == "A"]))
    two = folder.write("b.jsonl", details_json([row for row in TWELVE if row[0] == "B"]))
    apart = apt_meta("agree", one, two, "--judgments", folder.file("judgments.tsv"))
    same_numbers(apt_meta(*folder.agree()), apart)


def test_details_with_a_column_of_judgments_are_judgments(folder, examples, apt_score, apt_meta):
    texts = [examples / name for name in ("source.en", "reference.fr", "system_a.fr", "system_b.fr")]
    for name in ("real.tsv", "real.jsonl"):
        assert apt_score(*texts, "--lang", "fr", "--details", folder.file(name)).status == 0
    head, *lines = (folder.path / "real.tsv").read_text(encoding="utf-8").splitlines()
    judged = [f"{line}\t{'correct' if number % 3 else 'bad'}" for number, line in enumerate(lines)]
    folder.write("judged.tsv", "\n".join([f"{head}\tjudgment", *judged]) + "\n")
    outcome = apt_meta(*folder.agree("-f", "json", details="real.tsv", judgments="judged.tsv"))
    assert json.loads(outcome.out)["judged"] == len(lines)
    same_numbers(outcome, apt_meta(*folder.agree("-f", "json", details="real.jsonl", judgments="judged.tsv")))


def test_a_line_separator_inside_a_word_moves_no_line(folder, apt_meta):
    rows = [("A", "", 0, 0, "it", "a\u2028b", "il", 3, "correct"), *TWELVE[1:]]
    folder.write("details.tsv", details_tsv(rows))
    folder.write("judgments.tsv", judgments_tsv(rows))
    assert apt_meta(*folder.agree()).status == 0


def test_standard_input_is_read_once(folder, apt_meta):
    piped = apt_meta("agree", "-", "--judgments", folder.file("judgments.tsv"), stdin=details_tsv().encode())
    same_numbers(apt_meta(*folder.agree()), piped)
    check(apt_meta("agree", "-", "--judgments", "-"), "standard input (-) can be named only once")


# ---- judgments ----


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("A", 0, 0, "It", "il", "il", "right"), ["unknown judgment 'right'", "correct, incorrect, bad"]),
        (("A", 0, 0, "It", "il", "il", "Correct"), ["unknown judgment 'Correct'"]),
        (("A", "-1", 0, "It", "il", "il", "bad"), ["column 'segment'", "whole number", "'-1'"]),
        (("A", "1.0", 0, "It", "il", "il", "bad"), ["column 'segment'", "'1.0'"]),
        (("A", 0, "", "It", "il", "il", "bad"), ["column 'position'", "found ''"]),
        (("A", 0, "²", "It", "il", "il", "bad"), ["column 'position'", "'²'"]),
        (("A", 0, 0, "It", "", "il", "bad"), ["column 'reference' is empty", "NONE"]),
        # Not in the details: another system, another place.
        (("C", 0, 0, "It", "il", "il", "bad"), ["system C, segment 0, position 0", "details.tsv", "same systems"]),
        (("A", 0, 1, "It", "il", "il", "bad"), ["system A, segment 0, position 1 is not in", "positions"]),
        # In the details with other words; case counts.
        (("A", 0, 0, "it", "il", "il", "bad"), ["source is 'it', but 'It'", "details.tsv, line 2"]),
        (("A", 0, 0, "It", "le", "il", "bad"), ["reference is 'le', but 'il'", "other links or lists"]),
        (("A", 0, 0, "It", "il", "elle", "bad"), ["candidate is 'elle', but 'il'", "other links or lists"]),
    ],
)  # fmt: skip
def test_a_wrong_judgment(folder, apt_meta, row, expected):
    folder.write("judgments.tsv", table(JUDGMENTS, [row]))
    check(apt_meta(*folder.agree()), "judgments.tsv, line 2: ", *expected)


def test_the_same_triple_twice(folder, apt_meta):
    folder.write("judgments.tsv", table(JUDGMENTS, [FIRST, FIRST]))
    check(apt_meta(*folder.agree()), "judgments.tsv, line 3", "twice: first in line 2", "column 'rater'")


def test_the_same_rater_twice(folder, apt_meta):
    rows = [(*FIRST, "ann"), (*FIRST, "bob"), (*FIRST, "ann")]
    folder.write("judgments.tsv", table([*JUDGMENTS, "rater"], rows))
    check(apt_meta(*folder.agree()), "judgments.tsv, line 4", "twice for rater 'ann': first in line 2")


def test_a_judgment_of_nobody(folder, apt_meta):
    folder.write("judgments.tsv", table([*JUDGMENTS, "rater"], [(*FIRST, "ann"), (*FIRST, "")]))
    check(apt_meta(*folder.agree()), "judgments.tsv, line 3", "column 'rater' is empty")


def test_raters_that_saw_different_words(folder, apt_meta):
    other = ("A", 0, 0, "It", "il", "elle", "bad")
    folder.write("judgments.tsv", table([*JUDGMENTS, "rater"], [(*FIRST, "ann"), (*other, "bob")]))
    check(
        apt_meta("lists", folder.file("judgments.tsv"), "--lang", "fr"),
        "line 3",
        "'elle', but 'il' in line 2",
    )


def test_a_missing_column(folder, apt_meta):
    folder.write("judgments.tsv", table(JUDGMENTS[:-1], [FIRST[:-1]]))
    check(apt_meta(*folder.agree()), "judgments.tsv, line 1", "there is no column 'judgment'")


def test_nothing_judged(folder, apt_meta):
    folder.write("judgments.tsv", table(JUDGMENTS, [(*FIRST[:-1], "")]))
    check(apt_meta(*folder.agree()), "judgments.tsv", "there is no judgment")
    check(apt_meta("lists", folder.file("judgments.tsv"), "--lang", "fr"), "no triple is judged")


def test_a_file_that_is_not_there(folder, apt_meta):
    check(apt_meta(*folder.agree(judgments="none.tsv")), "none.tsv: cannot be read")
    check(apt_meta(*folder.agree(details="none.jsonl")), "none.jsonl: cannot be read")


# ---- details ----


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("A", "", "x", 0, "It", "il", "il", 1), "segment: a whole number from 0 on expected, found 'x'"),
        (("A", "", 0, -1, "It", "il", "il", 1), "position: a whole number from 0 on expected, found '-1'"),
        (("A", "", 0, 0, "It", "il", "il", 7), "case: a number from 1 to 6 expected, found '7'"),
        (("A", "", 0, 0, "It", "il", "il", ""), "case: a number from 1 to 6 expected, found ''"),
    ],
)
def test_a_wrong_line_of_details(folder, apt_meta, row, expected):
    folder.write("details.tsv", table(DETAILS, [row]))
    check(apt_meta(*folder.agree()), "details.tsv, line 2: ", expected)


def test_a_triple_in_two_details_files(folder, apt_meta):
    folder.write("again.jsonl", details_json(TWELVE[6:]))
    arguments = folder.agree()
    arguments.insert(2, folder.file("again.jsonl"))
    check(apt_meta(*arguments), "again.jsonl, line 1: system B, segment 0", "details.tsv, line 8")


def test_scores_are_no_details(folder, apt_meta):
    folder.write("details.tsv", "system\tscore\nA\t0.5\n")
    check(apt_meta(*folder.agree()), "details.tsv, line 1", "there is no column 'segment'")


def changed(**values):
    return json.dumps(json.loads(details_json(TWELVE[:1])) | values)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "not a JSON object"),
        ("", "not a JSON object"),
        ("[1]", "key 'source.words' is missing"),
        ("{}", "key 'source.words' is missing"),
        ("[" * 100_000, "not a JSON object"),
        (changed(segment="0"), "key 'segment': a whole number expected, found '0'"),
        (changed(segment=True), "key 'segment': a whole number expected"),
        (changed(segment=0.5), "key 'segment': a whole number expected"),
        (changed(position=-2), "position: a whole number from 0 on expected, found '-2'"),
        (changed(case=0), "case: a number from 1 to 6 expected, found '0'"),
        (changed(candidate={}), "key 'candidate.text' is missing"),
        (changed(candidate="il"), "key 'candidate.text' is missing"),
        (changed(source={"words": [1]}), "key 'source.words': a list of words expected"),
        (changed(system=3), "key 'system': text expected, found '3'"),
    ],
)
def test_a_wrong_line_of_json(folder, apt_meta, line, expected):
    folder.write("details.jsonl", details_json(TWELVE[1:2]) + line + "\n")
    check(apt_meta(*folder.agree(details="details.jsonl")), "details.jsonl, line 2: ", expected)


def test_an_empty_file_of_json(folder, apt_meta):
    folder.write("details.jsonl", "")
    check(apt_meta(*folder.agree(details="details.jsonl")), "details.jsonl, line 1: the file is empty")


# ---- options ----


def test_wrong_options(folder, apt_meta):
    check(apt_meta(*folder.agree("--accept", "1,9")), "accept: unknown case '9'")
    check(apt_meta(*folder.agree("--accept", "none")), "accept: at least one case")
    check(apt_meta(*folder.agree("--discard", "x")), "discard: unknown case 'x'")
    check(
        apt_meta(*folder.agree("--by", "function")), "no further column 'function'", "Further columns: none"
    )


def test_documents_that_the_details_do_not_have(folder, apt_meta):
    folder.write("details.tsv", details_tsv([(row[0], "", *row[2:]) for row in TWELVE]))
    outcome = apt_meta(*folder.agree("--resample", "documents"))
    check(outcome, "details.tsv, line 2", "no document", "--docids")


def test_raters_that_disagree_about_a_category(folder, apt_meta):
    rows = [(*FIRST, "ann", "event"), (*FIRST, "bob", "anaphoric")]
    folder.write("judgments.tsv", table([*JUDGMENTS, "rater", "function"], rows))
    assert apt_meta(*folder.agree()).status == 0
    check(apt_meta(*folder.agree("--by", "function")), "line 3", "'anaphoric', but 'event' in line 2")
