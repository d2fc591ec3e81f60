"""Words into phrases: articles by case and gender, agreement, and what a vowel does to the word before it.

A pattern is text with places in braces: `{food.def.acc}` is the noun in the slot `food` with its definite
article in the accusative, `{adverb}` a word as it is, `{state.more}` a form by its name, `{it.nom}` the
pronoun in the gender of the line. A form that a pattern does not name is chosen by the gender of the line
(French *grand*, *grande*). Which articles, cases and pronouns there are is data: see
`apt.contrast.template_files`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from apt.errors import OptionError

PRONOUN = "it"
PLAIN = ""  # the name of the only form of a word
ANY, VOWEL = "any", "vowel"  # of articles: for all genders; before a vowel
_BASE_CASE = "nom"  # other cases of a noun are like it unless they are given
_PLACE = re.compile(r"\{([^{}]*)\}")

Forms = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Entry:
    """A word or phrase of a vocabulary: its forms by language and name.

    `gender` is that of the translation; `antecedent` the slot that *it* means when this entry is taken;
    `extra` entries are left out unless everything is wanted. Entries are compared as objects.
    """

    forms: Mapping[str, Forms]
    gender: str | None = None
    antecedent: str | None = None
    extra: bool = False


@dataclass(frozen=True, eq=False)
class Language:
    """One side: articles by name, case (PLAIN where there are none) and gender; pronouns by case and gender.

    Words that begin with one of the letters `vowels` begin with a vowel, but for the words in
    `consonantal`, and so do those in `vocalic`.
    """

    code: str
    articles: Mapping[str, Mapping[str, Forms]] = field(default_factory=dict)
    pronouns: Mapping[str, Forms] = field(default_factory=dict)
    vowels: str = ""
    consonantal: frozenset[str] = frozenset()
    vocalic: frozenset[str] = frozenset()

    def begins_with_vowel(self, text: str) -> bool:
        word = text.split()[0].lower()
        if word in self.consonantal or word in self.vocalic:
            return word in self.vocalic
        return word[0] in self.vowels


@cache
def parts(pattern: str) -> tuple[str | tuple[str, ...], ...]:
    """Text and places (slot, modifiers) by turns; a mistake in it is an OptionError."""
    pieces: list[str | tuple[str, ...]] = []
    for number, piece in enumerate(_PLACE.split(pattern)):
        if number % 2:
            pieces.append(tuple(piece.split(".")))
        elif "{" in piece or "}" in piece:
            raise OptionError(f"a brace without its other half in {pattern!r}")
        elif piece:
            pieces.append(piece)
    return tuple(pieces)


def render(pattern: str, chosen: Mapping[str, Entry], language: Language, gender: str) -> str:
    """The pattern with the chosen entries in its places, for a pronoun of this gender."""
    texts = []
    for piece in parts(pattern):
        if isinstance(piece, str):
            texts.append(piece)
        elif piece[0] == PRONOUN:
            texts.append(pronoun(language, piece[1:], gender))
        elif piece[0] in chosen:
            text = phrase(chosen[piece[0]], piece[1:], language, gender)
            texts.append(render(text, chosen, language, gender) if "{" in text else text)
        else:
            raise OptionError(f"no slot {piece[0]!r} in {pattern!r}. Slots: {', '.join(chosen)}")
    return "".join(texts)


def pronoun(language: Language, modifiers: tuple[str, ...], gender: str) -> str:
    """The pronoun in a case."""
    if len(modifiers) != 1 or modifiers[0] not in language.pronouns:
        known = ", ".join(f"{{{PRONOUN}.{name}}}" for name in language.pronouns) or "none"
        raise OptionError(f"no pronoun {_place((PRONOUN, *modifiers))} in {language.code}. Known: {known}")
    return language.pronouns[modifiers[0]][gender]


@cache
def phrase(entry: Entry, modifiers: tuple[str, ...], language: Language, gender: str) -> str:
    """A noun with its article, or a form of a word: by name, else by the gender of the line."""
    forms = entry.forms[language.code]
    if modifiers and modifiers[0] in language.articles:
        return _with_article(entry, modifiers, language)
    name = ".".join(modifiers)
    for wanted in [name] if name else [PLAIN, gender, _BASE_CASE]:
        if wanted in forms:
            return forms[wanted]
    known = ", ".join(filter(None, [*forms, *language.articles])) or "the plain one"
    raise OptionError(f"{shown(entry, language)}: no form {name!r}. Forms and articles: {known}")


def _with_article(entry: Entry, modifiers: tuple[str, ...], language: Language) -> str:
    forms, cases = entry.forms[language.code], language.articles[modifiers[0]]
    case = ".".join(modifiers[1:])
    if case not in cases:
        known = ", ".join(f"{modifiers[0]}.{name}" if name else modifiers[0] for name in cases)
        raise OptionError(f"no article {'.'.join(modifiers)!r} in {language.code}. Known: {known}")
    noun = next((forms[name] for name in (case, PLAIN, _BASE_CASE) if name in forms), None)
    if noun is None:
        raise OptionError(f"{shown(entry, language)}: no form for an article; forms: {', '.join(forms)}")
    articles = cases[case]
    if VOWEL in articles and language.begins_with_vowel(noun):
        article = articles[VOWEL]
    elif ANY in articles:
        article = articles[ANY]
    elif entry.gender is None:
        raise OptionError(f"{shown(entry, language)} needs a gender: it stands with an article")
    else:
        article = articles[entry.gender]
    return article + noun if article.endswith(("'", "’")) else f"{article} {noun}"


def shown(entry: Entry, language: Language) -> str:
    """An entry by its first form, for a message."""
    return repr(next(iter(entry.forms[language.code].values())))


def _place(names: tuple[str, ...]) -> str:
    return "{" + ".".join(names) + "}"
