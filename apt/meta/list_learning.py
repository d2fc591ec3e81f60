"""Equivalence lists learned from human judgments (the paper's §2.5).

In go judgments of triples and the lists of the target language, out comes `Learned`: each pair of different
pronouns (reference, candidate) with how often people call the candidate correct, and whether it is kept;
`list_file` writes those that are as a list that `--lists` takes.

The sample is every triple that people judged correct or incorrect, the identical ones too: the paper drops
pairs rarer than 5 % "of the total sample". Forms of one *identical* group are one form. A triple with OTHER,
NONE or several forms on a side is in the sample, but names no pair.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from apt.cases import NONE, OTHER
from apt.errors import InputError, OptionError
from apt.meta.judgments import BAD, Bad, Judgments, Settled, settled
from apt.normalize import word_key
from apt.pronouns import LanguageLists

MIN_SHARE = 0.05
MIN_P = 0.5

Pair = tuple[str, str]


class Fate(Enum):
    """What becomes of a pair."""

    KEPT = "kept"
    RARE = "too rare"
    UNLIKELY = "not likely enough"


@dataclass(frozen=True)
class LearnedPair:
    """A reference and a candidate form, in this order or (`--symmetric`) in any.

    Of the `n` triples that have it `correct` were judged so; `low` and `high` are Wilson's 95 % interval of
    their share.
    """

    reference: str
    candidate: str
    n: int
    correct: int
    low: float
    high: float
    fate: Fate

    @property
    def p(self) -> float:
        return self.correct / self.n


@dataclass(frozen=True)
class Learned:
    """All pairs, the most frequent first, and what else is in the sample.

    Of the `sample`, `identical` triples have one form on both sides, `other` have OTHER or NONE on a side,
    and `several` more than one form. Not in it are `bad` translations (unless they count as incorrect) and
    `ties` between raters. `unlisted` are forms that are no pronouns of the language's list.
    """

    code: str
    path: str
    pairs: tuple[LearnedPair, ...]
    min_share: float
    min_p: float
    symmetric: bool
    bad_means: Bad
    sample: int
    identical: int
    other: int
    several: int
    bad: int
    ties: int
    not_judged: int
    unlisted: tuple[str, ...]

    @property
    def kept(self) -> tuple[LearnedPair, ...]:
        return tuple(pair for pair in self.pairs if pair.fate is Fate.KEPT)


def learn_equivalents(
    judgments: Judgments,
    lists: LanguageLists,
    *,
    min_share: float = MIN_SHARE,
    min_p: float = MIN_P,
    symmetric: bool = False,
    bad: Bad = "leave",
) -> Learned:
    """Find the pairs that are no rarer than `min_share` and more often correct than `min_p`."""
    for name, value in (("min-share", min_share), ("min-p", min_p)):
        if not 0 <= value <= 1:
            raise OptionError(f"{name}: a number from 0 to 1 expected, found {value}")
    if bad not in BAD:
        raise OptionError(f"bad: unknown {bad!r}. Available: {', '.join(BAD)}")
    decided = settled(judgments)
    counted = [item for item in decided if _in_sample(item, bad)]
    if not counted:
        raise InputError("no triple is judged correct or incorrect", judgments.path)
    group_of = {word_key(form): word_key(group[0]) for group in lists.identical for form in group}
    kinds: Counter[str] = Counter()
    found: Counter[Pair] = Counter()
    correct: Counter[Pair] = Counter()
    for item in counted:
        kind, pair = _pair(item, group_of)
        kinds[kind] += 1
        if pair is not None:
            if symmetric:
                pair = min(pair, pair[::-1])
            found[pair] += 1
            correct[pair] += item.verdict == "correct"
    least = _decimal(min_share) * len(counted)
    pairs = [_learned(pair, found[pair], correct[pair], least, min_p) for pair in found]
    known = {word_key(form) for form in lists.target.all}
    return Learned(
        code=lists.code,
        path=judgments.path,
        pairs=tuple(sorted(pairs, key=lambda pair: (-pair.n, pair.reference, pair.candidate))),
        min_share=min_share,
        min_p=min_p,
        symmetric=symmetric,
        bad_means=bad,
        sample=len(counted),
        identical=kinds["identical"],
        other=kinds["other"],
        several=kinds["several"],
        bad=sum(item.verdict == "bad" for item in decided),
        ties=sum(item.verdict is None for item in decided),
        not_judged=judgments.not_judged,
        unlisted=tuple(sorted({form for pair in found for form in pair} - known)),
    )


def _in_sample(item: Settled, bad: Bad) -> bool:
    return item.verdict in ("correct", "incorrect") or (item.verdict == "bad" and bad == "incorrect")


def _pair(item: Settled, group_of: Mapping[str, str]) -> tuple[str, Pair | None]:
    """What kind of triple it is, and the pair of groups it names, if any."""
    sides = item.first.reference, item.first.candidate
    if any(side in (OTHER, NONE) for side in sides):
        return "other", None
    if any(len(side.split()) > 1 for side in sides):
        return "several", None
    keys = [word_key(side.strip()) for side in sides]
    reference, candidate = (group_of.get(key, key) for key in keys)
    return ("identical", None) if reference == candidate else ("pair", (reference, candidate))


def _learned(pair: Pair, n: int, correct: int, least: Fraction, min_p: float) -> LearnedPair:
    from scipy.stats import binomtest

    ends = binomtest(correct, n).proportion_ci(0.95, "wilson")
    fate = Fate.KEPT
    if n < least:
        fate = Fate.RARE
    elif Fraction(correct, n) <= _decimal(min_p):
        fate = Fate.UNLIKELY
    return LearnedPair(*pair, n, correct, float(ends.low), float(ends.high), fate)


def _decimal(value: float) -> Fraction:
    """The number that was written: 7 of 100 are no less than 0.07, though 100 * 0.07 is more than 7."""
    return Fraction(repr(value))


def list_file(learned: Learned, name: str) -> str:
    """The list in TOML; `name` says which file it was learned from."""
    kind = "pairs in either direction" if learned.symmetric else "pairs"
    origin = (
        f"{learned.sample} judged triples of {name}: {kind} that make up at least {learned.min_share:g} "
        f"of them, with p > {learned.min_p:g}"
    )
    if learned.bad_means == "incorrect":
        origin += "; bad translations count as incorrect"
    blocks = [f"code = {_string(learned.code)}"]
    if not learned.kept:
        blocks[0] += "\nequivalent = []"
    blocks += [_entry(pair, learned.symmetric) for pair in learned.kept]
    blocks.append(f"[sources]\nequivalent = {_string(origin)}")
    return "\n\n".join(blocks) + "\n"


def _entry(pair: LearnedPair, symmetric: bool) -> str:
    reference, candidate = _string(pair.reference), _string(pair.candidate)
    forms = [f"reference = {reference}", f"candidate = {candidate}"]
    if symmetric:
        forms = [f"pair = [{reference}, {candidate}]"]
    numbers = [f"p = {round(pair.p, 6)!r}", f"n = {pair.n}", f"correct = {pair.correct}"]
    return "\n".join(["[[equivalent]]", *forms, *numbers])


def _string(text: str) -> str:
    """A basic string of TOML; what is no Unicode (the name of a file need not be) is shown by its number."""
    written = text.encode("utf-8", "backslashreplace").decode("utf-8")
    escaped = written.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 0x20 or c == "\x7f" else c for c in escaped) + '"'
