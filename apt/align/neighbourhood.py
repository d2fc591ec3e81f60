"""The neighbourhood heuristic: where to look for a pronoun's translation that the links miss.

Miculicich Werlen & Popescu-Belis 2017, §2.3 and Table 1.

The markers are the links of the source words before and after the pronoun; the range reaches from one word
before the first marker to one word after the last; of the acceptable words in it, the one closest to its
centre is chosen. i is a source position, j a target position.
"""

from collections.abc import Sequence
from typing import NamedTuple

from apt.align.links import Links


class Neighbourhood(NamedTuple):
    """The range that the markers of one pronoun span.

    `first` and `last` are inclusive and not clipped to the segment: the centre is that of the whole range,
    wherever the segment ends.
    """

    first: int
    last: int

    def positions(self, length: int) -> range:
        """The positions of the range that exist in a target segment of this length."""
        return range(max(self.first, 0), min(self.last + 1, length))

    def closest(self, positions: Sequence[int]) -> int:
        """The one closest to the centre, on a tie the left one; positions are ascending."""
        twice_centre = self.first + self.last
        return min(positions, key=lambda j: abs(2 * j - twice_centre))


def neighbourhood(i: int, links: Links) -> Neighbourhood | None:
    """The neighbourhood of source position i, or None when neither neighbour is linked."""
    markers = [*links.get(i - 1, ()), *links.get(i + 1, ())]
    return Neighbourhood(min(markers) - 1, max(markers) + 1) if markers else None
