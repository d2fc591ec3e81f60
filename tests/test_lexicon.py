"""The lexicon file: what is written is read again, and nothing else is read."""

import json
import zlib
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from apt.align.hmm import first_jumps
from apt.align.lexicon import (
    Lexicon,
    Vocabulary,
    available_pairs,
    read_lexicon,
    shipped_lexicon,
    write_lexicon,
)
from apt.errors import InputError


def _lexicon():
    source = Vocabulary(("the", "it", "cat"), np.array([100.0, 20.0, 3.0]), 130.0)
    target = Vocabulary(("le", "il", "chat", "ça"), np.array([90.0, 15.0, 3.0, 2.0]), 120.0)
    forward = first_jumps()
    backward = replace(forward, between=forward.between[::-1])
    return Lexicon(
        "en", "fr", source, target,
        pair_source=np.array([0, 1, 1, 1, 2]),
        pair_target=np.array([0, 0, 1, 3, 2]),
        pair_counts=np.array([80.0, 1.0, 12.5, 2.0, 2.5]),
        forward=forward, backward=backward, linkers=("-t-", "-"), origin="made up",
    )  # fmt: skip


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "en-fr.lex"
    write_lexicon(path, _lexicon())
    return path


def _same(one, other):
    assert (one.source_lang, one.target_lang) == (other.source_lang, other.target_lang)
    for mine, yours in ((one.source, other.source), (one.target, other.target)):
        assert mine.words == yours.words
        assert mine.total == yours.total
        np.testing.assert_allclose(mine.counts, yours.counts, rtol=0.04)
    np.testing.assert_array_equal(one.pair_source, other.pair_source)
    np.testing.assert_array_equal(one.pair_target, other.pair_target)
    np.testing.assert_allclose(one.pair_counts, other.pair_counts, rtol=0.04)
    for mine, yours in ((one.forward, other.forward), (one.backward, other.backward)):
        for name in ("between", "first", "last"):
            np.testing.assert_allclose(getattr(mine, name), getattr(yours, name), rtol=1e-6)


def test_what_is_written_is_read(path):
    lexicon = read_lexicon(path)
    _same(lexicon, _lexicon())
    assert lexicon.linkers == ("-t-", "-")
    assert lexicon.origin == "made up"


def test_reading_and_writing_again_changes_nothing(path, tmp_path):
    again = tmp_path / "again.lex"
    write_lexicon(again, read_lexicon(path))
    assert again.read_bytes() == path.read_bytes()


def test_a_lexicon_without_pairs_is_a_lexicon(tmp_path):
    nothing = np.array([], int)
    path = tmp_path / "empty.lex"
    write_lexicon(
        path, replace(_lexicon(), pair_source=nothing, pair_target=nothing, pair_counts=np.array([]))
    )
    assert len(read_lexicon(path).pair_counts) == 0


def test_word_pairs_of_many_numbers_survive(tmp_path):
    """Word numbers beyond one and two bytes, source words without pairs first, last and between."""
    rng = np.random.default_rng(1)
    words = tuple(f"w{n}" for n in range(70_000))
    side = Vocabulary(words, np.ones(70_000), 70_000.0)
    keys = np.unique(rng.integers(5, 69_990, 5000) * 70_000 + rng.integers(0, 70_000, 5000))
    lexicon = replace(
        _lexicon(), source=side, target=side, pair_source=keys // 70_000, pair_target=keys % 70_000,
        pair_counts=rng.uniform(0.5, 1e6, len(keys)),
    )  # fmt: skip
    write_lexicon(tmp_path / "large.lex", lexicon)
    _same(read_lexicon(tmp_path / "large.lex"), lexicon)


def test_the_digest_is_that_of_the_content(path, tmp_path):
    other = tmp_path / "other.lex"
    write_lexicon(other, replace(_lexicon(), pair_counts=np.array([80.0, 1.0, 12.5, 2.0, 9.0])))
    assert read_lexicon(path).digest == read_lexicon(path).digest
    assert read_lexicon(path).digest != read_lexicon(other).digest


# ---- direction ----


def test_reversed_is_the_other_direction():
    lexicon = _lexicon().reversed()
    assert (lexicon.source_lang, lexicon.target_lang) == ("fr", "en")
    pairs = {
        (lexicon.source.words[s], lexicon.target.words[t], c)
        for s, t, c in zip(lexicon.pair_source, lexicon.pair_target, lexicon.pair_counts, strict=True)
    }
    assert pairs == {
        ("le", "the", 80), ("le", "it", 1), ("il", "it", 12.5), ("ça", "it", 2), ("chat", "cat", 2.5),
    }  # fmt: skip
    np.testing.assert_array_equal(lexicon.forward.between, _lexicon().backward.between)
    _same(lexicon.reversed(), _lexicon())


def test_either_direction_can_be_asked_for():
    assert _lexicon().directed("en", "fr").source_lang == "en"
    assert _lexicon().directed("fr", "en").source_lang == "fr"


def test_another_pair_of_languages_is_an_error():
    with pytest.raises(InputError, match=r"my\.lex: this lexicon is for en and fr, not for en and de"):
        _lexicon().directed("en", "de", "my.lex")


# ---- files that cannot be used ----


def _rewritten(path, change_header=None, change_tables=None):
    """The file with a changed header or changed tables, and a checksum that fits."""
    _, header, packed = path.read_bytes().split(b"\n", 2)
    tables = zlib.decompress(packed)
    content = json.loads(header)
    if change_header:
        change_header(content)
    if change_tables:
        tables = change_tables(tables)
    rest = json.dumps(content).encode() + b"\n" + zlib.compress(tables)
    path.write_bytes(f"apt-lexicon 1 {sha256(rest).hexdigest()}\n".encode() + rest)


def _fails(path, message):
    with pytest.raises(InputError, match=message) as caught:
        read_lexicon(path)
    assert caught.value.path == str(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file(tmp_path):
    _fails(tmp_path / "none.lex", "cannot read the lexicon .No such file")


@pytest.mark.parametrize("content", [b"", b"\n", b"PK\x03\x04", b"apt-lexicon\n", b"\xff\xfe 1 2\n"])
def test_another_kind_of_file(tmp_path, content):
    path = tmp_path / "other.lex"
    path.write_bytes(content)
    _fails(path, "not a lexicon")


def test_another_version_is_named(path):
    path.write_bytes(path.read_bytes().replace(b"apt-lexicon 1 ", b"apt-lexicon 7 ", 1))
    _fails(path, "lexicon format 7; this version of apt-score reads format 1")


def test_a_file_cut_off_anywhere(path):
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        _fails(path, "not a lexicon|damaged or cut off")


def test_a_changed_byte_anywhere(path):
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :])
        _fails(path, "not a lexicon|lexicon format|damaged or cut off")


def _with(key, value):
    return lambda header: header.__setitem__(key, value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda header: header.pop("words"), "words"),
        (_with("words", [3, 3]), "does not fit its tables"),  # fewer target words than are named
        (_with("words", [4, 4]), "cannot be used"),  # more source words than there are
        (_with("pairs", 6), "number of word pairs does not fit"),
        (_with("sizes", [1]), "the size does not fit"),
        (_with("sizes", "many"), "cannot be used"),
        (_with("totals", [0, 120]), "number of words of the text"),
    ],
)
def test_a_header_that_does_not_fit_though_its_checksum_does(path, change, message):
    _rewritten(path, change_header=change)
    _fails(path, message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tables: tables[:-4], "the size does not fit"),
        (lambda tables: tables[:-4] + b"\x00\x00\xc0\x7f", "probability of a jump"),  # not a number
        (lambda tables: tables[:-4] + b"\x00\x00\x80\xbf", "probability of a jump"),  # -1
        (lambda tables: b"it\n" + tables[3:], "list of source words does not fit"),
        (lambda tables: b"\xff" + tables[1:], "cannot be used"),  # not UTF-8
    ],
)
def test_tables_that_make_no_sense_though_their_checksum_fits(path, change, message):
    _rewritten(path, change_tables=change)
    _fails(path, message)


# ---- what is shipped ----


def test_shipped_pairs_go_both_ways():
    assert available_pairs() == sorted(
        [(a, b) for x in ("de", "es", "fr") for a, b in (("en", x), (x, "en"))]
    )


@pytest.mark.parametrize("pair", [("en", "fr"), ("fr", "en"), ("en", "de"), ("es", "en")])
def test_shipped_lexicons_know_pronouns(pair):
    lexicon = shipped_lexicon(*pair)
    assert lexicon is not None
    assert (lexicon.source_lang, lexicon.target_lang) == pair
    it = {"fr": "il", "de": "es", "es": "lo", "en": "it"}
    e, f = lexicon.source.numbers[it[pair[0]]], lexicon.target.numbers[it[pair[1]]]
    of_e = lexicon.pair_source == e
    counts = dict(zip(lexicon.pair_target[of_e].tolist(), lexicon.pair_counts[of_e].tolist(), strict=True))
    assert counts[f] > 100


def test_no_lexicon_for_a_pair_that_is_not_shipped():
    assert shipped_lexicon("en", "cs") is None
    assert shipped_lexicon("fr", "de") is None
