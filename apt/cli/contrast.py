"""`apt-contrast`: contrastive test sets of pronoun translation."""

from typing import NoReturn

from apt.cli.common import run
from apt.cli.groups import group_of

NAME = "apt-contrast"
command = group_of(
    NAME,
    "Contrastive evaluation: does a model find the correct pronoun likelier than a wrong one?",
    {
        "evaluate": "apt.cli.contrast_evaluate",
        "prepare": "apt.cli.contrast_prepare",
        "generate": "apt.cli.contrast_generate",
        "score": "apt.cli.contrast_score",
    },
)


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)
