"""The shipped example: every triple was decided by hand, before the program was asked."""

import csv
import json
from pathlib import Path

import pytest

from apt import APT
from apt.render.tsv import shown

DECIDED = Path(__file__).parent / "data" / "example_triples.tsv"
SYSTEMS = ("system_a", "system_b")


@pytest.fixture(scope="module")
def decided():
    with DECIDED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def score(examples, system):
    return APT(lang="fr", check_links=True).corpus_score(
        lines(examples / f"{system}.fr"),
        lines(examples / "reference.fr"),
        lines(examples / "source.en"),
        reference_links=lines(examples / "reference.align"),
        hypothesis_links=lines(examples / f"{system}.align"),
        docids=lines(examples / "docids.txt"),
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_triple_is_as_decided_by_hand(examples, decided, system):
    found = [
        {
            "system": system,
            "segment": str(triple.segment),
            "position": str(triple.position),
            "source": triple.pronoun,
            "reference": shown(triple.reference),
            "reference_found": triple.reference.found.value,
            "candidate": shown(triple.candidate),
            "candidate_found": triple.candidate.found.value,
            "case": str(triple.case.value),
        }
        for triple in score(examples, system).triples
    ]
    assert found == [row for row in decided if row["system"] == system]


def test_the_example_shows_what_it_should(examples, decided):
    """Enough sentences, all six cases, every way to find a translation."""
    assert len(lines(examples / "source.en")) >= 40
    assert {row["case"] for row in decided} == set("123456")
    ways = {row["candidate_found"] for row in decided}
    assert ways == {"linked", "listed among several", "rescued", "other", "none"}


def test_files_and_lists_of_strings_give_the_same(examples, apt_score):
    names = [examples / f"{name}.fr" for name in ("reference", *SYSTEMS)]
    links = [f"--hyp-align={examples / name}.align" for name in SYSTEMS]
    command = [examples / "source.en", *names, "--lang", "fr", "-f", "json"]
    outcome = apt_score(
        *command, f"--ref-align={examples / 'reference.align'}", *links, f"--docids={examples / 'docids.txt'}"
    )
    systems = {system.pop("name"): system for system in json.loads(outcome.out)["systems"]}
    for system in SYSTEMS:
        ours = score(examples, system).to_dict()
        theirs = systems[f"{system}.fr"]
        del ours["links"], theirs["links"]  # the library was asked to check all
        assert json.loads(json.dumps(ours)) == theirs
