"""Links by simalign: with a tiny BERT made here, against simalign itself and on what simalign fails on."""

import random
import shutil
from itertools import product
from pathlib import Path

import pytest
from simalign_models import WORDS, change_weights, make_bert, refuse_network, sentences, simalign

from apt.align.aligners import METHODS
from apt.align.simalign_backend import SimalignAligner


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    refuse_network(monkeypatch)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> str:
    """Takes 510 subwords, like the real ones."""
    return str(make_bert(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture(scope="session")
def tying(tiny, tmp_path_factory) -> str:
    """Does not know where a word stands, so that a word is the same wherever it does."""
    folder = Path(shutil.copytree(tiny, tmp_path_factory.mktemp("models") / "tying"))
    change_weights(folder, lambda name, weight: weight * 0 if "position_embeddings" in name else weight)
    return str(folder)


@pytest.fixture(scope="session")
def short(tmp_path_factory) -> str:
    """Takes 32 subwords."""
    return str(make_bert(tmp_path_factory.mktemp("models") / "short", positions=34))


@pytest.fixture(scope="session")
def aligners(tiny) -> dict[str, SimalignAligner]:
    return {method: SimalignAligner(tiny, method) for method in METHODS}


@pytest.fixture(scope="session")
def aligner(aligners) -> SimalignAligner:
    return aligners["itermax"]


@pytest.fixture(scope="session")
def short_aligner(short) -> SimalignAligner:
    return SimalignAligner(short)


def check_form(links, source, target):
    """Positions in range and ascending, no empty entries."""
    assert list(links) == sorted(links)
    for i, targets in links.items():
        assert 0 <= i < len(source)
        assert targets == sorted(set(targets)) != []
        assert 0 <= targets[0] <= targets[-1] < len(target)


def diagonal(words):
    return {i: [i] for i in range(len(words))}


# ---- links ----


def by_simalign(model, method, sources, targets):
    """What `get_word_aligns` gives, in our form."""
    import simalign

    letter = {"mwmf": "m", "inter": "a", "itermax": "i"}[method]
    original = simalign.SentenceAligner(model=model, matching_methods=letter)
    results = []
    for source, target in zip(sources, targets, strict=True):
        links = {}
        for i, j in original.get_word_aligns(source, target)[method]:
            links.setdefault(i, []).append(j)
        results.append(links)
    return results


@simalign
@pytest.mark.parametrize("method", METHODS)
def test_links_are_those_of_simalign_where_it_has_no_trouble(tiny, aligners, method):
    sources, targets = sentences(30, 12, seed=1), sentences(30, 12, seed=2)
    links = aligners[method].align(sources, targets)
    assert links == by_simalign(tiny, method, sources, targets)
    for entry in zip(links, sources, targets, strict=True):
        check_form(*entry)


@simalign
def test_the_methods_differ(aligners):
    """Or the test above would not show that the right one is taken."""
    sources, targets = sentences(30, 12, seed=1), sentences(30, 12, seed=2)
    results = [aligners[method].align(sources, targets) for method in METHODS]
    assert results[0] != results[1] != results[2] != results[0]


@simalign
@pytest.mark.parametrize("method", METHODS)
def test_a_sentence_and_itself(aligners, method):
    """Every subword is most like itself, so every word has itself among its links."""
    words = ["when", "it", "works", ",", "they", "see", "the", "cat"]
    (links,) = aligners[method].align([words], [words])
    assert all(i in links[i] for i in range(len(words)))
    if method != "itermax":  # which goes on to link subwords a second time
        assert links == diagonal(words)


@simalign
@pytest.mark.parametrize(("model", "method"), [("tiny", "itermax"), ("tying", "inter")])
def test_a_pairs_links_depend_on_that_pair_alone(request, model, method):
    """Alone, in any order, in any batch; also where equal words are exactly equally similar."""
    folder = request.getfixturevalue(model)
    sources, targets = sentences(40, 25, seed=3), sentences(40, 25, seed=4)
    expected = SimalignAligner(folder, method, batch_size=1).align(sources, targets)
    order = list(range(40))
    random.Random(1).shuffle(order)
    for batch_size in (3, 100):
        aligner = SimalignAligner(folder, method, batch_size=batch_size)
        links = aligner.align([sources[n] for n in order], [targets[n] for n in order])
        assert links == [expected[n] for n in order]


@simalign
def test_a_tie_goes_to_the_first_word(tying):
    words = ["it", "cat", "it", "cat", "they", "it"]
    (links,) = SimalignAligner(tying, "inter").align([words], [words])
    assert links == {0: [0], 1: [1], 4: [4]}


@simalign
def test_a_near_tie_is_decided_by_similarity_and_not_by_order(tying, tmp_path):
    """Two words whose vectors differ so little that single precision has them equal."""
    folder = Path(shutil.copytree(tying, tmp_path / "near"))
    one, other = 5 + WORDS.index("cat"), 5 + WORDS.index("chat")  # behind five special tokens

    def nearly_equal(name, weight):
        if name == "embeddings.word_embeddings.weight":
            weight[one, 0] = 0
            weight[other] = weight[one]
            weight[other, 0] = 5e-10
        return weight

    change_weights(folder, nearly_equal)
    aligner = SimalignAligner(str(folder), "inter")
    links = aligner.align([["it"], ["it"]], [["cat", "chat"], ["chat", "cat"]])
    assert links in ([{0: [0]}, {0: [1]}], [{0: [1]}, {0: [0]}])


@simalign
def test_sides_of_different_number_are_an_error(aligner):
    with pytest.raises(ValueError, match="shorter"):
        aligner.align([["it"], ["they"]], [["il"]])


# ---- what simalign fails on ----


@simalign
def test_empty_sides_have_no_links(aligner):
    assert aligner.align([], []) == []
    assert aligner.align([[], ["it"], []], [["il"], [], []]) == [{}, {}, {}]
    # ... and do not shift those of other pairs.
    assert aligner.align([[], ["it"]], [["il"], ["il"]]) == [{}, {0: [0]}]


WITHOUT_SUBWORDS = ["\u200b", "\x00", "\x07", "", " ", "\u00ad", "\ufe0f"]


@simalign
@pytest.mark.parametrize("odd", WITHOUT_SUBWORDS, ids=ascii)
@pytest.mark.parametrize("method", METHODS)
def test_a_word_without_subwords_has_no_links_and_changes_no_others(aligners, method, odd):
    source, target = ["it", "works", "when", "they", "see"], ["quand", "ils", "marche", "le"]
    (plain,) = aligners[method].align([source], [target])
    (links,) = aligners[method].align(
        [[odd, *source[:2], odd, odd, *source[2:]]], [[*target[:1], odd, *target[1:]]]
    )
    new_i, new_j = [1, 2, 5, 6, 7], [0, 2, 3, 4]
    assert links == {new_i[i]: [new_j[j] for j in targets] for i, targets in plain.items()}


@simalign
def test_a_side_of_nothing_but_words_without_subwords(aligner):
    assert aligner.align([WITHOUT_SUBWORDS], [["il"]]) == [{}]
    assert aligner.align([["it"]], [WITHOUT_SUBWORDS]) == [{}]


# ---- long pairs ----


@simalign
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("length", [510, 511, 600, 2000])
def test_nothing_of_a_long_sentence_is_cut_off(aligners, method, length):
    """Every word finds itself, far behind the 510th subword too."""
    words = random.Random(1).choices(WORDS, k=length)
    (links,) = aligners[method].align([words], [words])
    check_form(links, words, words)
    if method == "itermax":
        assert all(i in links[i] for i in range(length))
    else:
        assert links == diagonal(words)


@simalign
def test_what_just_fits_is_one_window(short):
    """32 subwords are aligned as a whole, as by simalign; of 33 simalign makes nothing."""
    source, target = (random.Random(n).choices(WORDS, k=32) for n in (1, 2))
    aligner = SimalignAligner(short)
    assert aligner.align([source], [target]) == by_simalign(short, "itermax", [source], [target])
    with pytest.raises((RuntimeError, IndexError)):
        by_simalign(short, "itermax", [[*source, "it"]], [target])
    check_form(aligner.align([[*source, "it"]], [target])[0], [*source, "it"], target)


@simalign
def test_windows_are_those_documented(short, short_aligner):
    """By hand: 48 words a side, one subword each; 32 fit, 16 of them core and 8 either side context.

    So 3 windows: words 0-23, 8-39, 24-47, of which those of the source in 0-15, 16-31, 32-47 count.
    """
    source, target = (random.Random(n).choices(WORDS, k=48) for n in (1, 2))
    expected = {}
    for first, last, core in ((0, 24, range(16)), (8, 40, range(16, 32)), (24, 48, range(32, 48))):
        (part,) = by_simalign(short, "itermax", [source[first:last]], [target[first:last]])
        for i, targets in part.items():
            if i + first in core:
                expected[i + first] = [j + first for j in targets]
    assert short_aligner.align([source], [target]) == [expected]


@simalign
def test_sides_of_very_different_length(short, short_aligner):
    """Opposite a part of the long side stands the same share of the short one, or all of it.

    By hand: 300 words make 19 windows of 16 at most, with 8 either side; two words fit into any context.
    """
    few, many = ["il", "marche"], random.Random(1).choices(WORDS, k=300)
    cores = [range(n * 300 // 19, (n + 1) * 300 // 19) for n in range(19)]
    firsts = [max(core.start - 8, 0) for core in cores]
    parts = [many[first : core.stop + 8] for first, core in zip(firsts, cores, strict=True)]
    few_first, many_first = {}, {}
    from_few = by_simalign(short, "itermax", [few] * 19, parts)
    from_many = by_simalign(short, "itermax", parts, [few] * 19)
    for core, first, one, other in zip(cores, firsts, from_few, from_many, strict=True):
        for i, targets in one.items():
            few_first.setdefault(i, []).extend(j + first for j in targets if j + first in core)
        many_first |= {i + first: targets for i, targets in other.items() if i + first in core}
    assert short_aligner.align([few, many], [many, few]) == [few_first, many_first]


@simalign
@pytest.mark.parametrize("number", [1, 2, 37, 38, 100])
def test_every_word_of_a_long_pair_is_looked_at(short_aligner, monkeypatch, number):
    """300 words of two subwords make 38 windows, whichever side they are and however few stand opposite."""
    from simalign.simalign import EmbeddingLoader

    seen = set()
    embed = EmbeddingLoader.get_embed_list

    def watched(loader, sides):
        seen.update(word for side in sides for word in side)
        return embed(loader, sides)

    monkeypatch.setattr(EmbeddingLoader, "get_embed_list", watched)
    words = [a + b for a, b in product("abcdefghijklmnopqrst", repeat=2) if a + b not in WORDS]
    many, few = words[:300], random.Random(1).choices(WORDS, k=number)
    for source, target in ((few, many), (many, few)):
        seen.clear()
        (links,) = short_aligner.align([source], [target])
        check_form(links, source, target)
        assert seen == {*many, *few}


@simalign
def test_a_word_is_found_wherever_it_stands_in_a_long_target(tying):
    """The only word of the source, once among 3000 others: 12 windows."""
    others = random.Random(1).choices([word for word in WORDS if word != "quand"], k=3000)
    aligner = SimalignAligner(tying, "inter")
    for position in (0, 1000, 1333, 1650, 2999):
        (links,) = aligner.align([["quand"]], [[*others[:position], "quand", *others[position + 1 :]]])
        assert position in links[0]


@simalign
def test_a_long_pair_does_not_disturb_others(short_aligner):
    long = random.Random(1).choices(WORDS, k=100)
    pairs = [(["it", "works"], ["il", "marche"]), (long, long[::-1]), (["they"], ["ils"])]
    together = short_aligner.align([s for s, _ in pairs], [t for _, t in pairs])
    assert together == [short_aligner.align([s], [t])[0] for s, t in pairs]


@simalign
def test_a_single_word_that_is_too_long(aligner):
    """A dotted line has a subword a dot: more than fit."""
    (links,) = aligner.align([["the", "." * 1500, "cat"]], [["le", "." * 1500, "chat"]])
    assert 1 in links[1]
    assert set(links) <= {0, 1, 2}


@simalign
def test_ten_thousand_words(short_aligner):
    words = random.Random(1).choices(WORDS, k=10_000)
    (links,) = short_aligner.align([words], [words])
    assert all(i in links[i] for i in range(10_000))
