"""`apt-meta correlate`: tables of systems and of segments, and files of mt-metrics-eval."""

import gzip
import re
from functools import partial

import pytest
from scipy import stats
from score_files import (
    HUMAN,
    METRICS,
    SYSTEMS,
    Folder,
    by_system,
    metrics_of,
    printed,
    printed_json,
    r_of,
    score_file,
    segments_csv,
    systems_csv,
)


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture
def correlate(apt_meta):
    return partial(printed, apt_meta)


@pytest.fixture
def found(apt_meta):
    return partial(printed_json, apt_meta)


# ---- tables ----


def test_all_forms_of_a_table_say_the_same(folder, correlate):
    expected = correlate(folder.write("s.csv", systems_csv()))
    windows = b"\xef\xbb\xbf" + systems_csv().replace("\n", "\r\n").encode()
    assert correlate(folder.write("windows.csv", windows)) == expected
    assert correlate(folder.write("s.tsv", systems_csv("\t"))) == expected
    assert correlate(folder.write("s.csv.gz", gzip.compress(systems_csv().encode()))) == expected
    assert correlate("-", stdin=systems_csv().encode()) == expected
    quoted = re.sub(r"^(\w+)", r'"\1"', systems_csv(), flags=re.MULTILINE)
    assert correlate(folder.write("quoted.csv", quoted)) == expected


def test_a_line_separator_inside_a_cell_moves_no_line(folder, correlate):
    table = systems_csv().replace("\nA,", '\n"A\u2028one",').replace("\nB,", '\n"B, two",')
    assert "6 systems" in correlate(folder.write("s.csv", table))


def test_columns_by_name(folder, found):
    rows = "".join(
        f"en-de,{s},{h},{m},text\n" for s, h, m in zip(SYSTEMS, HUMAN, METRICS["APT"], strict=True)
    )
    table = folder.write("s.csv", "pair,who,DA,APT,remark\n" + rows)
    document = found(table, "--human", "DA", "--systems", "who", "--metrics", " APT ")
    assert document["human"] == "DA"
    assert list(metrics_of(document)) == ["APT"]
    assert r_of(document) == pytest.approx(stats.pearsonr(HUMAN, METRICS["APT"]).statistic)


def test_missing_scores(folder, found):
    scores = ["", "None", "n/a", *METRICS["APT"][3:]]
    metric = metrics_of(found(folder.write("s.csv", systems_csv(APT=scores))))["APT"]
    assert (metric["n"], metric["of"]) == (3, 6)


def test_lower_is_better(folder, found):
    table = folder.write("s.csv", systems_csv())
    as_it_is, turned = found(table), found(table, "--lower-better", "TER_%")
    assert r_of(turned, "-TER_%") == pytest.approx(-r_of(as_it_is, "TER_%"))
    assert r_of(turned, "APT") == r_of(as_it_is, "APT")


def test_systems_left_out(folder, found):
    document = found(folder.write("s.csv", systems_csv()), "--drop", "D", "--drop", "A", "--no-outliers")
    assert [view["left_out"] for view in document["views"]] == [[], ["A", "D"]]


# ---- segments ----


def test_segments(folder, found):
    document = found(
        folder.write("s.csv", segments_csv()), "--segments", "segment", "--documents", "document"
    )
    groupings = ["systems", "pooled", "by system", "by segment"]
    assert [view["grouping"] for view in document["views"]] == groupings
    human, metric = (
        [score for values in by_system(of).values() for score in values][:15] for of in (False, True)
    )
    assert r_of(document, view=1) == pytest.approx(stats.pearsonr(human, metric).statistic)
    assert list(metrics_of(document, 2)["APT"]["by_system"]) == ["A", "B", "C"]
    assert document["resampling"]["unit"] == "segments"


def test_documents_are_drawn(folder, found):
    table = folder.write("s.csv", segments_csv())
    plan = ("--segments", "segment", "--documents", "document", "--resample", "documents")
    assert found(table, *plan)["resampling"]["unit"] == "documents"


def test_raters_are_averaged(folder, found):
    """Each gives one more than the one before, so the mean is another by a constant, or the same."""
    alone = found(folder.write("1.csv", segments_csv()), "--segments", "segment", "--metrics", "APT")
    plan = ("--segments", "segment", "--documents", "document", "--raters", "rater")
    table = folder.write("3.csv", segments_csv(raters=("ann", "bob", "eve")))
    assert r_of(found(table, *plan), view=1) == pytest.approx(r_of(alone, view=1))


def test_raters_can_be_standardized(folder, found):
    """Ann gives 0 30 60, Bob 2 1 3: means 1 15.5 31.5.

    Standardised, with z = √1.5, Ann gives −z 0 z and Bob 0 −z z: means −z/2 −z/2 z, on a line with 0 0 1.
    """
    rows = [("0", 0, 2, 0), ("1", 30, 1, 0), ("2", 60, 3, 1)]
    lines = [
        f"a,{segment},{who},{score},{m}"
        for segment, *both, m in rows
        for who, score in zip("xy", both, strict=True)
    ]
    table = folder.write("s.csv", "\n".join(["system,segment,rater,human,m", *lines]) + "\n")
    plan = (table, "--segments", "segment", "--raters", "rater")
    assert r_of(found(*plan, "--standardize"), "m") == pytest.approx(1)
    assert r_of(found(*plan), "m") == pytest.approx(stats.pearsonr([1, 15.5, 31.5], [0, 0, 1]).statistic)


# ---- files of mt-metrics-eval ----


def test_a_folder_of_mt_metrics_eval(folder, found):
    document = found(folder.mtme())
    assert (document["human"], document["views"][0]["systems"]) == ("mqm", list(SYSTEMS))
    means = [[sum(values) / len(values) for values in by_system(of).values()] for of in (False, True)]
    assert r_of(document, "APT-refA") == pytest.approx(stats.pearsonr(*means).statistic)


def test_segments_of_a_folder(folder, found):
    document = found(folder.mtme(), "--level", "seg", "--resample", "documents", "--group", "by-segment")
    human, metric = ([score for values in by_system(of).values() for score in values] for of in (False, True))
    assert r_of(document, "APT-refA", view=1) == pytest.approx(stats.pearsonr(human, metric).statistic)
    assert document["resampling"]["unit"] == "documents"


def test_one_of_several_language_pairs_and_kinds_of_human_scores(folder, found):
    folder.write("wmt/human-scores/en-de.da.sys.score", score_file({name: [len(name)] for name in SYSTEMS}))
    folder.write("wmt/human-scores/en-zh.mqm.sys.score", score_file({name: [1] for name in SYSTEMS}))
    plan = (folder.mtme(), "--lang-pair", "en-de", "--gold", "mqm")
    assert r_of(found(*plan), "APT-refA") > 0


def test_further_score_files_of_a_folder(folder, found):
    more = folder.write("mine/AutoPRF.sys.score", score_file({name: [n] for n, name in enumerate(SYSTEMS)}))
    for place in (more, folder.file("mine")):
        assert list(metrics_of(found(folder.mtme(), "--scores", place))) == ["APT-refA", "AutoPRF"]
    assert list(metrics_of(found(folder.mtme(), "--scores", more, "--metrics", "AutoPRF"))) == ["AutoPRF"]


def test_human_scores_with_a_metrics_file(folder, found):
    human = folder.write("en-de.mqm.seg.score", score_file(by_system(False)))
    metric = folder.write("APT.seg.score", score_file(by_system(True)))
    alone, of_folder = found(human, "--scores", metric), found(folder.mtme(), "--level", "seg")
    assert alone["human"] == "mqm"
    assert r_of(alone, "APT", view=1) == r_of(of_folder, "APT-refA", view=1)


def test_systems_of_one_side_only_are_named(folder, correlate):
    human = by_system(False, SYSTEMS[:4]) | {"E": ["None"] * 5}
    metric = by_system(True, SYSTEMS[1:])
    text = correlate(
        folder.write("x.seg.score", score_file(human)),
        "--scores",
        folder.write("m.seg.score", score_file(metric)),
    )
    assert "E has no human score" in text
    assert "m has no scores of A" in text
    assert "m: E, F not judged by people, left out" in text


def test_a_reference_that_people_judged_is_no_system(folder, found, apt_meta):
    """As in the human scores of the WMT tasks."""
    names = ["refA", *SYSTEMS]
    human = "".join(f"{name}\t{score}\n" for name, score in zip(names, [99, *HUMAN], strict=True))
    metric = "".join(f"{name}\t{n * n}\n" for n, name in enumerate(names))
    table = folder.write("en-de.mqm.sys.score", human)
    scores = folder.write("m-refA.sys.score", metric)
    without, with_it = found(table, "--scores", scores), found(table, "--scores", scores, "--with-references")
    assert without["views"][0]["systems"] == list(SYSTEMS)
    assert with_it["views"][0]["systems"] == names
    assert "refA is a reference, left out" in apt_meta("correlate", table, "--scores", scores).out
