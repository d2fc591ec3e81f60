"""The triples of details files (`apt-score --details`): what a metric made of each pronoun.

In go paths of TSV or JSONL files, packed or not, out come `DetailedTriples`, each triple found by system,
segment and position. Several files are several systems of one source text: a triple that is in two of them
is an error. What people judge is compared with these values as they are written here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from apt.cases import Case
from apt.corpus import LineReader
from apt.errors import InputError
from apt.meta.reading import read_rows

_JSON = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_COLUMNS = ("system", "segment", "position", "source", "reference", "candidate", "case")
_LONGEST_NUMBER = 18  # digits: whatever is longer is no position
_AT_ONCE = 1 << 14


class Key(NamedTuple):
    """Which triple."""

    system: str
    segment: int
    position: int

    def __str__(self) -> str:
        return f"system {self.system}, segment {self.segment}, position {self.position}"


@dataclass(frozen=True)
class DetailedTriple:
    """One triple, as a details file has it; `document` is None where there is none."""

    key: Key
    document: str | None
    source: str
    reference: str
    candidate: str
    case: Case
    path: str
    line: int


@dataclass(frozen=True)
class DetailedTriples:
    """All triples by their keys, in the order of the files."""

    paths: tuple[str, ...]
    by_key: Mapping[Key, DetailedTriple]


def read_details(paths: Sequence[str]) -> DetailedTriples:
    """Read details files; their endings say whether they are tables or JSON."""
    by_key: dict[Key, DetailedTriple] = {}
    for path in paths:
        triples = _from_json(path) if path.lower().endswith(_JSON) else _from_table(path)
        for triple in triples:
            first = by_key.setdefault(triple.key, triple)
            if first is not triple:
                message = f"{triple.key} is there twice: first in {first.path}, line {first.line}"
                raise InputError(message, triple.path, triple.line)
    return DetailedTriples(tuple(paths), by_key)


def whole_number(text: str) -> int | None:
    """A number from 0 on, None where the text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None


def _from_table(path: str) -> Iterator[DetailedTriple]:
    table = read_rows(path)
    table.require(*_COLUMNS)
    for row in table.rows:
        cells = row.cells
        yield DetailedTriple(
            Key(
                cells["system"],
                _number(whole_number(cells["segment"]), "segment", cells["segment"], table.path, row.line),
                _number(whole_number(cells["position"]), "position", cells["position"], table.path, row.line),
            ),
            cells.get("document") or None,
            cells["source"],
            cells["reference"],
            cells["candidate"],
            _case(whole_number(cells["case"]), cells["case"], table.path, row.line),
            table.path,
            row.line,
        )


def _from_json(path: str) -> Iterator[DetailedTriple]:
    reader = LineReader(path)
    try:
        while lines := reader.take(_AT_ONCE):
            first = reader.taken - len(lines) + 1
            for number, line in enumerate(lines, start=first):
                yield _Object(line, path, number).triple()
        if not reader.taken:
            raise InputError("the file is empty", path, 1)
    finally:
        reader.close()


class _Object:
    """One line of JSON, of which nothing is believed."""

    def __init__(self, line: str, path: str, number: int) -> None:
        self._path, self._number = path, number
        try:
            self._content: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else error
            raise self._error(f"not a JSON object: {what}") from None

    def triple(self) -> DetailedTriple:
        words = self._value(list, "source", "words")
        if not all(isinstance(word, str) for word in words):
            raise self._error("key 'source.words': a list of words expected")
        document = self._content.get("document") if isinstance(self._content, dict) else None
        return DetailedTriple(
            Key(_writable(self._value(str, "system")), self._whole("segment"), self._whole("position")),
            str(document) if document is not None else None,
            " ".join(words),
            self._value(str, "reference", "text"),
            self._value(str, "candidate", "text"),
            _case(self._value(int, "case"), str(self._value(int, "case")), self._path, self._number),
            self._path,
            self._number,
        )

    def _whole(self, key: str) -> int:
        value = self._value(int, key)
        return _number(value if value >= 0 else None, key, str(value), self._path, self._number)

    def _value(self, kind: type[Any], *keys: str) -> Any:
        value = self._content
        for key in keys:
            if not isinstance(value, dict) or key not in value:
                raise self._error(f"key {'.'.join(keys)!r} is missing: no line of apt-score --details")
            value = value[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            names = {str: "text", int: "a whole number", list: "a list"}
            raise self._error(f"key {'.'.join(keys)!r}: {names[kind]} expected, found {str(value)[:40]!r}")
        return value

    def _error(self, message: str) -> InputError:
        return InputError(message, self._path, self._number)


def _writable(name: str) -> str:
    """The name of a file that is not UTF-8, as a table has it."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _number(value: int | None, name: str, found: str, path: str, line: int) -> int:
    if value is None:
        raise InputError(f"{name}: a whole number from 0 on expected, found {found[:40]!r}", path, line)
    return value


def _case(value: int | None, found: str, path: str, line: int) -> Case:
    if value not in list(Case):
        raise InputError(f"case: a number from 1 to 6 expected, found {found[:40]!r}", path, line)
    return Case(value)
