"""How often intervals of correlations over few systems hold the true value: BCa beside the plain percentiles.

    python benchmarks/coverage.py [--simulations 300] [--seed 1]

Human and metric scores are drawn from a normal distribution with a known correlation. An interval of 95 %
should hold it in 95 % of cases. apt.meta gives none for fewer than LEAST_UNITS systems: this is why.
"""

import argparse

import numpy as np
from measuring import print_versions

from apt.meta import intervals
from apt.meta.correlation import pearson
from apt.meta.tables import LEAST_SYSTEMS

SYSTEMS = (4, 5, 6, 7, 10, 20)
CORRELATIONS = (0.0, 0.5, 0.9)
RESAMPLES = 1000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print_versions("numpy", "scipy")
    intervals.LEAST_UNITS = 1  # what would be, were they given for any number
    rng = np.random.default_rng(options.seed)
    print(f"\nPearson's r: share of intervals that hold it, {options.simulations} simulations each")
    print("systems  true r    BCa  percentile")
    for systems in SYSTEMS:
        for true in CORRELATIONS:
            held = np.mean([simulated(systems, true, rng) for _ in range(options.simulations)], axis=0)
            print(f"{systems:7d}  {true:6.1f}  {held[0]:5.3f}  {held[1]:10.3f}")


def simulated(systems: int, true: float, rng: np.random.Generator) -> tuple[bool, bool]:
    """Whether either interval holds the true value."""
    human = rng.normal(size=systems)
    metric = true * human + np.sqrt(1 - true**2) * rng.normal(size=systems)
    drawn = rng.integers(systems, size=(RESAMPLES, systems))
    different = np.array([len(set(row)) for row in drawn.tolist()])
    # As apt.meta has it: a resample of two systems says nothing.
    resampled = np.where(different < LEAST_SYSTEMS, np.nan, pearson(human[drawn], metric[drawn]))
    left_out = np.array([pearson(np.delete(human, i), np.delete(metric, i)) for i in range(systems)])
    found = (
        intervals.accelerated_interval(resampled, float(pearson(human, metric)), left_out),
        intervals.percentile_interval(resampled, systems),
    )
    return tuple(each is not None and each.low <= true <= each.high for each in found)


if __name__ == "__main__":
    main()
