"""APT and its relatives: reference-based evaluation of pronoun translation.

`APT` is the metric; see its documentation for the settings, and docs/metrics.md for what is computed.
"""

from apt.cases import Case
from apt.counts import CaseCounts, Counts
from apt.errors import AptError, InputError, OptionError
from apt.metric import APT
from apt.result import APTResult, PartScore
from apt.signature import Signature
from apt.translations import Found, Translation
from apt.triples import Triple
from apt.version import __version__

__all__ = [
    "APT",
    "APTResult",
    "AptError",
    "Case",
    "CaseCounts",
    "Counts",
    "Found",
    "InputError",
    "OptionError",
    "PartScore",
    "Signature",
    "Translation",
    "Triple",
    "__version__",
]
