"""The command autoprf-score: what it prints, and bad input."""

import json

import jsonschema
import pytest
from conftest import check

from apt import __version__
from autoprf import AutoPRF
from autoprf.render import json_schema


def document_of(outcome):
    assert (outcome.status, outcome.err) == (0, "")
    return json.loads(outcome.out)


def test_text_is_for_people(autoprf_score, corpus):
    # The corpus of conftest.py: It Il|Elle, They Ils|Ils, it le|le: 2 matches, 3 words on either side.
    outcome = autoprf_score(*corpus.arguments())
    (system,) = document_of(autoprf_score(*corpus.arguments(), "-f", "json"))["systems"]
    assert (outcome.status, outcome.err) == (0, "")
    assert (
        outcome.out
        == f"""\
AutoPRF F1 0.6667  hyp.fr

                   matches  of
precision  0.6667        2   3
recall     0.6667        2   3

pronoun      F1  precision  recall  n  matches  candidate  reference
it       0.5000     0.5000  0.5000  2        1          2          2
they     1.0000     1.0000  1.0000  1        1          1          1

links checked in 2 of 3 segments (those with an evaluated pronoun)
{system["signature"]}
"""
    )


def test_score_only_is_f1(autoprf_score, corpus):
    # The second candidate has no link for It: 2 matches, 2 and 3 words, F1 4/5.
    corpus.write("other.align", "1-1\n\n0-0 1-2 2-1 3-3\n")
    arguments = [*corpus.arguments(), "--hyp-align", corpus.path("other.align")]
    arguments.insert(3, corpus.path("hyp.fr"))
    assert autoprf_score(*arguments, "-b").out == "0.6667\n0.8000\n"
    assert autoprf_score(*arguments, "-b", "-w", "1").out == "0.7\n0.8\n"


def test_options_reach_the_metric(autoprf_score, corpus):
    corpus.write("hyp.fr", "il marche .\nBonjour .\nLe Ils savent .\n")
    # It Il|il, They Ils|Le, it le|Ils (links 0-0 and 2-1): none as written, the first if folded;
    # over the corpus Ils is on both sides, folded il, ils and le are.
    expected = {
        ("occurrence", "mixed"): "0.0000\n",
        ("occurrence", "fold"): "0.3333\n",
        ("corpus", "mixed"): "0.3333\n",
        ("corpus", "fold"): "1.0000\n",
    }
    for (clip, case), f1 in expected.items():
        outcome = autoprf_score(*corpus.arguments(), "-b", "--clip", clip, "--case", case)
        assert (outcome.status, outcome.out) == (0, f1)
    assert autoprf_score(*corpus.arguments(), "-b", "--pronouns", "she").out == "n/a\n"


def test_verbose_lists_the_occurrences(autoprf_score, corpus):
    corpus.write("hyp.align", "0-0 0-1\n\n0-0 1-2 3-3\n")
    lines = autoprf_score(*corpus.arguments(), "-v").out.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("system "))
    assert [line.split() for line in lines[at : at + 5]] == [
        ["system", "segment", "position", "pronoun", "reference", "candidate", "matches"],
        ["hyp.fr", "0", "0", "It", "Il", "Elle", "marche", "0"],
        ["hyp.fr", "2", "0", "They", "Ils", "Ils", "1"],
        ["hyp.fr", "2", "2", "it", "le", "-", "0"],
        [],
    ]
    for options in (["-f", "json"], ["-b"]):
        check(autoprf_score(*corpus.arguments(), "-v", *options), "--verbose goes with text output")


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--clip", "corpus"],
        ["--pronouns", "she"],
        ["--lenient-links"],
        ["--confidence"],
        ["--confidence", "--clip", "corpus", "--resample", "documents"],
        ["--confidence", "--pronouns", "she"],
    ],
    ids=" ".join,
)
def test_json_follows_its_schema(autoprf_score, corpus, options):
    docids = corpus.write("docids", "a\nb\nc\n")
    document = document_of(autoprf_score(*corpus.arguments(), *options, "-f", "json", "--docids", docids))
    jsonschema.Draft202012Validator.check_schema(json_schema())
    jsonschema.validate(document, json_schema())
    (system,) = document["systems"]
    assert [part["document"] for part in system["documents"]] == ["a", "b", "c"]
    assert (system["resampling"] is None) == ("--confidence" not in options)


def test_json_numbers(autoprf_score, corpus):
    corpus.write("hyp.align", "0-0 0-1\n\n0-0 1-2 3-3\n")
    (system,) = document_of(autoprf_score(*corpus.arguments(), "-f", "json"))["systems"]
    # It Il|Elle marche, They Ils|Ils, it le|nothing: 1 match, 3 candidate words, 3 reference words.
    numbers = ("precision", "recall", "f1", "occurrences", "matches", "candidate_words", "reference_words")
    third = pytest.approx(1 / 3, abs=1e-15)
    assert [system[key] for key in numbers] == [third, third, third, 3, 1, 3, 3]
    # it alone: 0 matches, 2 and 2 words.
    assert [system["pronouns"][0][key] for key in numbers] == [0, 0, 0, 2, 0, 2, 2]
    assert (system["undefined"], system["documents"], system["segments"]) == (None, None, 3)


def test_to_dict_is_what_json_says(autoprf_score, corpus):
    docids = corpus.write("docids", "a\na\nb\n")
    (system,) = document_of(autoprf_score(*corpus.arguments(), "-f", "json", "--docids", docids))["systems"]
    files = ("hyp.fr", "ref.fr", "src.en", "ref.align", "hyp.align", "docids")
    hyp, ref, src, ref_align, hyp_align, ids = (
        (corpus.folder / name).read_text().splitlines() for name in files
    )
    result = AutoPRF(lang="fr").corpus_score(
        hyp, ref, src, reference_links=ref_align, hypothesis_links=hyp_align, docids=ids
    )
    assert {"name": "hyp.fr", **result.to_dict()} == system


def test_tsv(autoprf_score, corpus):
    corpus.write("hyp.align", "0-0 0-1\n\n0-0 1-2 3-3\n")
    head, row, end = autoprf_score(*corpus.arguments(), "-f", "tsv", "-w", "3").out.split("\n")
    columns = [
        "system",
        "precision",
        "recall",
        "f1",
        "occurrences",
        "matches",
        "candidate_words",
        "reference_words",
    ]
    assert head.split("\t") == [*columns, "signature"]
    assert row.split("\t")[:-1] == ["hyp.fr", "0.333", "0.333", "0.333", "3", "1", "3", "3"]
    assert row.split("\t")[-1].startswith("AutoPRF|nrefs:1|")
    assert end == ""


def test_undefined_is_null_an_empty_cell_and_a_reason(autoprf_score, corpus):
    corpus.write("hyp.align", "1-1\n\n1-2\n")
    reason = "none of the 3 pronouns is linked to a word of the candidate"
    assert autoprf_score(*corpus.arguments()).out.startswith(f"AutoPRF F1 n/a  ({reason})  hyp.fr\n")
    (system,) = document_of(autoprf_score(*corpus.arguments(), "-f", "json"))["systems"]
    assert (system["precision"], system["recall"], system["f1"]) == (None, 0, None)
    assert system["undefined"] == reason
    row = autoprf_score(*corpus.arguments(), "-f", "tsv").out.split("\n")[1]
    assert row.split("\t")[1:4] == ["", "0.0000", ""]


@pytest.mark.parametrize("output", [["-f", "json"], ["-v"], ["-f", "tsv", "--confidence"]], ids=" ".join)
@pytest.mark.parametrize("clip", ["occurrence", "corpus"])
def test_jobs_change_nothing(autoprf_score, corpus, monkeypatch, clip, output):
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", 1)
    docids = corpus.write("docids", "a\nb\na\n")
    arguments = [*corpus.arguments(), "--docids", docids, "--clip", clip, *output]
    one, two = (autoprf_score(*arguments, "--jobs", jobs) for jobs in (1, 2))
    assert one == two
    assert one.status == 0


def test_links_are_made_where_none_are_given(autoprf_score, corpus):
    """No links for a pronoun are amended: what the aligner says is what counts."""
    arguments = corpus.arguments()[:5]
    (system,) = document_of(autoprf_score(*arguments, "-f", "json"))["systems"]
    assert system["links"]["origin"].startswith("lexical@")
    assert "|step:" not in system["signature"]
    assert system["occurrences"] == 3


# ---- bad input through the command ----


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("hyp.fr", "Elle marche .\n", "hyp.fr, line 2: 3 lines expected to match {src}, found 1"),
        ("ref.align", "0-0\n", "ref.align, line 2: 3 lines expected to match {src}, found 1"),
        ("hyp.align", "0-0 1:1\n\n\n", "hyp.align, line 1: malformed link '1:1': expected i-j"),
        ("hyp.align", "0-0\n\n9-0\n", "hyp.align, line 3: link '9-0' is out of range"),
        ("hyp.fr", b"\xff\n\n\n", "hyp.fr, line 1: not UTF-8"),
    ],
)
def test_files_that_do_not_fit(autoprf_score, corpus, name, content, message):
    corpus.write(name, content)
    check(autoprf_score(*corpus.arguments()), message.format(src=corpus.path("src.en")))


def test_missing_file(autoprf_score, corpus):
    check(autoprf_score(*corpus.arguments(hyp="nowhere.fr")), "nowhere.fr: cannot be read: No such file")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--lang", "tlh"], "unknown language 'tlh'. Available: de, en, es, fr"),
        (["--source-lang", "tlh"], "unknown language 'tlh'"),
        (["--clip", "segment"], "'segment' is not one of 'occurrence', 'corpus'"),
        (["--case", "lower"], "'lower' is not one of 'mixed', 'fold'"),
        (["--pronouns", "it,,they"], "pronouns: expected words separated by commas"),
        (["--ref", "second.fr"], "No such option"),  # one reference only: there is no such option
        (["--weights", "1,0,0,0,0,0"], "No such option"),
        (["--hyp-align", "x"], "--hyp-align: one file a HYP is needed"),
        (["--positions", "nowhere"], "nowhere: cannot be read"),
    ],
)
def test_wrong_options(autoprf_score, corpus, options, message):
    check(autoprf_score(*corpus.arguments(), *options), message)


def test_arguments_that_are_missing(autoprf_score, corpus):
    check(autoprf_score("a", "b"), "SRC, REF and at least one HYP are needed", "autoprf-score --help")
    check(autoprf_score("a", "b", "c"), "--lang is needed")
    assert autoprf_score().out.startswith("Usage: autoprf-score")


def test_standard_input(autoprf_score, corpus):
    content = (corpus.folder / "hyp.fr").read_bytes()
    assert autoprf_score(*corpus.arguments(hyp="-"), "-b", stdin=content).out == "0.6667\n"
    check(autoprf_score(*corpus.arguments(hyp="-", ref="-")), "standard input (-) can be named only once")


def test_version(autoprf_score):
    assert autoprf_score("--version").out == f"autoprf-score {__version__}\n"
