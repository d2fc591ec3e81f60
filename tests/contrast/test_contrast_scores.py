"""Scores of a model: a number a line, or JSON lines."""

import json

import pytest
from small_sets import CONTRAPRO, TRANSLATIONS, Folder

from apt.contrast.scores import read_scores
from apt.contrast.sets import read_set

VALUES = [1.5, 2.0, -3.25, 0.0, 1e-3, 7.0, 8.0, 9.0, 10.0]
INSTANCES = [VALUES[:3], VALUES[3:7], VALUES[7:]]


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        "".join(f"{value}\n" for value in VALUES),
        "\n".join(map(str, VALUES)),  # no line end at the end
        "".join(f"  {value}\t\r\n" for value in VALUES),
        "\ufeff" + "".join(f"{value}\n" for value in VALUES),
        "".join(f"{value:+.3e}\n" for value in VALUES),
        "".join(json.dumps({"score": value}) + "\n" for value in VALUES),
        "".join(json.dumps({"id": 3, "score": value}) + "\n" for value in VALUES),
        "".join(json.dumps({"scores": values}) + "\n" for values in INSTANCES),
        "".join(json.dumps({"id": [1], "scores": values}) + "\n" for values in INSTANCES),
        # Numbers and objects of a translation each can stand in one file: both are one a line.
        "".join(f"{value}\n" if value < 5 else json.dumps({"score": value}) + "\n" for value in VALUES),
    ],
)
def test_ways_to_write_the_same_scores(folder, content):
    assert len(VALUES) == TRANSLATIONS
    contrastive_set = read_set(folder.write("set.json", CONTRAPRO))
    assert read_scores(folder.write("m.scores", content), contrastive_set).tolist() == VALUES


def test_whole_numbers_in_json_are_scores(folder):
    contrastive_set = read_set(folder.write("set.json", CONTRAPRO[2:]))
    path = folder.write("m.jsonl", '{"scores": [1, 2]}\n')
    assert read_scores(path, contrastive_set).tolist() == [1.0, 2.0]
