"""Contrastive test sets: a source sentence, its correct translation, and translations that are wrong.

A model is asked which translation it finds likelier. Every format is read into `Instance`s (one reader a
format); whatever prepares, evaluates or shows works on these. The documented order of everything that has a
line a translation is: instance after instance, the correct translation first, then the contrastive ones.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from apt.errors import InputError

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Instance:
    """One source sentence with its translations.

    Contexts are the sentences before it, the nearest last; None where the set does not say. `buckets` names
    what the instance is, such as its pronoun or the distance of the antecedent; `block` the group of
    instances that belong together.
    """

    source: str
    correct: str
    contrastive: tuple[str, ...]
    source_context: tuple[str, ...] | None = None
    target_context: tuple[str, ...] | None = None
    buckets: Mapping[str, str] = field(default_factory=dict)
    block: str | None = None

    @property
    def translations(self) -> tuple[str, ...]:
        return (self.correct, *self.contrastive)


@dataclass(frozen=True)
class ContrastiveSet:
    """Instances in order; `crossed` are pairs of buckets worth a table of their own."""

    name: str
    kind: str
    instances: Sequence[Instance]
    crossed: Sequence[tuple[str, str]] = ()

    @property
    def buckets(self) -> list[str]:
        """The names of the buckets, in the order in which they are met."""
        return list(dict.fromkeys(name for instance in self.instances for name in instance.buckets))

    @property
    def sizes(self) -> list[int]:
        """How many translations each instance has."""
        return [1 + len(instance.contrastive) for instance in self.instances]

    def lines(self) -> Iterator[tuple[Instance, str]]:
        """Every translation with its instance, in the documented order."""
        for instance in self.instances:
            for translation in instance.translations:
                yield instance, translation

    @cached_property
    def digest(self) -> str:
        """The sentences and translations in eight characters: scores belong to one set only."""
        digest = hashlib.sha256()
        for instance, translation in self.lines():
            digest.update(f"{instance.source}\n{translation}\n".encode())
        digest.update(",".join(map(str, self.sizes)).encode())
        return digest.hexdigest()[:8]

    @cached_property
    def context_digest(self) -> str | None:
        """The sentences before, likewise; None if the set has none.

        Not in `digest`: without context the same set can be kept as lines.
        """
        contexts = [[each.source_context, each.target_context] for each in self.instances]
        if not any(side for sides in contexts for side in sides):
            return None
        return hashlib.sha256(json.dumps(contexts).encode()).hexdigest()[:8]


def checked(contrastive_set: ContrastiveSet, path: str) -> ContrastiveSet:
    """The set, if every correct translation differs from the contrastive ones."""
    if not contrastive_set.instances:
        raise InputError("there is no instance in it", path)
    same = [
        number
        for number, instance in enumerate(contrastive_set.instances)
        if instance.correct in instance.contrastive
    ]
    if same:
        more = f", and {len(same) - 1} more like it" if len(same) > 1 else ""
        raise InputError(
            f"instance {same[0]} (from 0): a contrastive translation is the same as the correct one{more}: "
            "no model can tell them apart",
            path,
        )
    return contrastive_set
