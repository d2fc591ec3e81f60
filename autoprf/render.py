"""AutoPRF for people and programs, with the tables, rows and documents of the package."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apt.render.json import common_dict, dumped
from apt.render.tables import BOLD, DIM, Renderer
from apt.render.tsv import number, resampled_cells, resampled_columns, row
from apt.triples import Triple
from autoprf.counts import Sums, clipped_matches
from autoprf.result import AutoPRFResult, PartPRF

_NUMBERS = {"f1": "F1", "precision": "precision", "recall": "recall"}
_COLUMNS = (
    "system",
    "precision",
    "recall",
    "f1",
    "occurrences",
    "matches",
    "candidate_words",
    "reference_words",
)


class TextRenderer(Renderer[AutoPRFResult]):
    """AutoPRF."""

    def _one(self, name: str, result: AutoPRFResult) -> list[list[str]]:
        headline = self._score(result.f1) + self._interval(result, "f1")
        why = f"  ({result.undefined})" if result.undefined else ""
        return [
            [f"{self._paint(f'AutoPRF F1 {headline}', BOLD)}{why}  {name}"],
            self._table(
                [
                    ["", "", "matches", "of"],
                    ["precision", self._ranged(result, "precision"), *_fraction(result.sums, 1)],
                    ["recall", self._ranged(result, "recall"), *_fraction(result.sums, 2)],
                ],
                numbers_from=1,
            ),
            self._parts("pronoun", result.by_pronoun),
            self._parts("document", result.by_document or {}),
            self._occurrences({name: result}),
            [
                *self._links(result),
                *self._resampling_notes({name: result}),
                self._paint(str(result.signature), DIM),
            ],
        ]

    def _several(self, results: Mapping[str, AutoPRFResult]) -> list[list[str]]:
        rows = [["system", "F1", "precision", "recall", "n", "matches", "candidate", "reference"]]
        for name, result in results.items():
            numbers = [self._ranged(result, statistic) for statistic in _NUMBERS]
            rows.append([name, *numbers, str(result.counts.total), *map(str, result.sums)])
        notes = [f"{name}: {result.undefined}" for name, result in results.items() if result.undefined]
        notes += [line for result in results.values() for line in self._links(result)[1:]]
        notes += self._resampling_notes(results)
        first = next(iter(results.values()))
        return [
            self._table(rows, numbers_from=1),
            self._comparison(results, _NUMBERS),
            self._side_by_side("pronoun: F1", {name: _scores(r.by_pronoun) for name, r in results.items()}),
            self._side_by_side(
                "document: F1", {name: _scores(r.by_document or {}) for name, r in results.items()}
            ),
            self._occurrences(results),
            [*dict.fromkeys(notes), *self._links(first)[:1]],
            self._signatures(results),
        ]

    def _ranged(self, result: AutoPRFResult, statistic: str) -> str:
        return self._score(getattr(result, statistic)) + self._interval(result, statistic)

    def _parts(self, kind: str, parts: Mapping[str, PartPRF]) -> list[str]:
        if not parts:
            return []
        rows = [[kind, "F1", "precision", "recall", "n", "matches", "candidate", "reference"]]
        for name, part in parts.items():
            sums = part.sums
            numbers = [self._score(value) for value in (sums.f1, sums.precision, sums.recall)]
            rows.append([name, *numbers, str(part.counts.total), *map(str, sums)])
        return self._parts_table(rows)

    def _occurrences(self, results: Mapping[str, AutoPRFResult]) -> list[str]:
        """Each occurrence with the words linked to it, where triples were kept."""
        rows = [
            [name, *_occurrence(triple)]
            for name, result in results.items()
            for triple in result.triples or ()
        ]
        head = ["system", "segment", "position", "pronoun", "reference", "candidate", "matches"]
        return self._table([head, *rows], numbers_from=len(head)) if rows else []


def render_json(results: Mapping[str, AutoPRFResult]) -> str:
    """All systems as one JSON object."""
    return dumped("AutoPRF", {name: result_dict(result) for name, result in results.items()})


def json_schema() -> dict[str, Any]:
    """The JSON Schema of `render_json`."""
    text = Path(__file__).with_name("autoprf-score.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def result_dict(result: AutoPRFResult) -> dict[str, Any]:
    """One system's result."""
    documents = result.by_document
    return {
        **_numbers(result.sums, result.counts.total),
        "undefined": result.undefined,
        "segments": result.segments,
        "pronouns": [_part("pronoun", *item) for item in result.by_pronoun.items()],
        "documents": None if documents is None else [_part("document", *item) for item in documents.items()],
        **common_dict(result),
    }


def render_tsv(results: Mapping[str, AutoPRFResult], width: int) -> str:
    """A row a system; a number that cannot be computed is an empty cell."""
    statistics = list(_NUMBERS)
    rows: list[list[object]] = []
    for name, result in results.items():
        shares = [number(value, width) for value in (result.precision, result.recall, result.f1)]
        cells = [name, *shares, result.counts.total, *result.sums]
        rows.append([*cells, *resampled_cells(result, statistics, width), result.signature])
    first = next(iter(results.values()))
    columns = [*_COLUMNS, *resampled_columns(first, statistics), "signature"]
    return "\n".join([row(columns), *map(row, rows)])


def _numbers(sums: Sums, occurrences: int) -> dict[str, Any]:
    return {
        "precision": sums.precision,
        "recall": sums.recall,
        "f1": sums.f1,
        "occurrences": occurrences,
        "matches": sums.matches,
        "candidate_words": sums.candidate,
        "reference_words": sums.reference,
    }


def _part(kind: str, name: str, part: PartPRF) -> dict[str, Any]:
    return {kind: name, **_numbers(part.sums, part.counts.total)}


def _fraction(sums: Sums, of: int) -> list[str]:
    return [str(sums.matches), str(sums[of])]


def _scores(parts: Mapping[str, PartPRF]) -> dict[str, float | None]:
    return {name: part.sums.f1 for name, part in parts.items()}


def _occurrence(triple: Triple) -> Sequence[str]:
    words = [" ".join(side.forms) or "-" for side in (triple.reference, triple.candidate)]
    matches = clipped_matches(triple.candidate.forms, triple.reference.forms)
    return [str(triple.segment), str(triple.position), triple.pronoun, *words, str(matches)]
