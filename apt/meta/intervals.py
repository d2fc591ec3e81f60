"""Bootstrap intervals of statistics that are no function of sums, such as rank correlations.

In go the values of a statistic on resamples and, for few units, on the data without each unit in turn; out
comes an `Interval`. With few units (systems) it is the bias-corrected and accelerated one (BCa: Efron 1987):
simulated with 7 systems the plain percentile interval of Pearson's r held the true value in 88 to 91 % of
cases instead of 95 %, this one in 91 to 95 %. With 5 systems it was 85 to 89 %, with 4 about 62 %: below
`LEAST_UNITS` there is no interval.
"""

import numpy as np

from apt.meta.correlation import Floats
from apt.significance import Interval

LEAST_UNITS = 6
_SAME = 1e-9  # values closer than this differ by rounding alone
_LEAST_DEFINED = 0.5  # the share of resamples that must have a value


def percentile_interval(resampled: Floats, units: int, level: float = 0.95) -> Interval | None:
    """The quantiles of the resampled values.

    None when fewer than `LEAST_UNITS` were drawn from, too few of them are defined, or all are the same.
    """
    defined = resampled[~np.isnan(resampled)]
    if units < LEAST_UNITS or not len(defined) or defined.max() - defined.min() < _SAME:
        return None
    return _quantiles(resampled, np.array([(1 - level) / 2, (1 + level) / 2]), level)


def accelerated_interval(
    resampled: Floats, observed: float, left_out: Floats, level: float = 0.95
) -> Interval | None:
    """The BCa interval; `left_out` are the values without each unit in turn.

    None with fewer than `LEAST_UNITS`, when too few resamples are defined, or when all have the same value,
    as those of a perfect order do: then nothing is known of how far the statistic could be off.
    """
    from scipy.stats import norm

    defined = resampled[~np.isnan(resampled)]
    if len(left_out) < LEAST_UNITS or not len(defined) or defined.max() - defined.min() < _SAME:
        return None
    # A tie is half below: rank statistics of few systems take few values.
    below = (np.count_nonzero(defined < observed - _SAME) + np.count_nonzero(defined <= observed + _SAME)) / 2
    least = 0.5 / len(defined)
    bias = norm.ppf(np.clip(below / len(defined), least, 1 - least))
    z = bias + norm.ppf([(1 - level) / 2, (1 + level) / 2])
    return _quantiles(resampled, norm.cdf(bias + z / (1 - _acceleration(left_out) * z)), level)


def _acceleration(left_out: Floats) -> float:
    """How the spread changes with the value, from the values without each unit in turn."""
    values = left_out[~np.isnan(left_out)]
    if not len(values):
        return 0.0
    away = values.mean() - values
    spread = float(np.sum(away**2))
    return float(np.sum(away**3)) / (6 * spread**1.5) if spread > 0 else 0.0


def _quantiles(resampled: Floats, shares: Floats, level: float) -> Interval | None:
    defined = resampled[~np.isnan(resampled)]
    if len(defined) < max(2, _LEAST_DEFINED * len(resampled)):
        return None
    low, high = np.quantile(defined, shares)
    return Interval(float(low), float(high), len(resampled) - len(defined), len(resampled), level)
