"""Which entry of a word-pair table a pair of word numbers has: a hash table for whole arrays at once.

In go the pairs of a table (number of e, number of f), out come, for arrays of such numbers, the places of
those pairs in the table, or -1. A binary search would take twenty cache misses a pair, this takes two.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ / golden ratio: spreads consecutive numbers
_EMPTY = np.int64(-1)  # also the key of two unknown words, which finds the place -1 of an empty slot
_MARGIN = 4096  # slots past the end, for runs of collisions there


class PairIndex:
    """Places of (e, f) in a table without repeated pairs; -1 is an unknown word, which has no pairs."""

    def __init__(self, e: Ints, f: Ints) -> None:
        keys = _keys(e, f)
        self._bits = max(4, int(2 * len(keys)).bit_length())
        size = (1 << self._bits) + _MARGIN
        self._keys = np.full(size, _EMPTY)
        self._places = np.full(size, -1, np.int32)
        waiting = np.arange(len(keys), dtype=np.int32)
        slots = self._slots(keys)
        while len(waiting):
            free = self._keys[slots] == _EMPTY
            # Of several that want one slot the last written has it; the others see that and go on.
            self._keys[slots[free]] = keys[waiting[free]]
            self._places[slots[free]] = waiting[free]
            lost = self._places[slots] != waiting
            waiting, slots = waiting[lost], slots[lost] + 1

    def places(self, e: Ints, f: Ints) -> Ints:
        """The places of the pairs, in the shape that e and f have together."""
        keys = _keys(e, f).reshape(-1)
        slots = self._slots(keys)
        found = self._keys[slots]
        hit = found == keys
        places = np.where(hit, self._places[slots], np.int32(-1))
        missed = np.flatnonzero(~hit & (found != _EMPTY))
        slots, keys = slots[missed], keys[missed]
        while len(missed):
            slots += 1
            found = self._keys[slots]
            hit = found == keys
            places[missed[hit]] = self._places[slots[hit]]
            further = ~hit & (found != _EMPTY)
            missed, slots, keys = missed[further], slots[further], keys[further]
        return places.reshape(np.broadcast_shapes(e.shape, f.shape))

    def _slots(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        spread = keys.view(np.uint64) * _MULTIPLIER
        return (spread >> np.uint64(64 - self._bits)).view(np.int64)


def _keys(e: Ints, f: Ints) -> NDArray[np.int64]:
    """One number a pair; no pair with an unknown word has the number of a pair without."""
    keys: NDArray[np.int64] = (e.astype(np.int64) << 32) | (f.astype(np.int64) & 0xFFFFFFFF)
    return keys
