"""How likely a translation model finds given translations: negative log-probabilities.

In go a `Translator` and pairs of lines, out comes a number for each pair, in their order: the sum of
-log p(token | source, tokens before it) over the tokens of the translation and the end of the sentence, or
its mean. Tokens that the tokenizer puts before the text, such as a language, are given to the model and not
scored, as they are forced when it translates; padding counts for nothing.

Pairs are scored in blocks of a fixed number of batches, in which those of similar length go together. A
number depends, in its last digits, on what it is padded to; the blocks being fixed, work that is taken up
at the beginning of a block gives the very numbers that it would have given without a break.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from apt.contrast.model_loading import Translator
from apt.errors import InputError, OptionError

NORMALISATIONS = ("none", "tokens")
Normalisation = Literal["none", "tokens"]

_BATCHES_A_BLOCK = 16  # enough to sort by length; what a kill costs
_NO_LABEL = -100  # what transformers takes for padding in labels


@dataclass(frozen=True, slots=True)
class TokenPair:
    """A source and a translation in tokens; those of the translation from `first` to before `stop` count."""

    source: list[int]
    target: list[int]
    first: int
    stop: int

    @property
    def length(self) -> int:
        return len(self.source) + len(self.target)


class ModelScorer:
    """Scores pairs of lines with one model; `batch_size` changes speed and memory."""

    def __init__(
        self,
        translator: Translator,
        *,
        batch_size: int = 16,
        length_normalisation: Normalisation = "none",
    ) -> None:
        if batch_size < 1:
            raise OptionError(f"batch size {batch_size}: expected at least 1")
        if length_normalisation not in NORMALISATIONS:
            known = ", ".join(NORMALISATIONS)
            raise OptionError(f"unknown length normalisation {length_normalisation!r}. Available: {known}")
        self._translator = translator
        self._torch: Any = import_module("torch")
        self._batch_size = batch_size
        self._mean = length_normalisation == "tokens"
        self.block = batch_size * _BATCHES_A_BLOCK

    def scores(
        self, pairs: Sequence[TokenPair], *, start: int = 0, path: str = "targets"
    ) -> Iterator[list[float]]:
        """The scores from pair `start` on, a block at a time; `start` must begin a block."""
        if start % self.block:
            raise OptionError(f"start {start}: no block of {self.block} pairs begins there")
        for at in range(start, len(pairs), self.block):
            scores = self._block(pairs[at : at + self.block], at, path)
            for number, score in enumerate(scores, start=at + 1):
                if not math.isfinite(score):
                    raise InputError(f"the model gives this translation the score {score}", path, number)
            yield scores

    def _block(self, pairs: Sequence[TokenPair], at: int, path: str) -> list[float]:
        order = sorted(range(len(pairs)), key=lambda number: (pairs[number].length, number))
        scores = [0.0] * len(pairs)
        for begin in range(0, len(order), self._batch_size):
            numbers = order[begin : begin + self._batch_size]
            try:
                of_batch = self._batch([pairs[number] for number in numbers])
            except (RuntimeError, IndexError) as error:  # out of memory, or positions that it has not
                reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
                advice = "; a smaller batch needs less memory" if "memory" in reason else ""
                line = at + min(numbers) + 1
                raise InputError(f"the model cannot score a batch: {reason}{advice}", path, line) from error
            for number, score in zip(numbers, of_batch, strict=True):
                scores[number] = score
        return scores

    def _batch(self, pairs: Sequence[TokenPair]) -> list[float]:
        torch, model = self._torch, self._translator.model
        ids, mask = self._padded([pair.source for pair in pairs], self._padding())
        labels, _ = self._padded([pair.target for pair in pairs], _NO_LABEL)
        with torch.inference_mode():
            # Given labels, each model shifts them to the right in its own way; the loss is not used. What
            # stands behind a token cannot influence it, so that padding there needs no mask.
            logits = model(input_ids=ids, attention_mask=mask, labels=labels, use_cache=False).logits
            return [self._score(logits[row], labels[row], pair) for row, pair in enumerate(pairs)]

    def _score(self, logits: Any, labels: Any, pair: TokenPair) -> float:
        counted = slice(pair.first, pair.stop)
        predicted = logits[counted].float().log_softmax(-1)
        logs = predicted.gather(-1, labels[counted].unsqueeze(-1)).squeeze(-1).tolist()
        total = 0.0 - math.fsum(logs)
        return total / len(logs) if self._mean else total

    def _padded(self, rows: Sequence[list[int]], padding: int) -> tuple[Any, Any]:
        """Rows as a tensor, padded on the right, where it shifts no position; and 1 where a row is."""
        width = max(map(len, rows))
        filled = [row + [padding] * (width - len(row)) for row in rows]
        mask = [[1] * len(row) + [0] * (width - len(row)) for row in rows]
        device = self._translator.device
        return self._torch.tensor(filled, device=device), self._torch.tensor(mask, device=device)

    def _padding(self) -> int:
        for owner in (self._translator.model.config, self._translator.tokenizer):
            padding: int | None = owner.pad_token_id
            if padding is not None:
                return padding
        return 0  # masked


def model_scores(
    translator: Translator,
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    separator: str | None = None,
    batch_size: int = 16,
    length_normalisation: Normalisation = "none",
) -> Iterator[float]:
    """The score of each target given its source; with a `separator` of what stands behind the last one."""
    scorer = ModelScorer(translator, batch_size=batch_size, length_normalisation=length_normalisation)
    for scores in scorer.scores(token_pairs(translator, sources, targets, separator=separator)):
        yield from scores


def token_pairs(
    translator: Translator,
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    separator: str | None = None,
    paths: tuple[str, str] = ("sources", "targets"),
) -> list[TokenPair]:
    """The lines in tokens; one that is longer than the model can take is an error, and never cut."""
    if len(sources) != len(targets):
        raise InputError(f"{len(sources)} lines expected to match {paths[0]}, found {len(targets)}", paths[1])
    source_rows, target_rows = translator.source_tokens(sources), translator.target_tokens(targets)
    _check_lengths(source_rows, translator.longest_source, translator.name, paths[0])
    _check_lengths(target_rows, translator.longest_target, translator.name, paths[1])
    contexts = _context_lengths(translator, targets, target_rows, separator, paths[1])
    return [
        TokenPair(
            source, target, translator.before + context, len(target) - translator.behind + translator.end + 1
        )
        for source, target, context in zip(source_rows, target_rows, contexts, strict=True)
    ]


def tokens_digest(pairs: Sequence[TokenPair]) -> str:
    """All that the model is given, in a few characters: another tokenizer or language has another digest."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(f"{pair.source}{pair.target}{pair.first}:{pair.stop}\n".encode())
    return digest.hexdigest()[:16]


def _check_lengths(rows: Sequence[list[int]], longest: int | None, name: str, path: str) -> None:
    for number, row in enumerate(rows, start=1):
        if longest is not None and len(row) > longest:
            raise InputError(f"{len(row)} tokens are more than the {longest} that {name} takes", path, number)


def _context_lengths(
    translator: Translator,
    targets: Sequence[str],
    rows: Sequence[list[int]],
    separator: str | None,
    path: str,
) -> list[int]:
    """How many tokens of each target are context, the last separator included."""
    if separator is None:
        return [0] * len(targets)
    # Without the space behind: tokenizers make it a part of the word that follows.
    contexts = [(before + found).rstrip() for before, found, _ in (t.rpartition(separator) for t in targets)]
    lengths = []
    tokenised = translator.target_tokens(contexts, special=False)
    unknown, apart = translator.tokenizer.unk_token_id, separator[-1:].isspace()
    for number, (context, tokens, row) in enumerate(zip(contexts, tokenised, rows, strict=True), start=1):
        length = len(tokens) if context else 0
        same = row[translator.before : translator.before + length] == tokens[:length]
        # An unknown word is the same token whether or not a part of the sentence is in it.
        if not same or (length and tokens[-1] == unknown and not apart):
            reason = f"the tokenizer joins the separator {separator!r} and the sentence behind it"
            raise InputError(f"{reason}: prepare with spaces around it, or score all", path, number)
        lengths.append(length)
    return lengths
