"""Triples: each evaluated pronoun with its translation in the reference and in the candidate.

In go the words of a segment on each side and the links between them, out come `Triple`s with the evidence:
which words were linked, which of them count, and how they were found. Two ways to walk a segment:
`source_triples` starts from the source pronouns, `reference_triples` from those of the reference
(into English from languages that drop pronouns).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from apt.align.links import Links
from apt.align.neighbourhood import rescue
from apt.cases import Case, Comparison, Verdict
from apt.normalize import word_key
from apt.vocabulary import PairLists


class Found(StrEnum):
    """How the translation on one side was found (in the words of the details file)."""

    LINKED = "linked"  # one link, to a listed pronoun
    AMONG_SEVERAL = "listed among several"  # several links, of which the listed pronouns count
    RESCUED = "rescued"  # by the neighbourhood heuristic
    OTHER = "other"  # only links to words that are not listed
    NONE = "none"


class Translation(NamedTuple):
    """One side of a triple: the words that count, and all words that were linked."""

    found: Found
    positions: tuple[int, ...]
    forms: tuple[str, ...]
    linked_positions: tuple[int, ...]

    @property
    def compared(self) -> tuple[str, ...] | None:
        """The forms as `Comparison` takes them: None when nothing was found."""
        return None if self.found is Found.NONE else self.forms


_NOT_FOUND = Translation(Found.NONE, (), (), ())


class Triple(NamedTuple):
    """One evaluated pronoun with its translations and its case.

    `position` is that of the pronoun walked: in the source or, anchored there, in the reference.
    `pronoun` is its form. `reference_index` says which of several references is shown.
    """

    segment: int
    position: int
    pronoun: str
    source_positions: tuple[int, ...]
    source_words: tuple[str, ...]
    reference: Translation
    candidate: Translation
    verdict: Verdict
    reference_index: int = 0

    @property
    def case(self) -> Case:
        return self.verdict.case


class Occurrence(NamedTuple):
    """A pronoun of the source segment; those that are not evaluated only keep words from being rescued."""

    position: int
    form: str
    evaluated: bool


@dataclass(frozen=True)
class Matcher:
    """Which form of a list a word stands for, if any.

    `linkers` are ignored at its beginning; `separator` is the old tool's: a word is split there for matching
    only, and its first listed part counts.
    """

    linkers: tuple[str, ...] = ("-",)
    separator: str | None = None

    def form(self, word: str, listed: Collection[str] | None) -> str | None:
        key = word_key(word, self.linkers)
        if listed is None or key in listed:
            return key
        if self.separator is not None:
            for part in key.split(self.separator):
                if part in listed:
                    return part
        return None


@dataclass(frozen=True)
class Walk:
    """Walks source pronouns; holds what the words of a pair of languages mean, and whether to rescue."""

    lists: PairLists
    source_matcher: Matcher
    target_matcher: Matcher
    heuristic: bool

    def occurrences(self, words: Sequence[str], selected: Collection[int] | None = None) -> list[Occurrence]:
        """The pronouns of a source segment, left to right; `selected` positions replace the list's choice."""
        lists = self.lists
        found = []
        for position, word in enumerate(words):
            form = self.source_matcher.form(word, lists.full)
            if selected is not None and position in selected:
                found.append(Occurrence(position, form or word_key(word, self.source_matcher.linkers), True))
            elif form is not None and not (form in lists.abbreviations and _is_abbreviation(word, words)):
                evaluated = selected is None and form in lists.evaluated
                found.append(Occurrence(position, form, evaluated))
        return found

    def translations(
        self, occurrences: Sequence[Occurrence], words: Sequence[str], links: Links
    ) -> list[Translation]:
        """The translation of each evaluated occurrence in one target segment, in their order."""
        linked = {o: self._linked(o, words, links) for o in occurrences if o.evaluated}
        if self.heuristic and any(not t.forms for t in linked.values()):
            self._rescue(linked, occurrences, words, links)
        return list(linked.values())

    def _linked(self, occurrence: Occurrence, words: Sequence[str], links: Links) -> Translation:
        linked = tuple(sorted(set(links.get(occurrence.position, ()))))
        return linked_translation(linked, words, self.target_matcher, self.lists.listed)

    def _rescue(
        self,
        linked: dict[Occurrence, Translation],
        occurrences: Sequence[Occurrence],
        words: Sequence[str],
        links: Links,
    ) -> None:
        """Give the unsettled occurrences, left to right, a word that no other pronoun has a claim to.

        Pronouns that are not evaluated are settled too, so that what is found for one pronoun does not
        depend on which others happen to be evaluated.
        """
        rescued: set[int] = set()
        for occurrence in occurrences:
            if self._is_settled(occurrence, linked, words, links):
                continue
            taken = rescued.union(*(links.get(o.position, ()) for o in occurrences if o is not occurrence))
            likely = self.lists.likely.get(occurrence.form, frozenset())
            if occurrence.evaluated and self.lists.listed is not None:
                likely = likely & self.lists.listed

            def accept(j: int, likely: frozenset[str] = likely, taken: set[int] = taken) -> bool:
                return j not in taken and self.target_matcher.form(words[j], likely) is not None

            j = rescue(occurrence.position, links, len(words), accept) if likely else None
            if j is None:
                continue
            rescued.add(j)
            if occurrence.evaluated:
                form = self.target_matcher.form(words[j], likely)
                assert form is not None
                linked[occurrence] = Translation(
                    Found.RESCUED, (j,), (form,), linked[occurrence].linked_positions
                )

    def _is_settled(
        self,
        occurrence: Occurrence,
        linked: dict[Occurrence, Translation],
        words: Sequence[str],
        links: Links,
    ) -> bool:
        if occurrence.evaluated:
            return bool(linked[occurrence].forms)
        known = self.lists.target_full
        return any(
            self.target_matcher.form(words[j], known) is not None for j in links.get(occurrence.position, ())
        )


def linked_translation(
    linked: tuple[int, ...], words: Sequence[str], matcher: Matcher, listed: Collection[str] | None
) -> Translation:
    """What a pronoun's links say: the listed words among those linked, in text order."""
    if not linked:
        return _NOT_FOUND
    kept = [(j, form) for j in linked if (form := matcher.form(words[j], listed)) is not None]
    if not kept:
        return Translation(Found.OTHER, (), (), linked)
    found = Found.LINKED if len(linked) == 1 else Found.AMONG_SEVERAL
    return Translation(found, tuple(j for j, _ in kept), tuple(form for _, form in kept), linked)


def source_triples(
    segment: int,
    words: Sequence[str],
    occurrences: Sequence[Occurrence],
    references: Sequence[Sequence[Translation]],
    candidates: Sequence[Translation],
    comparison: Comparison,
) -> Iterator[Triple]:
    """Join the two sides; with several references each occurrence takes the best case, the first on a tie."""
    evaluated = (o for o in occurrences if o.evaluated)
    for n, (occurrence, candidate) in enumerate(zip(evaluated, candidates, strict=True)):
        position, form, _ = occurrence
        choices = []
        for index, translations in enumerate(references):
            reference = translations[n]
            verdict = comparison.verdict(reference.compared, candidate.compared)
            choices.append((comparison.rank(verdict), index, reference, verdict))
        _, index, reference, verdict = min(choices, key=lambda choice: choice[:2])
        yield Triple(
            segment, position, form, (position,), (words[position],), reference, candidate, verdict, index
        )


class Target(NamedTuple):
    """A segment of the reference or of the candidate: its words, and the links from the source to them."""

    words: Sequence[str]
    links: Links


def reference_triples(
    segment: int,
    source_words: Sequence[str],
    reference: Target,
    candidate: Target,
    walk: Walk,
    comparison: Comparison,
) -> tuple[list[Triple], list[str]]:
    """Walk the pronouns of the reference (docs/metrics.md): links only, no heuristic.

    Returns the triples, and the pronouns that have no linked source word: they are *not in source*.
    """
    sources_of: dict[int, set[int]] = {}
    for i, targets in reference.links.items():
        for j in targets:
            sources_of.setdefault(j, set()).add(i)
    triples = []
    not_in_source = []
    for j, word in enumerate(reference.words):
        form = walk.target_matcher.form(word, walk.lists.evaluated)
        if form is None:
            continue
        sources = tuple(sorted(sources_of.get(j, ())))
        if not sources:
            not_in_source.append(form)
            continue
        linked = tuple(sorted({c for i in sources for c in candidate.links.get(i, ())}))
        found = linked_translation(linked, candidate.words, walk.target_matcher, walk.lists.listed)
        itself = Translation(Found.LINKED, (j,), (form,), (j,))
        verdict = comparison.verdict(itself.compared, found.compared)
        words = tuple(source_words[i] for i in sources)
        triples.append(Triple(segment, j, form, sources, words, itself, found, verdict))
    return triples, not_in_source


def _is_abbreviation(word: str, words: Sequence[str]) -> bool:
    """Written in capitals in a segment that also has lower-case letters: IT, US."""
    return word.isupper() and len(word) > 1 and any(c.islower() for other in words for c in other)
