"""The embedded aligner: what it links, and that a segment's links depend on that segment alone."""

import itertools
import random
import subprocess
import sys

import numpy as np
import pytest

from apt.align.estimate import Languages, Options, estimate, with_related
from apt.align.hmm import Model, first_jumps
from apt.align.lexical import LONGEST, Alignment, LexicalAligner
from apt.align.lexicon import read_lexicon, shipped_lexicon, write_lexicon
from apt.align.pairindex import PairIndex
from apt.errors import InputError
from apt.pronoun_step import pronoun_step
from apt.pronouns import load_language
from apt.tokenize import WordTokenizer
from apt.translations import Finder, Found, Matcher
from apt.vocabulary import pair_lists

PAIRS = [
    ("It is raining.", "Il pleut."),
    ("The house is old, but it is beautiful.", "La maison est vieille, mais elle est belle."),
    ("They know that we see them.", "Ils savent que nous les voyons."),
    ("I gave it to her yesterday.", "Je le lui ai donné hier."),
    ("Is he coming?", "Vient-il ?"),
    ("2", "2"),
    ("Mr President, the Commission has presented its proposal and it should be adopted.",
     "Monsieur le Président, la Commission a présenté sa proposition et elle devrait être adoptée."),
]  # fmt: skip


@pytest.fixture(scope="module")
def aligner():
    lexicon = shipped_lexicon("en", "fr")
    assert lexicon is not None
    return LexicalAligner(lexicon)


def _words(text, code):
    return WordTokenizer(load_language(code).tokenizer)(text)


@pytest.fixture(scope="module")
def sources():
    return [_words(source, "en") for source, _ in PAIRS]


@pytest.fixture(scope="module")
def targets():
    return [_words(target, "fr") for _, target in PAIRS]


def _linked(alignment: Alignment, source, target):
    return {(source[i], target[j]) for i, js in alignment.links.items() for j in js}


def _identical(one, other):
    assert one.links == other.links
    np.testing.assert_array_equal(one.posterior, other.posterior)


# ---- what it links ----


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("The house is old , but it is beautiful .", "La maison est vieille , mais elle est belle .",
         {("house", "maison"), ("it", "elle"), ("beautiful", "belle"), ("but", "mais"), (".", ".")}),
        # the order of words is not that of the source
        ("I see him .", "Je le vois .", {("I", "Je"), ("see", "vois")}),
        # a clitic with its linker is the pronoun
        ("is he coming ?", "vient -t-il ?", {("he", "-t-il")}),
        # case, apostrophe and Unicode form do not count
        ("IT is true .", "C’ est vrai .", {("true", "vrai"), ("IT", "C’")}),
    ],
)  # fmt: skip
def test_plain_sentences(aligner, source, target, expected):
    source, target = source.split(), target.split()
    (alignment,) = aligner.align([source], [target])
    assert expected <= _linked(alignment, source, target)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        # the same name, though in another place
        ("Zxqvy met Kwrtz .", "Kwrtz a vu Zxqvy .", {("Zxqvy", "Zxqvy"), ("Kwrtz", "Kwrtz")}),
        ("it costs 73519 euros", "cela coûte 73519 euros", {("73519", "73519")}),
        # a shared beginning
        (
            "the xylorganisation is old",
            "la vieille xylorganizacion",
            {("xylorganisation", "xylorganizacion")},
        ),
        # nothing but the place
        ("the blorf is old", "le gnupf est vieux", {("blorf", "gnupf")}),
    ],
)
def test_unknown_words(aligner, source, target, expected):
    source, target = source.split(), target.split()
    (alignment,) = aligner.align([source], [target])
    assert expected <= _linked(alignment, source, target)


def test_the_posterior_is_what_links_are_read_from(aligner, sources, targets):
    for source, target, alignment in zip(sources, targets, aligner.align(sources, targets), strict=True):
        assert alignment.posterior.shape == (len(source), len(target))
        assert ((alignment.posterior >= 0) & (alignment.posterior <= 1)).all()
        np.testing.assert_array_equal(alignment.posterior, np.round(alignment.posterior, 6))
        for i, js in alignment.links.items():
            assert list(js) == sorted(set(js))
            assert all(alignment.posterior[i, j] >= 0.3 for j in js)


def test_german_and_spanish():
    for code, source, target, expected in (
        (
            "de",
            "They have read it .",
            "Sie haben es gelesen .",
            {("They", "Sie"), ("it", "es"), ("read", "gelesen")},
        ),
        ("es", "I saw them yesterday .", "Los vi ayer .", {("saw", "vi"), ("yesterday", "ayer")}),
    ):
        lexicon = shipped_lexicon("en", code)
        source, target = source.split(), target.split()
        (alignment,) = LexicalAligner(lexicon).align([source], [target])
        assert expected <= _linked(alignment, source, target)


def test_the_reverse_direction_gives_the_same_links_turned_round(aligner, sources, targets):
    back = LexicalAligner(shipped_lexicon("fr", "en")).align(targets, sources)
    for one, other in zip(aligner.align(sources, targets), back, strict=True):
        np.testing.assert_allclose(one.posterior, other.posterior.T, atol=2e-6)


# ---- a segment depends on itself alone ----


def test_alone_and_in_any_batch(aligner, sources, targets):
    together = aligner.align(sources, targets)
    for row, alignment in enumerate(together):
        _identical(aligner.align([sources[row]], [targets[row]])[0], alignment)
    # Beside many much longer and shorter ones, so that it is padded and other batches are made.
    many_sources = [*sources, *([["it"] * n for n in range(1, 60)] * 20)]
    many_targets = [*targets, *([["il"] * (60 - n) for n in range(1, 60)] * 20)]
    for alignment, other in zip(together, aligner.align(many_sources, many_targets), strict=False):
        _identical(alignment, other)


def test_in_any_order(aligner, sources, targets):
    rows = list(range(len(sources))) * 30
    random.Random(1).shuffle(rows)
    together = aligner.align(sources, targets)
    shuffled = aligner.align([sources[row] for row in rows], [targets[row] for row in rows])
    for row, alignment in zip(rows, shuffled, strict=True):
        _identical(together[row], alignment)


_PRINT_LINKS = """
from apt.align.lexical import LexicalAligner
from apt.align.lexicon import shipped_lexicon
aligner = LexicalAligner(shipped_lexicon("en", "fr"))
source, target = "they say that it is here".split(), "ils disent qu' elle est là".split()
(alignment,) = aligner.align([source], [target])
print(aligner.version, sorted(alignment.links.items()), alignment.posterior.tolist())
"""


def test_in_another_process(aligner):
    runs = {
        subprocess.run(
            [sys.executable, "-c", _PRINT_LINKS],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert aligner.version in runs.pop()


def test_equal_words_tie_to_the_diagonal_whatever_the_machine(aligner):
    """Rounding makes mirror images equal, so no last bit can decide between them."""
    (alignment,) = aligner.align([["blorf"] * 4], [["gnupf"] * 4])
    assert all(list(js) == sorted(js) for js in alignment.links.values())
    np.testing.assert_array_equal(alignment.posterior, np.round(alignment.posterior, 6))


def test_the_version_changes_with_the_lexicon(aligner, tmp_path):
    lexicon = _small_lexicon()
    write_lexicon(tmp_path / "small.lex", lexicon)
    other = LexicalAligner(read_lexicon(tmp_path / "small.lex"))
    assert other.version.split("-")[0] == aligner.version.split("-")[0]
    assert other.version != aligner.version


# ---- edges ----


def test_no_segments(aligner):
    assert aligner.align([], []) == []


@pytest.mark.parametrize(("source", "target"), [([], []), ([], ["il"]), (["it"], [])])
def test_empty_sides_have_no_links(aligner, source, target):
    before, empty, after = aligner.align([["it"], source, ["it"]], [["il"], target, ["il"]])
    assert empty.links == {}
    assert empty.posterior.shape == (len(source), len(target))
    _identical(before, after)


def test_sides_must_be_as_many(aligner):
    with pytest.raises(ValueError, match="zip"):
        aligner.align([["it"], ["it"]], [["il"]])


def test_control_characters_and_strange_words(aligner):
    source = ["it", "\x00", "\u2028", "\x1b[31m", "\ud800", "🂡", "-", "", "rains"]
    target = ["il", "\x00", "🂡", "", "-", "pleut"]
    (alignment,) = aligner.align([source], [target])
    assert ("it", "il") in _linked(alignment, source, target)
    assert ("🂡", "🂡") in _linked(alignment, source, target)


def test_a_line_of_two_thousand_words(aligner):
    """Windows: every word is aligned, those at the seams like any other."""
    numbers = [str(10_000 + n) for n in range(2000)]
    (alignment,) = aligner.align([numbers], [numbers])
    assert alignment.links == {i: [i] for i in range(2000)}


def test_a_long_side_opposite_a_short_one(aligner):
    long, short = ["it", "is", "raining"] * LONGEST, ["il", "pleut"]
    for source, target in ((long, short), (["it", "rains"], ["il", "pleut"] * LONGEST)):
        (alignment,) = aligner.align([source], [target])
        assert alignment.posterior.shape == (len(source), len(target))
        assert all(j < len(target) for js in alignment.links.values() for j in js)


# ---- the parts ----


def test_posteriors_are_those_of_all_paths_added_up():
    """Against every alignment of three words to two, one by one."""
    rng = np.random.default_rng(0)
    emission, null_emission, null = rng.random((3, 1, 2)), rng.random((3, 1)), 0.3
    jumps = first_jumps()
    jump = jumps.matrix(2) / jumps.matrix(2).sum(1, keepdims=True)
    first, last = jumps.first[:2] / jumps.first[:2].sum(), jumps.last[[1, 0]] / jumps.last[:2].sum()
    expected, total = np.zeros((3, 2)), 0.0
    for path in itertools.product((0, 1, None), repeat=3):
        probability, at = 1.0, None
        for j, i in enumerate(path):
            if i is None:
                probability *= null * null_emission[j, 0]
            else:
                probability *= (1 - null) * emission[j, 0, i] * (first[i] if at is None else jump[at, i])
                at = i
        probability *= 1 / 2 if at is None else last[at]
        total += probability
        for j, i in enumerate(path):
            if i is not None:
                expected[j, i] += probability
    found = Model(jumps, null).expectations(emission, null_emission, np.array([2]), np.array([3]))
    np.testing.assert_allclose(found.posterior[:, 0], expected / total)


def test_pair_places_are_those_of_the_table():
    rng = np.random.default_rng(2)
    keys = np.unique(rng.integers(0, 300, 5000) * 300 + rng.integers(0, 300, 5000))
    table = {(key // 300, key % 300): place for place, key in enumerate(keys.tolist())}
    e, f = np.meshgrid(np.arange(-1, 300), np.arange(-1, 300), indexing="ij")
    places = PairIndex(keys // 300, keys % 300).places(e, f)
    for one, other in itertools.product(range(-1, 300, 7), range(-1, 300)):
        assert places[one + 1, other + 1] == table.get((one, other), -1)


# ---- estimation ----

_TEXT = [
    ("the cat sleeps", "le chat dort"),
    ("the dog sleeps", "le chien dort"),
    ("the cat eats", "le chat mange"),
    ("a dog eats", "un chien mange"),
    ("it sleeps", "il dort"),
    ("it eats", "il mange"),
    ("a cat", "un chat"),
] * 3


def _small_lexicon(text=tuple(_TEXT), **options):
    pairs = ((source.split(), target.split()) for source, target in text)
    return estimate(pairs, Languages("en", "xx"), Options(**options))


def test_words_find_their_translations():
    lexicon = _small_lexicon()
    best = {}
    for place in np.argsort(lexicon.pair_counts):
        word = lexicon.source.words[lexicon.pair_source[place]]
        best[word] = lexicon.target.words[lexicon.pair_target[place]]
    assert best == {
        "the": "le", "cat": "chat", "dog": "chien", "sleeps": "dort", "eats": "mange", "it": "il", "a": "un",
    }  # fmt: skip


def test_the_order_of_the_text_does_not_matter_for_words():
    one, other = _small_lexicon(), _small_lexicon(_TEXT[::-1])
    assert one.source.words == other.source.words
    np.testing.assert_array_equal(one.pair_target, other.pair_target)
    np.testing.assert_allclose(one.pair_counts, other.pair_counts, rtol=1e-3)


def test_the_same_text_gives_the_same_file(tmp_path):
    for name in ("one", "other"):
        write_lexicon(tmp_path / name, _small_lexicon())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_rare_words_empty_and_long_segments_are_left_out():
    text = [*_TEXT, ("hapax sleeps", "unique dort"), ("", "le chat"), ("cat " * 101, "chat")]
    lexicon = _small_lexicon(text)
    assert "hapax" not in lexicon.source.words
    assert lexicon.source.total == sum(len(source.split()) for source, _ in text if len(source.split()) < 101)


@pytest.mark.parametrize("text", [(), [("", "")], [("only once", "une fois")], [("a a", ""), ("", "b b")]])
def test_text_that_teaches_nothing_is_an_error(text):
    with pytest.raises(InputError, match="nothing to estimate from"):
        _small_lexicon(text)


def test_related_words_have_a_least_count():
    lexicon = _small_lexicon()
    related = with_related(lexicon, {"it", "a", "absent"}, {"il", "un", "le"}, share=0.1)
    counts = {}
    for e, f, count in zip(related.pair_source, related.pair_target, related.pair_counts, strict=True):
        counts[related.source.words[e], related.target.words[f]] = count
    before = len(lexicon.pair_counts)
    assert counts["it", "un"] > 0.1
    assert counts["it", "il"] == pytest.approx(lexicon.pair_counts.max(), rel=0.5)
    assert before < len(counts) <= before + 6
    assert all(np.diff(related.pair_source << 32 | related.pair_target) > 0)  # ordered, nothing twice
    assert ("cat", "il") not in counts


def test_progress_is_told():
    told = []
    pairs = ((source.split(), target.split()) for source, target in _TEXT)
    estimate(pairs, Languages("en", "xx"), progress=lambda what, share: told.append((what, share)))
    assert told[-1][1] == 1.0
    assert len({what for what, _ in told}) >= 3


# ---- the pronoun step ----


def _finder(pronouns="all"):
    source, target = load_language("en"), load_language("fr")
    lists = pair_lists(target, source, pronouns=pronouns)
    return Finder(lists, Matcher(), Matcher(), heuristic=True)


def _stepped(source, target, posterior, links, pronouns="all"):
    finder = _finder(pronouns)
    matrix = np.zeros((len(source), len(target)))
    for (i, j), value in posterior.items():
        matrix[i, j] = value
    return pronoun_step(finder.occurrences(source), target, Alignment(links, matrix), finder)


@pytest.mark.parametrize(
    ("posterior", "links", "expected"),
    [
        # it sees it / il le voit
        ({(0, 0): 0.9, (1, 2): 0.9, (2, 1): 0.9}, {0: [0], 1: [2], 2: [1]}, {0: [0], 1: [2], 2: [1]}),
        # a weak posterior for a likely translation is enough
        ({(0, 0): 0.9, (1, 2): 0.9, (2, 1): 0.05}, {0: [0], 1: [2]}, {0: [0], 1: [2], 2: [1]}),
        # both want il: the more probable one has it, the other what is left
        (
            {(0, 0): 0.4, (1, 2): 0.9, (2, 0): 0.3, (2, 1): 0.1},
            {0: [0], 1: [2], 2: [0]},
            {0: [0], 1: [2], 2: [1]},
        ),
        # ... unless both are certain
        ({(0, 0): 0.7, (1, 2): 0.9, (2, 0): 0.6}, {0: [0], 1: [2], 2: [0]}, {0: [0], 1: [2], 2: [0]}),
        # a likely translation is preferred to the verb, which stays linked
        (
            {(0, 0): 0.9, (1, 2): 0.9, (2, 1): 0.1, (2, 2): 0.3},
            {0: [0], 1: [2], 2: [2]},
            {0: [0], 1: [2], 2: [1, 2]},
        ),
        # a weak word that is no pronoun is no translation
        ({(0, 0): 0.9, (1, 2): 0.9, (2, 2): 0.005}, {0: [0], 1: [2]}, {0: [0], 1: [2], 2: [1]}),
        # no posterior at all: the paper's heuristic, around the links of the neighbours
        ({(1, 2): 0.9}, {1: [2]}, {0: [1], 1: [2]}),
    ],
)
def test_which_word_a_pronoun_gets(posterior, links, expected):
    assert _stepped(["it", "sees", "it"], ["il", "le", "voit"], posterior, links) == expected


def test_punctuation_translates_no_pronoun():
    assert _stepped(["it", "rains"], ["pleut", "!"], {(0, 1): 0.25, (1, 0): 0.9}, {1: [0]}) == {1: [0]}


def test_words_that_are_no_pronouns_keep_their_links():
    links = _stepped(["cats", "see", "it"], ["chats", "le", "voient"], {(2, 1): 0.4}, {0: [0], 1: [1, 2]})
    assert links == {0: [0], 1: [1, 2], 2: [1]}


@pytest.mark.parametrize("pronouns", ["all", "it,they"])
def test_the_papers_heuristic_changes_nothing_after_the_step(aligner, sources, targets, pronouns):
    finder = _finder(pronouns)
    for source, target, alignment in zip(sources, targets, aligner.align(sources, targets), strict=True):
        occurrences = finder.occurrences(source)
        links = pronoun_step(occurrences, target, alignment, finder)
        found = finder.translations(occurrences, target, links)
        assert all(translation.found is not Found.RESCUED for translation in found)


def test_the_step_on_real_sentences(aligner, sources, targets):
    finder = _finder()
    chosen = []
    for source, target, alignment in zip(sources, targets, aligner.align(sources, targets), strict=True):
        occurrences = finder.occurrences(source)
        found = finder.translations(occurrences, target, pronoun_step(occurrences, target, alignment, finder))
        chosen += [(o.form, *t.forms) for o, t in zip(occurrences, found, strict=True)]
    assert chosen == [
        ("it", "il"), ("it", "elle"), ("they", "ils"), ("that", "que"), ("we", "nous"), ("them", "les"),
        ("i", "je"), ("it", "le"), ("her", "lui"), ("he", "il"), ("its", "sa"), ("it", "elle"),
    ]  # fmt: skip


# ---- imports ----


def test_numpy_is_not_imported_at_start_up():
    code = "import apt, sys; print('numpy' in sys.modules, 'apt.align.lexical' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]
