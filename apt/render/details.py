"""The details file: every triple, as TSV or (`.jsonl`) as one JSON object a line.

Written while scoring goes on, to a temporary file that takes its name when all is done: a run that fails
leaves nothing behind.
"""

import gzip
import io
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TextIO

from apt.errors import InputError
from apt.output_files import check_writable, checked_output, give_usual_rights
from apt.render.tsv import TRIPLE_COLUMNS, row, shown, triple_cells
from apt.translations import Translation
from apt.triples import Triple

_JSON = (".jsonl", ".ndjson")
_TABLE = (".tsv", ".txt", "")


class DetailsWriter:
    """Writes triples to `path`, which appears when the `with` block ends without an error.

    A link is followed; a pipe or device is written to directly. `.gz` is packed. `inputs` are paths that
    must not be overwritten.
    """

    def __init__(self, path: str, inputs: Sequence[str] = ()) -> None:
        self._shown = path
        self._path = checked_output(path, inputs)
        self._direct = self._path.exists() and not self._path.is_file()
        self._packed = self._path.suffix.lower() == ".gz"
        suffix = Path(self._path.stem if self._packed else self._path.name).suffix.lower()
        self._is_json = suffix in _JSON
        if not self._direct and suffix not in (*_JSON, *_TABLE):
            allowed = ", ".join([*_JSON, *filter(None, _TABLE)])
            raise InputError(
                f"cannot be written: unknown ending {suffix!r}. Available: {allowed}, or .gz", path
            )
        self._temporary: Path | None = None

    def __enter__(self) -> Self:
        with self._complaining():
            check_writable(self._path)
            self._raw, self._file = self._open()
            if not self._is_json:
                self._file.write(row(TRIPLE_COLUMNS) + "\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with self._complaining():
                self._file.close()
                self._raw.close()  # packing leaves it open
                if kind is None and self._temporary is not None:
                    give_usual_rights(self._temporary)
                    self._temporary.replace(self._path)
                    self._temporary = None
        finally:
            if self._temporary is not None:
                with suppress(OSError):
                    self._temporary.unlink()

    def _open(self) -> tuple[IO[bytes], TextIO]:
        if self._direct:
            raw: IO[bytes] = self._path.open("wb")
        else:
            handle, name = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._path.parent)
            self._temporary = Path(name)
            raw = os.fdopen(handle, "wb")
        binary = gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) if self._packed else raw
        # File names need not be UTF-8; a system's is written so that it can be recognised.
        return raw, io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="\n")

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", self._shown) from None

    def write(
        self, system: str, triples: Sequence[Triple], documents: Sequence[str] | None, start: int
    ) -> None:
        """Write triples of segments from `start` on; `documents` are those segments' ids."""
        with self._complaining():
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
