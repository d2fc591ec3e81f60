"""Where the data is: the shipped example, and the public data sets that some oracles need."""

import io
import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

import autoprf.cli
from apt.cli import contrast, meta, score

# A busy machine is no fault of the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

ROOT = Path(__file__).parent.parent
SHARED_DATA = Path(os.environ.get("APT_SHARED_DATA", ROOT / "../shared/data"))


@pytest.fixture(scope="session")
def published_pronouns() -> list[str]:
    """The 19 English pronouns that published runs anchored on the reference walked."""
    return [
        "i",
        "that",
        "we",
        "you",
        "it",
        "they",
        "me",
        "he",
        "who",
        "us",
        "them",
        "their",
        "his",
        "she",
        "her",
        "its",
        "him",
        "whose",
        "whom",
    ]


@pytest.fixture(scope="session")
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not SHARED_DATA.is_dir():
        pytest.skip(f"the public data sets are not at {SHARED_DATA} (set APT_SHARED_DATA)")
    return SHARED_DATA


@dataclass(frozen=True)
class Outcome:
    """What a command left: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


def check(outcome: Outcome, *expected: str) -> None:
    """A user's mistake: status 2, nothing on standard output, one line that says these things."""
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    for words in expected:
        assert words in outcome.err


@pytest.fixture
def run_command(capfd, monkeypatch):
    """Runs a command as the console does, in this process: errors become a line and a status."""

    def run(name, main, *arguments, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as exit_info:
            main()
        captured = capfd.readouterr()
        return Outcome(exit_info.value.code, captured.out, captured.err)

    return run


@pytest.fixture
def apt_score(run_command):
    return partial(run_command, "apt-score", score.main)


@pytest.fixture
def apt_meta(run_command):
    return partial(run_command, "apt-meta", meta.main)


@pytest.fixture
def apt_contrast(run_command):
    return partial(run_command, "apt-contrast", contrast.main)


@pytest.fixture
def autoprf_score(run_command):
    return partial(run_command, "autoprf-score", autoprf.cli.main)


class Corpus:
    """Five small files in a folder, each of which a test can spoil."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("src.en", "It works .\nHello .\nThey know it .\n")
        self.write("ref.fr", "Il marche .\nBonjour .\nIls le savent .\n")
        self.write("hyp.fr", "Elle marche .\nBonjour .\nIls le savent .\n")
        self.write("ref.align", "0-0 1-1 2-2\n0-0 1-1\n0-0 1-2 2-1 3-3\n")
        self.write("hyp.align", "0-0 1-1 2-2\n0-0 1-1\n0-0 1-2 2-1 3-3\n")

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def arguments(self, **replaced: str) -> list[str]:
        """The arguments of a run over the files; keywords `src`, `ref`, … name another file for one."""
        names = {
            "src": "src.en",
            "ref": "ref.fr",
            "hyp": "hyp.fr",
            "ref_align": "ref.align",
            "hyp_align": "hyp.align",
        }
        src, ref, hyp, ref_align, hyp_align = (
            name if name == "-" else self.path(name) for name in (names | replaced).values()
        )
        return [src, ref, hyp, "--lang", "fr", "--ref-align", ref_align, "--hyp-align", hyp_align]


@pytest.fixture
def corpus(tmp_path) -> Corpus:
    return Corpus(tmp_path)


@pytest.fixture
def own(tmp_path):
    """Writes a list file and gives its path."""

    def write(content, name="own.toml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write
