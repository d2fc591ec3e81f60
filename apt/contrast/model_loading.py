"""A translation model of transformers, ready to score with: found, loaded, and its tokenizer looked at.

In goes a model's name or folder, out comes a `Translator`. Nothing is written to the terminal, and the
network is used only for a named model that was not fetched before.
"""

import logging
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from apt.align.simalign_model import Place, find_model, label
from apt.errors import OptionError

INSTALL = "pip install 'apt-score[models]'"
DEVICES = ("auto", "cpu", "cuda", "mps")
Device = Literal["auto", "cpu", "cuda", "mps"]
Notify = Callable[[str], None]

_NO_LIMIT = 1_000_000  # transformers has 10^30 where a tokenizer names no length
_SOURCE_POSITIONS = ("max_position_embeddings", "max_encoder_position_embeddings")
_TARGET_POSITIONS = ("max_position_embeddings", "max_decoder_position_embeddings")
_PROBE = "a"  # any text: only what is put around it is looked at


@dataclass(frozen=True, eq=False)
class Translator:
    """A loaded model.

    `version` names it so that another model has another name; `libraries` are those that numbers depend on.
    Lengths are in tokens, None where there is no limit. A tokenised target has `before` tokens in front of
    the text (a language, a beginning) and `behind` after it, of which the one at `end` ends the sentence.
    """

    name: str
    version: str
    libraries: str
    device: str
    model: Any
    tokenizer: Any
    longest_source: int | None
    longest_target: int | None
    before: int
    behind: int
    end: int

    def source_tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokens of sources, special ones included."""
        return _tokens(self.tokenizer, texts) if texts else []

    def target_tokens(self, texts: Sequence[str], special: bool = True) -> list[list[int]]:
        """Tokens of translations, with or without the special ones around them."""
        return _target_tokens(self.tokenizer, texts, special) if texts else []


def load_translator(
    model: str,
    *,
    device: Device = "auto",
    src_lang: str | None = None,
    tgt_lang: str | None = None,
    notify: Notify | None = None,
) -> Translator:
    """Load a model from a folder, from the cache, or from the hub (then `notify` is called before).

    `src_lang` and `tgt_lang` are for tokenizers of many languages, in their own codes.
    """
    torch, transformers = _import_libraries()
    chosen = _device(torch, device)
    place = _find(model)
    if place.to_fetch and notify is not None:
        what = "configuration, tokenizer and weights"
        notify(f"fetching the model {place.model} ({what}) from the Hugging Face Hub: it is not in the cache")
    try:
        with _quiet(bars=place.to_fetch and sys.stderr is not None and sys.stderr.isatty()):
            tokenizer, loaded = _load(transformers, place)
            config = loaded.config
            _set_languages(tokenizer, place, src_lang, tgt_lang)
            before, behind, end = _around_targets(tokenizer, place)
            loaded = loaded.float().eval().to(chosen)
    except OptionError:
        raise
    except Exception as error:  # whatever transformers raises on files that hold no usable model
        raise _unusable(place, _one_line(error)) from error
    return Translator(
        place.model,
        label(place),
        f"torch {torch.__version__}, transformers {transformers.__version__}",
        chosen,
        loaded,
        tokenizer,
        _longest(tokenizer, getattr(config, "encoder", config), _SOURCE_POSITIONS),
        _longest(tokenizer, getattr(config, "decoder", config), _TARGET_POSITIONS),
        before,
        behind,
        end,
    )


def _import_libraries() -> tuple[Any, Any]:
    try:
        return import_module("torch"), import_module("transformers")
    except ImportError as error:
        reason = f"torch and transformers are needed and cannot be imported ({_one_line(error)})"
        raise OptionError(f"{reason}. To install them: {INSTALL}") from error


def _device(torch: Any, wanted: Device) -> str:
    if wanted not in DEVICES:
        raise OptionError(f"unknown device {wanted!r}. Available: {', '.join(DEVICES)}")
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if wanted == "auto":
        return next(name for name, is_there in there.items() if is_there)
    if not there[wanted]:
        raise OptionError(f"torch finds no device {wanted!r} on this machine")
    return wanted


def _find(model: str) -> Place:
    try:
        return find_model(model)
    except OptionError as error:  # these messages were worded for the aligner
        raise OptionError(str(error).removeprefix("simalign: ")) from None


def _load(transformers: Any, place: Place) -> tuple[Any, Any]:
    name = str(place.folder or place.model)
    # Code that comes with a model is never run; nor does transformers ask whether it may be.
    options = {"trust_remote_code": False, "local_files_only": not place.to_fetch}
    tokenizer = transformers.AutoTokenizer.from_pretrained(name, **options)
    model, found = transformers.AutoModelForSeq2SeqLM.from_pretrained(
        name, output_loading_info=True, **options
    )
    if lacking := sorted(found["missing_keys"]):  # transformers would go on with random numbers
        raise _unusable(place, f"its files have no weights for {lacking[0]}")
    return tokenizer, model


def _set_languages(tokenizer: Any, place: Place, src_lang: str | None, tgt_lang: str | None) -> None:
    multilingual = hasattr(tokenizer, "set_src_lang_special_tokens")
    for attribute, wanted in (("src_lang", src_lang), ("tgt_lang", tgt_lang)):
        option = f"--{attribute.replace('_', '-')}"
        if not multilingual:
            if wanted is not None:
                raise OptionError(
                    f"{option}: the tokenizer of {place.model!r} has no languages to choose from"
                )
            continue
        # What the tokenizer takes for want of a language is English, or nothing: no guess is made here.
        language = wanted or tokenizer.init_kwargs.get(attribute)
        if language is None:
            raise OptionError(f"{option} is needed: the tokenizer of {place.model!r} has many languages")
        tokens = _tokens if attribute == "src_lang" else _target_tokens
        try:
            setattr(tokenizer, attribute, language)
            around = {*tokens(tokenizer, [_PROBE])[0]} - {*tokens(tokenizer, [_PROBE], False)[0]}
        except (KeyError, TypeError):  # M2M100 looks codes up; others make an unknown token of them
            around = {tokenizer.unk_token_id}
        if tokenizer.unk_token_id in around or None in around:
            raise OptionError(f"{option}: the tokenizer of {place.model!r} has no language {language!r}")


def _around_targets(tokenizer: Any, place: Place) -> tuple[int, int, int]:
    """How many tokens stand before and behind a target, and which of those behind ends the sentence."""
    (text,), (whole,) = (_target_tokens(tokenizer, [_PROBE], special) for special in (False, True))
    starts = [at for at in range(len(whole)) if text and whole[at : at + len(text)] == text]
    if starts:
        behind = whole[starts[0] + len(text) :]
        for ending in (tokenizer.eos_token_id, tokenizer.sep_token_id):
            if ending is not None and ending in behind:
                return starts[0], len(behind), behind.index(ending)
    raise _unusable(place, "its tokenizer puts no end-of-sentence token behind a translation")


def _tokens(tokenizer: Any, texts: Sequence[str], special: bool = True) -> list[list[int]]:
    # verbose: transformers would warn of long lines, which are an error here anyway.
    made = tokenizer([*texts], add_special_tokens=special, truncation=False, verbose=False)
    ids: list[list[int]] = made["input_ids"]
    return ids


def _target_tokens(tokenizer: Any, texts: Sequence[str], special: bool = True) -> list[list[int]]:
    made = tokenizer(text_target=[*texts], add_special_tokens=special, truncation=False, verbose=False)
    ids: list[list[int]] = made["input_ids"]
    return ids


def _longest(tokenizer: Any, config: Any, positions: Sequence[str]) -> int | None:
    limits = [tokenizer.model_max_length, *(getattr(config, name, None) for name in positions)]
    return min((limit for limit in limits if limit is not None and 0 < limit < _NO_LIMIT), default=None)


@contextmanager
def _quiet(bars: bool) -> Iterator[None]:
    """Keep transformers and the hub from writing to the terminal; progress bars only where wanted."""
    settings = import_module("transformers.utils.logging")
    with_bars = settings.is_progress_bar_enabled()
    loggers = [logging.getLogger(name) for name in ("transformers", "huggingface_hub")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    if not bars:
        settings.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if with_bars:
            settings.enable_progress_bar()


def _unusable(place: Place, reason: str) -> OptionError:
    return OptionError(f"the model {place.model!r} cannot be used: {reason}")


def _one_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".:") if lines else type(error).__name__
