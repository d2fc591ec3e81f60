"""AutoPRF (Hardmeier & Federico 2010): clipped precision and recall of pronoun translation."""

from apt.errors import AptError, InputError, OptionError
from autoprf.counts import PRFCounts, Sums
from autoprf.metric import AutoPRF
from autoprf.result import AutoPRFResult, PartPRF

__all__ = [
    "AptError",
    "AutoPRF",
    "AutoPRFResult",
    "InputError",
    "OptionError",
    "PRFCounts",
    "PartPRF",
    "Sums",
]
