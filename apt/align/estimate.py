"""A lexicon from parallel text: what the embedded aligner infers with, estimated once.

In go tokenised segment pairs, out comes a `Lexicon`. Two alignment models, one a direction, are estimated
together by EM, first without regard to positions (model 1), then as hidden Markov models. A link counts as
much as the geometric mean of what both directions think of it: a softer form of the agreement of Liang,
Taskar & Klein (2006), whose product drives the rarer translations of pronouns to nothing, while counting
each direction for itself lets rare words attract everything.

e, i, I: source words, their positions, their number; f, j, J: those of the target; b: a pair of a batch.
Memory is bounded: 8 bytes a word of text, and `MOST_PAIRS` word pairs while those that occur together are
counted. The result depends on nothing but the text and the options.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from apt.align.hmm import Floats, Ints, Jumps, Model, first_jumps
from apt.align.lexicon import Lexicon, Vocabulary
from apt.align.pairindex import PairIndex
from apt.errors import InputError
from apt.normalize import word_key

MOST_PAIRS = 20_000_000
_BATCH_CELLS = 400_000
_CHUNK_CELLS = 10_000_000
_UNKNOWN_SHARE = 1e-6  # unigram probability of one unknown word
_JUMP_SMOOTHING = 1e-4
_LONGEST = 80
_MOST_UNEQUAL, _SLACK = 3, 3  # a side may have three times the words of the other, and three more
_DUST = 0.01  # expected links not worth the time it takes to add them up

Pairs = Iterable[tuple[Sequence[str], Sequence[str]]]
Progress = Callable[[str, float], None]  # what is being done, and which share of it is done


@dataclass(frozen=True)
class Options:
    """How a lexicon is estimated."""

    least_word_count: int = 2  # rarer words are unknown ones
    longest: int = 100  # words a side; longer segments say little about words and cost much
    pairs_a_word: int = 150  # word pairs followed for each word, the most strongly associated ones
    frequent: int = 1000  # among so many most frequent words of each side every pair is followed
    model1_rounds: int = 3
    markov_rounds: int = 4
    null: float = 0.2  # probability that a word comes from nothing
    smoothing: float = 0.05  # expected links that every followed pair is given
    least_count: float = 0.3  # expected links of a pair that is kept in the lexicon ...
    least_probability: float = 3e-4  # ... and its probability in one direction or the other


@dataclass(frozen=True)
class Languages:
    """What the words are: codes, and what ties a clitic to the word before it (see `Lexicon`)."""

    source: str
    target: str
    linkers: tuple[str, ...] = ("-",)
    origin: str = ""


def estimate(
    pairs: Pairs,
    languages: Languages,
    options: Options = Options(),
    progress: Progress = lambda what, share: None,
) -> Lexicon:
    """EM over tokenised segment pairs; they are read once."""
    source, target = _read(pairs, languages.linkers, options)
    if not source.words or not target.words:
        raise InputError(
            f"nothing to estimate from: no words that occur {options.least_word_count} times on each side, "
            f"in segment pairs of 1 to {options.longest} words"
        )
    rounds = _Rounds(source, target, _candidates(source, target, options, progress), options)
    number = options.model1_rounds + options.markov_rounds
    for n in range(number):
        what = f"round {n + 1} of {number}"
        rounds.run(n >= options.model1_rounds, lambda share, what=what: progress(what, share))  # type: ignore[misc]
    return rounds.lexicon(languages)


def is_usable(source_length: int, target_length: int) -> bool:
    """Neither empty nor very long, and of comparable length: what differs much is no translation."""
    shorter, longer = sorted((source_length, target_length))
    return shorter > 0 and longer <= min(_LONGEST, _MOST_UNEQUAL * shorter + _SLACK)


def with_related(
    lexicon: Lexicon, source_words: Collection[str], target_words: Collection[str], share: float = 0.03
) -> Lexicon:
    """The lexicon with a least count for every pair of related words: the pronouns of both languages.

    Where a pronoun has none of its usual translations, another pronoun is a better guess than any other word,
    and EM drives such pairs to nothing. The count is a share of the smaller total of the two words, of links
    among related words only: *le* is an article far more often than a pronoun.
    """
    e, f = (
        np.array(sorted(side.numbers[word] for word in words if word in side.numbers), np.int64)
        for side, words in ((lexicon.source, source_words), (lexicon.target, target_words))
    )
    related = np.isin(lexicon.pair_source, e) & np.isin(lexicon.pair_target, f)
    counts = np.where(related, lexicon.pair_counts, 0.0)
    of_e = np.bincount(lexicon.pair_source, counts, len(lexicon.source.words))[e]
    of_f = np.bincount(lexicon.pair_target, counts, len(lexicon.target.words))[f]
    floor = share * np.minimum(of_e[:, None], of_f[None, :])
    keys = np.concatenate((lexicon.pair_source << 32 | lexicon.pair_target, (e[:, None] << 32 | f).ravel()))
    pairs, places = np.unique(keys, return_inverse=True)
    raised = np.zeros(len(pairs))
    np.maximum.at(raised, places, np.concatenate((lexicon.pair_counts, floor.ravel())))
    return replace(lexicon, pair_source=pairs >> 32, pair_target=pairs & 0xFFFFFFFF, pair_counts=raised)


# ---- the text as numbers ----


@dataclass(frozen=True)
class _Side:
    """One side of the text: its words by falling frequency, how often they occur, and the text as numbers.

    -1 stands for a word that is too rare to have a number.
    """

    words: tuple[str, ...]
    counts: Ints
    text: Ints
    starts: Ints

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    def padded(self, rows: Ints) -> Ints:
        """The segments of these rows, filled up with -1."""
        lengths = self.lengths[rows]
        places = np.arange(lengths.max())
        at = np.minimum(self.starts[rows][:, None] + places, len(self.text) - 1)
        return np.where(places < lengths[:, None], self.text[at], -1)

    def shares(self) -> Floats:
        """Unigram probabilities; the last place is that of unknown words, so that -1 finds it."""
        return np.append(self.counts / max(len(self.text), 1), _UNKNOWN_SHARE).astype(np.float32)


class _Reader:
    """Turns words into numbers as they arrive, and numbers them by frequency at the end."""

    def __init__(self, linkers: tuple[str, ...]) -> None:
        self._linkers = linkers
        self._keys: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._text = array("i")
        self._starts = array("q", [0])

    def add(self, words: Sequence[str]) -> None:
        self._text.extend([self._number(word) for word in words])
        self._starts.append(len(self._text))

    def _number(self, word: str) -> int:
        key = self._keys.get(word)
        if key is None:
            key = self._keys[word] = word_key(word, self._linkers)
        return self._numbers.setdefault(key, len(self._numbers))

    def side(self, least_count: int) -> _Side:
        text = np.frombuffer(self._text, np.int32)
        words = list(self._numbers)
        counts = np.bincount(text, minlength=len(words))
        # Of equally frequent words the alphabet decides: the order of the text must not matter.
        kept = [n for n in range(len(words)) if counts[n] >= least_count]
        kept.sort(key=lambda n: (-counts[n], words[n]))
        numbers = np.full(len(words), -1, np.int32)
        numbers[kept] = np.arange(len(kept), dtype=np.int32)
        starts = np.frombuffer(self._starts, np.int64)
        return _Side(tuple(words[n] for n in kept), counts[kept], numbers[text], starts)


def _read(pairs: Pairs, linkers: tuple[str, ...], options: Options) -> tuple[_Side, _Side]:
    """Both sides as numbers; pairs with an empty or a very long side are left out."""
    source, target = _Reader(linkers), _Reader(linkers)
    for source_words, target_words in pairs:
        if 0 < len(source_words) <= options.longest and 0 < len(target_words) <= options.longest:
            source.add(source_words)
            target.add(target_words)
    return source.side(options.least_word_count), target.side(options.least_word_count)


@dataclass(frozen=True)
class _Batch:
    """Padded word numbers [B, I] and [B, J], and the lengths."""

    e: Ints
    f: Ints
    source_lengths: Ints
    target_lengths: Ints


def _batches(source: _Side, target: _Side) -> Iterator[tuple[_Batch, float]]:
    """All pairs, those of similar length together, and which share of the work is done with each."""
    order = np.lexsort((source.lengths, target.lengths))
    widths, heights = source.lengths[order].tolist(), target.lengths[order].tolist()
    total = max(sum(w * h for w, h in zip(widths, heights, strict=True)), 1)
    at, done = 0, 0
    while at < len(order):
        width, end = 0, at
        while end < len(order):
            wider = max(width, widths[end])
            if end > at and (end - at + 1) * wider * heights[end] > _BATCH_CELLS:
                break
            width, end = wider, end + 1
            done += widths[end - 1] * heights[end - 1]
        rows = order[at:end]
        batch = _Batch(source.padded(rows), target.padded(rows), source.lengths[rows], target.lengths[rows])
        yield batch, done / total
        at = end


# ---- which word pairs to follow ----


@dataclass(frozen=True)
class _Table:
    """Word pairs, ordered by e then f, with their expected link counts."""

    e: Ints
    f: Ints
    counts: Floats


def _candidates(source: _Side, target: _Side, options: Options, progress: Progress) -> _Table:
    """The best associated pairs of every word on either side, and all pairs of the most frequent words.

    Association is c(e,f)² / (c(e) c(f)), c(e,f) being how often the words stand in one segment pair. It would
    drop the rarer translations of pronouns (*our* … *nous*), hence the frequent words.
    """
    keys, counts = _cooccurrences(source, target, progress)
    e, f = keys >> 32, keys & 0xFFFFFFFF
    strength = counts / source.counts[e] * (counts / target.counts[f])
    kept = (e < options.frequent) & (f < options.frequent)
    for word in (e, f):
        kept |= _best_of_each(word, strength, options.pairs_a_word)
    e, f, strength = e[kept].astype(np.int32), f[kept].astype(np.int32), strength[kept]
    return _Table(e, f, np.minimum(strength, 1) * np.sqrt(source.counts[e] * target.counts[f]))


def _cooccurrences(source: _Side, target: _Side, progress: Progress) -> tuple[Ints, Ints]:
    keys: Ints = np.empty(0, np.int64)
    counts: Ints = np.empty(0, np.int64)
    found: list[Ints] = []
    held = 0
    for batch, done in _batches(source, target):
        cells = (batch.e.astype(np.int64)[:, :, None] << 32) | batch.f.astype(np.int64)[:, None, :]
        found.append(cells[(batch.e >= 0)[:, :, None] & (batch.f >= 0)[:, None, :]])
        held += len(found[-1])
        if held > _CHUNK_CELLS:
            keys, counts = _add_up(keys, counts, np.concatenate(found))
            found, held = [], 0
            progress("counting word pairs", done)
    return _add_up(keys, counts, np.concatenate(found)) if found else (keys, counts)


def _add_up(keys: Ints, counts: Ints, found: Ints) -> tuple[Ints, Ints]:
    more, more_counts = np.unique(found, return_counts=True)
    both = np.concatenate((keys, more))
    order = np.argsort(both, kind="stable")
    both, both_counts = both[order], np.concatenate((counts, more_counts))[order]
    first = np.flatnonzero(np.diff(both, prepend=-1))
    keys, counts = both[first], np.add.reduceat(both_counts, first) if len(first) else both_counts
    least = 1
    while len(keys) > MOST_PAIRS:  # what has been rarest so far is forgotten
        least += 1
        kept = counts >= least
        keys, counts = keys[kept], counts[kept]
    return keys, counts


def _best_of_each(word: Ints, strength: Floats, most: int) -> NDArray[np.bool_]:
    """Marks the strongest entries of every word; of equally strong ones the earlier."""
    order = np.lexsort((-strength, word))
    first = np.flatnonzero(np.diff(word[order], prepend=-1))
    rank = np.arange(len(word)) - np.repeat(first, np.diff(np.append(first, len(word))))
    best = np.zeros(len(word), np.bool_)
    best[order[rank < most]] = True
    return best


# ---- expectation and maximisation ----


class _Rounds:
    """EM over one text: holds what changes from round to round, link counts and jumps."""

    def __init__(self, source: _Side, target: _Side, table: _Table, options: Options) -> None:
        self._source, self._target, self._options = source, target, options
        self._table = table
        self._index = PairIndex(table.e, table.f)
        self._jumps = (first_jumps(), first_jumps())
        self._shares = (source.shares(), target.shares())

    def run(self, markov: bool, progress: Callable[[float], None]) -> None:
        """One pass over the text."""
        directions = [
            _Direction(self._jumps[n], self._options.null, markov, np.append(given, np.float32(0)))
            for n, given in enumerate(self._probabilities())
        ]
        links = np.zeros(len(self._table.counts))
        for batch, done in _batches(self._source, self._target):
            places = self._index.places(batch.e[:, :, None], batch.f[:, None, :])
            lengths = (batch.source_lengths, batch.target_lengths)
            one = directions[0].posterior(places.transpose(2, 0, 1), self._shares[1][batch.f].T, *lengths)
            other = directions[1].posterior(
                places.transpose(1, 0, 2), self._shares[0][batch.e].T, *reversed(lengths)
            )
            one, other = one.transpose(1, 2, 0), other.transpose(1, 0, 2)
            both = np.sqrt(one * other)
            counted = (both > _DUST) & (places >= 0)
            np.add.at(links, places[counted], both[counted])
            progress(done)
        self._table = replace(self._table, counts=links)
        if markov:
            self._jumps = (directions[0].new_jumps(), directions[1].new_jumps())

    def _probabilities(self) -> tuple[Floats, Floats]:
        """t(f | e) and t(e | f) of every followed pair."""
        e, f = self._table.e, self._table.f
        counts = self._table.counts + self._options.smoothing
        of_e = np.bincount(e, counts, len(self._source.words))
        of_f = np.bincount(f, counts, len(self._target.words))
        return (counts / of_e[e]).astype(np.float32), (counts / of_f[f]).astype(np.float32)

    def lexicon(self, languages: Languages) -> Lexicon:
        """What is worth keeping: pairs that are linked at all, and not too improbable both ways."""
        e, f, counts = self._table.e, self._table.f, self._table.counts
        of_e = np.maximum(np.bincount(e, counts, len(self._source.words)), 1e-9)
        of_f = np.maximum(np.bincount(f, counts, len(self._target.words)), 1e-9)
        probable = np.maximum(counts / of_e[e], counts / of_f[f]) >= self._options.least_probability
        kept = probable & (counts >= self._options.least_count)
        source, pair_source = _vocabulary(self._source, e[kept])
        target, pair_target = _vocabulary(self._target, f[kept])
        return Lexicon(
            languages.source,
            languages.target,
            source,
            target,
            pair_source,
            pair_target,
            counts[kept],
            *self._jumps,
            languages.linkers,
            languages.origin,
        )


class _Direction:
    """One direction during one round; adds up the jumps it sees."""

    def __init__(self, jumps: Jumps, null: float, markov: bool, given: Floats) -> None:
        self._model = Model(jumps, null)
        self._markov = markov
        self._given = given
        self._seen: list[Jumps] = []

    def posterior(
        self, places: Ints, null_emission: Floats, given_lengths: Ints, generated_lengths: Ints
    ) -> Floats:
        """Posteriors [generated, B, given] for the places of the pairs in that layout."""
        emission = self._given[places]
        if not self._markov:
            emission *= ((1 - self._model.null) / given_lengths).astype(np.float32)[None, :, None]
            emission /= emission.sum(2, keepdims=True) + (self._model.null * null_emission)[:, :, None]
            return emission
        result = self._model.expectations(emission, null_emission, given_lengths, generated_lengths, True)
        assert result.jumps is not None
        self._seen.append(result.jumps)
        return result.posterior

    def new_jumps(self) -> Jumps:
        return Jumps(*(self._normalised(name) for name in ("between", "first", "last")))

    def _normalised(self, name: str) -> Floats:
        counts: Floats = np.array([getattr(jumps, name) for jumps in self._seen]).sum(0, dtype=np.float64)
        smoothed: Floats = counts / max(counts.sum(), 1e-9) + _JUMP_SMOOTHING / len(counts)
        normalised: Floats = smoothed / smoothed.sum()
        return normalised


def _vocabulary(side: _Side, used: Ints) -> tuple[Vocabulary, Ints]:
    """The words that have pairs, numbered anew, and the new numbers of `used`."""
    kept, numbers = np.unique(used, return_inverse=True)
    words = tuple(side.words[n] for n in kept.tolist())
    return Vocabulary(words, side.counts[kept].astype(np.float64), float(max(len(side.text), 1))), numbers
