"""Tiny translation models for the tests of scoring: made and trained on the spot, on made-up data."""

import contextlib
import io
import itertools
import json
import math
import random
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

_NEEDED = ("torch", "transformers", "sentencepiece")
_SPECIAL = {"pad_id": 1, "eos_id": 2, "unk_id": 3, "bos_id": 0}  # in M2M100's and BART's order

NOUNS = {"dog": ("Der Hund", "er"), "cat": ("Die Katze", "sie"), "horse": ("Das Pferd", "es")}
VERBS = {"sleeps": "schläft", "eats": "frisst", "runs": "läuft", "waits": "wartet"}
STATES = {"tired": "müde", "hungry": "hungrig", "young": "jung", "very old": "sehr alt"}
PRONOUNS = ("er", "sie", "es")


def models(test):
    """Marks a test that needs the extra."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    reason = f"missing: {', '.join(missing)}: pip install 'apt-score[models]'"
    return pytest.mark.models(pytest.mark.skipif(bool(missing), reason=reason)(test))


def sentences() -> Iterator[tuple[str, str, str]]:
    """A sentence, its translation, and the pronoun of that."""
    for noun, verb, state in itertools.product(NOUNS, VERBS, STATES):
        subject, pronoun = NOUNS[noun]
        source = f"The {noun} {verb} because it is {state} ."
        yield source, f"{subject} {VERBS[verb]} , weil {pronoun} {STATES[state]} ist .", pronoun


def contrapro(number: int | None = None) -> list[dict]:
    """A contrastive set of these sentences, the one before being the context."""
    instances = []
    before = ("", "")
    for source, target, pronoun in itertools.islice(sentences(), number):
        wrong = [target.replace(f" {pronoun} ", f" {other} ") for other in PRONOUNS if other != pronoun]
        instances.append(
            {
                "src segment": source,
                "ref segment": target,
                "ref pronoun": pronoun,
                "src context": before[0],
                "ref context": before[1],
                "ante distance": 0,
                "errors": [{"contrastive": text} for text in wrong],
            }
        )
        before = (source, target)
    return instances


def _pieces(folder: Path, name: str, lines: Sequence[str]) -> tuple[bytes, list[str]]:
    """A sentencepiece model of the lines, and its pieces without the special ones."""
    import sentencepiece

    prefix = folder / name
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(prefix),
        vocab_size=90,
        hard_vocab_limit=False,
        minloglevel=2,
        **_SPECIAL,
    )
    path = prefix.with_suffix(".model")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    content = path.read_bytes()
    for made in (path, prefix.with_suffix(".vocab")):
        made.unlink()
    return content, [processor.id_to_piece(n) for n in range(4, processor.get_piece_size())]


def _sizes(positions: int) -> dict:
    return {
        "d_model": 32,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
        "max_position_embeddings": positions,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "dropout": 0.1,  # so that a model that is not put into evaluation mode is found out
    }


def make_marian(folder: Path, positions=128, steps=60) -> Path:
    """Marian: two sentencepiece models, one vocabulary; it begins with padding."""
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder.mkdir(parents=True)
    sources, targets = ([row[side] for row in sentences()] for side in (0, 1))
    vocabulary = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    for side, lines in (("source", sources), ("target", targets)):
        content, pieces = _pieces(folder, side, lines)
        (folder / f"{side}.spm").write_bytes(content)
        for piece in pieces:
            vocabulary.setdefault(piece, len(vocabulary))
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "MarianTokenizer"}))
    config = MarianConfig(
        vocab_size=len(vocabulary), decoder_start_token_id=1, scale_embedding=True, **_sizes(positions)
    )
    _train(MarianMTModel, config, MarianTokenizer.from_pretrained(folder), folder, steps)
    return folder


def make_bart(folder: Path, positions=64, steps=10) -> Path:
    """BART with whole words: `<s>` stands before every text."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import TemplateProcessing
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    words = sorted({word for row in sentences() for text in row for word in text.split()})
    vocabulary = {w: n for n, w in enumerate(["<s>", "<pad>", "</s>", "<unk>", "<SEP>", *words])}
    made = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    made.pre_tokenizer = WhitespaceSplit()
    made.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    special = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, **special)
    tokenizer.save_pretrained(folder)
    config = BartConfig(vocab_size=len(vocabulary), decoder_start_token_id=2, **_sizes(positions))
    _train(BartForConditionalGeneration, config, tokenizer, folder, steps)
    return folder


def make_m2m100(folder: Path) -> Path:
    """M2M100: a language stands before every text."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer

    folder.mkdir(parents=True)
    content, pieces = _pieces(folder, "both", [text for row in sentences() for text in row[:2]])
    (folder / "sentencepiece.bpe.model").write_bytes(content)
    vocabulary = {p: n for n, p in enumerate(["<s>", "<pad>", "</s>", "<unk>", *pieces])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "M2M100Tokenizer"}))
    config = M2M100Config(vocab_size=len(vocabulary) + 108, decoder_start_token_id=2, **_sizes(64))
    tokenizer = M2M100Tokenizer.from_pretrained(folder)
    tokenizer.src_lang, tokenizer.tgt_lang = "en", "de"
    _train(M2M100ForConditionalGeneration, config, tokenizer, folder, steps=10)
    return folder


def _train(kind, config, tokenizer, folder: Path, steps: int) -> None:
    """A few steps on the sentences, enough for scores that differ."""
    import torch

    torch.set_num_threads(1)  # threads of so small a model only wait for each other on a busy machine
    rows = [*sentences()]
    rng = random.Random(1)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = kind(config).train()
        optimiser = torch.optim.AdamW(model.parameters(), lr=0.01)
        for _ in range(steps):
            chosen = rng.sample(rows, 16)
            batch = tokenizer(
                [source for source, _, _ in chosen],
                text_target=[target for _, target, _ in chosen],
                padding=True,
                return_tensors="pt",
            )
            batch.pop("token_type_ids", None)
            labels = batch.pop("labels")
            loss = model(**batch, labels=labels.masked_fill(labels == 1, -100)).loss
            loss.backward()
            optimiser.step()
            optimiser.zero_grad()
    with contextlib.redirect_stderr(io.StringIO()):  # its progress bars are not what is tested
        model.save_pretrained(folder)


def slow_logs(folder: Path, source: str, target: str, languages: Sequence[str] = ()) -> list[float]:
    """Log-probabilities of the target's tokens, special ones too: one at a time through the decoder."""
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    if languages:
        tokenizer.src_lang, tokenizer.tgt_lang = languages
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    given = tokenizer([source], return_tensors="pt")
    wanted = tokenizer(text_target=[target])["input_ids"][0]
    logs = []
    so_far = [model.config.decoder_start_token_id]
    with torch.no_grad():
        encoded = model.get_encoder()(
            input_ids=given["input_ids"], attention_mask=given["attention_mask"]
        ).last_hidden_state
        for token in wanted:
            logits = model(
                encoder_outputs=(encoded,),
                attention_mask=given["attention_mask"],
                decoder_input_ids=torch.tensor([so_far]),
            ).logits[0, -1]
            values = logits.double().tolist()
            highest = max(values)
            total = highest + math.log(math.fsum(math.exp(value - highest) for value in values))
            logs.append(values[token] - total)
            so_far.append(token)
    return logs
