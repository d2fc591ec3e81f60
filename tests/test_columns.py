"""Columns as `evaluate` hands them in: how references may be nested."""

import pytest

from apt import APT, InputError
from apt.columns import score_columns

PREDICTIONS = ["Il marche .", "Elles marchent ."]
SOURCES = ["It works .", "They work ."]
LINKS = ["0-0 1-1", "0-0 1-1"]


def score(references, reference_links=LINKS):
    apt = APT(lang="fr", tokenize="none")
    return score_columns(apt, PREDICTIONS, references, SOURCES, reference_links, LINKS)["score"]


def test_strings_lists_of_one_and_lists_of_several():
    assert score(["Il marche .", "Ils marchent ."]) == 0.5
    assert score([["Il marche ."], ["Ils marchent ."]]) == 0.5  # links need not be nested for one reference
    assert score([["Il marche ."], ["Ils marchent ."]], [["0-0 1-1"], ["0-0 1-1"]]) == 0.5
    both = [["Il marche ."], ["Ils marchent .", "Elles marchent ."]]
    assert score(both, [["0-0 1-1"], ["0-0 1-1", "0-0 1-1"]]) == 1.0


def test_strings_and_lists_together_are_an_error():
    with pytest.raises(InputError, match="references mixes strings and lists"):
        score(["Il marche .", ["Ils marchent ."]])
