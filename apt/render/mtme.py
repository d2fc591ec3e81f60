"""Score files in the layout of mt-metrics-eval: `--mtme DIR`.

In go the scores of every system, out come `METRIC-REF.sys.score`, `METRIC-REF.seg.score` and, with
documents, `METRIC-REF.doc.score`: a line `SYSTEM<TAB>SCORE` for each system, segment or document, grouped by
system, with `None` where there is no score. `METRIC-REF.seg.mask` says of each segment whether it has one: 1
or 0. Like all output files they appear when all is done.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from apt.corpus import STDIN
from apt.errors import OptionError
from apt.render.folders import complaining, output_folder

_RESERVED = ("all", "src")  # all references together, no reference


@dataclass(frozen=True)
class SystemScores:
    """One system's scores: of the whole, of each segment, of each document (None without documents)."""

    score: float | None
    segments: Sequence[float | None]
    documents: Sequence[float | None] | None = None


class MtmeWriter:
    """Writes score files of one metric into a folder, when the `with` block ends without an error.

    `references` and `systems` are paths and names, from which those of the layout are made.
    """

    def __init__(self, folder: str, metric: str, references: Sequence[str], systems: Sequence[str]) -> None:
        self._folder = folder
        self._stem = f"{metric}-{reference_names(references)}"
        self._systems = dict(zip(systems, system_labels(systems), strict=True))
        self._stack = ExitStack()
        self._has_documents = False

    def __enter__(self) -> Self:
        self._made = self._stack.enter_context(output_folder(self._folder))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
        if kind is None and not self._has_documents:  # those of an earlier run would be others'
            Path(self._folder, f"{self._stem}.doc.score").unlink(missing_ok=True)

    def write(self, scores: Mapping[str, SystemScores]) -> None:
        """Write all files; the names are the systems'."""
        named = {self._systems[name]: system for name, system in scores.items()}
        self._write("sys.score", ((name, [_shown(system.score)]) for name, system in named.items()))
        self._write("seg.score", ((name, map(_shown, system.segments)) for name, system in named.items()))
        self._write(
            "seg.mask",
            ((name, (str(int(s is not None)) for s in system.segments)) for name, system in named.items()),
        )
        documents = {name: system.documents for name, system in named.items() if system.documents is not None}
        self._has_documents = bool(documents)
        if documents:
            self._write("doc.score", ((name, map(_shown, values)) for name, values in documents.items()))

    def _write(self, ending: str, blocks: Iterable[tuple[str, Iterable[str]]]) -> None:
        path = self._made / f"{self._stem}.{ending}"
        with (
            complaining(self._folder),
            path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
        ):
            for name, values in blocks:
                file.writelines(f"{name}\t{value}\n" for value in values)


def reference_names(paths: Sequence[str]) -> str:
    """What the layout calls the references, joined by dots.

    As in mt-metrics-eval the last part of a file's name before its ending: `en-de.refA.txt` is refA. Dots,
    hyphens and spaces cannot be in it: what is no letter, digit or underscore becomes an underscore.

    >>> reference_names(["wmt/en-de.refA.txt", "my-ref.de.gz"])
    'refA.my_ref'
    """
    names = [_reference_name(path) for path in paths]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(
                f"--mtme: two references would be called {name}: give the files different names"
            )
        if name in _RESERVED:
            raise OptionError(
                f"--mtme: a reference cannot be called {name}, which has a meaning there: rename the file"
            )
    return ".".join(names)


def _reference_name(path: str) -> str:
    if path == STDIN:
        return "ref"
    name = Path(path).name.removesuffix(".gz")
    parts = [part for part in name.split(".") if part]
    return re.sub(r"\W", "_", parts[-2] if len(parts) > 1 else name.strip("."))


def system_labels(names: Sequence[str]) -> list[str]:
    """What the layout calls the systems: their files without `.txt` and `.gz`, and never with a space."""
    labels = [name.removesuffix(".gz").removesuffix(".txt") for name in names]
    for name, label in zip(names, labels, strict=True):
        if not label or label.split() != [label]:
            raise OptionError(
                f"--mtme: no system's name can have a space in it, found {name!r}: rename the file"
            )
        if labels.count(label) > 1:
            raise OptionError(f"--mtme: two systems would be called {label}: give the files different names")
    return labels


def _shown(score: float | None) -> str:
    """All digits: reading it gives the same number."""
    return repr(score)
