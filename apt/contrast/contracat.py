"""ContraCAT's folders (Stojanovski et al. 2020): one a template, read into instances, and written.

A folder has line-parallel text, three lines an instance (one a gender, in the order m, f, n; two for French):

    en.txt          context <SEP> sentence, the same line once for each translation
    de.txt          context <SEP> translation; fr.txt and so on for other languages
    genders.txt     one line an instance: the gender that is correct, or - where none is (priors)
    roles.txt       of priors only, one line an instance: what *it* may mean and of which gender that is, as
                    subject=m object=f
    template.json   the template, its step, its genders, and whether each second instance is the one before
                    with two entities exchanged

genders.txt may also have a line a translation, en.txt a line an instance, and the last two files may be
missing: then the folder's name is the template's, and the package's own templates say what is known of it. A
folder of such folders is one set, in the order of the package's templates, then of names. An instance's
correct translation comes first, whichever gender it has; a prior's come in the order of the genders.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from apt.contrast.fields import Fields, read_json
from apt.contrast.generating import Generated
from apt.contrast.instances import UNKNOWN, ContrastiveSet, Instance, checked
from apt.contrast.preferences import Prior
from apt.contrast.template_files import available_pairs, shipped_templates
from apt.corpus import read_lines
from apt.errors import InputError

KIND = "contracat"
TEMPLATE, STEP = "template", "step"
SEPARATOR = "<SEP>"
GENDERS, ROLES, ABOUT = "genders.txt", "roles.txt", "template.json"
NONE = "-"
FORMAT = 1
_SOURCE = "en"
_USUAL = ("m", "f", "n")
Line = TypeVar("Line", str, tuple[str, str])


# ---- writing ----


def folder_of(generated: Generated) -> dict[str, list[str]]:
    """The lines of each file of a template's folder."""
    template, count = generated.template, len(generated.genders)
    sources = [f"{each.source_context} {SEPARATOR} {each.source}" for each in generated.instances]
    targets = [
        f"{each.target_context} {SEPARATOR} {translation}"
        for each in generated.instances
        for translation in each.translations
    ]
    about = {
        "format": FORMAT,
        TEMPLATE: template.name,
        "title": template.title,
        STEP: template.step,
        "source": generated.source_language,
        "target": generated.target_language,
        "genders": list(generated.genders),
        "instances": len(sources),
        "swapped": template.swapped,
    }
    files = {
        f"{generated.source_language}.txt": [source for source in sources for _ in range(count)],
        f"{generated.target_language}.txt": targets,
        GENDERS: [each.correct or NONE for each in generated.instances],
        ABOUT: json.dumps(about, ensure_ascii=False, indent=1).split("\n"),
    }
    if template.roles is not None:
        files[ROLES] = [
            " ".join(f"{role}={gender}" for role, gender in each.roles.items())
            for each in generated.instances
        ]
    return files


# ---- reading ----


@dataclass(frozen=True)
class _Shipped:
    """What the package's templates say: the step of each by name, the genders by target language."""

    steps: Mapping[str, str]
    genders: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class _About:
    """What is known of a folder before its lines are read."""

    template: str
    step: str
    source: str
    target: str
    genders: tuple[str, ...]
    swapped: bool


def contracat_set(path: str) -> ContrastiveSet:
    """A template's folder, or a folder of such; buckets are the template and its step."""
    folder = Path(path)
    shipped = _shipped()
    if (folder / GENDERS).is_file():
        folders = [folder]
    else:
        found = [each.parent for each in folder.glob(f"*/{GENDERS}")]
        order = {name: number for number, name in enumerate(shipped.steps)}
        folders = sorted(found, key=lambda each: (order.get(each.name, len(order)), each.name))
    if not folders:
        raise InputError(f"no folder of ContraCAT: there is no {GENDERS} in it, nor in a folder in it", path)
    instances = [instance for each in folders for instance in _instances(each, shipped)]
    return checked(ContrastiveSet(path, KIND, instances), path)


def _shipped() -> _Shipped:
    sets = [shipped_templates(pair) for pair in available_pairs()]
    return _Shipped(
        {template.name: template.step for each in sets for template in each.templates},
        {each.target.code: each.genders for each in sets},
    )


def _about(folder: Path, shipped: _Shipped) -> _About:
    if (folder / ABOUT).is_file():
        path = str(folder / ABOUT)
        fields = Fields(read_json(path), path, "the template")
        genders = fields.sentences("genders")
        if unknown := set(genders) - set(_USUAL):
            raise fields.error(f"no gender {sorted(unknown)[0]!r}. Genders: {', '.join(_USUAL)}")
        swapped = bool(fields.optional("swapped", bool))
        template, step, source, target = (fields.text(key) for key in (TEMPLATE, STEP, "source", "target"))
        return _About(template, step, source, target, genders, swapped)
    targets = [
        each.name.removesuffix(".txt")
        for each in sorted(folder.glob("*.txt"))
        if each.name not in (f"{_SOURCE}.txt", GENDERS, ROLES)
    ]
    if len(targets) != 1:
        found = ", ".join(targets) or "none"
        raise InputError(f"one file of translations such as de.txt expected, found: {found}", str(folder))
    name = folder.resolve().name
    genders = shipped.genders.get(targets[0], _USUAL)
    return _About(name, shipped.steps.get(name, UNKNOWN), _SOURCE, targets[0], genders, False)


def _instances(folder: Path, shipped: _Shipped) -> Iterator[Instance]:
    about = _about(folder, shipped)
    count = len(about.genders)
    target_path = str(folder / f"{about.target}.txt")
    targets = _pairs(target_path)
    if len(targets) % count or not targets:
        message = f"{count} lines an instance expected ({', '.join(about.genders)}), found {len(targets)}"
        raise InputError(message, target_path, len(targets) or 1)
    size = len(targets) // count
    source_path, genders_path = str(folder / f"{about.source}.txt"), str(folder / GENDERS)
    sources = _an_instance(_pairs(source_path), size, count, source_path)
    genders = _an_instance(read_lines(genders_path), size, count, genders_path)
    roles = _roles(folder / ROLES, size, about.genders)
    buckets = {TEMPLATE: about.template, STEP: about.step}
    for number in range(size):
        group = targets[number * count : (number + 1) * count]
        if len({context for context, _ in group}) > 1:
            message = f"the translations of instance {number} (from 0) differ before {SEPARATOR}"
            raise InputError(message, target_path, number * count + 1)
        context, source = sources[number]
        translations = [translation for _, translation in group]
        gender = _gender(genders[number], about.genders, folder, number)
        contexts = ((context,), (group[0][0],))
        if gender is None:
            block = f"{about.template} {number // 2}" if about.swapped else None
            first, *others = translations
            yield Prior(source, first, tuple(others), *contexts, buckets, block, about.genders, roles[number])
        else:
            first = translations.pop(about.genders.index(gender))
            yield Instance(source, first, tuple(translations), *contexts, buckets)


def _gender(text: str, genders: Sequence[str], folder: Path, number: int) -> str | None:
    gender = text.strip()
    if gender == NONE:
        return None
    if gender not in genders:
        message = f"instance {number} (from 0): {', '.join(genders)} or {NONE} expected, found {text[:40]!r}"
        raise InputError(message, str(folder / GENDERS))
    return gender


def _an_instance(lines: Sequence[Line], size: int, count: int, path: str) -> Sequence[Line]:
    """A line an instance, whether the file has so many or as many as translations."""
    if len(lines) == size:
        return lines
    if len(lines) != size * count:
        message = f"{size * count} lines expected, one a translation, or {size}; found {len(lines)}"
        raise InputError(message, path, min(len(lines), size * count) + 1)
    for number in range(size):
        if len(set(lines[number * count : (number + 1) * count])) > 1:
            raise InputError(f"the lines of instance {number} (from 0) differ", path, number * count + 1)
    return lines[::count]


def _roles(path: Path, size: int, genders: Sequence[str]) -> Sequence[Mapping[str, str]]:
    if not path.is_file():
        return [{}] * size
    lines = read_lines(str(path))
    if len(lines) != size:
        raise InputError(f"{size} lines expected, one an instance, found {len(lines)}", str(path), len(lines))
    roles = []
    for number, line in enumerate(lines, start=1):
        pairs = [word.split("=") for word in line.split()]
        if any(len(pair) != 2 or not pair[0] or pair[1] not in genders for pair in pairs):
            message = f"roles and genders as in subject=m object=f expected, found {line[:40]!r}"
            raise InputError(message, str(path), number)
        roles.append(dict(pairs))
    return roles


def _pairs(path: str) -> list[tuple[str, str]]:
    """Context and sentence of every line."""
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        halves = [half.strip() for half in line.split(SEPARATOR)]
        if len(halves) != 2 or not all(halves):
            message = f"context {SEPARATOR} sentence expected, found {line[:40]!r}"
            raise InputError(message, path, number)
        pairs.append((halves[0], halves[1]))
    return pairs
