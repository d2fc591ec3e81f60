"""The report of `apt-meta agree`: cases × judgments, metric × people, and people × people.

In goes `Judged`, out comes a `Report`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from apt.cases import Case
from apt.meta.cases_judged import SOURCE, SYSTEM, Judged
from apt.meta.judgments import VERDICTS
from apt.meta.two_by_two import Agreement, Measure
from apt.render.report import Report, Table, exact, interval, number, percent

_TITLES = {"accuracy": "accuracy", "kappa": "Cohen's kappa", "ac1": "AC1"}
_PARTS = 20  # as many are shown; all are in TSV and JSON
_TIDY = (
    "table",
    "by",
    "name",
    "quantity",
    "value",
    "low",
    "high",
    "standard_error",
    "n",
    "undefined",
)


def agree_report(judged: Judged, width: int = 4) -> Report:
    """What `apt-meta agree` shows."""
    parts = {name: _shown(name, part) for name, part in judged.by.items()}
    tables = [
        _cases(judged),
        _two_by_two(judged.overall),
        _overall(judged, width),
        *(_by(name, part, judged, width) for name, part in parts.items() if part),
    ]
    if judged.between_raters:
        tables.append(_raters(judged, width))
    cut = [name for name, part in parts.items() if 0 < len(part) < len(judged.by[name])]
    return Report("apt-meta agree", tables, [*_notes(judged, cut)], _tidy(judged), _data(judged))


# ---- tables for people ----


def _cases(judged: Judged) -> Table:
    head = ["case", *(cell for verdict in VERDICTS for cell in (verdict, "share")), "total"]
    rows = [_case_row(f"{case.value} {case.label}", judged, [case]) for case in Case]
    return Table("judgments by case", head, [*rows, _case_row("total", judged, list(Case))])


def _case_row(label: str, judged: Judged, cases: list[Case]) -> list[str]:
    numbers = [sum(judged.cases.get((case, verdict), 0) for case in cases) for verdict in VERDICTS]
    total = sum(numbers)
    return [label, *(cell for n in numbers for cell in (str(n), percent(n, total))), str(total)]


def _two_by_two(overall: Agreement) -> Table:
    counts = overall.counts
    rows = [
        ["right", str(counts.right_correct), str(counts.right_incorrect)],
        ["wrong", str(counts.wrong_correct), str(counts.wrong_incorrect)],
    ]
    return Table("metric and people", ["the metric says", "people: correct", "incorrect"], rows)


def _overall(judged: Judged, width: int) -> Table:
    rows = [[_TITLES[name], *_cells(measure, width)] for name, measure in judged.overall.measures.items()]
    return Table("agreement of metric and people", ["", "value", _level(judged.resampling.level)], rows)


def _shown(name: str, part: Mapping[str, Agreement]) -> list[str]:
    """The parts to show, the largest first; a single one would only say again what is true of all."""
    if len(part) < 2 and name in (SYSTEM, SOURCE):
        return []
    if name == SYSTEM:  # people put systems into an order
        return list(part)[:_PARTS]
    return sorted(part, key=lambda label: -part[label].counts.total)[:_PARTS]


def _by(name: str, labels: list[str], judged: Judged, width: int) -> Table:
    """Part below part for each measure, so that they can be compared."""
    part = judged.by[name]
    rows = []
    for measure, title in _TITLES.items():
        for i, label in enumerate(labels):
            found = part[label]
            cells = _cells(found.measures[measure], width)
            rows.append(["" if i else title, label or "(empty)", str(found.counts.total), *cells])
    head = ["", name, "compared", "value", _level(judged.resampling.level)]
    return Table(f"agreement by {name}", head, rows, labels=2)


def _cells(measure: Measure, width: int) -> list[str]:
    found = measure.interval
    low, high = (None, None) if found is None else (found.low, found.high)
    return [number(measure.value, width), interval(low, high, width)]


def _raters(judged: Judged, width: int) -> Table:
    level = judged.between_raters[0].level
    rows = [
        [
            found.name,
            number(found.value, width),
            number(found.standard_error, width),
            interval(found.low, found.high, width),
            number(found.observed, width),
            number(found.expected, width),
        ]
        for found in judged.between_raters
    ]
    title = f"agreement of {len(judged.raters)} raters: {', '.join(VERDICTS)}"
    return Table(title, ["", "value", "std. error", _level(level), "observed", "by chance"], rows)


def _level(level: float) -> str:
    return f"{100 * level:g} % interval"


# ---- remarks ----


def _notes(judged: Judged, cut: list[str]) -> Iterator[str]:
    settings, plan = judged.settings, judged.resampling
    more = f", {judged.ties} left out because raters are tied" if judged.ties else ""
    yield f"{judged.judged} of {judged.triples} triples judged, {judged.not_judged} not{more}"
    if judged.empty not in (0, judged.not_judged):
        yield f"rows without a judgment: {judged.empty}"
    accepted = [case for case in sorted(settings.accept) if case not in settings.discard]
    right = ", ".join(str(case.value) for case in accepted)
    yield f"{judged.overall.counts.total} compared: the metric says right in cases {right or 'none'}"
    if judged.discarded:
        which = ", ".join(str(case.value) for case in sorted(settings.discard))
        yield f"left out of the comparison: {judged.discarded} triples of the discarded cases {which}"
    if judged.bad:
        meaning = "left out of the comparison" if settings.bad == "leave" else "counted as incorrect"
        yield f"bad translations: {judged.bad}, {meaning} (--bad)"
    drawn = f"{judged.overall.units} {plan.unit}, {plan.resamples} resamples, seed {plan.seed}"
    yield f"intervals of metric and people: bootstrap of {drawn}"
    if judged.between_raters:
        first = judged.between_raters[0]
        yield f"raters: {first.paired} triples have two judgments or more; standard errors are Gwet's"
    if len(judged.raters) == 1:
        yield f"raters: only {judged.raters[0]}, so there is nobody to agree with"
    for name in cut:
        yield f"by {name}: {_PARTS} of {len(judged.by[name])} (-f tsv and -f json have all)"
    yield from _reasons(judged)


def _reasons(judged: Judged) -> Iterator[str]:
    """Why something is n/a, and what the intervals leave out."""
    found = {("", ""): judged.overall}
    found |= {(name, label): part for name in judged.by for label, part in judged.by[name].items()}
    missing: dict[str, list[str]] = {}
    undefined = 0
    for (name, label), part in found.items():
        for measure, value in part.measures.items():
            where = f"{_TITLES[measure]} of {name} {label or '(empty)'}" if name else _TITLES[measure]
            if why := value.undefined or value.no_interval:
                what = where if value.undefined else f"interval of {where}"
                missing.setdefault(why, []).append(what)
            undefined = max(undefined, 0 if value.interval is None else value.interval.undefined)
    for rater in judged.between_raters:
        if why := rater.undefined or rater.no_interval:
            missing.setdefault(why, []).append(f"{rater.name} of the raters")
    for why, names in missing.items():
        others = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield f"n/a: {names[0]}{others}: {why}"
    if undefined:
        yield f"up to {undefined} resamples have no value and are left out of an interval"


# ---- for programs ----


def _tidy(judged: Judged) -> Table:
    rows: list[list[str]] = []
    for case in Case:
        total = sum(judged.cases.get((case, verdict), 0) for verdict in VERDICTS)
        for verdict in VERDICTS:
            n = judged.cases.get((case, verdict), 0)
            rows.append(_tidy_row("cases", "case", str(case.value), verdict, str(n), n=total))
    parts = [("", "", judged.overall)]
    parts += [(name, label, part) for name, by in judged.by.items() for label, part in by.items()]
    for name, label, part in parts:
        rows += _tidy_agreement(name, label, part)
    for found in judged.between_raters:
        ends = exact(found.low), exact(found.high), exact(found.standard_error)
        why = found.undefined or found.no_interval or ""
        rows.append(
            _tidy_row("raters", "", "", found.name, exact(found.value), *ends, n=found.items, undefined=why)
        )
    return Table("", _TIDY, rows, labels=4)


def _tidy_agreement(name: str, label: str, part: Agreement) -> Iterator[list[str]]:
    total = part.counts.total
    for quantity, n in part.counts._asdict().items():
        yield _tidy_row("agreement", name, label, quantity, str(n), n=total)
    for quantity, measure in part.measures.items():
        found = measure.interval
        low, high = ("", "") if found is None else (exact(found.low), exact(found.high))
        why = measure.undefined or measure.no_interval or ""
        yield _tidy_row(
            "agreement", name, label, quantity, exact(measure.value), low, high, n=total, undefined=why
        )


def _tidy_row(
    table: str,
    by: str,
    name: str,
    quantity: str,
    value: str,
    low: str = "",
    high: str = "",
    error: str = "",
    *,
    n: int,
    undefined: str = "",
) -> list[str]:
    return [table, by, name, quantity, value, low, high, error, str(n), undefined]


def _data(judged: Judged) -> dict[str, Any]:
    settings = judged.settings
    return {
        "settings": {
            "accept": sorted(case.value for case in settings.accept),
            "discard": sorted(case.value for case in settings.discard),
            "bad": settings.bad,
            "resample": judged.resampling.unit,
            "confidence_n": judged.resampling.resamples,
            "seed": judged.resampling.seed,
            "level": judged.resampling.level,
        },
        "triples": judged.triples,
        "judged": judged.judged,
        "not_judged": judged.not_judged,
        "rows_without_judgment": judged.empty,
        "ties": judged.ties,
        "bad": judged.bad,
        "discarded": judged.discarded,
        "cases": {
            str(case.value): {verdict: judged.cases.get((case, verdict), 0) for verdict in VERDICTS}
            for case in Case
        },
        "agreement": _agreement_data(judged.overall),
        "by": {
            name: {label: _agreement_data(part) for label, part in by.items()}
            for name, by in judged.by.items()
        },
        "raters": list(judged.raters),
        "between_raters": [asdict(found) for found in judged.between_raters],
    }


def _agreement_data(part: Agreement) -> dict[str, Any]:
    measures = {name: asdict(measure) for name, measure in part.measures.items()}
    return {"compared": part.counts.total, **part.counts._asdict(), "units": part.units, **measures}
