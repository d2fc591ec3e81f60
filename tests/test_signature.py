"""The signature: sacrebleu's grammar, every setting in it, the same for the same settings."""

import re

import pytest

from apt import APT, __version__

BASE = {"lang": "fr"}

# Every option of APT with another value. check_links is absent: it changes what is checked, not a number.
FLIPS = [
    {"lang": "de"},
    {"source_lang": "fr", "lang": "en"},
    {"pronouns": "it"},
    {"pronouns": "all"},
    {"target_pronouns": "any"},
    {"target_pronouns": "il,elle"},
    {"positions": [(0, 0)]},
    {"positions": [(0, 1)]},
    {"lists": "paper-fr"},
    {"weights": "1,0,0,0,0,0"},
    {"weights": "1,p,0,0,0,0"},
    {"discard": "5,6"},
    {"other": "equal"},
    {"other": "missing"},
    {"anchor": "reference"},
    {"heuristic": False},
    {"tokenize": "none"},
    {"lenient_links": True},
    {"possible_links": True},
    {"count_abbreviations": True},
    {"pronoun_step": "paper"},
]
# These need a file or a model: what stands in the signature for them is tested with them.
ELSEWHERE = {"aligner", "lexicon", "align_method", "notify"}


def test_default_signature():
    """As docs/metrics.md has it; only the digest of the lists is not written out here."""
    signature = str(APT(**BASE).get_signature())
    assert re.sub(r"@[0-9a-f-]{8,}", "@…", signature) == (
        "APT|nrefs:1|lang:en-fr|anchor:source|pronouns:it,they|lists:fr@…|weights:1,0.5,0,0,0,0|discard:none"
        f"|other:different|heuristic:yes|align:lexical@…|step:posterior|tok:words|case:fold|version:{__version__}"
    )


@pytest.mark.parametrize("flip", FLIPS, ids=str)
def test_every_option_changes_it(flip):
    assert str(APT(**(BASE | flip)).get_signature()) != str(APT(**BASE).get_signature())


def test_all_flips_differ_from_each_other():
    signatures = [str(APT(**(BASE | flip)).get_signature()) for flip in FLIPS]
    assert len(set(signatures)) == len(FLIPS)


def test_every_option_is_flipped_above():
    import inspect

    options = set(inspect.signature(APT.__init__).parameters) - {"self", "check_links"} - ELSEWHERE
    assert options == {option for flip in FLIPS for option in flip}


def test_own_lists_change_it(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('code = "fr"\nidentical = [["ce", "c\'"]]\n')
    assert str(APT(**BASE, lists=str(path)).get_signature()) != str(APT(**BASE).get_signature())


def test_given_links_change_it():
    def signature(links):
        return str(
            APT(**BASE)
            .sentence_score("il va", "il va", "it goes", reference_links="0-0", hypothesis_links=links)
            .signature
        )

    assert re.search(r"\|align:given@[0-9a-f]{8}\|", signature("0-0"))
    assert signature("0-0") == signature([(0, 0)])
    assert signature("0-0") != signature("0-0 1-1")


def test_short_form():
    short = APT(**BASE).get_signature().format(short=True)
    assert short.startswith("APT|#:1|l:en-fr|")
    assert short.endswith(f"|v:{__version__}")
