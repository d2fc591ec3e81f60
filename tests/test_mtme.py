"""--mtme: score files in the layout of mt-metrics-eval, as its README and its reader describe it.

The package of that name on PyPI is not Google's, whose toolkit is installed from its repository only: files are
read here by the rule of its reader, two fields separated by white space, the second a number or None.
"""

import pytest
from click.testing import CliRunner

from apt.cli.score import command as apt_score
from apt.errors import AptError
from apt.render.mtme import reference_names
from autoprf.cli import command as autoprf_score

METRICS = pytest.mark.parametrize(("command", "name"), [(apt_score, "APT"), (autoprf_score, "AutoPRF")])


def run(command, *arguments):
    outcome = CliRunner().invoke(command, [str(argument) for argument in arguments])
    if outcome.exception is not None:
        raise outcome.exception
    return outcome.output


def two_systems(corpus):
    """hyp.fr, and b.txt, which is the reference."""
    corpus.write("b.txt", (corpus.folder / "ref.fr").read_bytes())
    arguments = [*corpus.arguments(), "--hyp-align", corpus.path("ref.align")]
    arguments.insert(3, corpus.path("b.txt"))
    return arguments


def written(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def read_scores(text):
    scores = {}
    for line in text.splitlines():
        system, score = line.split()
        scores.setdefault(system, []).append(None if score == "None" else float(score))
    return scores


@METRICS
def test_contents(corpus, tmp_path, command, name):
    """It: Il, Elle (0 of 1); nothing; They, it: Ils, le twice (2 of 2). In AutoPRF F1 = 2·2 / (3 + 3)."""
    docids = corpus.write("docids", "a\nb\nc\n")
    folder = tmp_path / "new" / "scores"
    run(command, *two_systems(corpus), "--docids", docids, "--mtme", folder)
    assert written(folder) == {
        f"{name}-ref.sys.score": "hyp.fr\t0.6666666666666666\nb\t1.0\n",
        f"{name}-ref.seg.score": "hyp.fr\t0.0\nhyp.fr\tNone\nhyp.fr\t1.0\nb\t1.0\nb\tNone\nb\t1.0\n",
        f"{name}-ref.seg.mask": "hyp.fr\t1\nhyp.fr\t0\nhyp.fr\t1\nb\t1\nb\t0\nb\t1\n",
        f"{name}-ref.doc.score": "hyp.fr\t0.0\nhyp.fr\tNone\nhyp.fr\t1.0\nb\t1.0\nb\tNone\nb\t1.0\n",
    }


@METRICS
def test_without_documents_there_is_no_file_of_them(corpus, tmp_path, command, name):
    run(command, *corpus.arguments(), "--mtme", tmp_path / "scores")
    assert set(written(tmp_path / "scores")) == {
        f"{name}-ref.sys.score",
        f"{name}-ref.seg.score",
        f"{name}-ref.seg.mask",
    }


@METRICS
def test_they_can_be_read_and_what_is_printed_stays_the_same(corpus, tmp_path, command, name):
    arguments = two_systems(corpus)
    assert run(command, *arguments, "--mtme", tmp_path / "scores") == run(command, *arguments)
    files = written(tmp_path / "scores")
    assert read_scores(files[f"{name}-ref.sys.score"]) == {"hyp.fr": [2 / 3], "b": [1]}
    scores = read_scores(files[f"{name}-ref.seg.score"])
    mask = read_scores(files[f"{name}-ref.seg.mask"])
    assert scores == {"hyp.fr": [0, None, 1], "b": [1, None, 1]}
    assert mask == {system: [value is not None for value in values] for system, values in scores.items()}


def test_a_score_that_cannot_be_computed_is_none(corpus, tmp_path):
    """Case 1 is discarded: what is left is It. With all cases discarded nothing is."""
    run(apt_score, *corpus.arguments(), "--discard", "1", "--mtme", tmp_path / "some")
    assert written(tmp_path / "some")["APT-ref.seg.score"] == "hyp.fr\t0.0\nhyp.fr\tNone\nhyp.fr\tNone\n"
    run(apt_score, *corpus.arguments(), "--discard", "1,2,3,4,5,6", "--mtme", tmp_path / "none")
    assert written(tmp_path / "none") == {
        "APT-ref.sys.score": "hyp.fr\tNone\n",
        "APT-ref.seg.score": "hyp.fr\tNone\n" * 3,
        "APT-ref.seg.mask": "hyp.fr\t0\n" * 3,
    }


def test_a_document_is_one_wherever_its_lines_are(corpus, tmp_path):
    """Lines 0 and 2 are one document: 2 of 3. Chunks and processes change nothing."""
    docids = corpus.write("docids", "a\nb\na\n")
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        run(apt_score, *corpus.arguments(), "--docids", docids, "--mtme", folder, "-j", jobs)
        assert written(folder)["APT-ref.doc.score"] == "hyp.fr\t0.6666666666666666\nhyp.fr\tNone\n"


def test_several_references(corpus, tmp_path):
    """The second reference has Elle: case 1."""
    corpus.write("other.fr", "Elle marche .\nBonjour .\nIls le savent .\n")
    more = ["--ref", corpus.path("other.fr"), "--ref-align", corpus.path("ref.align")]
    run(apt_score, *corpus.arguments(), *more, "--mtme", tmp_path / "scores")
    assert written(tmp_path / "scores")["APT-ref.other.sys.score"] == "hyp.fr\t1.0\n"


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["wmt22/references/en-de.refA.txt"], "refA"),  # the layout's own
        (["generaltest2024.en-de.ref.refA.de"], "refA"),  # that of WMT's inputs
        (["reference.fr"], "reference"),
        (["reference"], "reference"),
        ([".reference"], "reference"),
        (["ref.fr.gz"], "ref"),
        (["my-own ref.fr"], "my_own_ref"),
        (["référence.fr"], "référence"),
        (["-"], "ref"),
        (["refA.fr", "refB.fr"], "refA.refB"),
    ],
    ids=str,
)
def test_names_of_references(paths, names):
    assert reference_names(paths) == names


@METRICS
@pytest.mark.parametrize(
    "file", ["my system.fr", "my\u00a0system.fr", "my\tsystem.fr"], ids=["space", "no-break space", "tab"]
)
def test_a_system_with_a_space_is_named(corpus, tmp_path, command, name, file):
    corpus.write(file, (corpus.folder / "hyp.fr").read_bytes())
    with pytest.raises(AptError) as error:
        run(command, *corpus.arguments(hyp=file), "--mtme", tmp_path / "scores")
    assert str(error.value) == (
        f"--mtme: no system's name can have a space in it, found {file!r}: rename the file"
    )
    assert not (tmp_path / "scores").exists()


def test_names_that_would_be_the_same(corpus, tmp_path):
    arguments = two_systems(corpus)
    corpus.write("b", (corpus.folder / "ref.fr").read_bytes())
    arguments.insert(4, corpus.path("b"))
    arguments += ["--hyp-align", corpus.path("ref.align")]
    with pytest.raises(AptError, match="two systems would be called b: give the files different names"):
        run(apt_score, *arguments, "--mtme", tmp_path / "scores")
    with pytest.raises(AptError, match="two references would be called ref: give the files different names"):
        reference_names(["a/ref.fr", "b/ref.fr"])
    with pytest.raises(AptError, match="a reference cannot be called src"):
        reference_names(["src.fr"])


@METRICS
def test_a_run_that_fails_leaves_what_was_there(corpus, tmp_path, command, name):
    """The last line's links are wrong: everything before it was scored."""
    folder = tmp_path / "scores"
    run(command, *corpus.arguments(), "--mtme", folder)
    before = written(folder)
    corpus.write("hyp.align", "0-0\n0-0\n0-9 2-9\n")
    with pytest.raises(AptError, match=r"hyp\.align, line 3"):
        run(command, *corpus.arguments(), "--mtme", folder)
    with pytest.raises(AptError, match=r"hyp\.align, line 3"):
        run(command, *corpus.arguments(), "--mtme", tmp_path / "other" / "new")
    assert written(folder) == before
    assert not (tmp_path / "other").exists()


@METRICS
def test_a_folder_that_cannot_be(corpus, tmp_path, command, name):
    corpus.write("file", "")
    for folder, reason in (
        (tmp_path / "file", "File exists"),
        (tmp_path / "file" / "new", "Not a directory"),
    ):
        with pytest.raises(AptError) as error:
            run(command, *corpus.arguments(), "--mtme", folder)
        assert str(error.value) == f"{folder}: cannot be written: {reason}"


def test_a_folder_without_a_name(corpus):
    with pytest.raises(AptError, match="cannot be written: the name of a folder is needed"):
        run(apt_score, *corpus.arguments(), "--mtme", "")


@METRICS
def test_it_goes_with_resampling(corpus, tmp_path, command, name):
    options = ["--paired-ar", "--paired-ar-n", 10]
    run(command, *two_systems(corpus), *options, "--mtme", tmp_path / "scores")
    assert read_scores(written(tmp_path / "scores")[f"{name}-ref.sys.score"])["b"] == [1]
