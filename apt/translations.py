"""Translations: which target words a source pronoun became, and how that was found.

In go the forms of a segment's words (folded, see `Matcher`) and the links to them, out come `Translation`s
with the evidence: which words were linked, which of them count. i and j are source and target positions.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from apt.align.links import Links
from apt.align.neighbourhood import Neighbourhood, neighbourhood
from apt.normalize import word_key, word_keys, written_key
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


_MOST_KEPT = 1 << 14  # forms of words, so that memory is bounded
_NOT_FOUND = Translation(Found.NONE, (), (), ())


class Occurrence(NamedTuple):
    """A pronoun of the source segment; those that are not evaluated only keep words from being rescued."""

    position: int
    form: str
    evaluated: bool


@dataclass(frozen=True)
class Matcher:
    """The forms under which words are looked up in the lists of one language.

    `linkers` are ignored at the beginning of a word. `separator` is the old tool's: a word is split there
    for matching only, and its first part that is `known` counts. `fold`: capitals do not matter.
    """

    linkers: tuple[str, ...] = ("-",)
    separator: str | None = None
    known: frozenset[str] = frozenset()
    fold: bool = True

    def form(self, word: str) -> str:
        form = self._found.get(word)
        if form is None:
            if len(self._found) >= _MOST_KEPT:
                self._found.clear()
            form = self._found[word] = self._form(word)
        return form

    @cached_property
    def _found(self) -> dict[str, str]:
        """The forms looked up so far: words repeat."""
        return {}

    def _form(self, word: str) -> str:
        if not self.fold:
            return written_key(word, self.linkers)
        key = word_key(word, self.linkers)
        if self.separator is None or self.separator not in key or not self.known:
            return key
        parts = key.split(self.separator)
        # Only parts are looked up: with spaces in it the whole is in no list.
        return next((part for part in parts if part in self.known), " ".join(parts))

    def forms(self, words: Sequence[str]) -> list[str]:
        if self.separator is None and self.fold:
            return word_keys(words, self.linkers)
        return [self.form(word) for word in words]


@dataclass(frozen=True)
class Finder:
    """Finds source pronouns and their translations, by what the lists of a pair of languages say.

    `repeats`: a word linked twice counts twice.
    """

    lists: PairLists
    source_matcher: Matcher
    target_matcher: Matcher
    heuristic: bool
    repeats: bool = False

    def occurrences(self, words: Sequence[str], selected: Collection[int] | None = None) -> list[Occurrence]:
        """The pronouns of a source segment, left to right; `selected` positions replace the list's choice."""
        lists = self.lists
        full = lists.full
        forms = self.source_matcher.forms(words)
        pronouns = [
            Occurrence(position, form, selected is None and form in lists.evaluated)
            for position, form in enumerate(forms)
            if form in full
        ]
        capital = [o for o in pronouns if o.form in lists.abbreviations and _is_capital(words[o.position])]
        if capital and _has_lower_case(words):
            pronouns = [o for o in pronouns if o not in capital]
        if selected is None:
            return pronouns
        chosen = [Occurrence(position, forms[position], True) for position in selected]
        return sorted([*chosen, *(o for o in pronouns if o.position not in selected)])

    def translations(
        self, occurrences: Sequence[Occurrence], words: Sequence[str], links: Links
    ) -> list[Translation]:
        """The translation of each evaluated occurrence in one target segment, in their order."""
        found: dict[int, Translation] = {}
        unsettled = []
        for occurrence in occurrences:
            if occurrence.evaluated:
                position = occurrence.position
                found[position] = translation = self.linked(links.get(position, ()), words)
                if not translation.forms:
                    unsettled.append(occurrence)
        if self.heuristic:
            hopeful = [o for o in unsettled if self._near(o, words, links) is not None]
            if hopeful:
                found |= self._rescued(found, hopeful[-1].position, occurrences, words, links)
        return list(found.values())

    def linked(self, targets: Collection[int], words: Sequence[str]) -> Translation:
        """What a pronoun's links say: the listed words among those linked, in text order."""
        if not targets:
            return _NOT_FOUND
        linked = tuple(targets)
        if len(linked) > 1:
            linked = tuple(sorted(linked if self.repeats else set(linked)))
        listed = self.lists.listed
        positions = []
        forms = []
        for j in linked:
            form = self.target_matcher.form(words[j])
            if listed is None or form in listed:
                positions.append(j)
                forms.append(form)
        if not positions:
            return Translation(Found.OTHER, (), (), linked)
        found = Found.LINKED if len(linked) == 1 else Found.AMONG_SEVERAL
        return Translation(found, tuple(positions), tuple(forms), linked)

    def _rescued(
        self,
        found: Mapping[int, Translation],
        last: int,
        occurrences: Sequence[Occurrence],
        words: Sequence[str],
        links: Links,
    ) -> dict[int, Translation]:
        """What the heuristic finds, left to right up to position `last`: words no other pronoun claims.

        Pronouns that are not evaluated are settled too, so that what is found for one pronoun does not
        depend on which others happen to be evaluated.
        """
        rescued: dict[int, Translation] = {}
        taken: set[int] = set()
        claims = _claims(occurrences, links)
        for occurrence in occurrences:
            position = occurrence.position
            if position > last:
                break
            if self._is_settled(occurrence, found.get(position), words, links):
                continue
            near = self._near(occurrence, words, links)
            if near is None:
                continue
            own = links.get(position, ())
            free = [j for j in near.forms if j not in taken and claims.get(j, 0) == own.count(j)]
            if not free:
                continue
            j = near.around.closest(free)
            taken.add(j)
            if occurrence.evaluated:
                linked = found[position].linked_positions
                rescued[position] = Translation(Found.RESCUED, (j,), (near.forms[j],), linked)
        return rescued

    def _near(self, occurrence: Occurrence, words: Sequence[str], links: Links) -> "_Near | None":
        """The likely translations in the neighbourhood, if there are any."""
        around = neighbourhood(occurrence.position, links)
        if around is None:
            return None
        likely = self._likely(occurrence)
        form_of = self.target_matcher.form
        forms = {j: form for j in around.positions(len(words)) if (form := form_of(words[j])) in likely}
        return _Near(around, forms) if forms else None

    def _is_settled(
        self, occurrence: Occurrence, translation: Translation | None, words: Sequence[str], links: Links
    ) -> bool:
        if translation is not None:
            return bool(translation.forms)
        known = self.lists.target_full
        return any(self.target_matcher.form(words[j]) in known for j in links.get(occurrence.position, ()))

    def _likely(self, occurrence: Occurrence) -> frozenset[str]:
        if not occurrence.evaluated:
            return self.lists.likely.get(occurrence.form, self.lists.likely_default)
        return self._likely_and_listed.get(occurrence.form, self.lists.likely_default)

    @cached_property
    def _likely_and_listed(self) -> Mapping[str, frozenset[str]]:
        """What may be rescued for an evaluated pronoun: only what counts as a translation."""
        listed = self.lists.listed
        if listed is None:
            return self.lists.likely
        return {pronoun: forms & listed for pronoun, forms in self.lists.likely.items()}


class _Near(NamedTuple):
    """A neighbourhood, and what stands at the positions in it that may be chosen."""

    around: Neighbourhood
    forms: Mapping[int, str]


def _claims(occurrences: Sequence[Occurrence], links: Links) -> dict[int, int]:
    """How many links of pronouns each target word has."""
    claims: dict[int, int] = {}
    for occurrence in occurrences:
        for j in links.get(occurrence.position, ()):
            claims[j] = claims.get(j, 0) + 1
    return claims


def _has_lower_case(words: Sequence[str]) -> bool:
    return any(c.islower() for word in words for c in word)


def _is_capital(word: str) -> bool:
    """Written in capitals, as an abbreviation is where other words are not: IT, US."""
    return word.isupper() and len(word) > 1
