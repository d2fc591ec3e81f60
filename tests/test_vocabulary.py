"""What the lists of two languages mean together, and the digest that stands in the signature."""

import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from apt.errors import OptionError
from apt.normalize import word_key
from apt.pronouns import (
    load_language,
)
from apt.tokenize import SpaceTokenizer
from apt.translations import Matcher
from apt.vocabulary import pair_lists

# ---- what follows for a pair of languages ----


@pytest.fixture(scope="module")
def french():
    return load_language("fr")


@pytest.fixture(scope="module")
def english():
    return load_language("en")


def test_the_usual_pronouns_and_the_usual_target_list(french, english):
    lists = pair_lists(french, english)
    assert lists.evaluated == {"it", "they"}
    assert lists.full == set(english.source.all)
    assert lists.listed == set(french.target.default)
    assert lists.target_full == set(french.target.all)
    assert lists.likely["it"] == set(french.likely["en"]["it"])
    assert lists.abbreviations == {"it", "us"}


def test_a_part_of_the_usual_pronouns_keeps_the_usual_target_list(french, english):
    lists = pair_lists(french, english, pronouns=["it"])
    assert lists.evaluated == {"it"}
    assert lists.listed == set(french.target.default)


@pytest.mark.parametrize("pronouns", [["I"], ["it", "they", "i"], "it,I", "it, they , I"])
def test_a_pronoun_outside_the_usual_ones_takes_the_wider_target_list(pronouns, french, english):
    lists = pair_lists(french, english, pronouns=pronouns)
    assert "i" in lists.evaluated
    assert lists.listed == set(french.target.all)
    assert "je" in lists.listed


def test_all_pronouns(french, english):
    lists = pair_lists(french, english, pronouns="all")
    assert lists.evaluated == set(english.source.all) > {"it", "they", "whose"}
    assert lists.listed == set(french.target.all)


def test_pronouns_are_the_same_as_a_string_and_as_a_list(french, english):
    assert pair_lists(french, english, pronouns="It,THEY") == pair_lists(
        french, english, pronouns=["it", "they"]
    )


def test_any_target_word_counts(french, english):
    assert pair_lists(french, english, target_pronouns="any").listed is None


def test_target_pronouns_named(french, english):
    lists = pair_lists(french, english, target_pronouns="Il,c’")
    assert lists.listed == {"il", "c'"}
    assert lists.target_full == set(french.target.all)


@pytest.mark.parametrize("option", ["pronouns", "target_pronouns"])
@pytest.mark.parametrize("value", ["", "it,,they", "it they", [], ["it", ""]])
def test_words_that_are_none(option, value, french, english):
    with pytest.raises(OptionError, match=r"words separated by commas"):
        pair_lists(french, english, **{option: value})


def test_abbreviations_can_be_counted(french, english):
    assert pair_lists(french, english, count_abbreviations=True).abbreviations == frozenset()


def test_equivalents_of_any_member_hold_for_its_group(own, english):
    content = """
    code = "fr"
    identical = [["ce", "c'"]]
    [[equivalent]]
    reference = "c'"
    candidate = "il"
    p = 0.7
    """
    lists = pair_lists(load_language("fr", [own(content)]), english)
    assert lists.equivalent == {(lists.group_of["ce"], "il"): 0.7}


def test_likely_translations_missing_for_a_pair_of_languages(french):
    german = load_language("de")
    with pytest.raises(OptionError) as error:
        pair_lists(french, german)
    message = str(error.value)
    for words in ("'fr'", "'de'", "'s, er, es, sie", "[likely.de]", "--no-heuristic"):
        assert words in message
    assert pair_lists(french, german, heuristic=False).evaluated == {"er", "sie", "es", "'s"}


def test_likely_translations_missing_for_one_pronoun(french, english):
    with pytest.raises(OptionError) as error:
        pair_lists(french, english, pronouns=["it", "thou"])
    assert "'en' thou (thou: not a pronoun of the 'en' list)," in str(error.value)
    assert "--no-heuristic" in str(error.value)
    lists = pair_lists(french, english, pronouns=["it", "thou"], heuristic=False)
    assert lists.evaluated == {"it", "thou"}
    assert "thou" in lists.full


def test_likely_translations_from_a_users_file(own):
    content = """
    code = "fr"
    [likely.de]
    er = ["il"]
    sie = ["elle", "ils", "elles"]
    es = ["il"]
    "'s" = ["ça"]
    """
    lists = pair_lists(load_language("fr", [own(content)]), load_language("de"))
    assert lists.likely["sie"] == {"elle", "ils", "elles"}
    assert "it" not in lists.likely


def test_anchored_on_the_reference_the_pronouns_are_those_of_the_target(english, published_pronouns):
    lists = pair_lists(english, load_language("zh"), anchor="reference", pronouns=published_pronouns)
    assert lists.evaluated == set(published_pronouns)
    assert lists.listed == {*published_pronouns, "'em"}  # identical with them
    assert lists.target_full == set(english.target.all)


def test_anchored_on_the_reference_no_source_list_is_needed(english):
    lists = pair_lists(english, None, anchor="reference")
    assert lists.evaluated == set(english.target.default)
    assert lists.full == lists.evaluated
    assert lists.likely == {}


def test_a_language_without_source_pronouns_asks_for_some(own, french):
    silent = load_language("xx", [own('code = "xx"')])
    with pytest.raises(OptionError, match=r"'xx' names none; use --pronouns"):
        pair_lists(french, silent)


# ---- the digest that stands in the signature ----

CHANGED = {
    "full": frozenset({"it"}),
    "abbreviations": frozenset({"it"}),
    "listed": frozenset({"il"}),
    "target_full": frozenset({"il"}),
    "group_of": {"ce": "ce", "c'": "ce"},
    "equivalent": {("ce", "il"): 0.6, ("il", "ce"): 0.6},
    "likely": {"it": frozenset({"il"})},
}


@pytest.mark.parametrize("part", CHANGED)
def test_the_digest_changes_with_every_part(part, french, english):
    lists = pair_lists(french, english)
    assert replace(lists, **{part: CHANGED[part]}).digest() != lists.digest()


SMALL_CHANGES = {
    "a target form": '[target]\ndefault = ["il", "elle"]',
    "a wider target form": '[target]\nall = ["je"]',
    "a likely translation": '[likely.en]\nthey = ["ils"]',
    "likely translations of another pronoun": '[likely.en]\nhe = ["il"]',
    "a group": 'identical = [["ce", "c\'"], ["ça", "ç\'"]]',
    "p": '[[equivalent]]\npair = ["ce", "il"]\np = 0.6\n[[equivalent]]\npair = ["ce", "ça"]\np = 0.61',
    "a direction": '[[equivalent]]\npair = ["ce", "il"]\np = 0.6\n'
    '[[equivalent]]\nreference = "ce"\ncandidate = "ça"\np = 0.6',
    "elisions": '[tokenizer]\nelisions = ["l\'"]',
    "enclitics": '[tokenizer]\nenclitics = ["il"]',
    "linkers": '[tokenizer]\nlinkers = ["-z-"]',
    "suffixes": '[tokenizer]\nsuffixes = ["\'s"]',
    "leading": '[tokenizer]\nleading = ["\'s"]',
    "kept words": '[tokenizer]\nkeep = ["rendez-vous"]',
}


@pytest.mark.parametrize("content", SMALL_CHANGES.values(), ids=SMALL_CHANGES)
def test_the_digest_changes_with_a_users_file(content, own, french, english):
    changed = load_language("fr", [own(f'code = "fr"\n{content}')])
    before = pair_lists(french, english).digest(french.tokenizer)
    assert pair_lists(changed, english).digest(changed.tokenizer) != before


@pytest.mark.parametrize(
    "options",
    [
        {"target_pronouns": "any"},
        {"target_pronouns": "il"},
        {"count_abbreviations": True},
        {"pronouns": "all"},
    ],
    ids=str,
)
def test_the_digest_changes_with_the_options_that_choose(options, french, english):
    assert pair_lists(french, english, **options).digest() != pair_lists(french, english).digest()


def test_the_digest_changes_with_the_rules_beside_the_lists(french, english):
    lists = pair_lists(french, english)
    rules = [(), (Matcher(),), (Matcher(("-t-", "-")),), (Matcher(separator="-"),), (SpaceTokenizer(),)]
    assert len({lists.digest(*beside) for beside in rules}) == len(rules)


def test_the_digest_of_the_same_content_is_the_same(own, french, english):
    before = pair_lists(french, english).digest(french.tokenizer)
    assert pair_lists(load_language("fr"), load_language("en")).digest(french.tokenizer) == before
    # Order, case and signs say nothing, nor do a name and the sources.
    forms = ", ".join(f'"{form.upper()}"' for form in reversed(french.target.default)).replace("'", "’")
    content = f'code = "fr"\nname = "mine"\n[target]\ndefault = [{forms}]\n[sources]\nidentical = "me"'
    same = load_language("fr", [own(content)])
    assert same.target.default != french.target.default
    assert pair_lists(same, english).digest(same.tokenizer) == before


def test_the_digest_does_not_depend_on_the_order_of_sets(french, english):
    # The order of a set of strings differs from process to process.
    program = (
        "from apt.pronouns import load_language; from apt.vocabulary import pair_lists; "
        "print(pair_lists(load_language('fr'), load_language('en'), pronouns='all').digest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2", "3")
    }
    assert digests == {pair_lists(french, english, pronouns="all").digest()}
    assert re.fullmatch("[0-9a-f]{8}", digests.pop())


def test_what_is_evaluated_stands_in_the_signature_by_name(french, english, published_pronouns):
    assert pair_lists(french, english).evaluated_named() == "it,they"
    assert pair_lists(french, english, pronouns="they,it").evaluated_named() == "it,they"
    published = pair_lists(english, None, anchor="reference", pronouns=published_pronouns)
    assert published.evaluated_named() == ",".join(sorted(published_pronouns))


def test_many_pronouns_stand_there_by_a_digest_of_their_names(french, english):
    everything = pair_lists(french, english, pronouns="all").evaluated_named()
    one_less = pair_lists(french, english, pronouns=sorted(english.source.all)[1:]).evaluated_named()
    count = len(english.source.all)
    assert everything.startswith(f"{count}@")
    assert one_less.startswith(f"{count - 1}@")
    assert everything.split("@")[1] != one_less.split("@")[1]


def test_list_forms_are_found_under_the_key_of_a_word(french, english):
    lists = pair_lists(french, english)
    linkers = (*french.tokenizer.linkers, "-")
    for word in ("Il", "ELLE", "-t-elle", "C’", "-le", "c\u0327a", "L&apos;", "Celui‑ci"):
        assert word_key(word, linkers) in lists.listed
