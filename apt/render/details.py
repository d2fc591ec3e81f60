"""The details file: every triple, as TSV or (`.jsonl`) as one JSON object a line.

Written while scoring goes on, to a temporary file that takes its name when all is done: a run that fails
leaves nothing behind.
"""

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from apt.errors import InputError
from apt.render.tsv import TRIPLE_COLUMNS, row, shown, triple_cells
from apt.translations import Translation
from apt.triples import Triple


class DetailsWriter:
    """Writes triples to `path`, which appears when the `with` block ends without an error."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._is_json = self._path.suffix in (".jsonl", ".ndjson")

    def __enter__(self) -> Self:
        if self._path.is_dir():
            raise InputError("cannot be written: Is a directory", str(self._path))
        try:
            handle, self._temporary = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._path.parent)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", str(self._path)) from None
        self._file = os.fdopen(handle, "w", encoding="utf-8", newline="\n")
        if not self._is_json:
            self._file.write(row(TRIPLE_COLUMNS) + "\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if kind is not None:
            Path(self._temporary).unlink()
            return
        # mkstemp makes files private; the details get the rights any new file has.
        mask = os.umask(0)
        os.umask(mask)
        Path(self._temporary).chmod(0o666 & ~mask)
        Path(self._temporary).replace(self._path)

    def write(
        self, system: str, triples: Sequence[Triple], documents: Sequence[str] | None, start: int
    ) -> None:
        """Write triples of segments from `start` on; `documents` are those segments' ids."""
        for triple in triples:
            document = None if documents is None else documents[triple.segment - start]
            if self._is_json:
                line = json.dumps(triple_dict(system, document, triple), ensure_ascii=False)
            else:
                line = row(triple_cells(system, document or "", triple))
            self._file.write(line + "\n")


def triple_dict(system: str, document: str | None, triple: Triple) -> dict[str, object]:
    """One triple as a JSON object."""
    return {
        "system": system,
        "document": document,
        "segment": triple.segment,
        "position": triple.position,
        "pronoun": triple.pronoun,
        "source": {"positions": triple.source_positions, "words": triple.source_words},
        "reference": _side_dict(triple.reference) | {"index": triple.reference_index},
        "candidate": _side_dict(triple.candidate),
        "case": triple.case.value,
    }


def _side_dict(side: Translation) -> dict[str, object]:
    return {
        "text": shown(side),
        "forms": side.forms,
        "positions": side.positions,
        "linked_positions": side.linked_positions,
        "found": side.found.value,
    }
