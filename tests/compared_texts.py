"""Small texts for comparing systems by both commands.

Texts are written as a character a segment. Each has one pronoun and one word linked to it on either side, so
APT and AutoPRF's F1 are both the share of right segments:
1 right, 0 wrong, x wrong by another word, - no pronoun in the source, u no link in the candidate.
"""

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import jsonschema
import pytest

import apt.render.json
import autoprf.cli
import autoprf.render
from apt import APT
from apt.cli import score
from autoprf import AutoPRF

ALL = ["--confidence", "--paired-bs", "--paired-ar"]
QUICK = [*ALL, "--confidence-n", "200", "--paired-bs-n", "200", "--paired-ar-n", "200"]
# 14, 20 and 11 right of 30: differences that chance may well make.
FEW = "110100010111000101010011010010"
MANY = "1111x1010111100101011011010111"
LESS = "0101x00101010001x101001001x010"


def candidate(pattern: str) -> list[str]:
    words = {"1": "il", "x": "paul"}
    return [f"{words.get(c, 'elle')} marche" for c in pattern]


@dataclass(frozen=True)
class Command:
    """One of the two commands, and what its number is called."""

    name: str
    main: object
    number: str
    metric: type
    schema: dict

    def __str__(self):
        return self.name


COMMANDS = [
    Command("apt-score", score.main, "score", APT, apt.render.json.json_schema()),
    Command("autoprf-score", autoprf.cli.main, "f1", AutoPRF, autoprf.render.json_schema()),
]


class Texts:
    """Writes texts and gives the arguments to score them; or runs a command on them."""

    def __init__(self, folder: Path, command: Command, run_command) -> None:
        self.folder, self.command, self.number = folder, command, command.number
        self.run = partial(run_command, command.name, command.main)

    def write(self, name: str, lines) -> str:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))
        return str(path)

    def arguments(self, **systems: str) -> list[str]:
        """SRC, REF, the HYPs with their links, and the language."""
        first = next(iter(systems.values()))
        given = [self.write("src.en", ["hello" if c == "-" else "it works" for c in first])]
        given.append(self.write("ref.fr", ["il marche"] * len(first)))
        links = ["--ref-align", self.write("ref.align", ["0-0"] * len(first))]
        for name, pattern in systems.items():
            given.append(self.write(name, candidate(pattern)))
            links += [
                "--hyp-align",
                self.write(f"{name}.align", ["" if c == "u" else "0-0" for c in pattern]),
            ]
        return [*given, *links, "--lang", "fr", "--tokenize", "none"]

    def score(self, *options, **systems: str) -> dict[str, dict]:
        """Each system's part of the JSON document, which follows the schema and has no NaN."""
        outcome = self.run(*self.arguments(**systems), *options, "-f", "json")
        assert (outcome.status, outcome.err) == (0, "")
        return self.parsed(outcome.out)

    def parsed(self, text: str) -> dict[str, dict]:
        document = json.loads(text, parse_constant=pytest.fail)  # NaN and Infinity are no JSON
        jsonschema.validate(document, self.command.schema)
        return {system["name"]: system for system in document["systems"]}


def resampling(systems):
    return {name: system["resampling"] for name, system in systems.items()}
