"""`apt-contrast score`: prepared files in, scores out, taken up again after a kill."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import check
from tiny_translators import contrapro, make_bart, make_marian, models

# Ends itself as `kill -9` would, in the middle of writing the third block.
KILLED = """
import os, signal, sys
from apt.cli import contrast
from apt.contrast.model_files import PartFile

whole = PartFile._put
def put(part, mode, content):
    if part.done >= 32:
        whole(part, mode, content[: content.index(b"\\n", len(content) // 2) - 3])
        os.kill(os.getpid(), signal.SIGKILL)
    whole(part, mode, content)
PartFile._put = put
sys.argv = ["apt-contrast", *sys.argv[1:]]
contrast.main()
"""


@pytest.fixture(scope="module")
def marian(tmp_path_factory) -> Path:
    return make_marian(tmp_path_factory.mktemp("models") / "marian")


class Work:
    """A folder with a set of 48 instances, 144 translations, prepared."""

    def __init__(self, folder: Path, apt_contrast) -> None:
        self.folder, self._run = folder, apt_contrast
        self.set, self.prepared, self.scores = folder / "set.json", folder / "prepared", folder / "scores"
        self.part = folder / "scores.part"
        self.set.write_text(json.dumps(contrapro()), encoding="utf-8")
        self.prepare()

    def prepare(self, *options):
        shutil.rmtree(self.prepared, ignore_errors=True)
        assert self._run("prepare", self.set, "-o", self.prepared, "-q", *options).status == 0

    def arguments(self, model, *options) -> list:
        return ["score", self.prepared, "--model", model, "-o", self.scores, "--batch-size", 1, *options]

    def score(self, model, *options):
        return self._run(*self.arguments(model, *options))

    def evaluate(self):
        return self._run("evaluate", self.set, self.scores, "-f", "json")

    def numbers(self) -> list[float]:
        return [float(line) for line in self.scores.read_text().splitlines()]


@pytest.fixture
def work(tmp_path, apt_contrast) -> Work:
    return Work(tmp_path, apt_contrast)


# ---- the whole way ----


@models
def test_prepare_score_evaluate_in_one_command_each(work, marian):
    done = work.score(marian)
    assert done.status == 0, done.err
    assert done.out == ""
    assert done.err.startswith(f"apt-contrast: {work.scores}: 144 scores of marian-")
    assert not work.part.exists()
    lines = work.scores.read_text().splitlines()
    assert len(lines) == 144
    assert all(repr(float(line)) == line for line in lines)
    evaluated = work.evaluate()
    assert evaluated.status == 0, evaluated.err
    assert '"accuracy"' in evaluated.out


@models
def test_quiet_says_nothing_and_batches_change_nothing_that_matters(work, marian):
    done = work.score(marian, "-q")
    assert (done.status, done.out, done.err) == (0, "", "")
    found = work.numbers()
    assert work.score(marian, "--batch-size", 32).status == 0
    assert work.numbers() == pytest.approx(found, rel=0, abs=2e-5)


@models
def test_length_normalisation_and_the_last_sentence(work, marian):
    work.prepare("--context", 1, "--separator", " <SEP> ")
    found = {}
    for options in ((), ("--score", "last"), ("--score", "last", "--length-normalisation", "tokens")):
        assert work.score(marian, *options).status == 0
        found[options] = work.numbers()
    whole, last, mean = found.values()
    # The first instance has no context: three lines that are their own last sentence.
    assert whole[:3] == pytest.approx(last[:3], rel=0, abs=2e-5)
    assert all(one > other for one, other in zip(whole[3:], last[3:], strict=True))
    assert all(one < other for one, other in zip(mean, last, strict=True))


# ---- interrupted ----


def kill_in_the_middle(work: Work, *arguments) -> None:
    command = [sys.executable, "-c", KILLED, *map(str, work.arguments(*arguments))]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == -signal.SIGKILL, done.stderr


@models
@pytest.mark.parametrize("options", [(), ("--length-normalisation", "tokens"), ("--batch-size", 2)])
def test_killed_in_the_middle_it_goes_on_to_the_same_bytes(work, marian, options):
    assert work.score(marian, *options).status == 0
    expected = work.scores.read_bytes()
    work.scores.unlink()
    kill_in_the_middle(work, marian, *options)
    assert not work.scores.exists()
    assert not work.part.read_bytes().endswith(b"\n")  # in the middle of a line
    done = work.score(marian, *options)
    assert done.status == 0, done.err
    assert f"{work.part}: 32 of 144 scores are there already" in done.err
    assert work.scores.read_bytes() == expected
    assert not work.part.exists()


@pytest.fixture
def begun(work, marian):
    """The first line of a part file, and the scores that are to follow it."""
    assert work.score(marian).status == 0
    expected = work.scores.read_bytes()
    work.scores.unlink()
    kill_in_the_middle(work, marian)
    header = work.part.read_bytes().partition(b"\n")[0] + b"\n"
    return header, expected


@models
def test_wherever_the_part_file_ends_the_result_is_the_same(work, marian, begun):
    header, expected = begun
    whole = header + expected
    ends = [0, 1, len(header) - 1, len(header), len(header) + 5, len(whole) // 2, len(whole) - 1, len(whole)]
    for end in ends:
        work.part.write_bytes(whole[:end])
        done = work.score(marian)
        assert done.status == 0, done.err
        assert work.scores.read_bytes() == expected
        assert not work.part.exists()


# ---- part files of something else ----


@models
def test_a_part_file_of_other_options_another_model_or_set_is_an_error(work, marian, tmp_path):
    kill_in_the_middle(work, marian)
    before = work.part.read_bytes()
    other = make_bart(tmp_path / "other")
    advice = "go on with the same, or remove the file to begin anew"
    for arguments, said in [
        ((marian, "--batch-size", 2), "begun with batch size 1, not batch size 2"),
        ((marian, "--length-normalisation", "tokens"), "not length normalisation tokens"),
        ((other,), "not model other-"),
    ]:
        check(work.score(*arguments), f"{work.part}: begun with ", said, advice)
    work.set.write_text(json.dumps(contrapro(40)), encoding="utf-8")
    work.prepare()
    check(work.score(marian), f"{work.part}: begun with manifest", advice)
    assert work.part.read_bytes() == before
    assert not work.scores.exists()


@models
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"my notes\n", "no scores in the making"),
        (b"my notes", "no scores in the making"),
        (b"{}\n1.5\n", "no scores in the making"),
        (b"\xff\n", "no scores in the making"),
    ],
)
def test_a_file_that_is_no_part_file_is_left_alone(work, marian, content, said):
    work.part.write_bytes(content)
    check(work.score(marian), f"{work.part}: ", said)
    assert work.part.read_bytes() == content


@models
def test_a_spoilt_part_file_is_an_error(work, marian, begun):
    header, expected = begun
    for lines, said in [
        (b"1.5\nx\n", ", line 3: a score expected"),
        (b"nan\n", ", line 2: a score expected"),
        (expected + b"1.5\n", "144 scores expected, found 145"),
    ]:
        work.part.write_bytes(header + lines)
        check(work.score(marian), str(work.part), said)


# ---- folders that are not as they were prepared ----


@pytest.mark.parametrize("name", ["source.txt", "target.txt"])
def test_an_edited_file_is_an_error(work, name):
    path = work.prepared / name
    path.write_bytes(path.read_bytes().replace(b".", b"!", 1))
    check(work.score("any"), f"{path}: not as apt-contrast prepare wrote it")
    path.unlink()
    check(work.score("any"), f"{path}: cannot be read")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON"),
        ("[]", "no manifest"),
        ('{"files": {"source.txt": ""}}', "no manifest"),
        ('{"format": 9, "files": {"source.txt": "", "target.txt": ""}}', "format 1 expected, found 9"),
    ],
)
def test_a_wrong_manifest_is_an_error(work, content, said):
    (work.prepared / "manifest.json").write_text(content)
    check(work.score("any"), "manifest.json", said)


def test_a_folder_that_is_none(work):
    shutil.rmtree(work.prepared)
    check(work.score("any"), f"{work.prepared}: no folder of apt-contrast prepare")


def test_context_in_files_of_its_own_would_not_be_seen(work):
    work.prepare("--context", 1)
    check(work.score("any"), "no model would see: prepare with --separator")


def test_the_last_sentence_must_be_told_apart(work):
    check(work.score("any", "--score", "last"), "prepared without a separator")
    work.prepare("--context", 1, "--separator", " ")
    check(work.score("any", "--score", "last"), "target.txt, line 1: ", "the last sentence cannot be told")


# ---- usage ----


def test_where_scores_cannot_go(work, tmp_path):
    for place, said in [
        (tmp_path, "Is a directory"),
        (tmp_path / "none" / "scores", "No such file or directory"),
        (work.prepared / "target.txt", "it is one of the inputs"),
        ("/dev/null", "the name of a file is needed"),
        ("-", "the name of a file is needed"),
    ]:
        check(work.score("any", "-o", place), said)


@models
def test_a_missing_model_is_one_line(work, monkeypatch, tmp_path):
    monkeypatch.setenv("APT_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    check(work.score("someone/none"), "neither a folder nor fetched already, and APT_OFFLINE is set")
    check(work.score(tmp_path / "none"), "there is no folder")
    assert not work.part.exists()


@models
def test_a_line_too_long_names_the_file_and_nothing_is_left(work, tmp_path):
    short = make_bart(tmp_path / "short", positions=8, steps=0)
    check(work.score(short), "source.txt, line 1: ", " tokens are more than the 8 that ")
    assert not work.part.exists()


def test_a_missing_extra_is_one_line(work, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    check(work.score("any"), "To install them: pip install 'apt-score[models]'")


def test_help_needs_no_extra(apt_contrast, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    shown = apt_contrast("score", "--help")
    assert shown.status == 0
    assert "--length-normalisation" in shown.out
