"""Files for a model to score: a line a translation, in the set's order, and a manifest.

In go a set, the number of context sentences and perhaps a separator; out come the lines of each file. The
manifest says which set and which files these are, so that scores are never read against another set.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apt.contrast.instances import ContrastiveSet, Instance
from apt.errors import InputError, OptionError

MANIFEST = "manifest.json"
FORMAT = 1


@dataclass(frozen=True)
class Prepared:
    """The lines of each file by name, and the manifest."""

    files: Mapping[str, Sequence[str]]
    manifest: Mapping[str, Any]


def prepare(
    contrastive_set: ContrastiveSet,
    *,
    context: int = 0,
    target_context: bool = True,
    separator: str | None = None,
) -> Prepared:
    """Lines to score; with a `separator` context and sentence are one line, otherwise context has files."""
    if context < 0:
        raise OptionError(f"context: a number of sentences from 0 on expected, found {context}")
    if separator is not None and not context:
        raise OptionError("a separator needs context: say how many sentences")
    if separator is not None and ("\n" in separator or "\r" in separator):
        raise OptionError("a separator cannot hold a line break: every translation is one line")
    _check_reach(contrastive_set, context)
    rows = []
    for number, instance in enumerate(contrastive_set.instances):
        before = _context(instance.source_context, context, number, "source", contrastive_set.name)
        target_before: tuple[str, ...] = ()
        if target_context:
            target_before = _context(instance.target_context, context, number, "target", contrastive_set.name)
        rows += [(before, target_before, instance, translation) for translation in instance.translations]
    files = _files(rows, context, target_context, separator)
    options = {"context": context, "target_context": bool(context) and target_context, "separator": separator}
    return Prepared(files, _manifest(contrastive_set, files, options))


def check_manifest(manifest: Any, path: str, contrastive_set: ContrastiveSet) -> None:
    """Raise unless the manifest was written for this set."""
    if not isinstance(manifest, dict) or not {"format", "digest"} <= manifest.keys():
        raise InputError("no manifest of apt-contrast prepare", path)
    if manifest["format"] != FORMAT:
        raise InputError(f"a manifest of format {FORMAT} expected, found {manifest['format']}", path)
    if manifest["digest"] != contrastive_set.digest:
        made_for = f"{manifest.get('set', 'another set')} ({manifest['digest']})"
        given = f"{contrastive_set.name} ({contrastive_set.digest})"
        raise InputError(f"made for {made_for}, not for {given}", path)
    ours, theirs = contrastive_set.context_digest, manifest.get("context_digest")
    if manifest.get("context") and ours is not None and theirs != ours:
        raise InputError(f"made with other context than that of {contrastive_set.name}", path)


def _files(
    rows: Sequence[tuple[tuple[str, ...], tuple[str, ...], Instance, str]],
    context: int,
    target_context: bool,
    separator: str | None,
) -> dict[str, list[str]]:
    sources = [instance.source for _, _, instance, _ in rows]
    targets = [translation for *_, translation in rows]
    if separator is not None:
        sources = [separator.join([*row[0], row[2].source]) for row in rows]
        targets = [separator.join([*row[1], row[3]]) for row in rows]
        return {"source.txt": sources, "target.txt": targets}
    files = {"source.txt": sources, "target.txt": targets}
    for back in range(context, 0, -1):
        files[f"source.context{back}.txt"] = [_back(row[0], back) for row in rows]
        if target_context:
            files[f"target.context{back}.txt"] = [_back(row[1], back) for row in rows]
    return files


def _back(sentences: tuple[str, ...], back: int) -> str:
    """The sentence so far before; an empty line at the beginning of a text."""
    return sentences[-back] if back <= len(sentences) else ""


def _context(
    sentences: tuple[str, ...] | None, count: int, number: int, side: str, path: str
) -> tuple[str, ...]:
    if not count:
        return ()
    if sentences is None:
        message = f"instance {number} (from 0): the set has no {side} context; take --context 0"
        raise InputError(message, path)
    return sentences[-count:]


def _check_reach(contrastive_set: ContrastiveSet, context: int) -> None:
    """Sentences that no instance has are a mistake, not beginnings of texts."""
    both = [(each.source_context, each.target_context) for each in contrastive_set.instances]
    most = max((len(side) for sides in both for side in sides if side is not None), default=context)
    if context > most:
        message = f"--context {context}: no instance has more than {most} before it"
        raise InputError(message, contrastive_set.name)


def _manifest(
    contrastive_set: ContrastiveSet, files: Mapping[str, Sequence[str]], options: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "set": contrastive_set.name,
        "kind": contrastive_set.kind,
        "digest": contrastive_set.digest,
        "context_digest": contrastive_set.context_digest,
        "instances": len(contrastive_set.instances),
        "translations": sum(contrastive_set.sizes),
        **options,
        "order": "instance after instance, the correct translation first, then the contrastive ones",
        "files": {name: _digest(lines) for name, lines in files.items()},
    }


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
