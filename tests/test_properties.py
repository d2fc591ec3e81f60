"""Properties that hold for any text: hypothesis makes segments out of pronouns, words and random links."""

from hypothesis import given, settings
from hypothesis import strategies as st

from apt import APT, Case, Found

SOURCE_WORDS = ["'em", "it", "they", "he", "It", "that", "you", "IT", "works", "and", "the", "."]
TARGET_WORDS = [
    "il",
    "elle",
    "c'",
    "ce",
    "ça",
    "cela",
    "le",
    "l'",
    "les",
    "que",
    "on",
    "marche",
    "et",
    "-t-il",
    ".",
]


@st.composite
def segments(draw):
    """(source, reference, candidate, reference links, candidate links), pre-tokenised."""
    source = draw(st.lists(st.sampled_from(SOURCE_WORDS), max_size=8))
    sides = [draw(st.lists(st.sampled_from(TARGET_WORDS), max_size=8)) for _ in range(2)]
    links = []
    for side in sides:
        pairs = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(side) - 1))
        links.append(draw(st.lists(pairs, max_size=8)) if source and side else [])
    return " ".join(source), *(" ".join(side) for side in sides), *links


corpora = st.lists(segments(), min_size=1, max_size=6)
options = st.fixed_dictionaries(
    {
        "heuristic": st.booleans(),
        "other": st.sampled_from(["different", "equal", "missing"]),
        "pronouns": st.sampled_from([None, "all", "it"]),
        "weights": st.sampled_from(["1,0.5,0,0,0,0", "1,p,0,0,0,0.5"]),
    }
)


def score(corpus, **settings):
    sources, references, candidates, reference_links, candidate_links = zip(*corpus, strict=True)
    return APT(lang="fr", tokenize="none", **settings).corpus_score(
        candidates, references, sources, reference_links=reference_links, hypothesis_links=candidate_links
    )


def evidence(triple):
    """All of a triple but its segment's number and how words are written."""
    return (
        triple.position,
        triple.reference.found,
        triple.reference.positions,
        triple.candidate.found,
        triple.candidate.positions,
        triple.verdict,
    )


@given(corpora, options)
def test_cases_sum_to_occurrences(corpus, options):
    result = score(corpus, **options)
    assert sum(result.cases) == len(result.triples) == result.counts.total
    assert sum(result.confusion.values()) == len(result.triples)
    assert result.score is None or 0 <= result.score <= 1
    assert (result.score is None) == (not result.triples)


@given(corpora, options, st.data())
def test_merging_any_split_equals_scoring_whole(corpus, options, data):
    cut = data.draw(st.integers(0, len(corpus)))
    parts = [score(part, **options).counts for part in (corpus[:cut], corpus[cut:]) if part]
    whole = score(corpus, **options)
    total = sum(parts[1:], start=parts[0])
    assert total == whole.counts
    assert whole.scoring.score(total) == whole.score


@given(corpora, options)
def test_the_reference_scored_against_itself(corpus, options):
    same = [(source, reference, reference, links, links) for source, reference, _, links, _ in corpus]
    for triple in score(same, **options).triples:
        both_other = triple.candidate.found is Found.OTHER
        assert triple.reference == triple.candidate
        if both_other and options["other"] == "different":
            assert triple.case is Case.DIFFERENT
        elif both_other and options["other"] == "missing":
            assert triple.case is Case.BOTH_MISSING
        else:
            assert triple.case in (Case.IDENTICAL, Case.BOTH_MISSING)


@given(corpora, options)
def test_capitals_on_the_target_side_change_nothing(corpus, options):
    shouted = [(s, r.upper(), c.upper(), rl, cl) for s, r, c, rl, cl in corpus]
    assert list(map(evidence, score(shouted, **options).triples)) == list(
        map(evidence, score(corpus, **options).triples)
    )


@given(corpora, options, st.sampled_from("’ʼ"))
def test_apostrophes_on_either_side_change_nothing(corpus, options, sign):
    curled = [(*(text.replace("'", sign) for text in texts), rl, cl) for *texts, rl, cl in corpus]
    assert list(map(evidence, score(curled, **options).triples)) == list(
        map(evidence, score(corpus, **options).triples)
    )


@given(st.permutations(range(5)), st.lists(segments(), min_size=5, max_size=5), options)
@settings(max_examples=50)
def test_permuting_segments_permutes_triples_and_keeps_the_score(order, corpus, options):
    result = score(corpus, **options)
    permuted = score([corpus[n] for n in order], **options)
    assert permuted.score == result.score
    assert permuted.counts == result.counts
    expected = [evidence(triple) for n in order for triple in result.triples if triple.segment == n]
    assert list(map(evidence, permuted.triples)) == expected


@given(corpora)
def test_a_rescued_word_is_listed_free_and_used_once(corpus):
    """No word is rescued that another pronoun is linked to, and none twice."""
    result = score(corpus, pronouns="all")
    for number, (_, _, _, _, links) in enumerate(corpus):
        triples = [triple for triple in result.triples if triple.segment == number]
        rescued = [t.candidate.positions[0] for t in triples if t.candidate.found is Found.RESCUED]
        assert len(rescued) == len(set(rescued))
        for triple in triples:
            linked_elsewhere = {j for i, j in links if i in {t.position for t in triples} - {triple.position}}
            if triple.candidate.found is Found.RESCUED:
                assert triple.candidate.positions[0] not in linked_elsewhere
