"""ContraPro (Müller et al. 2018): a JSON list of instances with er, sie and es for *it*.

Needed are `src segment`, `ref segment`, `ref pronoun` and `errors` with `contrastive`; everything else may be
null or absent and is then unknown. The English-French set has the same layout; no copy of it was at hand, so
reading it is untested.
"""

from typing import Any

from apt.contrast.fields import Fields
from apt.contrast.instances import UNKNOWN, ContrastiveSet, Instance, checked
from apt.normalize import fold

KIND = "contrapro"
PRONOUN, LOCATION, DISTANCE = "pronoun", "location", "distance"
_SAME_PRONOUN = {"ihn": "er", "ihm": "es"}  # object forms count with the subject form
_FARTHEST = 3


def contrapro_set(content: list[Any], path: str) -> ContrastiveSet:
    """The set; buckets are the reference pronoun, the antecedent's location and its distance."""
    instances = [
        _instance(Fields(item, path, f"instance {number} (from 0)")) for number, item in enumerate(content)
    ]
    return checked(ContrastiveSet(path, KIND, instances, ((DISTANCE, PRONOUN),)), path)


def _instance(fields: Fields) -> Instance:
    contrastive = [
        fields.inner(error, f"error {number}").text("contrastive")
        for number, error in enumerate(fields.items("errors"))
    ]
    pronoun = fold(fields.text("ref pronoun"))
    return Instance(
        fields.text("src segment"),
        fields.text("ref segment"),
        tuple(contrastive),
        _context(fields, "src context"),
        _context(fields, "ref context"),
        {
            PRONOUN: _SAME_PRONOUN.get(pronoun, pronoun),
            LOCATION: _location(fields),
            DISTANCE: _distance(fields),
        },
    )


def _context(fields: Fields, key: str) -> tuple[str, ...] | None:
    """The sentence before; an empty one is the beginning of a text."""
    context = fields.optional_text(key)
    if context is None:
        return None
    return (context,) if context else ()


def _location(fields: Fields) -> str:
    inside: Any = fields.optional("intrasegmental", bool)
    if inside is None:
        distance = fields.optional("ante distance", int)
        inside = None if distance is None else distance == 0
    return UNKNOWN if inside is None else "intrasegmental" if inside else "external"


def _distance(fields: Fields) -> str:
    distance: int | None = fields.optional("ante distance", int)
    if distance is None:
        return UNKNOWN
    if distance < 0:
        raise fields.error(f"key 'ante distance': a number from 0 on expected, found {distance}")
    return str(distance) if distance <= _FARTHEST else f">{_FARTHEST}"
