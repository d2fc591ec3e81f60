"""The embedded aligner: links and posteriors by inference alone, with a lexicon estimated beforehand.

In go the words of segment pairs, out comes an `Alignment` a pair. Two hidden Markov models (`hmm`), one a
direction, read their probabilities from the `Lexicon`; nothing is learnt from the text, so a segment's links
depend on that segment and the lexicon and on nothing else. The two posteriors are combined and rounded before
anything is decided, so that last-bit differences between machines or batches cannot matter.

e, i, I: source words, their positions, their number; f, j, J: those of the target; b: a pair of a batch.
A segment of more than `LONGEST` words is aligned in overlapping windows along the diagonal, each pair of
windows as if it were a segment pair of its own: memory stays bounded, and every source word is aligned.
"""

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apt.align.aligners import Alignment, Words
from apt.align.hmm import Floats, Ints, Model
from apt.align.lexicon import Lexicon, Vocabulary
from apt.align.pairindex import PairIndex
from apt.normalize import word_key

ALGORITHM = 1  # to be raised whenever the same lexicon can give other links
LONGEST = 400
_CORE, _CONTEXT = 200, 100  # words of a window that are aligned, and on either side of them
_BATCH_CELLS = 60_000
_DECIMALS = 6
_PREFIX = 4  # letters that words spelled alike share at least

Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Settings:
    """The constants of inference; how they were chosen is in benchmarks/lexicons/README.md.

    Counts are those of the lexicon: expected links of a word pair.
    """

    cap: float = 100.0  # of a word's total count: flattens the tables of frequent words
    unseen: float = 0.001  # count of a pair that is not in the lexicon
    rest: float = 2.0  # count that every word keeps for such pairs
    alike: float = 2.0  # count of a pair that is spelled alike
    null: float = 0.2  # probability that a word comes from nothing
    link: float = 0.3  # combined posterior from which on two words are linked


class LexicalAligner:
    """Aligns with one lexicon."""

    name = "lexical"

    def __init__(self, lexicon: Lexicon, settings: Settings = Settings()) -> None:
        self.version = f"{ALGORITHM}-{lexicon.digest[:8]}"
        self._settings = settings
        self._lexicon = lexicon
        self._index = PairIndex(lexicon.pair_source, lexicon.pair_target)
        self._forward = _Direction(lexicon.source, lexicon.pair_source, lexicon.pair_counts, settings)
        self._backward = _Direction(lexicon.target, lexicon.pair_target, lexicon.pair_counts, settings)
        self._forward_model = Model(lexicon.forward, settings.null)
        self._backward_model = Model(lexicon.backward, settings.null)
        self._shares = (lexicon.source.shares(), lexicon.target.shares())

    def align(self, sources: Sequence[Words], targets: Sequence[Words]) -> list[Alignment]:
        """The alignment of every pair, in their order; much text goes in pieces: posteriors are large."""
        pairs = list(zip(sources, targets, strict=True))
        found: dict[int, Floats] = {}
        for rows in _batches([(len(source), len(target)) for source, target in pairs]):
            found.update(zip(rows, self._posteriors([pairs[row] for row in rows]), strict=True))
        return [
            Alignment(self._links(found[row]), found[row]) if row in found else self._unusual(*pair)
            for row, pair in enumerate(pairs)
        ]

    def _links(self, posterior: Floats, first_source: int = 0, first_target: int = 0) -> dict[int, list[int]]:
        """What is probable enough, in a posterior whose first row and column are these positions."""
        links: dict[int, list[int]] = {}
        sources, targets = np.nonzero(posterior >= self._settings.link)
        for i, j in zip(sources.tolist(), targets.tolist(), strict=True):
            links.setdefault(first_source + i, []).append(first_target + j)
        return links

    def _unusual(self, source: Words, target: Words) -> Alignment:
        """The alignment of a pair with an empty or a very long side."""
        if not source or not target:
            return Alignment({}, np.zeros((len(source), len(target))))
        posterior = _sparse_zeros(len(source), len(target))
        links: dict[int, list[int]] = {}
        for core, around, opposite in _windows(len(source), len(target)):
            (window,) = self._posteriors([(source[around], target[opposite])])
            part = window[core.start - around.start :][: core.stop - core.start]
            posterior[core, opposite] = part
            links.update(self._links(part, core.start, opposite.start))
        return Alignment(links, posterior)

    def _posteriors(self, pairs: Sequence[tuple[Words, Words]]) -> Iterator[Floats]:
        """The combined posteriors of a batch: the geometric mean of both directions."""
        words = _Batch(pairs, self._lexicon)
        places = self._index.places(words.e[:, :, None], words.f[:, None, :])
        extra = self._settings.unseen + self._settings.alike * words.alike()
        extra[words.padding()] = 0
        known = places >= 0  # padding has no pairs either
        forward = self._forward.emission(places, known, extra, words.e[:, :, None])
        backward = self._backward.emission(places, known, extra, words.f[:, None, :])
        lengths = (words.source_lengths, words.target_lengths)
        one = self._forward_model.expectations(
            np.ascontiguousarray(forward.transpose(2, 0, 1)), self._shares[1][words.f].T, *lengths
        ).posterior.transpose(1, 2, 0)
        other = self._backward_model.expectations(
            np.ascontiguousarray(backward.transpose(1, 0, 2)), self._shares[0][words.e].T, *reversed(lengths)
        ).posterior.transpose(1, 0, 2)
        combined = np.round(np.sqrt(one * other), _DECIMALS)
        for b, (source, target) in enumerate(pairs):
            yield combined[b, : len(source), : len(target)].copy()


class _Direction:
    """Emission probabilities of one direction: (count of pair + extra) / (count of given word + rest).

    The divisor is one of the lexicon, not of the text, or segments would depend on each other.
    """

    def __init__(self, given: Vocabulary, pair_given: Ints, pair_counts: Floats, settings: Settings) -> None:
        totals = np.bincount(pair_given, pair_counts, len(given.words))
        factors = settings.cap / np.maximum(totals, settings.cap)
        self._counts = pair_counts * factors[pair_given]
        self._divisors = np.append(totals * factors, 0.0) + settings.rest  # -1, unknown, finds the last

    def emission(self, places: Ints, known: Marks, extra: Floats, given: Ints) -> Floats:
        counts = extra.copy()
        counts[known] += self._counts[places[known]]
        counts /= self._divisors[given]
        return counts


class _Batch:
    """The words of a batch as numbers of the lexicon, `e` [B, I] and `f` [B, J]; -1: unknown, or padding."""

    def __init__(self, pairs: Sequence[tuple[Words, Words]], lexicon: Lexicon) -> None:
        seen: dict[str, int] = {}
        rows = [
            [[seen.setdefault(word, len(seen)) for word in words] for words in side]
            for side in zip(*pairs, strict=True)
        ]
        forms: dict[str, int] = {}
        form_of = [forms.setdefault(word_key(word, lexicon.linkers), len(forms)) for word in seen]
        form_numbers = np.array([*form_of, -1])
        self._forms = list(forms)
        self.source_lengths, self.target_lengths = (np.array([len(row) for row in side]) for side in rows)
        # Numbers among the forms of this batch, from which everything else is looked up.
        self._source = form_numbers[_padded(rows[0], self.source_lengths)]
        self._target = form_numbers[_padded(rows[1], self.target_lengths)]
        self.e = _numbers(self._forms, lexicon.source)[self._source]
        self.f = _numbers(self._forms, lexicon.target)[self._target]

    def padding(self) -> Marks:
        """Marks the cells [B, I, J] outside the segments."""
        return (self._source < 0)[:, :, None] | (self._target < 0)[:, None, :]

    def alike(self) -> Floats:
        """How alike the two words of each cell are spelled, from 0 to 1."""
        families: dict[str, int] = {}
        family = np.array([families.setdefault(form[:_PREFIX], len(families)) for form in self._forms] + [-1])
        b, i, j = np.nonzero(family[self._source][:, :, None] == family[self._target][:, None, :])
        e, f = self._source[b, i], self._target[b, j]
        pairs, which = np.unique(e * len(self._forms) + f, return_inverse=True)
        values = [
            _alike(self._forms[pair // len(self._forms)], self._forms[pair % len(self._forms)])
            for pair in pairs.tolist()
        ]
        alike = np.zeros((*self._source.shape, self._target.shape[1]))
        alike[b, i, j] = np.array(values)[which]
        return alike


def _alike(one: str, other: str) -> float:
    """1 for the same word, else the share of the common prefix, if it is long and half of the longer word."""
    if one == other:
        return 1.0
    longer = max(len(one), len(other))
    common = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return common / longer if common >= _PREFIX and 2 * common >= longer else 0.0


def _numbers(forms: Sequence[str], vocabulary: Vocabulary) -> Ints:
    numbers = vocabulary.numbers
    return np.array([*(numbers.get(form, -1) for form in forms), -1])


def _padded(rows: Sequence[Sequence[int]], lengths: Ints) -> Ints:
    padded = np.full((len(rows), int(lengths.max())), -1)
    padded[np.arange(padded.shape[1]) < lengths[:, None]] = [number for row in rows for number in row]
    return padded


def _batches(sizes: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Rows of similar size together; those with an empty or a very long side are left out."""
    usual = [row for row, size in enumerate(sizes) if min(size) > 0 and max(size) <= LONGEST]
    usual.sort(key=lambda row: (sizes[row][1], sizes[row][0]))
    batch: list[int] = []
    widest = 0
    for row in usual:
        width, height = sizes[row]  # the highest so far: rows are sorted by height
        if batch and (len(batch) + 1) * max(widest, width) * height > _BATCH_CELLS:
            yield batch
            batch, widest = [], 0
        batch.append(row)
        widest = max(widest, width)
    if batch:
        yield batch


def _windows(source_length: int, target_length: int) -> Iterator[tuple[slice, slice, slice]]:
    """Source words to align, those words with their context, and the target words opposite.

    Opposite is what stands at the same share of the segment, with a context as wide in words.
    """
    cores = -(-max(source_length, target_length) // _CORE)
    for n in range(cores):
        core = slice(n * source_length // cores, (n + 1) * source_length // cores)
        if core.start == core.stop:
            continue
        around = slice(max(core.start - _CONTEXT, 0), min(core.stop + _CONTEXT, source_length))
        first, last = n * target_length // cores, (n + 1) * target_length // cores
        opposite = slice(max(first - _CONTEXT, 0), min(last + _CONTEXT, target_length))
        yield core, around, opposite


def _sparse_zeros(rows: int, columns: int) -> Floats:
    """A matrix of zeros that takes memory only where it is written to, a narrow band along the diagonal.

    numpy's own zeros would be backed by huge pages, 2 MB for every number written: a gigabyte in all for a
    line of 10,000 words.
    """
    memory = mmap.mmap(-1, rows * columns * np.dtype(np.float64).itemsize)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, np.float64).reshape(rows, columns)
