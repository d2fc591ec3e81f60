"""The words and links that were used, as files: `--save-links DIR`.

`source.txt`, and for each reference and candidate `NAME.txt` and `NAME.align`. Scoring these files with
`--tokenize none` gives the same score. Like the details they appear when all is done.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from apt.errors import InputError
from apt.render.folders import output_folder
from apt.segments import UsedLinks


class LinksWriter:
    """Writes words and links of the named references and candidates into a folder."""

    def __init__(self, folder: str, names: Sequence[str]) -> None:
        self._folder = folder
        stems = [_stem(name) for name in names]
        repeated = [stem for stem in stems if stems.count(stem) > 1 or stem == "source"]
        if repeated:
            raise InputError(
                f"two files would be called {repeated[0]}.txt: give the inputs different names", folder
            )
        self._names = [f"{stem}.txt" for stem in ("source", *stems)] + [f"{stem}.align" for stem in stems]
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        place = self._stack.enter_context(output_folder(self._folder))
        self._files: list[IO[str]] = [
            self._stack.enter_context((place / name).open("w", encoding="utf-8", newline="\n"))
            for name in self._names
        ]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)  # files are closed before they move

    def write(self, used: UsedLinks) -> None:
        """Add the lines of one chunk."""
        for file, lines in zip(self._files, (used.sources, *used.targets, *used.links), strict=True):
            file.writelines(f"{line}\n" for line in lines)


def _stem(name: str) -> str:
    path = Path(name)
    return path.name.removesuffix(".gz").removesuffix(".txt") or "input"
