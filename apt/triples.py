"""Triples: each evaluated pronoun with its translation in the reference and in the candidate.

Two ways to walk a segment: `source_triples` starts from the source pronouns, `reference_triples` from those
of the reference (into English from languages that drop pronouns). i, j and c are positions in the source,
the reference and the candidate.
"""

from collections.abc import Sequence
from typing import NamedTuple

from apt.align.links import Links
from apt.cases import Case, Comparison, Verdict
from apt.translations import Finder, Found, Occurrence, Translation


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


def source_triples(
    segment: int,
    words: Sequence[str],
    occurrences: Sequence[Occurrence],
    references: Sequence[Sequence[Translation]],
    candidates: Sequence[Translation],
    comparison: Comparison,
) -> list[Triple]:
    """Join the two sides; with several references each occurrence takes the best case, the first on a tie."""
    triples = []
    evaluated = [(position, form) for position, form, evaluated in occurrences if evaluated]
    for (position, form), candidate, *known in zip(evaluated, candidates, *references, strict=True):
        reference, verdict, index = _best(known, candidate, comparison)
        word = words[position]
        triples.append(
            Triple(segment, position, form, (position,), (word,), reference, candidate, verdict, index)
        )
    return triples


def _best(
    references: Sequence[Translation], candidate: Translation, comparison: Comparison
) -> tuple[Translation, Verdict, int]:
    """The reference with the best verdict, the first on a tie, and its number."""
    verdicts = [comparison.verdict(reference.compared, candidate.compared) for reference in references]
    if len(verdicts) == 1:
        return references[0], verdicts[0], 0
    index = min(range(len(verdicts)), key=lambda number: comparison.rank(verdicts[number]))
    return references[index], verdicts[index], index


class Target(NamedTuple):
    """A segment of the reference or of the candidate: its words, and the links from the source to them."""

    words: Sequence[str]
    links: Links


def reference_triples(
    segment: int,
    source_words: Sequence[str],
    reference: Target,
    candidate: Target,
    finder: Finder,
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
    for j, form in enumerate(finder.target_matcher.forms(reference.words)):
        if form not in finder.lists.evaluated:
            continue
        sources = tuple(sorted(sources_of.get(j, ())))
        if not sources:
            not_in_source.append(form)
            continue
        linked = sorted({c for i in sources for c in candidate.links.get(i, ())})
        found = finder.linked(linked, candidate.words)
        itself = Translation(Found.LINKED, (j,), (form,), (j,))
        verdict = comparison.verdict(itself.compared, found.compared)
        words = tuple(source_words[i] for i in sources)
        triples.append(Triple(segment, j, form, sources, words, itself, found, verdict))
    return triples, not_in_source
