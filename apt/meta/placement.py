"""Where names go beside their points, so that nothing hides anything.

In go points, the sizes of their labels, a frame and boxes to keep clear of, all in one unit; out comes the
lower left corner of each label. Every label has a few hundred places around its point to choose from, and one
after another moves to its best place given the others, until none moves: no chance is involved. (Labels that
push each other away, as in adjustText, come to rest on top of each other where points stand close together.)

A box is (left, bottom, right, top); n labels, m places, k boxes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_DIRECTIONS = 24
_STEPS = 26  # rings of places around a point, each farther away than the one before
_GROWTH = 1.16
_SWEEPS = 40

# What is worse than what, in gaps, beside the distance from the point: nothing may lie on a label; next, a
# line to a point should cross nothing; last, a label would rather not lie on a line.
_HIDDEN = 1e5
_CROSSED = 80.0
_ON_LINE = 2.5


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What labels must stay inside of, keep clear of, and would rather not lie on."""

    frame: tuple[float, float, float, float]
    boxes: Floats  # k × 4: the points themselves, captions
    lines: Floats  # segments (x, y, x, y)


@dataclass(frozen=True, eq=False)
class _Places:
    """The places of one label: boxes, the end of the line to its point, and what each costs by itself."""

    boxes: Floats  # m × 4
    ends: Floats  # m × 2
    costs: Floats  # m


def place_labels(
    points: Floats, sizes: Floats, around: Surroundings, gap: float, leader: float
) -> tuple[Floats, bool]:
    """The lower left corners of the labels, and whether all of them are free.

    `gap` is the room between a point's middle and its label; from `leader` on the two are joined by a line.
    """
    places = [_places(points, number, sizes[number], around, gap, leader) for number in range(len(points))]
    chosen = np.array([int(np.argmin(place.costs)) for place in places])
    # Those in a crowd choose first: the others have room to give way.
    distances = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    order = np.argsort(np.sort(distances, axis=1)[:, 1 : min(5, len(points))].sum(axis=1), kind="stable")
    for _ in range(_SWEEPS):
        before = chosen.copy()
        for number in order:
            chosen[number] = _best(places, chosen, int(number), points, gap, leader)
        if np.array_equal(before, chosen):
            break
    boxes = np.array([place.boxes[choice] for place, choice in zip(places, chosen, strict=True)])
    own = sum(place.costs[choice] >= _HIDDEN * gap for place, choice in zip(places, chosen, strict=True))
    clashes = np.count_nonzero(overlaps(boxes, boxes)) - len(boxes)
    return boxes[:, :2], not own and not clashes


def overlaps(one: Floats, other: Floats) -> Bools:
    """Which of n boxes lie on which of k: n × k."""
    a, b = one[:, None], other[None]
    return np.asarray(
        (a[..., 0] < b[..., 2]) & (b[..., 0] < a[..., 2]) & (a[..., 1] < b[..., 3]) & (b[..., 1] < a[..., 3])
    )


def crosses(segments: Floats, boxes: Floats) -> Bools:
    """Which of n segments (x, y, x, y) go through which of k boxes: n × k."""
    start, way = segments[:, None, :2], segments[:, None, 2:] - segments[:, None, :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (boxes[None, :, :2] - start) / way, (boxes[None, :, 2:] - start) / way
    still = np.broadcast_to(way == 0, low.shape)
    inside = (boxes[None, :, :2] < start) & (start < boxes[None, :, 2:])
    enter = np.where(still, np.where(inside, 0.0, np.inf), np.minimum(low, high))
    leave = np.where(still, np.where(inside, 1.0, -np.inf), np.maximum(low, high))
    first = np.maximum(np.maximum(enter[..., 0], enter[..., 1]), 0)
    return np.asarray(first < np.minimum(np.minimum(leave[..., 0], leave[..., 1]), 1))


def nearest(boxes: Floats, point: Floats) -> Floats:
    """The spot of each box that is nearest to a point."""
    return np.asarray(np.clip(point, boxes[:, :2], boxes[:, 2:]), dtype=np.float64)


def _places(
    points: Floats, number: int, size: Floats, around: Surroundings, gap: float, leader: float
) -> _Places:
    angles = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = gap * _GROWTH ** np.arange(_STEPS)
    # The label's middle is pushed out until its box is the ring's distance away from the point.
    half = size / 2
    middles = (points[number] + rings[:, None, None] * ways + np.sign(np.round(ways, 9)) * half).reshape(
        -1, 2
    )
    left, bottom, right, top = around.frame
    middles = np.clip(middles, [left + half[0], bottom + half[1]], [right - half[0], top - half[1]])
    boxes = np.hstack([middles - half, middles + half])
    ends = nearest(boxes, points[number])
    costs = np.hypot(*(ends - points[number]).T) + np.tile(_liking(ways, gap), _STEPS)
    others = np.delete(np.arange(len(around.boxes)), number)
    costs += _HIDDEN * gap * overlaps(boxes, around.boxes).sum(axis=1)
    if len(around.lines):
        costs += _ON_LINE * gap * crosses(around.lines, boxes).sum(axis=0)
    lines = _lines(points[number], ends)
    joined = np.hypot(*(ends - points[number]).T) > leader
    costs += _CROSSED * gap * (crosses(lines, around.boxes[others]).sum(axis=1) * joined)
    return _Places(boxes, ends, costs)


def _liking(ways: Floats, gap: float) -> Floats:
    """Right of the point is where a reader looks first, then left, above and below."""
    return np.asarray(gap * (0.3 * np.abs(ways[:, 1]) + 0.35 * (ways[:, 0] < -0.1) - 0.05 * ways[:, 1]))


def _best(
    places: Sequence[_Places],
    chosen: NDArray[np.int_],
    number: int,
    points: Floats,
    gap: float,
    leader: float,
) -> int:
    own = places[number]
    others = [other for other in range(len(places)) if other != number]
    if not others:
        return int(np.argmin(own.costs))
    boxes = np.array([places[other].boxes[chosen[other]] for other in others])
    ends = np.array([places[other].ends[chosen[other]] for other in others])
    theirs = np.hstack([points[others], ends])
    theirs = theirs[np.hypot(*(theirs[:, 2:] - theirs[:, :2]).T) > leader]
    joined = np.hypot(*(own.ends - points[number]).T) > leader
    costs = own.costs + _HIDDEN * gap * overlaps(own.boxes, boxes).sum(axis=1)
    costs += _CROSSED * gap * crosses(_lines(points[number], own.ends), boxes).sum(axis=1) * joined
    if len(theirs):
        costs += _CROSSED * gap * crosses(theirs, own.boxes).sum(axis=0)
    return int(np.argmin(np.round(costs, 6)))


def _lines(point: Floats, ends: Floats) -> Floats:
    return np.hstack([np.broadcast_to(point, ends.shape), ends])
