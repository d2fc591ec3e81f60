"""A user's own list file: how it merges, and what is said when it is wrong."""

from dataclasses import replace

import pytest

from apt.errors import InputError, OptionError
from apt.pronouns import (
    load_language,
    override_codes,
)
from apt.tokenize import WordTokenizer
from apt.translations import Matcher
from apt.vocabulary import pair_lists

# ---- a user's own file ----


def test_a_table_merges_by_key(own):
    shipped = load_language("fr")
    changed = load_language("fr", [own('code = "fr"\n[likely.en]\nit = ["il"]')])
    assert changed.likely["en"]["it"] == ("il",)
    likely = {"en": {**shipped.likely["en"], "it": ("il",)}}
    assert changed == replace(shipped, likely=likely)


def test_a_list_of_words_is_replaced(own):
    shipped = load_language("fr")
    changed = load_language("fr", [own('code = "fr"\n[target]\ndefault = ["il", "elle"]')])
    assert changed.target.default == ("il", "elle")
    assert changed.target.wider == shipped.target.wider
    assert replace(changed, target=shipped.target) == shipped


def test_groups_and_pairs_are_replaced_together(own):
    changed = load_language(
        "fr",
        [own('code = "fr"\nidentical = [["on", "nous"]]\n[[equivalent]]\npair = ["le", "la"]\np = 0.1')],
    )
    assert changed.identical == (("on", "nous"),)
    assert changed.equivalent == {("le", "la"): 0.1, ("la", "le"): 0.1}
    assert changed.target == load_language("fr").target


def test_one_tokenizer_rule_is_replaced(own):
    shipped = load_language("fr").tokenizer
    changed = load_language("fr", [own('code = "fr"\n[tokenizer]\nkeep = ["dis-moi"]')]).tokenizer
    assert changed == replace(shipped, keep=("dis-moi",))
    assert WordTokenizer(changed)("dis-moi rendez-vous") == ["dis-moi", "rendez", "-vous"]


def test_source_and_name_can_be_changed(own):
    content = 'code = "en"\nname = "my English"\n[source]\nabbreviations = ["IT"]'
    changed = load_language("en", [own(content)])
    assert changed.name == "my English"
    assert changed.abbreviations == {"it"}
    assert changed.source == load_language("en").source


def test_later_files_go_over_earlier_ones(own):
    first = own('code = "fr"\n[target]\ndefault = ["il"]\nall = ["je"]', "first.toml")
    second = own('code = "fr"\n[target]\ndefault = ["elle"]', "second.toml")
    assert load_language("fr", [first, second]).target.all == ("elle", "je")
    assert load_language("fr", [second, first]).target.all == ("il", "je")
    assert load_language("fr", ["paper-fr", second]).target.default == ("elle",)


def test_files_for_other_languages_are_passed_over(own):
    german = own('code = "de"\n[target]\ndefault = ["er"]', "de.toml")
    assert load_language("fr", [german]) == load_language("fr")
    assert load_language("de", ["paper-fr", german]).target.default == ("er",)
    assert override_codes(["paper-fr", german]) == {"de", "fr"}


NEW_LANGUAGE = """
code = "xx"
[target]
default = ["Zo", "za"]
[source]
default = ["zo"]
[likely.en]
it = ["zo"]
they = ["za"]
[tokenizer]
elisions = ["z'"]
"""


def test_a_new_language_from_a_users_file_alone(own):
    language = load_language("xx", [own(NEW_LANGUAGE)])
    assert (language.code, language.name, language.segmented) == ("xx", "xx", True)
    assert language.target.all == ("Zo", "za")
    assert language.equivalent == {}
    assert WordTokenizer(language.tokenizer)("z'a l'eau") == ["z'", "a", "l'eau"]
    lists = pair_lists(language, load_language("en"))
    assert lists.listed == {"zo", "za"}  # folded, as words of a text are
    assert lists.likely == {"it": {"zo"}, "they": {"za"}}


def test_equivalent_as_a_pair_goes_both_ways_and_directed_one_way(own):
    content = """
    code = "xx"
    [[equivalent]]
    pair = ["a", "b"]
    p = 0.7
    [[equivalent]]
    reference = "c"
    candidate = "D"
    p = 1
    n = 12
    correct = 12
    """
    equivalent = load_language("xx", [own(content)]).equivalent
    assert equivalent == {("a", "b"): 0.7, ("b", "a"): 0.7, ("c", "d"): 1.0}


def test_each_direction_can_have_its_own_p(own):
    content = """
    code = "xx"
    [[equivalent]]
    reference = "a"
    candidate = "b"
    p = 0.2
    [[equivalent]]
    reference = "b"
    candidate = "a"
    p = 0
    """
    assert load_language("xx", [own(content)]).equivalent == {("a", "b"): 0.2, ("b", "a"): 0.0}


def test_signs_and_case_of_a_users_file_do_not_matter(own):
    content = """
    code = "xx"
    identical = [["CE", "c’"]]
    [target]
    default = ["CE", "c’"]
    [source]
    default = ["a"]
    [tokenizer]
    elisions = ["C’"]
    enclitics = ["le", "mʼ", "en"]
    linkers = ["‑t‑"]
    """
    language = load_language("xx", [own(content)])
    tokenize = WordTokenizer(language.tokenizer)
    for line in ("c'est-t-le", "c’est-t-le", "C'EST‑T‑LE"):
        words = tokenize(line)
        assert len(words) == 3
        assert Matcher((*language.tokenizer.linkers, "-")).forms(words)[2] == "le"
    assert tokenize("a-m'en") == ["a", "-m'", "en"]
    lists = pair_lists(language, language, heuristic=False)
    assert lists.listed == {"ce", "c'"}
    assert lists.group_of["ce"] == lists.group_of["c'"]


def test_a_byte_order_mark_and_crlf_are_accepted(own):
    path = own(b'\xef\xbb\xbfcode = "xx"\r\n[target]\r\ndefault = ["zo"]\r\n')
    assert load_language("xx", [path]).target.default == ("zo",)


# ---- what is wrong with a user's file ----

EQUIVALENT = 'code = "fr"\n[[equivalent]]\n'
INVALID = {
    "unknown key": ('code = "fr"\npronouns = ["il"]', ["'pronouns'", "Allowed: code, name", "equivalent"]),
    "unknown key in target": (
        'code = "fr"\n[target]\nwider = ["il"]',
        ["'wider'", "[target]", "default, all"],
    ),
    "unknown key in source": ('code = "fr"\n[source]\nx = ["il"]', ["'x'", "[source]", "abbreviations"]),
    "unknown key in tokenizer": (
        'code = "fr"\n[tokenizer]\nprefixes = ["l\'"]',
        ["'prefixes'", "[tokenizer]", "elisions, enclitics, linkers, suffixes, leading, keep"],
    ),
    "unknown key in equivalent": (
        EQUIVALENT + 'pair = ["ce", "il"]\np = 1\nweight = 1',
        ["'weight'", "[[equivalent]]", "pair, reference, candidate, p"],
    ),
    "name": ('code = "fr"\nname = 1', ["'name'", "a string"]),
    "segmented": ('code = "fr"\nsegmented = "no"', ["'segmented'", "true or false"]),
    "target is no table": ('code = "fr"\ntarget = ["il"]', ["'target'", "a table"]),
    "target.default is no list": (
        'code = "fr"\n[target]\ndefault = "il"',
        ["'target.default'", "a list of words"],
    ),
    "numbers for words": ('code = "fr"\n[target]\nall = [1, 2]', ["'target.all'", "a list of words"]),
    "an empty word": ('code = "fr"\n[source]\nall = [""]', ["'source.all'", "a list of words"]),
    "two words in one": ('code = "fr"\n[source]\nall = ["il y a"]', ["'source.all'", "a list of words"]),
    "tokenizer rule": ('code = "fr"\n[tokenizer]\nkeep = true', ["'tokenizer.keep'", "a list of words"]),
    "likely is no table": ('code = "fr"\nlikely = ["il"]', ["'likely'", "a table"]),
    "likely without language": ('code = "fr"\n[likely]\nit = ["il"]', ["'likely.it'", "a table"]),
    "likely is no list": ('code = "fr"\n[likely.en]\nit = "il"', ["'likely.en.it'", "a list of words"]),
    "sources": ('code = "fr"\n[sources]\nidentical = 1', ["'sources.identical'", "a string"]),
    "identical is no list": ('code = "fr"\nidentical = "ce"', ["'identical'", "groups of two or more"]),
    "identical without groups": (
        'code = "fr"\nidentical = ["ce", "il"]',
        ["'identical'", "groups of two or more"],
    ),
    "identical group of one": (
        'code = "fr"\nidentical = [["ce", "c\'"], ["il"]]',
        ["'identical'", "groups of two or more"],
    ),
    "form in two identical groups": (
        'code = "fr"\nidentical = [["ce", "il"], ["elle", "CE"]]',
        ["'identical'", "ce", "more than one group"],
    ),
    "form twice": ('code = "fr"\n[target]\ndefault = ["il", "Il"]', ["'target.default'", "il", "twice"]),
    "equivalent is no table": ('code = "fr"\nequivalent = ["ce", "il"]', ["'equivalent'", "[[equivalent]]"]),
    "equivalent pair of one": (EQUIVALENT + 'pair = ["ce"]\np = 1', ["'equivalent'", "pair ="]),
    "equivalent pair of three": (EQUIVALENT + 'pair = ["ce", "il", "on"]\np = 1', ["'equivalent'", "pair ="]),
    "equivalent without candidate": (EQUIVALENT + 'reference = "ce"\np = 1', ["'equivalent'", "candidate ="]),
    "equivalent both ways": (
        EQUIVALENT + 'pair = ["ce", "il"]\nreference = "ce"\ncandidate = "il"\np = 1',
        ["'equivalent'", "pair =", "or reference ="],
    ),
    "p missing": (EQUIVALENT + 'pair = ["ce", "il"]', ["'equivalent.p'", "from 0 to 1"]),
    "p above 1": (EQUIVALENT + 'pair = ["ce", "il"]\np = 1.01', ["'equivalent.p'", "from 0 to 1"]),
    "p below 0": (EQUIVALENT + 'pair = ["ce", "il"]\np = -0.1', ["'equivalent.p'", "from 0 to 1"]),
    "p not a number": (EQUIVALENT + 'pair = ["ce", "il"]\np = nan', ["'equivalent.p'", "from 0 to 1"]),
    "p a string": (EQUIVALENT + 'pair = ["ce", "il"]\np = "1"', ["'equivalent.p'", "from 0 to 1"]),
    "p true": (EQUIVALENT + 'pair = ["ce", "il"]\np = true', ["'equivalent.p'", "from 0 to 1"]),
    "missing code": ('name = "French"', ["'code'", "missing"]),
    "code no string": ("code = 33", ["'code'", 'code = "fr"']),
    "empty file": ("", ["'code'", "missing"]),
    "not TOML": ('{"code": "fr"}', ["not a TOML file", "line 1"]),
    "key twice": ('code = "fr"\nname = "a"\nname = "b"', ["not a TOML file", "overwrite"]),
    "not UTF-8": ('code = "fr"\n[target]\ndefault = ["ça"]'.encode("latin-1"), ["UTF-8", "0xe7"]),
    "UTF-16": ('code = "fr"'.encode("utf-16"), ["UTF-8", "0xff"]),
}


@pytest.mark.parametrize(("content", "expected"), INVALID.values(), ids=INVALID)
def test_an_invalid_list_names_file_and_key_and_says_what_is_allowed(content, expected, own):
    path = own(content)
    with pytest.raises(InputError) as error:
        load_language("fr", [path])
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert [words for words in expected if words not in message] == []
    assert "\n" not in message


def test_an_error_in_one_of_two_files_names_that_one(own):
    wrong = own('code = "fr"\n[target]\ndefault = "il"', "wrong.toml")
    right = own('code = "fr"\n[target]\ndefault = ["il"]', "right.toml")
    with pytest.raises(InputError, match=r"wrong\.toml"):
        load_language("fr", [wrong, right])


@pytest.mark.parametrize("name", ["missing.toml", "paper-de", "x" * 300, ""])
def test_a_missing_file_lists_what_is_shipped(name):
    with pytest.raises(InputError) as error:
        load_language("fr", [name])
    message = str(error.value)
    assert message.startswith(f"{name}: cannot read the list")
    assert message.endswith("Shipped lists: de, en, es, fr, it, paper-fr, pt, ru, zh")


# A set of one language's forms, such as paper-fr, is no language.
@pytest.mark.parametrize("code", ["xx", "FR", "", "paper-fr"])
def test_an_unknown_language_lists_the_known_ones(code):
    with pytest.raises(OptionError) as error:
        load_language(code)
    assert str(error.value).startswith(
        f"unknown language {code!r}. Available: de, en, es, fr, it, pt, ru, zh;"
    )
    assert "--lists" in str(error.value)
