"""`apt-meta`: do the scores agree with people?"""

from typing import NoReturn

from apt.cli.common import run
from apt.cli.groups import group_of

NAME = "apt-meta"
command = group_of(
    NAME,
    "Meta-evaluation: do metric scores agree with human judgments?",
    {
        "correlate": "apt.cli.meta_correlate",
        "agree": "apt.cli.meta_agree",
        "tune": "apt.cli.meta_tune",
        "lists": "apt.cli.meta_lists",
    },
)


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)
