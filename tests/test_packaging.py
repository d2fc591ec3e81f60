"""The package as others get it: from an sdist, then a wheel, installed elsewhere, with its data."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The sdist, and the wheel built from that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


def test_sdist_holds_what_is_needed_to_build_and_test(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "setup.py",
        "LICENSE",
        "README.md",
        "lists/fr.toml",
        "apt/metric.py",
        "examples/source.en",
    } <= names


def test_wheel_holds_the_lists_as_apt_lists(built):
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    shipped = {f"apt/lists/{path.name}" for path in (ROOT / "lists").glob("*.toml")}
    assert shipped <= set(names)
    assert "apt/render/apt-score.schema.json" in names
    assert "apt/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"apt", "autoprf", "apt_score"}


def test_installed_elsewhere_it_finds_its_lists(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    place = tmp_path / "a place with spaces"
    run(sys.executable, "-m", "pip", "install", "--no-deps", "--target", place, wheel, cwd=tmp_path)
    program = (
        f"import sys; sys.path.insert(0, {str(place)!r})\n"
        "import apt, apt.pronouns; from apt.render.json import json_schema\n"
        "print(apt.__file__); print(*apt.pronouns.available_languages()); print(json_schema()['title'])"
    )
    origin, languages, title = run(sys.executable, "-c", program, cwd=tmp_path).splitlines()
    assert Path(origin).is_relative_to(place)
    assert languages == "de en es fr it pt ru zh"
    assert title == "apt-score -f json"


def test_importing_apt_imports_nothing_heavy():
    program = "import sys, apt, apt.cli.score; print(*sys.modules)"
    loaded = set(run(sys.executable, "-c", program, cwd=ROOT).split())
    assert not loaded & {"numpy", "scipy", "torch", "matplotlib", "jinja2", "transformers", "simalign"}
