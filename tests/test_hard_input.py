"""What an unfriendly machine or an absent-minded user does: nothing is lost, overwritten or left behind."""

import csv
import gzip
import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from apt import APT, InputError, OptionError

PROGRAM = [sys.executable, "-c", "from apt.cli.score import main; main()"]


def shell(command, corpus, **options):
    """Run a shell line in which APT stands for apt-score over the corpus."""
    line = command.replace("APT", shlex.join([*PROGRAM, *corpus.arguments()]))
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, **options)


# ---- systems and inputs ----


def test_the_same_candidate_with_two_sets_of_links_is_two_systems(apt_score, corpus):
    corpus.write("none.align", "\n\n\n")
    arguments = corpus.arguments()
    arguments.insert(3, corpus.path("hyp.fr"))
    outcome = apt_score(*arguments, "--hyp-align", corpus.path("none.align"), "--no-heuristic", "-f", "json")
    systems = json.loads(outcome.out)["systems"]
    assert [system["name"] for system in systems] == [corpus.path("hyp.fr"), corpus.path("hyp.fr") + "#2"]
    assert [system["score"] for system in systems] == [pytest.approx(2 / 3), 0.0]


class Labelled:
    """Like a column of a table: `[n]` looks up a label, going through it gives the order."""

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __getitem__(self, label):
        raise KeyError(label)


@pytest.mark.parametrize("kind", [Labelled, tuple, iter], ids=["column of a table", "tuple", "generator"])
def test_anything_that_can_be_gone_through_is_taken_in_its_order(kind):
    result = APT(lang="fr").corpus_score(
        kind(["il va", "elle va"]),
        kind(["il va", "il va"]),
        kind(["it goes", "it goes"]),
        reference_links=kind(["0-0", "0-0"]),
        hypothesis_links=kind(["0-0", "0-0"]),
        docids=kind(["a", "b"]),
    )
    assert {name: part.score for name, part in result.by_document.items()} == {"a": 1.0, "b": 0.0}
    assert str(result.signature) == str(
        APT(lang="fr")
        .corpus_score(
            ["il va", "elle va"],
            ["il va", "il va"],
            ["it goes", "it goes"],
            reference_links=["0-0", "0-0"],
            hypothesis_links=["0-0", "0-0"],
        )
        .signature
    )


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([["0-0"]], r"expected a Pharaoh line or \(i, j\) pairs"),
        ([None], "expected a Pharaoh line"),
        ([[(0, 0, "S")]], "expected a Pharaoh line"),
        ([[(0.5, 0)]], "expected a Pharaoh line"),
        (5, "expected a list, found int"),
    ],
)
def test_links_of_another_kind(links, message):
    with pytest.raises(InputError, match=message):
        APT(lang="fr").corpus_score(["il"], ["il"], ["it"], reference_links=["0-0"], hypothesis_links=links)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights": None}, "six numbers expected"),
        ({"weights": 5}, "six numbers expected"),
        ({"discard": 5}, "a list of cases expected"),
        ({"discard": [5.5]}, "unknown case '5.5'"),
        ({"pronouns": [1]}, "expected words"),
        ({"lang": "x" * 300}, "unknown language"),
        ({"lang": "../fr"}, "unknown language"),
    ],
)
def test_settings_of_another_kind(settings, message):
    with pytest.raises(OptionError, match=message):
        APT(**({"lang": "fr"} | settings))


def test_positions_may_ask_for_any_word():
    """So the target list is the wider one: *I* becomes *je*."""
    apt = APT(lang="fr", tokenize="none", positions=[(0, 0)])
    result = apt.sentence_score(
        "je dors", "je dors", "I sleep", reference_links="0-0", hypothesis_links="0-0"
    )
    assert result.score == 1.0


def test_an_empty_target_list(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('code = "fr"\n[target]\ndefault = []\nall = []\n')
    with pytest.raises(OptionError, match="nothing counts as a pronoun"):
        APT(lang="fr", lists=path)


def test_the_signature_does_not_depend_on_how_lines_are_read(corpus, apt_score, monkeypatch):
    def signature():
        return json.loads(apt_score(*corpus.arguments(), "-f", "json").out)["systems"][0]["signature"]

    whole = signature()
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", 1)
    assert signature() == whole


@pytest.mark.parametrize("options", [[], ["--lenient-links"]])
def test_a_link_with_thousands_of_digits(apt_score, corpus, options):
    corpus.write("hyp.align", f"0-0 1-1 {'9' * 5000}-0\n0-0 1-1\n0-0 1-2 2-1 3-3\n")
    outcome = apt_score(*corpus.arguments(), "-b", *options)
    if options:
        assert (outcome.status, outcome.out) == (0, "0.6667\n")
        assert "links dropped in" in outcome.err
    else:
        assert outcome.status == 2
        assert "malformed link '9999" in outcome.err
        assert len(outcome.err) < 300


def test_thousands_of_pronouns_in_a_line(apt_score, corpus):
    """The heuristic looks at each once."""
    many = "it x " * 5000
    corpus.write("src.en", f"{many}\nHello .\nThey know it .\n")
    corpus.write("ref.align", " ".join(f"{2 * n + 1}-0" for n in range(5000)) + "\n0-0\n0-0 1-2 2-1 3-3\n")
    corpus.write("hyp.align", (corpus.folder / "ref.align").read_text())
    outcome = apt_score(*corpus.arguments(), "-f", "json", "--tokenize", "none")
    assert json.loads(outcome.out)["systems"][0]["total"] == 5002


# ---- details ----


def test_details_may_be_packed(apt_score, corpus):
    apt_score(*corpus.arguments(), "--details", corpus.path("d.tsv"))
    apt_score(*corpus.arguments(), "--details", corpus.path("d.TSV.gz"))
    plain, packed = corpus.folder / "d.tsv", corpus.folder / "d.TSV.gz"
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


def test_details_follow_a_link_and_keep_it(apt_score, corpus):
    target = corpus.write("target.tsv", "old")
    link = corpus.folder / "link.tsv"
    link.symlink_to(target)
    apt_score(*corpus.arguments(), "--details", link)
    assert link.is_symlink()
    assert target.read_text().startswith("system\t")


def test_details_into_a_pipe(corpus):
    done = shell("APT -b --details >(cat >&2)", corpus)
    assert done.stdout == "0.6667\n"
    assert done.stderr.startswith("system\t")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("src.en", "it is one of the inputs"),
        ("hyp.align", "it is one of the inputs"),
        ("d.json", "unknown ending '.json'. Available: .jsonl, .ndjson, .tsv, .txt, or .gz"),
        ("folder/", "the name of a file is needed"),
    ],
)
def test_details_that_would_do_harm(apt_score, corpus, name, message):
    (corpus.folder / "folder").mkdir()
    before = {path: path.read_bytes() for path in corpus.folder.iterdir() if path.is_file()}
    outcome = apt_score(*corpus.arguments(), "--details", f"{corpus.folder}/{name}")
    assert outcome.status == 2
    assert message in outcome.err
    assert {path: path.read_bytes() for path in corpus.folder.iterdir() if path.is_file()} == before


def test_a_full_disk_leaves_nothing_behind(corpus):
    for name in ("src.en", "ref.fr", "hyp.fr", "ref.align", "hyp.align"):
        corpus.write(name, (corpus.folder / name).read_text() * 1000)
    before = set(corpus.folder.iterdir())
    done = shell(f"ulimit -f 8; APT -b --details '{corpus.folder}/d.tsv'", corpus)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr
    assert set(corpus.folder.iterdir()) == before


def test_a_system_whose_name_is_no_text(corpus):
    name = os.fsdecode(b"sys\xff.fr")
    (corpus.folder / name).write_bytes((corpus.folder / "hyp.fr").read_bytes())
    command = [*PROGRAM, *corpus.arguments(hyp=name), "--details", corpus.path("d.tsv")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with (corpus.folder / "d.tsv").open(encoding="utf-8") as file:
        assert next(csv.DictReader(file, delimiter="\t"))["system"] == r"sys\udcff.fr"


# ---- streams and signals ----


def test_closed_standard_input_does_not_matter(corpus):
    done = shell("APT -b <&-", corpus)
    assert (done.returncode, done.stdout) == (0, "0.6667\n")


@pytest.mark.parametrize(
    ("redirection", "message"),
    [
        (">/dev/full", "cannot write the output: No space left on device"),
        (">&-", "standard output is closed"),
    ],
)
def test_output_that_cannot_be_written(corpus, redirection, message):
    done = shell(f"APT {redirection}", corpus)
    assert done.returncode == 2
    assert done.stderr == f"apt-score: error: {message}" + (
        ": there is nowhere to write the result\n" if "closed" in message else "\n"
    )


def processes_of(group):
    done = subprocess.run(["ps", "-o", "pid=", "-g", str(group)], capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_processes_and_leaves_no_file(corpus, number):
    os.mkfifo(corpus.folder / "never.fr")
    before = set(corpus.folder.iterdir())
    # The candidate never comes, so the run waits with its processes and files open.
    for name in ("src.en", "ref.fr", "ref.align", "hyp.align"):
        corpus.write(name, (corpus.folder / name).read_text() * 3000)
    command = [*PROGRAM, *corpus.arguments(hyp="never.fr"), "-j", "2", "--details", corpus.path("d.tsv")]
    run = subprocess.Popen(
        command,
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )
    with (corpus.folder / "never.fr").open("w") as pipe:
        pipe.write((corpus.folder / "hyp.fr").read_text() * 2800)
        pipe.flush()
        time.sleep(1)
        os.killpg(run.pid, number) if number == signal.SIGINT else run.send_signal(number)
        _, errors = run.communicate(timeout=30)
    assert run.returncode == 128 + number
    assert errors == ""
    assert processes_of(run.pid) == []
    assert set(corpus.folder.iterdir()) == before
