"""Files for a model to score, and the manifest that ties scores to their set."""

import json

import pytest
from conftest import check
from small_sets import ANAPHORA, CONTRAPRO, TRANSLATIONS, Folder


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture
def prepare(folder, apt_contrast):
    """Prepares a set; gives the lines of each file."""

    def run(content, *options):
        outcome = apt_contrast(
            "prepare", folder.write("set.json", content), "-o", folder.file("out"), "-q", *options
        )
        assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
        return {path.name: path.read_text().split("\n")[:-1] for path in (folder.path / "out").glob("*.txt")}

    return run


def test_the_order_is_that_of_the_set(prepare):
    files = prepare(CONTRAPRO)
    assert files == {
        "source.txt": ["It is here."] * TRANSLATIONS,
        "target.txt": [
            f"{word} ist da." for word in ("er", "sie", "es", "sie", "er", "es", "ihn", "es", "er")
        ],
    }


def test_context_in_files_of_its_own(prepare):
    files = prepare(CONTRAPRO, "--context", "1")
    assert set(files) == {"source.txt", "target.txt", "source.context1.txt", "target.context1.txt"}
    # The first is the beginning of a text.
    assert files["source.context1.txt"] == [""] * 3 + ["The cup fell."] * 4 + ["The book?"] * 2
    assert files["target.context1.txt"] == [""] * 3 + ["Die Tasse fiel."] * 4 + ["Das Buch?"] * 2
    assert files["target.txt"][3] == "sie ist da."


def test_context_and_sentence_in_one_line(prepare):
    files = prepare(CONTRAPRO, "--context", "1", "--separator", " <SEP> ")
    assert set(files) == {"source.txt", "target.txt"}
    # No separator at the beginning of a text.
    assert files["source.txt"][2:4] == ["It is here.", "The cup fell. <SEP> It is here."]
    assert files["target.txt"][2:4] == ["es ist da.", "Die Tasse fiel. <SEP> sie ist da."]


def test_context_of_the_source_alone(prepare):
    assert set(prepare(CONTRAPRO, "--context", "1", "--no-target-context")) == {
        "source.txt",
        "target.txt",
        "source.context1.txt",
    }
    files = prepare(CONTRAPRO, "--context", "1", "--no-target-context", "--separator", " | ")
    assert files["source.txt"][3] == "The cup fell. | It is here."
    assert files["target.txt"][3] == "sie ist da."


def test_several_sentences_of_context(prepare):
    """The nearest is 1; what goes before the beginning of a text is empty."""
    content = json.loads(json.dumps(ANAPHORA))
    block = content["2"]
    block["src"].insert(0, "Look.")
    for side in ("correct", "incorrect"):
        block["trg"][0][side].insert(0, "Voyez.")
    files = prepare(content, "--context", "2")
    assert files["source.context2.txt"] == ["Look."] * 2 + [""] * 4
    assert files["source.context1.txt"] == ["The books?"] * 2 + ["The door?"] * 4
    assert files["target.context2.txt"][:2] == ["Voyez."] * 2
    nearest = prepare(content, "--context", "1", "--separator", "|")
    assert nearest["source.txt"][0] == "The books?|They are old."
    both = prepare(content, "--context", "2", "--separator", "|")
    assert both["source.txt"][0] == "Look.|The books?|They are old."


def test_what_was_written_is_said_on_standard_error(folder, apt_contrast):
    outcome = apt_contrast("prepare", folder.write("set.json", CONTRAPRO), "-o", folder.file("out"))
    assert (outcome.status, outcome.out) == (0, "")
    assert "9 lines to score (source.txt, target.txt)" in outcome.err


# ---- the manifest ----


def test_the_manifest(folder, prepare):
    prepare(CONTRAPRO, "--context", "1", "--separator", "|", "--no-target-context")
    manifest = json.loads((folder.path / "out" / "manifest.json").read_text())
    assert manifest["instances"] == 3
    assert manifest["translations"] == TRANSLATIONS
    assert (manifest["context"], manifest["target_context"], manifest["separator"]) == (1, False, "|")
    assert set(manifest["files"]) == {"source.txt", "target.txt"}


@pytest.fixture
def evaluate_with_manifest(folder, apt_contrast):
    def run(content, scores=range(9)):
        other = folder.write("other.json", content)
        manifest = folder.file("out/manifest.json")
        return apt_contrast("evaluate", other, folder.scores(*scores), "--manifest", manifest)

    return run


def changed(number, key, value):
    """The set with one value changed."""
    content = json.loads(json.dumps(CONTRAPRO))
    content[number][key] = value
    return content


def test_the_manifest_fits_its_set(prepare, evaluate_with_manifest):
    prepare(CONTRAPRO, "--context", "1")
    assert evaluate_with_manifest(CONTRAPRO).status == 0
    # What is known of an instance is no part of what was scored.
    assert evaluate_with_manifest(changed(0, "ante distance", 3)).status == 0


@pytest.mark.parametrize(
    "content",
    [
        changed(2, "src segment", "It is there."),
        changed(2, "ref segment", "Es ist dort."),
        changed(2, "errors", [{"contrastive": "Er ist dort."}]),
        [CONTRAPRO[1], CONTRAPRO[0], CONTRAPRO[2]],
    ],
)
def test_another_set_is_refused(prepare, evaluate_with_manifest, content):
    prepare(CONTRAPRO)
    check(evaluate_with_manifest(content), "manifest.json: made for", "set.json", "not for", "other.json")


def test_other_context_is_refused_where_it_was_used(prepare, evaluate_with_manifest):
    other = changed(1, "src context", "It is true: The cup fell.")
    prepare(CONTRAPRO)
    assert evaluate_with_manifest(other).status == 0
    prepare(CONTRAPRO, "--context", "1")
    check(evaluate_with_manifest(other), "manifest.json: made with other context than that of", "other.json")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[]", "no manifest of apt-contrast prepare"),
        ("{}", "no manifest of apt-contrast prepare"),
        ('{"digest": "x"}', "no manifest of apt-contrast prepare"),
        ('{"format": 99, "digest": "x"}', "a manifest of format 1 expected, found 99"),
        ('{"format": 1, "digest": null}', "made for another set (None)"),
        ('{"format": 1,\n"digest"}', "manifest.json, line 2: not JSON"),
    ],
)
def test_a_manifest_that_is_none(folder, evaluate_with_manifest, content, expected):
    (folder.path / "out").mkdir()
    folder.write("out/manifest.json", content)
    check(evaluate_with_manifest(CONTRAPRO), expected)


# ---- errors leave nothing behind ----


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--context", "2"], ["set.json: --context 2: no instance has more than 1 before it"]),
        (["--context", "1000000000"], ["no instance has more than 1"]),
        (["--context", "-1"], ["-1 is not in the range"]),
        (["--separator", "|"], ["a separator needs context"]),
        (["--context", "1", "--separator", "a\nb"], ["a separator cannot hold a line break"]),
        (["--context", "1", "--separator", "\r"], ["a separator cannot hold a line break"]),
        (["--no-target-context"], ["--no-target-context goes with --context"]),
    ],
)
def test_no_folder_after_wrong_options(folder, apt_contrast, options, expected):
    test_set = folder.write("set.json", CONTRAPRO)
    check(apt_contrast("prepare", test_set, "-o", folder.file("a/out"), *options), *expected)
    assert folder.everything() == ["set.json"]


def test_a_set_without_context(folder, apt_contrast):
    content = changed(1, "ref context", None)
    test_set = folder.write("set.json", content)
    arguments = ["prepare", test_set, "-o", folder.file("out"), "--context", "1"]
    check(apt_contrast(*arguments), "set.json: instance 1 (from 0): the set has no target context")
    assert folder.everything() == ["set.json"]
    # It is not needed for the source alone.
    assert apt_contrast(*arguments, "--no-target-context").status == 0


def test_a_folder_that_cannot_be_written(folder, apt_contrast):
    test_set = folder.write("set.json", CONTRAPRO)
    check(apt_contrast("prepare", test_set, "-o", test_set), "set.json: cannot be written")
    check(apt_contrast("prepare", test_set, "-o", ""), "cannot be written: the name of a folder is needed")
    assert folder.everything() == ["set.json"]


def test_an_older_folder_survives_an_error(folder, apt_contrast, prepare):
    prepare(CONTRAPRO)
    before = (folder.path / "out" / "manifest.json").read_bytes()
    test_set = folder.write("bad.json", "[]")
    check(apt_contrast("prepare", test_set, "-o", folder.file("out")), "bad.json: there is no instance in it")
    assert (folder.path / "out" / "manifest.json").read_bytes() == before
