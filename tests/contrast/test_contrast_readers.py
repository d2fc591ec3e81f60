"""Contrastive sets of three formats are read into the same instances."""

import gzip
import json

import pytest
from small_sets import ABSENT, ANAPHORA, CONTRAPRO, GROUPS, LEXICAL, SOURCE, TARGET, Folder, instance

from apt.contrast.grouped import read_grouped
from apt.contrast.instances import ContrastiveSet, Instance
from apt.contrast.sets import read_set
from apt.errors import InputError


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture
def read(folder):
    return lambda content: read_set(folder.write("set.json", content))


# ---- ContraPro ----


def test_contrapro(read):
    found = read(CONTRAPRO)
    assert found.kind == "contrapro"
    assert found.sizes == [3, 4, 2]
    assert [each.translations for each in found.instances] == [
        ("er ist da.", "sie ist da.", "es ist da."),
        ("sie ist da.", "er ist da.", "es ist da.", "ihn ist da."),
        ("es ist da.", "er ist da."),
    ]
    # Empty context is the beginning of a text.
    assert [each.source_context for each in found.instances] == [(), ("The cup fell.",), ("The book?",)]
    assert [each.target_context for each in found.instances] == [(), ("Die Tasse fiel.",), ("Das Buch?",)]


@pytest.mark.parametrize(
    ("pronoun", "counted_as"),
    [
        ("er", "er"),
        ("ihn", "er"),
        ("ihm", "es"),
        ("Ihn", "er"),
        ("SIE", "sie"),
        ("es", "es"),
        ("elle", "elle"),
    ],
)
def test_object_forms_count_with_the_subject_form(read, pronoun, counted_as):
    [found] = read([instance(pronoun, ("x",))]).instances
    assert found.buckets["pronoun"] == counted_as


@pytest.mark.parametrize(
    ("known", "distance", "location"),
    [
        ({}, "unknown", "unknown"),
        ({"ante distance": None, "intrasegmental": None}, "unknown", "unknown"),
        ({"ante distance": 0, "intrasegmental": True}, "0", "intrasegmental"),
        ({"ante distance": 0}, "0", "intrasegmental"),
        ({"ante distance": 1}, "1", "external"),
        ({"ante distance": 3, "intrasegmental": False}, "3", "external"),
        ({"ante distance": 4}, ">3", "external"),
        ({"ante distance": 40}, ">3", "external"),
        ({"intrasegmental": True}, "unknown", "intrasegmental"),
    ],
)
def test_where_the_antecedent_is(read, known, distance, location):
    [found] = read([instance(**known)]).instances
    assert (found.buckets["distance"], found.buckets["location"]) == (distance, location)


def test_context_that_the_set_does_not_give_is_unknown(read):
    absent, null = read([instance(), instance(**{"src context": None, "ref context": None})]).instances
    assert (absent.source_context, absent.target_context) == (None, None)
    assert (null.source_context, null.target_context) == (None, None)


@pytest.mark.parametrize("written", ["It\nis here.", "It\ris here.", "It\r\nis here.", "  It is here. \n"])
def test_a_sentence_is_one_line(read, written):
    [found] = read([instance(**{"src segment": written})]).instances
    assert found.source == "It is here."


def test_a_separator_of_unicode_is_no_line_break(read):
    [found] = read([instance(**{"src segment": "It\u2028is here."})]).instances
    assert found.source == "It\u2028is here."


def test_keys_that_are_not_needed_may_be_anything(read):
    assert len(read([instance(**{"document id": 7, "corpus": [None]})]).instances) == 1


def test_gzip_and_standard_input(folder, apt_contrast):
    content = json.dumps(CONTRAPRO).encode()
    packed = folder.write("set.json.gz", gzip.compress(content))
    assert read_set(packed).digest == read_set(folder.write("set.json", content)).digest
    scores = folder.scores(*range(9))
    outcome = apt_contrast("evaluate", "-", scores, "-f", "json", stdin=content)
    assert json.loads(outcome.out)["set"] == "standard input"


# ---- Bawden ----


def test_anaphora(read):
    found = read(ANAPHORA)
    assert found.kind == "bawden-anaphora"
    # Blocks by number: 2 before 10.
    assert [(each.block, each.buckets["class"], each.buckets["example"]) for each in found.instances] == [
        ("2", "m.pl", "correct"),
        ("10", "f.sg", "correct"),
        ("10", "m.sg", "semi-correct"),
    ]
    last = found.instances[-1]
    assert (last.source, last.translations) == ("It is open.", ("Il est ouvert.", "Elle est ouverte."))
    assert (last.source_context, last.target_context) == (("The door?",), ("Le porche ?",))


def test_lexical_choice(read):
    found = read(LEXICAL)
    assert found.kind == "bawden-lexical-choice"
    assert [each.source_context for each in found.instances] == [("So crazy.",), ("So mad.",)]
    assert {each.buckets["type"] for each in found.instances} == {"repet"}
    assert {each.block for each in found.instances} == {"1"}


# ---- lines ----


def test_lines(folder):
    found = read_grouped(folder.write("s", SOURCE), folder.write("t", TARGET), folder.write("g", GROUPS))
    assert found.instances == [
        Instance("It is here.", "Er ist da.", ("Sie ist da.", "Es ist da.")),
        Instance("It left.", "Es ging.", ("Sie ging.",)),
    ]


def test_lines_with_context(folder):
    source, target, groups = (folder.write(*each) for each in (("s", SOURCE), ("t", TARGET), ("g", GROUPS)))
    before = folder.write("before", "\n\n\nA dog?\nA dog?\n")
    both = read_grouped(source, target, groups, [before, before]).instances
    assert [each.source_context for each in both] == [(), ("A dog?",)]
    assert [each.target_context for each in both] == [(), ("A dog?",)]
    one = read_grouped(source, target, groups, [before]).instances
    assert [(each.source_context, each.target_context) for each in one] == [((), None), (("A dog?",), None)]


# ---- which set is it? ----


def one(source="s", correct="a", contrastive=("b", "c"), **more):
    return ContrastiveSet("name", "kind", [Instance(source, correct, contrastive, **more)])


def test_the_same_set_has_the_same_digest_whatever_its_format(folder, read):
    items = [
        {"src segment": "It is here.", "ref segment": "Er ist da.", "ref pronoun": "er",
         "errors": [{"contrastive": "Sie ist da."}, {"contrastive": "Es ist da."}]},
        {"src segment": "It left.", "ref segment": "Es ging.", "ref pronoun": "es",
         "errors": [{"contrastive": "Sie ging."}]},
    ]  # fmt: skip
    # Blanks at the ends of lines are no part of a sentence in either.
    lines = read_grouped(
        folder.write("s", SOURCE.replace("\n", " \r\n")), folder.write("t", TARGET), folder.write("g", GROUPS)
    )
    assert lines.digest == read(items).digest


@pytest.mark.parametrize(
    "other",
    [
        one(source="z"),
        one(correct="b", contrastive=("a", "c")),
        one(contrastive=("c", "b")),
        one(contrastive=("b",)),
        one(contrastive=("b", "c", "d")),
        # The same lines, but where groups begin differs.
        ContrastiveSet("name", "kind", [Instance("s", "a", ("b",)), Instance("s", "c", ())]),
    ],
)
def test_another_set_has_another_digest(other):
    assert other.digest != one().digest


def test_context_has_a_digest_of_its_own():
    with_context = one(source_context=("x",))
    assert with_context.digest == one().digest
    assert one().context_digest is None
    digests = {
        each.context_digest
        for each in (
            with_context,
            one(source_context=("y",)),
            one(target_context=("x",)),
            one(source_context=("x", "")),
        )
    }
    assert len(digests) == 4


def test_a_key_that_is_needed(read):
    for key in ("src segment", "ref segment", "ref pronoun", "errors"):
        with pytest.raises(InputError, match=f"instance 1 .*{key}' is missing"):
            read([instance(), instance(**{key: ABSENT})])
