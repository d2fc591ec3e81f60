"""Text for people: one system in detail, or several side by side.

Aligned columns; colour only where the caller says the reader has a terminal for it.
"""

from collections.abc import Mapping, Sequence

from apt.cases import Case
from apt.result import APTResult, PartScore

_BOLD, _DIM, _GREEN, _YELLOW, _RED = "1", "2", "32", "33", "31"
_CASE_COLOUR = {Case.IDENTICAL: _GREEN, Case.EQUIVALENT: _YELLOW}
_CONFUSIONS = 8
_PARTS = 20


class TextRenderer:
    """Renders results with a number of decimals, in colour or plain."""

    def __init__(self, width: int = 4, colour: bool = False) -> None:
        self._width = width
        self._colour = colour

    def render(self, results: Mapping[str, APTResult]) -> str:
        if len(results) == 1:
            ((name, result),) = results.items()
            blocks = self._one(name, result)
        else:
            blocks = self._several(results)
        return "\n\n".join("\n".join(lines) for lines in blocks if lines)

    # ---- one system ----

    def _one(self, name: str, result: APTResult) -> list[list[str]]:
        return [
            [self._headline(name, result)],
            self._cases(result),
            self._parts("pronoun", result.by_pronoun),
            self._parts("document", result.by_document or {}),
            self._confusions(result),
            [*self._links(result), self._paint(str(result.signature), _DIM)],
        ]

    def _headline(self, name: str, result: APTResult) -> str:
        score = self._score(result.score)
        why = f"  ({result.undefined})" if result.undefined else ""
        return f"{self._paint(f'APT {score}', _BOLD)}{why}  {name}"

    def _cases(self, result: APTResult) -> list[str]:
        total = result.counts.total
        rows = [["case", "n", "share", "weight"]]
        for case in Case:
            n = result.cases.of(case)
            weight = result.scoring.weights[case - 1]
            shown = weight if isinstance(weight, str) else f"{weight:g}"
            if case in result.scoring.discard:
                shown = "discarded"
            rows.append([f"{case.value} {case.label}", f"{n}", _share(n, total), shown])
        rows.append(["total", f"{total}", "", ""])
        lines = self._table(rows, numbers_from=1)
        coloured = [
            self._paint(line, _CASE_COLOUR.get(case, _RED)) if result.cases.of(case) else line
            for case, line in zip(Case, lines[1:-1], strict=True)
        ]
        more = []
        if result.counts.total_not_in_source:
            more = [f"not in source (left out): {result.counts.total_not_in_source}"]
        return [lines[0], *coloured, lines[-1], *more]

    def _parts(self, kind: str, parts: Mapping[str, PartScore]) -> list[str]:
        if not parts:
            return []
        rows = [[kind, "score", "n", *(str(case.value) for case in Case)]]
        for name, part in list(parts.items())[:_PARTS]:
            rows.append([name, self._score(part.score), f"{part.counts.total}", *map(str, part.cases)])
        return [*self._table(rows, numbers_from=1), *_hidden(len(parts))]

    def _confusions(self, result: APTResult) -> list[str]:
        wrong = result.counts.confusions
        if not wrong:
            return []
        rows = [["reference", "candidate", "n"]]
        rows += [
            [reference, candidate, str(n)] for (reference, candidate), n in list(wrong.items())[:_CONFUSIONS]
        ]
        title = "most frequent confusions"
        return [
            f"{title} ({_CONFUSIONS} of {len(wrong)})" if len(wrong) > _CONFUSIONS else title,
            *self._table(rows, 2),
        ]

    def _links(self, result: APTResult) -> list[str]:
        report = result.links
        which = "all" if report.all_segments else "those with an evaluated pronoun"
        align = result.signature.fields["align"]
        verb = "checked" if align.startswith("given") else f"made by {align.partition('@')[0]}"
        lines = [f"links {verb} in {report.segments_checked} of {result.segments} segments ({which})"]
        lines += [f"links dropped in {name}: {n}" for name, n in report.dropped.items()]
        return lines

    # ---- several systems ----

    def _several(self, results: Mapping[str, APTResult]) -> list[list[str]]:
        rows = [["system", "APT", "n", *(str(case.value) for case in Case)]]
        for name, result in results.items():
            rows.append([name, self._score(result.score), f"{result.counts.total}", *map(str, result.cases)])
        cases = "cases: " + ", ".join(f"{case.value} {case.label}" for case in Case)
        notes = [
            f"{name}: {result.undefined}" for name, result in results.items() if result.undefined is not None
        ]
        notes += [line for result in results.values() for line in self._links(result)[1:]]
        first = next(iter(results.values()))
        notes += [
            f"{name}: {n} reference pronouns are not in the source and left out"
            for name, result in results.items()
            if (n := result.counts.total_not_in_source)
        ]
        return [
            [*self._table(rows, numbers_from=1), self._paint(cases, _DIM)],
            self._side_by_side("pronoun", {name: result.by_pronoun for name, result in results.items()}),
            self._side_by_side(
                "document", {name: result.by_document or {} for name, result in results.items()}
            ),
            [*dict.fromkeys(notes), *self._links(first)[:1]],
            self._signatures(results),
        ]

    def _signatures(self, results: Mapping[str, APTResult]) -> list[str]:
        """The first in full, of the others what is different: the links, each system having its own."""
        (first_name, first), *others = results.items()
        lines = [f"{first_name}: {first.signature}"]
        for name, result in others:
            fields = result.signature.fields.items() - first.signature.fields.items()
            different = "|".join(f"{key}:{value}" for key, value in sorted(fields))
            lines.append(f"{name}: the same with {different}" if different else f"{name}: the same")
        return [self._paint(line, _DIM) for line in lines]

    def _side_by_side(self, kind: str, results: Mapping[str, Mapping[str, PartScore]]) -> list[str]:
        """The scores of parts, a row a part and a column a system."""
        parts = list(dict.fromkeys(name for scores in results.values() for name in scores))
        if len(parts) < 2:
            return []
        rows = [[kind, *results]]
        for name in parts[:_PARTS]:
            found = [scores.get(name) for scores in results.values()]
            rows.append([name, *(self._score(part.score if part else None) for part in found)])
        return [*self._table(rows, numbers_from=1), *_hidden(len(parts))]

    # ---- small things ----

    def _score(self, score: float | None) -> str:
        return "n/a" if score is None else f"{score:.{self._width}f}"

    def _table(self, rows: Sequence[Sequence[str]], numbers_from: int) -> list[str]:
        """Columns two spaces apart, from `numbers_from` on aligned to the right, with a head."""
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for cells in rows:
            padded = [
                cell.rjust(width) if number >= numbers_from else cell.ljust(width)
                for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
            ]
            lines.append("  ".join(padded).rstrip())
        return [self._paint(lines[0], _DIM), *lines[1:]]

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text


def _share(n: int, total: int) -> str:
    return f"{100 * n / total:.1f} %" if total else "n/a"


def _hidden(parts: int) -> list[str]:
    return [f"… and {parts - _PARTS} more (-f json shows all)"] if parts > _PARTS else []
