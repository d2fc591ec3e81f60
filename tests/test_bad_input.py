"""Bad input through the command: one clear line on standard error, exit status 2, no output, no file."""

import gzip

import pytest
from conftest import check

SCORE = "0.6667\n"  # elle for il is wrong, ils and le are right


def test_the_corpus_as_it_is(apt_score, corpus):
    outcome = apt_score(*corpus.arguments(), "-b")
    assert (outcome.status, outcome.out, outcome.err) == (0, SCORE, "")


# ---- line counts ----


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("ref.fr", "Il marche .\nBonjour .\n", "ref.fr, line 3: 3 lines expected to match {src}, found 2"),
        ("hyp.fr", "Elle marche .\nBonjour .\nIls le savent .\nSurplus .\n", "hyp.fr, line 4: 3 lines expected to match {src}, found 4"),
        ("ref.align", "0-0 1-1 2-2\n0-0 1-1\n", "ref.align, line 3: 3 lines expected to match {src}, found 2"),
        ("hyp.align", "0-0\n\n\n\n\n", "hyp.align, line 4: 3 lines expected to match {src}, found 5"),
        ("hyp.align", "0-0\n0-0\n0-0\n0-0\n", "hyp.align, line 4: 3 lines expected to match {src}, found 4"),
        ("src.en", "It works .\nHello .\n", "ref.fr, line 3: 2 lines expected to match {src}, found 3"),
        # A missing line shifts the links: the missing line is the news, not the link that points nowhere.
        ("hyp.fr", "Bonjour .\nIls le savent .\n", "hyp.fr, line 3: 3 lines expected to match {src}, found 2"),
        ("hyp.fr", "", "hyp.fr, line 1: 3 lines expected to match {src}, found 0"),
    ],
)  # fmt: skip
def test_line_counts_that_differ(apt_score, corpus, name, content, message):
    corpus.write(name, content)
    check(apt_score(*corpus.arguments()), message.format(src=corpus.path("src.en")))


def test_a_missing_line_is_the_news_even_chunks_later(apt_score, corpus, monkeypatch):
    """The links of the line before the gap point nowhere, but only because of it."""
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", 1)
    corpus.write("hyp.fr", "Bonjour .\nIls le savent .\n")
    check(apt_score(*corpus.arguments()), "hyp.fr, line 3: 3 lines expected")


def test_docids_that_do_not_fit(apt_score, corpus):
    path = corpus.write("docids", "a\na\n")
    check(apt_score(*corpus.arguments(), "--docids", path), "docids, line 3: 3 lines expected", "found 2")


def test_files_that_are_all_empty(apt_score, corpus):
    for name in ("src.en", "ref.fr", "hyp.fr", "ref.align", "hyp.align"):
        corpus.write(name, "")
    check(apt_score(*corpus.arguments()), "src.en, line 1: the file is empty")


def test_a_surplus_empty_line_at_the_end_of_links_is_accepted(apt_score, corpus):
    """Published data has it."""
    corpus.write("hyp.align", "0-0 1-1 2-2 \n0-0 1-1\n0-0  1-2  2-1 3-3\n\n")
    assert apt_score(*corpus.arguments(), "-b").out == SCORE


def test_empty_lines_are_scored_and_mentioned(apt_score, corpus):
    corpus.write("hyp.fr", "\nBonjour .\nIls le savent .\n")
    corpus.write("hyp.align", "\n0-0 1-1\n0-0 1-2 2-1 3-3\n")
    outcome = apt_score(*corpus.arguments(), "-b")
    assert (outcome.status, outcome.out) == (0, SCORE)
    assert outcome.err == f"apt-score: note: {corpus.path('hyp.fr')}: 1 line is empty, the first is line 1\n"
    assert apt_score(*corpus.arguments(), "-b", "-q").err == ""


# ---- bytes ----


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Elle marche .\nÇa va .\nIls le savent .\n".encode("latin-1"), "hyp.fr, line 2: not UTF-8 text (byte 0xc7)"),
        ("Elle marche .\nBonjour .\nIls le savent .\n".encode("utf-16"), "hyp.fr, line 1: not UTF-8 text (it begins like UTF-16)"),
        (b"Elle marche .\nBonjour .\nIls le savent \xe2\x80", "hyp.fr, line 3: not UTF-8 text (byte 0xe2)"),
    ],
)  # fmt: skip
def test_other_encodings(apt_score, corpus, content, message):
    corpus.write("hyp.fr", content)
    check(apt_score(*corpus.arguments()), message, "convert the file to UTF-8")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: b"\xef\xbb\xbf" + text, id="BOM"),
        pytest.param(lambda text: text.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"), id="BOM and CRLF"),
        pytest.param(lambda text: text.rstrip(b"\n"), id="no newline at the end"),
    ],
)
def test_bom_and_line_ends_do_not_matter(apt_score, corpus, change):
    for name in ("src.en", "ref.fr", "hyp.fr", "ref.align", "hyp.align"):
        corpus.write(name, change((corpus.folder / name).read_bytes()))
    outcome = apt_score(*corpus.arguments(), "-b")
    assert (outcome.status, outcome.out, outcome.err) == (0, SCORE, "")


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
@pytest.mark.parametrize("tokenize", ["words", "none"])
def test_signs_that_some_programs_take_for_line_ends(apt_score, corpus, sign, tokenize):
    """The lines after it do not shift, and with --tokenize none it does not make a word."""
    for name in ("src.en", "ref.fr", "hyp.fr"):
        text = (corpus.folder / name).read_text()
        corpus.write(
            name,
            text.replace(" .\n", f" {sign}.\n", 1)
            if tokenize == "none"
            else text.replace(" .", f"{sign}.", 1),
        )
    outcome = apt_score(*corpus.arguments(), "-b", "--tokenize", tokenize)
    assert (outcome.status, outcome.out) == (0, SCORE)


def test_a_line_of_a_megabyte(apt_score, corpus):
    for name in ("src.en", "ref.fr", "hyp.fr"):
        text = (corpus.folder / name).read_text()
        corpus.write(name, text.replace("\n", " " + "mot " * 300_000 + "\n", 1))
    assert apt_score(*corpus.arguments(), "-b").out == SCORE


def test_gzip(apt_score, corpus):
    corpus.write("hyp.fr.gz", gzip.compress((corpus.folder / "hyp.fr").read_bytes()))
    assert apt_score(*corpus.arguments(hyp="hyp.fr.gz"), "-b").out == SCORE


def test_gzip_without_its_ending(apt_score, corpus):
    corpus.write("hyp.fr", gzip.compress(b"Elle marche .\nBonjour .\nIls le savent .\n"))
    check(apt_score(*corpus.arguments()), "it begins like gzip", "give it a name in .gz")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(apt_score, corpus, encoding):
    corpus.write("hyp.fr", "Elle marche .\nBonjour .\nIls le savent .\n".encode(encoding))
    check(apt_score(*corpus.arguments()), "hyp.fr, line 1: not UTF-8 text (NUL byte")


@pytest.mark.parametrize("content", [b"no gzip at all", gzip.compress(b"Elle marche .\n" * 1000)[:30]])
def test_broken_gzip(apt_score, corpus, content):
    corpus.write("hyp.fr.gz", content)
    check(apt_score(*corpus.arguments(hyp="hyp.fr.gz")), "hyp.fr.gz", "cannot be read")


# ---- files ----


def test_missing_file(apt_score, corpus):
    check(
        apt_score(*corpus.arguments(hyp="nowhere.fr")),
        "nowhere.fr: cannot be read: No such file or directory",
    )


def test_a_directory_for_a_file(apt_score, corpus):
    (corpus.folder / "folder").mkdir()
    check(apt_score(*corpus.arguments(ref="folder")), "folder: cannot be read: Is a directory")


def test_standard_input(apt_score, corpus):
    content = (corpus.folder / "hyp.fr").read_bytes()
    assert apt_score(*corpus.arguments(hyp="-"), "-b", stdin=content).out == SCORE


def test_standard_input_named_twice(apt_score, corpus):
    check(apt_score(*corpus.arguments(hyp="-", ref="-")), "standard input (-) can be named only once")


def test_standard_input_is_named_in_errors(apt_score, corpus):
    check(apt_score(*corpus.arguments(hyp="-"), stdin=b"\xff"), "standard input, line 1: not UTF-8")


# ---- links ----


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0-0 1-9", "hyp.align, line 1: link '1-9' is out of range: the target segment has 3 words", ),
        ("9-0", "hyp.align, line 1: link '9-0' is out of range: the source segment has 3 words"),
        ("3-0", "link '3-0' is out of range"),  # the first position that does not exist
        ("0-3", "link '0-3' is out of range"),
        ("0-0 1:1", "hyp.align, line 1: malformed link '1:1': expected i-j"),
        ("0-0-0", "malformed link '0-0-0'"),
        ("0-0 1", "malformed link '1'"),
        ("0--1", "malformed link '0--1'"),
        ("0-٣", "malformed link '0-٣'"),  # a digit, but not ours
        ("1_0-0", "malformed link '1_0-0'"),
        ("0p0", "possible link '0p0': use --possible-links"),
    ],
)  # fmt: skip
def test_links_that_cannot_be_used(apt_score, corpus, line, message):
    corpus.write("hyp.align", f"{line}\n0-0 1-1\n0-0 1-2 2-1 3-3\n")
    check(apt_score(*corpus.arguments()), message)


def test_an_out_of_range_link_suggests_the_other_tokenizer(apt_score, corpus):
    corpus.write("hyp.align", "0-0 1-9\n0-0 1-1\n0-0 1-2 2-1 3-3\n")
    check(apt_score(*corpus.arguments()), "--tokenize none")


def test_lenient_links_are_dropped_and_counted(apt_score, corpus):
    corpus.write("hyp.align", "0-0 1-9 x 1-1\n0-0 1-1\n0-0 1-2 2-1 3-3 7-7\n")
    outcome = apt_score(*corpus.arguments(), "--lenient-links")
    assert outcome.status == 0
    assert f"links dropped in {corpus.path('hyp.align')}: 3" in outcome.out
    assert "|links:lenient|" in outcome.out
    assert apt_score(*corpus.arguments(), "--lenient-links", "-b").out == SCORE


def test_possible_links_are_accepted_on_request(apt_score, corpus):
    corpus.write("hyp.align", "0p0 1?1 2-2\n0-0 1-1\n0-0 1-2 2-1 3-3\n")
    assert apt_score(*corpus.arguments(), "--possible-links", "-b").out == SCORE


def test_links_are_checked_where_pronouns_are(apt_score, corpus):
    """The second segment has none, so its links are looked at only on request."""
    corpus.write("hyp.align", "0-0 1-1 2-2\n0-0 77-88\n0-0 1-2 2-1 3-3\n")
    assert "links checked in 2 of 3 segments" in apt_score(*corpus.arguments()).out
    check(apt_score(*corpus.arguments(), "--check-links"), "hyp.align, line 2: link '77-88' is out of range")
    corpus.write("hyp.align", "0-0 1-1 2-2\n0-0\n0-0 1-2 2-1 3-3\n")
    assert "links checked in 3 of 3 segments (all)" in apt_score(*corpus.arguments(), "--check-links").out


# ---- options ----


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weights", "1,0.5,0,0,0,2"], "weights: 2 for case 6 is outside [0, 1]"),
        (["--weights", "1,0.5,0"], "weights: six needed, one a case, found 3"),
        (["--weights", "1,a,0,0,0,0"], "weights: 'a' for case 2 is not a number"),
        (["--discard", "5,9"], "discard: unknown case '9'. Cases: 1, 2, 3, 4, 5, 6, or none"),
        (["--lang", "tlh"], "unknown language 'tlh'. Available: de, en, es, fr, it, pt, ru, zh"),
        (["--source-lang", "tlh"], "unknown language 'tlh'. Available: de, en, es, fr, it, pt, ru, zh"),
        (["--lists", "nowhere.toml"], "nowhere.toml: cannot read the list (No such file or directory)"),
        (["--ref-align", "x"], "--ref-align: one file a reference is needed"),
        (["--other", "same"], "'same' is not one of 'different', 'equal', 'missing'"),
        (["--nonsense"], "--nonsense"),
        (["-w", "many"], "'many' is not a valid integer"),
        (["--jobs", "0"], "0 is not in the range"),
        (["--positions", "nowhere"], "nowhere: cannot be read"),
    ],
)
def test_wrong_options(apt_score, corpus, options, message):
    check(apt_score(*corpus.arguments(), *options), message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0 0\n1\n", "positions, line 2: expected a segment and a token position, such as 12 3, found '1'"),
        ("0 a\n", "positions, line 1: expected a segment"),
        ("0 0\n0 9\n", "positions, line 2: segment 0 has no word 9"),
        ("0 0\n5 0\n", "positions, line 2: there is no segment 5: the text has 3"),
        ("", "positions, line 1: the file is empty"),
    ],
)
def test_wrong_positions(apt_score, corpus, content, message):
    path = corpus.write("positions", content)
    check(apt_score(*corpus.arguments(), "--positions", path), message)


def test_arguments_that_are_missing(apt_score, corpus):
    check(apt_score(corpus.path("src.en")), "SRC, REF and at least one HYP are needed", "apt-score --help")
    check(apt_score("a", "b", "c"), "--lang is needed")
    arguments = [*corpus.arguments()[:5], "--ref-align", corpus.path("ref.align")]
    check(apt_score(*arguments), "word links must be given for all references and candidates, or for none")


def test_no_pronoun_at_all(apt_score, corpus):
    """No mistake, but no score either: it says why."""
    corpus.write("src.en", "She works .\nHello .\nWe know her .\n")
    outcome = apt_score(*corpus.arguments())
    assert outcome.status == 0
    assert outcome.out.startswith("APT n/a  (no evaluated pronoun in the source)")
    assert apt_score(*corpus.arguments(), "-b").out == "n/a\n"


# ---- output files ----


def test_no_details_appear_when_the_run_fails(apt_score, corpus):
    corpus.write("hyp.fr", "Elle marche .\n")
    details = corpus.folder / "details.tsv"
    before = set(corpus.folder.iterdir())
    check(apt_score(*corpus.arguments(), "--details", details), "lines expected")
    assert set(corpus.folder.iterdir()) == before


@pytest.mark.parametrize("target", ["no/such/folder/details.tsv", "."])
def test_details_that_cannot_be_written(apt_score, corpus, target, monkeypatch):
    monkeypatch.chdir(corpus.folder)
    check(apt_score(*corpus.arguments(), "--details", target), "cannot be written")
