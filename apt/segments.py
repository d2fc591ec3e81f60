"""Scoring chunks of segments: the way from lines of text to counts and triples.

In goes a `Chunk` (the same lines of every file), out comes a `ChunkResult` per system. A chunk is scored on
its own and results add up, so chunks can be scored anywhere. Only segments that hold an evaluated pronoun
are tokenised and have their links read: nothing else can enter the score.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

import regex

from apt.align.aligners import Aligner, Alignment
from apt.align.links import LinkError, LinkLine, LinkOptions, Links, pharaoh, read_links
from apt.cases import Comparison
from apt.errors import InputError
from apt.normalize import fold
from apt.positions import Positions
from apt.pronoun_step import paper_step, pronoun_step
from apt.tokenize import Tokenizer
from apt.translations import Finder, Occurrence
from apt.triples import Target, Triple, reference_triples, source_triples

C = TypeVar("C")  # the counts of a metric: whole numbers that add up
Anchor = Literal["source", "reference"]
PronounStep = Literal["posterior", "paper"]
_Triples = tuple[Sequence[Triple], Sequence[str]]  # triples, and reference pronouns not in the source
# Segments gone through together. An aligner is faster with many; everything else with few, because words
# and links are then still in the processor's cache.
_ALIGNED_AT_ONCE, _READ_AT_ONCE = 256, 8


class Tally(Protocol[C]):
    """A metric's counts in the making: what it makes of triples, and of the counts of other chunks."""

    def add(self, triples: Sequence[Triple], not_in_source: Sequence[str] = ()) -> None: ...

    def add_counts(self, counts: C, /) -> None: ...

    def counts(self) -> C: ...


@dataclass(frozen=True)
class Side:
    """One reference or one candidate: its lines, and the links from the source to them, if given."""

    lines: Sequence[str]
    links: Sequence[LinkLine] | None = None
    links_name: str = ""


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
    links: bool = False


NOTHING = Keep()


@dataclass(frozen=True)
class SystemResult(Generic[C]):
    """What one system's candidates give in a chunk."""

    counts: C
    by_document: Mapping[str, C]
    by_segment: Sequence[C] = ()
    triples: Sequence[Triple] = ()


@dataclass(frozen=True)
class UsedLinks:
    """The words and links that were used, as lines: of the source, and of each reference and candidate."""

    sources: Sequence[str]
    targets: Sequence[Sequence[str]]
    links: Sequence[list[str]]


@dataclass(frozen=True)
class ChunkResult(Generic[C]):
    """One result per system; how many segments had their links read, and the links dropped per input."""

    systems: Sequence[SystemResult[C]]
    segments: int
    checked: int
    dropped: Mapping[str, int]
    used: UsedLinks | None = None


class _Account(Generic[C]):
    """One system's results while a chunk is scored."""

    def __init__(self, chunk: Chunk, keep: Keep, new_tally: Callable[[], Tally[C]]) -> None:
        self._chunk = chunk
        self._keep = keep
        self._new_tally = new_tally
        self._tally = new_tally()
        self._documents = {document: new_tally() for document in chunk.documents or ()}
        self._segments: dict[int, C] = {}
        self._triples: list[Triple] = []

    def add(self, index: int, triples: Sequence[Triple], not_in_source: Sequence[str]) -> None:
        self._tally.add(triples, not_in_source)
        if self._chunk.documents is not None:
            self._documents[self._chunk.documents[index]].add(triples, not_in_source)
        if self._keep.segments:
            segment = self._new_tally()
            segment.add(triples, not_in_source)
            self._segments[index] = segment.counts()
        if self._keep.triples:
            self._triples.extend(triples)

    def result(self) -> SystemResult[C]:
        segments: list[C] = []
        if self._keep.segments:
            nothing = self._new_tally().counts()
            segments = [self._segments.get(index, nothing) for index in range(len(self._chunk.sources))]
        return SystemResult(
            counts=self._tally.counts(),
            by_document={document: tally.counts() for document, tally in self._documents.items()},
            by_segment=segments,
            triples=self._triples,
        )


class _LinkReader:
    """Reads the links of single segments and remembers what was dropped."""

    def __init__(self, chunk: Chunk, options: LinkOptions) -> None:
        self._chunk = chunk
        self._options = options
        self.dropped: Counter[str] = Counter()
        self._seen: set[tuple[str, int]] = set()

    def links(self, side: Side, index: int, source: Sequence[str], target: Sequence[str]) -> Links:
        assert side.links is not None
        try:
            parsed = read_links(side.links[index], len(source), len(target), self._options)
        except LinkError as error:
            raise InputError(str(error), side.links_name, self._chunk.start + index + 1) from None
        if parsed.dropped and (number := (side.links_name, index)) not in self._seen:
            self._seen.add(number)  # two systems may share a file
            self.dropped[side.links_name] += parsed.dropped
        return parsed.links


class Segment(NamedTuple):
    """A segment with an evaluated pronoun: its number in the chunk, its source words and their pronouns."""

    number: int
    words: Sequence[str]
    occurrences: Sequence[Occurrence]


@dataclass(frozen=True)
class Linking:
    """Where links come from that are not given: an aligner, and what is done about pronouns."""

    aligner: Aligner
    step: PronounStep = "posterior"


@dataclass(frozen=True)
class SegmentScorer(Generic[C]):
    """Everything needed to score segments, and nothing that changes while doing it."""

    new_tally: Callable[[], Tally[C]]
    finder: Finder
    comparison: Comparison
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    anchor: Anchor = "source"
    link_options: LinkOptions = LinkOptions()
    check_all_links: bool = False
    positions: Positions | None = None
    linking: Linking | None = None

    @property
    def linking_name(self) -> str:
        """The aligner as it stands in a signature."""
        if self.linking is None:
            return "given"
        return f"{self.linking.aligner.name}@{self.linking.aligner.version}"

    def score(self, chunk: Chunk, keep: Keep = NOTHING) -> ChunkResult[C]:
        """Score one chunk for all its systems."""
        reader = _LinkReader(chunk, self.link_options)
        accounts = [_Account(chunk, keep, self.new_tally) for _ in chunk.candidates]
        used = self._words(chunk) if keep.links else None
        promising = self._promising_segments(chunk)
        checked = 0
        at_once = _READ_AT_ONCE if self.linking is None else _ALIGNED_AT_ONCE
        for start in range(0, len(promising), at_once):
            segments = self._evaluated(chunk, promising[start : start + at_once])
            self._score_segments(chunk, segments, reader, accounts, used)
            checked += len(segments)
        if self.check_all_links:
            self._check_links(chunk, reader)
            checked = len(chunk.sources)
        systems = [account.result() for account in accounts]
        return ChunkResult(systems, len(chunk.sources), checked, reader.dropped, used)

    def _score_segments(
        self,
        chunk: Chunk,
        segments: Sequence[Segment],
        reader: _LinkReader,
        accounts: Sequence[_Account[C]],
        used: UsedLinks | None,
    ) -> None:
        sides = [*chunk.references, *chunk.candidates]
        columns = [self._targets(side, segments, reader) for side in sides]
        if used is not None:
            for written, column in zip(used.links, columns, strict=True):
                for segment, target in zip(segments, column, strict=True):
                    written[segment.number] = pharaoh(target.links)
        nrefs = len(chunk.references)
        walk = self._from_source if self.anchor == "source" else self._from_reference
        for segment, *targets in zip(segments, *columns, strict=True):
            found = walk(chunk.start, segment, targets[:nrefs], targets[nrefs:])
            for account, (triples, not_in_source) in zip(accounts, found, strict=True):
                account.add(segment.number, triples, not_in_source)

    def _from_source(
        self, start: int, segment: Segment, references: Sequence[Target], candidates: Sequence[Target]
    ) -> list[_Triples]:
        """What the segment gives for each system; what the references have is looked for once."""
        number, words, occurrences = segment
        find = self.finder.translations
        known = [find(occurrences, *target) for target in references]
        return [
            (
                source_triples(
                    start + number, words, occurrences, known, find(occurrences, *target), self.comparison
                ),
                (),
            )
            for target in candidates
        ]

    def _from_reference(
        self, start: int, segment: Segment, references: Sequence[Target], candidates: Sequence[Target]
    ) -> list[_Triples]:
        (reference,) = references
        return [
            reference_triples(
                start + segment.number, segment.words, reference, candidate, self.finder, self.comparison
            )
            for candidate in candidates
        ]

    def _evaluated(self, chunk: Chunk, indices: Sequence[int]) -> list[Segment]:
        """Those of the segments with an evaluated pronoun (anchored on the reference: that may have one)."""
        segments = []
        for index in indices:
            words = self.source_tokenizer(chunk.sources[index])
            if self.anchor == "reference":
                segments.append(Segment(index, words, ()))
                continue
            selected = None
            if self.positions is not None:
                selected = self.positions.in_segment(chunk.start + index, len(words))
            occurrences = self.finder.occurrences(words, selected)
            if any(occurrence.evaluated for occurrence in occurrences):
                segments.append(Segment(index, words, occurrences))
        return segments

    def _promising_segments(self, chunk: Chunk) -> list[int]:
        """The segments that may hold an evaluated pronoun: a quick look that never misses one."""
        if self.positions is not None:
            end = chunk.start + len(chunk.sources)
            wanted = self.positions.by_segment
            return [segment - chunk.start for segment in range(chunk.start, end) if segment in wanted]
        walked = chunk.sources if self.anchor == "source" else chunk.references[0].lines
        folded = [fold(line) for line in walked]
        # Most lines hold none of the forms even as a part of a word, and that is seen sooner.
        forms = self._folded_forms
        perhaps = {index for form in forms for index, line in enumerate(folded) if form in line}
        holds = self._pronoun_pattern.search
        return [index for index in sorted(perhaps) if holds(folded[index])]

    @cached_property
    def _pronoun_pattern(self) -> regex.Pattern[str]:
        matcher = self.finder.source_matcher if self.anchor == "source" else self.finder.target_matcher
        return _any_word(self._folded_forms, whole=matcher.separator is None)

    @cached_property
    def _folded_forms(self) -> frozenset[str]:
        return frozenset(map(fold, self.finder.lists.evaluated))

    def _targets(self, side: Side, segments: Sequence[Segment], reader: _LinkReader) -> list[Target]:
        """The words of one side's segments, and the links to them: read, or made."""
        words = [self.target_tokenizer(side.lines[segment.number]) for segment in segments]
        if side.links is None:
            return list(self._aligned(segments, words))
        return [
            Target(target, reader.links(side, segment.number, segment.words, target))
            for segment, target in zip(segments, words, strict=True)
        ]

    def _aligned(self, segments: Sequence[Segment], words: Sequence[list[str]]) -> Iterator[Target]:
        if self.linking is None:
            raise InputError("word links are needed: none are given, and no aligner is chosen")
        alignments = self.linking.aligner.align([segment.words for segment in segments], words)
        for segment, target, alignment in zip(segments, words, alignments, strict=True):
            yield Target(target, self.amended(segment.occurrences, target, alignment))

    def amended(
        self, occurrences: Sequence[Occurrence], target: Sequence[str], alignment: Alignment
    ) -> Links:
        """The links that count: with those of pronouns amended, unless links alone shall count."""
        if self.anchor == "reference" or not self.finder.heuristic:
            return alignment.links
        if self.linking is not None and self.linking.step == "paper":
            return paper_step(occurrences, target, alignment.links, self.finder)
        return pronoun_step(occurrences, target, alignment, self.finder)

    def _check_links(self, chunk: Chunk, reader: _LinkReader) -> None:
        for index, line in enumerate(chunk.sources):
            source = self.source_tokenizer(line)
            for side in (*chunk.references, *chunk.candidates):
                if side.links is not None:
                    reader.links(side, index, source, self.target_tokenizer(side.lines[index]))

    def _words(self, chunk: Chunk) -> UsedLinks:
        """Every line as words, and room for the links that will be used."""
        sides = [side.lines for side in (*chunk.references, *chunk.candidates)]
        return UsedLinks(
            sources=[" ".join(self.source_tokenizer(line)) for line in chunk.sources],
            targets=[[" ".join(self.target_tokenizer(line)) for line in lines] for lines in sides],
            links=[[""] * len(chunk.sources) for _ in sides],
        )


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
