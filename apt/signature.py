"""Signatures: every setting that can change a number, as one line in sacrebleu's grammar (`key:value|…`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

_SHORT = {
    "nrefs": "#",
    "lang": "l",
    "anchor": "a",
    "pronouns": "pr",
    "positions": "pos",
    "lists": "li",
    "weights": "w",
    "clip": "cl",
    "discard": "d",
    "other": "o",
    "heuristic": "h",
    "align": "al",
    "step": "st",
    "links": "lk",
    "tok": "tok",
    "case": "c",
    "abbrev": "ab",
    "resample": "rs",
    "ci": "ci",
    "bs": "bs",
    "ar": "ar",
    "seed": "seed",
    "version": "v",
}


@dataclass(frozen=True)
class Signature:
    """Name and settings, in order; `str()` is the long form."""

    metric: str
    fields: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.format()

    def format(self, short: bool = False) -> str:
        pairs = [f"{_SHORT[key] if short else key}:{value}" for key, value in self.fields.items()]
        return "|".join([self.metric, *pairs])
