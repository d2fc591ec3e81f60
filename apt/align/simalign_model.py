"""simalign and its models: importing it, finding a model, loading it.

In goes a model's name or folder, out comes simalign's aligner with that model in it. Nothing is written to
the terminal, and the network is used only for a named model that was not fetched before.
"""

import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest, sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from apt.errors import OptionError

INSTALL = "pip install 'apt-score[simalign]'"
OFFLINE_VARIABLES = ("APT_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")

Floats = NDArray[np.float64]

_SHORT_NAMES = {"bert": "bert-base-multilingual-cased", "xlmr": "xlm-roberta-base"}  # simalign's own
# What embeddings depend on, of what is in the folder of a model.
_DECISIVE = (
    *("config.json", "*.safetensors", "pytorch_model*.bin", "*.index.json"),
    *("tokenizer*.json", "vocab.*", "merges.txt", "*.model", "special_tokens_map.json", "added_tokens.json"),
)
_DIGITS = 8  # of a digest or a revision, in a signature
_HUB_NAME = re.compile(r"(?:[\w-][\w.-]*/)?[\w-][\w.-]*", re.ASCII)


class Tokenizer(Protocol):
    """What is used of a tokenizer of transformers."""

    model_max_length: int

    def __call__(
        self, text: list[str], *, is_split_into_words: bool, add_special_tokens: bool, verbose: bool
    ) -> Mapping[str, Sequence[int]]: ...


class Tensor(Protocol):
    """What is used of a tensor of torch."""

    @property
    def shape(self) -> tuple[int, int, int]: ...

    def numpy(self) -> Floats: ...


class EmbeddingLoader(Protocol):
    """What is used of simalign's class of that name."""

    tokenizer: Tokenizer
    emb_model: Any

    def get_embed_list(self, sent_batch: list[list[str]]) -> Tensor: ...


class SentenceAligner(Protocol):
    """What is used of simalign's class of that name."""

    embed_loader: EmbeddingLoader

    def get_similarity(self, one: Floats, other: Floats, /) -> Floats: ...

    def get_alignment_matrix(self, similarity: Floats, /) -> tuple[Floats, Floats]: ...

    def iter_max(self, similarity: Floats, /) -> Floats: ...


def count_subwords(tokenizer: Tokenizer, text: str) -> int:
    """How many subwords the model makes of a text."""
    # verbose: transformers would warn of words that are longer than a sentence can be.
    made = tokenizer([text], is_split_into_words=True, add_special_tokens=False, verbose=False)
    return len(made["input_ids"])


@dataclass(frozen=True)
class Place:
    """A model as the user named it, and its folder: none for a named model that was not fetched before."""

    model: str
    folder: Path | None
    named: bool

    @property
    def to_fetch(self) -> bool:
        return self.folder is None


def import_simalign() -> ModuleType:
    """The module, or an error that says how to install it."""
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


def find_model(model: str) -> Place:
    """Where the model is: in a folder, in the cache of the hub, or still to be fetched."""
    model = _SHORT_NAMES.get(model, model)
    folder = Path(model).expanduser()
    if model and folder.is_dir():
        folder = folder.resolve()
        if not (folder / "config.json").is_file():
            raise OptionError(f"simalign: {model} holds no model: it has no config.json")
        return Place(model, folder, named=False)
    if not _HUB_NAME.fullmatch(model):
        raise OptionError(
            f"simalign: there is no folder {model!r}, and this is no name of a model on the hub"
        )
    if cached := _cached(model):
        return Place(model, cached, named=True)
    if variable := next(filter(_is_set, OFFLINE_VARIABLES), None):
        raise OptionError(
            f"simalign: the model {model!r} is neither a folder nor fetched already, and {variable} is set"
        )
    return Place(model, None, named=True)


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


def label(place: Place) -> str:
    """How a signature names a model that was loaded, so that another model has another label.

    One of the hub by name and revision, a folder by its last name and a digest of all that matters in it.
    The digest reads every weight: take it once a model.
    """
    folder = place.folder or _cached(place.model)  # fetched meanwhile
    if folder is None:
        return _plain(place.model)
    if place.named:
        return f"{_plain(place.model)}-{_plain(folder.name[:_DIGITS])}"
    return f"{_plain(folder.name)}-{_digest(folder)}"


def _digest(folder: Path) -> str:
    whole = sha256()
    for path in sorted({path for pattern in _DECISIVE for path in folder.glob(pattern) if path.is_file()}):
        with path.open("rb") as file:
            whole.update(os.fsencode(f"{path.name} {file_digest(file, 'sha256').hexdigest()}\n"))
    return whole.hexdigest()[:_DIGITS]


def _plain(name: str) -> str:
    """Without what means something in a signature."""
    return re.sub(r"[^\w./-]", "_", name)


def load_model(simalign: ModuleType, place: Place) -> SentenceAligner:
    """The model in simalign, tried once: what it cannot do shows now and not after an hour."""
    warnings: list[str] = []
    try:
        with _quiet(warnings, bars=place.to_fetch and sys.stderr.isatty()):
            aligner: SentenceAligner = simalign.SentenceAligner(model=str(place.folder or place.model))
            loader = aligner.embed_loader
            loader.emb_model.double()
            # simalign lets the tokenizer cut off what is longer; a folder need not say how long that is.
            loader.tokenizer.model_max_length = _longest(loader)
            vectors = loader.get_embed_list([["a"]])
    except Exception as error:  # whatever transformers raises on files that hold no usable model
        raise _unusable(place, _lacking_weights(warnings) or _one_line(error)) from error
    if lacking := _lacking_weights(warnings):
        raise _unusable(place, lacking)
    if vectors.shape[1] != count_subwords(loader.tokenizer, "a"):
        raise _unusable(place, "it does not put one special token before a sentence and one behind it")
    return aligner


def _unusable(place: Place, reason: str) -> OptionError:
    return OptionError(f"simalign cannot use the model {place.model!r}: {reason}")


def _longest(loader: EmbeddingLoader) -> int:
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
