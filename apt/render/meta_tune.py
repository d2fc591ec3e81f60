"""The report of `apt-meta tune`: the default, the best setting, and what is left of it by cross-validation.

In goes `Tuning`, out comes a `Report`.
"""

from collections.abc import Iterator
from typing import Any

from apt.meta.searching import DEFAULT, TUNED_STATISTICS, Setting
from apt.meta.tuning import LEVEL, NEAR, Fold, Shown, Tuning
from apt.render.report import Report, Table, exact, number

_CHOICES = 8  # as many are shown; all are in TSV and JSON
_SETTING = ("w2", "w6", "discarded")
_TIDY = ("table", "left_out", *_SETTING, "quantity", "value")
_KEPT = "keep the default"


def tune_report(tuning: Tuning, width: int = 4) -> Report:
    """What `apt-meta tune` shows."""
    tables = [_summary(tuning, width), _chosen(tuning), _settings(tuning, width)]
    return Report("apt-meta tune", tables, [*_notes(tuning, width)], _tidy(tuning), _data(tuning))


# ---- tables for people ----


def _summary(tuning: Tuning, width: int) -> Table:
    validated = tuning.validated
    head = ["setting", *_SETTING, "on all data", f"{validated.leave_out} left out"]
    rows = [
        ["default", *_cells(DEFAULT), number(tuning.default, width), number(validated.default, width)],
        ["best", *_cells(tuning.best.setting), number(tuning.best.value, width), ""],
        ["chosen each time", "", "", "", "", number(validated.tuned, width)],
    ]
    return Table(f"{tuning.statistic} with the human scores of {tuning.systems} systems", head, rows)


def _chosen(tuning: Tuning) -> Table:
    chosen = list(tuning.validated.chosen.items())
    rows = [[*_cells(setting), str(times)] for setting, times in chosen[:_CHOICES]]
    if len(chosen) > _CHOICES:
        rest = sum(times for _, times in chosen[_CHOICES:])
        rows.append([f"{len(chosen) - _CHOICES} more", "", "", str(rest)])
    what = tuning.validated.leave_out.removesuffix("s")
    return Table(f"chosen with one {what} left out", [*_SETTING, "times"], rows)


def _settings(tuning: Tuning, width: int) -> Table:
    rows = [
        [name, *_cells(shown.setting), *(number(value, width) for value in shown.statistics.values())]
        for name, group in (("paper", tuning.paper), ("best", tuning.best_few))
        for shown in group
    ]
    return Table("settings on all data (optimistic)", ["", *_SETTING, *TUNED_STATISTICS], rows, labels=1)


def _cells(setting: Setting) -> list[str]:
    return [f"{setting.w2:.4g}", f"{setting.w6:.4g}", setting.discarded]


# ---- remarks ----


def _notes(tuning: Tuning, width: int) -> Iterator[str]:
    yield conclusion(tuning, width)
    best = tuning.best.setting
    if best != DEFAULT:
        yield f"the best setting is apt-score --weights {best.weights} --discard {best.discarded}"
    how = f"grid of step {tuning.step:g}" if tuning.search == "grid" else "simplex"
    yield (
        f"search: {how}; {tuning.near} of {tuning.settings} settings of the grid come within {NEAR} of the "
        f"best {tuning.statistic}"
    )
    yield (
        "on all data: optimistic, for the setting was chosen on what it is judged by; "
        f"left out: chosen without the {tuning.validated.leave_out.removesuffix('s')} that is scored"
    )
    yield from _validation_notes(tuning)
    if tuning.without_pronouns:
        yield f"human scores of {tuning.without_pronouns} documents are left out: no pronoun in the details"


def _validation_notes(tuning: Tuning) -> Iterator[str]:
    validated = tuning.validated
    if validated.reason is not None:
        yield f"no cross-validated value: {validated.reason}"
    if validated.low is not None:
        yield "the bound is rough: simulated without any gain, it was above 0 in up to 9 % of cases"
    if validated.leave_out == "documents" and validated.folds:
        yield (
            f"left out: the mean over {validated.used} of {len(validated.folds)} documents, those where "
            f"{tuning.statistic} over systems is defined"
        )
    elif len(validated.chosen) > 1:
        yield (
            f"{len(validated.chosen)} different settings were chosen, with scores on different scales: each "
            "system left out counts by its place among all systems under its setting"
        )
    elif validated.folds:
        yield "one setting was chosen every time, so that leaving out systems shows no loss"


def conclusion(tuning: Tuning, width: int = 4) -> str:
    """Whether to tune, in one sentence."""
    verdict = tuning.verdict
    if verdict == "default is best":
        return f"no setting does better than the default on these data: {_KEPT}"
    optimistic = None if tuning.default is None else tuning.best.value - tuning.default
    gain = f"the gain on all data is {_signed(optimistic, width)}"
    validated = tuning.validated
    if verdict == "unknown":
        return f"{gain}, and cannot be cross-validated: {_KEPT}"
    left = f"with {validated.leave_out} left out it is {_signed(validated.gain, width)}"
    if verdict == "does not pay":
        return f"tuning does not pay on these data: {_KEPT} ({gain}, {left})"
    if validated.low is not None:
        left += f", at {LEVEL:.0%} no less than {_signed(validated.low, width)}".replace("%", " %")
    if verdict == "unsure":
        return f"the gain may be chance: {_KEPT} ({gain}, {left})"
    return (
        f"the gain survives cross-validation ({gain}, {left}); "
        f"with {tuning.systems} systems, see whether it is there on other data before you use it"
    )


def _signed(value: float | None, width: int) -> str:
    text = number(value, width)
    return text if value is None or text.startswith("-") else f"+{text}"


# ---- what programs read ----


def _tidy(tuning: Tuning) -> Table:
    name = tuning.statistic
    validated = tuning.validated
    none = ("", "", "")
    rows: list[list[str]] = [
        ["default", "", *_exact(DEFAULT), name, exact(tuning.default)],
        ["best", "", *_exact(tuning.best.setting), name, exact(tuning.best.value)],
        ["cross_validated", validated.leave_out, *none, name, exact(validated.tuned)],
        ["cross_validated_default", validated.leave_out, *_exact(DEFAULT), name, exact(validated.default)],
        ["cross_validated", validated.leave_out, *none, "gain", exact(validated.gain)],
        ["cross_validated", validated.leave_out, *none, "gain_low", exact(validated.low)],
    ]
    for table, group in (("paper", tuning.paper), ("best_few", tuning.best_few)):
        rows += [
            [table, "", *_exact(shown.setting), statistic, exact(value)]
            for shown in group
            for statistic, value in shown.statistics.items()
        ]
    quantity = "score" if validated.leave_out == "systems" else name
    for fold in validated.folds:
        rows.append(["fold", fold.left_out, *_exact(fold.setting), quantity, exact(fold.tuned)])
        rows.append(["fold_default", fold.left_out, *_exact(DEFAULT), quantity, exact(fold.default)])
    return Table("", _TIDY, rows)


def _exact(setting: Setting) -> list[str]:
    return [exact(setting.w2), exact(setting.w6), setting.discarded]


def _data(tuning: Tuning) -> dict[str, Any]:
    validated = tuning.validated
    return {
        "statistic": tuning.statistic,
        "search": tuning.search,
        "step": tuning.step,
        "systems": tuning.systems,
        "documents": tuning.documents,
        "documents_without_pronouns": tuning.without_pronouns,
        "triples": tuning.triples,
        "default": _setting(DEFAULT) | {"value": tuning.default},
        "best": _setting(tuning.best.setting) | {"value": tuning.best.value},
        "settings": tuning.settings,
        "settings_near_best": tuning.near,
        "near": NEAR,
        "cross_validated": {
            "leave_out": validated.leave_out,
            "tuned": validated.tuned,
            "default": validated.default,
            "gain": validated.gain,
            "gain_low": validated.low,
            "gain_low_level": LEVEL,
            "used": validated.used,
            "reason": validated.reason,
            "chosen": [_setting(setting) | {"times": times} for setting, times in validated.chosen.items()],
            "folds": [_fold(fold) for fold in validated.folds],
        },
        "verdict": tuning.verdict,
        "conclusion": conclusion(tuning),
        "paper_settings": [_shown(shown) for shown in tuning.paper],
        "best_settings": [_shown(shown) for shown in tuning.best_few],
    }


def _setting(setting: Setting) -> dict[str, Any]:
    discard = [case.value for case in sorted(setting.discard)]
    return {"w2": setting.w2, "w6": setting.w6, "discard": discard}


def _fold(fold: Fold) -> dict[str, Any]:
    return {"left_out": fold.left_out, **_setting(fold.setting), "tuned": fold.tuned, "default": fold.default}


def _shown(shown: Shown) -> dict[str, Any]:
    return {**_setting(shown.setting), **shown.statistics}
