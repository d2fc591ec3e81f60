"""Documents by where they start (--doc-starts): what is read, what it means, what is wrong with a file."""

import gzip
import json

import pytest
from conftest import check

from apt.documents import read_document_starts


@pytest.fixture
def starts(apt_score, corpus):
    """Runs over the corpus of three segments with a file of starts; `documents` gives the ids with their n."""

    class Starts:
        def run(self, content, *options, stdin=b""):
            path = corpus.write("starts", content)
            return apt_score(*corpus.arguments(), "--doc-starts", path, *options, stdin=stdin)

        def documents(self, content):
            outcome = self.run(content, "-f", "json")
            assert (outcome.status, outcome.err) == (0, "")
            (system,) = json.loads(outcome.out)["systems"]
            return [(part["document"], part["total"]) for part in system["documents"]]

    return Starts()


@pytest.mark.parametrize(
    ("content", "documents"),
    [
        # The corpus has 1, 0 and 2 pronouns in its segments.
        ("0\ta\n1\tb\n", [("a", 1), ("b", 2)]),
        ("0 a\n1 b\n", [("a", 1), ("b", 2)]),
        ("0   a\n2\t\tb \n", [("a", 1), ("b", 2)]),
        ("0\tthe first\n2\tthe second\n", [("the first", 1), ("the second", 2)]),
        ("0 the first\n2 the second\n", [("the first", 1), ("the second", 2)]),
        ("0 a", [("a", 3)]),  # all of the text; no line end
        ("0 a\n1 b\n2 c\n", [("a", 1), ("b", 0), ("c", 2)]),  # b has no pronoun
        ("0\n2\n", [("0", 1), ("1", 2)]),  # without ids: numbers of documents, not of lines
        ("0 a\n1\n2 b\n", [("a", 1), ("1", 0), ("b", 2)]),
        ("00 a\n02 b\n", [("a", 1), ("b", 2)]),
        ("0 7\n2 5\n", [("7", 1), ("5", 2)]),  # an id may be a number
        ("0 été\n2 汉语\n", [("été", 1), ("汉语", 2)]),
        ("0 a\r\n2 b\r\n", [("a", 1), ("b", 2)]),
        (b"\xef\xbb\xbf0 a\n2 b\n", [("a", 1), ("b", 2)]),
        (b"\xef\xbb\xbf0\r\n2\r\n", [("0", 1), ("1", 2)]),
    ],
)
def test_documents(starts, content, documents):
    assert starts.documents(content) == documents


@pytest.mark.parametrize("lines", [1, 2, 4096])
def test_the_same_as_an_id_a_line(starts, apt_score, corpus, monkeypatch, lines):
    """However the text is cut into chunks, to the last byte, resampling included."""
    monkeypatch.setattr("apt.corpus.CHUNK_LINES", lines)
    docids = corpus.write("docids", "a\nb\nb\n")
    options = ["-f", "json", "--confidence", "--resample", "documents"]
    by_line = apt_score(*corpus.arguments(), "--docids", docids, *options)
    assert by_line.status == 0
    assert starts.run("0 a\n1 b\n", *options) == by_line
    assert starts.run("0 a\n1 b\n2 c\n", *options) != by_line


def test_details_name_the_documents(starts, corpus):
    details = corpus.folder / "details.tsv"
    starts.run("0 a\n2 b\n", "--details", details)
    head, *rows = (line.split("\t") for line in details.read_text().splitlines())
    assert [row[head.index("document")] for row in rows] == ["a", "b", "b"]


def test_gzip_and_standard_input(starts, apt_score, corpus):
    plain = starts.run("0 a\n2 b\n")
    path = corpus.write("starts.gz", gzip.compress(b"0 a\n2 b\n"))
    assert apt_score(*corpus.arguments(), "--doc-starts", path) == plain
    assert apt_score(*corpus.arguments(), "--doc-starts", "-", stdin=b"0 a\n2 b\n") == plain


def test_a_stretch_of_lines_in_the_middle(tmp_path):
    path = tmp_path / "starts"
    path.write_text("0 a\n3 b\n4 c\n")
    documents = read_document_starts(str(path)).documents
    assert documents(0, 6) == ["a", "a", "a", "b", "c", "c"]
    assert documents(2, 2) == ["a", "b"]
    assert documents(5, 2) == ["c", "c"]
    assert documents(5, 0) == []


# ---- what is wrong ----


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 a\n", "starts, line 1: the first document must start at line 0, not 1"),
        ("0 a\n2 b\n1 c\n", "starts, line 3: starts must ascend: 1 comes after 2"),
        ("0 a\n0 b\n", "starts, line 2: starts must ascend: 0 comes after 0"),
        ("0 a\n3 b\n", "starts, line 2: a document starts at line 3 (counted from 0), but the text has 3 lines"),
        ("0 a\n1 b\n99 c\n", "starts, line 3: a document starts at line 99"),
        ("0 a\nb\n", "starts, line 2: expected a line number and perhaps an id, found 'b'"),
        ("a\na\nb\n", "starts, line 1: expected a line number and perhaps an id, found 'a'"),  # these are docids
        ("0 a\n\n2 b\n", "starts, line 2: expected a line number and perhaps an id, found ''"),
        ("0 a\n-1 b\n", "starts, line 2: expected a line number"),
        ("0 a\n+1 b\n", "starts, line 2: expected a line number"),
        ("0 a\n1.5 b\n", "starts, line 2: expected a line number"),
        ("0 a\n1_0 b\n", "starts, line 2: expected a line number"),
        ("0 a\n٣ b\n", "starts, line 2: expected a line number"),  # a digit, but not ours
        (f"0 a\n{'9' * 5000} b\n", "starts, line 2: expected a line number"),
        ("", "starts, line 1: the file is empty"),
        (b"\xef\xbb\xbf", "starts, line 1: "),
        ("0 a\n1 b\n2 a\n", "starts, line 3: the document id 'a' is given twice"),
        ("0 1\n1\n", "starts, line 2: the document id '1' is given twice"),  # the number of one, the id of another
        (b"0 a\n1 \xff\n", "starts, line 2: not UTF-8"),
    ],
    ids=repr,
)  # fmt: skip
def test_wrong_files(starts, content, message):
    check(starts.run(content), message)


def test_a_start_behind_the_end_leaves_no_file(starts, corpus):
    details = corpus.folder / "details.tsv"
    check(starts.run("0 a\n3 b\n", "--details", details), "a document starts at line 3")
    assert not details.exists()


def test_missing_file(apt_score, corpus):
    check(apt_score(*corpus.arguments(), "--doc-starts", corpus.path("nowhere")), "nowhere: cannot be read")


def test_docids_and_starts_together(starts, corpus):
    docids = corpus.write("docids", "a\na\nb\n")
    check(starts.run("0 a\n2 b\n", "--docids", docids), "--docids and --doc-starts say the same thing")


def test_standard_input_for_two_things(apt_score, corpus):
    outcome = apt_score(*corpus.arguments(hyp="-"), "--doc-starts", "-", stdin=b"0 a\n2 b\n")
    check(outcome, "standard input (-) can be named only once")
