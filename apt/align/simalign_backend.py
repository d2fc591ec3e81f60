"""Links by simalign: similarity of the embeddings of a multilingual model (Jalili Sabet et al. 2020).

In go the words of segment pairs, out come the `Links` of each pair. Models, embeddings, similarities and
`inter` and `itermax` are simalign's; around them stands what its `get_word_aligns` leaves undone:

- An empty side and a word without subwords (U+200B, control characters) have no links. simalign raises on an
  empty side, and on one of such words only.
- A pair of which a side has more subwords than the model takes (mostly 510) is aligned in windows along the
  diagonal, each as if it were a pair of its own. A window is as long as the model permits: half of it is
  aligned, the quarters before and behind are context, so neighbouring windows overlap by half. Nothing is cut
  off. simalign raises, or leaves out what is behind the 510th subword and does not say so.
- Pairs of similar length are embedded together. simalign takes one pair at a time.
- A pair's links depend on that pair alone, not on its batch or the machine: embeddings are computed in double
  precision, and similarities are rounded far above its noise. simalign's single precision takes half the
  time, but lets chance decide near ties.
- `mwmf` is the same matching as simalign's, found by scipy. networkx takes minutes for a long pair.

i is a source position, j a target position, both counted in words; a subword is what the model has a vector
for.
"""

import logging
import os
import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib import import_module, metadata
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from apt.align.links import Links
from apt.errors import OptionError

DEFAULT_MODEL = "bert-base-multilingual-cased"
Method = Literal["mwmf", "inter", "itermax"]
METHODS: tuple[Method, ...] = get_args(Method)
INSTALL = "pip install 'apt-score[simalign]'"
OFFLINE_VARIABLES = ("APT_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")

Words = Sequence[str]
Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]
Notify = Callable[[str], None]

_SHORT_NAMES = {"bert": DEFAULT_MODEL, "xlmr": "xlm-roberta-base"}  # simalign's own
_HUB_NAME = re.compile(r"(?:[\w-][\w.-]*/)?[\w-][\w.-]*", re.ASCII)
_BATCH_SUBWORDS = 4096  # padded, both sides: simalign keeps the vectors of every layer
_DECIMALS = 10


class SimalignAligner:
    """Aligns with one model, on the CPU.

    Parameters
    ----------
    model
        A folder with a model of `transformers`, or a name on the Hugging Face Hub (simalign's `bert` and
        `xlmr` are names too). A named model that was fetched before is used without any network traffic.
    method
        One of simalign's ways to read links off similarities: `mwmf`, `inter`, `itermax`.
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
        simalign = _import_simalign()
        place = _find(_SHORT_NAMES.get(model, model))
        if place.to_fetch and notify is not None:
            notify(f"fetching the model {place.model} from the Hugging Face Hub")
        self._simalign = _load(simalign, place)
        self._subwords = _Subwords(self._simalign.embed_loader.tokenizer)
        self._method: Method = method
        self._batch_size = batch_size
        self.version = f"{metadata.version('simalign')}-{place.label}-{method}"

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
    """A part of the pair number `row`, or all of it; links are kept of the source's subwords in `core`."""

    row: int
    source: _Side
    target: _Side
    core: range

    @property
    def width(self) -> int:
        return max(self.source.length, self.target.length)

    def links(self, matched: Marks) -> Iterator[tuple[int, int]]:
        """Links between words, from those between subwords; some more than once."""
        sources, targets = self.source.word_of_subword, self.target.word_of_subword
        for one, other in np.argwhere(matched).tolist():
            if one in self.core:
                yield sources[one], targets[other]


class _Subwords:
    """Finds what the model makes of words."""

    def __init__(self, tokenizer: "_Tokenizer") -> None:
        self.most = tokenizer.model_max_length - 2  # that the model takes, besides the special two
        # How a word is split does not depend on the words around it: simalign gives words one by one.
        self._count = lru_cache(maxsize=1 << 16)(lambda text: _count(tokenizer, text))

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


def _count(tokenizer: "_Tokenizer", text: str) -> int:
    # verbose: transformers would warn of words that are longer than a sentence can be.
    made = tokenizer([text], is_split_into_words=True, add_special_tokens=False, verbose=False)
    return len(made["input_ids"])


def _context(most: int) -> int:
    return most // 4


def _windows(row: int, source: _Side, target: _Side, most: int) -> Iterator[_Window]:
    """The windows of a pair: one if it fits, none if a side is empty.

    Opposite a part of the source is what stands at the same share of the target.
    """
    if not source.length or not target.length:
        return
    longer = max(source.length, target.length)
    if longer <= most:
        yield _Window(row, source, target, range(source.length))
        return
    context = _context(most)
    parts = -(-longer // (most - 2 * context))
    for n in range(parts):
        first, last = n * source.length // parts, (n + 1) * source.length // parts
        around, start = source.within(first - context, last + context)
        opposite, _ = target.within(
            n * target.length // parts - context, (n + 1) * target.length // parts + context
        )
        if first < last:
            yield _Window(row, around, opposite, range(first - start, last - start))


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


# ---- simalign and its model ----


class _Tokenizer(Protocol):
    """What is used of a tokenizer of transformers."""

    model_max_length: int

    def __call__(
        self, text: list[str], *, is_split_into_words: bool, add_special_tokens: bool, verbose: bool
    ) -> Mapping[str, Sequence[int]]: ...


class _Tensor(Protocol):
    """What is used of a tensor of torch."""

    @property
    def shape(self) -> tuple[int, int, int]: ...

    def numpy(self) -> Floats: ...


class _EmbeddingLoader(Protocol):
    """What is used of simalign's class of that name."""

    tokenizer: _Tokenizer
    emb_model: Any

    def get_embed_list(self, sent_batch: list[list[str]]) -> _Tensor: ...


class _SentenceAligner(Protocol):
    """What is used of simalign's class of that name."""

    embed_loader: _EmbeddingLoader

    def get_similarity(self, one: Floats, other: Floats, /) -> Floats: ...

    def get_alignment_matrix(self, similarity: Floats, /) -> tuple[Floats, Floats]: ...

    def iter_max(self, similarity: Floats, /) -> Floats: ...


@dataclass(frozen=True)
class _Place:
    """A model as the user named it, where to load it from, and how a signature names it."""

    model: str
    location: str
    label: str
    to_fetch: bool = False


def _import_simalign() -> ModuleType:
    with _simalign_loggers_kept():
        try:
            return import_module("simalign")
        except ImportError as error:
            raise OptionError(
                f"the aligner simalign cannot be imported ({_one_line(error)}). To install it: {INSTALL}"
            ) from error


@contextmanager
def _simalign_loggers_kept() -> Iterator[None]:
    """Take back the handlers and levels that importing simalign sets: it would write to the terminal."""
    before = {logger: ([*logger.handlers], logger.level) for logger in _simalign_loggers()}
    try:
        yield
    finally:
        for logger in _simalign_loggers():
            handlers, level = before.get(logger, ([], logging.NOTSET))
            for handler in set(logger.handlers) - set(handlers):
                logger.removeHandler(handler)
                handler.close()
            logger.setLevel(level)


def _simalign_loggers() -> list[logging.Logger]:
    loggers = [*logging.root.manager.loggerDict.items()]
    return [
        logger
        for name, logger in loggers
        if name.split(".")[0] == "simalign" and isinstance(logger, logging.Logger)
    ]


def _find(model: str) -> _Place:
    """Where the model is: in a folder, in the cache of the hub, or still to be fetched."""
    folder = Path(model).expanduser()
    if model and folder.is_dir():
        folder = folder.resolve()
        if not (folder / "config.json").is_file():
            raise OptionError(f"simalign: {model} holds no model: it has no config.json")
        digest = sha256((folder / "config.json").read_bytes()).hexdigest()[:8]
        return _Place(model, str(folder), f"{_plain(folder.name)}-{digest}")
    if not _HUB_NAME.fullmatch(model):
        raise OptionError(
            f"simalign: there is no folder {model!r}, and this is no name of a model on the hub"
        )
    if cached := _cached(model):
        return _Place(model, str(cached), _plain(model))
    if variable := next(filter(_is_set, OFFLINE_VARIABLES), None):
        raise OptionError(
            f"simalign: the model {model!r} is neither a folder nor fetched already, and {variable} is set"
        )
    return _Place(model, model, _plain(model), to_fetch=True)


def _is_set(variable: str) -> bool:
    """When in doubt it is: nobody sets such a variable to go online."""
    return os.environ.get(variable, "").strip().lower() not in ("", "0", "false", "no", "off")


def _cached(model: str) -> Path | None:
    """The folder of a model that was fetched from the hub before, if nothing of it is wanting.

    transformers would ask the hub for news of it if it were given the name.
    """
    config = import_module("huggingface_hub").try_to_load_from_cache(model, "config.json")
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    weights = ("*.safetensors", "*.bin")
    vocabularies = ("tokenizer.json", "vocab.*", "*.model")
    complete = all(any(any(folder.glob(p)) for p in patterns) for patterns in (weights, vocabularies))
    return folder if complete else None


def _plain(name: str) -> str:
    """Without what means something in a signature."""
    return re.sub(r"[^\w./-]", "_", name)


def _load(simalign: ModuleType, place: _Place) -> _SentenceAligner:
    """The model in simalign, tried once: what it cannot do shows now and not after an hour."""
    warnings: list[str] = []
    try:
        with _quiet(warnings, bars=place.to_fetch and sys.stderr.isatty()):
            aligner: _SentenceAligner = simalign.SentenceAligner(model=place.location)
            loader = aligner.embed_loader
            loader.emb_model.double()
            # simalign lets the tokenizer cut off what is longer; a folder need not say how long that is.
            loader.tokenizer.model_max_length = _longest(loader)
            vectors = loader.get_embed_list([["a"]])
    except Exception as error:  # whatever transformers raises on files that hold no usable model
        raise _unusable(place, _lacking_weights(warnings) or _one_line(error)) from error
    if lacking := _lacking_weights(warnings):
        raise _unusable(place, lacking)
    if vectors.shape[1] != _count(loader.tokenizer, "a"):
        raise _unusable(place, "it does not put one special token before a sentence and one behind it")
    return aligner


def _unusable(place: _Place, reason: str) -> OptionError:
    return OptionError(f"simalign cannot use the model {place.model!r}: {reason}")


def _longest(loader: _EmbeddingLoader) -> int:
    """How many subwords and special tokens a sentence can have."""
    positions: int = loader.emb_model.config.max_position_embeddings
    # RoBERTa and its kin count positions from behind that of the padding token.
    embeddings = getattr(loader.emb_model, "embeddings", None)
    padding = getattr(getattr(embeddings, "position_embeddings", None), "padding_idx", None)
    return min(loader.tokenizer.model_max_length, positions - (0 if padding is None else padding + 1))


class _Collecting(logging.Handler):
    """Keeps messages instead of writing them."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__()
        self._messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self._messages.append(record.getMessage())


@contextmanager
def _quiet(messages: list[str], bars: bool) -> Iterator[None]:
    """Collect what transformers and the hub would write to the terminal; no progress bars unless wanted."""
    settings = import_module("transformers.utils.logging")
    with_bars = settings.is_progress_bar_enabled()
    loggers = [logging.getLogger(name) for name in ("transformers", "huggingface_hub")]
    before = [(logger.handlers, logger.level) for logger in loggers]
    for logger in loggers:
        logger.handlers = [_Collecting(messages)]
        logger.setLevel(logging.WARNING)
    if not bars:
        settings.disable_progress_bar()
    try:
        yield
    finally:
        for logger, (handlers, level) in zip(loggers, before, strict=True):
            logger.handlers = handlers
            logger.setLevel(level)
        if with_bars:
            settings.enable_progress_bar()


# How transformers 5 and 4 say what they fill with random numbers: rows of a table, a list in a sentence.
_LACKING_ROW = re.compile(r"^(\S.*?) *\|[^|\n]*(?:MISSING|MISMATCH)", re.MULTILINE)
_LACKING_LIST = re.compile(r"newly initialized[^\[]*\[(.*?)\]", re.DOTALL)


def _lacking_weights(warnings: Sequence[str]) -> str | None:
    """What the model lacks, and would have random embeddings for want of; the pooler is not used here."""
    rows = [row for warning in warnings for row in _LACKING_ROW.findall(warning)]
    lists = [names for warning in warnings for names in _LACKING_LIST.findall(warning)]
    lacking = [*rows, *(name.strip(" '") for names in lists for name in names.split(","))]
    return next((f"its files have no weights for {name}" for name in lacking if "pooler" not in name), None)


def _one_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".:") if lines else type(error).__name__
