"""Small files of details and judgments, written by hand."""

import json
from pathlib import Path

DETAILS = ("system", "document", "segment", "position", "source", "reference", "candidate", "case")
JUDGMENTS = ("system", "segment", "position", "source", "reference", "candidate", "judgment")

# system, document, segment, position, source, reference, candidate, case, judgment
TWELVE = [
    ("A", "d1", 0, 0, "It", "il", "il", 1, "correct"),
    ("A", "d1", 1, 0, "it", "il", "c'", 2, "correct"),
    ("A", "d1", 2, 1, "they", "ils", "ils", 1, "correct"),
    ("A", "d2", 3, 0, "it", "ce", "NONE", 4, "bad"),
    ("A", "d2", 4, 0, "it", "NONE", "il", 5, "correct"),
    ("A", "d2", 5, 0, "they", "elles", "ils", 3, "incorrect"),
    ("B", "d1", 0, 0, "It", "il", "elle", 3, "incorrect"),
    ("B", "d1", 1, 0, "it", "il", "c'", 2, "incorrect"),
    ("B", "d1", 2, 1, "they", "ils", "elles", 3, "correct"),
    ("B", "d2", 3, 0, "it", "ce", "ce", 1, "incorrect"),
    ("B", "d2", 4, 0, "it", "NONE", "NONE", 6, "incorrect"),
    ("B", "d2", 5, 0, "they", "elles", "elles", 1, ""),
]


def table(head, rows, separator="\t"):
    return "".join(separator.join(map(str, cells)) + "\n" for cells in [head, *rows])


def details_tsv(rows=TWELVE):
    return table(DETAILS, [row[:8] for row in rows])


def details_json(rows=TWELVE):
    """As apt-score writes it to .jsonl, without the keys that nobody reads here."""
    lines = []
    for system, document, segment, position, source, reference, candidate, case, _ in rows:
        triple = {
            "system": system,
            "document": document,
            "segment": segment,
            "position": position,
            "source": {"positions": [position], "words": source.split()},
            "reference": {"text": reference},
            "candidate": {"text": candidate},
            "case": case,
        }
        lines.append(json.dumps(triple) + "\n")
    return "".join(lines)


def judgments_tsv(rows=TWELVE, separator="\t"):
    return table(JUDGMENTS, [(row[0], *row[2:7], row[8]) for row in rows], separator)


class Folder:
    """A folder with details.tsv and judgments.tsv, each of which a test can replace."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("details.tsv", details_tsv())
        self.write("judgments.tsv", judgments_tsv())

    def write(self, name, content):
        (self.path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.file(name)

    def file(self, name):
        return str(self.path / name)

    def agree(self, *options, details="details.tsv", judgments="judgments.tsv"):
        """The arguments of `apt-meta agree`."""
        return ["agree", self.file(details), "--judgments", self.file(judgments), *options]
