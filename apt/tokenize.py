"""Words from raw text.

In goes a line, out come its words. Two tokenizers: `WordTokenizer` for raw text, which cuts at spaces and
punctuation and splits clitics off by the closed lists of lists/ (qu'il, est-il, gibt's, isn't), and
`SpaceTokenizer` (`--tokenize none`) for text that is tokenised already. Both keep every character of a
word as it stands in the line, so `token_spans` can say where each one is.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol
from unicodedata import normalize

import regex

_APOSTROPHES = frozenset("'’ʼ")
_JOINING = _APOSTROPHES | frozenset("-‐‑")
_APOSTROPHE = "['’ʼ]"
_HYPHEN = "[-‐‑]"
# Letters, marks (of decomposed text), digits; soft hyphen and the zero-width joiners stand inside words.
# Unicode has ʼ as a letter; here it is an apostrophe.
_LETTER = r"(?:[^\Wʼ]|[\u00AD\u200C\u200D])"

_PIECE = rf"""
    \p{{N}}+(?:[.,:]\p{{N}}+)+(?!{_LETTER})                                  # 3.5  10:30
  | {_APOSTROPHE}?{_LETTER}+(?:(?:{_APOSTROPHE}|{_HYPHEN}){_LETTER}+)*+{_APOSTROPHE}?  # l'homme  week-end
  | \.{{2,}} | -{{2,}}                                                       # ...  --
  | [^\s\p{{Cf}}]
    """
# No word is longer: la-la-la… of a whole line stays as it is, or splitting it would take hours.
_LONGEST = 256


class Tokenizer(Protocol):
    """What the rest of the package needs of a tokenizer."""

    @property
    def name(self) -> str: ...

    def __call__(self, line: str) -> list[str]: ...


@dataclass(frozen=True)
class TokenizerRules:
    """What may be split off a word in one language; the `[tokenizer]` table of a list file."""

    elisions: tuple[str, ...] = ()
    enclitics: tuple[str, ...] = ()
    linkers: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpaceTokenizer:
    """Words are what stands between spaces (or tabs); runs of spaces are one separator.

    Only these two characters separate, as in the aligners whose links refer to such text: a no-break
    space, a form feed or U+2028 is part of a word.
    """

    name: str = "none"

    def __call__(self, line: str) -> list[str]:
        if "\t" in line:
            line = line.replace("\t", " ")
        words = line.split(" ")
        return [word for word in words if word] if "" in words else words


@dataclass(frozen=True)
class WordTokenizer:
    """Words of raw text, with clitics split off by the rules of one language."""

    rules: TokenizerRules = TokenizerRules()
    name: str = "words"

    def __call__(self, line: str) -> list[str]:
        words: list[str] = []
        for piece in self._pieces.findall(line):
            if (piece.isalpha() and "ʼ" not in piece) or len(piece) == 1:
                words.append(piece)
            else:
                words.extend(self._split(piece))
        return words

    def __reduce__(self) -> tuple[type["WordTokenizer"], tuple[TokenizerRules, str]]:
        return WordTokenizer, (self.rules, self.name)

    @cached_property
    def _split(self) -> Callable[[str], tuple[str, ...]]:
        """`_parts` of a piece, remembered: the same few clitics make up most of a text."""

        def split(piece: str) -> tuple[str, ...]:
            splits = len(piece) <= _LONGEST and not _JOINING.isdisjoint(piece)
            return tuple(self._parts(piece)) if splits else (piece,)

        return lru_cache(maxsize=1 << 13)(split)

    def _parts(self, piece: str) -> Iterator[str]:
        """Split a piece that holds an apostrophe or a hyphen."""
        if piece[0] in _APOSTROPHES and not self._leading.match(piece):
            yield piece[0]
            piece = piece[1:]
        while not self._keep.fullmatch(piece) and (elision := self._elision.match(piece)):
            yield elision[0]
            piece = piece[elision.end() :]
        if self._keep.fullmatch(piece):
            yield piece
        elif len(piece) > 1 and piece[-1] in _APOSTROPHES:
            yield from self._split_end(piece[:-1])
            yield piece[-1]
        elif piece:
            yield from self._split_end(piece)

    def _split_end(self, piece: str) -> Iterator[str]:
        """Split enclitics or suffixes off the end; a kept word has none."""
        if not self._keep.fullmatch(piece):
            for run, part in (
                (self._enclitic_run, self._enclitic),
                (self._suffix_run, self._suffix),
            ):
                if found := run.search(piece):
                    yield piece[: found.start()]
                    yield from (match[0] for match in part.finditer(found[0]))
                    return
        yield piece

    # The compiled rules. A rule list that is empty never matches.

    @cached_property
    def _pieces(self) -> regex.Pattern[str]:
        return regex.compile(_PIECE, regex.VERBOSE)

    @cached_property
    def _keep(self) -> regex.Pattern[str]:
        return _compile(_any_of(self.rules.keep))

    @cached_property
    def _leading(self) -> regex.Pattern[str]:
        return _compile(rf"{_any_of(self.rules.leading)}(?!{_LETTER})")

    @cached_property
    def _elision(self) -> regex.Pattern[str]:
        return _compile(_any_of(self.rules.elisions))

    @cached_property
    def _enclitic(self) -> regex.Pattern[str]:
        plain, elided = self._enclitic_kinds()
        join = rf"(?:{_any_of(self.rules.linkers)}|{_HYPHEN})"
        return _compile(rf"{join}(?:{elided}(?={plain})|{plain}(?!{_LETTER}))|{plain}")

    @cached_property
    def _enclitic_run(self) -> regex.Pattern[str]:
        plain, elided = self._enclitic_kinds()
        join = rf"(?:{_any_of(self.rules.linkers)}|{_HYPHEN})"
        return _compile(rf"(?<={_LETTER})(?:{join}{elided}?{plain})+$")

    def _enclitic_kinds(self) -> tuple[str, str]:
        """The enclitics that can end a word, and the elided ones (m' in donne-m'en) that cannot."""
        elided = tuple(e for e in self.rules.enclitics if e.endswith("'"))
        plain = tuple(e for e in self.rules.enclitics if not e.endswith("'"))
        return _any_of(plain), _any_of(elided)

    @cached_property
    def _suffix(self) -> regex.Pattern[str]:
        return _compile(_any_of(self.rules.suffixes))

    @cached_property
    def _suffix_run(self) -> regex.Pattern[str]:
        return _compile(rf"(?<={_LETTER}){_any_of(self.rules.suffixes)}+$")


def token_spans(line: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where each word stands in its line, as (start, end) character offsets.

    Between two words there is nothing but separators, and no word begins with one, so the next
    occurrence of a word is the word itself.

    >>> token_spans("Est-il là ?", ["Est", "-il", "là", "?"])
    [(0, 3), (3, 6), (7, 9), (10, 11)]
    """
    spans = []
    end = 0
    for word in words:
        start = line.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return spans


def _compile(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, regex.IGNORECASE)


def _any_of(forms: Sequence[str]) -> str:
    """A group that matches any of the forms, longest first, composed or not, with any apostrophe."""
    spellings = {n for form in forms for n in (normalize("NFC", form), normalize("NFD", form))}
    ordered = sorted(spellings, key=lambda form: (-len(form), form))
    signs = {"'": _APOSTROPHE, "-": _HYPHEN}
    alternatives = ["".join(signs.get(c) or regex.escape(c) for c in form) for form in ordered]
    return f"(?:{'|'.join(alternatives) or '(?!)'})"
