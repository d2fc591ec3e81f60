"""The report of `apt-meta lists`: every pair of pronouns that was judged, and what became of it.

In goes `Learned`, out comes a `Report`.
"""

from collections.abc import Iterator
from typing import Any

from apt.meta.list_learning import Learned, LearnedPair
from apt.render.report import Report, Table, exact, interval, number, percent

_TIDY = ("reference", "candidate", "n", "correct", "p", "low", "high", "share", "result")


def lists_report(learned: Learned, written: str | None, lists: bool = False, width: int = 4) -> Report:
    """What `apt-meta lists` shows; `written` is the file the list went to, `lists` whether any were given."""
    sides = ["one", "the other"] if learned.symmetric else ["reference", "candidate"]
    head = [*sides, "", "n", "correct", "p", "95 % interval", "share"]
    rows = [_row(pair, learned.sample, width) for pair in learned.pairs]
    table = Table(f"equivalent pronouns ({learned.code})", head, rows, labels=3)
    notes = [*_notes(learned), *_file_notes(learned, written, lists)]
    return Report("apt-meta lists", [table], notes, _tidy(learned), _data(learned))


def _row(pair: LearnedPair, sample: int, width: int) -> list[str]:
    return [
        pair.reference,
        pair.candidate,
        pair.fate.value,
        str(pair.n),
        str(pair.correct),
        number(pair.p, width),
        interval(pair.low, pair.high, width),
        percent(pair.n, sample),
    ]


def _notes(learned: Learned) -> Iterator[str]:
    in_pairs = sum(pair.n for pair in learned.pairs)
    yield f"sample: {learned.sample} judged triples, {in_pairs} of them in these pairs"
    others = [
        (learned.identical, "the same on both sides"),
        (learned.other, "OTHER or NONE"),
        (learned.several, "several pronouns on a side"),
    ]
    if shown := ", ".join(f"{n} {what}" for n, what in others if n):
        yield f"in no pair: {shown}"
    if learned.bad:
        meaning = "counted as incorrect" if learned.bad_means == "incorrect" else "not in the sample"
        yield f"bad translations: {learned.bad}, {meaning} (--bad)"
    if learned.ties:
        yield f"tied between raters: {learned.ties}, not in the sample"
    if learned.not_judged:
        yield f"rows without a judgment: {learned.not_judged}"
    direction = "; both directions are one pair" if learned.symmetric else ""
    yield f"kept: at least {learned.min_share:g} of the sample, and p > {learned.min_p:g}{direction}"
    if learned.unlisted:
        forms = ", ".join(learned.unlisted)
        yield f"no pronouns of the list for {learned.code}, so apt-score does not look for them: {forms}"


def _file_notes(learned: Learned, written: str | None, lists: bool) -> Iterator[str]:
    if not learned.pairs:
        yield "there is no pair of different pronouns"
    elif not learned.kept:
        yield "no pair is kept"
    if written is None:
        yield "no list is written: -o FILE.toml does that"
    else:
        n = len(learned.kept)
        yield f"written to {written}: {n or 'no'} pair{'' if n == 1 else 's'}"
    yield "given to --lists, such a file replaces the shipped list of equivalents, it does not add to it"
    if lists:
        yield "use it together with the --lists given here, for whose identical groups it is made"


def _tidy(learned: Learned) -> Table:
    rows = [
        [
            pair.reference,
            pair.candidate,
            str(pair.n),
            str(pair.correct),
            exact(pair.p),
            exact(pair.low),
            exact(pair.high),
            exact(pair.n / learned.sample),
            pair.fate.value,
        ]
        for pair in learned.pairs
    ]
    return Table("", _TIDY, rows, labels=2)


def _data(learned: Learned) -> dict[str, Any]:
    return {
        "lang": learned.code,
        "settings": {
            "min_share": learned.min_share,
            "min_p": learned.min_p,
            "symmetric": learned.symmetric,
            "bad": learned.bad_means,
        },
        "sample": learned.sample,
        "identical": learned.identical,
        "other": learned.other,
        "several": learned.several,
        "bad": learned.bad,
        "ties": learned.ties,
        "rows_without_judgment": learned.not_judged,
        "unlisted": list(learned.unlisted),
        "pairs": [
            {
                "reference": pair.reference,
                "candidate": pair.candidate,
                "n": pair.n,
                "correct": pair.correct,
                "p": pair.p,
                "low": pair.low,
                "high": pair.high,
                "share": pair.n / learned.sample,
                "result": pair.fate.value,
            }
            for pair in learned.pairs
        ],
    }
