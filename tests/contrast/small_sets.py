"""Small contrastive sets, written by hand."""

import json
from pathlib import Path

import pytest


def instance(pronoun="er", contrastive=("sie", "es"), **more):
    """An instance of ContraPro's layout; None as a value takes the key away."""
    item = {
        "src segment": "It is here.",
        "ref segment": f"{pronoun} ist da.",
        "ref pronoun": pronoun,
        "errors": [{"contrastive": f"{word} ist da."} for word in contrastive],
        **more,
    }
    return {key: value for key, value in item.items() if value is not ABSENT}


ABSENT = object()

# Three sentences: the first at the beginning of a text, the second with three contrastive translations.
CONTRAPRO = [
    instance("er", ("sie", "es"), **{"src context": "", "ref context": "", "ante distance": 0}),
    instance(
        "sie",
        ("er", "es", "ihn"),
        **{"src context": "The cup fell.", "ref context": "Die Tasse fiel.", "ante distance": 1},
    ),
    instance("es", ("er",), **{"src context": "The book?", "ref context": "Das Buch?"}),
]
TRANSLATIONS = 3 + 4 + 2

ANAPHORA = {
    "10": {
        "src": ["The door?", "It is open."],
        "trg": [
            {
                "type": "f.sg",
                "correct": ["La porte ?", "Elle est ouverte."],
                "incorrect": ["La porte ?", "Il est ouvert."],
            },
            {
                "type": "m.sg",
                "semi-correct": ["Le porche ?", "Il est ouvert."],
                "incorrect": ["Le porche ?", "Elle est ouverte."],
            },
        ],
    },
    "2": {
        "src": ["The books?", "They are old."],
        "trg": [
            {
                "type": "m.pl",
                "correct": ["Les livres ?", "Ils sont vieux."],
                "incorrect": ["Les livres ?", "Elles sont vieilles."],
            }
        ],
    },
}

LEXICAL = {
    "1": {
        "type": "repet",
        "examples": [
            {
                "src": ["So crazy.", "Is it crazy?"],
                "trg": {"correct": ["Dingue.", "C'est dingue ?"], "incorrect": ["Dingue.", "C'est fou ?"]},
            },
            {
                "src": ["So mad.", "Is it crazy?"],
                "trg": {"correct": ["Fou.", "C'est fou ?"], "incorrect": ["Fou.", "C'est dingue ?"]},
            },
        ],
    }
}

SOURCE = "It is here.\n" * 3 + "It left.\n" * 2
TARGET = "Er ist da.\nSie ist da.\nEs ist da.\nEs ging.\nSie ging.\n"
GROUPS = "0\n3\n5\n"


class Folder:
    """A folder to write into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name, content):
        """Text and bytes as they are, anything else as JSON."""
        if not isinstance(content, str | bytes):
            content = json.dumps(content)
        (self.path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(self.path / name)

    def scores(self, *values, name="m.scores"):
        return self.write(name, "".join(f"{value}\n" for value in values))

    def file(self, name):
        return str(self.path / name)

    def grouped(self, source=SOURCE, target=TARGET, groups=GROUPS):
        """The arguments that name a set of lines."""
        return [
            self.write("target", target),
            *("--source", self.write("source", source)),
            *("--groups", self.write("groups", groups)),
        ]

    def everything(self):
        """Files and folders."""
        return sorted(str(path.relative_to(self.path)) for path in self.path.rglob("*"))


def evaluated(apt_contrast, *arguments, stdin=b""):
    """What `apt-contrast evaluate` says as JSON."""
    outcome = apt_contrast("evaluate", *arguments, "-f", "json", stdin=stdin)
    assert outcome.status == 0, outcome.err
    return json.loads(outcome.out, parse_constant=pytest.fail)


def counts(shares, name):
    """Right and total by value."""
    return {share[name]: (share["right"], share["total"]) for share in shares}
