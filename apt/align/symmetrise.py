"""Symmetrisation: one set of links from those of two directions.

In go the links of both directions, each as (i, j) pairs, i a source and j a target position; out come the
pairs of the chosen method, sorted. The growing methods are those of Koehn, Och & Marcu 2003 and of Moses'
`symal`: start from the intersection, add neighbours that the union holds (grow-diag), then what else links
an uncovered word (final) or two uncovered words (final-and).

What is added first decides what can be added later, so the order is part of the method. It is symal's: by
target position and then source position, neighbours in the order of `_NEIGHBOURS`, and in the final step the
forward links before the backward ones. Forward links are those where each target word has one source word,
as a model of the target given the source makes them; nothing here relies on that.
"""

from collections.abc import Callable, Collection, Iterator

from apt.errors import OptionError

Pair = tuple[int, int]
Pairs = Collection[Pair]

# Steps in i and j: to the words beside, then to the diagonals, by target and then source.
_NEIGHBOURS = ((0, -1), (-1, 0), (0, 1), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))


def symmetrise(forward: Pairs, backward: Pairs, method: str) -> list[Pair]:
    """The pairs of one of `METHODS`, sorted.

    >>> symmetrise([(0, 0), (1, 1)], [(0, 0), (1, 2)], "intersection")
    [(0, 0)]
    >>> symmetrise([(0, 0), (1, 1)], [(0, 0), (1, 2)], "grow-diag")
    [(0, 0), (1, 1), (1, 2)]
    """
    if method not in METHODS:
        raise OptionError(f"unknown symmetrisation {method!r}. Available: {', '.join(METHODS)}")
    return sorted(METHODS[method](forward, backward))


class _Growing:
    """Pairs to which others are added, and the words they cover."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = set(pairs)
        self._sources = {i for i, _ in pairs}
        self._targets = {j for _, j in pairs}

    def covered(self, pair: Pair) -> int:
        """How many of the pair's two words are covered."""
        return (pair[0] in self._sources) + (pair[1] in self._targets)

    def add(self, pair: Pair) -> None:
        self.pairs.add(pair)
        self._sources.add(pair[0])
        self._targets.add(pair[1])


def _intersection(forward: Pairs, backward: Pairs) -> set[Pair]:
    return {*forward} & {*backward}


def _union(forward: Pairs, backward: Pairs) -> set[Pair]:
    return {*forward} | {*backward}


def _grow_diag(forward: Pairs, backward: Pairs) -> set[Pair]:
    return _grown(forward, backward).pairs


def _grow_diag_final(forward: Pairs, backward: Pairs) -> set[Pair]:
    return _finished(forward, backward, most_covered=1)


def _grow_diag_final_and(forward: Pairs, backward: Pairs) -> set[Pair]:
    return _finished(forward, backward, most_covered=0)


def _grown(forward: Pairs, backward: Pairs) -> _Growing:
    """The intersection, grown by neighbours of the union that cover a new word, until there are none."""
    union = _union(forward, backward)
    growing = _Growing(_intersection(forward, backward))
    in_order = sorted(union, key=_by_target)
    size = -1
    while size != len(growing.pairs):
        size = len(growing.pairs)
        # A pair that is added further on in the order is itself grown from in the same pass.
        for pair in in_order:
            if pair in growing.pairs:
                for neighbour in _neighbours(pair):
                    if neighbour in union and growing.covered(neighbour) < 2:
                        growing.add(neighbour)
    return growing


def _finished(forward: Pairs, backward: Pairs, most_covered: int) -> set[Pair]:
    """What has grown, and the pairs of either direction of whose words so many are covered at most."""
    growing = _grown(forward, backward)
    for direction in (forward, backward):
        for pair in sorted(direction, key=_by_target):
            if growing.covered(pair) <= most_covered:
                growing.add(pair)
    return growing.pairs


def _neighbours(pair: Pair) -> Iterator[Pair]:
    i, j = pair
    return ((i + step_i, j + step_j) for step_i, step_j in _NEIGHBOURS)


def _by_target(pair: Pair) -> Pair:
    return pair[1], pair[0]


METHODS: dict[str, Callable[[Pairs, Pairs], set[Pair]]] = {
    "intersection": _intersection,
    "union": _union,
    "grow-diag": _grow_diag,
    "grow-diag-final": _grow_diag_final,
    "grow-diag-final-and": _grow_diag_final_and,
}
