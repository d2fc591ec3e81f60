"""What people say about each of the six cases, and how well the metric agrees with them (the paper's §4.3).

In go judgments and the triples of details files, out comes `Judged`: the table of cases × judgments (the
paper's Table 5, over all judged triples) and the agreement of "the case is an accepted one" with "people say
correct", for all, each system, each source pronoun and each value of the columns asked for. Where several
people judged, their agreement with each other too.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from apt.cases import Case
from apt.comparing import DEFAULT_SEED, UNITS, Unit
from apt.errors import InputError, OptionError
from apt.meta.agreement import Coefficient, cohen_kappa, fleiss_kappa, gwet_ac1
from apt.meta.details import DetailedTriple, DetailedTriples
from apt.meta.judgments import (
    BAD,
    VERDICTS,
    Bad,
    Joined,
    Judgments,
    Settled,
    Verdict,
    category,
    join,
    settled,
)
from apt.meta.two_by_two import Agreement, Resampling, agreement
from apt.normalize import word_key
from apt.score import parse_discard

RIGHT = (Case.IDENTICAL, Case.EQUIVALENT)
SYSTEM, SOURCE = "system", "source"


@dataclass(frozen=True)
class Settings:
    """Which cases count as right, which are left out, and what a bad translation means."""

    accept: frozenset[Case] = frozenset(RIGHT)
    discard: frozenset[Case] = frozenset()
    bad: Bad = "leave"


@dataclass(frozen=True)
class Judged:
    """Everything `judged_cases` finds.

    `cases` counts (case, verdict) over all judged triples. `by` has the parts by name of column: `system`,
    `source` and those asked for. `between_raters` is empty unless several people judged. Of the `triples` in
    the details `not_judged` have no judgment, and `ties` have no most frequent one; `judged` is the rest. Of
    those `bad` were judged so, and `discarded` fall into cases that agreement leaves out. `empty` is the
    number of rows without a judgment.
    """

    settings: Settings
    resampling: Resampling
    cases: Mapping[tuple[Case, Verdict], int]
    overall: Agreement
    by: Mapping[str, Mapping[str, Agreement]]
    raters: tuple[str, ...]
    between_raters: tuple[Coefficient, ...]
    triples: int
    judged: int
    not_judged: int
    empty: int
    ties: int
    bad: int
    discarded: int


def parse_accept(accept: Collection[int | str] | str) -> frozenset[Case]:
    """The numbers of the cases that count as right."""
    try:
        cases = parse_discard(accept)
    except OptionError as error:
        raise OptionError(f"accept: {str(error).removeprefix('discard: ')}") from None
    if not cases:
        raise OptionError("accept: at least one case is needed, such as 1,2")
    return cases


def judged_cases(
    judgments: Judgments,
    details: DetailedTriples,
    *,
    accept: Collection[int | str] | str = RIGHT,
    discard: Collection[int | str] | str = "none",
    bad: Bad = "leave",
    by: Sequence[str] = (),
    resample: Unit = "segments",
    resamples: int = 1000,
    seed: int = DEFAULT_SEED,
) -> Judged:
    """Compare metric and people; `by` names further columns of the judgments."""
    for option, value, known in (("bad", bad, BAD), ("resample", resample, UNITS)):
        if value not in known:
            raise OptionError(f"{option}: unknown {value!r}. Available: {', '.join(known)}")
    settings = Settings(parse_accept(accept), parse_discard(discard), bad)
    resampling = Resampling(resample, resamples, seed)
    decided = settled(judgments)
    if not decided:
        raise InputError("there is no judgment: column 'judgment' is empty throughout", judgments.path)
    joined = join(judgments, decided, details)
    counted = [item for item in joined if _counts(item, settings)]
    parts = {SYSTEM: [item.triple.key.system for item in counted]}
    parts[SOURCE] = [word_key(item.triple.source) for item in counted]
    for column in dict.fromkeys(by):
        # All of them are asked, so that raters who disagree about a category are noticed wherever it is.
        values = {item.first.key: category(judgments, item, column) for item in decided}
        parts[column] = [values[item.triple.key] for item in counted]
    return Judged(
        settings=settings,
        resampling=resampling,
        cases=Counter((item.triple.case, item.verdict) for item in joined),
        overall=_agreement(counted, settings, resampling),
        by={name: _by_part(counted, labels, settings, resampling) for name, labels in parts.items()},
        raters=judgments.raters,
        between_raters=_between_raters(judgments, decided),
        triples=len(details.by_key),
        judged=len(joined),
        not_judged=len(details.by_key) - len(decided),
        empty=judgments.not_judged,
        ties=len(decided) - len(joined),
        bad=sum(item.verdict == "bad" for item in joined),
        discarded=sum(item.triple.case in settings.discard for item in joined),
    )


def _counts(item: Joined, settings: Settings) -> bool:
    left_out = item.verdict == "bad" and settings.bad == "leave"
    return item.triple.case not in settings.discard and not left_out


def _agreement(items: Sequence[Joined], settings: Settings, resampling: Resampling) -> Agreement:
    """A segment's triples, of all systems together, are one unit: they are not independent."""
    answers = (
        (_unit(item.triple, resampling.unit), item.triple.case in settings.accept, item.verdict == "correct")
        for item in items
    )
    return agreement(answers, resampling)


def _unit(triple: DetailedTriple, unit: Unit) -> str | int:
    if unit == "segments":
        return triple.key.segment
    if triple.document is None:
        message = "there is no document to resample: make the details with --docids or --doc-starts"
        raise InputError(message, triple.path, triple.line)
    return triple.document


def _by_part(
    items: Sequence[Joined], labels: Sequence[str], settings: Settings, resampling: Resampling
) -> dict[str, Agreement]:
    """The agreement in each part, in the order of the judgments."""
    parts: dict[str, list[Joined]] = {}
    for item, label in zip(items, labels, strict=True):
        parts.setdefault(label, []).append(item)
    return {label: _agreement(part, settings, resampling) for label, part in parts.items()}


def _between_raters(judgments: Judgments, decided: Sequence[Settled]) -> tuple[Coefficient, ...]:
    """All three coefficients, over the three judgments a rater can give whether or not anybody gave them."""
    if len(judgments.raters) < 2:
        return ()
    ratings = []
    for item in decided:
        given = {row.rater: row.verdict for row in item.rows}
        ratings.append([given.get(rater) for rater in judgments.raters])
    return tuple(make(ratings, VERDICTS) for make in (gwet_ac1, cohen_kappa, fleiss_kappa))
