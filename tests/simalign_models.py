"""Tiny models for the tests of the simalign backend, and words for them."""

import random
import socket
import string
from importlib.util import find_spec
from pathlib import Path

import pytest

from apt.align.simalign_model import OFFLINE_VARIABLES

WORDS = ["it", "they", "works", "il", "ils", "marche", "the", "cat", "le", "chat", "when", "quand"]
SIGNS = string.ascii_lowercase + "éèç.,'-"


def simalign(test):
    """Marks a test that needs the extra."""
    absent = find_spec("simalign") is None
    skip = pytest.mark.skipif(absent, reason="simalign is missing: pip install 'apt-score[simalign]'")
    return pytest.mark.simalign(skip(test))


def refuse_network(monkeypatch):
    """Whatever goes online fails, and with it the test."""

    def refuse(*arguments, **keywords):
        pytest.fail(f"network used: {arguments}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    for variable in OFFLINE_VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def make_bert(folder: Path, positions=512, layers=8, seed=1) -> Path:
    """A BERT that knows a few words and all signs, with random weights."""
    import torch
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *SIGNS, *(f"##{s}" for s in SIGNS)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=positions,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        BertModel(config).save_pretrained(folder)
    return folder


def change_weights(folder: Path, change) -> None:
    """Put in place of each weight what `change(name, weight)` gives; nothing for None."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    changed = {name: change(name, weight) for name, weight in load_file(path).items()}
    save_file({n: weight for n, weight in changed.items() if weight is not None}, path, {"format": "pt"})


def sentences(number, longest, seed=1):
    """Some words that the model knows, some that it splits."""
    rng = random.Random(seed)

    def word():
        return rng.choice(WORDS) if rng.random() < 0.6 else "".join(rng.choices(SIGNS, k=rng.randint(1, 4)))

    return [[word() for _ in range(rng.randint(1, longest))] for _ in range(number)]
