"""Collecting: the counts of chunks become the evidence for one system's score.

In come `ChunkResult`s in the order of the text, out comes one frozen `Evidence` per system, of which a
metric makes its result.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self

from apt.comparing import Compared, Unit
from apt.errors import OptionError
from apt.segments import C, Chunk, ChunkResult, Keep, Tally
from apt.signature import Signature
from apt.triples import Triple


@dataclass(frozen=True)
class LinksReport:
    """Which links were read and checked, and what lenient reading dropped, per input."""

    all_segments: bool
    segments_checked: int
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Evidence(Generic[C]):
    """What a score rests on: the counts, and what else was asked for (None where it was not).

    `document_counts` and `segment_documents` are None without documents.
    """

    counts: C
    document_counts: Mapping[str, C] | None
    segments: int
    links: LinksReport
    signature: Signature
    triples: tuple[Triple, ...] | None = None
    segment_counts: tuple[C, ...] | None = None
    segment_documents: tuple[str, ...] | None = None
    compared: Compared | None = None

    def with_comparison(self, compared: Compared, signature: Signature) -> Self:
        """The same with what resampling says."""
        return replace(self, compared=compared, signature=signature)

    def sample_rows(self, rows: Any, unit: Unit) -> Any:
        """Statistics of segments (an array) as those of the units that are drawn."""
        from apt.significance import by_document

        if unit == "segments":
            return rows
        if self.segment_documents is None:
            raise OptionError("resampling documents: the documents are not given")
        return by_document(rows, self.segment_documents)

    def kept_segments(self) -> tuple[C, ...]:
        """The counts per segment, which must have been asked for."""
        if self.segment_counts is None:
            raise OptionError("resampling needs the counts of segments: score with keep_segments=True")
        return self.segment_counts


class _System(Generic[C]):
    def __init__(self, tally: Tally[C]) -> None:
        self.tally = tally
        self.documents: dict[str, Tally[C]] = {}
        self.triples: list[Triple] = []
        self.segments: list[C] = []


class Collector(Generic[C]):
    """Adds up chunk results; `evidence` gives one system's."""

    def __init__(self, systems: int, keep: Keep, new_tally: Callable[[], Tally[C]]) -> None:
        self._keep = keep
        self._new_tally = new_tally
        self._systems = [_System(new_tally()) for _ in range(systems)]
        self._segments = 0
        self._checked = 0
        self._dropped: Counter[str] = Counter()
        self._documents: list[str] = []

    @property
    def segments(self) -> int:
        return self._segments

    def add(self, chunk: Chunk, result: ChunkResult[C]) -> None:
        self._segments += result.segments
        self._checked += result.checked
        self._dropped.update(result.dropped)
        if self._keep.segments:
            self._documents.extend(chunk.documents or ())
        for system, part in zip(self._systems, result.systems, strict=True):
            system.tally.add_counts(part.counts)
            for document, counts in part.by_document.items():
                if document not in system.documents:
                    system.documents[document] = self._new_tally()
                system.documents[document].add_counts(counts)
            system.triples.extend(part.triples if self._keep.triples else ())
            system.segments.extend(part.by_segment if self._keep.segments else ())

    def evidence(self, index: int, signature: Signature, link_names: Sequence[str]) -> Evidence[C]:
        """One system's evidence; `link_names` are the link inputs that concern it."""
        system = self._systems[index]
        documents = {document: tally.counts() for document, tally in system.documents.items()}
        return Evidence(
            counts=system.tally.counts(),
            document_counts=documents or None,
            segments=self._segments,
            links=LinksReport(
                all_segments=self._checked == self._segments,
                segments_checked=self._checked,
                dropped={name: self._dropped[name] for name in link_names if self._dropped[name]},
            ),
            signature=signature,
            triples=tuple(system.triples) if self._keep.triples else None,
            segment_counts=tuple(system.segments) if self._keep.segments else None,
            segment_documents=tuple(self._documents) if self._keep.segments and documents else None,
        )
