"""ContraPro with real scores of two models: what the set's own evaluate.py printed."""

import json

import pytest
from conftest import check

pytestmark = pytest.mark.shared_data

OPENSUBS, TED = "opensubs_concat22", "ted_sentence_baseline"


@pytest.fixture
def folder(shared_data):
    return shared_data / "contrapro"


@pytest.fixture
def evaluated(apt_contrast, folder):
    def run(*arguments):
        outcome = apt_contrast("evaluate", *arguments, "-f", "json")
        assert (outcome.status, outcome.err) == (0, "")
        return json.loads(outcome.out, parse_constant=pytest.fail)

    return run


def printed(folder, model):
    """Lines `name : right total share` of the official output."""
    text = (folder / "official_output" / f"{model}.txt").read_text()
    lines = [line.split(" : ") for line in text.splitlines() if " : " in line]
    return {name: tuple(map(int, numbers.split()[:2])) for name, numbers in lines}


def counts(shares, name):
    return {share[name]: (share["right"], share["total"]) for share in shares}


@pytest.mark.parametrize(
    ("model", "total", "by_pronoun", "by_distance"),
    [
        (
            OPENSUBS,
            9043,
            {"er": 2559, "es": 3812, "sie": 2672},
            {"0": (789, 997), "1": (2140, 3118), "unknown": (6114, 7885)},
        ),
        (
            TED,
            5185,
            {"er": 689, "es": 3655, "sie": 841},
            {"0": (631, 997), "1": (261, 3118), "unknown": (4293, 7885)},
        ),
    ],
)
def test_the_official_counts(evaluated, folder, model, total, by_pronoun, by_distance):
    document = evaluated(folder / "contrapro_reconstructed.json", folder / "scores" / f"{model}.scores")
    [found] = document["models"]
    assert (found["right"], found["total"]) == (total, 12_000)
    pronouns = counts(found["buckets"]["pronoun"], "pronoun")
    assert pronouns == {pronoun: (right, 4000) for pronoun, right in by_pronoun.items()}
    # Distances are known of 4,115 instances only, so the official table of them cannot be had.
    assert counts(found["buckets"]["distance"], "distance") == by_distance
    locations = counts(found["buckets"]["location"], "location")
    assert locations["intrasegmental"] == by_distance["0"]
    assert locations["external"] == by_distance["1"]
    # The numbers above are those of the file.
    official = printed(folder, model)
    assert official["total"] == (total, 12_000)
    assert {name: official[f"it:{name}"] for name in by_pronoun} == pronouns


def test_the_cross_table_adds_up(evaluated, folder):
    document = evaluated(folder / "contrapro_reconstructed.json", folder / "scores" / f"{OPENSUBS}.scores")
    [found] = document["models"]
    sums = {}
    for cell in found["crossed"]:
        right, total = sums.get(cell["pronoun"], (0, 0))
        sums[cell["pronoun"]] = (right + cell["right"], total + cell["total"])
    assert sums == counts(found["buckets"]["pronoun"], "pronoun")
    assert len(found["crossed"]) == 9


@pytest.mark.parametrize("with_context", [False, True])
def test_the_same_set_as_lines(evaluated, folder, with_context):
    text = folder / "text"
    scores = [folder / "scores" / f"{model}.scores" for model in (OPENSUBS, TED)]
    context = [
        *("--source-context", text / "contrapro.context.en"),
        *("--target-context", text / "contrapro.context.de"),
    ]
    lines = evaluated(
        *(text / "contrapro.text.de", *scores, "--source", text / "contrapro.text.en"),
        *("--groups", text / "sentence_groups.txt", *(context if with_context else [])),
    )
    as_json = evaluated(folder / "contrapro_reconstructed.json", *scores)
    assert [found["right"] for found in lines["models"]] == [9043, 5185]
    assert [found["right"] for found in as_json["models"]] == [9043, 5185]
    assert lines["digest"] == as_json["digest"]
    assert lines["comparisons"] == as_json["comparisons"]


def test_a_set_whose_contrastive_translations_are_the_correct_ones(apt_contrast, folder, tmp_path):
    broken = folder / "json_subsets" / "synonyms_contrapro_subset.json"
    outcome = apt_contrast("prepare", broken, "-o", tmp_path / "out")
    check(outcome, "synonyms_contrapro_subset.json: instance 0 (from 0)", "and 1530 more like it")
    assert not (tmp_path / "out").exists()


def test_a_subset_in_the_original_layout(apt_contrast, folder, tmp_path):
    subset = folder / "json_subsets" / "possessive_david_modified_contrapro_subset.json"
    assert apt_contrast("prepare", subset, "-o", tmp_path / "out").status == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["instances"] == 3848
    assert (tmp_path / "out" / "target.txt").read_text().count("\n") == manifest["translations"]
