"""Published correlations: WMT 2024's chat task, English to German, seven systems (findings paper, table of metrics).

Scores of systems against people's scores of whole documents: Pearson, Spearman, Kendall.
"""

import json

import pytest

pytestmark = pytest.mark.shared_data

PUBLISHED = {
    "comet": (0.9011, 0.9190, 0.7807),
    "chrf": (0.7912, 0.8214, 0.6190),
    "bleu": (0.7594, 0.8108, 0.5855),
    "muda_pron_f1": (-0.1157, -0.1071, 0.0476),
}


@pytest.fixture
def chat(apt_meta, shared_data):
    """The view of all systems, as JSON has it."""
    outcome = apt_meta(
        *("correlate", shared_data / "published_tables" / "wmt24_chat_system_level.csv"),
        *("--human", "Document", "--systems", "submission", "--metrics", ",".join(PUBLISHED)),
        *("--no-outliers", "-f", "json"),
    )
    assert (outcome.status, outcome.err) == (0, "")
    (view,) = json.loads(outcome.out, parse_constant=pytest.fail)["views"]
    return view


def test_correlations_of_systems(chat):
    statistics = ("pearson", "spearman", "kendall")
    found = {
        metric["metric"]: tuple(round(metric[name]["value"], 4) for name in statistics)
        for metric in chat["metrics"]
    }
    assert found == PUBLISHED
    assert {(metric["n"], metric["of"]) for metric in chat["metrics"]} == {(7, 7)}


def test_seven_systems_are_few(chat):
    """Even of COMET r may be below 0.6; and a metric is compared with each other one."""
    best = next(metric for metric in chat["metrics"] if metric["metric"] == "comet")
    assert (
        best["pearson"]["interval"]["low"]
        < 0.6
        < best["pearson"]["value"]
        < best["pearson"]["interval"]["high"]
    )
    assert len(chat["tests"]) == 4 * 3 // 2
    assert all(
        test["permutation"]["exact"] and test["permutation"]["swaps"] == 2**7 for test in chat["tests"]
    )
