"""Tuning the weights of APT on human scores, and what that is worth on data it was not tuned on.

In goes `TuningData`, out comes `Tuning`: the default setting, the best one, and both once more where the
weights were chosen without what they are judged on. The best setting's own value is optimistic: it is the
highest of hundreds, and with a handful of systems the highest of hundreds is high by chance (the paper,
§4.2: "the differences among each configuration are too small to lead to firm conclusions about the weights").

Leaving out systems: each is scored with weights chosen without it, and the statistic is taken over these
scores. Scores made with different weights are on different scales: more weight is a higher score. Taken as
they are, that would be a difference between systems which is none of their own; it usually makes the estimate
too low, but one that happens to run along with the human scores makes it higher than the best setting's own.
So each score is first given its place among the scores of all systems under the same weights (less their
mean, by their standard deviation). No human score goes into that, no statistic here minds it while the
weights stay the same, and where all choices are the same the estimate is simply the value of that setting.
Leaving out documents: weights are chosen on the others, and the systems are compared inside the document, on
one scale; but a document has few pronouns, so values are lower altogether: only the two beside each other say
something. It asks for weights that serve other texts of the same systems, not other systems.

A gain by cross-validation can be chance too; it is believed where it is larger than its uncertainty, which is
the jackknife's over systems, or that of a mean over documents.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from apt.errors import OptionError
from apt.meta.correlation import STATISTICS, Floats
from apt.meta.searching import (
    DEFAULT,
    SEARCHES,
    TUNED_STATISTICS,
    Found,
    Grid,
    Search,
    SearchName,
    Setting,
    Settings,
    Simplex,
    available,
)
from apt.meta.tuning_data import TuningData

LeaveOut = Literal["systems", "documents"]
LEAVE_OUT: tuple[LeaveOut, ...] = get_args(LeaveOut)
LEAST_SYSTEMS = 3
NEAR = 0.001  # the third decimal is the last the paper prints
LEVEL = 0.95  # of the one-sided bound that a gain must be above
_PAPER = (0.0, 0.5, 1.0)
_BEST_SHOWN = 5
_DEFAULT = Settings((DEFAULT,))

Verdict = Literal["default is best", "does not pay", "unsure", "survives", "unknown"]


@dataclass(frozen=True)
class Fold:
    """What was left out, the setting chosen without it, and what it gave with that and with the default.

    With systems left out these are the system's scores, with documents the statistic over systems, None where
    it is undefined.
    """

    left_out: str
    setting: Setting
    tuned: float | None
    default: float | None


@dataclass(frozen=True)
class CrossValidated:
    """The statistic where weights were chosen without what they are judged on, and the default's beside it.

    `used` of the folds went into both numbers; `reason` says why there is none. `low` is the lower bound of
    the gain at `LEVEL`, one-sided.
    """

    leave_out: LeaveOut
    tuned: float | None
    default: float | None
    folds: tuple[Fold, ...]
    used: int
    low: float | None = None
    reason: str | None = None

    @property
    def gain(self) -> float | None:
        """What tuning gains over the default."""
        return None if self.tuned is None or self.default is None else self.tuned - self.default

    @property
    def chosen(self) -> dict[Setting, int]:
        """How often which setting was chosen, the most frequent first."""
        return dict(Counter(fold.setting for fold in self.folds).most_common())


@dataclass(frozen=True)
class Shown:
    """One setting and all its statistics, None where undefined."""

    setting: Setting
    statistics: Mapping[str, float | None]


@dataclass(frozen=True)
class Tuning:
    """What was found; `near` of the grid's `settings` come within `NEAR` of the best value."""

    statistic: str
    search: SearchName
    step: float
    systems: int
    documents: int | None
    without_pronouns: int  # documents that people judged and the details do not have
    triples: int
    default: float | None
    best: Found
    near: int
    settings: int
    validated: CrossValidated
    paper: tuple[Shown, ...]
    best_few: tuple[Shown, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether the gain is there on what the weights were not chosen on."""
        if self.best.setting == DEFAULT:
            return "default is best"
        gain, low = self.validated.gain, self.validated.low
        if gain is None:
            return "unknown"
        if gain <= 0:
            return "does not pay"
        return "survives" if gain >= NEAR and low is not None and low > 0 else "unsure"


def tune(
    data: TuningData,
    *,
    statistic: str = "pearson",
    search: SearchName = "grid",
    step: float = 0.1,
    leave_out: LeaveOut = "systems",
) -> Tuning:
    """Find the setting that agrees best with people, and cross-validate the finding."""
    _check(data, statistic, search, leave_out)
    counts = data.cases.counts.sum(axis=1)
    discards = available(counts)
    grid = Grid(statistic, step, discards)
    how: Search = grid if search == "grid" else Simplex(statistic, discards)
    best = how.best(counts, data.human)
    if best is None:
        raise OptionError(f"{statistic} is undefined under every setting: all systems score the same")
    by = _by_systems if leave_out == "systems" else _by_documents
    on_grid = grid.settings.values(statistic, counts, data.human)
    order = np.argsort(-np.round(on_grid, 9), kind="stable")  # NaN comes last
    defined = [grid.settings.each[at] for at in order if not np.isnan(on_grid[at])]
    few = list(dict.fromkeys([best.setting, *defined[:_BEST_SHOWN]]))[:_BEST_SHOWN]
    paper = [Setting(w2, w6) for w6 in _PAPER for w2 in _PAPER]
    return Tuning(
        statistic,
        search,
        step,
        len(data.systems),
        None if data.cases.documents is None else len(data.cases.documents),
        data.without_pronouns,
        int(counts[0].sum()),
        _of(statistic, data.human, _DEFAULT.scores(counts)[0]),
        best,
        int(np.count_nonzero(on_grid >= best.value - NEAR)),
        len(grid.settings.each),
        by(data, statistic, how),
        _shown(counts, data.human, paper),
        _shown(counts, data.human, few),
    )


def _by_systems(data: TuningData, statistic: str, search: Search) -> CrossValidated:
    counts = data.cases.counts.sum(axis=1)
    default = _DEFAULT.scores(counts)[0]
    default_value = _of(statistic, data.human, default)
    folds = []
    places = np.empty(len(data.systems))
    for number, name in enumerate(data.systems):
        rest = np.arange(len(data.systems)) != number
        found = search.best(counts[rest], data.human[rest])
        if found is None:
            why = f"without {name} the human scores, or those of every setting, are all equal"
            return CrossValidated("systems", None, default_value, (), 0, reason=why)
        scores = Settings((found.setting,)).scores(counts)[0]
        places[number] = (scores[number] - scores.mean()) / scores.std()  # not 0: the others differ
        folds.append(Fold(name, found.setting, float(scores[number]), float(default[number])))
    places = np.round(places, 9)  # systems that tie must not be ranked by rounding
    value = _of(statistic, data.human, places)
    reason = None if value is not None else "the systems left out all come out alike"
    low = _jackknife_low(statistic, data.human, places, default)
    return CrossValidated("systems", value, default_value, tuple(folds), len(folds), low, reason)


def _jackknife_low(statistic: str, human: Floats, tuned: Floats, default: Floats) -> float | None:
    """The lower bound of the gain, from what it is without each system in turn."""
    n = len(human)
    gains = []
    for rest in ~np.eye(n, dtype=bool):
        values = [_of(statistic, human[rest], metric[rest]) for metric in (tuned, default)]
        if values[0] is None or values[1] is None:
            return None
        gains.append(values[0] - values[1])
    gain = float(STATISTICS[statistic](human, tuned) - STATISTICS[statistic](human, default))
    error = float(np.sqrt((n - 1) / n * np.sum((np.array(gains) - np.mean(gains)) ** 2)))
    return None if np.isnan(gain) else gain - _bound(n) * error


def _bound(n: int) -> float:
    """How many standard errors below an estimate from n items its one-sided bound lies."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, LEVEL))


def _by_documents(data: TuningData, statistic: str, search: Search) -> CrossValidated:
    counts = data.cases.counts
    whole = counts.sum(axis=1)
    folds = []
    for number, name in enumerate(data.cases.documents or ()):
        human = people = data.human
        if data.document_human is not None:
            human = np.delete(data.document_human, number, axis=1).mean(axis=1)
            people = data.document_human[:, number]
        found = search.best(whole - counts[:, number], human)
        if found is None:
            why = f"without document {name} the human scores, or those of every setting, are all equal"
            return CrossValidated("documents", None, None, (), 0, reason=why)
        tuned, default = Settings((found.setting, DEFAULT)).scores(counts[:, number])
        folds.append(
            Fold(name, found.setting, _of(statistic, people, tuned), _of(statistic, people, default))
        )
    pairs = [
        (fold.tuned, fold.default) for fold in folds if fold.tuned is not None and fold.default is not None
    ]
    if not pairs:
        why = "in no document do at least three systems differ in human and in metric scores"
        return CrossValidated("documents", None, None, tuple(folds), 0, reason=why)
    tuned_mean, default_mean = (float(mean) for mean in np.mean(pairs, axis=0))
    gains = np.array([tuned - default for tuned, default in pairs])
    low = None
    if len(pairs) > 1:
        low = float(gains.mean() - _bound(len(pairs)) * gains.std(ddof=1) / np.sqrt(len(pairs)))
    return CrossValidated("documents", tuned_mean, default_mean, tuple(folds), len(pairs), low)


def _shown(counts: NDArray[Any], human: Floats, settings: Sequence[Setting]) -> tuple[Shown, ...]:
    together = Settings(tuple(settings))
    columns = {name: together.values(name, counts, human) for name in TUNED_STATISTICS}
    return tuple(
        Shown(setting, {name: _maybe(column[number]) for name, column in columns.items()})
        for number, setting in enumerate(settings)
    )


def _of(statistic: str, human: Floats, metric: Floats) -> float | None:
    """The statistic, None where it is undefined or two points would make it up."""
    if np.count_nonzero(~np.isnan(metric)) < LEAST_SYSTEMS:
        return None
    return _maybe(STATISTICS[statistic](human, metric))


def _maybe(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _check(data: TuningData, statistic: str, search: str, leave_out: str) -> None:
    for name, value, allowed in (
        ("statistic", statistic, TUNED_STATISTICS),
        ("search", search, SEARCHES),
        ("leave_out", leave_out, LEAVE_OUT),
    ):
        if value not in allowed:
            raise OptionError(f"{name}: unknown {value!r}. Available: {', '.join(allowed)}")
    needed = LEAST_SYSTEMS + (leave_out == "systems")
    if len(data.systems) < needed:
        why = (
            f"{LEAST_SYSTEMS} must remain when one is left out"
            if leave_out == "systems"
            else "two always agree"
        )
        raise OptionError(f"at least {needed} systems are needed ({why}), found {len(data.systems)}")
    if np.ptp(data.human) == 0:
        raise OptionError(f"all human scores are {data.human[0]:g}: nothing can agree with a constant")
    if leave_out == "documents":
        if data.cases.documents is None:
            raise OptionError("leaving out documents needs details with documents (apt-score --docids)")
        if len(data.cases.documents) < 2:
            raise OptionError("leaving out documents needs at least 2 documents, found 1")
