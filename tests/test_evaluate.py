"""The modules for HuggingFace evaluate: loaded from their folders by the real library, without a network."""

import socket
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from apt import AptError

absent = find_spec("evaluate") is None
pytestmark = [
    pytest.mark.evaluate,
    pytest.mark.skipif(absent, reason="evaluate is missing: pip install 'apt-score[evaluate]'"),
]

ROOT = Path(__file__).parent.parent
SOURCES = ["It works .", "Hello .", "They know it ."]
REFERENCES = ["Il marche .", "Bonjour .", "Ils le savent ."]
PREDICTIONS = ["Elle marche .", "Bonjour .", "Ils le savent ."]
LINKS = ["0-0 1-1 2-2", "0-0 1-1", "0-0 1-2 2-1 3-3"]
GIVEN = {"lang": "fr", "reference_links": LINKS, "hypothesis_links": LINKS}
BOTH = pytest.mark.parametrize("name", ["apt_score", "autoprf_score"])


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    """Loads a module by its folder, from the root of the repository, as the documentation says.

    The library reads its settings when it is imported first, and copies modules into its cache.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("huggingface")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_EVALUATE_OFFLINE", "1")
        patch.setattr(
            socket, "getaddrinfo", lambda *arguments, **_: pytest.fail(f"network used: {arguments}")
        )
        patch.chdir(ROOT)
        # The cache's package is called evaluate_modules as well; the current directory comes first in a shell.
        patch.syspath_prepend("")
        import evaluate

        assert str(tmp_path_factory.getbasetemp()) in str(evaluate.config.HF_MODULES_CACHE)
        yield lambda name: evaluate.load(f"evaluate_modules/{name}")


def compute(module, predictions=PREDICTIONS, references=REFERENCES, sources=SOURCES, **options):
    return module.compute(predictions=predictions, references=references, sources=sources, **options)


def test_apt(load):
    """It: Il, Elle. They, it: Ils, le on both sides."""
    result = compute(load("apt_score"), **GIVEN)
    assert result["score"] == 2 / 3
    assert result["cases"] == {
        "identical": 2,
        "equivalent": 0,
        "different": 1,
        "candidate_missing": 0,
        "reference_missing": 0,
        "both_missing": 0,
    }
    assert (result["total"], result["segments"], result["undefined"]) == (3, 3, None)
    assert result["signature"].startswith("APT|nrefs:1|lang:en-fr|")
    assert not {"pronouns", "documents", "confusion", "resampling"} & set(result)


def test_autoprf(load):
    """Two of three words match on either side."""
    result = compute(load("autoprf_score"), **GIVEN)
    assert [result[key] for key in ("score", "f1", "precision", "recall")] == [2 / 3] * 4
    assert (result["matches"], result["candidate_words"], result["reference_words"]) == (2, 3, 3)
    assert result["signature"].startswith("AutoPRF|nrefs:1|lang:en-fr|")
    assert not {"pronouns", "documents", "resampling"} & set(result)


@BOTH
def test_the_aligner_makes_links_that_are_not_given(load, name):
    result = compute(load(name), predictions=REFERENCES, lang="fr")
    assert result["score"] == 1
    assert "align:lexical" in result["signature"]


@BOTH
def test_one_reference_in_a_list_is_one_reference(load, name):
    module = load(name)
    nested = compute(
        module,
        references=[[reference] for reference in REFERENCES],
        **GIVEN | {"reference_links": [[line] for line in LINKS]},
    )
    assert nested == compute(module, **GIVEN)


def test_several_references_are_a_list_per_prediction(load):
    """Elle is in the second reference of the first segment; the others have one reference each."""
    references = [["Il marche .", "Elle marche ."], ["Bonjour ."], ["Ils le savent ."]]
    links = [[LINKS[0], LINKS[0]], [LINKS[1]], [LINKS[2]]]
    result = compute(load("apt_score"), references=references, **GIVEN | {"reference_links": links})
    assert result["score"] == 1
    assert "|nrefs:2|" in result["signature"]
    as_many = [[reference] * 2 for reference in REFERENCES[:2]]
    two_segments = {"predictions": PREDICTIONS[:2], "sources": SOURCES[:2]}
    assert compute(load("apt_score"), references=as_many, lang="fr", **two_segments)["score"] == 0


def test_autoprf_has_one_reference(load):
    references = [[reference] * 2 for reference in REFERENCES]
    with pytest.raises(AptError, match="AutoPRF compares with one reference"):
        compute(load("autoprf_score"), references=references, lang="fr")


def test_options_are_passed_on(load):
    """They is right, It is wrong; a quarter of case 3 is (2 + 0.25) / 3."""
    assert compute(load("apt_score"), pronouns="they", **GIVEN)["score"] == 1
    assert compute(load("apt_score"), weights="1,0.5,0.25,0,0,0", **GIVEN)["score"] == 0.75
    assert compute(load("autoprf_score"), pronouns=["It"], **GIVEN)["score"] == 0
    with pytest.raises(AptError, match="unknown language 'xx'"):
        compute(load("apt_score"), lang="xx")


def test_nothing_to_count_is_none(load):
    result = compute(load("apt_score"), pronouns="he", **GIVEN)
    assert (result["score"], result["undefined"]) == (None, "no evaluated pronoun in the source")


@BOTH
def test_batches_are_collected(load, name):
    module = load(name)
    for n in range(3):
        module.add(prediction=PREDICTIONS[n], reference=REFERENCES[n], sources=SOURCES[n])
    assert module.compute(**GIVEN)["score"] == 2 / 3


@BOTH
def test_missing_inputs_are_named(load, name):
    with pytest.raises(ValueError, match="sources"):
        load(name).compute(predictions=PREDICTIONS, references=REFERENCES, lang="fr")
    with pytest.raises(TypeError, match="lang"):
        compute(load(name))


def test_the_packages_are_not_hidden(load):
    """The library imports a module under a name in its own package: apt stays the installed one."""
    load("apt_score")
    assert Path(sys.modules["apt"].__file__) == ROOT / "apt/__init__.py"
