"""Sets, scores and options that do not fit: one line that says where, exit status 2, and nothing else."""

import json

import pytest
from conftest import check
from small_sets import ABSENT, ANAPHORA, CONTRAPRO, GROUPS, LEXICAL, SOURCE, TARGET, Folder, instance


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


@pytest.fixture
def wrong(apt_contrast, folder):
    """Runs the command, which must complain of these things and write nothing."""

    def run(arguments, *expected, stdin=b""):
        before = folder.everything()
        check(apt_contrast(*arguments, stdin=stdin), *expected)
        assert folder.everything() == before

    return run


def second(**more):
    """A set whose instance 1 is spoilt."""
    return [instance(), instance(**more)]


def deep(levels):
    return json.dumps([instance()]).replace('"It is here."', "[" * levels + "]" * levels)


# ---- sets ----


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        # No JSON.
        ("", ["set.json, line 1: not JSON"]),
        ("It is here.\n", ["set.json, line 1: not JSON"]),
        ('[\n{"src segment": "It",\n}]', ["set.json, line 3: not JSON"]),
        ("[] []", ["set.json, line 1: not JSON: Extra data"]),
        (b"[\n\xe9]", ["set.json, line 2: not UTF-8 text (byte 0xe9)"]),
        ("[" * 100_000, ["set.json: not JSON that anybody wrote: it is nested too deeply"]),
        (f"[{'1' * 5000}]", ["set.json: not JSON that anybody wrote: a number is far too long"]),
        # JSON of another kind.
        ("3", ["set.json: neither a list (ContraPro) nor an object (Bawden's sets)"]),
        ("null", ["set.json: neither a list"]),
        ("[]", ["set.json: there is no instance in it"]),
        ("[3]", ["set.json: instance 0 (from 0): an object expected, found 3"]),
        ("[[]]", ["set.json: instance 0 (from 0): an object expected, found a list"]),
        # Keys and types.
        (second(**{"src segment": ABSENT}), ["instance 1 (from 0): key 'src segment' is missing. Keys: ref segment"]),
        (second(**{"ref segment": None}), ["instance 1 (from 0): key 'ref segment': text expected, found null"]),
        (second(**{"ref pronoun": 3}), ["key 'ref pronoun': text expected, found 3"]),
        (second(**{"ref pronoun": " "}), ["key 'ref pronoun' is empty"]),
        (second(**{"src segment": "\n"}), ["key 'src segment' is empty"]),
        (second(**{"src segment": ["It"]}), ["key 'src segment': text expected, found a list"]),
        (second(**{"src segment": "a\0b"}), ["key 'src segment': a character that no text file can hold"]),
        (second(**{"src segment": "a\ud800b"}), ["set.json: instance 1", "a character that no text file can hold"]),
        (second(**{"src context": "\udfff"}), ["key 'src context': a character that no text file can hold"]),
        (second(**{"src context": ["a"]}), ["key 'src context': text expected, found a list"]),
        (second(errors=ABSENT), ["instance 1 (from 0): key 'errors' is missing"]),
        (second(errors={}), ["key 'errors': a list expected, found an object"]),
        (second(errors=[]), ["key 'errors': the list is empty"]),
        (second(errors=["sie"]), ['instance 1 (from 0), error 0: an object expected, found "sie"']),
        (second(errors=[{"contrastive": "a"}, {}]), ["instance 1 (from 0), error 1: key 'contrastive' is missing"]),
        (second(errors=[{"contrastive": 1}]), ["error 0: key 'contrastive': text expected, found 1"]),
        (second(**{"ante distance": "1"}), ["key 'ante distance': a whole number expected, found \"1\""]),
        (second(**{"ante distance": 1.5}), ["key 'ante distance': a whole number expected, found 1.5"]),
        (second(**{"ante distance": True}), ["key 'ante distance': a whole number expected, found true"]),
        (second(**{"ante distance": -1}), ["key 'ante distance': a number from 0 on expected, found -1"]),
        (second(**{"intrasegmental": "no"}), ["key 'intrasegmental': true or false expected, found \"no\""]),
        (second(**{"intrasegmental": 0}), ["key 'intrasegmental': true or false expected, found 0"]),
        # Contrastive translations that are not.
        ([*CONTRAPRO, instance("er", ("sie", "er"))], ["instance 3 (from 0): a contrastive translation is the same"]),
        ([instance("er", ("er",))] * 3, ["instance 0 (from 0)", "and 2 more like it"]),
        ([instance("er", (" er",))], ["instance 0 (from 0): a contrastive translation is the same"]),
    ],
)  # fmt: skip
def test_a_set_of_contrapro(folder, wrong, content, expected):
    wrong(["evaluate", folder.write("set.json", content), folder.scores(1, 2)], *expected)
    wrong(["prepare", folder.file("set.json"), "-o", folder.file("out")], *expected)


@pytest.mark.parametrize("levels", [900, 960, 970, 975, 980, 985, 990, 1000])
def test_deep_nesting_where_the_stack_nearly_ends(folder, wrong, levels):
    wrong(["evaluate", folder.write("set.json", deep(levels)), folder.scores(1)], "set.json: ")


def spoilt(content, *path, value):
    """The set with one value replaced, or its key taken away."""
    content = json.loads(json.dumps(content))
    place = content
    for key in path[:-1]:
        place = place[key]
    if value is ABSENT:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return content


FIRST = ("10", "trg", 0)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({}, ["set.json: there is no block in it"]),
        ({"one": {}}, ["set.json: a number expected as the key of a block, found 'one'"]),
        ({"²": {}}, ["a number expected as the key of a block, found '²'"]),
        ({"1" * 5000: {}}, ["a number expected as the key of a block, found '1111"]),
        ({"1": []}, ["set.json: block 1: an object expected, found a list"]),
        (spoilt(ANAPHORA, "10", "src", value=ABSENT), ["block 10: key 'src' is missing. Keys: trg"]),
        (spoilt(ANAPHORA, "10", "src", value=["a", 3]), ["block 10: key 'src': a list of sentences expected, found 3"]),
        (spoilt(ANAPHORA, "10", "src", value=["a", " "]), ["key 'src': a list of sentences expected, found \" \""]),
        (spoilt(ANAPHORA, "10", "trg", value=[]), ["block 10: key 'trg': the list is empty"]),
        (spoilt(ANAPHORA, *FIRST, value=3), ["block 10, translation 0: an object expected, found 3"]),
        (spoilt(ANAPHORA, *FIRST, "type", value=ABSENT), ["block 10, translation 0: key 'type' is missing"]),
        (spoilt(ANAPHORA, *FIRST, "correct", value=ABSENT), ["translation 0: one of the keys 'correct' and 'semi-correct'"]),
        (spoilt(ANAPHORA, *FIRST, "semi-correct", value=["a"]), ["one of the keys 'correct' and 'semi-correct'"]),
        (spoilt(ANAPHORA, *FIRST, "incorrect", value=ABSENT), ["translation 0: key 'incorrect' is missing"]),
        (spoilt(ANAPHORA, *FIRST, "incorrect", value=["a"]), ["2 in the source, 2 and 1 in the translations"]),
        (spoilt(ANAPHORA, *FIRST, "incorrect", 0, value="Le porche ?"), ["differ before the last sentence"]),
        (spoilt(ANAPHORA, *FIRST, "incorrect", 1, value="Elle est ouverte."), ["instance 1 (from 0): a contrastive"]),
        (spoilt(LEXICAL, "1", "type", value=ABSENT), ["block 1: key 'type' is missing"]),
        (spoilt(LEXICAL, "1", "examples", value=[]), ["block 1: key 'examples': the list is empty"]),
        (spoilt(LEXICAL, "1", "examples", 1, "trg", value=ABSENT), ["block 1, example 1, trg: key 'correct' is missing"]),
        (spoilt(LEXICAL, "1", "examples", 1, "trg", value=[]), ["example 1: key 'trg': an object expected, found a list"]),
        # One of each: the first block says what the others must be.
        (LEXICAL | {"2": ANAPHORA["2"]}, ["block 2: key 'type' is missing"]),
    ],
)  # fmt: skip
def test_a_set_of_bawden(folder, wrong, content, expected):
    wrong(["evaluate", folder.write("set.json", content), folder.scores(1, 2)], *expected)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"groups": ""}, ["groups, line 1: no group"]),
        ({"groups": "0\n"}, ["groups, line 1: no group"]),
        ({"groups": "0\nthree\n5\n"}, ["groups, line 2: a line number from 0 on expected, found 'three'"]),
        ({"groups": "0\n3.0\n5\n"}, ["groups, line 2: a line number from 0 on expected, found '3.0'"]),
        ({"groups": "0\n-3\n5\n"}, ["groups, line 2: a line number", "'-3'"]),
        ({"groups": "0\n\n5\n"}, ["groups, line 2: a line number", "''"]),
        ({"groups": f"0\n{'1' * 5000}\n"}, ["groups, line 2: a line number"]),
        ({"groups": "1\n3\n5\n"}, ["groups, line 1: the first group must begin at line 0, not 1"]),
        ({"groups": "0\n4\n5\n"}, ["groups, line 3: a group needs a correct and a contrastive line: 5 comes after 4"]),
        ({"groups": "0\n3\n2\n5\n"}, ["groups, line 3: a group needs", "2 comes after 3"]),
        ({"groups": "0\n3\n3\n5\n"}, ["groups, line 3: a group needs", "3 comes after 3"]),
        ({"groups": "0\n3\n"}, ["groups, line 2: the last number must be that of all lines, 5 in", "target, not 3"]),
        ({"groups": "0\n3\n7\n"}, ["groups, line 3: the last number must be that of all lines", "not 7"]),
        ({"groups": "0\n2\n5\n"}, ["source, line 4: group 1 (from 0): the line must be the same as line 3"]),
        ({"source": SOURCE + "It.\n"}, ["target, line 6: 6 lines expected to match", "source, found 5"]),
        ({"source": ""}, ["source, line 1: the file is empty"]),
        ({"source": SOURCE.replace("It left.", " ")}, ["source, line 4: the line is empty"]),
        ({"target": TARGET.replace("Sie ging.", "")}, ["target, line 5: the line is empty"]),
        ({"target": TARGET.replace("Sie ging.", "Es ging. ")}, ["target: instance 1 (from 0): a contrastive translation"]),
    ],
)  # fmt: skip
def test_lines_that_are_no_set(folder, wrong, changed, expected):
    wrong(["evaluate", *folder.grouped(**changed), folder.scores(1, 2, 3, 4, 5)], *expected)


def test_context_that_changes_inside_a_group(folder, wrong):
    before = folder.write("before", "A?\nA?\nB?\nC?\nC?\n")
    arguments = ["evaluate", *folder.grouped(), folder.scores(1), "--source-context", before]
    expected = "before, line 3: group 0 (from 0): the line must be the same as line 1"
    wrong(arguments, expected)
    good = folder.write("good", "A?\n" * 5)
    wrong([*arguments[:-1], good, "--target-context", before], expected)


# ---- scores ----


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ["m.scores, line 1: 9 scores needed, one a translation of", "set.json, found 0"]),
        ("1\n" * 8, ["m.scores, line 8: 9 scores needed", "found 8"]),
        ("1\n" * 10, ["m.scores, line 10: 9 scores needed", "found 10"]),
        ("1\n" * 9 + "\n", ["m.scores, line 10: a score expected, found ''"]),
        ("1\n\n" + "1\n" * 8, ["m.scores, line 2: a score expected, found ''"]),
        ("1\nnan\n", ["m.scores, line 2: nan is no score"]),
        ("1\nNaN\n", ["m.scores, line 2: nan is no score"]),
        ("1\n-inf\n", ["m.scores, line 2: -inf is no score"]),
        ("1\n1e999\n", ["m.scores, line 2: inf is no score"]),
        ("1\ngood\n", ["m.scores, line 2: a score expected, found 'good'"]),
        ("1\n1 2\n", ["m.scores, line 2: a score expected, found '1 2'"]),
        ("1\n1,5\n", ["m.scores, line 2: a score expected, found '1,5'"]),
        ("1\n1_5\n", ["m.scores, line 2: a score expected, found '1_5'"]),
        ("1\nTrue\n", ["m.scores, line 2: a score expected, found 'True'"]),
        ("1\n[1]\n", ["m.scores, line 2: a score expected, found '[1]'"]),
        (b"1\n\xff\n", ["m.scores, line 2: not UTF-8 text"]),
        # JSON lines.
        ('{"score": 1}\n{"score": 1\n', ["m.scores, line 2: not a JSON object"]),
        ('{"score": 1}\n{"s": 1}\n', ["m.scores, line 2: a JSON object with the key 'score' expected"]),
        ('{"score": null}\n', ["m.scores, line 1: a score expected, found None"]),
        ('{"score": true}\n', ["m.scores, line 1: a score expected, found True"]),
        ('{"score": "1"}\n', ["m.scores, line 1: a score expected, found '1'"]),
        ('{"score": [1, 2, 3]}\n', ["m.scores, line 1: a score expected, found a list"]),
        ('{"score": NaN}\n', ["m.scores, line 1: nan is no score"]),
        ('{"score": -Infinity}\n', ["m.scores, line 1: -inf is no score"]),
        (f'{{"score": {"1" * 400}}}\n', ["m.scores, line 1: inf is no score"]),
        (f'{{"score": {"1" * 5000}}}\n', ["m.scores, line 1: not a JSON object"]),
        ('{"score": ' + "[" * 100_000 + "\n", ["m.scores, line 1: not a JSON object"]),
        ('{"score": 1}\n', ["m.scores, line 1: 9 scores needed", "found 1"]),
        ('{"scores": 1}\n', ["m.scores, line 1: key 'scores': a list of scores expected"]),
        ('{"scores": [1, 2]}\n', ["m.scores, line 1: 3 scores expected for instance 0 (from 0), found 2"]),
        ('{"scores": [1, 2, 3]}\n{"scores": [1, 2, 3]}\n', ["line 2: 4 scores expected for instance 1 (from 0), found 3"]),
        ('{"scores": [1, 2, 3]}\n', ["m.scores, line 1: 9 scores needed", "found 3"]),
        ('{"scores": [1, 2, null]}\n', ["m.scores, line 1: a score expected, found None"]),
        ('{"scores": []}\n', ["m.scores, line 1: 3 scores expected for instance 0 (from 0), found 0"]),
        # Lines of instances and of translations mixed.
        ('{"scores": [1, 2, 3]}\n{"score": 1}\n', ["m.scores, line 2: a JSON object with the key 'scores' expected"]),
        ('{"scores": [1, 2, 3]}\n1\n', ["m.scores, line 2: a JSON object with the key 'scores' expected"]),
        ('1\n2\n3\n{"scores": [1, 2, 3, 4]}\n', ["m.scores, line 4: a JSON object with the key 'score' expected"]),
    ],
)  # fmt: skip
def test_wrong_scores(folder, wrong, content, expected):
    test_set = folder.write("set.json", CONTRAPRO)
    wrong(["evaluate", test_set, folder.write("m.scores", content)], *expected)


def test_one_instance_too_many(folder, wrong):
    lines = [[1, 2, 3], [1, 2, 3, 4], [1, 2], [1, 2]]
    scores = folder.write("m.scores", "".join(json.dumps({"scores": values}) + "\n" for values in lines))
    test_set = folder.write("set.json", CONTRAPRO)
    wrong(["evaluate", test_set, scores], "m.scores, line 4: 9 scores needed", "found 11")


def test_the_second_model_is_checked_too(folder, wrong):
    test_set = folder.write("set.json", CONTRAPRO)
    good, bad = folder.scores(*range(9), name="good"), folder.scores(*range(8), name="bad")
    wrong(["evaluate", test_set, good, bad], "bad, line 8: 9 scores needed")


# ---- files and options ----


def test_files_that_are_not_there(folder, wrong):
    test_set, scores = folder.write("set.json", CONTRAPRO), folder.scores(*range(9))
    none = folder.file("none")
    missing = "none: cannot be read: No such file or directory"
    wrong(["evaluate", none, scores], missing)
    wrong(["evaluate", test_set, none], missing)
    wrong(["evaluate", test_set, scores, "--manifest", none], missing)
    wrong(["evaluate", test_set, scores, "--groups", none, "--source", test_set], missing)
    wrong(["evaluate", test_set, folder.path], "cannot be read: Is a directory")
    wrong(["prepare", none, "-o", folder.file("out")], missing)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--baseline", "x"], ["--baseline: no model is called 'x'. Models: m.scores"]),
        (["--baseline", "m.scores"], ["--baseline needs at least two models"]),
        (["--source", "x"], ["--source goes with --groups"]),
        (["--source-context", "x"], ["--source-context goes with --groups"]),
        (["--target-context", "x"], ["--target-context goes with --groups"]),
        (["--groups", "x"], ["--groups needs --source"]),
        (
            ["--groups", "x", "--source", "y", "--target-context", "z"],
            ["--target-context goes with --source-context"],
        ),
        (
            ["--format", "xml"],
            ["'xml' is not one of 'text', 'json', 'tsv', 'latex'", "apt-contrast evaluate --help"],
        ),
        (["--width", "-1"], ["-1 is not in the range"]),
        (["--best"], ["No such option", "--best"]),
    ],
)
def test_options_that_do_not_fit(folder, wrong, options, expected):
    test_set = folder.write("set.json", CONTRAPRO)
    wrong(["evaluate", test_set, folder.scores(*range(9)), *options], *expected)


def test_an_empty_name_is_not_left_out(folder, wrong):
    """The target context must not slip into the place of the source's."""
    context = folder.write("context", "A?\n" * 5)
    arguments = ["evaluate", *folder.grouped(), folder.scores(*range(5))]
    wrong([*arguments, "--source-context", "", "--target-context", context], "cannot be read")


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "-", "-"],
        ["evaluate", "set.json", "-", "-"],
        ["evaluate", "set.json", "-", "--manifest", "-"],
        ["evaluate", "-", "m.scores", "--manifest", "-"],
        ["evaluate", "-", "m.scores", "--source", "s", "--groups", "-"],
        ["evaluate", "t", "-", "--source", "-", "--groups", "g"],
        ["prepare", "-", "-o", "out", "--source", "-", "--groups", "g"],
        ["prepare", "t", "-o", "out", "--source", "s", "--groups", "-", "--source-context", "-"],
    ],
)
def test_standard_input_can_be_named_once(wrong, arguments):
    wrong(arguments, "standard input (-) can be named only once")


def test_messages_call_standard_input_by_name(folder, wrong):
    scores = folder.scores(*range(9))
    wrong(["evaluate", "-", scores], "standard input, line 1: not JSON", stdin=b"x")
    wrong(["evaluate", "-", scores], "standard input: there is no instance in it", stdin=b"[]")
    wrong(["evaluate", "-", scores], "standard input: instance 0 (from 0): an object", stdin=b"[1]")
    test_set = folder.write("set.json", CONTRAPRO)
    wrong(["evaluate", test_set, "-"], "standard input, line 1: a score expected, found 'x'", stdin=b"x\n")
    target, *rest = folder.grouped()
    groups = [*rest[:-1], "-"]
    wrong(["evaluate", target, scores, *groups], "standard input, line 1: the first group", stdin=b"1\n")
    assert GROUPS.startswith("0\n")


def test_no_arguments(wrong):
    wrong(["evaluate"], "Missing argument 'SET'")
    wrong(["evaluate", "set.json"], "Missing argument 'SCORES...'")
    wrong(["prepare", "set.json"], "Missing option '--output'")
    wrong(["judge"], "No such command 'judge'", "evaluate, prepare")
