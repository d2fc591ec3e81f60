"""ContraCAT's folders through the command: generated, prepared, scored by simple rules, evaluated."""

import json

import pytest
from conftest import check


@pytest.fixture
def templates(apt_contrast, tmp_path):
    """Two templates: one with correct translations, one prior."""
    folder = tmp_path / "cat"
    outcome = apt_contrast("generate", "-o", str(folder), "--only", "verb_overlap", "--only", "position")
    assert outcome.status == 0, outcome.err
    return folder


def evaluated(apt_contrast, tmp_path, templates, lower_is_better_score):
    """The evaluation where a line of the prepared target gets the score that a rule gives it."""
    prepared = tmp_path / "prepared"
    assert apt_contrast("prepare", str(templates), "-o", str(prepared)).status == 0
    lines = (prepared / "target.txt").read_text(encoding="utf-8").splitlines()
    scores = tmp_path / "model.scores"
    scores.write_text("".join(f"{lower_is_better_score(n, line)}\n" for n, line in enumerate(lines)))
    manifest = str(prepared / "manifest.json")
    outcome = apt_contrast("evaluate", str(templates), str(scores), "--manifest", manifest, "-f", "json")
    assert outcome.status == 0, outcome.err
    return json.loads(outcome.out)


def test_priors_are_no_part_of_accuracy(apt_contrast, tmp_path, templates):
    """The first of three lines is the best: the correct one, and in the prior template the masculine one."""
    document = evaluated(apt_contrast, tmp_path, templates, lambda n, line: n % 3)
    (model,) = document["models"]
    assert (model["right"], model["total"], model["whole_blocks"]) == (2240, 2240, None)
    (prior,) = document["preferences"]["model.scores"]
    assert prior["template"] == "position"
    assert prior["genders"] == {"m": 1656, "f": 0, "n": 0}
    # Each pair of a masculine and another thing stands in either order, so it is first as often as second.
    assert prior["roles"]["first"] == prior["roles"]["second"] > 0
    assert sum(prior["same_role"].values()) == 0


def test_a_model_that_likes_one_gender(apt_contrast, tmp_path, templates):
    """Always the feminine line: in the prior template the second of three."""
    likes_sie = evaluated(
        apt_contrast, tmp_path, templates, lambda n, line: 0 if line.split()[0] == "Sie" else 1
    )
    (prior,) = likes_sie["preferences"]["model.scores"]
    assert prior["genders"]["f"] == 1656
    assert prior["genders"]["m"] == prior["genders"]["n"] == 0


def test_a_set_of_priors_alone(apt_contrast, tmp_path, templates):
    prior = templates / "position"
    scores = tmp_path / "s"
    scores.write_text("1\n2\n3\n" * 1656)
    outcome = apt_contrast("evaluate", str(prior), str(scores))
    assert "preferences in position (no translation is correct)" in outcome.out
    assert "accuracy " not in outcome.out


def test_a_folder_that_is_none_of_contracats(apt_contrast, tmp_path):
    (tmp_path / "empty").mkdir()
    scores = tmp_path / "s"
    scores.write_text("1\n")
    check(apt_contrast("evaluate", str(tmp_path / "empty"), str(scores)), "empty")
