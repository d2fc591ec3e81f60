"""Systems compared by both commands: intervals, paired tests, baselines, units."""

import pytest
from compared_texts import ALL, COMMANDS, FEW, LESS, MANY, QUICK, Texts, resampling
from conftest import check


@pytest.fixture(params=COMMANDS, ids=str)
def texts(request, tmp_path, run_command) -> Texts:
    return Texts(tmp_path, request.param, run_command)


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
