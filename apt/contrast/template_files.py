"""Template files: vocabularies and templates of contrastive sentences, in TOML, read and checked.

- `code`, `name`: such as "en-fr" and "English-French"; `genders` of the target pronoun, in the order of the
  lines; `noun_list`: the vocabulary that a user's list of nouns (`read_nouns`) replaces.
- `[source]`, `[target]`: `language` is the code; `vowels` are the letters that words with a vowel begin with,
  `consonantal` words are exceptions to it, `vocalic` ones words that have another letter.
- `[target.articles]`: def = { m = "le", f = "la", vowel = "l'" }, { any = "the" } for all genders, or a table
  of such for each case.
- `[target.pronouns]`: nom = { m = "il", f = "elle" }, and whatever other cases the templates name.
- `[vocabularies]`: animals = [{ en = "dog", fr = "chien", gender = "m" }]. Words of several forms are
  tables, fr = { m = "grand", f = "grande" }. `antecedent` is the slot that *it* means if this entry is
  taken; `extra` entries are taken with `--full` only.
- `[[templates]]`: `name`, `title`, `step`; slots = { animal = "animals" }, the first changing slowest;
  `context` and `sentence`, a pattern a language (see `apt.contrast.inflection`); `different`, two slots that
  must differ in gender; `unlike`, two slots that must not have the same entry; `halved`, vocabularies of
  which every second entry is taken. What is correct is said by one of `antecedent` (a slot), `correct` (a
  gender), the entries of one slot, or `roles` = { subject = "animal" }: nothing is, it is a prior.
- `[sources]`: where all this comes from.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from apt.contrast.inflection import ANY, PLAIN, VOWEL, Entry, Forms, Language
from apt.contrast.template_checks import check_templates
from apt.contrast.template_model import Template, TemplateSet
from apt.contrast.toml_tables import Checked
from apt.corpus import name_of, read_lines
from apt.errors import InputError, OptionError

_FOLDER = Path(__file__).parent / "templates"
_TOP = ("code", "name", "genders", "noun_list", "source", "target", "vocabularies", "templates", "sources")
_LANGUAGE = ("language", "articles", "pronouns", "vowels", "consonantal", "vocalic")
_TEMPLATE = (
    *("name", "title", "step", "slots", "different", "unlike", "halved"),
    *("context", "sentence", "antecedent", "correct", "roles"),
)


def available_pairs() -> list[str]:
    """The pairs of languages with shipped templates."""
    return sorted(path.name.removesuffix(".toml") for path in _FOLDER.glob("*.toml"))


def shipped_templates(pair: str) -> TemplateSet:
    """The templates that come with the package for a pair such as en-de."""
    if pair not in available_pairs():
        known = ", ".join(available_pairs())
        raise OptionError(f"no templates for {pair!r}. Available: {known}; or give a file with --templates")
    return read_templates(str(_FOLDER / f"{pair}.toml"))


def read_templates(path: str) -> TemplateSet:
    """A template file, checked down to the last placeholder."""
    try:
        content = tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from None
    except (ValueError, RecursionError) as error:  # wrong TOML, wrong UTF-8, monstrous numbers or nesting
        raise InputError(f"not a TOML file in UTF-8: {error}", path) from None
    table = Checked(content, "the file", path, _TOP)
    genders = table.words("genders", needed=True)
    source, target = _language(table.table("source"), ()), _language(table.table("target"), genders)
    if source.code == target.code:
        raise InputError(f"[source] and [target] have the same language {source.code!r}", path)
    code = table.text("code")
    templates = TemplateSet(
        path,
        code,
        table.text("name", code),
        genders,
        source,
        target,
        _vocabularies(table.table("vocabularies"), (source.code, target.code), genders),
        [_template(each, (source.code, target.code)) for each in table.tables("templates", _TEMPLATE)],
        table.choice("noun_list", list(table.table("vocabularies").content)),
        {key: str(value) for key, value in table.table("sources", optional=True).content.items()},
    )
    check_templates(templates)
    return templates


def with_nouns(templates: TemplateSet, nouns: Sequence[Entry]) -> TemplateSet:
    """The same templates with other nouns for the gender template."""
    if templates.noun_list is None:
        raise OptionError(f"{templates.path} has no key 'noun_list': it does not take a list of nouns")
    changed = replace(templates, vocabularies={**templates.vocabularies, templates.noun_list: nouns})
    check_templates(changed)
    return changed


def read_nouns(path: str, templates: TemplateSet) -> list[Entry]:
    """Nouns, a line each: English, translation, gender and, if it differs, the accusative, between tabs."""
    nouns = [
        _noun(line, templates, name_of(path), number)
        for number, line in enumerate(read_lines(path), start=1)
        if line.strip()
    ]
    if not nouns:
        raise InputError("there is no noun in it", name_of(path))
    return nouns


def _noun(line: str, templates: TemplateSet, path: str, number: int) -> Entry:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) not in (3, 4) or not all(cells):
        expected = "noun, its translation and its gender expected, with tabs between"
        raise InputError(f"{expected}, found {line[:40]!r}", path, number)
    if cells[2] not in templates.genders:
        known = ", ".join(templates.genders)
        raise InputError(f"no gender {cells[2]!r}. Genders: {known}", path, number)
    if any(sign in line for sign in "{}"):
        raise InputError("a noun has no braces", path, number)
    forms = {PLAIN: cells[1]}
    if len(cells) == 4:
        forms["acc"] = cells[3]
    return Entry({templates.source.code: {PLAIN: cells[0]}, templates.target.code: forms}, cells[2])


# ---- the parts of a file ----


def _language(table: Checked, genders: Sequence[str]) -> Language:
    table.allow(_LANGUAGE)
    articles = table.table("articles", optional=True)
    pronouns = table.table("pronouns", optional=True)
    return Language(
        table.text("language"),
        {name: _cases(articles, name, genders) for name in articles.content},
        {case: pronouns.forms(case, genders, whole=True) for case in pronouns.content},
        table.text("vowels", ""),
        frozenset(table.words("consonantal")),
        frozenset(table.words("vocalic")),
    )


def _cases(articles: Checked, name: str, genders: Sequence[str]) -> dict[str, Forms]:
    """An article: one form, forms by gender, or a table of cases."""
    value = articles.content[name]
    if isinstance(value, str):
        return {PLAIN: {ANY: value}}
    inner = articles.table(name)
    if all(isinstance(each, str) for each in inner.content.values()):
        return {PLAIN: _article(articles, name, genders)}
    return {case: _article(inner, case, genders) for case in inner.content}


def _article(table: Checked, name: str, genders: Sequence[str]) -> Forms:
    if isinstance(table.content[name], str):
        return {ANY: table.content[name]}
    forms = table.forms(name, (*genders, ANY, VOWEL))
    if ANY not in forms and (missing := [gender for gender in genders if gender not in forms]):
        raise table.error(f"key {name!r}: no article for gender {missing[0]!r}")
    return forms


def _vocabularies(table: Checked, codes: Sequence[str], genders: Sequence[str]) -> dict[str, list[Entry]]:
    vocabularies = {}
    for name in table.content:
        entries = table.tables(name, (*codes, "gender", "antecedent", "extra"))
        vocabularies[name] = [
            Entry(
                {code: _word(entry, code) for code in codes},
                entry.choice("gender", genders),
                entry.text("antecedent", "") or None,
                entry.flag("extra"),
            )
            for entry in entries
        ]
    return vocabularies


def _word(entry: Checked, code: str) -> Forms:
    return entry.forms(code) if isinstance(entry.content.get(code), dict) else {PLAIN: entry.text(code)}


def _template(table: Checked, codes: Sequence[str]) -> Template:
    name = table.text("name")
    if not name.replace("_", "").replace("-", "").isalnum():
        raise table.error(f"key 'name': letters, digits, - and _ only, as it becomes a folder, not {name!r}")
    table.place = f"template {name!r}"
    context, sentence = table.table("context"), table.table("sentence")
    context.allow(codes)
    sentence.allow(codes)
    return Template(
        name,
        table.text("title", name),
        table.text("step"),
        table.table("slots").texts(),
        {code: context.text(code) for code in codes},
        {code: sentence.text(code) for code in codes},
        table.words("different"),
        table.words("unlike"),
        table.words("halved"),
        table.text("antecedent", "") or None,
        table.text("correct", "") or None,
        table.table("roles").texts() if "roles" in table.content else None,
    )
