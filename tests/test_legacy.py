"""Configurations of the 2017 tool: each key does what it did there."""

import json

import pytest

BASE = {
    ("lang", "source"): "en",
    ("lang", "target"): "fr",
    ("lang", "source_word_separator"): "",
    ("lang", "target_word_separator"): "",
    ("files", "source"): "s",
    ("files", "reference"): "r",
    ("files", "target"): "t",
    ("files", "alignment_source_reference"): "ra",
    ("files", "alignment_source_target"): "ta",
    ("files", "list_source_pronouns"): "sources",
    ("files", "input_type"): "word",
    ("files", "list_target_pronouns"): "targets",
    ("dictionary", "equal"): "",
    ("dictionary", "similar"): "",
    ("dictionary", "source_pronouns"): "",
    ("dictionary", "target_pronouns"): "",
    ("cases", "cases_to_use"): "1,2,3,4,5,6",
    ("cases", "weigths_per_case"): "1,0.5,0,0,0,0",
    ("cases", "count_OTHER_as_equal"): "false",
    ("output", "output_file"): "out",
}
# it: il/elle; IT: OTHER/OTHER; they: marche-t-il/marche-t-elle; it: unlinked on both sides, il between its neighbours.
FILES = {
    "s": "it works\nIT works\nthey work\nand it works\n",
    "r": "il marche\nmachine marche\nmarche-t-il\net il marche\n",
    "t": "elle marche\nmachine marche\nmarche-t-elle\net il marche\n",
    "ra": "0-0 1-1\n0-0 1-1\n0-0\n0-0 2-2\n",
    "ta": "0-0 1-1\n0-0 1-1\n0-0\n0-0 2-2\n",
    "sources": "It\nthey\n",
    "targets": "IL\nelle\non\n",
    "pronouns": "it\nthey\n",
    "groups": "il, elle\nelle, on\n",
}


@pytest.fixture
def config(tmp_path, monkeypatch, apt_score):
    """Writes a configuration with some keys changed, runs it and gives the cases of its four pronouns."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)

    def run(changes=None, *options, status=0):
        values = BASE | (changes or {})
        sections = dict.fromkeys(section for section, _ in values)
        text = "".join(
            f"[{section}]\n"
            + "".join(f"{key}: {value}\n" for (s, key), value in values.items() if s == section)
            for section in sections
        )
        (tmp_path / "config").write_text(text)
        outcome = apt_score("--config", "config", "-f", "json", "--details", "d.jsonl", *options)
        assert outcome.status == status, outcome.err
        if status:
            return outcome.err
        (system,) = json.loads(outcome.out)["systems"]
        rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text().splitlines()]
        return system["score"], [row["case"] for row in rows]

    return run


def test_as_it_is(config):
    """Capitals are folded on both sides, IT counts; a whole word is matched; nothing is rescued."""
    assert config() == (0.0, [3, 3, 3, 6])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({("dictionary", "equal"): "groups"}, [1, 3, 3, 6]),  # il, elle in one group
        ({("dictionary", "similar"): "groups"}, [2, 3, 3, 6]),
        ({("cases", "count_OTHER_as_equal"): "true"}, [3, 1, 1, 6]),
        ({("lang", "target_word_separator"): "-", ("dictionary", "similar"): "groups"}, [2, 3, 2, 6]),
        ({("files", "list_target_pronouns"): ""}, [3, 1, 3, 6]),  # every word counts
        (
            {("dictionary", "source_pronouns"): "pronouns", ("dictionary", "target_pronouns"): "targets"},
            [3, 3, 3, 1],
        ),
        ({("dictionary", "source_pronouns"): "pronouns"}, [3, 3, 3, 6]),  # one dictionary is not enough
    ],
)
def test_each_key(config, changes, expected):
    assert config(changes)[1] == expected


def test_weights_stand_in_the_order_of_the_cases_used(config):
    changes = {("cases", "cases_to_use"): "6,3", ("cases", "weigths_per_case"): "1,0.25"}
    # Three of case 3 and one of case 6: (3 * 0.25 + 1) / 4
    assert config(changes)[0] == 0.4375
    # Only case 6 is left.
    assert config({("cases", "cases_to_use"): "6", ("cases", "weigths_per_case"): "0.5"})[0] == 0.5


def test_positions(config, tmp_path):
    (tmp_path / "sources").write_text("0 1\n3 1\n")
    changes = {("files", "input_type"): "possition"}
    assert config(changes)[1] == [3, 6]  # works/marche: OTHER against OTHER
    rescue = {("dictionary", "source_pronouns"): "pronouns", ("dictionary", "target_pronouns"): "targets"}
    assert config(changes | rescue)[1][1] == 1


def test_options_that_go_with_it(config, tmp_path):
    (tmp_path / "docids").write_text("a\na\nb\nb\n")
    (tmp_path / "ta").write_text("0-0 9-9\n0-0 1-1\n0-0\n0-0 2-2\n")
    assert config(None, "--lenient-links", "--docids", "docids")[1] == [3, 3, 3, 6]


@pytest.mark.parametrize(
    "options",
    [
        ["--lang", "fr"],
        ["--weights", "1,1,1,1,1,1"],
        ["--aligner", "lexical"],
        ["--no-heuristic"],
        ["s", "r", "t"],
    ],
    ids=" ".join,
)
def test_options_that_the_configuration_has_itself(config, options):
    assert "--config has its own settings" in config(None, *options, status=2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({("cases", "cases_to_use"): "01,2"}, "unknown case '01'"),
        ({("cases", "cases_to_use"): "1,1"}, "a case is named twice"),
        ({("cases", "cases_to_use"): "none"}, "unknown case 'none'"),
        ({("cases", "weigths_per_case"): "1,0"}, "6 needed, one a case used, found 2"),
        ({("cases", "weigths_per_case"): "1,0,0,0,0,7"}, "outside [0, 1]"),
        ({("cases", "count_OTHER_as_equal"): "perhaps"}, "expected true or false"),
        ({("files", "input_type"): "sentence"}, "unknown value 'sentence'"),
        ({("files", "list_source_pronouns"): ""}, "list_source_pronouns is missing or empty"),
        ({("files", "source"): ""}, "source is missing or empty"),
        ({("files", "source"): "nowhere"}, "nowhere: cannot be read"),
        ({("dictionary", "equal"): "nowhere"}, "nowhere: cannot be read"),
    ],
)
def test_mistakes(config, changes, message):
    assert message in config(changes, status=2)


def test_a_file_that_is_no_configuration(apt_score, tmp_path):
    path = tmp_path / "config"
    path.write_text("no sections\n")
    outcome = apt_score("--config", path)
    assert outcome.status == 2
    assert "not a configuration file" in outcome.err
