"""What a caller of the library hands in, checked once at the border and cut into chunks.

Texts are lists of strings, links are lists with an entry per segment. The best-known trap of such
interfaces is the nesting of references; a wrong one is an error that says which shape was found.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import index
from typing import Any

from apt.align.links import LinkLine
from apt.corpus import CHUNK_LINES
from apt.errors import InputError
from apt.segments import Chunk, Side


@dataclass(frozen=True)
class Inputs:
    """Texts and links of one system, all of the same length."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    hypotheses: Sequence[str]
    reference_links: Sequence[Sequence[LinkLine]] | None
    hypothesis_links: Sequence[LinkLine] | None
    docids: Sequence[str] | None

    def links_of_references(self) -> Sequence[Sequence[LinkLine] | None]:
        return [None] * len(self.references) if self.reference_links is None else self.reference_links

    def reference_names(self) -> list[str]:
        """What the links of each reference are called in messages."""
        several = len(self.references) > 1
        return [
            f"reference_links[{n}]" if several else "reference_links" for n in range(len(self.references))
        ]

    def digest(self) -> str | None:
        """A digest of the links given, if any are."""
        if self.reference_links is None or self.hypothesis_links is None:
            return None
        columns = [*self.reference_links, self.hypothesis_links]
        digest = LinksDigest(len(columns))
        for number, links in enumerate(columns):
            digest.add(number, links)
        return digest.hex(range(len(columns)))

    def chunks(self) -> Iterator[Chunk]:
        for start in range(0, len(self.sources), CHUNK_LINES):
            part = slice(start, start + CHUNK_LINES)
            yield Chunk(
                start=start,
                sources=self.sources[part],
                references=[
                    Side(lines[part], links and links[part], name)
                    for name, lines, links in zip(
                        self.reference_names(), self.references, self.links_of_references(), strict=True
                    )
                ],
                candidates=[
                    Side(
                        self.hypotheses[part],
                        self.hypothesis_links and self.hypothesis_links[part],
                        "hypothesis_links",
                    )
                ],
                documents=None if self.docids is None else self.docids[part],
            )


class LinksDigest:
    """Names the links used, so that a signature can tell two sets of them apart.

    A digest per input, of its lines as they are written (pairs as the Pharaoh line they stand for), so how
    an input is cut into chunks does not matter.
    """

    def __init__(self, inputs: int) -> None:
        self._hashes = [sha256() for _ in range(inputs)]

    def add(self, number: int, links: Sequence[LinkLine]) -> None:
        """Add the next lines of one input."""
        lines = [line if isinstance(line, str) else " ".join(f"{i}-{j}" for i, j in line) for line in links]
        self._hashes[number].update("\n".join([*lines, ""]).encode())

    def hex(self, numbers: Iterable[int]) -> str:
        """The digest of some of the inputs together."""
        together = sha256(b"".join(self._hashes[number].digest() for number in numbers))
        return together.hexdigest()[:8]


def check_inputs(
    hypotheses: Iterable[str],
    references: Iterable[str] | Iterable[Iterable[str]],
    sources: Iterable[str],
    reference_links: Iterable[Any] | None,
    hypothesis_links: Iterable[LinkLine] | None,
    docids: Iterable[str] | None,
) -> Inputs:
    """Check shapes and lengths; hypotheses come first, as in sacrebleu.

    Anything that can be gone through is taken, once: lists, tuples, arrays, columns of a table, generators.
    """
    lines = _lines(sources, "sources")
    if not lines:
        raise InputError("sources is empty: nothing to score")
    candidates = _lines(hypotheses, "hypotheses", len(lines))
    given = _entries(references, "references")
    flat = all(isinstance(reference, str) for reference in given)
    streams = _reference_streams(given, flat, len(lines))
    if (reference_links is None) != (hypothesis_links is None):
        raise InputError("reference_links and hypothesis_links are given together, or neither is")
    return Inputs(
        sources=lines,
        references=streams,
        hypotheses=candidates,
        reference_links=_reference_links(reference_links, flat, len(streams), len(lines)),
        hypothesis_links=None
        if hypothesis_links is None
        else _links(hypothesis_links, "hypothesis_links", len(lines)),
        docids=None if docids is None else _lines(docids, "docids", len(lines)),
    )


def _reference_links(
    links: Iterable[Any] | None, flat: bool, streams: int, length: int
) -> list[list[LinkLine]] | None:
    """One list per reference; one reference given flat has its links flat as well."""
    if links is None:
        return None
    nested = [links] if flat else _entries(links, "reference_links")
    if len(nested) != streams:
        raise InputError(
            f"reference_links: one list per reference expected, found {len(nested)} for {streams}"
        )
    return [_links(entry, "reference_links", length) for entry in nested]


def _reference_streams(references: list[Any], flat: bool, length: int) -> list[list[str]]:
    if not references:
        raise InputError("references is empty: expected one list of strings, or a list of such lists")
    if flat:
        _check_length(references, "references", length)
        return [references]
    if any(isinstance(reference, str) for reference in references):
        raise InputError(
            "references mixes strings and lists: expected one list of strings, or a list of such lists"
        )
    streams = [_entries(stream, f"references[{number}]") for number, stream in enumerate(references)]
    if len(streams) == length != len(streams[0]):
        raise InputError(
            f"references has {length} lists, one per segment it seems: expected one list per reference, "
            "each with one string per segment"
        )
    return [_lines(stream, f"references[{number}]", length) for number, stream in enumerate(streams)]


def _entries(values: Iterable[Any], name: str) -> list[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        found = "one string" if isinstance(values, str) else type(values).__name__
        raise InputError(f"{name}: expected a list, found {found}")
    return list(values)


def _lines(values: Iterable[Any], name: str, length: int | None = None) -> list[str]:
    lines = _entries(values, name)
    for number, line in enumerate(lines):
        if not isinstance(line, str):
            raise InputError(f"{name}[{number}]: expected a string, found {type(line).__name__}")
        if "\n" in line:
            raise InputError(f"{name}[{number}]: a segment cannot hold a line end: {line!r:.60}")
    if length is not None:
        _check_length(lines, name, length)
    return lines


def _links(values: Iterable[Any], name: str, length: int) -> list[LinkLine]:
    links = _entries(values, name)
    _check_length(links, name, length)
    return [link if isinstance(link, str) else _pairs(link, f"{name}[{n}]") for n, link in enumerate(links)]


def _pairs(link: Any, name: str) -> list[tuple[int, int]]:
    try:
        return [(index(i), index(j)) for i, j in link]
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected a Pharaoh line or (i, j) pairs, found {link!r:.60}") from None


def _check_length(entries: Sequence[Any], name: str, length: int) -> None:
    if len(entries) != length:
        raise InputError(f"{name} has {len(entries)} entries, but sources has {length}")
