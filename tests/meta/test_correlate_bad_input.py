"""Tables, score files and options that do not fit: one line that says where, exit status 2, and nothing else."""

import os

import pytest
from conftest import check
from score_files import QUICK, Folder, by_system, score_file, segments_csv, systems_csv

HEAD = "system,human,m\n"
GOOD = f"{HEAD}a,1,1\nb,2,3\nc,3,2\n"


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture
def wrong(apt_meta, folder):
    """Runs the command, which must complain of these things and write nothing."""

    def run(arguments, *expected, stdin=b""):
        before = folder.files()
        check(apt_meta("correlate", *QUICK, *arguments, stdin=stdin), *expected)
        assert folder.files() == before

    return run


# ---- tables of systems ----


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ["s.csv, line 1: the file is empty"]),
        ("\n", ["s.csv, line 1: the file is empty"]),
        (HEAD, ["s.csv, line 1: there is nothing below the names of the columns"]),
        (f"{HEAD}a,1,1\nb,2,3\n", ["s.csv: at least 3 systems with a human score are needed, found 2"]),
        (f"{GOOD}d,,9\n".replace("a,1,", "a,,"), ["s.csv: at least 3 systems", "found 2"]),
        (f"{HEAD}a,1,1\nb,1,3\nc,1,2\n", ["s.csv: human: all human scores are 1"]),
        (f"{HEAD}a,0.3,1\nb,0.30000000000000004,3\nc,0.3,2\n", ["s.csv: human: all human scores differ by rounding alone"]),
        # Cells that are no numbers.
        (f"{GOOD}d,NaN,1\n", ["s.csv, line 5: column 'human': NaN is no score", "empty cell"]),
        (f"{GOOD}d,1,inf\n", ["s.csv, line 5: column 'm': inf is no score"]),
        (f"{GOOD}d,1,-Infinity\n", ["s.csv, line 5: column 'm': -Infinity is no score"]),
        (f"{GOOD}d,1,1e999\n", ["s.csv, line 5: column 'm': 1e999 is no score"]),
        (f"{GOOD}d,1,1e200\n", ["s.csv, line 5: column 'm': 1e200 is no score"]),
        (f"{GOOD}d,1,good\n", ["s.csv, line 5: column 'm': a number expected, found 'good'"]),
        (f"{GOOD}d,1,1_000\n", ["s.csv, line 5: column 'm': a number expected, found '1_000'"]),
        (f'{GOOD}d,1,"0,5"\n', ["s.csv, line 5: column 'm': a number expected, found '0,5'"]),
        # Names.
        (f"{GOOD}b,5,5\n", ["s.csv, line 5: 'b' is in column 'system' twice (line 3)", "--systems", "--segments"]),
        (f"{GOOD} b ,5,5\n", ["s.csv, line 5: 'b' is in column 'system' twice (line 3)"]),
        (f"{GOOD},5,5\n", ["s.csv, line 5: column 'system': the cell is empty"]),
        ("system,human,m,m\na,1,1,1\n", ["s.csv, line 1: the column 'm' is named twice"]),
        ("system,human,m, m \na,1,1,1\n", ["s.csv, line 1: the column 'm' is named twice"]),
        ("system,human,\na,1,1\n", ["s.csv, line 1: a column has no name"]),
        # Columns.
        ("system,DA,m\na,1,1\n", ["s.csv, line 1: which column holds the human scores?", "--human", "system, DA, m"]),
        ("system,human\na,1\nb,2\nc,3\n", ["s.csv, line 1: there is no column for a metric"]),
        ("system;human;m\na;1;1\n", ["s.csv, line 1: which column", "Columns: system;human;m"]),
        # Shapes.
        (f"{GOOD}d,1\n", ["s.csv, line 5: 3 cells expected, one a column, found 2"]),
        (f"{GOOD}d,1,2,3\n", ["s.csv, line 5: 3 cells expected, one a column, found 4"]),
        (GOOD.replace("b,", "\nb,"), ["s.csv, line 3: the line is empty"]),
        (GOOD.replace("\n", "\r"), ["s.csv, line 1"]),
        (GOOD.replace("b,", '"b,'), ["s.csv, line 4: not comma-separated values"]),
        (GOOD.replace("b,", '"b"x,'), ["s.csv, line 3: not comma-separated values"]),
        # A line break inside a cell does not shift the lines of messages.
        (f'{HEAD}"a\nb",1,1\nc,2,x\n', ["s.csv, line 4: column 'm'"]),
        (f'{HEAD}"a\u2028b",1,1\nc,2,x\n', ["s.csv, line 3: column 'm'"]),
        (f"{HEAD}a\u0085b,1,1\nc,2,x\n", ["s.csv, line 3: column 'm'"]),
        # Encodings.
        (f"{GOOD}é,1,1\n".encode("latin-1"), ["s.csv, line 5: not UTF-8 text (byte 0xe9)"]),
        (GOOD.encode("utf-16"), ["s.csv, line 1: not UTF-8 text (it begins like UTF-16)"]),
        (b"\xef\xbb\xbf" + f"{GOOD}d,1,x\n".replace("\n", "\r\n").encode(), ["s.csv, line 5: column 'm'", "'x'"]),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read(folder, wrong, content, expected):
    wrong([folder.write("s.csv", content)], *expected)


def test_tabs_do_not_quote(folder, wrong):
    ragged = systems_csv("\t") + "G\t1\n"
    wrong([folder.write("s.tsv", ragged)], "s.tsv, line 8: 4 cells expected, one a column, found 2")


def test_a_table_that_is_not_there(folder, wrong):
    wrong([folder.file("none.csv")], "none.csv: cannot be read: No such file or directory")
    wrong([folder.file("x" * 300)], f"{'x' * 300}: cannot be read: File name too long")


def test_standard_input(wrong):
    wrong(["-"], "standard input, line 5: column 'm': a number expected", stdin=f"{GOOD}d,1,x\n".encode())
    wrong(["-"], "standard input, line 1: the file is empty")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--human", "DA"], ["s.csv, line 1: there is no column 'DA'. Columns: system, human, m"]),
        (["--systems", "who"], ["s.csv, line 1: there is no column 'who'"]),
        (["--metrics", "m,k"], ["s.csv, line 1: there is no column 'k'"]),
        (["--metrics", "human"], ["s.csv, line 1: column 'human' holds something else and is no metric"]),
        (["--systems", "human"], ["s.csv, line 1: one column cannot be two things: human, human"]),
        (["--lower-better", "k"], ["there is no metric 'k'. There are: m"]),
        (["--drop", "x"], ["there is no system 'x'. There are: a, b, c, d"]),
        (["--drop", "a", "--drop", "b"], ["without a, b only 2 systems remain; at least 3 are needed"]),
        (["--drop", "a", "--drop", "b", "--drop", "c", "--drop", "d"], ["only 0 systems remain"]),
        # What needs something else.
        (["--raters", "m"], ["raters need segments"]),
        (["--documents", "m"], ["documents need segments"]),
        (["--standardize"], ["--standardize goes with --raters"]),
        (["--common"], ["--common, --group and --resample go with scores of segments"]),
        (["--group", "systems"], ["--common, --group and --resample go with scores of segments"]),
        (["--resample", "documents"], ["--common, --group and --resample go with scores of segments"]),
        (["--scores", "x.sys.score"], ["--scores goes with human scores of NAME.sys.score"]),
        (["--lang-pair", "en-de"], ["--lang-pair goes with a folder of mt-metrics-eval"]),
        (["--gold", "mqm"], ["--gold goes with a folder of mt-metrics-eval"]),
        (["--level", "sys"], ["--level goes with a folder of mt-metrics-eval"]),
        # Values that cannot be.
        (["--statistic", "r"], ["'r' is not one of 'pearson', 'spearman'", "apt-meta correlate --help"]),
        (["--confidence-n", "0"], ["0 is not in the range"]),
        (["--seed", "-1"], ["-1 is not in the range"]),
        (["--seed", "one"], ["'one' is not a valid integer"]),
        (["--format", "xml"], ["'xml' is not one of 'text', 'json', 'tsv', 'latex'"]),
        (["another.csv"], ["unexpected extra argument"]),
    ],
)
def test_options_that_do_not_fit(folder, wrong, options, expected):
    table = folder.write("s.csv", f"{GOOD}d,4,5\n")
    wrong([table, *options], *expected)


# ---- tables of segments ----


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A,0,d1,1,1", ["line 17: system 'A', segment '0' is there twice (line 2)", "--raters"]),
        ("D,0,d2,1,1", ["line 17: the document of segment '0' is 'd2' here and 'd1' before"]),
        ("D,,d1,1,1", ["line 17: column 'segment': the cell is empty"]),
        ("D,0,,1,1", ["line 17: column 'document': the cell is empty"]),
        ("D,0,d1,good,1", ["line 17: column 'human': a number expected, found 'good'"]),
    ],
)
def test_a_wrong_line_of_segments(folder, wrong, line, expected):
    table = folder.write("s.csv", f"{segments_csv()}{line}\n")
    wrong([table, "--segments", "segment", "--documents", "document"], *expected)


def test_wrong_raters(folder, wrong):
    lines = segments_csv(raters=("ann", "bob"))
    plan = ["--segments", "segment", "--documents", "document", "--raters", "rater"]
    twice = folder.write("twice.csv", f"{lines}A,0,d1,ann,1,1\n")
    wrong([twice, *plan], "twice.csv, line 32: system 'A', segment '0', rater 'ann' is there twice (line 2)")
    other = folder.write("other.csv", f"{lines}A,0,d1,eve,1,99\n")
    wrong([other, *plan], "other.csv, line 32: column 'APT': 99.0 here and", "for the same translation")
    alike = folder.write("alike.csv", f"{lines}D,0,d1,eve,1,1\n")
    wrong([alike, *plan, "--standardize"], "alike.csv: rater 'eve' gives the same score to everything")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--resample", "documents"], "documents cannot be drawn: nothing says which segments they are"),
        (["--drop", "A", "--drop", "B", "--drop", "C"], "at least 3 human scores are needed"),
        (["--drop", "A", "--group", "by-segment"], "grouping 'by segment' needs at least 3 systems"),
        (["--segments", "line"], "s.csv, line 1: there is no column 'line'"),
    ],
)
def test_segments_with_options_that_do_not_fit(folder, wrong, options, expected):
    table = folder.write("s.csv", segments_csv())
    wrong([table, "--segments", "segment", "--metrics", "APT", *options], expected)


# ---- files of mt-metrics-eval ----


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "m.seg.score, line 1: the file is empty"),
        ("A\n", "m.seg.score, line 1: a system and its score expected, found 'A'"),
        ("A 1 2\n", "m.seg.score, line 1: a system and its score expected, found 'A 1 2'"),
        ("A\t1\n\nA\t2\n", "m.seg.score, line 2: a system and its score expected, found ''"),
        ("A\t1\nA\tgood\n", "m.seg.score, line 2: a number expected, found 'good'"),
        ("A\t1\nA\tnan\n", "m.seg.score, line 2: nan is no score"),
        ("A\t1\nA\t2\nB\t1\n", "m.seg.score: systems have different numbers of scores: 2 of A, 1 of B"),
        ("A\t1\nA\t2\n", "m.seg.score: 5 scores a system needed to match"),
        ("X\t1\n" * 5, "m.seg.score: no system is also in"),
        (b"\xe9\t1\n", "m.seg.score, line 1: not UTF-8 text"),
    ],
)
def test_a_wrong_score_file(folder, wrong, content, expected):
    human = folder.write("h.seg.score", score_file(by_system(False)))
    wrong([human, "--scores", folder.write("m.seg.score", content)], expected)


def test_a_system_level_file_has_one_score_a_system(folder, wrong):
    """As when a file of segments was given another name."""
    human = folder.write("h.sys.score", score_file(by_system(False)))
    metric = folder.write("m.sys.score", score_file(by_system(True)))
    wrong([human, "--scores", metric], "h.sys.score, line 2: A is there twice: one score a system expected")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "h.seg.score holds human scores: --scores says where the metrics' are"),
        (["--scores", "none"], "none: cannot be read: No such file or directory"),
        (["--scores", "s.csv"], "s.csv: a file NAME.seg.score needed, as the human scores are of that level"),
        (["--scores", "empty"], "h.seg.score: there is no metric's file *.seg.score to go with it"),
        (["--scores", "m.seg.score", "--metrics", "k"], "there are no scores of 'k'. There are: m"),
        # What is for tables with columns.
        (["--scores", "m.seg.score", "--human", "DA"], "--human goes with a table of columns"),
        (["--scores", "m.seg.score", "--segments", "x"], "--segments goes with a table of columns"),
        (["--scores", "m.seg.score", "--raters", "x"], "--raters goes with a table of columns"),
        (["--scores", "m.seg.score", "--standardize"], "--standardize goes with a table of columns"),
        (["--scores", "m.seg.score", "--level", "seg"], "--level goes with a folder"),
    ],
)
def test_human_scores_with_options_that_do_not_fit(folder, wrong, options, expected, monkeypatch):
    monkeypatch.chdir(folder.path)
    folder.write("h.seg.score", score_file(by_system(False)))
    folder.write("m.seg.score", score_file(by_system(True)))
    folder.write("s.csv", GOOD)
    (folder.path / "empty").mkdir()
    wrong(["h.seg.score", *options], expected)


def test_human_scores_of_no_known_level(folder, wrong):
    human = folder.write("human.score", "A\t1\n")
    wrong([human, "--scores", human], "human.score: a name such as NAME.sys.score needed: sys, doc, seg")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "which kind of human score? (--gold) There are: da, mqm"),
        (["--gold", "esa"], "no kind of human score 'esa'. There are: da, mqm"),
        (["--gold", "mqm", "--lang-pair", "en-zh"], "no language pair 'en-zh'. There are: en-de"),
        (["--gold", "mqm", "--level", "doc"], "human-scores: there are no human scores of level 'doc'"),
        (["--gold", "mqm", "--systems", "x"], "--systems goes with a table of columns"),
        (["--gold", "da"], "en-de.da.sys.score: there is no human score in it"),
    ],
)
def test_a_folder_with_options_that_do_not_fit(folder, wrong, options, expected):
    folder.write("wmt/human-scores/en-de.da.sys.score", "A\tNone\nB\tNone\n")
    wrong([folder.mtme(), *options], expected)


def test_folders_that_are_no_test_set(folder, wrong):
    (folder.path / "empty" / "human-scores").mkdir(parents=True)
    wrong([str(folder.path)], "no folder of mt-metrics-eval: it has no human-scores")
    wrong([folder.file("empty")], "human-scores: there are no human scores of level 'sys'")


def test_documents_of_another_text(folder, wrong):
    root = folder.mtme()
    folder.write("wmt/documents/en-de.docs", "news\td1\n")
    wrong([root, "--level", "seg"], "en-de.docs: 5 lines needed, one a segment", "found 1")


# ---- plots ----


@pytest.mark.parametrize(
    ("plot", "expected"),
    [
        ("p.jpg", "p.jpg: cannot be written: unknown ending '.jpg'. Available: .svg, .png, .pdf"),
        ("plot", "plot: cannot be written: unknown ending ''"),
        ("none/p.svg", "none/p.svg: cannot be written: No such file or directory"),
        ("s.svg", "s.svg: cannot be written: it is one of the inputs"),
        ("folder.svg", "folder.svg: cannot be written: Is a directory"),
    ],
)
def test_a_plot_that_cannot_be_written(folder, wrong, plot, expected):
    pytest.importorskip("matplotlib")
    table = folder.write("s.svg", GOOD)  # a table, whatever its name
    (folder.path / "folder.svg").mkdir()
    wrong([table, "--plot", folder.file(plot)], expected)
    assert (folder.path / "s.svg").read_text() == GOOD


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_plot_where_nobody_may_write(folder, wrong):
    pytest.importorskip("matplotlib")
    table = folder.write("s.csv", GOOD)
    (folder.path / "closed").mkdir(mode=0o500)
    wrong(
        [table, "--plot", folder.file("closed/p.svg")], "closed/p.svg: cannot be written: Permission denied"
    )


def test_nothing_to_draw(folder, wrong):
    pytest.importorskip("matplotlib")
    table = folder.write("s.csv", f"{HEAD}a,1,1\nb,2,1\nc,3,1\n")
    wrong([table, "--plot", folder.file("p.svg")], "there is nothing to draw")


# ---- the command itself ----


def test_unknown_commands(apt_meta):
    check(apt_meta("corelate"), "No such command 'corelate'. Commands: correlate, agree, tune, lists.")
    check(apt_meta("correlate"), "Missing argument 'TABLE'", "apt-meta correlate --help")
    check(apt_meta("--nonsense"), "No such option", "--nonsense")
