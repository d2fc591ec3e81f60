"""Words from raw text, where they stand in their line, and when two words are the same."""

import pickle
import subprocess
import sys
from functools import cache
from unicodedata import category, normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apt.normalize import fold, word_key
from apt.pronouns import load_language
from apt.tokenize import SpaceTokenizer, TokenizerRules, WordTokenizer, token_spans


@cache
def words_of(code):
    return WordTokenizer(load_language(code).tokenizer)


# ---- what each language splits, and what it leaves whole ----

# (line, its words with a space between them, what the example shows)
FRENCH = [
    ("qu'il", "qu' il", "elided que"),
    ("l'eau", "l' eau", "elided article or pronoun"),
    ("C'est lui", "C' est lui", "elided ce, with a capital"),
    ("j'ai", "j' ai", "elided je"),
    ("ç'a été", "ç' a été", "elided ça, a letter with two Unicode forms"),
    ("s'il m'a d'abord dit", "s' il m' a d' abord dit", "se, me, de"),
    ("n'est-ce pas", "n' est -ce pas", "elision before, enclitic after"),
    ("t'es", "t' es", "elided te or tu"),
    ("lorsqu'elle", "lorsqu' elle", "a longer conjunction"),
    ("puisqu'on", "puisqu' on", "puisque"),
    ("quoiqu'ils", "quoiqu' ils", "quoique"),
    ("jusqu'à", "jusqu' à", "jusque"),
    ("l'", "l'", "an elided word alone"),
    ("qu' il", "qu' il", "tokenised already"),
    ("qu'l'on", "qu' l' on", "two elisions"),
    ("est-il là ?", "est -il là ?", "inversion"),
    ("Où sont-elles ?", "Où sont -elles ?", "inversion, the longer of two forms"),
    ("a-t-elle", "a -t-elle", "euphonic t stays with the clitic"),
    ("y a-t-il", "y a -t-il", "euphonic t before il"),
    ("dira-t-on", "dira -t-on", "euphonic t before on"),
    ("donne-le-moi", "donne -le -moi", "two enclitics"),
    ("dites-le-leur", "dites -le -leur", "two enclitics, the second one longer"),
    ("donne-m'en", "donne -m' en", "an elided enclitic before another"),
    ("va-t'en", "va -t' en", "elided te is not the euphonic t"),
    ("menez-l'y", "menez -l' y", "elided le before y"),
    ("vas-y", "vas -y", "y"),
    ("allez-vous-en", "allez -vous -en", "vous and en"),
    ("qu'est-ce que", "qu' est -ce que", "elision and inversion"),
    ("qu'est-ce qu'il a", "qu' est -ce qu' il a", "elision twice"),
    ("l'a-t-il", "l' a -t-il", "elision and euphonic t"),
    ("aujourd'hui", "aujourd'hui", "d' is not at the beginning"),
    ("d'aujourd'hui", "d' aujourd'hui", "only the first d' is elided"),
    ("quelqu'un", "quelqu'un", "qu' is not at the beginning"),
    ("presqu'île", "presqu'île", "presqu' is not in the list"),
    ("week-end", "week-end", "a compound"),
    ("l'it-girl", "l' it-girl", "it is no French enclitic, and not at the end"),
    ("Aix-en-Provence", "Aix-en-Provence", "en is an enclitic only at the end"),
    ("rendez-vous", "rendez-vous", "a noun that looks like verb and enclitic"),
    ("d'un rendez-vous", "d' un rendez-vous", "a kept word after another"),
    ("celui-ci", "celui-ci", "a pronoun with a hyphen"),
    ("celle-là", "celle-là", "là is not la, composed or not"),
    ("qu'elle-même", "qu' elle-même", "even after an elision"),
    ("c'est-à-dire", "c'est-à-dire", "begins like c'est"),
    ("c'est-à-dire qu'il", "c'est-à-dire qu' il", "kept, then split"),
    ("qu'en-dira-t-on", "qu'en-dira-t-on", "begins and ends like clitics"),
    ("peut-être", "peut-être", "être is no enclitic"),
    ("'rendez-vous'", "' rendez-vous '", "a kept word in quotes"),
    ("« l'eau »", "« l' eau »", "guillemets"),
    ("'l'eau'", "' l' eau '", "elision in quotes"),
]
GERMAN = [
    ("gibt's", "gibt 's", "es at the end of the verb"),
    ("Wie geht's?", "Wie geht 's ?", "before a sign"),
    ("'s ist", "'s ist", "es at the beginning"),
    ("'ne Frau", "'ne Frau", "a shortened article is one word"),
    ("für's", "für's", "das, not es"),
    ("E-Mail", "E-Mail", "a compound"),
    ("er sagt 'es'", "er sagt ' es '", "quotes"),
]
ENGLISH = [
    ("it's", "it 's", "is or has"),
    ("they're", "they 're", "are"),
    ("isn't", "is n't", "not takes its n along"),
    ("can't", "ca n't", "although can ends in n"),
    ("they'd've", "they 'd 've", "two suffixes"),
    ("shouldn't've", "should n't 've", "not, and another suffix"),
    ("Get 'em!", "Get 'em !", "'em alone"),
    ("tell'em", "tell 'em", "'em joined to its verb"),
    ("'emily'", "' emily '", "only the whole of 'em"),
    ("cats'", "cats '", "a plural's genitive"),
    ("'it'", "' it '", "quotes"),
    ("'it's'", "' it 's '", "quotes around a suffix"),
    ("say 'they're'", "say ' they 're '", "quotes around another"),
    ("o'clock", "o'clock", "not in the list"),
    ("rock'n'roll", "rock'n'roll", "not in the list, twice"),
    ("it-girl", "it-girl", "a compound"),
    ("ma'm", "ma'm", "ends like 'm, but is kept"),
    ("he came (it did), they went.", "he came ( it did ) , they went .", "signs are words"),
]
ITALIAN = [
    ("l'ho", "l' ho", "a pronoun"),
    ("gliel'ho", "gliel' ho", "two pronouns in one"),
    ("dell'acqua", "dell' acqua", "preposition and article"),
    ("c'è", "c' è", "ci"),
    ("un'altra", "un' altra", "an article"),
    ("quell'uomo", "quell' uomo", "a demonstrative"),
    ("dammelo", "dammelo", "enclitics written together are not split"),
    ("porta-ombrelli", "porta-ombrelli", "no enclitics with a hyphen"),
]
PORTUGUESE = [
    ("dá-lo", "dá -lo", "an enclitic"),
    ("disse-lhe", "disse -lhe", "another"),
    ("dar-lhe-ei", "dar -lhe -ei", "a pronoun inside a future"),
    ("fá-lo-á", "fá -lo -á", "another, with accents"),
    ("dir-se-ia", "dir -se -ia", "a pronoun inside a conditional"),
    ("guarda-chuva", "guarda-chuva", "a compound"),
    ("sexta-feira", "sexta-feira", "a compound"),
]
SPANISH = [
    ("¿Qué es esto?", "¿ Qué es esto ?", "signs on both sides"),
    ("dámelo", "dámelo", "enclitics written together are not split"),
    ("franco-alemán", "franco-alemán", "a compound"),
    ("O'Donnell", "O'Donnell", "Spanish has no elision"),
]
RUSSIAN = [
    ("Он её увидел.", "Он её увидел .", "a plain sentence"),
    ("кто-то", "кто-то", "a compound"),
    ("это — он", "это — он", "a dash between words"),
]
NUMBERS_AND_SIGNS = [
    ("3,5 km", "3,5 km", "decimal comma"),
    ("10:30", "10:30", "time"),
    ("1.234,50 €.", "1.234,50 € .", "a sign after the number is not a part of it"),
    ("1,2,x", "1,2 , x", "nor is one before a word"),
    ("yes,no", "yes , no", "a comma between words"),
    ("Well...", "Well ...", "dots stay together"),
    ("well -- no", "well -- no", "so do hyphens that make a dash"),
    ("(a) [b] “c” !?", "( a ) [ b ] “ c ” ! ?", "every other sign alone"),
    ("''it''", "' ' it ' '", "doubled quotes"),
]
TABLES = {
    "fr": FRENCH,
    "de": GERMAN,
    "en": ENGLISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "es": SPANISH,
    "ru": RUSSIAN,
}
EXAMPLES = [
    pytest.param(code, line, words.split(), id=f"{code}: {line}: {shows}")
    for code, table in TABLES.items()
    for line, words, shows in [*table, *NUMBERS_AND_SIGNS]
]
SPELLINGS = {
    "as written": str,
    "’": lambda text: text.replace("'", "’"),
    "ʼ": lambda text: text.replace("'", "ʼ"),
    "NFD": lambda text: normalize("NFD", text),
    "NFD with ’": lambda text: normalize("NFD", text).replace("'", "’"),
    "non-breaking hyphen": lambda text: text.replace("-", "‑") if "--" not in text else text,
    "capitals": str.upper,
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize(("code", "line", "words"), EXAMPLES)
def test_a_line_splits_alike_in_every_spelling(code, line, words, spelling):
    line = spelling(line)
    found = words_of(code)(line)
    assert found == [spelling(word) for word in words]
    assert "".join(found) == "".join(line.split())


CLITICS_OF_ALL = [
    "qu'il", "est-il", "a-t-elle", "donne-m'en", "gibt's", "isn't", "they'd've", "dell'acqua", "dar-lhe-ei",
]  # fmt: skip
FOREIGN = [
    ("fr", ["it's", "isn't", "gibt's", "dell'acqua", "dar-lhe-ei"]),
    ("de", ["qu'il", "est-il", "isn't", "dell'acqua", "dar-lhe-ei"]),
    ("en", ["qu'il", "est-il", "dell'acqua", "dar-lhe-ei"]),
    ("it", ["qu'il", "est-il", "isn't", "gibt's", "dar-lhe-ei"]),
    ("pt", ["qu'il", "est-il", "isn't", "gibt's", "dell'acqua"]),
    ("es", CLITICS_OF_ALL),
    ("ru", CLITICS_OF_ALL),
]


@pytest.mark.parametrize(("code", "words"), FOREIGN)
def test_a_language_does_not_split_what_only_another_does(code, words):
    assert words_of(code)(" ".join(words)) == words


def test_what_is_split_is_what_the_rules_name():
    line = "zz'a b-yy c'x"
    assert WordTokenizer()(line) == ["zz'a", "b-yy", "c'x"]
    assert WordTokenizer(TokenizerRules(elisions=("zz'",)))(line) == ["zz'", "a", "b-yy", "c'x"]
    assert WordTokenizer(TokenizerRules(enclitics=("yy",)))(line) == ["zz'a", "b", "-yy", "c'x"]
    assert WordTokenizer(TokenizerRules(suffixes=("'x",)))(line) == ["zz'a", "b-yy", "c", "'x"]
    kept = TokenizerRules(elisions=("zz'",), enclitics=("yy",), keep=("zz'a", "b-yy"))
    assert WordTokenizer(kept)(line) == ["zz'a", "b-yy", "c'x"]


def test_a_rule_that_begins_another_does_not_cut_it_short():
    rules = TokenizerRules(suffixes=("'v", "'ve"), enclitics=("el", "ell", "elle"))
    assert WordTokenizer(rules)("they've a-elle-el") == ["they", "'ve", "a", "-elle", "-el"]


def test_only_a_listed_word_keeps_its_leading_apostrophe():
    assert WordTokenizer(TokenizerRules(leading=("'em",)))("'em 'im") == ["'em", "'", "im"]


def test_an_enclitic_alone_is_a_sign_and_a_word():
    # There is no word before it that it could be tied to: a dialogue dash, as a rule.
    assert words_of("fr")("-il") == ["-", "il"]


# ---- unusual characters and sizes ----


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param("", [], id="empty line"),
        pytest.param(" \t\u00a0 ", [], id="nothing but spaces"),
        pytest.param("il\u2028elle", ["il", "elle"], id="U+2028 line separator"),
        pytest.param("Est-il là\u00a0?", ["Est", "-il", "là", "?"], id="no-break space"),
        pytest.param("là\u202f?", ["là", "?"], id="narrow no-break space"),
        pytest.param("il\x0celle", ["il", "elle"], id="form feed"),
        pytest.param("il\x85elle", ["il", "elle"], id="next line"),
        pytest.param("\ufeffil", ["il"], id="byte order mark"),
        pytest.param("il\u200belle", ["il", "elle"], id="zero-width space"),
        pytest.param("co\u00adopérer", ["co\u00adopérer"], id="soft hyphen stands inside a word"),
        pytest.param("👍 il", ["👍", "il"], id="emoji"),
    ],
)
def test_unusual_characters(line, words):
    assert words_of("fr")(line) == words


@pytest.mark.parametrize(
    ("code", "unit", "times", "count"),
    [
        pytest.param("fr", "qu'il est-il, a-t-elle ? ", 42_000, 8 * 42_000, id="ordinary words"),
        pytest.param("fr", "a", 1_000_000, 1, id="one word"),
        pytest.param("fr", " ", 1_000_000, 0, id="spaces"),
        pytest.param("en", "'", 1_000_000, 1_000_000, id="apostrophes"),
        pytest.param("en", "1,", 500_000, 2, id="one number and a comma"),
        # Longer than any word: not looked into, and that without trying every way to split it.
        pytest.param("fr", "x-la-la-la", 100_000, 1, id="enclitics without end"),
        pytest.param("fr", "l'", 500_000, 1, id="elisions without end"),
        pytest.param("en", "x's's's", 140_000, 1, id="suffixes without end"),
    ],
)
def test_a_line_of_a_megabyte(code, unit, times, count):
    # In a process of its own, so that a split that takes for ever is a failure and not a test that hangs.
    program = (
        "from apt.pronouns import load_language; from apt.tokenize import WordTokenizer; "
        f"print(len(WordTokenizer(load_language({code!r}).tokenizer)({unit!r} * {times})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) == count


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param("est -il là ?", ["est", "-il", "là", "?"], id="words as they are"),
        pytest.param("qu'il est-il, l' eau", ["qu'il", "est-il,", "l'", "eau"], id="nothing is split"),
        pytest.param("a  b   c", ["a", "b", "c"], id="runs of spaces"),
        pytest.param("a\tb \t c", ["a", "b", "c"], id="tabs, and runs of both"),
        pytest.param("  a\t", ["a"], id="separators at the ends"),
        pytest.param("", [], id="empty line"),
        pytest.param(" \t ", [], id="nothing but separators"),
        pytest.param("a\u00a0b c", ["a\u00a0b", "c"], id="no-break space stays inside"),
        pytest.param("a\x0cb c", ["a\x0cb", "c"], id="form feed stays inside"),
        pytest.param("a\u2028b c", ["a\u2028b", "c"], id="U+2028 stays inside"),
        pytest.param("\u00a0 \x0c", ["\u00a0", "\x0c"], id="each of them is a word alone"),
        pytest.param("l &apos; eau", ["l", "&apos;", "eau"], id="entities are left as they are"),
    ],
)
def test_space_tokenizer(line, words):
    assert SpaceTokenizer()(line) == words


# ---- properties ----

CLITICS = ["qu'", "-t-elle", "-m'en", "-le", "n't", "'s", "'em", "dell'", "-lhe", "-ei", "c'est-à-dire"]
SIGNS = "abeilmnqstuxyzàçéñßEILÉя他09'’ʼ-‐‑.,:;?!…\"«()&_ \t\u00a0\u2028\x0c\x1c\u0301\u0327\u200b\u00ad\u200d\ufeff²👍"
LINES = st.lists(st.one_of(st.sampled_from(CLITICS), st.sampled_from(SIGNS)), max_size=25).map("".join)
TOKENIZERS = {code: words_of(code) for code in TABLES} | {"none": SpaceTokenizer()}


def is_separator(character, name):
    if name == "none":
        return character in " \t"
    return character.isspace() or category(character) == "Cf"


@pytest.mark.parametrize("name", TOKENIZERS)
@given(line=LINES)
@example(line="il il, il")  # the same word three times
@example(line="'il' l'il'")  # a sign that is also a part of a word
@example(line="\u200b\u00adil\u2028 ''")
def test_spans_cover_the_words_and_nothing_but_separators_is_between(name, line):
    words = TOKENIZERS[name](line)
    spans = token_spans(line, words)
    assert [line[start:end] for start, end in spans] == words
    borders = [0, *(border for span in spans for border in span), len(line)]
    assert borders == sorted(borders)
    assert all(start < end for start, end in spans)
    between = "".join(line[end:start] for end, start in zip(borders[::2], borders[1::2], strict=True))
    assert all(is_separator(character, name) for character in between)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(line=LINES)
def test_a_pickled_tokenizer_is_the_same_tokenizer(name, line):
    tokenizer = TOKENIZERS[name]
    words = tokenizer(line)  # before it is pickled: what it has remembered must not get in the way
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert copy == tokenizer
    assert copy(line) == words == tokenizer(line)


@given(line=LINES)
@pytest.mark.parametrize("code", TABLES)
def test_words_of_a_composed_and_of_a_decomposed_line_are_the_same(code, line):
    tokenizer = words_of(code)
    composed = tokenizer(normalize("NFC", line))
    decomposed = tokenizer(normalize("NFD", line))
    assert [normalize("NFC", word) for word in decomposed] == composed


# ---- when two words are the same ----


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Elle", "ELLE", id="case"),
        pytest.param("ÇA", "ça", id="case beyond ASCII"),
        pytest.param("Её", "её", id="case in Cyrillic"),
        pytest.param("GROSS", "groß", id="full case folding"),
        pytest.param("c\u0327a", "ça", id="NFD and NFC"),
        pytest.param("qu’", "qu'", id="typographic apostrophe"),
        pytest.param("quʼ", "qu'", id="modifier letter apostrophe"),
        pytest.param("qu&apos;", "qu'", id="Moses' apostrophe"),
        pytest.param("QU&APOS;", "qu’", id="Moses' apostrophe in capitals"),
        pytest.param("ç&apos;", "Ç’", id="Moses' apostrophe beside a letter beyond ASCII"),
        pytest.param("celui‑ci", "celui-ci", id="non-breaking hyphen"),
        pytest.param("celui‐ci", "celui-ci", id="U+2010 hyphen"),
    ],
)
def test_the_same_word(one, other):
    assert fold(one) == fold(other)
    assert word_key(one) == word_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("ca", "ça", id="a letter without its mark"),
        pytest.param("la", "là", id="another word altogether"),
        pytest.param("l", "l'", id="an apostrophe is not nothing"),
        pytest.param("celui ci", "celui-ci", id="a hyphen is not a space"),
        pytest.param("& apos;", "'", id="not quite an entity"),
        pytest.param("ё", "е", id="the dots count, lists say where they do not"),
    ],
)
def test_not_the_same_word(one, other):
    assert fold(one) != fold(other)
    assert word_key(one) != word_key(other)


@pytest.mark.parametrize(
    ("word", "key"),
    [
        pytest.param("-il", "il", id="hyphen"),
        pytest.param("-LE", "le", id="hyphen and case"),
        pytest.param("‑elle", "elle", id="non-breaking hyphen"),
        pytest.param("-t-elle", "elle", id="euphonic t"),
        pytest.param("‑T‑il", "il", id="euphonic t in other signs"),
        pytest.param("-m’", "m'", id="elided enclitic"),
        pytest.param("-t'", "t'", id="elided te is no linker"),
        pytest.param("celui-ci", "celui-ci", id="a hyphen inside stays"),
        pytest.param("t-il", "t-il", id="a linker begins with its hyphen"),
        pytest.param("-", "-", id="a hyphen alone is a sign"),
    ],
)
def test_word_key_ignores_what_ties_a_clitic_to_its_verb(word, key):
    assert word_key(word, ("-t-", "-")) == key


def test_word_key_without_the_linkers_of_a_language_knows_the_hyphen():
    assert word_key("-il") == "il"
    assert word_key("-t-il") == "t-il"


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("Marche-t-il ?", ["marche", "il", "?"]),
        ("Marche-t-elle ?", ["marche", "elle", "?"]),  # the old tool: the same as marche-t-il
        ("Donne-le-moi", ["donne", "le", "moi"]),
        ("DONNE‑M’EN", ["donne", "m'", "en"]),
        ("Lorsqu’elle", ["lorsqu'", "elle"]),
        ("celui-ci", ["celui-ci"]),
    ],
)
def test_from_raw_text_to_the_forms_that_lists_have(line, keys):
    linkers = (*load_language("fr").tokenizer.linkers, "-")
    assert [word_key(word, linkers) for word in words_of("fr")(line)] == keys


@given(text=LINES)
@example(text="\u01f0")  # ǰ, which case folding decomposes
def test_folded_text_is_composed_and_folding_once_is_enough(text):
    folded = fold(text)
    assert normalize("NFC", folded) == folded
    assert fold(folded) == folded


@given(text=LINES)
def test_folding_does_not_see_case_or_form(text):
    assert fold(text.upper()) == fold(text.lower()) == fold(text)
    assert fold(normalize("NFD", text)) == fold(normalize("NFC", text)) == fold(text)
