"""Lexicons of the embedded aligner: what one holds, and its file.

In go word counts, link counts of word pairs and jump tables (see `estimate`), out comes a file of about a
megabyte, and from the file the same `Lexicon` again, in the direction that is asked for.

The file is one line of text, `apt-lexicon 1 <sha256 of all that follows>`, one line of JSON (languages,
sizes, origin), and the tables, deflated: the words of each side, by falling frequency; for every source word
how many target words it was linked to; the numbers of those words; all counts; the jumps. A count is one byte
on a logarithmic scale, so it is kept to within 4 %. Nothing in a file is executed, every length is checked.
"""

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apt.align.hmm import FARTHEST, Floats, Ints, Jumps
from apt.errors import InputError

MAGIC = "apt-lexicon"
FORMAT = 1
SUFFIX = ".lex"
_FOLDER = Path(__file__).with_name("lexicons")

_LEVELS_A_DOUBLING = 9
_LEAST = 2.0**-6  # the count of level 0; that of level 255 is five million
_SMALLEST_SHARE = 0.5  # of an occurrence: what an unknown word counts as
_NUMBER_BYTES = 3  # of a word's number: 16 million words a side
_LARGEST = 1 << 28  # bytes of tables: far more than any lexicon needs, and no bomb


@dataclass(frozen=True)
class Vocabulary:
    """The words of one side, by falling frequency, and how often each occurred; a word's number is its place.

    `total` counts all words of the estimation text, those without a number included.
    """

    words: tuple[str, ...]
    counts: Floats
    total: float

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def shares(self) -> Floats:
        """Unigram probabilities; the last place is that of unknown words, so that -1 finds it."""
        shares: Floats = np.maximum(np.append(self.counts, 0.0), _SMALLEST_SHARE) / self.total
        return shares


@dataclass(frozen=True)
class Lexicon:
    """Everything inference needs, for one direction of use: source to target.

    `pair_source`, `pair_target` and `pair_counts` have one entry a word pair, ordered by source, then target.
    `forward` are the jumps in the source as the target is generated, `backward` the other way round.
    `linkers` tie a clitic to the word before it and are no part of it (-t-il). `digest` is that of the file.
    """

    source_lang: str
    target_lang: str
    source: Vocabulary
    target: Vocabulary
    pair_source: Ints
    pair_target: Ints
    pair_counts: Floats
    forward: Jumps
    backward: Jumps
    linkers: tuple[str, ...] = ("-",)
    origin: str = ""
    digest: str = field(default="", compare=False)

    def reversed(self) -> "Lexicon":
        """The same lexicon for the opposite direction."""
        order = np.lexsort((self.pair_source, self.pair_target))
        return replace(
            self,
            source_lang=self.target_lang,
            target_lang=self.source_lang,
            source=self.target,
            target=self.source,
            pair_source=self.pair_target[order],
            pair_target=self.pair_source[order],
            pair_counts=self.pair_counts[order],
            forward=self.backward,
            backward=self.forward,
        )

    def directed(self, source_lang: str, target_lang: str, path: str | None = None) -> "Lexicon":
        """The lexicon or its reverse, for a pair of languages; `path` is named if it is for another pair."""
        if (self.source_lang, self.target_lang) == (source_lang, target_lang):
            return self
        if (self.target_lang, self.source_lang) == (source_lang, target_lang):
            return self.reversed()
        raise InputError(
            f"this lexicon is for {self.source_lang} and {self.target_lang}, "
            f"not for {source_lang} and {target_lang}",
            path,
        )


# ---- shipped files ----


def available_pairs() -> list[tuple[str, str]]:
    """The pairs of languages with a shipped lexicon, each in both directions."""
    names = [path.name.removesuffix(SUFFIX) for path in _FOLDER.iterdir() if path.name.endswith(SUFFIX)]
    pairs = [(name.split("-")[0], name.split("-")[1]) for name in names]
    return sorted(pairs + [(target, source) for source, target in pairs])


def shipped_lexicon(source_lang: str, target_lang: str) -> Lexicon | None:
    """The shipped lexicon for a pair of languages, in that direction; None if there is none."""
    for name in (f"{source_lang}-{target_lang}", f"{target_lang}-{source_lang}"):
        path = _FOLDER / f"{name}{SUFFIX}"
        if path.is_file():
            return _parse(path.read_bytes(), path.name).directed(source_lang, target_lang, path.name)
    return None


# ---- writing ----


def write_lexicon(path: str | Path, lexicon: Lexicon) -> None:
    """Write a lexicon; the same lexicon gives the same bytes."""
    Path(path).write_bytes(_serialised(lexicon))


def _serialised(lexicon: Lexicon) -> bytes:
    sides = (lexicon.source, lexicon.target)
    words = ["\n".join(side.words).encode() for side in sides]
    per_source = np.bincount(lexicon.pair_source, minlength=len(lexicon.source.words))
    # Numbers rise within a source word, so the differences are small; the first one is the number itself.
    steps = np.diff(lexicon.pair_target, prepend=0)
    firsts = np.flatnonzero(np.diff(lexicon.pair_source, prepend=-1))
    steps[firsts] = lexicon.pair_target[firsts]
    tables = [
        *words,
        _planes(per_source),
        _planes(steps),
        *(_levels(counts).tobytes() for counts in (*(side.counts for side in sides), lexicon.pair_counts)),
        *(_jump_bytes(jumps) for jumps in (lexicon.forward, lexicon.backward)),
    ]
    header = {
        "source": lexicon.source_lang,
        "target": lexicon.target_lang,
        "linkers": list(lexicon.linkers),
        "origin": lexicon.origin,
        "totals": [float(side.total) for side in sides],
        "words": [len(side.words) for side in sides],
        "pairs": len(lexicon.pair_source),
        "sizes": [len(table) for table in tables],
    }
    line = json.dumps(header, ensure_ascii=False).encode()
    content = line + b"\n" + zlib.compress(b"".join(tables), 9)
    return f"{MAGIC} {FORMAT} {sha256(content).hexdigest()}\n".encode() + content


def _levels(counts: Floats) -> NDArray[np.uint8]:
    levels = np.round(np.log2(np.maximum(counts, _LEAST) / _LEAST) * _LEVELS_A_DOUBLING)
    clipped: NDArray[np.uint8] = np.clip(levels, 0, 255).astype(np.uint8)
    return clipped


def _planes(numbers: Ints) -> bytes:
    """All lowest bytes, then all second ones, …: like with like deflates better."""
    return b"".join((numbers >> (8 * n) & 255).astype(np.uint8).tobytes() for n in range(_NUMBER_BYTES))


def _jump_bytes(jumps: Jumps) -> bytes:
    return np.concatenate((jumps.between, jumps.first, jumps.last)).astype("<f4").tobytes()


# ---- reading ----


def read_lexicon(path: str | Path) -> Lexicon:
    """A lexicon from its file, in the direction it was written."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the lexicon ({error.strerror})", str(path)) from None
    return _parse(content, str(path))


def _parse(content: bytes, path: str) -> Lexicon:
    first, _, rest = content.partition(b"\n")
    marks = first.split(b" ")
    if marks[0] != MAGIC.encode() or len(marks) != 3:
        raise InputError("not a lexicon of apt-align-train", path)
    if marks[1] != str(FORMAT).encode():
        version = marks[1].decode("ascii", "replace")
        raise InputError(f"lexicon format {version}; this version of apt-score reads format {FORMAT}", path)
    digest = sha256(rest).hexdigest()
    if marks[2] != digest.encode():
        raise InputError("the lexicon is damaged or cut off: its checksum does not fit", path)
    try:
        return _lexicon(rest, digest)
    except (ValueError, KeyError, TypeError, IndexError, zlib.error) as error:
        raise InputError(f"the lexicon cannot be used: {error}", path) from None


def _lexicon(rest: bytes, digest: str) -> Lexicon:
    """The tables; whatever does not fit raises ValueError, or what Python raises for it."""
    line, _, packed = rest.partition(b"\n")
    header = json.loads(line)
    tables = _tables(packed, header["sizes"])
    source_size, target_size = header["words"]
    source_words, target_words = (tuple(next(tables).decode().split("\n")) for _ in range(2))
    per_source = _numbers(next(tables), source_size)
    pairs = int(per_source.sum())
    _check(pairs == header["pairs"], "the number of word pairs")
    pair_source = np.repeat(np.arange(source_size), per_source)
    pair_target = _target_numbers(_numbers(next(tables), pairs), per_source)
    _check(pairs == 0 or int(pair_target.max()) < target_size, "the number of a word")
    source_counts = _counts(next(tables), source_size)
    target_counts = _counts(next(tables), target_size)
    _check(source_size == len(source_words) == len(set(source_words)), "the list of source words")
    _check(target_size == len(target_words) == len(set(target_words)), "the list of target words")
    source_total, target_total = (float(total) for total in header["totals"])
    _check(source_total > 0 and target_total > 0, "the number of words of the text")
    return Lexicon(
        source_lang=str(header["source"]),
        target_lang=str(header["target"]),
        source=Vocabulary(source_words, source_counts, source_total),
        target=Vocabulary(target_words, target_counts, target_total),
        pair_source=pair_source,
        pair_target=pair_target,
        pair_counts=_counts(next(tables), pairs),
        forward=_jumps(next(tables)),
        backward=_jumps(next(tables)),
        linkers=tuple(str(linker) for linker in header["linkers"]),
        origin=str(header["origin"]),
        digest=digest,
    )


def _check(fits: bool, what: str) -> None:
    if not fits:
        raise ValueError(f"{what} does not fit its tables")


def _tables(packed: bytes, sizes: list[int]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(packed, _LARGEST)
    _check(unpacker.eof and len(content) == sum(sizes), "the size")
    start = 0
    for size in sizes:
        yield content[start : start + size]
        start += size


def _numbers(table: bytes, size: int) -> Ints:
    planes = np.frombuffer(table, np.uint8).reshape(_NUMBER_BYTES, size).astype(np.int64)
    numbers: Ints = (planes << (8 * np.arange(_NUMBER_BYTES))[:, None]).sum(0)
    return numbers


def _target_numbers(steps: Ints, per_source: Ints) -> Ints:
    """Running sums that begin anew with every source word."""
    running = np.cumsum(steps)
    ends = np.cumsum(per_source)
    starts = ends - per_source
    before = np.where(starts > 0, running[starts - 1], 0) if len(running) else np.zeros_like(starts)
    numbers: Ints = running - np.repeat(before, per_source)
    return numbers


def _counts(table: bytes, size: int) -> Floats:
    _check(len(table) == size, "the number of counts")
    scale = _LEAST * 2.0 ** (np.arange(256) / _LEVELS_A_DOUBLING)
    counts: Floats = scale[np.frombuffer(table, np.uint8)]
    return counts


def _jumps(table: bytes) -> Jumps:
    values = np.frombuffer(table, "<f4").astype(np.float64)
    between, first = 2 * FARTHEST + 1, FARTHEST + 1
    _check(len(values) == between + 2 * first, "the number of jumps")
    _check(bool(np.isfinite(values).all() and (values > 0).all()), "the probability of a jump")
    return Jumps(values[:between], values[between : between + first], values[between + first :])
