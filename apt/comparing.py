"""Systems compared: what resampling says of each one, and of each against a baseline.

In go results with their counts per segment, out comes a `Compared` per system. A metric's result says by
`samples` which numbers can be resampled; which units are drawn, how often and by which seed is a `Plan`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol, Self, TypeVar, get_args

from apt.errors import OptionError
from apt.signature import Signature

if TYPE_CHECKING:
    from apt.significance import Interval, PairedTest, Sample

Unit = Literal["segments", "documents"]
UNITS: tuple[Unit, ...] = get_args(Unit)
DEFAULT_SEED = 12345


@dataclass(frozen=True)
class Plan:
    """How often to resample for intervals and for either test (0: not at all), what, and by which seed."""

    confidence: int = 0
    bootstrap: int = 0
    randomization: int = 0
    unit: Unit = "segments"
    seed: int = DEFAULT_SEED

    @property
    def wanted(self) -> bool:
        return bool(self.confidence or self.paired)

    @property
    def paired(self) -> bool:
        return bool(self.bootstrap or self.randomization)

    def numbers(self) -> dict[str, int]:
        """How many resamples for what."""
        numbers = self.confidence, self.bootstrap, self.randomization
        return dict(zip(("intervals", "bootstrap", "randomization"), numbers, strict=True))

    def fields(self) -> dict[str, str]:
        """As they stand in a signature."""
        named = zip(("ci", "bs", "ar"), self.numbers().values(), strict=True)
        drawn = {key: str(n) for key, n in named if n}
        return {"resample": self.unit, **drawn, "seed": str(self.seed)} if drawn else {}


@dataclass(frozen=True)
class Compared:
    """What resampling says of one system, for each of the metric's numbers by name.

    A value is None where it is undefined; `baseline` is None for the baseline itself, and without tests.
    """

    plan: Plan
    intervals: "Mapping[str, Interval | None]" = field(default_factory=dict)
    bootstrap: "Mapping[str, PairedTest | None]" = field(default_factory=dict)
    randomization: "Mapping[str, PairedTest | None]" = field(default_factory=dict)
    baseline: str | None = None

    def values(self) -> "list[Interval | PairedTest | None]":
        """Everything found."""
        return [*self.intervals.values(), *self.bootstrap.values(), *self.randomization.values()]


class Resampled(Protocol):
    """What a result must offer."""

    @property
    def signature(self) -> Signature: ...

    def samples(self, unit: Unit, beside: Sequence[Self] = ()) -> "Mapping[str, Sample]": ...

    def with_comparison(self, compared: Compared, signature: Signature) -> Self: ...


Result = TypeVar("Result", bound=Resampled)


def compare(results: Mapping[str, Result], plan: Plan, baseline: str | None = None) -> dict[str, Result]:
    """The results with their `Compared`; the baseline is the first system unless it is named."""
    if not plan.wanted:
        return dict(results)
    if plan.paired and len(results) < 2:
        raise OptionError("a paired test needs at least two systems, found one")
    if baseline is not None and baseline not in results:
        raise OptionError(f"baseline: no system is called {baseline!r}. Systems: {', '.join(results)}")
    first = next(iter(results)) if baseline is None else baseline
    samples = {name: result.samples(plan.unit, list(results.values())) for name, result in results.items()}
    return {
        name: result.with_comparison(
            _compared(samples[name], None if name == first else samples[first], plan, first),
            replace(result.signature, fields=_with_plan(result.signature.fields, plan)),
        )
        for name, result in results.items()
    }


def _compared(
    own: "Mapping[str, Sample]", others: "Mapping[str, Sample] | None", plan: Plan, baseline: str
) -> Compared:
    from apt.significance import approximate_randomization, confidence, paired_bootstrap

    n, seed = plan.confidence, plan.seed
    intervals = {name: confidence(sample, n, seed) for name, sample in own.items() if n}
    if others is None or not plan.paired:
        return Compared(plan, intervals)
    pairs = {name: (sample, others[name]) for name, sample in own.items()}
    return Compared(
        plan,
        intervals,
        _tests(paired_bootstrap, pairs, plan.bootstrap, seed),
        _tests(approximate_randomization, pairs, plan.randomization, seed),
        baseline,
    )


def _tests(
    test: "Callable[[Sample, Sample, int, int], PairedTest | None]",
    pairs: "Mapping[str, tuple[Sample, Sample]]",
    resamples: int,
    seed: int,
) -> "dict[str, PairedTest | None]":
    return {name: test(*pair, resamples, seed) for name, pair in pairs.items() if resamples}


def _with_plan(fields: Mapping[str, str], plan: Plan) -> dict[str, str]:
    """The version stays last; an earlier plan goes."""
    replaced = {"resample", "ci", "bs", "ar", "seed", "version"}
    before = {key: value for key, value in fields.items() if key not in replaced}
    return {**before, **plan.fields(), "version": fields["version"]}
