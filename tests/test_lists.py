"""The shipped lists: complete, consistent, and French as the paper has it."""

from unicodedata import normalize

import pytest

from apt.pronouns import (
    available_languages,
    available_lists,
    load_language,
)
from apt.tokenize import TokenizerRules, WordTokenizer
from apt.vocabulary import pair_lists

LANGUAGES = ["de", "en", "es", "fr", "it", "pt", "ru", "zh"]
# Every shipped file, as it is used: (language, overrides).
SHIPPED = [pytest.param(code, [], id=code) for code in LANGUAGES]
SHIPPED.append(pytest.param("fr", ["paper-fr"], id="paper-fr"))
INTO_ENGLISH = [code for code in LANGUAGES if code != "en"]


# ---- the shipped lists ----


def test_every_shipped_file_is_used_here():
    assert list(available_languages()) == LANGUAGES
    assert set(available_lists()) == {*LANGUAGES, "paper-fr"}


@pytest.mark.parametrize(("code", "overrides"), SHIPPED)
def test_a_shipped_list_loads(code, overrides):
    language = load_language(code, overrides)
    assert language.code == code
    assert language.name == available_lists()[overrides[0] if overrides else code]
    assert language.target.default
    assert language.target.wider
    assert language.source.default
    assert language.source.wider


def all_forms(language):
    yield from language.target.all
    yield from language.source.all
    yield from language.abbreviations
    yield from (form for group in language.identical for form in group)
    yield from (form for pair in language.equivalent for form in pair)
    for pronouns in language.likely.values():
        yield from pronouns
        yield from (form for forms in pronouns.values() for form in forms)


@pytest.mark.parametrize(("code", "overrides"), SHIPPED)
def test_forms_are_lower_case_and_composed_with_plain_signs(code, overrides):
    language = load_language(code, overrides)
    rules = language.tokenizer
    forms = [*all_forms(language), *rules.elisions, *rules.enclitics, *rules.suffixes, *rules.keep]
    assert [form for form in forms if form != normalize("NFC", form.lower())] == []
    assert [form for form in forms if set(form) & set("’ʼ‐‑")] == []


@pytest.mark.parametrize(("code", "overrides"), SHIPPED)
def test_no_form_is_named_twice(code, overrides):
    language = load_language(code, overrides)
    named = [language.target.all, language.source.all]
    named += [forms for pronouns in language.likely.values() for forms in pronouns.values()]
    assert [forms for forms in named if len(forms) != len(set(forms))] == []


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "zh"])
def test_a_listed_form_is_one_word_of_its_own_tokenizer(code):
    language = load_language(code)
    tokenize = WordTokenizer(language.tokenizer)
    forms = {*language.target.all, *language.source.all}
    assert {
        form: tokenize(f"a {form} b") for form in forms if tokenize(f"a {form} b") != ["a", form, "b"]
    } == {}


@pytest.mark.parametrize(("code", "overrides"), SHIPPED)
def test_identical_and_equivalent_forms_are_listed(code, overrides):
    language = load_language(code, overrides)
    forms = {form for group in language.identical for form in group}
    forms |= {form for pair in language.equivalent for form in pair}
    assert forms <= set(language.target.all)


@pytest.mark.parametrize(("code", "overrides"), SHIPPED)
def test_every_likely_translation_is_listed(code, overrides):
    language = load_language(code, overrides)
    for source, pronouns in language.likely.items():
        unlisted = {p: set(forms) - set(language.target.all) for p, forms in pronouns.items()}
        assert {p: forms for p, forms in unlisted.items() if forms} == {}, source


@pytest.mark.parametrize(("code", "overrides"), [s for s in SHIPPED if s.values[0] != "en"])
def test_every_english_pronoun_has_likely_translations(code, overrides):
    likely = load_language(code, overrides).likely["en"]
    assert set(likely) == set(load_language("en").source.all)
    assert all(likely.values())


@pytest.mark.parametrize("code", INTO_ENGLISH)
def test_every_pronoun_has_likely_translations_into_english(code):
    likely = load_language("en").likely[code]
    assert set(likely) == set(load_language(code).source.all)
    assert all(likely.values())


def parts(language):
    """The parts of a list that hold something, under the names that [sources] gives them."""
    present = {
        "target.default": language.target.default,
        "target.all": language.target.wider,
        "source.default": language.source.default,
        "source.all": language.source.wider,
        "source.abbreviations": language.abbreviations,
        "identical": language.identical,
        "equivalent": language.equivalent,
        "tokenizer": None if language.tokenizer == TokenizerRules() else language.tokenizer,
        **{f"likely.{source}": pronouns for source, pronouns in language.likely.items()},
    }
    return {name for name, content in present.items() if content}


@pytest.mark.parametrize(("code", "overrides"), SHIPPED)
def test_every_part_says_where_it_came_from(code, overrides):
    language = load_language(code, overrides)
    said = {name for name, origin in language.sources.items() if origin.strip()}
    if "likely" in said:  # one entry for all source languages
        said |= {f"likely.{source}" for source in language.likely}
    assert said - {"likely"} == parts(language)


def test_the_pronouns_of_the_published_runs_are_in_the_english_target_list(published_pronouns):
    assert len(published_pronouns) == 19
    assert set(published_pronouns) <= set(load_language("en").target.all)


def test_english_as_in_the_paper():
    english = load_language("en")
    assert english.source.default == ("it", "they")
    assert english.abbreviations == {"it", "us"}


def test_only_chinese_is_not_segmented():
    assert [code for code in LANGUAGES if not load_language(code).segmented] == ["zh"]


# ---- French, docs/metrics.md ----

PAPER = {"il", "elle", "ils", "elles", "ce", "c'", "on", "ça", "ç'", "cela"}
OBJECT_AND_OTHER = {"le", "la", "l'", "les", "lui", "leur", "y", "en", "eux", "celui-ci"}
FRENCH = [pytest.param([], id="default"), pytest.param(["paper-fr"], id="paper")]


def test_the_papers_list():
    assert set(load_language("fr", ["paper-fr"]).target.default) == PAPER


def test_the_default_list_adds_what_it_and_they_can_become():
    default = set(load_language("fr").target.default)
    assert default > PAPER | OBJECT_AND_OTHER
    assert not default & {"je", "nous", "vous", "se", "que", "qui", "son"}


def test_the_papers_list_is_no_smaller_in_its_wider_form():
    assert set(load_language("fr", ["paper-fr"]).target.all) == set(load_language("fr").target.all)


def test_the_heuristic_with_the_papers_list_looks_for_the_papers_forms():
    likely = load_language("fr", ["paper-fr"]).likely["en"]
    assert set(likely["it"]) | set(likely["they"]) == PAPER
    assert "l'" in load_language("fr").likely["en"]["it"]  # the paper's Table 1 needs it


@pytest.mark.parametrize("overrides", FRENCH)
def test_french_identical(overrides):
    groups = {frozenset(group) for group in load_language("fr", overrides).identical}
    assert groups == {frozenset({"ce", "c'"}), frozenset({"ça", "ç'", "cela"})}


@pytest.mark.parametrize("overrides", FRENCH)
def test_french_equivalent_in_both_directions(overrides):
    assert load_language("fr", overrides).equivalent == {
        ("ce", "il"): 0.6,
        ("il", "ce"): 0.6,
        ("ce", "ça"): 0.6,
        ("ça", "ce"): 0.6,
    }


def test_french_forms_share_the_equivalents_of_their_group():
    lists = pair_lists(load_language("fr"), load_language("en"))
    groups = {form: lists.group_of[form] for form in ("ce", "c'", "ça", "ç'", "cela")}
    assert groups["ce"] == groups["c'"]
    assert groups["ça"] == groups["ç'"] == groups["cela"]
    assert lists.equivalent[groups["c'"], groups["cela"]] == 0.6
    assert lists.equivalent["il", groups["c'"]] == 0.6
    assert ("il", groups["cela"]) not in lists.equivalent
