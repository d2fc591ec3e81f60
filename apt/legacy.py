"""Configuration files of the idiap tool of 2017, run as they are.

In goes the path of such a file, out come settings and paths for this package. Its keys are taken with their
spelling (`weigths_per_case`, `possition`); its lists are used and never those of lists/; its texts are split
at spaces. Only the faults of the old tool are not carried over (docs/metrics.md).
"""

import configparser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apt.cases import Case
from apt.corpus import CHUNK_LINES, LineReader
from apt.errors import InputError, OptionError
from apt.metric import APT, Settings
from apt.normalize import fold
from apt.positions import Positions, read_positions
from apt.score import Weights, parse_weights
from apt.stream import Files, Linked
from apt.tokenize import SpaceTokenizer
from apt.translations import Matcher
from apt.vocabulary import PairLists


@dataclass(frozen=True)
class LegacyRun:
    """What a configuration asks for."""

    apt: APT
    files: Files


def read_config(path: str) -> LegacyRun:
    """Read a configuration; paths in it are relative to the current directory, as in the old tool."""
    config = _Config(path)
    positions, evaluated = _evaluated(config)
    listed = config.words("files", "list_target_pronouns")
    groups = config.groups("dictionary", "equal")
    group_of: dict[str, str] = {}
    for group in groups:
        for form in group:
            group_of.setdefault(form, group[0])  # the first group that has a form counts
    similar = config.groups("dictionary", "similar")
    known_sources = config.words("dictionary", "source_pronouns")
    full = evaluated | frozenset(known_sources)
    likely = frozenset(config.words("dictionary", "target_pronouns"))
    names = [[group_of.get(form, form) for form in group] for group in similar]
    weights = _weights(config)
    settings = Settings(
        source_lang=config.get("lang", "source"),
        lang=config.get("lang", "target"),
        lists=PairLists(
            evaluated=evaluated,
            full=full,
            abbreviations=frozenset(),
            listed=frozenset(listed) or None,
            target_full=frozenset(listed),
            group_of=group_of,
            equivalent={(r, c): 1.0 for group in names for r in group for c in group if r != c},
            likely={},
            likely_default=likely if not listed else likely & frozenset(listed),
        ),
        lists_name="config",
        source_matcher=Matcher((), config.separator("source_word_separator"), full),
        target_matcher=Matcher((), config.separator("target_word_separator"), frozenset(listed) | likely),
        tokenize=SpaceTokenizer.name,
        weights=_checked(config, weights),
        discard=frozenset(Case) - weights.keys(),
        other="equal" if config.flag("cases", "count_OTHER_as_equal") else "different",
        heuristic=bool(known_sources and likely),
        count_abbreviations=True,
        positions=positions,
    )
    links = ("alignment_source_reference", "alignment_source_target")
    reference, target = (config.path("files", key) for key in links)
    return LegacyRun(
        APT.from_settings(settings),
        Files(
            source=config.path("files", "source"),
            references=[Linked(config.path("files", "reference"), reference)],
            candidates=[Linked(config.path("files", "target"), target)],
        ),
    )


def _evaluated(config: "_Config") -> tuple[Positions | None, frozenset[str]]:
    kind = config.get("files", "input_type") or "word"
    if kind in ("possition", "position"):
        return read_positions(config.path("files", "list_source_pronouns")), frozenset()
    if kind != "word":
        raise config.error(f"input_type: unknown value {kind!r}. Available: word, possition")
    words = config.words("files", "list_source_pronouns")
    if not words:
        raise config.error("list_source_pronouns is missing or empty: it names what is evaluated")
    return None, frozenset(words)


def _weights(config: "_Config") -> dict[Case, float | str]:
    """The cases used, with their weights: these stand in the order of `cases_to_use`."""
    cases = [part.strip() for part in config.get("cases", "cases_to_use").split(",")]
    known = {str(case.value): case for case in Case}
    if unknown := [part for part in cases if part not in known]:
        raise config.error(f"cases_to_use: unknown case {unknown[0]!r}. Cases: 1, 2, 3, 4, 5, 6")
    if len(set(cases)) < len(cases):
        raise config.error(f"cases_to_use: a case is named twice in {','.join(cases)!r}")
    text = config.get("cases", "weigths_per_case") or config.get("cases", "weights_per_case")
    weights = text.split(",") if text else []
    if len(weights) != len(cases):
        raise config.error(
            f"weigths_per_case: {len(cases)} needed, one a case used, found {len(weights)} in {text!r}"
        )
    return {known[case]: weight for case, weight in zip(cases, weights, strict=True)}


def _checked(config: "_Config", weights: Mapping[Case, float | str]) -> Weights:
    try:
        return parse_weights([weights.get(case, "0") for case in Case])
    except OptionError as error:
        raise config.error(f"weigths_per_case: {error}") from None


class _Config:
    """The file's values, with errors that name it."""

    def __init__(self, path: str) -> None:
        self._path = path
        # As Python 2 read such files: a semicolon after a space begins a comment.
        self._parser = configparser.RawConfigParser(strict=False, inline_comment_prefixes=(";",))
        try:
            self._parser.read_string(Path(path).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path) from None
        except UnicodeDecodeError:
            raise InputError("not UTF-8: convert the file to UTF-8", path) from None
        except configparser.Error as error:
            first, *_ = str(error).splitlines()
            raise InputError(f"not a configuration file: {first}", path) from None

    def error(self, message: str) -> InputError:
        return InputError(message, self._path)

    def get(self, section: str, key: str) -> str:
        return self._parser.get(section, key, fallback="").strip()

    def flag(self, section: str, key: str) -> bool:
        try:
            return self._parser.getboolean(section, key, fallback=False)
        except ValueError:
            if not self.get(section, key):
                return False
            raise self.error(f"{key}: expected true or false, found {self.get(section, key)!r}") from None

    def separator(self, key: str) -> str | None:
        return self.get("lang", key) or None

    def path(self, section: str, key: str) -> str:
        value = self.get(section, key)
        if not value:
            raise self.error(f"{key} is missing or empty in [{section}]")
        return value

    def words(self, section: str, key: str) -> list[str]:
        """The words of a list file, one a line; no file named: no words."""
        return [fold(line) for line in self._lines(section, key)]

    def groups(self, section: str, key: str) -> Sequence[list[str]]:
        """The groups of a dictionary file, one a line, separated by commas."""
        lines = (fold(line).replace(" ", "").split(",") for line in self._lines(section, key))
        return [[form for form in line if form] for line in lines]

    def _lines(self, section: str, key: str) -> list[str]:
        path = self.get(section, key)
        if not path:
            return []
        reader = LineReader(path)
        lines: list[str] = []
        while more := reader.take_ready(CHUNK_LINES):
            lines += more
        reader.close()
        return [line.strip() for line in lines if line.strip()]
