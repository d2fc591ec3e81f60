"""`apt-meta lists`: equivalents learned from judgments, and scored with."""

import json
import tomllib

import pytest
from conftest import check
from judged_files import JUDGMENTS, table

from apt.pronouns import load_language

# reference, candidate, how many, how many of them correct. A sample of 40; 5 % of it are 2.
FORTY = [
    ("elle", "elle", 20, 20),
    ("ce", "c'", 4, 4),  # one identical group
    ("il", "c'", 3, 2),  # il, ce: p = 2/3
    ("c'", "il", 1, 1),  # with the next one ce, il: just 5 %, p = 1
    ("ce", "Il", 1, 1),
    ("il", "ça", 2, 1),  # with the next one il, ça: p = 1/2, which is not more than a half
    ("il", "cela", 2, 1),
    ("elle", "il", 1, 1),  # 2.5 %: too rare
    ("ce", "OTHER", 2, 1),
    ("NONE", "il", 1, 0),
    ("ce ça", "il", 1, 1),
    ("il", "le", 2, 0),
]


def judgments(sample, more=()):
    rows = []
    for reference, candidate, n, correct in sample:
        for i in range(n):
            verdict = "correct" if i < correct else "incorrect"
            rows.append(("A", len(rows), 0, "it", reference, candidate, verdict))
    return table(JUDGMENTS, rows + [("A", len(rows) + i, 0, "it", *cells) for i, cells in enumerate(more)])


@pytest.fixture
def sample(tmp_path):
    path = tmp_path / "judged.tsv"
    more = [("il", "elle", "bad"), ("il", "elle", "bad"), ("il", "elle", "")]
    path.write_text(judgments(FORTY, more), encoding="utf-8")
    return path


@pytest.fixture
def learn(sample, apt_meta):
    """Runs the command and gives its JSON."""

    def run(*options, path=sample):
        outcome = apt_meta("lists", path, "--lang", "fr", "-f", "json", *options)
        assert outcome.err == ""
        assert outcome.status == 0
        return json.loads(outcome.out)

    return run


def results(found):
    return {(pair["reference"], pair["candidate"]): pair["result"] for pair in found["pairs"]}


# ---- what is learned ----


def test_what_becomes_of_pairs(learn):
    found = learn()
    assert results(found) == {
        ("il", "ça"): "not likely enough",
        ("il", "ce"): "kept",
        ("ce", "il"): "kept",
        ("il", "le"): "not likely enough",
        ("elle", "il"): "too rare",
    }
    assert found["sample"] == 40
    assert (found["identical"], found["other"], found["several"]) == (24, 3, 1)
    assert (found["bad"], found["rows_without_judgment"]) == (2, 1)
    pair = next(pair for pair in found["pairs"] if pair["reference"] == "il" and pair["candidate"] == "ce")
    assert (pair["n"], pair["correct"], pair["p"], pair["share"]) == (3, 2, 2 / 3, 3 / 40)
    # Wilson for 2 of 3, z² = 3.8415: centre (2 + 1.9207) / 6.8415 = 0.57309,
    # half width sqrt(3.8415 * (2/3 + 0.96037)) / 6.8415 = 0.36543.
    assert (pair["low"], pair["high"]) == pytest.approx((0.20766, 0.93852), abs=2e-5)


def test_both_directions_pooled(learn):
    found = learn("--symmetric")
    (pair,) = [pair for pair in found["pairs"] if {pair["reference"], pair["candidate"]} == {"ce", "il"}]
    assert (pair["n"], pair["correct"], pair["result"]) == (5, 4, "kept")


def test_thresholds(learn):
    assert results(learn("--min-share", "0.02"))["elle", "il"] == "kept"
    assert results(learn("--min-share", "0.051"))["ce", "il"] == "too rare"
    assert results(learn("--min-p", "0.49"))["il", "ça"] == "kept"
    assert results(learn("--min-p", "0.7"))["il", "ce"] == "not likely enough"


def test_a_share_is_the_number_that_was_written(learn, tmp_path):
    """7 of 100 is no less than 7 %, although 100 * 0.07 is more than 7 to a computer."""
    path = tmp_path / "hundred.tsv"
    path.write_text(judgments([("elle", "elle", 93, 93), ("il", "lui", 7, 7)]), encoding="utf-8")
    assert results(learn("--min-share", "0.07", path=path)) == {("il", "lui"): "kept"}


def test_bad_translations_as_incorrect(learn):
    found = learn("--bad", "incorrect")
    assert found["sample"] == 42
    assert results(found)["il", "elle"] == "too rare"  # 2 of 42
    assert results(found)["ce", "il"] == "too rare"  # 2 of 42 too: the sample has grown


def test_groups_of_a_list_of_ones_own(learn, own):
    lists = own('code = "fr"\nidentical = [["il", "ce", "c\'"]]\n')
    assert ("il", "ce") not in results(learn("--lists", lists))
    assert ("il", "cela") in results(learn("--lists", lists))


def test_raters_decide_by_majority(learn, tmp_path):
    rows = []
    for segment, verdicts in enumerate([("correct", "correct", "bad"), ("correct", "incorrect", "")]):
        for rater, verdict in zip("abc", verdicts, strict=True):
            rows.append(("A", segment, 0, "it", "il", "lui", verdict, rater))
    path = tmp_path / "raters.tsv"
    path.write_text(table([*JUDGMENTS, "rater"], rows), encoding="utf-8")
    found = learn(path=path)
    assert (found["sample"], found["ties"]) == (1, 1)
    assert found["pairs"][0]["correct"] == 1


def test_forms_that_the_language_does_not_have(learn, tmp_path):
    path = tmp_path / "german.tsv"
    path.write_text(judgments([("er", "es", 3, 3), ("il", "es", 1, 1)]), encoding="utf-8")
    assert learn(path=path)["unlisted"] == ["er", "es"]


# ---- what is written ----


def test_the_list_can_be_loaded(learn, tmp_path):
    written = tmp_path / "learned.toml"
    learn("-o", written)
    assert load_language("fr", [str(written)]).equivalent == {("il", "ce"): 0.666667, ("ce", "il"): 1.0}
    entries = tomllib.loads(written.read_text(encoding="utf-8"))["equivalent"]
    assert entries[0] == {"reference": "il", "candidate": "ce", "p": 0.666667, "n": 3, "correct": 2}
    source = load_language("fr", [str(written)]).sources["equivalent"]
    assert "40 judged triples of judged.tsv" in source
    assert "0.05" in source
    assert "p > 0.5" in source


def test_a_symmetric_list_can_be_loaded(learn, tmp_path):
    written = tmp_path / "learned.toml"
    learn("-o", written, "--symmetric")
    assert load_language("fr", [str(written)]).equivalent == {("il", "ce"): 0.8, ("ce", "il"): 0.8}


def test_nothing_kept_is_an_empty_list(learn, tmp_path, sample, apt_meta):
    written = tmp_path / "learned.toml"
    learn("-o", written, "--min-p", "1")
    assert tomllib.loads(written.read_text(encoding="utf-8"))["equivalent"] == []
    assert load_language("fr", [str(written)]).equivalent == {}  # the shipped ones are replaced
    assert "no pair is kept" in apt_meta("lists", sample, "--lang", "fr", "--min-p", "1").out


def test_names_that_toml_would_stumble_over(learn, tmp_path):
    path = tmp_path / 'a "quoted" \\ name\t.tsv'
    path.write_text(judgments([("il", 'l"\\', 2, 2)]), encoding="utf-8")
    written = tmp_path / "learned.toml"
    learn("-o", written, path=path)
    assert load_language("fr", [str(written)]).equivalent == {("il", 'l"\\'): 1.0}
    assert path.name in load_language("fr", [str(written)]).sources["equivalent"]


def test_scoring_with_it(corpus, tmp_path, apt_score, apt_meta):
    """il/elle is no shipped pair; learned, it has its own p, in this direction only; ce/il is gone."""
    path = tmp_path / "judged.tsv"
    path.write_text(judgments([("il", "elle", 4, 3)]), encoding="utf-8")
    written = str(tmp_path / "learned.toml")
    assert apt_meta("lists", path, "--lang", "fr", "-o", written).status == 0

    def score(reference, candidate, *options):
        corpus.write("src.en", "It works .\n")
        corpus.write("ref.fr", f"{reference} marche .\n")
        corpus.write("hyp.fr", f"{candidate} marche .\n")
        for name in ("ref.align", "hyp.align"):
            corpus.write(name, "0-0 1-1 2-2\n")
        return apt_score(*corpus.arguments(), "-b", "--weights", "1,p,0,0,0,0", *options).out.strip()

    assert score("Il", "Elle") == "0.0000"
    assert score("Il", "Elle", "--lists", written) == "0.7500"
    assert score("Elle", "Il", "--lists", written) == "0.0000"
    assert score("Il", "Ce") == "0.6000"
    assert score("Il", "Ce", "--lists", written) == "0.0000"


def test_an_input_is_not_written_over(sample, apt_meta, own):
    before = sample.read_bytes()
    check(apt_meta("lists", sample, "--lang", "fr", "-o", sample), "it is one of the inputs")
    assert sample.read_bytes() == before
    lists = own('code = "fr"\n')
    check(apt_meta("lists", sample, "--lang", "fr", "--lists", lists, "-o", lists), "one of the inputs")


def test_without_an_output_nothing_is_written(sample, apt_meta, tmp_path):
    before = sorted(tmp_path.iterdir())
    outcome = apt_meta("lists", sample, "--lang", "fr")
    assert "no list is written: -o FILE.toml does that" in outcome.out
    assert "replaces the shipped list of equivalents" in outcome.out
    assert sorted(tmp_path.iterdir()) == before


# ---- shown ----


def test_text(sample, apt_meta):
    lines = apt_meta("lists", sample, "--lang", "fr").out.splitlines()
    assert "il         ce         kept               3        2  0.6667  [0.2077, 0.9385]   7.5 %" in lines
    assert "sample: 40 judged triples, 12 of them in these pairs" in lines
    assert "in no pair: 24 the same on both sides, 3 OTHER or NONE, 1 several pronouns on a side" in lines
    assert max(map(len, lines)) <= 100


def test_tsv_and_latex(sample, apt_meta):
    head, *lines = apt_meta("lists", sample, "--lang", "fr", "-f", "tsv").out.splitlines()
    assert head.split("\t") == [
        "reference", "candidate", "n", "correct", "p", "low", "high", "share", "result",
    ]  # fmt: skip
    first = dict(zip(head.split("\t"), lines[0].split("\t"), strict=True))
    assert (first["reference"], first["candidate"], first["n"], first["p"]) == ("il", "ça", "4", "0.5")
    latex = apt_meta("lists", sample, "--lang", "fr", "-f", "latex").out
    assert r"95 \% interval" in latex
    assert r"il & ça & not likely enough & 4 & 2 & 0.5000" in latex


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--lang", "xx"], "unknown language 'xx'"),
        ([], "--lang"),
        (["--lang", "fr", "--min-share", "2"], "--min-share"),
        (["--lang", "fr", "--min-p", "nan"], "min-p: a number from 0 to 1 expected"),
        (["--lang", "fr", "--lists", "none.toml"], "none.toml"),
    ],
)
def test_wrong_options(sample, apt_meta, options, expected):
    check(apt_meta("lists", sample, *options), expected)
