"""Which entry of a word-pair table a pair of word numbers has: a hash table for whole arrays at once.

In go the pairs of a table (source number, target number), out come, for any arrays of such numbers, the places
of those pairs in the table, or -1. A binary search would take twenty cache misses a pair, this takes about one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ / golden ratio: spreads consecutive numbers
_EMPTY = np.int64(-1)


class PairIndex:
    """Places of (e, f) in a table; e and f below zero are unknown words, which have no entry."""

    def __init__(self, e: Ints, f: Ints) -> None:
        keys = _keys(e, f)
        self._bits = max(4, int(2 * len(keys)).bit_length())
        size = 1 << self._bits
        # A run of collisions may go past the end; it never gets as long as the margin in practice, and
        # if it did, the loop below would fail loudly.
        self._keys = np.full(size + 4096, _EMPTY, np.int64)
        self._places = np.full(size + 4096, -1, np.int32)
        slots = self._slots(keys)
        waiting = np.arange(len(keys), dtype=np.int32)
        while len(waiting):
            free = self._keys[slots] == _EMPTY
            # Of several that want one slot the last written has it; the others see that and go on.
            self._keys[slots[free]] = keys[waiting[free]]
            self._places[slots[free]] = waiting[free]
            lost = self._places[slots] != waiting
            waiting, slots = waiting[lost], slots[lost] + 1

    def places(self, e: Ints, f: Ints) -> Ints:
        """The places of the pairs, in the broadcast shape of e and f."""
        keys = _keys(e, f)
        slots = self._slots(keys)
        found = self._keys[slots]
        places = np.where(found == keys, self._places[slots], np.int32(-1))
        flat_keys, flat_places = keys.reshape(-1), places.reshape(-1)
        open_ = np.flatnonzero((found != keys) & (found != _EMPTY) & (keys >= 0))
        slots = slots.reshape(-1)[open_]
        while len(open_):
            slots += 1
            found, wanted = self._keys[slots], flat_keys[open_]
            hit = found == wanted
            flat_places[open_[hit]] = self._places[slots[hit]]
            further = ~hit & (found != _EMPTY)
            open_, slots = open_[further], slots[further]
        return places

    def _slots(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        spread = keys.view(np.uint64) * _MULTIPLIER
        return (spread >> np.uint64(64 - self._bits)).view(np.int64)


def _keys(e: Ints, f: Ints) -> NDArray[np.int64]:
    """One number a pair; negative when either word is unknown, and never the empty mark."""
    keys: NDArray[np.int64] = (np.asarray(e, np.int64) << 32) | (np.asarray(f, np.int64) & 0xFFFFFFFF)
    return np.where((np.asarray(e) < 0) | (np.asarray(f) < 0), np.int64(-2), keys)
