"""apt-align and apt-align-train."""

import re
import subprocess
import sys

import pytest

from apt.align.lexicon import read_lexicon


def run(command, *arguments):
    program = f"from apt.cli.{command} import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True
    )


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "a.en").write_text("It works .\nHello .\n\nThey know it .\n")
    (tmp_path / "a.fr").write_text("Il marche .\nBonjour .\nRien .\nIls le savent .\n")
    return tmp_path / "a.en", tmp_path / "a.fr"


def test_links_come_out_as_pharaoh_lines(texts):
    done = run("align", *texts, "--lang", "fr")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0-0 1-1 2-2\n0-0 1-1\n\n0-0 1-2 2-1 3-3\n"


def test_probabilities(texts):
    first = run("align", *texts, "--lang", "fr", "--probs").stdout.split("\n")[0]
    assert re.fullmatch(r"0-0:(0|1)\.\d{6} 1-1:(0|1)\.\d{6} 2-2:(0|1)\.\d{6}", first)


def test_pairs_for_people(texts):
    shown = run("align", *texts, "--lang", "fr", "--show").stdout
    assert shown.startswith("It works .\nIl marche .\n  It     Il\n  works  marche\n")


@pytest.mark.parametrize("options", [["--no-heuristic"], ["--pronoun-step", "paper"], ["--tokenize", "none"]])
def test_other_ways_to_amend_and_split(texts, options):
    done = run("align", *texts, "--lang", "fr", *options)
    assert done.returncode == 0
    assert done.stdout.split("\n")[3].split()[0] == "0-0"


def test_the_other_direction(texts):
    done = run("align", *reversed(texts), "--lang", "en", "--source-lang", "fr")
    assert done.stdout.split("\n")[0] == "0-0 1-1 2-2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lang", "ru"], "no shipped lexicon for en-ru"),
        (["--lang", "fr", "--lexicon", "nowhere.lex"], "nowhere.lex"),
        (["--lang", "fr", "--aligner", "giza"], "Available: lexical, simalign"),
        ([], "Missing option '--lang'"),
    ],
)
def test_mistakes_are_one_line(texts, arguments, message):
    done = run("align", *texts, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_texts_of_different_length(texts):
    texts[1].write_text("Il marche .\n")
    done = run("align", *texts, "--lang", "fr")
    assert (done.returncode, done.stdout) == (2, "")
    assert "4 lines expected to match" in done.stderr


def test_a_broken_lexicon(texts, tmp_path):
    (tmp_path / "my.lex").write_bytes(b"no lexicon")
    done = run("align", *texts, "--lang", "fr", "--lexicon", tmp_path / "my.lex")
    assert done.returncode == 2
    assert "my.lex" in done.stderr
    assert done.stderr.count("\n") == 1


# ---- training ----

WORDS = {
    "it": "hij",
    "works": "werkt",
    "they": "zij",
    "know": "weten",
    "the": "de",
    "cat": "kat",
    "sees": "ziet",
}


@pytest.fixture
def parallel(tmp_path):
    """A made-up language pair, word by word."""
    sentences = [
        "it works",
        "they know it",
        "the cat sees it",
        "they sees the cat",
        "the cat works",
        "they know the cat",
    ]
    (tmp_path / "t.en").write_text("".join(f"{s}\n" for s in sentences * 20))
    (tmp_path / "t.xx").write_text(
        "".join(" ".join(WORDS[w] for w in s.split()) + "\n" for s in sentences * 20)
    )
    return tmp_path / "t.en", tmp_path / "t.xx"


def test_a_trained_lexicon_aligns(parallel, tmp_path):
    path = tmp_path / "en-xx.lex"
    done = run("train", *parallel, "--lang", "xx", "-o", path)
    assert done.returncode == 0, done.stderr
    assert "word pairs of en-xx" in done.stderr
    assert (read_lexicon(path).source_lang, read_lexicon(path).target_lang) == ("en", "xx")
    lists = tmp_path / "xx.toml"
    lists.write_text(
        'code = "xx"\n[target]\ndefault = ["hij", "zij"]\n[likely.en]\nit = ["hij"]\nthey = ["zij"]\n'
    )
    options = ["--lang", "xx", "--lists", lists, "--lexicon", path, "--pronouns", "it,they"]
    links = run("align", *parallel, *options)
    assert links.stdout.split("\n")[:3] == ["0-0 1-1", "0-0 1-1 2-2", "0-0 1-1 2-2 3-3"], links.stderr


def test_training_twice_gives_the_same_file(parallel, tmp_path):
    for name in ("one.lex", "two.lex"):
        assert run("train", *parallel, "--lang", "xx", "-q", "-o", tmp_path / name).stderr == ""
    assert (tmp_path / "one.lex").read_bytes() == (tmp_path / "two.lex").read_bytes()


@pytest.mark.parametrize(
    ("output", "content", "message"),
    [
        ("no/folder/x.lex", None, "cannot be written"),
        (".", None, "cannot be written"),
        ("x.lex", "", "the file is empty"),
        ("x.lex", "one line\n", "nothing to estimate from"),
    ],
)
def test_training_mistakes_are_one_line(parallel, tmp_path, output, content, message):
    if content is not None:
        for path in parallel:
            path.write_text(content)
    done = run("train", *parallel, "--lang", "xx", "-o", tmp_path / output)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
