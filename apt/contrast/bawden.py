"""The sets of Bawden et al. (2018): anaphora.json and lexical-choice.json, English-French, in blocks.

The anaphora set has one source of two sentences a block and four translations of it, each with an incorrect
counterpart; the antecedent of some (`semi-correct`) is translated strangely. The lexical-choice set has
several examples a block, each with a source of its own. Blocks are taken in the order of their numbers.
"""

from typing import Any

from apt.contrast.fields import Fields
from apt.contrast.instances import ContrastiveSet, Instance, checked
from apt.errors import InputError

ANAPHORA, LEXICAL_CHOICE = "bawden-anaphora", "bawden-lexical-choice"
CLASS, EXAMPLE, TYPE = "class", "example", "type"
_CORRECT = ("correct", "semi-correct")
_LONGEST_NUMBER = 18  # digits


def bawden_set(content: dict[str, Any], path: str) -> ContrastiveSet:
    """Either set: the keys of its first block tell which one it is."""
    if not content:
        raise InputError("there is no block in it", path)
    for key in content:
        if not key.isdigit() or not key.isascii() or len(key) > _LONGEST_NUMBER:
            raise InputError(f"a number expected as the key of a block, found {key[:40]!r}", path)
    blocks = {key: Fields(content[key], path, f"block {key}") for key in sorted(content, key=int)}
    lexical = "examples" in next(iter(blocks.values()))
    instances: list[Instance] = []
    for key, block in blocks.items():
        instances += _lexical(key, block) if lexical else _anaphora(key, block)
    kind = LEXICAL_CHOICE if lexical else ANAPHORA
    return checked(ContrastiveSet(path, kind, instances, () if lexical else ((CLASS, EXAMPLE),)), path)


def _anaphora(key: str, block: Fields) -> list[Instance]:
    source = block.sentences("src")
    instances = []
    for number, item in enumerate(block.items("trg")):
        target = block.inner(item, f"translation {number}")
        right = [name for name in _CORRECT if name in target]
        if len(right) != 1:
            raise target.error(f"one of the keys {' and '.join(map(repr, _CORRECT))} expected")
        buckets = {CLASS: target.text("type"), EXAMPLE: right[0]}
        instances.append(_instance(key, source, target, right[0], buckets))
    return instances


def _lexical(key: str, block: Fields) -> list[Instance]:
    kind = block.text("type")
    instances = []
    for number, item in enumerate(block.items("examples")):
        example = block.inner(item, f"example {number}")
        target = example.inner(example.optional("trg", dict) or {}, "trg")
        instances.append(_instance(key, example.sentences("src"), target, "correct", {TYPE: kind}))
    return instances


def _instance(key: str, source: tuple[str, ...], target: Fields, right: str, buckets: Any) -> Instance:
    """The last sentence is translated in its context; both translations have the same one."""
    correct, incorrect = target.sentences(right), target.sentences("incorrect")
    if len({len(source), len(correct), len(incorrect)}) > 1:
        numbers = f"{len(source)} in the source, {len(correct)} and {len(incorrect)} in the translations"
        raise target.error(f"as many sentences on both sides needed, found {numbers}")
    if correct[:-1] != incorrect[:-1]:
        raise target.error("the correct and the incorrect translation differ before the last sentence")
    return Instance(source[-1], correct[-1], (incorrect[-1],), source[:-1], correct[:-1], buckets, key)
