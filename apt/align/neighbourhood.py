"""The neighbourhood heuristic: where to look for a pronoun's translation that the links miss.

Miculicich Werlen & Popescu-Belis 2017, §2.3 and Table 1.

The markers are the links of the source words before and after the pronoun; the range reaches from one word
before the first marker to one word after the last; of the acceptable words in it, the one closest to its
centre is chosen. i is a source position, j a target position.
"""

from collections.abc import Callable
from dataclasses import dataclass

from apt.align.links import Links


@dataclass(frozen=True)
class Neighbourhood:
    """The markers of one pronoun and the range they span.

    `first` and `last` are inclusive and not clipped to the segment: the centre is that of the whole range,
    wherever the segment ends.
    """

    markers: tuple[int, ...]

    @property
    def first(self) -> int:
        return self.markers[0] - 1

    @property
    def last(self) -> int:
        return self.markers[-1] + 1

    def positions(self, length: int) -> range:
        """The positions of the range that exist in a target segment of this length."""
        return range(max(self.first, 0), min(self.last + 1, length))


def neighbourhood(i: int, links: Links) -> Neighbourhood | None:
    """The neighbourhood of source position i, or None when neither neighbour is linked."""
    markers = {*links.get(i - 1, ()), *links.get(i + 1, ())}
    return Neighbourhood(tuple(sorted(markers))) if markers else None


def rescue(i: int, links: Links, length: int, accept: Callable[[int], bool]) -> int | None:
    """The acceptable target position closest to the centre of i's neighbourhood; on a tie the left one."""
    around = neighbourhood(i, links)
    if around is None:
        return None
    twice_centre = around.first + around.last
    found = [j for j in around.positions(length) if accept(j)]
    return min(found, key=lambda j: abs(2 * j - twice_centre), default=None)
