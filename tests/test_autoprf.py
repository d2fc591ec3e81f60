"""AutoPRF: the arithmetic of 2010 on words counted by hand, its options, its command."""

import inspect
import pickle
import re

import pytest

from apt import __version__
from apt.comparing import Plan, compare
from autoprf import AutoPRF, OptionError


def score(*segments, docids=None, keep_segments=False, **settings):
    """AutoPRF of segments (source, reference, its links, candidate, its links)."""
    sources, references, reference_links, candidates, candidate_links = map(list, zip(*segments, strict=True))
    return AutoPRF(lang="fr", tokenize="none", **settings).corpus_score(
        candidates,
        references,
        sources,
        reference_links=reference_links,
        hypothesis_links=candidate_links,
        docids=docids,
        keep_segments=keep_segments,
    )


def shares(part):
    return part.sums.precision, part.sums.recall, part.sums.f1


# ---- one occurrence ----


@pytest.mark.parametrize(
    ("reference", "reference_links", "candidate", "candidate_links", "sums"),
    [
        # (matches, words linked in the candidate, words linked in the reference)
        ("il va", "0-0 1-1", "il va", "0-0 1-1", (1, 1, 1)),
        ("il va", "0-0 1-1", "elle va", "0-0 1-1", (0, 1, 1)),
        # Clipping: il is once in the reference, so one of the two in the candidate matches, and the reverse.
        ("il va", "0-0", "il il", "0-0 0-1", (1, 2, 1)),
        ("il il", "0-0 0-1", "il va", "0-0", (1, 1, 2)),
        ("il il", "0-0 0-1", "il il", "0-0 0-1", (2, 2, 2)),
        # A link written twice counts twice: il is twice in the candidate, then on both sides.
        ("il va", "0-0", "il va", "0-0 0-0", (1, 2, 1)),
        ("il va", "0-0 0-0", "il va", "0-0 0-0", (2, 2, 2)),
        # Several words: only la matches of {la, machine} and {cette, la}; order does not matter.
        ("la machine", "0-0 0-1", "cette la", "0-0 0-1", (1, 2, 2)),
        ("la machine", "0-0 0-1", "machine la", "0-0 0-1", (2, 2, 2)),
        # Any word counts, pronoun or not: there is no list.
        ("marche bien", "0-0", "marche mal", "0-0", (1, 1, 1)),
        # Linked on one side only: counted on that side.
        ("il va", "0-0", "il va", "1-1", (0, 0, 1)),
        ("il va", "1-1", "il va", "0-0", (0, 1, 0)),
        ("il va", "", "il va", "", (0, 0, 0)),
        # Links of other source words are none of its business.
        ("il va", "0-0 1-1", "va il", "1-0 1-1", (0, 0, 1)),
        # One apostrophe, one way to write é: the words are the same.
        ("c’ est", "0-0", "c' est", "0-0", (1, 1, 1)),
        ("e\u0301tat", "0-0", "\u00e9tat", "0-0", (1, 1, 1)),
        # Pre-tokenised words are taken as they stand, hyphen included.
        ("-il", "0-0", "il", "0-0", (0, 1, 1)),
    ],
)
def test_one_occurrence(reference, reference_links, candidate, candidate_links, sums):
    result = score(("it goes", reference, reference_links, candidate, candidate_links))
    assert result.sums == sums
    assert result.counts.total == 1


def test_the_words_tokenizer_takes_the_hyphen_off_a_clitic():
    """*va-t-il* is *va* and *-t-il*: the clitic is the same word as *il* before the verb."""
    result = AutoPRF(lang="fr").sentence_score(
        "il va", "va-t-il", "does it go", reference_links="1-1", hypothesis_links="1-0"
    )
    assert result.sums == (1, 1, 1)


# ---- sums ----


def test_precision_recall_and_f1_of_a_text():
    result = score(
        ("it goes", "il va", "0-0", "il il", "0-0 0-1"),  # 1 match, 2 candidate words, 1 reference word
        ("they go", "ils vont", "0-0", "on va", "0-0"),  # 0, 1, 1
        ("it goes", "il va", "0-0", "va", "1-0"),  # 0, 0, 1: counts in the reference although unlinked here
        ("it goes", "va", "1-0", "il va", "0-0"),  # 0, 1, 0
        ("hello", "bonjour", "0-0", "bonjour", "0-0"),  # no pronoun
    )
    # matches 1, candidate 2 + 1 + 0 + 1 = 4, reference 1 + 1 + 1 + 0 = 3
    assert result.sums == (1, 4, 3)
    assert result.precision == 1 / 4
    assert result.recall == 1 / 3
    assert result.f1 == pytest.approx(2 / 7, abs=1e-15)  # 2PR / (P + R) = (2/12) / (7/12)
    assert result.score == result.f1
    assert result.counts.total == 4
    assert result.undefined is None


def test_several_occurrences_in_a_segment_are_clipped_one_by_one():
    # it: {il} and {le}; they: {le} and {il}. Together the same words, one by one none.
    segment = ("it and they", "il et le", "0-0 2-2", "il et le", "0-2 2-0")
    assert score(segment).sums == (0, 2, 2)
    assert score(segment).f1 == 0
    assert score(segment, clip="corpus").sums == (2, 2, 2)


def test_clipping_over_the_corpus():
    segments = [
        ("it goes", "il va", "0-0", "il va", "0-0"),  # il | il
        ("it goes", "il va", "0-0", "elle va", "0-0"),  # il | elle
        ("they go", "elle va", "0-0", "elle va", "0-0"),  # elle | elle
        ("they go", "ils vont", "0-0", "il va", "1-1"),  # ils | nothing
    ]
    # Occurrence: il, nothing, elle, nothing match.
    assert score(*segments).sums == (2, 3, 4)
    # Corpus: candidate il 1, elle 2; reference il 2, elle 1, ils 1: il min(1, 2) + elle min(2, 1) + ils 0 = 2.
    assert score(*segments, clip="corpus").sums == (2, 3, 4)
    # With il and elle exchanged in one more segment the corpus matches both, the occurrence neither.
    more = [*segments, ("it goes", "elle va", "0-0", "il va", "0-0")]
    # Corpus: candidate il 2, elle 2; reference il 2, elle 2, ils 1: 2 + 2 + 0.
    assert score(*more).sums == (2, 4, 5)
    assert score(*more, clip="corpus").sums == (4, 4, 5)
    assert score(*more, clip="corpus").counts.word_counts() == {"elle": (2, 2), "il": (2, 2), "ils": (0, 1)}


def test_each_pronoun():
    segments = [
        ("it goes", "il va", "0-0", "ils va", "0-0"),
        ("they go", "ils vont", "0-0", "il vont", "0-0"),
        ("It goes", "il va", "0-0", "il va", "0-0"),
    ]
    parts = score(*segments).by_pronoun
    assert list(parts) == ["it", "they"]  # the more frequent first; It is it
    assert shares(parts["it"]) == (1 / 2, 1 / 2, 1 / 2)
    assert shares(parts["they"]) == (0, 0, 0)
    # Over the corpus: of all words il 2|2 and ils 1|1 match; of it il 1|2 (1 match) and ils 1|0;
    # of they none. Matches of the parts need not add up.
    result = score(*segments, clip="corpus")
    assert result.sums == (3, 3, 3)
    assert {name: part.sums for name, part in result.by_pronoun.items()} == {
        "it": (1, 2, 2),
        "they": (0, 1, 1),
    }


def test_each_document():
    segments = [
        ("it goes", "il va", "0-0", "il va", "0-0"),
        ("hello", "bonjour", "0-0", "bonjour", "0-0"),
        ("they go", "ils vont", "0-0", "elles vont", "0-0"),
        ("they go", "elles vont", "0-0", "ils vont", "0-0"),
    ]
    documents = ["a", "no pronouns", "b", "b"]
    result = score(*segments, docids=documents)
    assert list(result.by_document) == ["a", "no pronouns", "b"]
    assert shares(result.by_document["a"]) == (1, 1, 1)
    assert shares(result.by_document["no pronouns"]) == (None, None, None)
    assert shares(result.by_document["b"]) == (0, 0, 0)
    # Clipped over the document, ils and elles are on both sides once.
    assert shares(score(*segments, docids=documents, clip="corpus").by_document["b"]) == (1, 1, 1)
    assert score(*segments).by_document is None


@pytest.mark.parametrize("clip", ["occurrence", "corpus"])
def test_counts_of_pieces_add_up_to_the_whole(clip):
    segments = [
        ("it goes", "il va", "0-0", "elle va", "0-0"),
        ("it goes", "elle va", "0-0", "il va", "0-0"),
        ("they go", "ils vont", "0-0", "ils vont", "0-0 0-0"),
    ]
    whole = score(*segments, clip=clip, keep_segments=True)
    # Occurrence: 0 + 0 + 1. Corpus: candidate il, elle, 2 ils; reference il, elle, ils: 1 + 1 + 1.
    assert whole.sums == {"occurrence": (1, 4, 3), "corpus": (3, 4, 3)}[clip]
    pieces = score(*segments[:1], clip=clip).counts + score(*segments[1:], clip=clip).counts
    assert pieces == whole.counts
    assert pieces.sums(clip) == whole.sums
    first, second, third = whole.segment_counts
    assert first + second + third == whole.counts


# ---- undefined ----


@pytest.mark.parametrize("clip", ["occurrence", "corpus"])
@pytest.mark.parametrize(
    ("segment", "numbers", "reason"),
    [
        (("she goes", "elle va", "0-0", "elle va", "0-0"), (None, None, None), "no evaluated pronoun in the source"),
        (("it goes", "il va", "0-0", "va", "1-0"), (None, 0, None), "none of the 1 pronouns is linked to a word of the candidate"),
        (("it goes", "va", "1-0", "il va", "0-0"), (0, None, None), "none of the 1 pronouns is linked to a word of the reference"),
        (("it goes", "va", "", "va", ""), (None, None, None), "none of the 1 pronouns is linked to a word of the candidate"),
        (("it goes", "il va", "0-0", "elle va", "0-0"), (0, 0, 0), None),  # words on both sides: no match is 0
    ],
)  # fmt: skip
def test_what_cannot_be_divided_is_undefined(clip, segment, numbers, reason):
    result = score(segment, clip=clip)
    assert (result.precision, result.recall, result.f1) == numbers
    assert result.undefined == reason


# ---- capital letters, which words ----


def test_triggers_as_they_are_written():
    """The usual pronouns, also with a capital; IT and THEY are not, whatever is around them."""
    source = "It it IT iT They they THEY them"
    links = " ".join(f"{i}-{i}" for i in range(8))
    words = "a b c d e f g h"
    for case in ("mixed", "fold"):
        triples = score((source, words, links, words, links), case=case).triples
        assert [(t.position, t.pronoun) for t in triples] == [(0, "It"), (1, "it"), (4, "They"), (5, "they")]


@pytest.mark.parametrize(
    ("pronouns", "positions"),
    [("it", [1]), ("It", [0]), ("IT, them", [2, 4]), (["it", "It"], [0, 1]), (None, [0, 1, 3])],
)
def test_own_pronouns_are_taken_as_written(pronouns, positions):
    triples = score(("It it IT they them", "x", "", "x", ""), pronouns=pronouns).triples
    assert [triple.position for triple in triples] == positions


@pytest.mark.parametrize(
    ("reference", "candidate", "mixed", "fold"),
    [
        ("Il", "Il", 1, 1),
        ("Il", "il", 0, 1),
        ("il", "IL", 0, 1),
        ("École", "école", 0, 1),
        ("il", "ils", 0, 0),
    ],
)
def test_case_of_the_words_compared(reference, candidate, mixed, fold):
    segment = ("It", reference, "0-0", candidate, "0-0")
    assert score(segment).sums.matches == mixed
    assert score(segment, case="mixed").sums.matches == mixed
    assert score(segment, case="fold").sums.matches == fold


def test_case_is_kept_when_words_are_counted_over_the_corpus():
    segments = [
        ("It", "Il", "0-0", "il", "0-0"),
        ("it", "il", "0-0", "Il", "0-0"),
        ("it", "il", "0-0", "il", "0-0"),
    ]
    # Mixed: Il 1|1, il 2|2: all three match over the corpus, one occurrence does. Folded: all three.
    assert score(*segments).sums.matches == 1
    assert score(*segments, clip="corpus").sums.matches == 3
    assert score(*segments[:1], clip="corpus").sums.matches == 0
    assert score(*segments[:1], clip="corpus", case="fold").sums.matches == 1


def test_positions_replace_the_choice_by_word():
    segments = [("it goes", "il va", "0-0 1-1", "elle va", "0-0 1-1")] * 2
    result = score(*segments, positions=[(1, 1)])
    assert result.sums == (1, 1, 1)  # goes: va, va
    assert [(t.segment, t.pronoun) for t in result.triples] == [(1, "goes")]


# ---- the library ----


def test_one_reference_only():
    with pytest.raises(OptionError, match="AutoPRF compares with one reference"):
        AutoPRF(lang="fr").sentence_score(
            "il", ["il", "elle"], "it", reference_links=["0-0"] * 2, hypothesis_links="0-0"
        )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"clip": "segment"}, "clip: unknown value 'segment'. Available: occurrence, corpus"),
        ({"clip": None}, "clip: unknown value None"),
        ({"case": "lower"}, "case: unknown value 'lower'. Available: mixed, fold"),
        ({"tokenize": "13a"}, "tokenize: unknown value '13a'. Available: words, none"),
        ({"pronouns": ""}, "pronouns: expected words separated by commas, found ''"),
        ({"pronouns": "it,,they"}, "pronouns: expected words separated by commas, found 'it,,they'"),
        ({"source_lang": "xx"}, "unknown language 'xx'. Available: de, en, es, fr"),
    ],
)
def test_wrong_values(settings, message):
    with pytest.raises(OptionError, match=re.escape(message)):
        AutoPRF(**({"lang": "fr"} | settings))


def test_a_result_can_be_pickled():
    result = score(("it goes", "il va", "0-0", "il va", "0-0"), keep_segments=True)
    assert pickle.loads(pickle.dumps(result)) == result


# ---- signature ----

BASE = {"lang": "fr"}
# Every option with another value. check_links is absent: it changes what is checked, not a number.
FLIPS = [
    {"lang": "de"},
    {"source_lang": "fr", "lang": "en"},
    {"pronouns": "it"},
    {"pronouns": "It"},
    {"positions": [(0, 0)]},
    {"positions": [(0, 1)]},
    {"clip": "corpus"},
    {"case": "fold"},
    {"tokenize": "none"},
    {"lenient_links": True},
    {"possible_links": True},
]
# `lists` has a test of its own; the others need a file or a model, as for APT.
ELSEWHERE = {"lists", "aligner", "lexicon", "align_method", "notify"}


def test_default_signature():
    signature = str(AutoPRF(**BASE).get_signature())
    assert re.sub(r"@[0-9a-f-]{8,}", "@…", signature) == (
        "AutoPRF|nrefs:1|lang:en-fr|pronouns:It,They,it,they|clip:occurrence|align:lexical@…|tok:words@…"
        f"|case:mixed|version:{__version__}"
    )


def test_every_option_changes_the_signature():
    signatures = [str(AutoPRF(**(BASE | flip)).get_signature()) for flip in ({}, *FLIPS)]
    assert len(set(signatures)) == len(FLIPS) + 1
    options = set(inspect.signature(AutoPRF.__init__).parameters) - {"self", "check_links"} - ELSEWHERE
    assert options == {option for flip in FLIPS for option in flip}


@pytest.mark.parametrize(
    "content", ['code = "fr"\n[tokenizer]\nelisions = ["z\'"]\n', 'code = "en"\n[source]\ndefault = ["it"]\n']
)
def test_own_lists_change_the_signature(own, content):
    """Where they change a number: by the tokenizer's rules and by the usual pronouns."""
    assert str(AutoPRF(**BASE, lists=own(content)).get_signature()) != str(AutoPRF(**BASE).get_signature())


def test_given_links_change_the_signature():
    def signature(links):
        return str(score(("it goes", "il va", "0-0", "il va", links)).signature)

    assert re.search(r"\|align:given@[0-9a-f]{8}\|", signature("0-0"))
    assert signature("0-0") != signature("0-0 0-0")


def test_clitic_pronouns_of_the_source_are_found():
    """va-t-il is split by the package, so its hyphens do not hide il."""
    result = AutoPRF("en", source_lang="fr").sentence_score(
        "Does it go ?", "Does it go ?", "Va-t-il ?", reference_links="1-1", hypothesis_links="1-1"
    )
    assert (result.counts.total, result.f1) == (1, 1.0)


def test_results_with_different_clip_are_not_compared():
    results = {
        clip: AutoPRF("fr", clip=clip).corpus_score(
            ["il va", "il va"], ["il va", "il va"], ["it goes", "it goes"], keep_segments=True
        )
        for clip in ("occurrence", "corpus")
    }
    with pytest.raises(OptionError, match="different clip"):
        compare(results, Plan(randomization=5))


def test_a_list_for_a_third_language_is_an_error(tmp_path):
    path = tmp_path / "de.toml"
    path.write_text('code = "de"\n')
    with pytest.raises(OptionError, match="a list for 'de' is given, but the languages are en-fr"):
        AutoPRF("fr", lists=path)
