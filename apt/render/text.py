"""Text for people: one system in detail, or several side by side."""

from collections.abc import Mapping

from apt.cases import Case
from apt.render.tables import BOLD, DIM, GREEN, RED, YELLOW, Renderer
from apt.result import APTResult, PartScore

_CASE_COLOUR = {Case.IDENTICAL: GREEN, Case.EQUIVALENT: YELLOW}
_CONFUSIONS = 8


class TextRenderer(Renderer[APTResult]):
    """APT."""

    def _one(self, name: str, result: APTResult) -> list[list[str]]:
        return [
            [self._headline(name, result)],
            self._cases(result),
            self._parts("pronoun", result.by_pronoun),
            self._parts("document", result.by_document or {}),
            self._confusions(result),
            [
                *self._links(result),
                *self._resampling_notes({name: result}),
                self._paint(str(result.signature), DIM),
            ],
        ]

    def _headline(self, name: str, result: APTResult) -> str:
        score = self._score(result.score) + self._interval(result, "score")
        why = f"  ({result.undefined})" if result.undefined else ""
        return f"{self._paint(f'APT {score}', BOLD)}{why}  {name}"

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
            self._paint(line, _CASE_COLOUR.get(case, RED)) if result.cases.of(case) else line
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
        for name, part in parts.items():
            rows.append([name, self._score(part.score), f"{part.counts.total}", *map(str, part.cases)])
        return self._parts_table(rows)

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

    def _several(self, results: Mapping[str, APTResult]) -> list[list[str]]:
        rows = [["system", "APT", "n", *(str(case.value) for case in Case)]]
        for name, result in results.items():
            score = self._score(result.score) + self._interval(result, "score")
            rows.append([name, score, f"{result.counts.total}", *map(str, result.cases)])
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
        notes += self._resampling_notes(results)
        return [
            [*self._table(rows, numbers_from=1), self._paint(cases, DIM)],
            self._comparison(results, {"score": "APT"}),
            self._side_by_side("pronoun", {name: _scores(r.by_pronoun) for name, r in results.items()}),
            self._side_by_side(
                "document", {name: _scores(r.by_document or {}) for name, r in results.items()}
            ),
            [*dict.fromkeys(notes), *self._links(first)[:1]],
            self._signatures(results),
        ]


def _scores(parts: Mapping[str, PartScore]) -> dict[str, float | None]:
    return {name: part.score for name, part in parts.items()}


def _share(n: int, total: int) -> str:
    return f"{100 * n / total:.1f} %" if total else "n/a"
