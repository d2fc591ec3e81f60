"""Two published systems compared (idiap/HAN_NMT, Spanish to English): intervals and tests on real counts."""

import json

import jsonschema
import pytest

from apt.render.json import json_schema

pytestmark = pytest.mark.shared_data

BASELINE, SYSTEM = "TED_es-en_baseline", "TED_es-en_HA-enc-dec"


@pytest.fixture
def compared(apt_score, shared_data, published_pronouns):
    """The systems of the JSON document, which follows its schema."""
    folder = shared_data / "han_apt" / "TED_es-en"
    stem = "IWSLT14.TED.tst.tc"
    outcome = apt_score(
        *(folder / name for name in (f"{stem}.es", f"{stem}.en", f"{BASELINE}.en", f"{SYSTEM}.en")),
        *("--lang", "en", "--source-lang", "es", "--anchor", "reference", "--tokenize", "none"),
        *("--pronouns", ",".join(published_pronouns), "--ref-align", folder / f"{stem}.align"),
        *(part for name in (BASELINE, SYSTEM) for part in ("--hyp-align", folder / f"{name}.align")),
        *("--confidence", "--paired-bs", "--paired-ar", "--format", "json"),
    )
    assert outcome.status == 0
    document = json.loads(outcome.out, parse_constant=pytest.fail)
    jsonschema.validate(document, json_schema())
    return document["systems"]


def test_two_systems_of_han(compared):
    baseline, system = compared
    # The published scores.
    assert [f"{found['score']:.4f}" for found in compared] == ["0.6800", "0.6960"]
    for found in compared:
        interval = found["resampling"]["intervals"]["score"]
        assert interval["low"] < found["score"] < interval["high"]
        # 8637 pronouns: if they were independent, 1.96 standard errors were about 0.0098 to either side.
        assert 0.015 < interval["high"] - interval["low"] < 0.03
        assert interval["undefined"] == 0
    assert baseline["resampling"]["baseline"] is None
    assert system["resampling"]["baseline"] == f"{BASELINE}.en"
    for kind in ("bootstrap", "randomization"):
        test = system["resampling"][kind]["score"]
        assert test["difference"] == pytest.approx(system["score"] - baseline["score"], abs=1e-12)
        assert 0 < test["p"] <= 1
    between = system["resampling"]["bootstrap"]["score"]["interval"]
    assert between["low"] < system["score"] - baseline["score"] < between["high"]
