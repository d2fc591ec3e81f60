"""When two words are the same for matching: case, Unicode form, apostrophes and hyphens do not count.

`fold` works on any text, a line as well as a word, and is what every comparison in the package goes
through; `word_key` also ignores the hyphen that ties a clitic to its verb (`-il`, `-t-elle`).
"""

from collections.abc import Sequence
from unicodedata import normalize

_SAME_SIGN = (
    ("’", "'"),  # U+2019, typographic
    ("ʼ", "'"),  # U+02BC, modifier letter
    ("‐", "-"),  # U+2010
    ("‑", "-"),  # U+2011, non-breaking
)
# Moses' tokenizer writes the apostrophe as an entity; pre-tokenised text is full of it.
_MOSES_APOSTROPHE = "&apos;"


def fold(text: str) -> str:
    """Lower-case (Unicode case folding), NFC, one apostrophe, one hyphen."""
    if text.isascii():
        folded = text.lower()
    else:
        # Folding can decompose (ǰ), so the result is composed again.
        folded = plain_signs(normalize("NFC", normalize("NFC", text).casefold()))
    return folded.replace(_MOSES_APOSTROPHE, "'") if "&" in folded else folded


def plain_signs(text: str) -> str:
    """One apostrophe, one hyphen; everything else as it stands."""
    for sign, plain in _SAME_SIGN:  # many times faster than str.translate
        text = text.replace(sign, plain)
    return text


def word_key(word: str, linkers: tuple[str, ...] = ("-",)) -> str:
    """The form under which a word is looked up in a list; `linkers` tie a clitic to the word before it.

    >>> word_key("Qu’"), word_key("-LE"), word_key("-"), word_key("-t-elle", ("-t-", "-"))
    ("qu'", 'le', '-', 'elle')
    """
    return _without_linker(fold(word), linkers)


def written_key(word: str, linkers: tuple[str, ...] = ()) -> str:
    """`word_key` with capitals kept.

    >>> written_key("Qu’"), written_key("-Il", ("-",)), written_key("-Il")
    ("Qu'", 'Il', '-Il')
    """
    written = plain_signs(normalize("NFC", word)).replace(_MOSES_APOSTROPHE, "'")
    return _without_linker(written, linkers)


def word_keys(words: Sequence[str], linkers: tuple[str, ...] = ("-",)) -> list[str]:
    """`word_key` of every word of a segment, folded together: a line end is in no word.

    >>> word_keys(["Est", "-IL", "là"])
    ['est', 'il', 'là']
    """
    if not words:
        return []
    text = fold("\n".join(words))
    keys = text.split("\n")
    if "-" not in text:
        return keys
    return [_without_linker(key, linkers) if key.startswith(linkers) else key for key in keys]


def _without_linker(key: str, linkers: tuple[str, ...]) -> str:
    for linker in linkers:
        if key.startswith(linker) and len(key) > len(linker):
            return key[len(linker) :]
    return key
