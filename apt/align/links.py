"""Links of one segment pair.

i is a source position, j a target position, both zero-based and counted in words. In go pairs or a
Pharaoh/Moses line (`0-0 1-2`), out comes `Links`: the target positions of each source position. A pair
given twice is kept twice.
"""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apt.errors import AptError

Links = Mapping[int, Sequence[int]]
LinkLine = str | Sequence[tuple[int, int]]  # a Pharaoh line, or (i, j) pairs

# Eighteen digits are more than any text has words, and fewer than int() refuses.
_LINK = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
_POSSIBLE = re.compile(r"([0-9]{1,18})[p?]([0-9]{1,18})")


class _PlainLinks(dict[str, tuple[int, int]]):
    """(i, j) of a link `i-j`, read once: the same few thousand near-diagonal links make up most of a file.

    A link written in any other way is out of every range.
    """

    _MOST = 1 << 14
    _NOWHERE = (sys.maxsize, sys.maxsize)

    def __missing__(self, link: str) -> tuple[int, int]:
        if len(self) >= self._MOST:
            self.clear()
        match = _LINK.fullmatch(link)
        self[link] = pair = (int(match[1]), int(match[2])) if match else self._NOWHERE
        return pair


_PLAIN = _PlainLinks()


class LinkError(AptError):
    """One link that cannot be used: malformed, or pointing past the end of a segment."""


@dataclass(frozen=True)
class LinkOptions:
    """How links are read: `lenient` drops what cannot be used, `possible` takes `ipj` and `i?j` too."""

    lenient: bool = False
    possible: bool = False

    def named(self) -> str:
        """The options that are on, as they stand in a signature."""
        return "+".join(name for name in ("lenient", "possible") if getattr(self, name))


class ParsedLinks(NamedTuple):
    """The links of a segment pair, and how many were dropped."""

    links: Links
    dropped: int = 0


def read_links(line: LinkLine, source_length: int, target_length: int, options: LinkOptions) -> ParsedLinks:
    """Links of one segment pair, every one checked against its lengths."""
    if isinstance(line, str):
        return _parse_line(line, source_length, target_length, options)
    return _parse_carefully([f"{i}-{j}" for i, j in line], source_length, target_length, options)


def pharaoh(links: Links) -> str:
    """Links as a line of a file.

    >>> pharaoh({1: [2], 0: [0, 1]})
    '0-0 0-1 1-2'
    """
    return " ".join(f"{i}-{j}" for i in sorted(links) for j in links[i])


def _parse_line(line: str, source_length: int, target_length: int, options: LinkOptions) -> ParsedLinks:
    """The quick way, for a line whose links are all in order; any other is gone through carefully."""
    written = line.split()
    links: dict[int, list[int]] = {}
    for link in written:
        i, j = _PLAIN[link]
        if i >= source_length or j >= target_length:
            return _parse_carefully(written, source_length, target_length, options)
        if i in links:
            links[i].append(j)
        else:
            links[i] = [j]
    return ParsedLinks(links)


def _parse_carefully(
    written: Iterable[str], source_length: int, target_length: int, options: LinkOptions
) -> ParsedLinks:
    pairs = []
    dropped = 0
    for link in written:
        try:
            pairs.append(_parse_link(link, source_length, target_length, options))
        except LinkError:
            if not options.lenient:
                raise
            dropped += 1
    return ParsedLinks(_by_source(pairs), dropped)


def _parse_link(link: str, source_length: int, target_length: int, options: LinkOptions) -> tuple[int, int]:
    match = _LINK.fullmatch(link)
    if match is None and (possible := _POSSIBLE.fullmatch(link)):
        if not options.possible:
            raise LinkError(f"possible link {_shown(link)}: use --possible-links to accept it")
        match = possible
    if match is None:
        raise LinkError(f"malformed link {_shown(link)}: expected i-j, such as 0-2")
    i, j = int(match[1]), int(match[2])
    for side, position, length in (("source", i, source_length), ("target", j, target_length)):
        if position >= length:
            raise LinkError(
                f"link {_shown(link)} is out of range: the {side} segment has {length} words, numbered "
                "from 0 (if the text is tokenised already, use --tokenize none)"
            )
    return i, j


def _by_source(pairs: Iterable[tuple[int, int]]) -> Links:
    links: dict[int, list[int]] = {}
    for i, j in pairs:
        if i in links:
            links[i].append(j)
        else:
            links[i] = [j]
    return links


def _shown(link: str) -> str:
    return repr(link if len(link) <= 40 else f"{link[:40]}…")
