"""`apt-meta correlate`: what is shown, in every format, and drawn."""

import csv
import re
from functools import partial
from xml.etree import ElementTree

import pytest
from scipy import stats
from score_files import (
    HUMAN,
    METRICS,
    SYSTEMS,
    Folder,
    metrics_of,
    printed,
    printed_json,
    segments_csv,
    systems_csv,
)

from apt.meta import SegmentTable, correlate_segments
from apt.meta.pictures import pictures

STATISTICS = ["pearson", "spearman", "kendall", "accuracy", "accuracy_ties"]


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture
def correlate(apt_meta):
    return partial(printed, apt_meta)


@pytest.fixture
def found(apt_meta):
    return partial(printed_json, apt_meta)


# ---- formats ----


def test_text(folder, correlate):
    lines = correlate(folder.write("s.csv", systems_csv())).splitlines()
    assert lines[0] == "all 6 systems against human"
    head = re.split(r"  +", lines[1].strip())
    assert head == [
        "metric",
        "cluster",
        "n",
        "Pearson r",
        "Spearman ρ",
        "Kendall τ",
        "accuracy",
        "acc. (ties)",
    ]
    first = lines[2].split()
    r = stats.pearsonr(HUMAN, METRICS["APT"]).statistic
    assert first[0] == "APT"  # the best, though TER_% stands in any order
    assert first[2:4] == ["6", f"{r:.4f}"]
    assert re.fullmatch(r" +(\[-?\d\.\d{3}, -?\d\.\d{3}\] *){5}", lines[3])
    assert any("6 systems are few" in line for line in lines)


def test_decimals(folder, correlate):
    r = stats.pearsonr(HUMAN, METRICS["APT"]).statistic
    assert f" {r:.2f} " in correlate(folder.write("s.csv", systems_csv()), "-w", "2")


def test_tsv(folder, correlate):
    rows = list(
        csv.reader(correlate(folder.write("s.csv", systems_csv()), "-f", "tsv").splitlines(), delimiter="\t")
    )
    assert rows[0] == ["view", "metric", "statistic", "value", "low", "high", "n", "of", "system", "against"]
    assert {len(row) for row in rows} == {10}
    further = ["slope", "intercept", "cluster"]
    of_metrics = [(metric, name) for metric in METRICS for name in (*STATISTICS, *further)]
    assert [tuple(row[1:3]) for row in rows[1:] if not row[9]] == of_metrics
    assert [row[2] for row in rows if row[9]][1:] == ["difference", "p_permutation", "p_williams"]
    assert float(rows[1][3]) == pytest.approx(stats.pearsonr(HUMAN, METRICS["APT"]).statistic, abs=1e-14)
    assert float(rows[1][4]) < float(rows[1][3]) < float(rows[1][5])


def test_json(folder, found):
    document = found(folder.write("s.csv", systems_csv()), "--seed", "7")
    assert document["command"] == "apt-meta correlate"
    assert document["resampling"] == {
        "unit": "systems",
        "resamples": 50,
        "permutations": 50,
        "seed": 7,
        "level": 0.95,
    }
    (view,) = document["views"]
    assert (view["systems"], view["left_out"], view["grouping"]) == (list(SYSTEMS), [], "systems")
    metric = metrics_of(document)["APT"]
    assert [name for name in metric if name in STATISTICS] == STATISTICS
    assert (metric["n"], metric["of"], metric["undefined"], metric["cluster"]) == (6, 6, None, 1)
    assert metric["line"]["slope"] == pytest.approx(stats.linregress(METRICS["APT"], HUMAN).slope)
    (test,) = view["tests"]
    assert (test["higher"], test["lower"]) == ("APT", "TER_%")
    assert 0 < test["permutation"]["p"] <= 1
    assert 0 < test["williams"]["p"] <= 1
    assert test["williams"]["degrees"] == 3


def test_latex(folder, correlate):
    table = systems_csv(**{"A&B": METRICS["APT"], "TER_%": METRICS["TER_%"], "c^~\\": HUMAN[::-1]})
    latex = correlate(folder.write("s.csv", table), "-f", "latex")
    assert r"A\&B &" in latex
    assert r"TER\_\% &" in latex
    assert r"c\textasciicircum{}\textasciitilde{}\textbackslash{} &" in latex
    for begin, end in ((r"\begin{table}", r"\end{table}"), (r"\begin{tabular}", r"\end{tabular}")):
        assert latex.count(begin) == latex.count(end) == 3
    shown = [line for line in latex.splitlines() if not line.startswith("%")]
    columns = 0
    for line in shown:
        if line.startswith(r"\begin{tabular}"):
            columns = len(re.search(r"\{(l+r+)\}", line)[1])
        elif line.endswith(r"\\"):
            assert len(re.findall(r"(?<!\\)&", line)) == columns - 1
        else:
            assert not re.search(r"(?<!\\)[&%_#]", line)  # a sign of LaTeX's own would break the run
        assert "ρ" not in line  # nor does every engine know Greek letters
        assert not line.startswith("[")  # which would be an argument of the line before


def test_small_p_in_latex_is_no_exclamation_mark(folder, correlate):
    """In LaTeX's usual encoding < in text is another sign."""
    human = range(40)
    rows = "".join(f"s{i},{i},{i + i % 2},{i * 7 % 40}\n" for i in human)
    table = folder.write("s.csv", "system,human,good,bad\n" + rows)
    assert "<0.0001" in correlate(table)
    latex = correlate(table, "-f", "latex")
    assert "$<$0.0001" in latex
    assert " <0" not in latex


def test_notes_of_tables_with_little_to_say(folder, correlate):
    three = correlate(folder.write("3.csv", "system,human,m\na,1,1\nb,2,3\nc,10,2\n"))
    assert "no interval" in three
    assert "[low, high]" not in three
    assert "outliers, not left out, too few systems would remain: c" in three
    constant = correlate(folder.write("c.csv", "system,human,m,k\na,1,1,5\nb,2,3,5\nc,3,2,5\nd,5,2,5\n"))
    assert "k is undefined: all scores are 5" in constant
    assert re.search(r"^k +n/a +4( +n/a){5}$", constant, re.MULTILINE)
    assert "no pair of metrics could be tested" in constant


def test_a_metric_without_an_interval_has_its_own_reason(folder, correlate):
    perfect = correlate(folder.write("p.csv", systems_csv(m=HUMAN)))
    assert "interval n/a: the resamples have all the same value" in perfect
    assert "no intervals" not in perfect
    gaps = correlate(folder.write("g.csv", systems_csv(m=METRICS["APT"], k=["", *METRICS["TER_%"][1:]])))
    assert "no intervals of fewer than 6 systems, being too narrow: k (5)" in gaps
    assert "interval n/a" not in gaps


@pytest.mark.parametrize("group", ["systems", "pooled", "by-system", "by-segment"])
def test_metrics_that_are_defined_in_some_groupings_only(folder, correlate, group):
    """`flat` is the same for all systems, `alike` for all segments; together they vary."""
    rows = [
        (s, n, (7 * k + 5 * n) % 11 + k, n, (7 * k + 5 * n) % 11, k)
        for k, s in enumerate("abc")
        for n in range(6)
    ]
    lines = ["system,segment,human,flat,good,alike", *(",".join(map(str, row)) for row in rows)]
    text = correlate(
        folder.write("s.csv", "\n".join(lines) + "\n"), "--segments", "segment", "--group", group
    )
    assert re.search(r"^flat +(n/a +)?3( +n/a){3}", text, re.MULTILINE)
    assert "by segment: left out, a side being constant or missing (segments): flat 6" in text
    matrix = text.partition("p of no difference")[2].splitlines()[1]
    assert (
        sorted(matrix.split())
        == {
            "systems": ["alike", "good"],
            "pooled": ["alike", "flat", "good"],
            "by-system": ["flat", "good"],
            "by-segment": ["alike", "good"],
        }[group]
    )


def test_a_line_break_inside_a_name_tears_no_table(folder, correlate):
    table = systems_csv(m=METRICS["APT"]).replace("\nA,", '\n"A\n one",').replace(",m\n", ',"m\n1"\n')
    plan = (folder.write("s.csv", table), "--drop", "A one")
    assert re.search(r"^5 systems, without A one, against human$", correlate(*plan), re.MULTILINE)
    assert re.search(r"^m 1 &", correlate(*plan, "-f", "latex"), re.MULTILINE)
    assert {line.count("\t") for line in correlate(*plan, "-f", "tsv").splitlines()} == {9}


# ---- plots ----


def texts_of(path):
    return ["".join(node.itertext()) for node in ElementTree.parse(path).iter() if node.tag.endswith("text")]


def test_a_plot_beside_the_same_text(folder, correlate):
    pytest.importorskip("matplotlib")
    table = folder.write("s.csv", systems_csv())
    assert correlate(table, "--plot", folder.file("s.svg")) == correlate(table)
    texts = texts_of(folder.file("s.svg"))
    assert texts.count("A") == 2  # a panel a metric
    r = stats.pearsonr(HUMAN, METRICS["APT"]).statistic
    assert any(f"r = {r:.2f}" in text for text in texts)


def test_only_segments_of_systems_that_are_left_out_look_so():
    """Systems may have names with a space."""
    human = {"online A": [1, 2, 3], "online B": [2, 3, 5], "b": [4, 5, 6]}
    table = SegmentTable.of(human, {"m": human})
    (panel,) = pictures(table, correlate_segments(table, drop=["online B"], resamples=20, permutations=20))
    assert sorted(panel.left_out) == ["online B 0", "online B 1", "online B 2"]
    (panel,) = pictures(table, correlate_segments(table, resamples=20, permutations=20))
    assert not panel.left_out


def test_a_plot_shows_what_is_common(folder, correlate):
    pytest.importorskip("matplotlib")
    # All but one segment of A lack a score of the other metric.
    head, *lines = segments_csv().splitlines()
    more = [
        f"{line},{'' if line.startswith('A,') and not line.startswith('A,0') else 1 + n % 3}"
        for n, line in enumerate(lines)
    ]
    table = folder.write("s.csv", "\n".join([f"{head},other", *more]) + "\n")
    plan = (table, "--segments", "segment", "--documents", "document", "--metrics", "APT,other")
    correlate(*plan, "--plot", folder.file("all.svg"))
    correlate(*plan, "--common", "--plot", folder.file("common.svg"))
    assert {"A 0", "A 1"} <= set(texts_of(folder.file("all.svg")))
    shown = texts_of(folder.file("common.svg"))
    assert "A 0" in shown
    assert "A 1" not in shown


# ---- the command itself ----


def test_help(apt_meta):
    for arguments in (["--help"], []):
        outcome = apt_meta(*arguments)
        assert (outcome.status, outcome.err) == (0, "")
        for name in ("correlate", "agree", "tune", "lists"):
            assert re.search(rf"^  {name} ", outcome.out, re.MULTILINE)
    assert "--lower-better" in apt_meta("correlate", "--help").out


def test_the_same_seed_gives_the_same_text(folder, correlate):
    table = folder.write("s.csv", systems_csv())
    assert (
        correlate(table, "--seed", "3") == correlate(table, "--seed", "3") != correlate(table, "--seed", "4")
    )
