"""Contrastive evaluation: does a model find the correct pronoun likelier than a wrong one?

`read_set` reads a test set of any format, `prepare` says what a model has to score, `read_scores` and
`evaluate` say how often it was right, `compare` tests two models. See docs/contrast.md.
"""

from apt.contrast.evaluation import Evaluation, Share, compare, evaluate
from apt.contrast.instances import ContrastiveSet, Instance
from apt.contrast.preferences import Preference, Prior, answered, preferences
from apt.contrast.preparing import Prepared, prepare
from apt.contrast.scores import read_scores
from apt.contrast.sets import read_set

__all__ = [
    "ContrastiveSet",
    "Evaluation",
    "Instance",
    "Preference",
    "Prepared",
    "Prior",
    "Share",
    "answered",
    "compare",
    "evaluate",
    "preferences",
    "prepare",
    "read_scores",
    "read_set",
]
