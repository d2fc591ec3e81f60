"""What weights are tuned on: how often each case occurs in each system and document, and human scores.

In go details files (`apt-score --details`) and a table of human scores, a row a system or a row a (system,
document); out comes `TuningData`. The systems must be the same on both sides, and all details must be of the
same pronouns: scores of different text cannot be compared, nor tuned.

S is the number of systems, D that of documents (1, without a name, where the details have none).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from apt.cases import Case
from apt.errors import InputError, OptionError
from apt.meta.correlation import Floats
from apt.meta.details import DetailedTriples, Key, read_details
from apt.meta.reading import Row, Rows, read_rows

DOCUMENT = "document"
Counts = NDArray[np.int64]
Name = TypeVar("Name", bound=str | None)


@dataclass(frozen=True, eq=False)
class CaseTable:
    """Counts per system, document and case: S × D × 6."""

    systems: tuple[str, ...]
    documents: tuple[str, ...] | None
    counts: Counts


@dataclass(frozen=True)
class HumanTable:
    """Human scores: `scores[system][document]`, the document being None where the table names none."""

    path: str
    scores: Mapping[str, Mapping[str | None, float]]

    @property
    def by_document(self) -> bool:
        return None not in next(iter(self.scores.values()))


@dataclass(frozen=True, eq=False)
class TuningData:
    """Counts, and the human score of every system and, where people judged documents, of every document."""

    cases: CaseTable
    human: Floats  # S
    document_human: Floats | None  # S × D
    without_pronouns: int = 0  # documents that people judged and the details do not have

    @property
    def systems(self) -> tuple[str, ...]:
        return self.cases.systems


def read_tuning_data(
    details: Sequence[str], human: str, column: str = "human", systems: str | None = None
) -> TuningData:
    """Read everything; `systems` is the column of names, without it the first."""
    if [*details, human].count("-") > 1:
        raise InputError("standard input (-) can be named only once")
    return joined(count_cases(read_details(details)), read_human(human, column, systems))


def count_cases(details: DetailedTriples) -> CaseTable:
    """Count the cases of each system and document."""
    triples = details.by_key.values()
    if not triples:
        raise InputError("there is no triple to tune with", details.paths[0])
    with_document = sum(triple.document is not None for triple in triples)
    if 0 < with_document < len(triples):
        bare = next(triple for triple in triples if triple.document is None)
        raise InputError("there is no document, though other triples have one", bare.path, bare.line)
    _check_same_pronouns(details)
    systems = {name: number for number, name in enumerate(_names(key.system for key in details.by_key))}
    documents = {name: number for number, name in enumerate(_names(each.document for each in triples))}
    counts = np.zeros((len(systems), len(documents), len(Case)), dtype=np.int64)
    for triple in triples:
        counts[systems[triple.key.system], documents[triple.document], triple.case - 1] += 1
    named = tuple(name for name in documents if name is not None)
    return CaseTable(tuple(systems), named or None, counts)


def _check_same_pronouns(details: DetailedTriples) -> None:
    places: dict[str, dict[tuple[int, int], str | None]] = {}
    for key, triple in details.by_key.items():
        places.setdefault(key.system, {})[key.segment, key.position] = triple.document
    first, *others = places
    for other in others:
        for one, two in ((first, other), (other, first)):
            missing = next((place for place in places[one] if place not in places[two]), None)
            if missing is not None:
                triple = details.by_key[Key(one, *missing)]
                message = f"{triple.key} is not there for system {two}: all systems need the same pronouns"
                raise InputError(message, triple.path, triple.line)
        for place, document in places[other].items():
            if places[first][place] != document:
                triple = details.by_key[Key(other, *place)]
                message = f"{triple.key} is in another document than for system {first}"
                raise InputError(message, triple.path, triple.line)


def read_human(path: str, column: str = "human", systems: str | None = None) -> HumanTable:
    """Read human scores; with a column `document`, a row is a system's document."""
    table = read_rows(path)
    name_column = systems or next((name for name in table.columns if name != DOCUMENT), "system")
    table.require(name_column, column)
    if name_column == column:
        raise OptionError(f"{column!r} cannot be the names of systems and their human scores at once")
    by_document = DOCUMENT in table.columns and name_column != DOCUMENT
    scores: dict[str, dict[str | None, float]] = {}
    for row in table.rows:
        name = row.cells[name_column].strip()
        document = row.cells[DOCUMENT].strip() if by_document else None
        if not name or document == "":
            raise table.error(row, f"the {'document' if name else 'system'} has no name")
        of_system = scores.setdefault(name, {})
        if document in of_system:
            what = f"system {name!r}" + ("" if document is None else f", document {document!r}")
            raise table.error(row, f"{what} is there twice")
        of_system[document] = _score(table, row, column, name)
    return HumanTable(table.path, scores)


def _score(table: Rows, row: Row, column: str, name: str) -> float:
    score = table.numeric(row, column)
    if score is None:
        raise table.error(row, f"column {column!r}: system {name!r} has no human score")
    return score


def joined(cases: CaseTable, human: HumanTable) -> TuningData:
    """Put counts and human scores together, in the order of the details."""
    _check_systems(cases.systems, human)
    if not human.by_document:
        return TuningData(cases, np.array([human.scores[name][None] for name in cases.systems]), None)
    judged = _names(document for of_system in human.scores.values() for document in of_system)
    for name in cases.systems:
        _complain(human.path, f"system {name!r} has no score of document", judged, human.scores[name])
    if cases.documents is None:
        return TuningData(cases, _rows(cases.systems, human, judged).mean(axis=1), None)
    _complain(human.path, "there is no human score of document", cases.documents, judged)
    scores = _rows(cases.systems, human, cases.documents)
    return TuningData(cases, scores.mean(axis=1), scores, len(judged) - len(cases.documents))


def _rows(systems: Sequence[str], human: HumanTable, documents: Sequence[str | None]) -> Floats:
    return np.array([[human.scores[name][document] for document in documents] for name in systems])


def _check_systems(systems: Sequence[str], human: HumanTable) -> None:
    if not set(systems) & set(human.scores):
        raise InputError(
            f"no system of the details ({_listed(systems)}) is here ({_listed(list(human.scores))}): "
            "apt-score calls a system by the name of its candidate file",
            human.path,
        )
    _complain(human.path, "there is no human score of system", systems, human.scores)
    _complain(human.path, "the details do not have system", list(human.scores), systems)


def _complain(path: str, what: str, wanted: Sequence[str | None], there: Iterable[str | None]) -> None:
    """Raise if something wanted is not there, with the names of what is missing."""
    known = set(there)
    missing = [str(name) for name in wanted if name not in known]
    if missing:
        raise InputError(f"{what} {_listed(missing)}", path)


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more


def _names(names: Iterable[Name]) -> list[Name]:
    return list(dict.fromkeys(names))
