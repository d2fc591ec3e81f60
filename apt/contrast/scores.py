"""Scores of a model for every translation of a contrastive set: one number a line, or JSON lines.

A line of JSON is `{"score": 1.5}` for a translation, or `{"scores": [1.5, 2.25]}` for an instance. In goes a
path and the set, out come as many numbers as the set has translations, in its order; anything else is an
error.
"""

import json
import math

import numpy as np
from numpy.typing import NDArray

from apt.contrast.instances import ContrastiveSet
from apt.corpus import LineReader
from apt.errors import InputError

Floats = NDArray[np.float64]
_AT_ONCE = 1 << 14


def read_scores(path: str, contrastive_set: ContrastiveSet) -> Floats:
    """The scores, checked against the set."""
    reader = LineReader(path)
    scores: list[float] = []
    sizes = contrastive_set.sizes
    try:
        while lines := reader.take(_AT_ONCE):
            first = reader.taken - len(lines) + 1
            for number, line in enumerate(lines, start=first):
                scores += _scores(line, reader.name, number, sizes)
    finally:
        reader.close()
    expected = sum(sizes)
    if len(scores) != expected:
        what = f"{expected} scores needed, one a translation of {contrastive_set.name}, found {len(scores)}"
        raise InputError(what, reader.name, reader.taken or 1)
    return np.array(scores)


def _scores(line: str, path: str, number: int, sizes: list[int]) -> list[float]:
    text = line.strip()
    if text.startswith("{"):
        return _from_json(text, path, number, sizes)
    try:
        return [_finite(float(text), path, number)]
    except ValueError:
        raise InputError(f"a score expected, found {line[:40]!r}", path, number) from None


def _from_json(text: str, path: str, number: int, sizes: list[int]) -> list[float]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("not a JSON object", path, number) from None
    values = content.get("scores", [content["score"]] if "score" in content else None)
    if not isinstance(values, list):
        raise InputError("key 'score' or 'scores' is missing", path, number)
    for value in values:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise InputError(f"a score expected, found {str(value)[:40]!r}", path, number)
    if "scores" in content and number <= len(sizes) and len(values) != sizes[number - 1]:
        expected = f"{sizes[number - 1]} scores expected for instance {number - 1} (from 0)"
        raise InputError(f"{expected}, found {len(values)}", path, number)
    return [_finite(float(value), path, number) for value in values]


def _finite(value: float, path: str, number: int) -> float:
    if not math.isfinite(value):
        raise InputError(f"{value} is no score", path, number)
    return value
