"""Links by simalign: similarity of the embeddings of a multilingual model (Jalili Sabet et al. 2020).

In go the words of segment pairs, out come the `Links` of each pair. Models, embeddings, similarities and
`inter` and `itermax` are simalign's; around them stands what its `get_word_aligns` leaves undone:

- An empty side and a word without subwords (U+200B, control characters) have no links. simalign raises on an
  empty side, and on one of such words only.
- A pair of which a side has more subwords than the model takes (mostly 510) is aligned in windows along the
  diagonal, each as if it were a pair of its own. A window is as long as the model permits: half of it is
  aligned, the quarters before and behind are context, so neighbouring windows overlap by half. A source word
  has its links from the window in whose middle it is; if there are fewer source subwords than windows, a
  target word has, and a source word has links from many. Nothing is cut off. simalign raises, or leaves out
  what is behind the 510th subword and does not say so.
- Pairs of similar length are embedded together. simalign takes one pair at a time.
- A pair's links depend on that pair alone, not on its batch or the machine: embeddings are computed in double
  precision, and similarities are rounded far above its noise. simalign's single precision takes half the
  time, but lets chance decide near ties.
- `mwmf` is the same matching as simalign's, found by scipy. networkx takes minutes for a long pair.

i is a source position, j a target position, both counted in words; a subword is what the model has a vector
for.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module, metadata
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from apt.align.aligners import METHODS, Method, Words
from apt.align.links import Links
from apt.align.simalign_model import (
    Floats,
    Tokenizer,
    count_subwords,
    find_model,
    import_simalign,
    label,
    load_model,
)
from apt.errors import OptionError

DEFAULT_MODEL = "bert"

Marks = NDArray[np.bool_]
Notify = Callable[[str], None]

_BATCH_SUBWORDS = 4096  # padded, both sides: simalign keeps the vectors of every layer
_DECIMALS = 10


class SimalignAligner:
    """Aligns with one model, on the CPU.

    Parameters
    ----------
    model
        A folder with a model of `transformers`, or a name on the Hugging Face Hub (or simalign's `bert`
        and `xlmr`). A named model that was fetched before is used without any network traffic.
    method
        One of simalign's ways to read links off similarities: `itermax`, `inter`, `mwmf`.
    batch_size
        Pairs embedded together, at most; changes speed and memory, never links.
    notify
        Called with a message before a model is fetched.
    """

    name = "simalign"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        method: Method = "itermax",
        batch_size: int = 8,
        notify: Notify | None = None,
    ) -> None:
        if method not in METHODS:
            raise OptionError(f"unknown simalign method {method!r}. Available: {', '.join(METHODS)}")
        if batch_size < 1:
            raise OptionError(f"batch size {batch_size}: expected at least 1")
        simalign = import_simalign()
        place = find_model(model)
        if place.to_fetch and notify is not None:
            notify(f"fetching the model {place.model} from the Hugging Face Hub")
        self._simalign = load_model(simalign, place)
        self._subwords = _Subwords(self._simalign.embed_loader.tokenizer)
        self._method: Method = method
        self._batch_size = batch_size
        self.version = f"{metadata.version('simalign')}-{label(place)}-{method}"

    def align(self, sources: Sequence[Words], targets: Sequence[Words]) -> list[Links]:
        """The links of every pair, in their order; the target positions of a word are ascending."""
        found: list[dict[int, set[int]]] = []
        windows: list[_Window] = []
        for row, (source, target) in enumerate(zip(sources, targets, strict=True)):
            found.append({})
            windows += _windows(
                row, self._subwords.of(source), self._subwords.of(target), self._subwords.most
            )
        for batch in _batches(windows, self._batch_size):
            for window, similarity in zip(batch, self._similarities(batch), strict=True):
                for i, j in window.links(self._matched(similarity)):
                    found[window.row].setdefault(i, set()).add(j)
        return [{i: sorted(links[i]) for i in sorted(links)} for links in found]

    def _similarities(self, batch: Sequence["_Window"]) -> Iterator[Floats]:
        """How alike the subwords of each window's two sides are, [source, target]."""
        sides = [side for window in batch for side in (window.source, window.target)]
        vectors = self._simalign.embed_loader.get_embed_list([list(side.texts) for side in sides]).numpy()
        for n, window in enumerate(batch):
            one = vectors[2 * n, : window.source.length]
            other = vectors[2 * n + 1, : window.target.length]
            yield np.round(self._simalign.get_similarity(one, other), _DECIMALS)

    def _matched(self, similarity: Floats) -> Marks:
        """Which subwords are linked."""
        if self._method == "itermax":
            return self._simalign.iter_max(similarity) > 0
        if self._method == "inter":
            forward, backward = self._simalign.get_alignment_matrix(similarity)
            return forward * backward > 0
        optimize = import_module("scipy.optimize")  # heavy, and for this method alone
        matched = np.zeros(similarity.shape, bool)
        matched[optimize.linear_sum_assignment(similarity, maximize=True)] = True
        return matched


# ---- subwords, windows, batches ----


@dataclass(frozen=True)
class _Side:
    """One side of a pair, or a part of it, as the model sees it: texts with their numbers of subwords.

    A text is a word, or a piece of a word with very many subwords; words without subwords are left out.
    `words` has the position of the word that each text belongs to.
    """

    texts: Sequence[str]
    counts: Sequence[int]
    words: Sequence[int]

    @cached_property
    def ends(self) -> list[int]:
        """Where each text ends, in subwords."""
        return list(accumulate(self.counts))

    @property
    def length(self) -> int:
        """The number of subwords."""
        return self.ends[-1] if self.ends else 0

    @property
    def word_of_subword(self) -> list[int]:
        return [word for word, count in zip(self.words, self.counts, strict=True) for _ in range(count)]

    def within(self, first: int, last: int) -> tuple["_Side", int]:
        """The texts that lie whole between two numbers of subwords, and where they start."""
        starts = [end - count for end, count in zip(self.ends, self.counts, strict=True)]
        inside = slice(bisect_left(starts, first), bisect_right(self.ends, last))
        return _Side(self.texts[inside], self.counts[inside], self.words[inside]), starts[inside.start]


@dataclass(frozen=True)
class _Window:
    """A part of the pair number `row`, or all of it; links are kept if both subwords are in the cores."""

    row: int
    source: _Side
    target: _Side
    source_core: range
    target_core: range

    @property
    def width(self) -> int:
        return max(self.source.length, self.target.length)

    def links(self, matched: Marks) -> Iterator[tuple[int, int]]:
        """Links between words, from those between subwords; some more than once."""
        sources, targets = self.source.word_of_subword, self.target.word_of_subword
        for one, other in np.argwhere(matched).tolist():
            if one in self.source_core and other in self.target_core:
                yield sources[one], targets[other]


class _Subwords:
    """Finds what the model makes of words."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.most = tokenizer.model_max_length - 2  # that the model takes, besides the special two
        # How a word is split does not depend on the words around it: simalign gives words one by one.
        self._count = lru_cache(maxsize=1 << 16)(lambda text: count_subwords(tokenizer, text))

    def of(self, words: Words) -> _Side:
        pieces = [(piece, word) for word, text in enumerate(words) for piece in self._pieces(text)]
        return _Side(
            texts=[text for (text, _), _ in pieces],
            counts=[count for (_, count), _ in pieces],
            words=[word for _, word in pieces],
        )

    def _pieces(self, text: str) -> Iterator[tuple[str, int]]:
        """The word, or, so that it fits into a window's context, its halves or theirs; none without subwords.

        Dotted lines have a subword a dot.
        """
        count = self._count(text)
        if count > _context(self.most) and len(text) > 1:
            yield from self._pieces(text[: len(text) // 2])
            yield from self._pieces(text[len(text) // 2 :])
        elif count:
            yield text, count


def _context(most: int) -> int:
    return most // 4


def _windows(row: int, source: _Side, target: _Side, most: int) -> Iterator[_Window]:
    """The windows of a pair: one if it fits, none if a side is empty.

    Opposite a part of the source is what stands at the same share of the target. Each subword of the source
    is in one core, or each of the target if the source has too few for all windows: links of the rest of the
    target would be lost. What stands opposite a core is all core.
    """
    if not source.length or not target.length:
        return
    longer = max(source.length, target.length)
    if longer <= most:
        yield _Window(row, source, target, range(source.length), range(target.length))
        return
    context = _context(most)
    parts = -(-longer // (most - 2 * context))
    for n in range(parts):
        around, source_core = _part(source, n, parts, context)
        opposite, target_core = _part(target, n, parts, context)
        if source.length >= parts:
            target_core = range(opposite.length)
        else:
            source_core = range(around.length)
        yield _Window(row, around, opposite, source_core, target_core)


def _part(side: _Side, n: int, parts: int, context: int) -> tuple[_Side, range]:
    """The part number `n` of a side with its context, and which of these subwords are the part itself."""
    first, last = n * side.length // parts, (n + 1) * side.length // parts
    around, start = side.within(first - context, last + context)
    return around, range(first - start, last - start)


def _batches(windows: Sequence[_Window], size: int) -> Iterator[list[_Window]]:
    """Windows of similar length together: the shorter ones are padded."""
    batch: list[_Window] = []
    for window in sorted(windows, key=lambda window: window.width):
        if batch and (len(batch) == size or 2 * (len(batch) + 1) * window.width > _BATCH_SUBWORDS):
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
