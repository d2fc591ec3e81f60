"""Generating the templates of ContraCAT, and reading such folders: seed 003, section 6 and appendix C."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import check

from apt.contrast.contracat import contracat_set
from apt.contrast.generating import generate
from apt.contrast.inflection import phrase, pronoun
from apt.contrast.preferences import Prior, answered, preferences
from apt.contrast.sets import read_set
from apt.contrast.template_files import available_pairs, read_templates, shipped_templates
from apt.errors import InputError, OptionError

COUNTS = {  # Table 8; Position counts ordered pairs, Verb Overlap has the adverb little; Gender: 60 nouns of ours
    "grammatical_role": 1000,
    "position": 1656,
    "verb_prior": 600,
    "markable_detection": 2560,
    "verb_overlap": 2240,
    "object_overlap": 5376,
    "subject_overlap": 4992,
    "object_verb_overlap": 5376,
    "subject_verb_overlap": 4992,
    "world_knowledge": 2500,
    "event": 1500,
    "pleonastic": 1500,
    "gender": 120,
}
FULL = {  # 25 animals, 15 foods, 5 drinks: e.g. 414 ordered pairs x 75 x 2; seven subjects
    "verb_prior": 700,
    "verb_overlap": 414 * 4 * 5,
    "object_overlap": 414 * 75 * 2,
    "subject_overlap": 25 * 24 * 50 * 2,
}
SMALL = """
code = "en-it"
genders = ["m", "f"]

[source]
language = "en"
[source.articles]
def = "the"

[target]
language = "it"
vowels = "aeiou"
[target.articles]
def = { m = "il", f = "la", vowel = "l'" }
[target.pronouns]
nom = { m = "lui", f = "lei" }

[vocabularies]
animals = [
    { en = "dog", it = "cane", gender = "m" },
    { en = "goose", it = "oca", gender = "f" },
]

[[templates]]
name = "slept"
step = "priors"
slots = { animal = "animals" }
antecedent = "animal"
context = { en = "{animal.def} slept.", it = "{animal.def} dormiva." }
sentence = { en = "it dreamt.", it = "{it.nom} sognava." }
"""


@pytest.fixture(scope="module")
def german():
    return {each.template.name: each for each in generate(shipped_templates("en-de"))}


@pytest.fixture(scope="module")
def french():
    return {each.template.name: each for each in generate(shipped_templates("en-fr"))}


@pytest.fixture
def template_file(tmp_path):
    def write(text):
        path = tmp_path / "own.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_as_many_instances_as_in_the_paper(german):
    assert {name: len(each.instances) for name, each in german.items()} == COUNTS


@pytest.mark.parametrize("name", FULL)
def test_full_takes_every_entry(name):
    (each,) = generate(shipped_templates("en-de"), only=[name], full=True)
    assert len(each.instances) == FULL[name]


@pytest.mark.parametrize("name", ["position", "world_knowledge", "event", "markable_detection"])
def test_full_changes_nothing_where_nothing_is_halved(name):
    (each,) = generate(shipped_templates("en-de"), only=[name], full=True)
    assert len(each.instances) == COUNTS[name]


CASES = [
    # noun, case, definite, indefinite, pronoun
    ("Hund", "nom", "der Hund", "ein Hund", "er"),
    ("Hund", "acc", "den Hund", "einen Hund", "ihn"),
    ("Hund", "dat", "dem Hund", "einem Hund", "ihm"),
    ("Bär", "nom", "der Bär", "ein Bär", "er"),
    ("Bär", "acc", "den Bären", "einen Bären", "ihn"),  # weak declension
    ("Bär", "dat", "dem Bären", "einem Bären", "ihm"),
    ("Katze", "nom", "die Katze", "eine Katze", "sie"),
    ("Katze", "acc", "die Katze", "eine Katze", "sie"),
    ("Katze", "dat", "der Katze", "einer Katze", "ihr"),
    ("Schaf", "nom", "das Schaf", "ein Schaf", "es"),
    ("Schaf", "acc", "das Schaf", "ein Schaf", "es"),
    ("Schaf", "dat", "dem Schaf", "einem Schaf", "ihm"),
]


@pytest.mark.parametrize(("noun", "case", "definite", "indefinite", "it"), CASES)
def test_articles_and_pronouns_by_case_and_gender(noun, case, definite, indefinite, it):
    templates = shipped_templates("en-de")
    animals = templates.vocabularies["animals"]
    entry = next(each for each in animals if noun in each.forms["de"].values())
    assert phrase(entry, ("def", case), templates.target, entry.gender) == definite
    assert phrase(entry, ("indef", case), templates.target, entry.gender) == indefinite
    assert pronoun(templates.target, (case,), entry.gender) == it


def test_order_of_grammatical_role(german):
    first = german["grammatical_role"].instances
    assert [f"{each.source_context} {each.source}" for each in first[:6]] == [
        "The dog ate the carrot. It was big.",  # the first food that is not masculine
        "The dog ate the carrot. It was small.",
        "The dog ate the carrot. It was large.",
        "The dog ate the carrot. It was tiny.",
        "The dog ate the fruit. It was big.",
        "The dog ate the fruit. It was small.",
    ]
    assert first[0].target_context == "Der Hund hat die Karotte gegessen."
    assert first[0].translations == ("Er war groß.", "Sie war groß.", "Es war groß.")
    assert first[-1].target_context == "Das Reh hat die Pizza gegessen."


def test_order_of_object_overlap(german):
    found = [f"{each.target_context} {each.translations[1]}" for each in german["object_overlap"].instances]
    assert found[:6] == [  # every second animal, food and drink; the exchanged animals directly behind
        "Der Hund hat den Keks gegessen und die Kuh hat den Tee getrunken. Sie mochte den Keks.",
        "Die Kuh hat den Keks gegessen und der Hund hat den Tee getrunken. Sie mochte den Keks.",
        "Der Hund hat den Keks gegessen und die Kuh hat den Tee getrunken. Sie mochte den Tee.",
        "Die Kuh hat den Keks gegessen und der Hund hat den Tee getrunken. Sie mochte den Tee.",
        "Der Hund hat den Keks gegessen und die Kuh hat die Milch getrunken. Sie mochte den Keks.",
        "Die Kuh hat den Keks gegessen und der Hund hat die Milch getrunken. Sie mochte den Keks.",
    ]
    assert [each.correct for each in german["object_overlap"].instances[:4]] == ["m", "f", "f", "m"]


def test_the_exchanged_tuple_follows_directly(german):
    instances = german["position"].instances
    assert instances[0].target_context == "Ich stand vor dem Hund und der Katze."
    assert instances[1].target_context == "Ich stand vor der Katze und dem Hund."
    for one, other in zip(instances[::2], instances[1::2], strict=True):
        assert one.source == other.source
        assert (one.roles["first"], one.roles["second"]) == (other.roles["second"], other.roles["first"])
    assert len({(each.source_context, each.source) for each in instances}) == len(instances)


def test_markables_in_both_orders(german):
    one, other = german["markable_detection"].instances[:2]
    assert one.target_context == "Der Hund und die Professorin waren hungrig."
    assert other.target_context == "Die Professorin und der Hund waren hungrig."
    assert one.correct == other.correct == "m"
    assert one.translations == ("Aber er war hungriger.", "Aber sie war hungriger.", "Aber es war hungriger.")


EXAMPLES = [
    ("verb_prior", "Wow! I bought it.", "Ich habe ihn gekauft.", None),
    ("verb_overlap", "The dog ate and the cow drank. It ate a lot.", "Er hat viel gegessen.", "m"),
    ("verb_overlap", "The dog drank and the cow ate. It ate little.", "Er hat wenig gegessen.", "f"),
    (
        "subject_verb_overlap",
        "The dog ate the bread and the bear drank the tea. The dog ate it quickly.",
        "Der Hund hat ihn schnell gegessen.",
        "n",
    ),
    ("world_knowledge", "The cat ate the cake. It was hungry.", "Er war hungrig.", "f"),
    ("world_knowledge", "The cat ate the cake. It had gone bad.", "Er war schlecht geworden.", "m"),
    ("event", "The cat ate the nut. It resulted in chaos.", "Er führte zu Chaos.", "n"),
    ("pleonastic", "The cat ate the nut. It was raining.", "Er regnete.", "n"),
    ("gender", "I saw an island. It was big.", "Er war groß.", "f"),
]


@pytest.mark.parametrize(("name", "source", "masculine", "correct"), EXAMPLES)
def test_sentences_written_by_hand(german, name, source, masculine, correct):
    found = {f"{each.source_context} {each.source}": each for each in german[name].instances}
    assert found[source].translations[0] == masculine
    assert found[source].correct == correct


def test_verbs_agree_with_every_subject(german):
    found = [each.translations[2] for each in german["verb_prior"].instances[:6]]
    assert found == [
        "Ich habe es gekauft.",
        "Du hast es gekauft.",
        "Er hat es gekauft.",
        "Sie hat es gekauft.",
        "Wir haben es gekauft.",
        "Sie haben es gekauft.",
    ]


@pytest.mark.parametrize("pair", available_pairs())
def test_no_two_translations_are_the_same(pair):
    for each in generate(shipped_templates(pair)):
        for instance in each.instances:
            assert len(set(instance.translations)) == len(each.genders)
            assert "  " not in instance.target_context
            assert instance.target_context[-1] in ".!"
            assert all("{" not in text and text.endswith(".") for text in instance.translations)


@pytest.mark.parametrize("pair", available_pairs())
def test_deterministic(pair):
    assert generate(shipped_templates(pair), only=["verb_overlap"])[0].instances == (
        generate(shipped_templates(pair), only=["verb_overlap"])[0].instances
    )


def test_french_has_every_template_with_two_lines(french):
    assert list(french) == list(COUNTS)
    assert {len(each.translations) for template in french.values() for each in template.instances} == {2}
    assert len(french["position"].instances) == 2 * 17 * 8 * 4  # 17 masculine and 8 feminine animals
    assert len(french["event"].instances) == COUNTS["event"]


FRENCH = [
    (
        "markable_detection",
        "The bear and the actress were happy. However it was happier.",
        "L'ours et l'actrice étaient heureux.",
        ("Cependant, il était plus heureux.", "Cependant, elle était plus heureuse."),
    ),
    (
        "grammatical_role",
        "The owl ate the hot dog. It was big.",
        "La chouette a mangé le hot-dog.",  # an h that is not mute
        ("Il était grand.", "Elle était grande."),
    ),
    ("verb_prior", "Wow! We took it.", "Waouh !", ("Nous l'avons pris.", "Nous l'avons prise.")),
    (
        "world_knowledge",
        "The cow ate the egg. It was looking around.",
        "La vache a mangé l'œuf.",
        ("Il regardait autour de lui.", "Elle regardait autour d'elle."),
    ),
    (
        "verb_overlap",
        "The dog ate and the cow drank. It drank a lot.",
        "Le chien a mangé et la vache a bu.",
        ("Il a beaucoup bu.", "Elle a beaucoup bu."),
    ),
]


@pytest.mark.parametrize(("name", "source", "context", "translations"), FRENCH)
def test_french_agreement(french, name, source, context, translations):
    found = {f"{each.source_context} {each.source}": each for each in french[name].instances}
    assert found[source].target_context == context
    assert found[source].translations == translations


# ---- folders ----


def test_round_trip(apt_contrast, tmp_path, german):
    out = tmp_path / "out"
    outcome = apt_contrast("generate", "-o", out)
    assert (outcome.status, outcome.out) == (0, "")
    assert "34,412 instances of 13 templates" in outcome.err
    test_set = read_set(str(out))
    assert test_set.buckets == ["template", "step"]
    counts = dict.fromkeys(COUNTS, 0)
    for instance in test_set.instances:
        counts[instance.buckets["template"]] += 1
    assert counts == COUNTS
    generated = [each for template in german.values() for each in template.instances]
    for instance, lines in zip(test_set.instances, generated, strict=True):
        assert instance.source == lines.source
        assert instance.source_context == (lines.source_context,)
        assert instance.target_context == (lines.target_context,)
        assert sorted(instance.translations) == sorted(lines.translations)
        if lines.correct is None:
            assert isinstance(instance, Prior)
            assert instance.translations == lines.translations
            assert instance.roles == lines.roles
        else:
            assert instance.correct == lines.translations["mfn".index(lines.correct)]


def test_layout_of_a_folder(apt_contrast, tmp_path):
    apt_contrast("generate", "-o", str(tmp_path), "--only", "world_knowledge")
    folder = tmp_path / "world_knowledge"
    lines = {path.name: path.read_text("utf-8").splitlines() for path in folder.iterdir()}
    assert set(lines) == {"en.txt", "de.txt", "genders.txt", "template.json"}
    assert lines["en.txt"][:3] == ["The dog ate the carrot. <SEP> It was hungry."] * 3
    assert lines["de.txt"][:3] == [
        f"Der Hund hat die Karotte gegessen. <SEP> {pronoun} war hungrig." for pronoun in ("Er", "Sie", "Es")
    ]
    assert len(lines["en.txt"]) == len(lines["de.txt"]) == 3 * len(lines["genders.txt"]) == 7500
    assert lines["genders.txt"][:10] == ["m"] * 5 + ["f"] * 5
    assert json.loads("\n".join(lines["template.json"]))["step"] == "coreference resolution"


def test_writing_twice_gives_the_same(apt_contrast, tmp_path):
    def content():
        apt_contrast("generate", "-o", str(tmp_path), "--only", "gender", "-q", "--lang-pair", "en-fr")
        return {path.name: path.read_bytes() for path in (tmp_path / "gender").iterdir()}

    assert content() == content()


FOLDER = {
    "en.txt": ["The cat slept. <SEP> It purred."] * 3,
    "de.txt": [f"Die Katze schlief.  <SEP> {word} schnurrte." for word in ("Er", "Sie", "Es")],
    "genders.txt": ["f"],
}


def write_folder(folder, **changed):
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in {**FOLDER, **{f"{key}.txt": lines for key, lines in changed.items()}}.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    "changed",
    [{}, {"genders": ["f"] * 3}, {"en": FOLDER["en.txt"][:1]}],
    ids=["as written", "a gender a line", "a source line an instance"],
)
def test_folders_without_a_template_file(tmp_path, changed):
    test_set = contracat_set(write_folder(tmp_path / "event", **changed))
    (instance,) = test_set.instances
    assert instance.correct == "Sie schnurrte."
    assert instance.contrastive == ("Er schnurrte.", "Es schnurrte.")
    assert instance.target_context == ("Die Katze schlief.",)
    assert instance.buckets == {"template": "event", "step": "coreference resolution"}


def test_unknown_templates_have_no_step_and_come_last(tmp_path):
    for name in ("a_new_one", "gender", "event"):
        write_folder(tmp_path / name)
    buckets = [instance.buckets for instance in contracat_set(str(tmp_path)).instances]
    assert [each["template"] for each in buckets] == ["event", "gender", "a_new_one"]
    assert buckets[-1]["step"] == "unknown"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"genders": ["x"]}, "genders.txt: instance 0 (from 0): m, f, n or - expected, found 'x'"),
        ({"genders": ["f", "m"]}, "genders.txt, line 3: 3 lines expected, one a translation, or 1; found 2"),
        ({"genders": ["f", "f", "m"]}, "the lines of instance 0 (from 0) differ"),
        ({"de": FOLDER["de.txt"][:2]}, "3 lines an instance expected (m, f, n), found 2"),
        ({"de": ["Kein Trenner."] * 3}, "de.txt, line 1: context <SEP> sentence expected"),
        ({"de": [*FOLDER["de.txt"][:2], "Anders. <SEP> Es schnurrte."]}, "differ before <SEP>"),
        ({"de": [FOLDER["de.txt"][0]] * 3}, "a contrastive translation is the same"),
        ({"genders": ["-"], "roles": ["subject"]}, "roles.txt, line 1: roles and genders as in"),
        ({"fr": FOLDER["de.txt"]}, "one file of translations such as de.txt expected, found: de, fr"),
    ],
)
def test_bad_folders(tmp_path, changed, message):
    with pytest.raises(InputError) as error:
        contracat_set(write_folder(tmp_path / "event", **changed))
    assert message in str(error.value)


def test_no_folder_of_contracat(tmp_path):
    with pytest.raises(InputError, match=r"no folder of ContraCAT: there is no genders\.txt"):
        contracat_set(str(tmp_path))


# ---- priors ----


def test_preferences_of_priors(apt_contrast, tmp_path):
    apt_contrast("generate", "-o", str(tmp_path), "--only", "position", "--only", "gender", "-q")
    test_set = contracat_set(str(tmp_path))
    # A model that always finds the masculine best, and the feminine second.
    order = {"Er": 1.0, "Si": 2.0, "Es": 3.0}
    scores = np.array([order[translation[:2]] for _, translation in test_set.lines()])
    (found,) = preferences(test_set, scores)
    assert (found.template, found.total, found.ties) == ("position", 1656, 0)
    assert found.genders == {"m": 1656, "f": 0, "n": 0}
    # 9 masculine animals beside 16 others, in two orders and four sizes; in 9 x 7 pairs none is masculine.
    assert found.roles == {"first": 9 * 16 * 4, "second": 9 * 16 * 4}
    assert (found.pairs, found.same, found.same_role) == (828, 9 * 16 * 4, {"first": 0, "second": 0})
    assert preferences(test_set, -scores, higher_is_better=True) == [found]
    assert preferences(test_set, np.zeros(len(scores)))[0].ties == 1656

    rest, rest_scores = answered(test_set, scores)
    assert {each.buckets["template"] for each in rest.instances} == {"gender"}
    assert len(rest_scores) == sum(rest.sizes)
    with pytest.raises(OptionError):
        preferences(test_set, scores[:-1])


# ---- a user's files ----


def test_own_nouns(apt_contrast, tmp_path):
    nouns = tmp_path / "nouns.tsv"
    nouns.write_text("hour\tStunde\tf\nheart\tHerz\tn\nbear\tBär\tm\tBären\n", encoding="utf-8")
    apt_contrast("generate", "-o", str(tmp_path), "--only", "gender", "--nouns", str(nouns))
    contexts = [each.source_context + each.target_context for each in contracat_set(str(tmp_path)).instances]
    assert contexts[::2] == [
        ("I saw an hour.", "Ich sah eine Stunde."),
        ("I saw a heart.", "Ich sah ein Herz."),
        ("I saw a bear.", "Ich sah einen Bären."),
    ]
    assert len(contexts) == 2 * 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("house\tHaus\n", "nouns.tsv, line 1: noun, its translation and its gender expected"),
        ("house\tHaus\tn\n\ndog\tHund\tx\n", "nouns.tsv, line 3: no gender 'x'. Genders: m, f, n"),
        ("{house}\tHaus\tn\n", "a noun has no braces"),
        ("\n", "there is no noun in it"),
    ],
)
def test_bad_nouns(apt_contrast, tmp_path, text, message):
    nouns = tmp_path / "nouns.tsv"
    nouns.write_text(text, encoding="utf-8")
    check(apt_contrast("generate", "-o", tmp_path / "out", "--nouns", nouns), message)
    assert not (tmp_path / "out").exists()


def test_own_templates(apt_contrast, tmp_path, template_file):
    assert apt_contrast("generate", "-o", tmp_path, "--templates", template_file(SMALL)).status == 0
    assert (tmp_path / "slept/it.txt").read_text("utf-8").splitlines() == [
        "Il cane dormiva. <SEP> Lui sognava.",
        "Il cane dormiva. <SEP> Lei sognava.",
        "L'oca dormiva. <SEP> Lui sognava.",
        "L'oca dormiva. <SEP> Lei sognava.",
    ]
    instances = contracat_set(str(tmp_path)).instances
    assert [each.correct for each in instances] == ["Lui sognava.", "Lei sognava."]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('code = "en-it"', "code = ", "not a TOML file in UTF-8"),
        ('code = "en-it"', 'kode = "en-it"', "the file: unknown key 'kode'. Allowed: code, name, genders"),
        ('code = "en-it"', "", "key 'code' is missing"),
        ('genders = ["m", "f"]', 'genders = "m"', "key 'genders': must be a list of words"),
        ('language = "it"', 'language = "en"', "[source] and [target] have the same language 'en'"),
        ("def = { m", "def = { x", "unknown key 'x'. Allowed: m, f, any, vowel"),
        ('def = { m = "il", ', "def = { ", "no article for gender 'm'"),
        ('nom = { m = "lui", ', "nom = { ", "no form 'm'"),
        ('gender = "f"', 'gender = "n"', "key 'gender': no 'n'. Known: m, f"),
        (
            'gender = "f"',
            'sex = "f"',
            "animals, entry 1 (from 0): unknown key 'sex'. Allowed: en, it, gender",
        ),
        (', gender = "f"', "", "all entries of slot 'animal' need a gender"),
        ('it = "oca"', "it = 3", "key 'it': must be text"),
        ('"animals" }', '"plants" }', "no vocabulary 'plants'. Vocabularies: animals"),
        ('antecedent = "animal"', "", "one thing must say what is correct"),
        ('antecedent = "animal"', 'antecedent = "plant"', "no slot 'plant'. Slots: animal"),
        ('antecedent = "animal"', 'correct = "n"', "no gender 'n'. Genders: m, f"),
        (
            'antecedent = "animal"',
            'colour = "red"',
            "unknown key 'colour'. Allowed: name, title, step, slots",
        ),
        ("{animal.def} dormiva", "{plant.def} dormiva", "no slot 'plant'"),
        ("{animal.def} dormiva", "{animal.def.acc} dormiva", "no article 'def.acc' in it. Known: def"),
        ("{animal.def} dormiva", "{animal.big} dormiva", "'cane': no form 'big'"),
        ("{animal.def} dormiva", "{animal.def dormiva", "a brace without its other half"),
        ("{it.nom} sognava", "{it.acc} sognava", "no pronoun {it.acc} in it. Known: {it.nom}"),
        ('it = "oca"', 'it = "{animal}"', "contains itself"),
        ('name = "slept"', 'name = "../slept"', "letters, digits, - and _ only"),
        ("slots = {", "different = ['animal']\nslots = {", "key 'different': two slots expected"),
        ("slots = {", "halved = ['foods']\nslots = {", "'foods' is not the vocabulary of a slot"),
        ("slots = { animal", "slots = { it", "no slot can be called 'it'"),
    ],
)
def test_bad_template_files(template_file, old, new, message):
    assert SMALL.count(old) >= 1
    with pytest.raises(InputError) as error:
        read_templates(template_file(SMALL.replace(old, new)))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "-o is missing"),
        (["-o", "x", "--lang-pair", "en-xx"], "no templates for 'en-xx'. Available: en-de, en-fr"),
        (["-o", "x", "--lang-pair", "en-de", "--templates", "y"], "exclude each other"),
        (["-o", "x", "--only", "nothing"], "no template 'nothing' in en-de. Templates: grammatical_role"),
        (["-o", "x", "--templates", "/nowhere.toml"], "/nowhere.toml: cannot be read: No such file"),
    ],
)
def test_wrong_usage(apt_contrast, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    check(apt_contrast("generate", *arguments), message)
    assert not Path("x").exists()


def test_list(apt_contrast):
    rows = [line.split("\t") for line in apt_contrast("generate", "--list").out.splitlines()]
    assert {name: int(count) for name, _, count in rows} == COUNTS
    assert {step for _, step, _ in rows} == {
        "priors",
        "markable detection",
        "coreference resolution",
        "language translation",
    }
