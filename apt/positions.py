"""Position files: which occurrences to evaluate, as (segment, token position) pairs, both zero-based."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from operator import index

from apt.corpus import CHUNK_LINES, LineReader
from apt.errors import InputError

_NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Positions:
    """The positions to evaluate in each segment, with the line of the file that asks for each."""

    name: str
    by_segment: Mapping[int, Mapping[int, int]]

    @property
    def digest(self) -> str:
        pairs = sorted((s, p) for s, positions in self.by_segment.items() for p in positions)
        return sha256(repr(pairs).encode()).hexdigest()[:8]

    def in_segment(self, segment: int, length: int) -> Mapping[int, int]:
        """The positions asked for in a segment of this many words; raises when one does not exist."""
        positions = self.by_segment.get(segment, {})
        for position, line in positions.items():
            if position >= length:
                message = f"segment {segment} has no word {position}: it has {length} words, numbered from 0"
                raise InputError(message, self.name, line)
        return positions

    def check_segments(self, total: int) -> None:
        """Raise when a segment is asked for that the text does not have."""
        for segment, positions in self.by_segment.items():
            if segment >= total:
                message = f"there is no segment {segment}: the text has {total}, numbered from 0"
                raise InputError(message, self.name, min(positions.values()))


def positions_from_pairs(pairs: Iterable[tuple[int, int]], name: str = "positions") -> Positions:
    """Positions from (segment, position) pairs, in any order."""
    by_segment: dict[int, dict[int, int]] = {}
    for line, pair in enumerate(pairs, start=1):
        try:
            segment, position = map(index, pair)
        except (TypeError, ValueError):
            raise InputError(f"expected (segment, position) pairs, found {pair!r:.60}", name, line) from None
        if segment < 0 or position < 0:
            raise InputError(f"negative number in {segment} {position}", name, line)
        earlier = by_segment.setdefault(segment, {})
        if position in earlier:
            raise InputError(f"{segment} {position} stands on line {earlier[position]} already", name, line)
        earlier[position] = line
    return Positions(name, by_segment)


def read_positions(path: str) -> Positions:
    """Read a position file: two numbers a line, separated by spaces or a tab."""
    reader = LineReader(path)
    pairs = []
    try:
        while lines := reader.take_ready(CHUNK_LINES):
            for number, line in enumerate(lines, start=reader.taken - len(lines) + 1):
                parts = line.split()
                if len(parts) != 2 or not all(_NUMBER.fullmatch(part) for part in parts):
                    message = f"expected a segment and a token position, such as 12 3, found {line[:60]!r}"
                    raise InputError(message, reader.name, number)
                pairs.append((int(parts[0]), int(parts[1])))
    finally:
        reader.close()
    if not pairs:
        raise InputError("the file is empty", reader.name, 1)
    return positions_from_pairs(pairs, reader.name)
