"""Agreement of raters beyond chance: Gwet's AC1, Cohen's (Conger's) kappa and Fleiss' kappa.

In go ratings, one row an item and one rating a rater, None where a rater did not rate the item; out comes a
`Coefficient` with Gwet's analytic standard error (Gwet 2008, "Computing inter-rater reliability and its
variance in the presence of high agreement"; with missing ratings as in his "Handbook of Inter-Rater
Reliability"). All three are (pa − pe) / (1 − pe) with the same observed agreement pa; they differ in pe, the
agreement expected by chance.

Here i is an item, g a rater and k a category; n is the number of items that anybody rated, r that of raters
and q that of categories. What nobody rated, and who rated nothing, is not there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apt.errors import OptionError

Rating = str | int | None
Ratings = Sequence[Sequence[Rating]]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its standard error and interval.

    `undefined` says why there is no value, `no_interval` why there is none of that. `paired` of the `items`
    have at least two ratings: observed agreement is theirs alone. The interval is that of Student's t with
    n − 1 degrees of freedom, cut off at −1 and 1, beyond which no coefficient lies. With a standard error of
    0 (all items agree in the same way) it is as narrow as the value: that is no certainty.
    """

    name: str
    value: float | None
    undefined: str | None
    observed: float | None
    expected: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    no_interval: str | None
    items: int
    paired: int
    raters: int
    categories: tuple[str | int, ...]
    level: float


def gwet_ac1(
    ratings: Ratings, categories: Sequence[str | int] | None = None, level: float = 0.95
) -> Coefficient:
    """Gwet's AC1: chance is that a rater guesses, which is likelier the more evenly categories are used.

    `categories` are all that raters could choose from; without, those that somebody chose. AC1 depends on
    their number, so name them. It is undefined when there is only one.

    >>> result = gwet_ac1([["yes", "yes"], ["yes", "yes"], ["no", "yes"], ["yes", "yes"]])
    >>> round(result.value, 4), round(result.expected, 5)
    (0.68, 0.21875)
    """
    table = _table(ratings, categories, level)
    if why := _not_paired(table):
        return _undefined("AC1", table, why)
    q = len(table.categories)
    if q < 2:
        why = "there is only one category, so nothing to choose from"
        return _undefined("AC1", table, why, _observed(table))
    share = table.shares.mean(axis=0)
    expected = float((share * (1 - share)).sum()) / (q - 1)
    return _coefficient("AC1", table, expected, table.shares @ (1 - share) / (q - 1))


def fleiss_kappa(
    ratings: Ratings, categories: Sequence[str | int] | None = None, level: float = 0.95
) -> Coefficient:
    """Fleiss' kappa: chance is that two raters draw from the same shares of categories, those of all.

    Undefined when all ratings are one category, because then pe is 1.
    """
    table = _table(ratings, categories, level)
    if (why := _not_paired(table) or _one_category(table)) is not None:
        return _undefined("Fleiss' kappa", table, why, _observed(table))
    share = table.shares.mean(axis=0)
    return _coefficient("Fleiss' kappa", table, float((share**2).sum()), table.shares @ share)


def cohen_kappa(
    ratings: Ratings, categories: Sequence[str | int] | None = None, level: float = 0.95
) -> Coefficient:
    """Cohen's kappa of two raters, Conger's generalisation of more: each rater draws from shares of his own.

    pe is the mean over all pairs of raters. A rater's shares are those of all items he rated, also of those
    that no other did. Undefined when all ratings are one category, because then pe is 1.
    """
    table = _table(ratings, categories, level)
    name = "Cohen's kappa" if table.raters <= 2 else "Conger's kappa"
    if (why := _not_paired(table) or _one_category(table)) is not None:
        return _undefined(name, table, why, _observed(table))
    n, r = table.items, table.raters
    rated = table.chosen.sum(axis=2)  # i, g: 1 where the rater rated the item
    of_rater = rated.sum(axis=0)
    share = table.chosen.sum(axis=0) / of_rater[:, None]  # g, k
    others = share.sum(axis=0) - share  # g, k: what the other raters choose, summed
    pairs = r * (r - 1)
    expected = float((share * others).sum()) / pairs
    # How far each item moves a rater's shares, linearised; a rater's own share stands for a missing rating.
    moved = table.chosen - (rated - of_rater / n)[:, :, None] * share
    by_item = np.einsum("igk,gk,g->i", moved, others, n / of_rater) / pairs
    return _coefficient(name, table, expected, by_item)


class _Table(NamedTuple):
    """Ratings as numbers: `chosen` is 1 where (item, rater, category) was chosen."""

    chosen: Floats
    categories: tuple[str | int, ...]
    level: float

    @property
    def items(self) -> int:
        return int(self.chosen.shape[0])

    @property
    def raters(self) -> int:
        return int(self.chosen.shape[1])

    @property
    def counts(self) -> Floats:
        """i, k: how many raters chose it."""
        return np.asarray(self.chosen.sum(axis=1))

    @property
    def shares(self) -> Floats:
        """i, k: the share of an item's raters that chose it."""
        counts = self.counts
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    @property
    def paired(self) -> NDArray[np.bool_]:
        """i: whether an item has two ratings."""
        return np.asarray(self.counts.sum(axis=1) >= 2)


def _table(ratings: Ratings, categories: Sequence[str | int] | None, level: float) -> _Table:
    widths = sorted({len(row) for row in ratings})
    if len(widths) > 1:
        raise OptionError(f"ratings: as many for every item expected, found {widths[0]} and {widths[-1]}")
    if widths and widths[0] < 2:
        raise OptionError(f"ratings: at least 2 raters needed, found {widths[0]}")
    if not 0 < level < 1:
        raise OptionError(f"level: a number between 0 and 1 expected, found {level}")
    found = list(dict.fromkeys(rating for row in ratings for rating in row if rating is not None))
    known = tuple(sorted(found, key=str)) if categories is None else tuple(categories)
    if len(set(known)) < len(known):
        raise OptionError("categories: one is named twice")
    if unknown := [rating for rating in found if rating not in known]:
        allowed = ", ".join(map(str, known))
        raise OptionError(f"ratings: unknown category {unknown[0]!r}. Categories: {allowed}")
    number = {category: k for k, category in enumerate(known)}
    chosen = np.zeros((len(ratings), widths[0] if widths else 0, len(known)))
    for i, row in enumerate(ratings):
        for g, rating in enumerate(row):
            if rating is not None:
                chosen[i, g, number[rating]] = 1
    chosen = chosen[chosen.any(axis=(1, 2))]
    return _Table(chosen[:, chosen.any(axis=(0, 2))], known, level)


def _not_paired(table: _Table) -> str | None:
    return None if table.paired.any() else "no item has two ratings"


def _one_category(table: _Table) -> str | None:
    used = int(table.chosen.any(axis=(0, 1)).sum())
    return None if used > 1 else "all ratings are the same, so all agreement is expected by chance"


def _agreement_by_item(table: _Table) -> Floats:
    """The share of an item's pairs of ratings that are equal; 0 where there is no pair."""
    counts = table.counts
    total = counts.sum(axis=1)
    return np.asarray((counts * (counts - 1)).sum(axis=1) / np.maximum(total * (total - 1), 1))


def _observed(table: _Table) -> float | None:
    paired = table.paired
    return float(_agreement_by_item(table)[paired].mean()) if paired.any() else None


def _coefficient(name: str, table: _Table, expected: float, by_item: Floats) -> Coefficient:
    """The coefficient for an expected agreement; `by_item` is what each item contributes to that."""
    n, paired = table.items, table.paired
    agreement = _agreement_by_item(table)
    observed = float(agreement[paired].mean())
    value = (observed - expected) / (1 - expected)
    error = low = high = None
    if n > 1:
        alone = n / paired.sum() * (agreement - expected * paired) / (1 - expected)
        linear = alone - 2 * (1 - value) * (by_item - expected) / (1 - expected)
        error = math.sqrt(float(((linear - value) ** 2).sum()) / (n * (n - 1)))
        low, high = _ends(value, error, n - 1, table.level)
    return Coefficient(
        name=name,
        value=value,
        undefined=None,
        observed=observed,
        expected=expected,
        standard_error=error,
        low=low,
        high=high,
        no_interval=None if n > 1 else "only one item was rated",
        items=n,
        paired=int(paired.sum()),
        raters=table.raters,
        categories=table.categories,
        level=table.level,
    )


def _ends(value: float, error: float, freedom: int, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    away = error * float(stdtrit(freedom, (1 + level) / 2))
    return max(-1.0, value - away), min(1.0, value + away)


def _undefined(name: str, table: _Table, why: str, observed: float | None = None) -> Coefficient:
    """No value. (The package irrCAC gives numbers here that follow from a made-up pe just below 1.)"""
    return Coefficient(
        name=name,
        value=None,
        undefined=why,
        observed=observed,
        expected=None,
        standard_error=None,
        low=None,
        high=None,
        no_interval=why,
        items=table.items,
        paired=int(table.paired.sum()),
        raters=table.raters,
        categories=table.categories,
        level=table.level,
    )
