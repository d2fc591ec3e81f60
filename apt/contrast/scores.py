"""Scores of a model for every translation of a contrastive set: one number a line, or JSON lines.

A line of JSON is `{"score": 1.5}` for a translation, or `{"scores": [1.5, 2.25]}` for an instance; all lines
of a file are of one kind. In goes a path and the set, out come as many numbers as the set has translations,
in its order; anything else is an error.
"""

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apt.contrast.instances import ContrastiveSet
from apt.corpus import name_of, read_lines
from apt.errors import InputError

Floats = NDArray[np.float64]


def read_scores(path: str, contrastive_set: ContrastiveSet) -> Floats:
    """The scores, checked against the set."""
    name, lines, sizes = name_of(path), read_lines(path), contrastive_set.sizes
    if _is_instance(lines[0] if lines else ""):
        scores = _of_instances(lines, name, sizes)
    else:
        scores = [_of_translation(line, name, number) for number, line in enumerate(lines, start=1)]
    if len(scores) != sum(sizes):
        what = f"{sum(sizes)} scores needed, one a translation of {contrastive_set.name}"
        raise InputError(f"{what}, found {len(scores)}", name, len(lines) or 1)
    return np.array(scores)


def _is_instance(line: str) -> bool:
    """Whether the scores of an instance are together in one line."""
    return line.lstrip().startswith("{") and '"scores"' in line


def _of_instances(lines: list[str], path: str, sizes: list[int]) -> list[float]:
    scores: list[float] = []
    for number, line in enumerate(lines, start=1):
        values = _value(line, "scores", path, number)
        if not isinstance(values, list):
            raise InputError("key 'scores': a list of scores expected", path, number)
        if number <= len(sizes) and len(values) != sizes[number - 1]:
            expected = f"{sizes[number - 1]} scores expected for instance {number - 1} (from 0)"
            raise InputError(f"{expected}, found {len(values)}", path, number)
        scores += [_number(value, path, number) for value in values]
    return scores


def _of_translation(line: str, path: str, number: int) -> float:
    text = line.strip()
    if text.startswith("{"):
        return _number(_value(text, "score", path, number), path, number)
    try:
        # Python reads 1_000 as a number; whoever wrote it may have meant anything.
        value = float(text) if "_" not in text else None
    except ValueError:
        value = None
    return _number(line if value is None else value, path, number)


def _value(text: str, key: str, path: str, number: int) -> Any:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("not a JSON object", path, number) from None
    if not isinstance(content, dict) or key not in content:
        raise InputError(f"a JSON object with the key {key!r} expected", path, number)
    return content[key]


def _number(value: Any, path: str, number: int) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InputError(f"a score expected, found {_shown(value)}", path, number)
    try:
        score = float(value)
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        raise InputError(f"{score} is no score", path, number)
    return score


def _shown(value: Any) -> str:
    return "a list or an object" if isinstance(value, list | dict) else repr(value)[:40]
