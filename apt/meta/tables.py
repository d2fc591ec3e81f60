"""Human and metric scores side by side: a row a system, or a row a system and a column a segment.

In go numbers, with None where there is no score; what does not fit together is an error here, once. Inside,
a missing score is NaN in a float array; no result holds one.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from apt.errors import OptionError
from apt.meta.correlation import Floats, is_constant
from apt.meta.reading import is_score

LEAST_SYSTEMS = 3  # any two points lie on a line
Scores = Sequence[float | None]


@dataclass(frozen=True, eq=False)
class SystemTable:
    """One human score and one score of each metric a system."""

    systems: tuple[str, ...]
    human: Floats
    metrics: Mapping[str, Floats]
    human_name: str = "human"

    @classmethod
    def of(
        cls,
        human: Scores,
        metrics: Mapping[str, Scores],
        systems: Sequence[str] | None = None,
        human_name: str = "human",
    ) -> Self:
        """A table from lists, all in the order of `systems`; None where there is no score.

        >>> SystemTable.of([1, 2, 3], {"BLEU": [20.1, 19.5, 30.2]}).systems
        ('1', '2', '3')
        """
        if isinstance(systems, str):
            raise OptionError(f"systems: a list of names expected, found {systems!r}")
        names = tuple(str(i + 1) for i in range(len(human))) if systems is None else tuple(systems)
        shape = (len(names),)
        columns = {name: scores_array(scores, name, shape) for name, scores in metrics.items()}
        table = cls(names, scores_array(human, human_name, shape), columns, human_name)
        table.check()
        return table

    def check(self) -> None:
        """Raise unless something can be said of these systems."""
        check_names(self.systems, "system")
        if not self.metrics:
            raise OptionError("there is no metric to correlate with the human scores")
        judged = int(np.count_nonzero(~np.isnan(self.human)))
        if judged < LEAST_SYSTEMS:
            raise OptionError(
                f"at least {LEAST_SYSTEMS} systems with a human score are needed, found {judged}: "
                "two points always lie on a line"
            )
        _check_varies(self.human, self.human_name)

    def without(self, names: Collection[str]) -> Self:
        """The table with these systems left out."""
        check_known(names, self.systems, "system")
        kept = np.array([system not in names for system in self.systems])
        return replace(
            self,
            systems=tuple(system for system in self.systems if system not in names),
            human=self.human[kept],
            metrics={name: scores[kept] for name, scores in self.metrics.items()},
        )


@dataclass(frozen=True, eq=False)
class SegmentTable:
    """A human score and a score of each metric for every system and segment: arrays systems × segments.

    `item` is what a column is called: a segment, or a document. `documents` are those of the segments.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    human: Floats
    metrics: Mapping[str, Floats]
    documents: tuple[str, ...] | None = None
    human_name: str = "human"
    item: str = "segment"

    @classmethod
    def of(
        cls,
        human: Mapping[str, Scores],
        metrics: Mapping[str, Mapping[str, Scores]],
        *,
        segments: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        human_name: str = "human",
        item: str = "segment",
    ) -> Self:
        """A table from lists a system; None where there is no score.

        >>> table = SegmentTable.of(
        ...     {"a": [90, 80], "b": [70, None]}, {"APT": {"a": [1, None], "b": [0, 1]}}
        ... )
        >>> table.coverage("APT")
        (2, 3)
        """
        systems = tuple(human)
        count = max(map(len, human.values()), default=0)
        names = tuple(map(str, range(count))) if segments is None else tuple(segments)
        shape = (len(systems), len(names))
        columns = {}
        for name, scores in metrics.items():
            check_known(systems, scores, f"system of {name}")
            columns[name] = scores_array([scores[system] for system in systems], name, shape)
        table = cls(
            systems,
            names,
            scores_array(list(human.values()), human_name, shape),
            columns,
            None if documents is None else tuple(documents),
            human_name,
            item,
        )
        table.check()
        return table

    def check(self) -> None:
        """Raise unless something can be said of these segments."""
        check_names(self.systems, "system")
        check_names(self.segments, self.item)
        if not self.metrics:
            raise OptionError("there is no metric to correlate with the human scores")
        if self.documents is not None and len(self.documents) != len(self.segments):
            raise OptionError(
                f"documents: one a {self.item} needed, found {len(self.documents)} for {len(self.segments)}"
            )
        if np.count_nonzero(~np.isnan(self.human)) < LEAST_SYSTEMS:
            raise OptionError(f"at least {LEAST_SYSTEMS} human scores are needed")
        _check_varies(self.human, self.human_name)

    def coverage(self, metric: str) -> tuple[int, int]:
        """How many of the human scores have a score of the metric beside them, and how many there are."""
        judged = ~np.isnan(self.human)
        return int(np.count_nonzero(judged & ~np.isnan(self.metrics[metric]))), int(np.count_nonzero(judged))

    def common(self) -> Self:
        """Only the scores that people and all metrics have given: the same text for every metric."""
        there = ~np.isnan(np.stack([self.human, *self.metrics.values()])).any(axis=0)
        kept = there.any(axis=0)

        def only(scores: Floats) -> Floats:
            return np.where(there, scores, np.nan)[:, kept]

        return replace(
            self,
            segments=_where(self.segments, kept),
            human=only(self.human),
            metrics={name: only(scores) for name, scores in self.metrics.items()},
            documents=None if self.documents is None else _where(self.documents, kept),
        )

    def without(self, names: Collection[str]) -> Self:
        """The table with these systems left out."""
        check_known(names, self.systems, "system")
        kept = np.array([system not in names for system in self.systems])
        return replace(
            self,
            systems=_where(self.systems, kept),
            human=self.human[kept],
            metrics={name: scores[kept] for name, scores in self.metrics.items()},
        )


def row_means(scores: Floats) -> Floats:
    """The mean of each row's scores, NaN where there are none."""
    there = ~np.isnan(scores)
    count = there.sum(axis=-1)
    sums = np.where(there, scores, 0.0).sum(axis=-1)
    return np.where(count > 0, sums / np.maximum(count, 1), np.nan)


def scores_array(scores: Any, name: str, shape: tuple[int, ...]) -> Floats:
    """Numbers as an array, None becoming NaN; what is no number, or not as many as needed, is an error."""
    if len(shape) > 1:
        rows = [scores_array(row, name, shape[1:]) for row in scores]
        return np.array(rows, dtype=np.float64).reshape(shape)
    values = list(scores)
    if len(values) != shape[0]:
        raise OptionError(f"{name}: {shape[0]} scores needed, found {len(values)}")
    return np.array([_number(value, name, position) for position, value in enumerate(values)], dtype=float)


def _number(value: Any, name: str, position: int) -> float:
    if value is None:
        return math.nan
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise OptionError(f"{name}: a number expected at {position}, found {value!r}") from None
    if not is_score(number):
        raise OptionError(f"{name}: {number} at {position} is no score; None says that there is none")
    return number


def check_names(names: Sequence[str], what: str) -> None:
    """Raise if a name is given twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise OptionError(f"the {what} {name!r} is there twice")
        seen.add(name)


def check_known(names: Iterable[str], known: Collection[str], what: str) -> None:
    """Raise if a name is not among those there are."""
    if isinstance(names, str):
        raise OptionError(f"{what}: a list of names expected, found {names!r}")
    for name in names:
        if name not in known:
            raise OptionError(f"there is no {what} {name!r}. There are: {listed(known)}")


def _check_varies(human: Floats, name: str) -> None:
    values = human[~np.isnan(human)]
    if is_constant(values):
        raise OptionError(f"{name}: all human scores {alike(values)}: nothing can agree with a constant")


def negated(table: "SystemTable | SegmentTable", names: Collection[str]) -> "SystemTable | SegmentTable":
    """The table with the scores of some metrics turned round, and their names with a sign before them."""
    check_known(names, table.metrics, "metric")
    metrics = {
        f"-{name}" if name in names else name: -scores if name in names else scores
        for name, scores in table.metrics.items()
    }
    return replace(table, metrics=metrics)


def alike(values: Floats) -> str:
    """In which way values are the same."""
    first = values.flat[0]
    return f"are {first:g}" if np.all(values == first) else "differ by rounding alone"


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names for a message, which must stay readable.

    >>> listed("abcd", most=2)
    'a, b and 2 more'
    """
    known = list(names)
    more = f" and {len(known) - most} more" if len(known) > most else ""
    return ", ".join(known[:most]) + more


def _where(names: Sequence[str], kept: Any) -> tuple[str, ...]:
    return tuple(name for name, keep in zip(names, kept, strict=True) if keep)
