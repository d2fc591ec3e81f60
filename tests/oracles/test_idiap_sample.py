"""The sample of the 2017 tool (idiap/APT): its configurations run as they are, its numbers and every row."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from apt.cli.score import command

pytestmark = pytest.mark.shared_data

# Published in output1.score, output2.score, output3.score.
PUBLISHED = {
    1: ("0.4000", [38, 0, 42, 10, 2, 3]),
    2: ("0.6316", [60, 0, 20, 10, 2, 3]),
    3: ("0.2105", [20, 0, 60, 10, 2, 3]),
}


@pytest.fixture
def sample(shared_data, tmp_path, monkeypatch):
    """The paths inside the configurations are relative to the current directory."""
    shutil.copytree(shared_data / "idiap_apt_sample", tmp_path / "data_es-en")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data_es-en"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_score_and_counts_are_the_published_ones(sample, number):
    score, counts = PUBLISHED[number]
    config = f"data_es-en/config_{number}"
    assert CliRunner().invoke(command, ["--config", config, "-b"]).output == f"{score}\n"
    (system,) = json.loads(CliRunner().invoke(command, ["--config", config, "-f", "json"]).output)["systems"]
    assert list(system["cases"].values()) == counts


@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_row_of_the_detail_file(sample, number):
    """Sentence, positions, words and case; the old file shows all linked positions, and `-` for none."""
    CliRunner().invoke(command, ["--config", f"data_es-en/config_{number}", "--details", "ours.tsv"])
    with Path("ours.tsv").open(encoding="utf-8", newline="") as file:
        ours = [
            (
                row["segment"],
                row["position"],
                row["source"],
                row["reference_linked"],
                row["reference"].replace("NONE", "-"),
                row["candidate_linked"],
                row["candidate"].replace("NONE", "-"),
                row["case"],
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]
    published = (sample / f"output{number}.detail").read_text(encoding="utf-8").split("\n")[1:-1]
    assert ours == [tuple(line.split("\t")) for line in published]
    assert len(ours) == 95
