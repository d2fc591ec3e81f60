"""How long resampling takes.

    python benchmarks/significance.py [--units 100000] [--resamples 1000] [--repeats 5]

Two systems with statistics as APT has them (credit, pronouns) and as F1 has them (matches, candidate,
reference). The three methods take turns; medians of wall-clock times are shown, and the peak of memory.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from apt.significance import Floats, Sample, ScoreOf, approximate_randomization, confidence, paired_bootstrap

SEED = 2017


def apt(sums: Floats) -> Floats:
    """Credit / pronouns."""
    return sums[..., 0] / sums[..., 1]


def f1(sums: Floats) -> Floats:
    """2 matches / (candidate + reference)."""
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def pairs(units: int) -> dict[str, tuple[Sample, Sample]]:
    """Two systems that are right on 70 % of their pronouns, for each kind of statistics."""
    rng = np.random.default_rng(SEED)
    pronouns = rng.poisson(0.6, units)
    right = [rng.binomial(pronouns, 0.7) for _ in range(2)]
    found = [pronouns + rng.poisson(0.1, units) for _ in range(2)]
    return {
        "APT, k = 2": _pair([(r, pronouns) for r in right], apt),
        "F1, k = 3": _pair([(r, f, pronouns) for r, f in zip(right, found, strict=True)], f1),
    }


def _pair(columns: list[tuple[NDArray[np.int64], ...]], score: ScoreOf) -> tuple[Sample, Sample]:
    system, baseline = (Sample(np.column_stack(c).astype(np.float64), score) for c in columns)
    return system, baseline


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for option, default in (("--units", 100_000), ("--resamples", 1000), ("--repeats", 5)):
        parser.add_argument(option, type=int, default=default)
    args = parser.parse_args()
    for name, (system, baseline) in pairs(args.units).items():
        how = (args.resamples, SEED)
        methods: dict[str, Callable[[], object]] = {
            "interval": partial(confidence, system, *how),
            "paired bootstrap": partial(paired_bootstrap, system, baseline, *how),
            "randomization": partial(approximate_randomization, system, baseline, *how),
        }
        times: dict[str, list[float]] = {method: [] for method in methods}
        for _ in range(args.repeats):
            for method, run in methods.items():
                start = time.perf_counter()
                run()
                times[method].append(time.perf_counter() - start)
        for method, seconds in times.items():
            print(f"{name:12} {method:18} {statistics.median(seconds):6.2f} s  (best {min(seconds):.2f} s)")
    print(f"{args.resamples} resamples of {args.units} units; peak {_peak():.0f} MB")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
