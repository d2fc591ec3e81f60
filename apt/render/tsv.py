"""Tab-separated tables: a row a system, or a row a triple."""

from collections.abc import Mapping, Sequence

from apt.result import APTResult
from apt.translations import Translation
from apt.triples import Triple

_ESCAPES = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})

SYSTEM_COLUMNS = (
    "system",
    "score",
    "total",
    "identical",
    "equivalent",
    "different",
    "candidate_missing",
    "reference_missing",
    "both_missing",
    "not_in_source",
    "signature",
)
TRIPLE_COLUMNS = (
    "system",
    "document",
    "segment",
    "position",
    "source",
    "reference",
    "candidate",
    "case",
    "source_positions",
    "reference_positions",
    "reference_linked",
    "reference_found",
    "reference_index",
    "candidate_positions",
    "candidate_linked",
    "candidate_found",
)


def row(cells: Sequence[object]) -> str:
    """One line; a tab or line break inside a cell is written as an escape."""
    return "\t".join(str(cell).translate(_ESCAPES) for cell in cells)


def render_tsv(results: Mapping[str, APTResult], width: int) -> str:
    """A row a system; a score that cannot be computed is an empty cell."""
    lines = [row(SYSTEM_COLUMNS)]
    for name, result in results.items():
        score = "" if result.score is None else f"{result.score:.{width}f}"
        counts = result.counts
        lines.append(
            row([name, score, counts.total, *counts.cases, counts.total_not_in_source, result.signature])
        )
    return "\n".join(lines)


def triple_cells(system: str, document: str, triple: Triple) -> list[object]:
    """One triple under `TRIPLE_COLUMNS`; lists are separated by spaces, an empty one is a dash."""
    reference, candidate = triple.reference, triple.candidate
    return [
        system,
        document,
        triple.segment,
        triple.position,
        " ".join(triple.source_words),
        shown(reference),
        shown(candidate),
        triple.case.value,
        _numbers(triple.source_positions),
        _numbers(reference.positions),
        _numbers(reference.linked_positions),
        reference.found.value,
        triple.reference_index,
        _numbers(candidate.positions),
        _numbers(candidate.linked_positions),
        candidate.found.value,
    ]


def shown(translation: Translation) -> str:
    """The forms that count, or OTHER, or NONE."""
    return " ".join(translation.forms) or translation.found.name


def _numbers(positions: Sequence[int]) -> str:
    return " ".join(map(str, positions)) or "-"
