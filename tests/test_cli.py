"""apt-score: formats, details, several systems, colour, help."""

import csv
import json
import os
import pty
import shlex
import subprocess
import sys

import jsonschema
import pytest

from apt.render.json import json_schema


def test_text_is_for_people(apt_score, corpus):
    outcome = apt_score(*corpus.arguments())
    assert (
        outcome.out
        == f"""\
APT 0.6667  hyp.fr

case                 n   share  weight
1 identical          2  66.7 %       1
2 equivalent         0   0.0 %     0.5
3 different          1  33.3 %       0
4 candidate missing  0   0.0 %       0
5 reference missing  0   0.0 %       0
6 both missing       0   0.0 %       0
total                3

pronoun   score  n  1  2  3  4  5  6
it       0.5000  2  1  0  1  0  0  0
they     1.0000  1  1  0  0  0  0  0

most frequent confusions
reference  candidate  n
il         elle       1

links checked in 2 of 3 segments (those with an evaluated pronoun)
{signature(apt_score, corpus)}
"""
    )


def signature(apt_score, corpus):
    return json.loads(apt_score(*corpus.arguments(), "-f", "json").out)["systems"][0]["signature"]


def test_several_systems_stand_in_one_table(apt_score, corpus):
    arguments = [*corpus.arguments(), "--hyp-align", corpus.path("ref.align")]
    arguments.insert(3, corpus.path("ref.fr"))
    lines = apt_score(*arguments).out.split("\n")
    assert lines[0].split() == ["system", "APT", "n", "1", "2", "3", "4", "5", "6"]
    assert lines[1].split() == ["hyp.fr", "0.6667", "3", "2", "0", "1", "0", "0", "0"]
    assert lines[2].split() == ["ref.fr", "1.0000", "3", "3", "0", "0", "0", "0", "0"]
    assert apt_score(*arguments, "-b", "-w", "2").out == "0.67\n1.00\n"


@pytest.mark.parametrize(
    "options",
    [[], ["--weights", "1,p,0,0,0,0"], ["--discard", "5,6"], ["--lenient-links"], ["--pronouns", "he"]],
    ids=" ".join,
)
def test_json_follows_its_schema(apt_score, corpus, options):
    docids = corpus.write("docids", "a\na\nb\n")
    outcome = apt_score(*corpus.arguments(), *options, "-f", "json", "--docids", docids)
    document = json.loads(outcome.out)
    jsonschema.Draft202012Validator.check_schema(json_schema())
    jsonschema.validate(document, json_schema())
    (system,) = document["systems"]
    assert [part["document"] for part in system["documents"]] == ["a", "b"]


def test_json_numbers_are_numbers(apt_score, corpus):
    (system,) = json.loads(apt_score(*corpus.arguments(), "-f", "json").out)["systems"]
    assert system["score"] == pytest.approx(2 / 3)
    assert system["confusion"][-1] == {"reference": "le", "candidate": "le", "count": 1}
    assert system["documents"] is None


def test_undefined_is_null(apt_score, corpus):
    outcome = apt_score(*corpus.arguments(), "--discard", "1,2,3,4,5,6", "-f", "json")
    (system,) = json.loads(outcome.out)["systems"]
    assert system["score"] is None
    assert system["undefined"] == "all 3 pronouns fall into discarded cases"


def test_tsv(apt_score, corpus):
    head, row, end = apt_score(*corpus.arguments(), "-f", "tsv").out.split("\n")
    values = dict(zip(head.split("\t"), row.split("\t"), strict=True))
    assert (values["system"], values["score"], values["total"], values["different"]) == (
        "hyp.fr",
        "0.6667",
        "3",
        "1",
    )
    assert end == ""


def test_details_as_tsv(apt_score, corpus):
    docids = corpus.write("docids", "a\na\nb\n")
    apt_score(*corpus.arguments(), "--details", corpus.path("details.tsv"), "--docids", docids)
    with (corpus.folder / "details.tsv").open(encoding="utf-8", newline="") as file:
        first, second, third = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    assert first == {
        "system": "hyp.fr",
        "document": "a",
        "segment": "0",
        "position": "0",
        "source": "It",
        "reference": "il",
        "candidate": "elle",
        "case": "3",
        "source_positions": "0",
        "reference_positions": "0",
        "reference_linked": "0",
        "reference_found": "linked",
        "reference_index": "0",
        "candidate_positions": "0",
        "candidate_linked": "0",
        "candidate_found": "linked",
    }
    assert [(row["segment"], row["document"], row["candidate"]) for row in (second, third)] == [
        ("2", "b", "ils"),
        ("2", "b", "le"),
    ]


def test_details_as_jsonl(apt_score, corpus):
    apt_score(*corpus.arguments(), "--details", corpus.path("details.jsonl"))
    rows = [json.loads(line) for line in (corpus.folder / "details.jsonl").read_text().splitlines()]
    assert [row["case"] for row in rows] == [3, 1, 1]
    assert rows[0]["candidate"] == {
        "text": "elle",
        "forms": ["elle"],
        "positions": [0],
        "linked_positions": [0],
        "found": "linked",
    }


def test_a_tab_in_a_document_id_does_not_break_the_table(apt_score, corpus):
    docids = corpus.write("docids", "a\tb\na\na\n")
    apt_score(*corpus.arguments(), "--details", corpus.path("details.tsv"), "--docids", docids)
    rows = (corpus.folder / "details.tsv").read_text().split("\n")
    assert rows[1].split("\t")[:3] == ["hyp.fr", r"a\tb", "0"]


@pytest.mark.parametrize(
    "options", [[], ["--details", "details.tsv"], ["--anchor", "reference"]], ids=" ".join
)
def test_jobs_change_nothing(apt_score, corpus, options, monkeypatch):
    """Many chunks over three processes: the same output to the last digit, details in the same order."""
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", 2)
    monkeypatch.chdir(corpus.folder)
    for name in ("src.en", "ref.fr", "hyp.fr", "ref.align", "hyp.align"):
        corpus.write(name, (corpus.folder / name).read_text() * 7)
    outputs = []
    for jobs in (1, 3):
        outcome = apt_score(*corpus.arguments(), *options, "--jobs", jobs, "-f", "json", "-w", "17")
        details = corpus.folder / "details.tsv"
        outputs.append((outcome.status, outcome.out, details.read_text() if details.exists() else None))
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0][1])["systems"][0]["segments"] == 21


def test_an_error_in_another_process_is_the_same_error(apt_score, corpus):
    corpus.write("hyp.align", "0-0 1-9\n0-0 1-1\n0-0 1-2 2-1 3-3\n")
    outcome = apt_score(*corpus.arguments(), "--jobs", "2")
    assert outcome.status == 2
    assert "hyp.align, line 1: link '1-9' is out of range" in outcome.err


def test_further_references(apt_score, corpus):
    corpus.write("ref2.fr", "Elle marche .\n\n\n")
    corpus.write("ref2.align", "0-0 1-1 2-2\n\n\n")
    more = ["--ref", corpus.path("ref2.fr"), "--ref-align", corpus.path("ref2.align")]
    assert apt_score(*corpus.arguments(), *more, "-b").out == "1.0000\n"


def test_list_languages(apt_score):
    outcome = apt_score("--list-languages")
    assert outcome.status == 0
    assert "fr        French\n" in outcome.out
    assert "paper-fr" in outcome.out


def test_no_arguments_show_the_help(apt_score):
    assert "SRC REF HYP" in apt_score().out + apt_score().err


def on_a_terminal(arguments, environment):
    """What the command writes when standard output is a terminal."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-c", "from apt.cli.score import main; main()", *arguments]
    subprocess.run(command, stdout=follower, check=True, env=os.environ | {"TERM": "xterm"} | environment)
    os.close(follower)
    output = os.read(leader, 1 << 16).decode()
    os.close(leader)
    return output


def test_colour_on_a_terminal_only(corpus, apt_score):
    assert "\x1b[" in on_a_terminal(corpus.arguments(), {"NO_COLOR": ""})
    assert "\x1b[" not in on_a_terminal(corpus.arguments(), {"NO_COLOR": "1"})
    assert "\x1b[" not in apt_score(*corpus.arguments()).out


def test_output_is_utf8_whatever_the_locale(corpus):
    corpus.write("hyp.fr", "Ça marche .\nBonjour .\nIls le savent .\n")
    command = [sys.executable, "-c", "from apt.cli.score import main; main()", *corpus.arguments()]
    run = subprocess.run(command, capture_output=True, env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert "ça" in run.stdout.decode("utf-8")


def test_a_reader_that_leaves_early_is_no_error(corpus):
    command = [sys.executable, "-c", "from apt.cli.score import main; main()", *corpus.arguments()]
    shell = f"{shlex.join(command)} | true"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", shell], capture_output=True)
    assert run.stderr == b""
