"""The neighbourhood heuristic through the public face: which word is found for a pronoun the links miss."""

from dataclasses import dataclass

import pytest

from apt import APT, Found


@dataclass(frozen=True)
class Example:
    """A pronoun that the links miss: `it` unless said otherwise, and what must be found for it."""

    name: str
    source: str
    target: str
    links: str
    form: str | None
    position: int | None = None
    found: Found = Found.RESCUED
    pronoun: int = 0  # which evaluated occurrence


NOTHING = Found.NONE
EXAMPLES = [
    # Table 1 of the paper: markers qu' and purifie, range sain … l', listed {il, l'}, centre il.
    Example(
        "paper's Table 1",
        "The system is so healthy that it purifies the water .",
        "Le système est si sain qu' il purifie l' eau .",
        "0-0 1-1 2-2 3-3 4-4 5-5 7-7 8-8 9-9 10-10",
        "il",
        6,
    ),
    Example("no markers", "and it works .", "et il marche .", "3-3", None, found=NOTHING),
    # Range of marker 0 alone: words -1 to 1, so il (1) is in it.
    Example("only the left neighbour is linked", "and it works .", "et il marche .", "0-0", "il", 1),
    # Range of marker 2 alone: words 1 to 3.
    Example("only the right neighbour is linked", "and it works .", "et il marche .", "2-2", "il", 1),
    Example("only one marker, the pronoun too far", "and it works .", "et il y marche bien .", "2-4", None, found=NOTHING),
    # Left neighbour links to 4, right one to 1: the range is 0 to 5 all the same.
    Example("markers crossing", "when it rains", "il pleut fort ce jour quand", "0-4 2-1", "ce", 3),
    # No source word before the pronoun; range of marker 1: words 0 to 2.
    Example("sentence start", "it works", "il marche", "1-1", "il", 0),
    # The unclipped range of marker 0 is -1 to 1, centre 0: elle (0) is nearer than il (1).
    Example("range reaches before the start: centre of the unclipped range", "it works", "elle il", "1-0", "elle", 0),
    # No source word after it; range of marker 1: words 0 to 2.
    Example("sentence end", "take it", "prends le", "0-0", "le", 1),
    # Range of marker 2 is 1 to 3, the segment ends at 2; centre 2 (marker itself), le (1) is left.
    Example("range reaches past the end", "I want it", "je le veux", "0-0 1-2", "le", 1),
    # Markers 1 and 3: range 0 to 4, centre 2: y (2) is closer than il (1) and elle (3).
    Example("closest to the centre", "and it works", "x il y elle z", "0-1 2-3", "y", 2),
    # Without it il (1) and elle (3) are equally far.
    Example("tie: the left one", "and it works", "x il - elle z", "0-1 2-3", "il", 1),
    # il is linked to he, so elle, although farther from the centre, is taken.
    Example("word taken by a link of another pronoun", "he says it works", "il dit elle marche", "0-0 1-1 3-3", "elle", 2),
    Example("only word taken by another pronoun", "he sees it", "il voit", "0-0 1-1", None, found=NOTHING),
    # Both occurrences unlinked: the first takes the first il, the second must take the next.
    Example("rescued for an earlier occurrence", "if it is , it is", "si il est , il est", "0-0 2-2 3-3 5-5", "il", 4, pronoun=1),
    # he is neither evaluated nor linked, but il is its translation: left to right it claims il first.
    Example("rescued for a pronoun that is not evaluated", "he thinks it works", "il pense marche", "1-1 3-2", None, found=NOTHING),
    Example("capitalised pronoun at sentence start", "It works", "Il marche", "1-1", "il", 0),
    Example("pronoun in capitals on the target side", "and it works", "ET IL MARCHE", "0-0 2-2", "il", 1),
    Example("typographic apostrophe", "and it is", "et c’ est", "0-0 2-2", "c'", 1),
    # Linked to a non-pronoun only, and nothing likely around: something else.
    Example("linked to another word, nothing near", "and it works", "et cette machine marche", "0-0 1-2 2-3", None, found=Found.OTHER),
    Example("linked to another word, a pronoun near", "and it works", "et il marche", "0-0 1-2 2-2", "il", 1),
    # je is a pronoun, but no likely translation of it.
    Example("a pronoun that is no likely translation", "and it works", "et je marche", "0-0 2-2", None, found=NOTHING),
    Example("they: its own likely translations", "and they work", "et ils marchent", "0-0 2-2", "ils", 1),
    Example("inversion: the hyphen is ignored", "does it work", "marche -t-il", "0-0 2-0", "il", 1),
]  # fmt: skip


def triples(example, **settings):
    apt = APT(lang="fr", tokenize="none", **settings)
    links = {"reference_links": example.links, "hypothesis_links": example.links}
    return apt.sentence_score(example.target, example.target, example.source, **links).triples


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_what_is_found(example):
    side = triples(example)[example.pronoun].candidate
    assert side.found is example.found
    assert side.forms == (() if example.form is None else (example.form,))
    assert side.positions == (() if example.position is None else (example.position,))


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.found is Found.RESCUED], ids=lambda e: e.name)
def test_nothing_is_rescued_without_the_heuristic(example):
    found = {triple.candidate.found for triple in triples(example, heuristic=False)}
    assert found <= {Found.NONE, Found.OTHER}


def test_rescue_needs_a_listed_form():
    """l' is a likely translation of it, but does not count here."""
    source, target, links = "she sees it", "elle l' voit", "0-0 1-2"
    for listed, found in (("il,elle", Found.NONE), (None, Found.RESCUED)):
        apt = APT(lang="fr", tokenize="none", target_pronouns=listed)
        (triple,) = apt.sentence_score(
            target, target, source, reference_links=links, hypothesis_links=links
        ).triples
        assert triple.candidate.found is found, listed


def test_what_is_found_does_not_depend_on_what_else_is_evaluated():
    """he claims il with or without being evaluated itself."""
    source, target, links = "he thinks it works", "il pense marche", "1-1 3-2"
    found = []
    for pronouns in (["it"], ["it", "he"]):
        apt = APT(lang="fr", tokenize="none", pronouns=pronouns)
        result = apt.sentence_score(target, target, source, reference_links=links, hypothesis_links=links)
        found += [triple.candidate for triple in result.triples if triple.pronoun == "it"]
    assert found[0] == found[1]
    assert found[0].found is Found.NONE
