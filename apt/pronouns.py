"""Pronoun lists: what a language's TOML file says.

In goes a language code and the user's own files, out comes `LanguageLists`: one language as written down,
validated. What the keys of a file mean is said in CONTRIBUTING.md.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import Any

from apt.errors import InputError, OptionError
from apt.normalize import plain_signs, word_key
from apt.tokenize import TokenizerRules

Table = Mapping[str, Any]
_LONGEST_NAME = 40  # of a shipped list
_FOLDER = Path(import_module("apt.lists").__path__[0])  # from wherever it is installed


@dataclass(frozen=True)
class Forms:
    """The usual forms, and those that the wider list (`--pronouns all`) adds."""

    default: tuple[str, ...] = ()
    wider: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return self.default + self.wider


@dataclass(frozen=True)
class LanguageLists:
    """One language, as its list file and the user's overrides have it."""

    code: str
    name: str
    segmented: bool = True
    target: Forms = Forms()
    source: Forms = Forms()
    abbreviations: frozenset[str] = frozenset()
    identical: tuple[tuple[str, ...], ...] = ()
    equivalent: Mapping[tuple[str, str], float] = field(default_factory=dict)
    likely: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    tokenizer: TokenizerRules = TokenizerRules()
    sources: Mapping[str, str] = field(default_factory=dict)


# ---- which files there are ----


def available_lists() -> dict[str, str]:
    """Shipped list files: name on the command line → language, e.g. `paper-fr` → `French`."""
    shipped = {
        path.name.removesuffix(".toml"): path for path in _FOLDER.iterdir() if path.name.endswith(".toml")
    }
    names = {}
    for name in sorted(shipped):
        table = tomllib.loads(shipped[name].read_text(encoding="utf-8"))
        names[name] = str(table["name"])
    return names


def available_languages() -> dict[str, str]:
    """The languages with a shipped list: code → name."""
    return {code: name for code, name in available_lists().items() if "-" not in code}


def load_language(code: str, overrides: Sequence[str] = ()) -> LanguageLists:
    """One language: the shipped file with the user's files merged over it, in their order.

    An override is a path, or the name of a shipped set such as `paper-fr`; those for other languages are
    passed over, so one sequence serves source and target alike.
    """
    tables = [table for table in map(_read_override, overrides) if table.content["code"] == code]
    # A set such as paper-fr is no language: what it does not name is in the file of its language.
    if (shipped := _shipped(code)) is not None and shipped.content["code"] == code:
        tables.insert(0, shipped)
    if not tables:
        known = ", ".join(sorted(available_languages()))
        raise OptionError(
            f"unknown language {code!r}. Available: {known}; or give a list file of your own with --lists"
        )
    merged: dict[str, Any] = {}
    for table in tables:
        _validate(table)
        merged = _merge(merged, table.content)
    return _language(_Table(tables[-1].path, merged))


def override_codes(overrides: Sequence[str]) -> set[str]:
    """The languages that the user's list files speak of."""
    return {_read_override(override).content["code"] for override in overrides}


# ---- reading and checking a file ----


@dataclass(frozen=True)
class _Table:
    path: str
    content: Table


def _shipped(name: str) -> _Table | None:
    path = _FOLDER / f"{name}.toml"
    if len(name) > _LONGEST_NAME or "/" in name:
        return None
    return _parse(path.read_bytes(), f"{name}.toml") if path.is_file() else None


def _read_override(override: str) -> _Table:
    try:
        return _shipped(override) or _parse(Path(override).read_bytes(), override)
    except OSError as error:
        known = ", ".join(available_lists())
        raise InputError(
            f"cannot read the list ({error.strerror}). Shipped lists: {known}", override
        ) from None


def _parse(content: bytes, path: str) -> _Table:
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # wrong TOML, wrong UTF-8, monstrous numbers or nesting
        raise InputError(f"not a TOML file in UTF-8: {error}", path) from None
    if not isinstance(table.get("code"), str):
        raise InputError("key 'code' is missing: the language the list is for, such as code = \"fr\"", path)
    return _Table(path, table)


def _merge(below: Table, above: Table) -> dict[str, Any]:
    """Tables merge key by key; anything else replaces what stood there."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(value, dict) and isinstance(under, dict)
        merged[key] = _merge(under, value) if both and under is not None else value
    return merged


_TOP = (
    "code",
    "name",
    "segmented",
    "target",
    "source",
    "identical",
    "equivalent",
    "likely",
    "tokenizer",
    "sources",
)
_TABLES = {
    "target": ("default", "all"),
    "source": ("default", "all", "abbreviations"),
    "tokenizer": tuple(f.name for f in fields(TokenizerRules)),
}


def _validate(table: _Table) -> None:
    """Shapes and names; what the forms mean together is checked after merging, in `_language`."""
    content, path = table.content, table.path
    _allow(content, _TOP, "the file", path)
    for key in ("code", "name"):
        _check(isinstance(content.get(key, ""), str), key, "a string", path)
    _check(isinstance(content.get("segmented", True), bool), "segmented", "true or false", path)
    for name, keys in _TABLES.items():
        inner = _table(content, name, path)
        _allow(inner, keys, f"[{name}]", path)
        for key, forms in inner.items():
            _check(_is_forms(forms), f"{name}.{key}", "a list of words", path)
    for language, pronouns in _table(content, "likely", path).items():
        _check(isinstance(pronouns, dict), f"likely.{language}", "a table", path)
        for pronoun, forms in pronouns.items():
            _check(_is_forms(forms), f"likely.{language}.{pronoun}", "a list of words", path)
    for key, origin in _table(content, "sources", path).items():
        _check(isinstance(origin, str), f"sources.{key}", "a string", path)
    groups = content.get("identical", [])
    expected = "a list of groups of two or more words"
    _check(isinstance(groups, list), "identical", expected, path)
    for group in groups:
        _check(_is_forms(group) and len(group) > 1, "identical", expected, path)
    pairs = content.get("equivalent", [])
    _check(isinstance(pairs, list), "equivalent", "written as [[equivalent]] tables", path)
    for entry in pairs:
        _validate_equivalent(entry, path)


_EQUIVALENT_KEYS = ("pair", "reference", "candidate", "p", "n", "correct")


def _validate_equivalent(entry: Any, path: str) -> None:
    _check(isinstance(entry, dict), "equivalent", "written as [[equivalent]] tables", path)
    _allow(entry, _EQUIVALENT_KEYS, "[[equivalent]]", path)
    pair = entry.get("pair")
    directed = [entry.get("reference"), entry.get("candidate")]
    undirected = _is_forms(pair) and len(pair) == 2 and directed == [None, None]
    _check(
        undirected or (pair is None and _is_forms(directed)),
        "equivalent",
        'given pair = ["ce", "il"], or reference = "ce" and candidate = "il"',
        path,
    )
    p = entry.get("p")
    is_number = isinstance(p, int | float) and not isinstance(p, bool)
    _check(is_number and 0 <= p <= 1, "equivalent.p", "a number from 0 to 1", path)


def _language(table: _Table) -> LanguageLists:
    content, path = table.content, table.path
    target = _forms(content.get("target", {}), "target", path)
    source = _forms(content.get("source", {}), "source", path)
    identical = tuple(tuple(group) for group in content.get("identical", []))
    members = [word_key(form) for group in identical for form in group]
    repeated = sorted({form for form in members if members.count(form) > 1})
    if repeated:
        raise InputError(f"key 'identical': {', '.join(repeated)} in more than one group", path)
    likely = {
        language: {pronoun: tuple(forms) for pronoun, forms in pronouns.items()}
        for language, pronouns in content.get("likely", {}).items()
    }
    return LanguageLists(
        code=content["code"],
        name=content.get("name", content["code"]),
        segmented=content.get("segmented", True),
        target=target,
        source=source,
        abbreviations=frozenset(map(word_key, content.get("source", {}).get("abbreviations", ()))),
        identical=identical,
        equivalent=_equivalent(content.get("equivalent", []), path),
        likely=likely,
        tokenizer=TokenizerRules(
            **{key: tuple(map(plain_signs, forms)) for key, forms in content.get("tokenizer", {}).items()}
        ),
        sources=dict(content.get("sources", {})),
    )


def _forms(content: Table, name: str, path: str) -> Forms:
    default = tuple(content.get("default", ()))
    wider = tuple(form for form in content.get("all", ()) if form not in default)
    keys = [word_key(form) for form in default]
    repeated = sorted({key for key in keys if keys.count(key) > 1})
    if repeated:
        raise InputError(f"key '{name}.default': {', '.join(repeated)} named twice", path)
    return Forms(default, wider)


def _equivalent(entries: Sequence[Table], path: str) -> dict[tuple[str, str], float]:
    pairs: dict[tuple[str, str], float] = {}
    for entry in entries:
        forms = tuple(entry["pair"] if "pair" in entry else (entry["reference"], entry["candidate"]))
        one, other = map(word_key, forms)
        for pair in ((one, other), (other, one)) if "pair" in entry else ((one, other),):
            if pairs.setdefault(pair, float(entry["p"])) != float(entry["p"]):
                raise InputError(f"key 'equivalent': two different p for {pair[0]}/{pair[1]}", path)
    return pairs


def _table(content: Table, name: str, path: str) -> Table:
    inner = content.get(name, {})
    _check(isinstance(inner, dict), name, "a table", path)
    table: Table = inner
    return table


def _is_forms(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(form, str) and form and not any(c.isspace() for c in form) for form in value
    )


def _allow(content: Table, allowed: Sequence[str], where: str, path: str) -> None:
    if unknown := sorted(set(content) - set(allowed)):
        raise InputError(f"unknown key {unknown[0]!r} in {where}. Allowed: {', '.join(allowed)}", path)


def _check(valid: bool, key: str, expected: str, path: str) -> None:
    if not valid:
        raise InputError(f"key '{key}': must be {expected}", path)
