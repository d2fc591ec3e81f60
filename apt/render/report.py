"""Reports: tables and remarks as text, TSV and LaTeX, with the same findings as data for JSON.

In goes a `Report`, whose cells are written already; out comes a string. `Report.tidy` is what programs
read: one row a number, in full; `Report.data` is the same as JSON.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from apt.render.tables import DIM, aligned, painted
from apt.render.tsv import row
from apt.version import __version__

ReportFormat = Literal["text", "json", "tsv", "latex"]
REPORT_FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)
UNDEFINED = "n/a"

_LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "<": "$<$",  # in text another sign, in LaTeX's usual encoding
    ">": "$>$",
    "|": r"\textbar{}",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "κ": r"$\kappa$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_LATEX = str.maketrans(_LATEX_SIGNS)


@dataclass(frozen=True)
class Table:
    """Cells as they are shown; the first `labels` columns are names, the others numbers."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    labels: int = 1


@dataclass(frozen=True)
class Report:
    """What a command found: tables and remarks for people, `tidy` and `data` for programs."""

    name: str
    tables: Sequence[Table]
    notes: Sequence[str]
    tidy: Table
    data: Mapping[str, Any]


def render_report(report: Report, output: ReportFormat, colour: bool = False) -> str:
    """The report in one of `REPORT_FORMATS`."""
    if output == "json":
        document = {"command": report.name, "version": __version__, **report.data}
        return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    if output == "tsv":
        return "\n".join(map(row, [report.tidy.head, *report.tidy.rows]))
    if output == "latex":
        tables = [_latex(table) for table in report.tables if table.rows]
        return "\n\n".join([*tables, *(f"% {note}" for note in report.notes)])
    blocks = [_text(table, colour) for table in report.tables if table.rows]
    return "\n\n".join([*blocks, "\n".join(report.notes)] if report.notes else blocks)


def _text(table: Table, colour: bool) -> str:
    lines = aligned([table.head, *table.rows], numbers_from=table.labels)
    lines[0] = painted(lines[0], DIM, colour)
    return "\n".join([table.title, *lines] if table.title else lines)


def _latex(table: Table) -> str:
    """A table of the package booktabs, to be put into a paper as it is."""
    columns = "l" * table.labels + "r" * (len(table.head) - table.labels)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_row(table.head),
        r"\midrule",
        *map(_latex_row, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{latex_text(table.title)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _latex_row(cells: Sequence[str]) -> str:
    # A bracket that begins a row would be taken for an argument of the \\ before it.
    written = [f"{{}}{text}" if text.startswith("[") else text for text in map(latex_text, cells)]
    return " & ".join(written) + r" \\"


def latex_text(text: str) -> str:
    r"""Text with LaTeX's own signs escaped.

    >>> print(latex_text("muda_f1 & 95 %"))
    muda\_f1 \& 95 \%
    """
    return text.translate(_LATEX)


def number(value: float | None, width: int = 4) -> str:
    """A value with so many decimals; −0 is 0."""
    return UNDEFINED if value is None else f"{round(value, width) + 0.0:.{width}f}"


def percent(part: int, whole: int) -> str:
    """A share of whole numbers, with its percent sign."""
    return f"{100 * part / whole:.1f} %" if whole else UNDEFINED


def interval(low: float | None, high: float | None, width: int = 4) -> str:
    """`[low, high]`."""
    return UNDEFINED if low is None or high is None else f"[{number(low, width)}, {number(high, width)}]"


def exact(value: float | None) -> str:
    """A cell of `tidy`: all digits; an undefined value is an empty cell."""
    return "" if value is None else repr(float(value))
