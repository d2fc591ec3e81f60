"""What a caller of the library hands in, checked once at the border and cut into chunks.

Texts are lists of strings, links are lists with an entry per segment. The best-known trap of such
interfaces is the nesting of references; a wrong one is an error that says which shape was found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from apt.align.links import LinkLine
from apt.corpus import CHUNK_LINES
from apt.errors import InputError
from apt.segments import Chunk, Side

NO_LINKS = (
    "word links are needed: this version has no aligner yet. Give reference_links and hypothesis_links "
    "(on the command line --ref-align and --hyp-align)"
)


@dataclass(frozen=True)
class Inputs:
    """Texts and links of one system, all of the same length."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    hypotheses: Sequence[str]
    reference_links: Sequence[Sequence[LinkLine]]
    hypothesis_links: Sequence[LinkLine]
    docids: Sequence[str] | None

    def chunks(self) -> Iterator[Chunk]:
        for start in range(0, len(self.sources), CHUNK_LINES):
            part = slice(start, start + CHUNK_LINES)
            yield Chunk(
                start=start,
                sources=self.sources[part],
                references=[
                    Side(lines[part], links[part], "reference_links")
                    for lines, links in zip(self.references, self.reference_links, strict=True)
                ],
                candidates=[Side(self.hypotheses[part], self.hypothesis_links[part], "hypothesis_links")],
                documents=None if self.docids is None else self.docids[part],
            )


class LinksDigest:
    """Names links that were given, so that the signature can tell two sets of them apart.

    Lines are digested as they are written; pairs as the Pharaoh line they stand for.
    """

    def __init__(self) -> None:
        self._hash = sha256()

    def add(self, links: Sequence[LinkLine]) -> None:
        lines = [line if isinstance(line, str) else " ".join(f"{i}-{j}" for i, j in line) for line in links]
        self._hash.update("\n".join([*lines, ""]).encode())

    @property
    def hex(self) -> str:
        return self._hash.hexdigest()[:8]


def check_inputs(
    hypotheses: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    sources: Sequence[str],
    reference_links: Sequence[Any] | None,
    hypothesis_links: Sequence[LinkLine] | None,
    docids: Sequence[str] | None,
) -> Inputs:
    """Check shapes and lengths; hypotheses come first, as in sacrebleu."""
    _check_lines(hypotheses, "hypotheses")
    _check_lines(sources, "sources")
    if not sources:
        raise InputError("sources is empty: nothing to score")
    _check_length(hypotheses, "hypotheses", len(sources))
    streams = _reference_streams(references, len(sources))
    if reference_links is None or hypothesis_links is None:
        raise InputError(NO_LINKS)
    # One reference given flat has its links flat as well: one entry per segment.
    nested_links = [reference_links] if streams is not references else reference_links
    if len(nested_links) != len(streams):
        raise InputError(
            f"reference_links: one list per reference expected, found {len(nested_links)} for {len(streams)}"
        )
    for links in nested_links:
        _check_length(links, "reference_links", len(sources))
    _check_length(hypothesis_links, "hypothesis_links", len(sources))
    if docids is not None:
        _check_lines(docids, "docids")
        _check_length(docids, "docids", len(sources))
    return Inputs(sources, streams, hypotheses, nested_links, hypothesis_links, docids)


def _reference_streams(references: Sequence[Any], length: int) -> Sequence[Sequence[str]]:
    if isinstance(references, str):
        raise InputError("references: expected a list of strings, found one string")
    if not references:
        raise InputError("references is empty: expected one list of strings, or a list of such lists")
    if all(isinstance(reference, str) for reference in references):
        _check_length(references, "references", length)
        return [references]
    if any(isinstance(reference, str) for reference in references):
        raise InputError(
            "references mixes strings and lists: expected one list of strings, or a list of such lists"
        )
    if len(references) == length != len(references[0]):
        raise InputError(
            f"references has {length} lists, one per segment it seems: expected one list per reference, "
            "each with one string per segment"
        )
    for number, stream in enumerate(references):
        _check_lines(stream, f"references[{number}]")
        _check_length(stream, f"references[{number}]", length)
    return references


def _check_lines(lines: Sequence[Any], name: str) -> None:
    if isinstance(lines, str):
        raise InputError(f"{name}: expected a list of strings, found one string")
    for number, line in enumerate(lines):
        if not isinstance(line, str):
            raise InputError(f"{name}[{number}]: expected a string, found {type(line).__name__}")


def _check_length(entries: Sequence[Any], name: str, length: int) -> None:
    if isinstance(entries, str):
        raise InputError(f"{name}: expected one entry per segment, found one string")
    if len(entries) != length:
        raise InputError(f"{name} has {len(entries)} entries, but sources has {length}")
