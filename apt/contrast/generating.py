"""Contrastive sentences out of templates: the product of the slots, a line a gender for each.

In goes a `TemplateSet`, out come `Generated` templates. Instances stand in the order of the vocabularies, the
first slot changing slowest. A tuple is dropped when its two `different` slots have the same gender or entry,
or its two `unlike` slots the same entry. Where both `different` slots draw on one vocabulary, each pair is
taken once and the tuple with the two exchanged follows directly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from apt.contrast.inflection import Entry, render
from apt.contrast.template_model import Template, TemplateSet
from apt.errors import OptionError


@dataclass(frozen=True)
class Lines:
    """One instance: context and sentence, the sentence's translations in the order of the genders.

    `correct` is the gender of the right one, None of a prior; `roles` what could be meant and its gender.
    """

    source_context: str
    source: str
    target_context: str
    translations: tuple[str, ...]
    correct: str | None
    roles: Mapping[str, str]


@dataclass(frozen=True)
class Generated:
    """The instances of one template."""

    template: Template
    source_language: str
    target_language: str
    genders: tuple[str, ...]
    instances: Sequence[Lines]


def generate(templates: TemplateSet, *, only: Sequence[str] = (), full: bool = False) -> list[Generated]:
    """All templates, or only those named; `full` takes every entry of every vocabulary."""
    names = [template.name for template in templates.templates]
    if unknown := [name for name in only if name not in names]:
        raise OptionError(f"no template {unknown[0]!r} in {templates.code}. Templates: {', '.join(names)}")
    return [
        Generated(
            template,
            templates.source.code,
            templates.target.code,
            templates.genders,
            [_lines(chosen, template, templates) for chosen in tuples(template, templates, full)],
        )
        for template in templates.templates
        if not only or template.name in only
    ]


def tuples(template: Template, templates: TemplateSet, full: bool = False) -> Iterator[dict[str, Entry]]:
    """What is chosen for each slot, in the documented order."""
    entries = [_entries(templates, template, name, full) for name in template.slots.values()]
    rank = {entry: number for vocabulary in entries for number, entry in enumerate(vocabulary)}
    for combination in product(*entries):
        chosen = dict(zip(template.slots, combination, strict=True))
        if template.unlike and chosen[template.unlike[0]] is chosen[template.unlike[1]]:
            continue
        if template.different:
            one, other = template.different
            if chosen[one] is chosen[other] or chosen[one].gender == chosen[other].gender:
                continue
            if template.swapped:
                if rank[chosen[one]] > rank[chosen[other]]:
                    continue  # has come already, behind the tuple it is the exchange of
                yield chosen
                chosen = {**chosen, one: chosen[other], other: chosen[one]}
        yield chosen


def _entries(templates: TemplateSet, template: Template, name: str, full: bool) -> list[Entry]:
    entries = [entry for entry in templates.vocabularies[name] if full or not entry.extra]
    return entries[::2] if name in template.halved and not full else entries


def _lines(chosen: Mapping[str, Entry], template: Template, templates: TemplateSet) -> Lines:
    source, target, genders = templates.source, templates.target, templates.genders
    return Lines(
        _sentence(render(template.context[source.code], chosen, source, genders[0])),
        _sentence(render(template.sentence[source.code], chosen, source, genders[0])),
        _sentence(render(template.context[target.code], chosen, target, genders[0])),
        tuple(
            _sentence(render(template.sentence[target.code], chosen, target, gender)) for gender in genders
        ),
        _correct(chosen, template),
        {role: _gender(chosen[slot]) for role, slot in (template.roles or {}).items()},
    )


def _correct(chosen: Mapping[str, Entry], template: Template) -> str | None:
    if template.roles is not None or template.correct is not None:
        return template.correct
    slot = template.antecedent
    if slot is None:
        slot = next(entry.antecedent for entry in chosen.values() if entry.antecedent is not None)
    return _gender(chosen[slot])


def _gender(entry: Entry) -> str:
    if entry.gender is None:
        raise OptionError("an antecedent has no gender")  # files are checked for it
    return entry.gender


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
