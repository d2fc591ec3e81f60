"""Systems compared by both commands: intervals, paired tests, baselines, units, and what cannot be.

Texts are written as a character a segment. Each has one pronoun and one word linked to it on either side, so
APT and AutoPRF's F1 are both the share of right segments:
1 right, 0 wrong, x wrong by another word, - no pronoun in the source, u no link in the candidate.
"""

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest
from conftest import Outcome

import apt.render.json
import autoprf.cli
import autoprf.render
from apt import APT, OptionError
from apt.cli import score
from apt.comparing import Plan, compare
from autoprf import AutoPRF

ALL = ["--confidence", "--paired-bs", "--paired-ar"]
QUICK = [*ALL, "--confidence-n", "200", "--paired-bs-n", "200", "--paired-ar-n", "200"]
# 14, 20 and 11 right of 30: differences that chance may well make.
FEW = "110100010111000101010011010010"
MANY = "1111x1010111100101011011010111"
LESS = "0101x00101010001x101001001x010"


def candidate(pattern: str) -> list[str]:
    words = {"1": "il", "x": "paul"}
    return [f"{words.get(c, 'elle')} marche" for c in pattern]


@dataclass(frozen=True)
class Command:
    """One of the two commands, and what its number is called."""

    name: str
    main: object
    number: str
    metric: type
    schema: dict

    def __str__(self):
        return self.name


COMMANDS = [
    Command("apt-score", score.main, "score", APT, apt.render.json.json_schema()),
    Command("autoprf-score", autoprf.cli.main, "f1", AutoPRF, autoprf.render.json_schema()),
]


class Texts:
    """Writes texts and gives the arguments to score them; or runs a command on them."""

    def __init__(self, folder: Path, command: Command, capfd, monkeypatch) -> None:
        self.folder, self.command, self.number = folder, command, command.number
        self._capfd, self._monkeypatch = capfd, monkeypatch

    def run(self, *arguments) -> Outcome:
        self._monkeypatch.setattr(sys, "argv", [self.command.name, *map(str, arguments)])
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        with pytest.raises(SystemExit) as exit_info:
            self.command.main()
        captured = self._capfd.readouterr()
        return Outcome(exit_info.value.code, captured.out, captured.err)

    def write(self, name: str, lines) -> str:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))
        return str(path)

    def arguments(self, **systems: str) -> list[str]:
        """SRC, REF, the HYPs with their links, and the language."""
        first = next(iter(systems.values()))
        given = [self.write("src.en", ["hello" if c == "-" else "it works" for c in first])]
        given.append(self.write("ref.fr", ["il marche"] * len(first)))
        links = ["--ref-align", self.write("ref.align", ["0-0"] * len(first))]
        for name, pattern in systems.items():
            given.append(self.write(name, candidate(pattern)))
            links += [
                "--hyp-align",
                self.write(f"{name}.align", ["" if c == "u" else "0-0" for c in pattern]),
            ]
        return [*given, *links, "--lang", "fr", "--tokenize", "none"]

    def score(self, *options, **systems: str) -> dict[str, dict]:
        """Each system's part of the JSON document, which follows the schema and has no NaN."""
        outcome = self.run(*self.arguments(**systems), *options, "-f", "json")
        assert (outcome.status, outcome.err) == (0, "")
        return self.parsed(outcome.out)

    def parsed(self, text: str) -> dict[str, dict]:
        document = json.loads(text, parse_constant=pytest.fail)  # NaN and Infinity are no JSON
        jsonschema.validate(document, self.command.schema)
        return {system["name"]: system for system in document["systems"]}


@pytest.fixture(params=COMMANDS, ids=str)
def texts(request, tmp_path, capfd, monkeypatch) -> Texts:
    return Texts(tmp_path, request.param, capfd, monkeypatch)


def resampling(systems):
    return {name: system["resampling"] for name, system in systems.items()}


# ---- numbers that can be worked out ----


def test_a_difference_in_every_segment(texts):
    """p is 1 of the resamples plus 1, never 0.

    However drawn, the systems have 1 and 0. Swapping makes the difference as large only if all 40 segments are
    swapped or none is, 2 of 2^40 ways.
    """
    systems = texts.score(*ALL, base="0" * 40, good="1" * 40)
    base, good = (systems[name]["resampling"] for name in ("base", "good"))
    number = texts.number
    whole = {"undefined": 0, "resamples": 1000, "level": 0.95}
    assert base["intervals"][number] == {"low": 0, "high": 0, **whole}
    assert good["intervals"][number] == {"low": 1, "high": 1, **whole}
    bootstrap, randomization = good["bootstrap"][number], good["randomization"][number]
    assert bootstrap["p"] == pytest.approx(1 / 1001, abs=1e-15)
    assert bootstrap["interval"] == {"low": 1, "high": 1, **whole}
    assert randomization["p"] == pytest.approx(1 / 10001, abs=1e-15)
    assert (bootstrap["difference"], randomization["difference"], randomization["interval"]) == (1, 1, None)


def test_a_difference_in_two_segments(texts):
    """Swapped both or neither, half of the ways, they differ by 1 as observed, else by 0: p is near 1/2."""
    systems = texts.score("--paired-ar", base="00", good="11")
    (p,) = {test["p"] for test in systems["good"]["resampling"]["randomization"].values()}
    assert p == pytest.approx(0.5, abs=0.03)  # six standard deviations of 10000 throws


def test_numbers_of_resamples_are_those_asked_for(texts):
    options = ["--confidence-n", "10", "--paired-bs-n", "20", "--paired-ar-n", "30"]
    systems = texts.score(*ALL, *options, base="0" * 40, good="1" * 40)
    good = systems["good"]["resampling"]
    assert good["intervals"][texts.number]["resamples"] == 10
    assert good["bootstrap"][texts.number]["p"] == pytest.approx(1 / 21, abs=1e-15)
    assert good["randomization"][texts.number]["p"] == pytest.approx(1 / 31, abs=1e-15)
    assert "|resample:segments|ci:10|bs:20|ar:30|seed:12345|version:" in systems["good"]["signature"]


def test_identical_systems(texts):
    systems = texts.score(*QUICK, a=FEW, b=FEW)
    assert systems["a"]["resampling"]["intervals"] == systems["b"]["resampling"]["intervals"]
    for kind in ("bootstrap", "randomization"):
        for test in systems["b"]["resampling"][kind].values():
            assert (test["difference"], test["p"]) == (0, 1)


def test_intervals_lie_around_the_score(texts):
    systems = texts.score(*ALL, few=FEW, many=MANY)
    assert systems["few"][texts.number] == pytest.approx(14 / 30)
    assert systems["many"][texts.number] == pytest.approx(20 / 30)
    for system in systems.values():
        interval = system["resampling"]["intervals"][texts.number]
        assert 0 < interval["low"] < system[texts.number] < interval["high"] < 1
    found = systems["many"]["resampling"]
    for test in (found["bootstrap"][texts.number], found["randomization"][texts.number]):
        assert test["difference"] == pytest.approx(6 / 30)
        assert 0 < test["p"] < 1
    between = found["bootstrap"][texts.number]["interval"]
    assert between["low"] < 6 / 30 < between["high"]


# ---- the seed ----


def test_the_seed_decides(texts):
    systems = {"few": FEW, "many": MANY}
    again = [texts.score(*ALL, **systems) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0] == texts.score(*ALL, "--seed", "12345", **systems)
    numbers = [again[0], *(texts.score(*ALL, "--seed", seed, **systems) for seed in (0, 1))]
    assert [found["few"]["resampling"]["seed"] for found in numbers] == [12345, 0, 1]
    for kind in ("bootstrap", "randomization"):
        ps = {found["many"]["resampling"][kind][texts.number]["p"] for found in numbers}
        assert len(ps) == 3
    assert "|seed:0|" in numbers[1]["few"]["signature"]


def test_without_resampling_nothing_is_said_of_it(texts):
    system = texts.score("--seed", "0", few=FEW)["few"]
    assert system["resampling"] is None
    assert "seed" not in system["signature"]


def test_jobs_change_nothing(texts, monkeypatch):
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", 7)
    arguments = [*texts.arguments(few=FEW, many=MANY), *QUICK]
    one, two = (texts.run(*arguments, "-f", "json", "--jobs", jobs) for jobs in (1, 2))
    assert one == two
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", 4096)
    assert texts.run(*arguments, "-f", "json") == one


# ---- one system and the others ----


def check_independence(texts, *options):
    alone = texts.score("--confidence", "--confidence-n", "200", *options, few=FEW)["few"]
    pair = texts.score(*QUICK, *options, few=FEW, many=MANY)
    three = texts.score(*QUICK, *options, few=FEW, less=LESS, many=MANY)
    reverse = texts.score(*QUICK, *options, "--baseline", "few", many=MANY, few=FEW)
    for systems in (pair, three, reverse):
        assert systems["few"]["resampling"]["intervals"] == alone["resampling"]["intervals"]
        assert systems["many"]["resampling"] == pair["many"]["resampling"]
    return alone["resampling"]["intervals"]


def test_what_is_found_does_not_depend_on_other_systems(texts):
    check_independence(texts)


@pytest.mark.parametrize("texts", COMMANDS[1:], ids=str, indirect=True)
def test_clipped_over_the_corpus_neither(texts):
    """Another system brings other words: those of no other count."""
    corpus = check_independence(texts, "--clip", "corpus")
    # 14 il and 16 elle against 30 il: the same matches as one by one.
    assert corpus == check_independence(texts)


def test_the_baseline_is_the_first_unless_named(texts):
    systems = {"few": FEW, "less": LESS, "many": MANY}
    found = resampling(texts.score(*QUICK, **systems))
    assert {name: part["baseline"] for name, part in found.items()} == {
        "few": None,
        "less": "few",
        "many": "few",
    }
    assert (found["few"]["bootstrap"], found["few"]["randomization"]) == ({}, {})
    assert set(found["few"]["intervals"]) == set(found["less"]["intervals"])
    named = resampling(texts.score(*QUICK, "--baseline", "many", **systems))
    assert {name: part["baseline"] for name, part in named.items()} == {
        "few": "many",
        "less": "many",
        "many": None,
    }
    assert (named["many"]["bootstrap"], named["many"]["randomization"]) == ({}, {})
    there, back = (part["bootstrap"][texts.number] for part in (found["many"], named["few"]))
    assert there["difference"] == -back["difference"] == pytest.approx(6 / 30)
    assert there["p"] == back["p"]


def test_an_interval_alone_needs_no_baseline(texts):
    (found,) = resampling(texts.score("--confidence", few=FEW)).values()
    assert (found["baseline"], found["bootstrap"], found["randomization"]) == (None, {}, {})


def test_systems_of_the_same_name(texts):
    """Each has a name of its own, the path or the path with a number, and can be compared."""
    arguments = texts.arguments(**{"a/x.fr": FEW, "b/x.fr": MANY})
    first, second = arguments[2:4]
    arguments.insert(4, first)
    arguments += ["--hyp-align", f"{first}.align"]
    names = [first, second, f"{first}#2"]
    outcome = texts.run(*arguments, *QUICK, "-f", "json", "--baseline", second)
    found = texts.parsed(outcome.out)
    assert list(found) == names
    assert [part["resampling"]["baseline"] for part in found.values()] == [second, None, second]
    assert found[first]["resampling"] == found[f"{first}#2"]["resampling"]
    by_number = texts.parsed(texts.run(*arguments, *QUICK, "-f", "json", "--baseline", f"{first}#2").out)
    assert by_number[first]["resampling"]["bootstrap"][texts.number]["p"] == 1  # the same text
    check(
        texts.run(*arguments, *QUICK, "--baseline", "x.fr"),
        "--baseline: no system is called 'x.fr'. Systems: ",
        *names,
    )


# ---- documents ----


def test_documents_that_are_right_or_wrong_as_a_whole(texts):
    """Two documents, one all right, one all wrong: drawn whole, the score is 0, 1/2 or 1.

    0 and 1 come in a quarter of the draws each, so 95 % reach from 0 to 1. Of 40 segments drawn one by one it
    is out of the question that none is right.
    """
    docids = texts.write("docids", ["a"] * 20 + ["b"] * 20)
    pattern = "1" * 20 + "0" * 20
    whole = texts.score("--confidence", "--docids", docids, "--resample", "documents", x=pattern)["x"]
    interval = whole["resampling"]["intervals"][texts.number]
    assert (interval["low"], interval["high"]) == (0, 1)
    assert whole["resampling"]["unit"] == "documents"
    assert "|resample:documents|" in whole["signature"]
    single = texts.score("--confidence", "--docids", docids, x=pattern)["x"]
    interval = single["resampling"]["intervals"][texts.number]
    # sqrt(1/4 / 40) is 0.079: about 0.5 - 0.155 to 0.5 + 0.155
    assert interval["low"] == pytest.approx(0.345, abs=0.05)
    assert interval["high"] == pytest.approx(0.655, abs=0.05)
    assert "|resample:segments|" in single["signature"]


def test_documents_may_be_scattered_over_the_text(texts):
    """A document is the segments with its id, wherever they are: here every second one."""
    docids = texts.write("docids", ["a", "b"] * 20)
    options = ["--confidence", "--paired-ar", "--docids", docids, "--resample", "documents"]
    systems = texts.score(*options, base="00" * 20, x="10" * 20)
    interval = systems["x"]["resampling"]["intervals"][texts.number]
    assert (interval["low"], interval["high"]) == (0, 1)
    # Two units, of which one differs: swapped or not, they differ as much as observed.
    assert systems["x"]["resampling"]["randomization"][texts.number]["p"] == 1


# ---- undefined ----


def test_resamples_that_draw_no_pronoun(texts):
    """One segment of 10 has one: 0.9^10 = 35 % of the resamples miss it."""
    systems = {"base": "0---------", "good": "1---------"}
    found = resampling(texts.score(*ALL, **systems))
    interval = found["good"]["intervals"][texts.number]
    missed = interval["undefined"]
    assert 290 < missed < 410  # of 1000, within four standard deviations
    assert (interval["low"], interval["high"], interval["resamples"]) == (1, 1, 1000)
    bootstrap = found["good"]["bootstrap"][texts.number]
    assert (bootstrap["undefined"], bootstrap["resamples"]) == (missed, 1000)
    assert bootstrap["p"] == pytest.approx(1 / (1000 - missed + 1), abs=1e-15)  # of those that are defined
    assert found["good"]["randomization"][texts.number]["undefined"] == 0  # swapping loses nothing
    note = f"up to {missed} resamples have no score and are left out"
    text = texts.run(*texts.arguments(**systems), *ALL).out
    assert f"base: {note}\n" in text
    assert f"good: {note}\n" in text
    assert note in texts.run(*texts.arguments(good="1---------"), "--confidence").out
    assert "have no score" not in texts.run(*texts.arguments(few=FEW, many=MANY), *ALL).out


@pytest.mark.parametrize("order", [("none", "some"), ("some", "none")], ids=" ".join)
def test_a_system_without_a_score(texts, order):
    """No pronoun linked: undefined for AutoPRF, and for APT if that case is discarded."""
    patterns = {"none": "u" * 30, "some": FEW}
    options = [*QUICK, *(["--discard", "4"] if texts.command.name == "apt-score" else [])]
    systems = {name: patterns[name] for name in order}
    found = texts.score(*options, **systems)
    assert found["none"][texts.number] is None
    assert found["none"]["resampling"]["intervals"][texts.number] is None
    assert found["some"]["resampling"]["intervals"][texts.number] is not None
    second = found[order[1]]["resampling"]
    assert (second["bootstrap"][texts.number], second["randomization"][texts.number]) == (None, None)

    text = texts.run(*texts.arguments(**systems), *options).out
    assert "nan" not in text.lower()
    row = next(line for line in text.split("\n") if line.startswith("none "))
    assert row.split()[1] == "n/a"
    assert f"{order[1]}: an interval or test is n/a, because a score is undefined" in text
    compared = text[text.index("compared with") :].split("\n")[2]
    assert compared.split()[-4:] == ["n/a", "n/a", "n/a", "n/a"]  # difference, interval, p, p

    head, *rows = texts.run(*texts.arguments(**systems), *options, "-f", "tsv").out.strip("\n").split("\n")
    cells = {row.split("\t")[0]: dict(zip(head.split("\t"), row.split("\t"), strict=True)) for row in rows}
    for column in ("", "_low", "_high"):
        assert cells["none"][f"{texts.number}{column}"] == ""
        assert cells["some"][f"{texts.number}{column}"] != ""
    for column in ("difference", "difference_low", "difference_high", "p_bootstrap", "p_randomization"):
        assert cells[order[1]][f"{texts.number}_{column}"] == ""


def test_only_systems_without_a_score(texts):
    found = resampling(texts.score(*QUICK, a="----", b="----"))
    assert found["b"]["intervals"] == dict.fromkeys(found["b"]["intervals"])
    assert set(found["b"]["bootstrap"].values()) == {None}
    assert "because a score is undefined" in texts.run(*texts.arguments(a="----", b="----"), *QUICK).out


# ---- text and TSV ----


def test_text_shows_intervals_and_tests(texts):
    arguments = texts.arguments(base="0" * 40, good="1" * 40)
    lines = texts.run(*arguments, *ALL, "-w", "2").out.split("\n")
    assert next(line for line in lines if line.startswith("good ")).startswith("good    1.00 [1.00, 1.00]")
    at = lines.index("compared with base")
    head, first = lines[at + 1 : at + 3]
    assert head.split()[-8:] == ["difference", "95", "%", "interval", "p", "bootstrap", "p", "randomization"]
    assert first.split()[-5:] == ["+1.00", "[+1.00,", "+1.00]", "0.0010", "0.0001"]
    assert not any(line.startswith("base") for line in lines[at + 1 : lines.index("", at)])
    assert (
        "resampled: segments, 1000 for intervals, 1000 for bootstrap, 10000 for randomization; seed 12345;"
        " intervals hold 95 %" in lines
    )


@pytest.mark.parametrize(
    ("options", "columns"),
    [
        (["--paired-bs"], "difference 95 % interval p bootstrap"),
        (["--paired-ar"], "difference p randomization"),
    ],
)
def test_text_shows_the_test_asked_for(texts, options, columns):
    lines = texts.run(*texts.arguments(few=FEW, many=MANY), *options).out.split("\n")
    head = lines[lines.index("compared with few") + 1]
    assert head.split()[-len(columns.split()) :] == columns.split()
    assert head.split()[: -len(columns.split())] in (["system"], ["system", "number"])


def test_text_never_shows_a_p_of_0(texts):
    """1/100001 has no digit among the first four."""
    arguments = texts.arguments(base="0" * 40, good="1" * 40)
    text = texts.run(*arguments, "--paired-ar", "--paired-ar-n", "100000").out
    assert "<0.0001" in text
    assert " 0.0000\n" not in text[text.index("compared with") : text.index("resampled")]


def test_text_of_one_system(texts):
    text = texts.run(*texts.arguments(good="1" * 40), "--confidence").out
    assert "1.0000 [1.0000, 1.0000]" in text.split("\n")[0]
    assert "resampled: segments, 1000 for intervals; seed 12345; intervals hold 95 %\n" in text
    assert "compared with" not in text


def test_scores_only_stay_scores_only(texts):
    assert texts.run(*texts.arguments(base="0" * 4, good="1" * 4), *QUICK, "-b").out == "0.0000\n1.0000\n"


def test_tsv(texts):
    arguments = texts.arguments(base="0" * 40, good="1" * 40)
    plain = texts.run(*arguments, "-f", "tsv").out.split("\n")[0].split("\t")
    head, *rows = texts.run(*arguments, *ALL, "-f", "tsv").out.strip("\n").split("\n")
    names = ["score"] if texts.number == "score" else ["f1", "precision", "recall"]
    kinds = [
        "low",
        "high",
        "difference",
        "difference_low",
        "difference_high",
        "p_bootstrap",
        "p_randomization",
    ]
    new = [f"{name}_{kind}" for name in names for kind in kinds]
    assert head.split("\t") == [*plain[:-1], *new, "signature"]
    cells = [dict(zip(head.split("\t"), row.split("\t"), strict=True)) for row in rows]
    for name in names:
        assert [cells[0][f"{name}_{kind}"] for kind in kinds] == ["0.0000", "0.0000", "", "", "", "", ""]
        good = ["1.0000", "1.0000", "1.0000", "1.0000", "1.0000", "0.000999001", "9.999e-05"]
        assert [cells[1][f"{name}_{kind}"] for kind in kinds] == good


# ---- what cannot be ----


def check(outcome, *expected):
    """A user's mistake: status 2, nothing on standard output, one line that says these things."""
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    for words in expected:
        assert words in outcome.err


@pytest.mark.parametrize("test", ["--paired-bs", "--paired-ar"])
def test_a_paired_test_of_one_system(texts, test):
    check(texts.run(*texts.arguments(few=FEW), test), "a paired test needs at least two systems, found one")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--paired-bs", "--baseline", "x"], "--baseline: no system is called 'x'. Systems: few, many"),
        (["--baseline", "few"], "--baseline goes with --paired-bs or --paired-ar"),
        (["--confidence", "--baseline", "few"], "--baseline goes with --paired-bs or --paired-ar"),
        (
            ["--confidence", "--resample", "documents"],
            "--resample documents: --docids or --doc-starts says what",
        ),
        (["--resample", "documents"], "--resample goes with --confidence, --paired-bs or --paired-ar"),
        (["--confidence", "--resample", "words"], "'words' is not one of 'segments', 'documents'"),
        (["--confidence", "--seed", "-1"], "-1 is not in the range"),
        (["--confidence", "--confidence-n", "0"], "0 is not in the range"),
        (["--paired-bs", "--paired-bs-n", "0"], "0 is not in the range"),
        (["--paired-ar", "--paired-ar-n", "many"], "'many' is not a valid integer"),
    ],
)
def test_wrong_options(texts, options, message):
    check(texts.run(*texts.arguments(few=FEW, many=MANY), *options), message)


def test_systems_of_different_lengths(texts):
    message = "longer, line 31: 30 lines expected to match"
    check(texts.run(*texts.arguments(few=FEW, longer=FEW + "1"), *ALL), message)


def test_too_few_units(texts):
    check(
        texts.run(*texts.arguments(a="1"), "--confidence"), "at least 2 segments or documents needed, found 1"
    )
    docids = texts.write("docids", ["a"] * 30)
    options = ["--confidence", "--docids", docids, "--resample", "documents"]
    check(texts.run(*texts.arguments(few=FEW), *options), "at least 2 segments or documents needed, found 1")


# ---- the library ----


def result(texts, pattern, docids=None, keep_segments=True):
    links = ["0-0"] * len(pattern)
    return texts.command.metric(lang="fr", tokenize="none").corpus_score(
        candidate(pattern),
        ["il marche"] * len(pattern),
        ["it works"] * len(pattern),
        reference_links=links,
        hypothesis_links=links,
        docids=docids,
        keep_segments=keep_segments,
    )


def test_the_library_finds_what_the_command_does(texts):
    found = compare(
        {"few": result(texts, FEW), "many": result(texts, MANY)},
        Plan(confidence=1000, bootstrap=1000, randomization=10000),
    )
    systems = texts.score(*ALL, few=FEW, many=MANY)
    assert {name: {"name": name, **system.to_dict()} for name, system in found.items()} == systems


def test_no_plan_no_comparison(texts):
    results = {"few": result(texts, FEW)}
    assert compare(results, Plan()) == results
    assert results["few"].compared is None


def test_counts_of_segments_are_needed(texts):
    results = {"few": result(texts, FEW, keep_segments=False)}
    with pytest.raises(OptionError, match="score with keep_segments=True"):
        compare(results, Plan(confidence=10))


@pytest.mark.parametrize(
    ("patterns", "plan", "baseline", "message"),
    [
        ({"a": "10"}, Plan(bootstrap=10), None, "at least two systems, found one"),
        ({"a": "10", "b": "11"}, Plan(randomization=10), "c", "no system is called 'c'. Systems: a, b"),
        (
            {"a": "10", "b": "111"},
            Plan(bootstrap=10),
            None,
            "as many units as the baseline's 2 needed, found 3",
        ),
        ({"a": "10"}, Plan(confidence=10, unit="documents"), None, "the documents are not given"),
        (
            {"a": "10"},
            Plan(confidence=10, seed=-1),
            None,
            "seed: a whole number from 0 on expected, found -1",
        ),
    ],
)
def test_what_the_library_cannot_compare(texts, patterns, plan, baseline, message):
    with pytest.raises(OptionError, match=message):
        compare({name: result(texts, pattern) for name, pattern in patterns.items()}, plan, baseline)


def test_clip_corpus_is_resampled_over_the_corpus():
    """Segments take turns: il for elle and elle for il. Over the corpus nearly all words match (F1 near 1), in
    each occurrence none does (F1 0): an interval at 0 would be that of the other clip."""
    sources = ["it goes"] * 40
    references = ["il va", "elle va"] * 20
    hypotheses = ["elle va", "il va"] * 20
    links = ["0-0"] * 40
    found = {
        clip: AutoPRF(lang="fr", tokenize="none", clip=clip)
        .corpus_score(
            hypotheses, references, sources, reference_links=links, hypothesis_links=links, n_bootstrap=200
        )
        .compared.intervals["f1"]
        for clip in ("occurrence", "corpus")
    }
    assert (found["occurrence"].low, found["occurrence"].high) == (0.0, 0.0)
    assert found["corpus"].low > 0.5
    assert found["corpus"].high == 1.0


def test_a_second_comparison_replaces_the_first_in_the_signature():
    apt = APT(lang="fr", tokenize="none")
    texts = (["il va"] * 3, ["il va"] * 3, ["it goes"] * 3)
    links = {"reference_links": ["0-0"] * 3, "hypothesis_links": ["0-0"] * 3}
    result = apt.corpus_score(*texts, **links, n_bootstrap=5)
    again = compare({"a": result, "b": result}, Plan(randomization=7, seed=1))["b"]
    assert "|resample:segments|ar:7|seed:1|version:" in str(again.signature)
    assert "ci:" not in str(again.signature)


def test_a_negative_number_of_resamples_is_an_error():
    with pytest.raises(OptionError, match="n_bootstrap: a number of resamples expected, found -1"):
        APT(lang="fr").corpus_score(["il va"], ["il va"], ["it goes"], n_bootstrap=-1)


@pytest.mark.parametrize("option", ["--confidence-n", "--paired-bs-n", "--paired-ar-n"])
def test_a_number_of_resamples_for_nothing_is_an_error(texts, option):
    outcome = texts.run(*texts.arguments(a="0011", b="1100"), option, 50)
    assert outcome.status == 2
    assert f"{option} goes with {option.removesuffix('-n')}" in outcome.err
