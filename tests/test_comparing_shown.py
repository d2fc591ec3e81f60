"""Comparisons as they are printed and called, and what cannot be compared."""

import pytest
from compared_texts import ALL, COMMANDS, FEW, MANY, QUICK, Texts, candidate
from conftest import check

from apt import APT, OptionError
from apt.comparing import Plan, compare
from autoprf import AutoPRF


@pytest.fixture(params=COMMANDS, ids=str)
def texts(request, tmp_path, run_command) -> Texts:
    return Texts(tmp_path, request.param, run_command)


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
