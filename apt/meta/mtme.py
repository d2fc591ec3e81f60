"""Human and metric scores in the layout of mt-metrics-eval (github.com/google-research/mt-metrics-eval).

Below a test set's folder it keeps `human-scores/LP.GOLD.LEVEL.score`, `documents/LP.docs` and
`metric-scores/LP/METRIC-REF.LEVEL.score`, LEVEL being sys, doc or seg. A score file has a line
`SYSTEM<TAB>SCORE` for each system, document or segment, those of a system in the order of the text; `None` is
no score. In go paths, out comes a table with remarks on what was not taken over; what does not fit is an
error with file and line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from apt.corpus import LineReader
from apt.errors import InputError, OptionError
from apt.meta.reading import MISSING, parsed_number
from apt.meta.score_tables import located
from apt.meta.tables import SegmentTable, SystemTable, listed

ENDING = ".score"
LEVELS = {"sys": "system", "doc": "document", "seg": "segment"}
_AT_ONCE = 1 << 14
ScoresOf = Mapping[str, Sequence[float | None]]


@dataclass(frozen=True)
class Loaded:
    """A table, and what there is to say of how it came about."""

    table: SystemTable | SegmentTable
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Choice:
    """Which of the scores in a folder; None where there is only one, or (metrics) all are wanted."""

    level: str = "sys"
    pair: str | None = None
    gold: str | None = None
    metrics: Sequence[str] | None = None
    references: bool = False  # whether references that people judged count as systems


def read_folder(folder: str, choice: Choice = Choice(), more: Sequence[str] = ()) -> Loaded:
    """A test set's folder; `more` are further score files, or folders of them, of metrics."""
    check_level(choice.level)
    root = Path(folder)
    humans = _human_files(root, choice.level)
    pairs = sorted({pair for pair, _ in humans})
    pair = _one_of(choice.pair, pairs, "language pair", "--lang-pair", folder)
    golds = sorted(gold for found, gold in humans if found == pair)
    gold = _one_of(choice.gold, golds, "kind of human score", "--gold", folder)
    metrics = _metric_files([root / "metric-scores" / pair, *map(Path, more)], choice.level)
    return _loaded(humans[pair, gold], metrics, choice, root / "documents" / f"{pair}.docs")


def read_files(human: str, metrics: Sequence[str], choice: Choice = Choice()) -> Loaded:
    """A file of human scores, whose name says the level, and files or folders of metrics' scores."""
    level = level_of(human)
    if not metrics:
        raise OptionError(f"{human} holds human scores: --scores says where the metrics' are")
    files = _metric_files([Path(path) for path in metrics], level)
    return _loaded(Path(human), files, replace(choice, level=level), None)


def level_of(path: str) -> str:
    """sys, doc or seg, from `NAME.LEVEL.score`."""
    level = Path(path).name.removesuffix(ENDING).rpartition(".")[2]
    if level not in LEVELS:
        raise InputError(f"a name such as NAME.sys.score needed: {', '.join(LEVELS)} says the level", path)
    return level


def check_level(level: str) -> None:
    """Raise when there is no such level."""
    if level not in LEVELS:
        raise OptionError(f"unknown level {level!r}. Available: {', '.join(LEVELS)}")


def read_scores(path: str, level: str) -> dict[str, list[float | None]]:
    """The scores of each system, in the order of the file."""
    scores: dict[str, list[float | None]] = {}
    for number, line in enumerate(_lines(path), start=1):
        cells = line.split()
        if len(cells) != 2:
            raise InputError(f"a system and its score expected, found {line[:60]!r}", path, number)
        system, text = cells
        error = partial(InputError, path=path, line=number)
        if level == "sys" and system in scores:
            raise error(f"{system} is there twice: one score a system expected")
        scores.setdefault(system, []).append(None if text in MISSING else parsed_number(text, error))
    if not scores:
        raise InputError("the file is empty", path, 1)
    first = next(iter(scores))
    for system, values in scores.items():
        if len(values) != len(scores[first]):
            both = f"{len(scores[first])} of {first}, {len(values)} of {system}"
            raise InputError(f"systems have different numbers of scores: {both}", path)
    return scores


def _loaded(human: Path, metrics: Mapping[str, Path], choice: Choice, documents: Path | None) -> Loaded:
    if choice.metrics is not None:
        unknown = [name for name in choice.metrics if name not in metrics]
        if unknown:
            raise OptionError(f"there are no scores of {unknown[0]!r}. There are: {', '.join(metrics)}")
        metrics = {name: metrics[name] for name in choice.metrics}
    if not metrics:
        raise InputError(f"there is no metric's file *.{choice.level}{ENDING} to go with it", str(human))
    judged = read_scores(str(human), choice.level)
    notes = [f"{system} has no human score" for system, values in judged.items() if not any_score(values)]
    judged = {system: values for system, values in judged.items() if any_score(values)}
    if not judged:
        raise InputError("there is no human score in it", str(human))
    if not choice.references:
        references = {name.rpartition("-")[2] for name in metrics if "-" in name}
        left_out = [name for name in judged if name in references]
        notes += [f"{name} is a reference, left out (--with-references)" for name in left_out]
        judged = {system: values for system, values in judged.items() if system not in references}
    by_metric = {name: read_scores(str(path), choice.level) for name, path in metrics.items()}
    for name, scores in by_metric.items():
        notes += _checked(name, scores, judged, str(metrics[name]), str(human))
    names = None
    if choice.level == "seg" and documents is not None and documents.exists():
        names = _documents(documents, len(next(iter(judged.values()))), str(human))
    table = located(str(human), lambda: _table(judged, by_metric, choice.level, names, human.name))
    return Loaded(table, notes)


def _checked(name: str, scores: ScoresOf, judged: ScoresOf, path: str, human: str) -> list[str]:
    """Remarks on systems that only one side has; an error when nothing fits together."""
    needed, found = len(next(iter(judged.values()))), len(next(iter(scores.values())))
    if found != needed:
        raise InputError(f"{needed} scores a system needed to match {human}, found {found}", path)
    if not set(scores) & set(judged):
        both = f"{listed(scores)} here, {listed(judged)} there"
        raise InputError(f"no system is also in {human}: {both}", path)
    notes = []
    if missing := [system for system in judged if system not in scores]:
        notes.append(f"{name} has no scores of {listed(missing)}")
    if surplus := [system for system in scores if system not in judged]:
        notes.append(f"{name}: {listed(surplus)} not judged by people, left out")
    return notes


def _table(
    judged: ScoresOf,
    by_metric: Mapping[str, ScoresOf],
    level: str,
    documents: Sequence[str] | None,
    human_name: str,
) -> SystemTable | SegmentTable:
    name = human_name.removesuffix(f".{level}{ENDING}").rpartition(".")[2] or "human"
    count = len(next(iter(judged.values())))
    nothing: list[float | None] = [None] * count
    metrics = {
        metric: {system: scores.get(system, nothing) for system in judged}
        for metric, scores in by_metric.items()
    }
    if level == "sys":
        return SystemTable.of(
            [values[0] for values in judged.values()],
            {metric: [values[0] for values in scores.values()] for metric, scores in metrics.items()},
            list(judged),
            name,
        )
    return SegmentTable.of(
        judged,
        metrics,
        documents=documents,
        human_name=name,
        item=LEVELS[level],
    )


def any_score(values: Sequence[float | None]) -> bool:
    """Whether there is a score among them."""
    return any(value is not None for value in values)


def _human_files(root: Path, level: str) -> dict[tuple[str, str], Path]:
    folder = root / "human-scores"
    if not folder.is_dir():
        raise InputError("no folder of mt-metrics-eval: it has no human-scores", str(root))
    files: dict[tuple[str, str], Path] = {}
    for path in sorted(folder.glob(f"*.{level}{ENDING}")):
        pair, _, gold = path.name.removesuffix(f".{level}{ENDING}").partition(".")
        if gold:
            files[pair, gold] = path
    if not files:
        raise InputError(f"there are no human scores of level {level!r}", str(folder))
    return files


def _metric_files(places: Sequence[Path], level: str) -> dict[str, Path]:
    """The files of a level by the metric's name; a later one takes the place of an earlier."""
    files: dict[str, Path] = {}
    ending = f".{level}{ENDING}"
    for place in places:
        if place.is_dir():
            found = sorted(place.glob(f"*{ending}"))
        elif place.name.endswith(ending):
            found = [place]
        elif not place.exists():
            raise InputError("cannot be read: No such file or directory", str(place))
        else:
            raise InputError(f"a file NAME{ending} needed, as the human scores are of that level", str(place))
        files |= {path.name.removesuffix(ending): path for path in found}
    return files


def _documents(path: Path, needed: int, human: str) -> list[str]:
    """The document of each segment: the last word of a line (before it the domain)."""
    names = [line.split()[-1] if line.split() else "" for line in _lines(str(path))]
    if len(names) != needed:
        message = f"{needed} lines needed, one a segment, to match {human}, found {len(names)}"
        raise InputError(message, str(path))
    return names


def _lines(path: str) -> list[str]:
    reader = LineReader(path)
    lines: list[str] = []
    try:
        while more := reader.take(_AT_ONCE):
            lines += more
    finally:
        reader.close()
    return lines


def _one_of(wanted: str | None, there: Sequence[str], what: str, option: str, folder: str) -> str:
    if wanted is None and len(there) == 1:
        return there[0]
    if wanted is None or wanted not in there:
        found = f"no {what} {wanted!r}." if wanted is not None else f"which {what}? ({option})"
        raise InputError(f"{found} There are: {', '.join(there)}", folder)
    return wanted
