"""Tab-separated tables: a row a system, or a row a triple."""

from collections.abc import Mapping, Sequence

from apt.render.tables import Shown
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
RESAMPLED_COLUMNS = (
    "low",
    "high",
    "difference",
    "difference_low",
    "difference_high",
    "p_bootstrap",
    "p_randomization",
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
    rows: list[list[object]] = []
    for name, result in results.items():
        counts = result.counts
        cells = [name, number(result.score, width), counts.total, *counts.cases, counts.total_not_in_source]
        rows.append([*cells, *resampled_cells(result, ["score"], width), result.signature])
    first = next(iter(results.values()))
    columns = [*SYSTEM_COLUMNS[:-1], *resampled_columns(first, ["score"]), SYSTEM_COLUMNS[-1]]
    return "\n".join([row(columns), *map(row, rows)])


def number(value: float | None, width: int) -> str:
    """A cell; an undefined value is an empty one."""
    return "" if value is None else f"{value:.{width}f}"


def resampled_columns(result: Shown, statistics: Sequence[str]) -> list[str]:
    """The columns of what was resampled, if anything was."""
    if result.compared is None:
        return []
    return [f"{name}_{kind}" for name in statistics for kind in RESAMPLED_COLUMNS]


def resampled_cells(result: Shown, statistics: Sequence[str], width: int) -> list[str]:
    """The cells under `resampled_columns`."""
    if result.compared is None:
        return []
    cells = []
    for name in statistics:
        interval = result.compared.intervals.get(name)
        bootstrap = result.compared.bootstrap.get(name)
        randomization = result.compared.randomization.get(name)
        test = bootstrap or randomization
        between = None if bootstrap is None else bootstrap.interval
        values = [
            None if interval is None else interval.low,
            None if interval is None else interval.high,
            None if test is None else test.difference,
            None if between is None else between.low,
            None if between is None else between.high,
        ]
        cells += [number(value, width) for value in values]
        # In full: rounded, a small p would become 0.
        cells += ["" if found is None else f"{found.p:.6g}" for found in (bootstrap, randomization)]
    return cells


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
