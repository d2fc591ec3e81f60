"""Scoring chunks of segments: the way from lines of text to counts and triples.

In goes a `Chunk` (the same lines of every file), out comes a `ChunkResult` per system. A chunk is scored on
its own and results add up, so chunks can be scored anywhere. Only segments that hold an evaluated pronoun
are tokenised and have their links read: nothing else can enter the score.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import regex

from apt.align.links import LinkError, LinkLine, LinkOptions, Links, read_links
from apt.cases import Comparison
from apt.counts import Counts, Tally
from apt.errors import InputError
from apt.normalize import fold
from apt.positions import Positions
from apt.tokenize import Tokenizer
from apt.translations import Finder, Translation
from apt.triples import Target, Triple, reference_triples, source_triples

Anchor = Literal["source", "reference"]
_Segment = tuple[Sequence[Triple], Sequence[str]]  # triples, and reference pronouns not in the source


@dataclass(frozen=True)
class Side:
    """One reference or one candidate: its lines, the links from the source to them, and their names."""

    lines: Sequence[str]
    links: Sequence[LinkLine]
    links_name: str


@dataclass(frozen=True)
class Chunk:
    """The same stretch of segments of every input; `start` is the number of its first segment."""

    start: int
    sources: Sequence[str]
    references: Sequence[Side]
    candidates: Sequence[Side]
    documents: Sequence[str] | None = None


@dataclass(frozen=True)
class Keep:
    """What to keep beside the counts."""

    triples: bool = False
    segments: bool = False


NOTHING = Keep()


@dataclass(frozen=True)
class SystemResult:
    """What one system's candidates give in a chunk."""

    counts: Counts
    by_document: Mapping[str, Counts]
    by_segment: Sequence[Counts] = ()
    triples: Sequence[Triple] = ()


@dataclass(frozen=True)
class ChunkResult:
    """One result per system; how many segments had their links read, and the links dropped per input."""

    systems: Sequence[SystemResult]
    segments: int
    checked: int
    dropped: Mapping[str, int]


class _Account:
    """One system's results while a chunk is scored."""

    def __init__(self, chunk: Chunk) -> None:
        self._chunk = chunk
        self._tally = Tally()
        self._documents = {document: Tally() for document in chunk.documents or ()}
        self._segments: dict[int, Counts] = {}
        self._triples: list[Triple] = []

    def add(self, index: int, triples: Sequence[Triple], not_in_source: Sequence[str], keep: Keep) -> None:
        self._tally.add(triples, not_in_source)
        if self._chunk.documents is not None:
            self._documents[self._chunk.documents[index]].add(triples, not_in_source)
        if keep.segments:
            segment = Tally()
            segment.add(triples, not_in_source)
            self._segments[index] = segment.counts()
        if keep.triples:
            self._triples.extend(triples)

    def result(self, keep: Keep) -> SystemResult:
        nothing = Counts()
        segments = [self._segments.get(index, nothing) for index in range(len(self._chunk.sources))]
        return SystemResult(
            counts=self._tally.counts(),
            by_document={document: tally.counts() for document, tally in self._documents.items()},
            by_segment=segments if keep.segments else (),
            triples=self._triples,
        )


class _LinkReader:
    """Reads the links of single segments and remembers what was dropped."""

    def __init__(self, chunk: Chunk, options: LinkOptions) -> None:
        self._chunk = chunk
        self._options = options
        self.dropped: Counter[str] = Counter()

    def links(self, side: Side, index: int, source: Sequence[str], target: Sequence[str]) -> Links:
        try:
            parsed = read_links(side.links[index], len(source), len(target), self._options)
        except LinkError as error:
            raise InputError(str(error), side.links_name, self._chunk.start + index + 1) from None
        if parsed.dropped:
            self.dropped[side.links_name] += parsed.dropped
        return parsed.links


@dataclass(frozen=True)
class SegmentScorer:
    """Everything needed to score segments, and nothing that changes while doing it."""

    finder: Finder
    comparison: Comparison
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    anchor: Anchor = "source"
    link_options: LinkOptions = LinkOptions()
    check_all_links: bool = False
    positions: Positions | None = None

    def score(self, chunk: Chunk, keep: Keep = NOTHING) -> ChunkResult:
        """Score one chunk for all its systems."""
        reader = _LinkReader(chunk, self.link_options)
        accounts = [_Account(chunk) for _ in chunk.candidates]
        score_segment = self._from_source if self.anchor == "source" else self._from_reference
        checked = set()
        for index in self._promising_segments(chunk):
            found = score_segment(chunk, index, reader)
            if found is None:
                continue
            checked.add(index)
            for account, (triples, not_in_source) in zip(accounts, found, strict=True):
                account.add(index, triples, not_in_source, keep)
        if self.check_all_links:
            unread = set(range(len(chunk.sources))) - checked
            self._check_links(chunk, sorted(unread), reader)
            checked |= unread
        systems = [account.result(keep) for account in accounts]
        return ChunkResult(systems, len(chunk.sources), len(checked), reader.dropped)

    def _from_source(self, chunk: Chunk, index: int, reader: _LinkReader) -> list[_Segment] | None:
        """One entry per system; None for a segment without an evaluated pronoun."""
        segment = chunk.start + index
        source = self.source_tokenizer(chunk.sources[index])
        selected = None if self.positions is None else self.positions.in_segment(segment, len(source))
        occurrences = self.finder.occurrences(source, selected)
        if not any(occurrence.evaluated for occurrence in occurrences):
            return None

        def translations(side: Side) -> list[Translation]:
            words = self.target_tokenizer(side.lines[index])
            return self.finder.translations(occurrences, words, reader.links(side, index, source, words))

        references = [translations(side) for side in chunk.references]
        systems: list[_Segment] = []
        for side in chunk.candidates:
            candidate = translations(side)
            triples = source_triples(segment, source, occurrences, references, candidate, self.comparison)
            systems.append((list(triples), []))
        return systems

    def _from_reference(self, chunk: Chunk, index: int, reader: _LinkReader) -> list[_Segment]:
        source = self.source_tokenizer(chunk.sources[index])
        (side,) = chunk.references
        words = self.target_tokenizer(side.lines[index])
        reference = Target(words, reader.links(side, index, source, words))
        systems: list[_Segment] = []
        for side in chunk.candidates:
            words = self.target_tokenizer(side.lines[index])
            candidate = Target(words, reader.links(side, index, source, words))
            segment = chunk.start + index
            systems.append(
                reference_triples(segment, source, reference, candidate, self.finder, self.comparison)
            )
        return systems

    def _promising_segments(self, chunk: Chunk) -> list[int]:
        """The segments that may hold an evaluated pronoun: a quick look that never misses one."""
        if self.positions is not None:
            end = chunk.start + len(chunk.sources)
            wanted = self.positions.by_segment
            return [segment - chunk.start for segment in range(chunk.start, end) if segment in wanted]
        walked = chunk.sources if self.anchor == "source" else chunk.references[0].lines
        holds = self._pronoun_pattern.search
        return [index for index, line in enumerate(walked) if holds(fold(line))]

    @cached_property
    def _pronoun_pattern(self) -> regex.Pattern[str]:
        matcher = self.finder.source_matcher if self.anchor == "source" else self.finder.target_matcher
        return _any_word(self.finder.lists.evaluated, whole=matcher.separator is None)

    def _check_links(self, chunk: Chunk, indices: Sequence[int], reader: _LinkReader) -> None:
        for index in indices:
            source = self.source_tokenizer(chunk.sources[index])
            for side in (*chunk.references, *chunk.candidates):
                reader.links(side, index, source, self.target_tokenizer(side.lines[index]))


def _any_word(forms: Collection[str], whole: bool) -> regex.Pattern[str]:
    """Finds any of the forms; `whole`: not as a part of a longer word.

    What a word is here is what it is for the tokenizer, whose pattern is `regex`'s too. A form that begins
    or ends with a sign ('s, l') is not asked for a boundary there.
    """
    alternatives = []
    for form in sorted(forms):
        before = r"\b" if whole and form[0].isalnum() else ""
        after = r"\b" if whole and form[-1].isalnum() else ""
        alternatives.append(before + regex.escape(form) + after)
    return regex.compile("|".join(alternatives))
