"""What a template says must be there: slots, vocabularies, forms and antecedents, for every entry.

Whatever passes here can be generated without an error.
"""

from collections.abc import Iterator, Sequence

from apt.contrast.inflection import PRONOUN, Entry, Language, parts, phrase, pronoun
from apt.contrast.template_model import Template, TemplateSet
from apt.errors import InputError, OptionError


def check_templates(templates: TemplateSet) -> None:
    """Raise unless every template can be filled."""
    names = [template.name for template in templates.templates]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two templates are called {repeated[0]!r}", templates.path)
    for template in templates.templates:
        try:
            for complaint in _complaints(template, templates):
                raise OptionError(complaint)
            for pattern in (template.context, template.sentence):
                for language in (templates.source, templates.target):
                    _check_pattern(pattern[language.code], (), template, templates, language)
        except OptionError as error:
            raise InputError(f"template {template.name!r}: {error}", templates.path) from None


def _complaints(template: Template, templates: TemplateSet) -> Iterator[str]:
    vocabularies, slots = templates.vocabularies, template.slots
    for slot, vocabulary in slots.items():
        if slot == PRONOUN:
            yield f"no slot can be called {PRONOUN!r}: that is the pronoun"
        if vocabulary not in vocabularies:
            yield f"no vocabulary {vocabulary!r}. Vocabularies: {', '.join(vocabularies)}"
    for key, pair in (("different", template.different), ("unlike", template.unlike)):
        if len(pair) not in (0, 2) or not set(pair) <= set(slots):
            yield f"key {key!r}: two slots expected. Slots: {', '.join(slots)}"
    for name in template.halved:
        if name not in slots.values():
            yield f"key 'halved': {name!r} is not the vocabulary of a slot"
    yield from _complaints_about_answer(template, templates)


def _complaints_about_answer(template: Template, templates: TemplateSet) -> Iterator[str]:
    entries = {slot: templates.vocabularies[name] for slot, name in template.slots.items()}
    naming = [slot for slot in entries if any(entry.antecedent for entry in entries[slot])]
    answers = [
        key
        for key, given in (
            ("antecedent", template.antecedent is not None),
            ("correct", template.correct is not None),
            ("roles", template.roles is not None),
        )
        if given
    ]
    if len(answers) + len(naming) != 1:
        found = ", ".join([*answers, *(f"entries of {slot}" for slot in naming)]) or "none"
        yield f"one thing must say what is correct: antecedent, correct, roles, or entries; found: {found}"
    if template.correct is not None and template.correct not in templates.genders:
        yield f"key 'correct': no gender {template.correct!r}. Genders: {', '.join(templates.genders)}"
    gendered = [*template.different, *(template.roles or {}).values()]
    gendered += [template.antecedent] if template.antecedent else []
    for slot in naming:
        if not all(entry.antecedent for entry in entries[slot]):
            yield f"all entries of slot {slot!r} must name an antecedent, or none"
        gendered += [entry.antecedent for entry in entries[slot] if entry.antecedent]
    for slot in gendered:
        if slot not in entries:
            yield f"no slot {slot!r}. Slots: {', '.join(entries)}"
        elif any(entry.gender is None for entry in entries[slot]):
            yield f"all entries of slot {slot!r} need a gender"


def _check_pattern(
    pattern: str, inside: Sequence[Entry], template: Template, templates: TemplateSet, language: Language
) -> None:
    """Every place of a pattern, with every entry that may stand there, and the patterns inside those."""
    for piece in parts(pattern):
        if isinstance(piece, str):
            continue
        slot, *modifiers = piece
        if slot == PRONOUN:
            pronoun(language, tuple(modifiers), templates.genders[0])
            continue
        if slot not in template.slots:
            raise OptionError(f"no slot {slot!r} in {pattern!r}. Slots: {', '.join(template.slots)}")
        for entry in templates.vocabularies[template.slots[slot]]:
            for gender in templates.genders:
                text = phrase(entry, tuple(modifiers), language, gender)
                if "{" in text or "}" in text:
                    if entry in inside:
                        raise OptionError(f"{text!r} contains itself")
                    _check_pattern(text, (*inside, entry), template, templates, language)
