"""The pronoun step: which target word translates each source pronoun, by posteriors rather than hard links.

In go the source pronouns, the target words and their `Alignment`, out come its links with those of the
pronouns amended. Every pronoun takes the word with the highest combined posterior, weighted so that a likely
translation (`likely` of the lists) goes before another pronoun and that before any other word; no two
pronouns take the same target pronoun unless both are certain of it. What is still without a listed
translation is looked for by the paper's heuristic, and its finds become links, so running the heuristic on
what comes out changes nothing.

i is a source position, j a target position.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apt.align.aligners import Alignment
from apt.align.links import Links
from apt.translations import Finder, Found, Occurrence


@dataclass(frozen=True)
class StepSettings:
    """The constants of the step; how they were chosen is in benchmarks/lexicons/README.md."""

    least: float = 0.001  # posterior below which a pronoun is no translation of a pronoun ...
    linked: float = 0.2  # posterior from which on any other word is one, as if linked
    likely: float = 1000.0  # weight of a likely translation ...
    pronoun: float = 50.0  # ... of another pronoun, and 1 of any other word
    certain: float = 0.5  # posterior from which on a target pronoun can be shared


class _Claim(NamedTuple):
    """The pronoun at i could be translated by the word at j."""

    weight: float
    i: int
    j: int
    posterior: float


def pronoun_step(
    occurrences: Sequence[Occurrence],
    words: Sequence[str],
    alignment: Alignment,
    finder: Finder,
    settings: StepSettings = StepSettings(),
) -> Links:
    """The links of the alignment, with those of the occurrences amended."""
    if alignment.posterior is None:
        return paper_step(occurrences, words, alignment.links, finder)
    forms = finder.target_matcher.forms(words)
    pronouns = {j for j, form in enumerate(forms) if form in finder.lists.target_full}
    claims = [
        claim
        for occurrence in occurrences
        for claim in _claims(
            occurrence, forms, pronouns, alignment.posterior[occurrence.position].tolist(), finder, settings
        )
    ]
    chosen = _settle(claims, pronouns, settings)
    links = {i: list(targets) for i, targets in alignment.links.items()}
    taken = set(chosen.values())
    for i, form, _ in occurrences:
        linked = links.pop(i, [])
        kept = {j for j in linked if j not in pronouns}  # they stay, as parts of an expression
        if i in chosen:
            # A second likely pronoun (est-ce que cela) stays if it is nobody else's and about as probable.
            likely = finder.lists.likely.get(form, frozenset())
            enough = alignment.posterior[i, chosen[i]] / 2
            second = (j for j in linked if forms[j] in likely and j not in taken)
            kept |= {chosen[i], *(j for j in second if alignment.posterior[i, j] >= enough)}
        if kept:
            links[i] = sorted(kept)
    return paper_step(occurrences, words, links, finder)


def _claims(
    occurrence: Occurrence,
    forms: Sequence[str],
    pronouns: set[int],
    posteriors: Sequence[float],
    finder: Finder,
    settings: StepSettings,
) -> Iterator[_Claim]:
    likely = finder.lists.likely.get(occurrence.form, frozenset())
    for j, posterior in enumerate(posteriors):
        if forms[j] in likely:
            weight, least = settings.likely, settings.least
        elif j in pronouns:
            weight, least = settings.pronoun, settings.least
        else:
            weight, least = 1.0, settings.linked
        # Punctuation and figures translate no pronoun, however they are linked.
        if posterior >= least and any(map(str.isalpha, forms[j])):
            yield _Claim(posterior * weight, occurrence.position, j, posterior)


def _settle(claims: list[_Claim], pronouns: set[int], settings: StepSettings) -> dict[int, int]:
    """The word each pronoun gets: the best claims first, on a tie those to the left."""
    chosen: dict[int, int] = {}
    owner: dict[int, _Claim] = {}
    for claim in sorted(claims, key=lambda claim: (-claim.weight, claim.i, claim.j)):
        if claim.i in chosen:
            continue
        other = owner.get(claim.j)
        if other is None or min(claim.posterior, other.posterior) >= settings.certain:
            chosen[claim.i] = claim.j
            if claim.j in pronouns:
                owner.setdefault(claim.j, claim)
    return chosen


def paper_step(
    occurrences: Sequence[Occurrence], words: Sequence[str], links: Links, finder: Finder
) -> Links:
    """Links with what the paper's heuristic finds, until it finds nothing more: a find is a new marker."""
    amended = dict(links)
    evaluated = [o.position for o in occurrences if o.evaluated]
    while True:
        translations = finder.translations(occurrences, words, amended)
        rescued = {
            i: t.positions for i, t in zip(evaluated, translations, strict=True) if t.found is Found.RESCUED
        }
        if not rescued:
            return amended
        for i, positions in rescued.items():
            amended[i] = sorted({*amended.get(i, ()), *positions})
