"""Symmetrisation: matrices worked out by hand, and what holds for all."""

from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apt.align.symmetrise import METHODS, symmetrise
from apt.errors import OptionError


@dataclass(frozen=True)
class Matrix:
    """Rows are source words, columns target words; F: forward only, B: backward only, X: both.

    The other matrices show what each method leaves; intersection and union are read off the letters.
    """

    name: str
    rows: str
    grow_diag: str
    grow_diag_final: str
    grow_diag_final_and: str

    def marked(self, marks, rows=None):
        return [
            (i, j)
            for i, row in enumerate((rows or self.rows).split())
            for j, mark in enumerate(row)
            if mark in marks
        ]

    @property
    def forward(self):
        return self.marked("FX")

    @property
    def backward(self):
        return self.marked("BX")


MATRICES = [
    # (1,2) is beside (1,1) and covers column 2; (2,3) is diagonal to (1,2), which has just been added.
    # (4,0) and (5,5) are beside nothing. final takes (5,5), and (4,0) for its row; final-and only (5,5),
    # because column 0 is covered.
    Matrix(
        "each method leaves something else",
        "X..... .XF... ...B.. ...... B..... .....F",
        "X..... .XF... ...B.. ...... ...... ......",
        "X..... .XF... ...B.. ...... B..... .....F",
        "X..... .XF... ...B.. ...... ...... .....F",
    ),
    # (0,1) and (1,0) are neighbours, but link words that are both covered.
    Matrix("neighbours of covered words stay out", "XF BX", "X. .X", "X. .X", "X. .X"),
    # Nothing to grow from: final goes through the forward links first. (0,0) both uncovered, taken;
    # (0,1) has its row covered then: taken by final for its column, not by final-and.
    Matrix("no intersection", "FB", "..", "FB", "F."),
    # (3,3) is last in the order, so each pass reaches only one step further back.
    Matrix("growing against the order", "F... .B.. ..F. ...X", "F... .B.. ..F. ...X", "F... .B.. ..F. ...X", "F... .B.. ..F. ...X"),
    # Both (1,0) and (1,1) would cover row 1, columns are covered. (0,0) comes first, and it sees (1,0)
    # beside it before (1,1) diagonal to it; then nothing is left for (1,1) to cover.
    Matrix("beside before diagonal", "X. BB .X", "X. B. .X", "X. B. .X", "X. B. .X"),
    # All corners are diagonal to (1,1). Taken by target, then source: (0,0); (2,0) for its row; (0,2) for its
    # column; and then both words of (2,2) are covered.
    Matrix("diagonals in order", "F.B .X. B.F", "F.B .X. B..", "F.B .X. B..", "F.B .X. B.."),
    # (1,0) is beside (2,0), (1,2) beside (0,2), and either would cover row 1. (2,0) comes first, because
    # the order is by target: column 0 before column 2.
    Matrix("by target before source", "..X B.B X..", "..X B.. X..", "..X B.. X..", "..X B.. X.."),
    # (0,1) is beside (0,0), (2,1) beside (2,0), and either would cover column 1. In column 0 the order is by
    # source: (0,0) comes first.
    Matrix("within a target by source", "XF .. XB", "XF .. X.", "XF .. X.", "XF .. X."),
    # Rows 0 and 2, columns 0 and 2, nothing adjacent. Forward: (2,0), (0,2) cover all; backward has no say.
    Matrix("final: forward before backward", "B.F ... F.B", "... ... ...", "..F ... F..", "..F ... F.."),
    # (0,2) and (2,0) are diagonal to (1,1). Left are (3,2) and (2,3), one word covered each, and (3,3), none.
    # final takes (3,2) and (2,3), which cover row 3 and column 3, so (3,3) is not taken; final-and takes it.
    Matrix(
        "final-and is not always part of final",
        "..B. .X.. B..F ..FB",
        "..B. .X.. B... ....",
        "..B. .X.. B..F ..F.",
        "..B. .X.. B... ...B",
    ),
    Matrix("one link", "X", "X", "X", "X"),
    Matrix("no links", ".. ..", ".. ..", ".. ..", ".. .."),
]  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("matrix", MATRICES, ids=lambda m: m.name)
def test_hand_worked(matrix, method):
    expected = {
        "intersection": matrix.marked("X"),
        "union": matrix.marked("XFB"),
        "grow-diag": matrix.marked("XFB", matrix.grow_diag),
        "grow-diag-final": matrix.marked("XFB", matrix.grow_diag_final),
        "grow-diag-final-and": matrix.marked("XFB", matrix.grow_diag_final_and),
    }
    assert symmetrise(matrix.forward, matrix.backward, method) == expected[method]


def test_the_final_step_depends_on_which_direction_is_forward():
    forward, backward = [(0, 0)], [(0, 1)]
    assert symmetrise(forward, backward, "grow-diag-final-and") == [(0, 0)]
    assert symmetrise(backward, forward, "grow-diag-final-and") == [(0, 1)]


def test_an_unknown_method_is_an_error_that_lists_the_methods():
    with pytest.raises(OptionError) as caught:
        symmetrise([], [], "grow")
    assert str(caught.value) == (
        "unknown symmetrisation 'grow'. Available: intersection, union, grow-diag, grow-diag-final, "
        "grow-diag-final-and"
    )


# ---- what holds for all ----

positions = st.integers(0, 6)
pairs = st.sets(st.tuples(positions, positions), max_size=15)
methods = st.sampled_from(list(METHODS))


def _words(some):
    return {("source", i) for i, _ in some} | {("target", j) for _, j in some}


@given(pairs, pairs, methods)
def test_between_intersection_and_union_and_sorted(forward, backward, method):
    result = symmetrise(forward, backward, method)
    assert forward & backward <= set(result) <= forward | backward
    assert result == sorted(set(result))


@given(pairs, methods)
def test_equal_directions_are_left_as_they_are(links, method):
    assert symmetrise(links, links, method) == sorted(links)


@given(pairs, pairs, st.sampled_from(["intersection", "union", "grow-diag"]))
def test_without_a_final_step_the_directions_can_be_swapped(forward, backward, method):
    assert symmetrise(forward, backward, method) == symmetrise(backward, forward, method)


@given(pairs, pairs, methods, st.randoms())
def test_the_order_in_which_links_are_given_does_not_matter(forward, backward, method, random):
    shuffled = sorted(forward)
    random.shuffle(shuffled)
    assert symmetrise(shuffled, tuple(backward) * 2, method) == symmetrise(forward, backward, method)


@given(pairs, pairs)
def test_final_steps_only_add(forward, backward):
    grown = set(symmetrise(forward, backward, "grow-diag"))
    assert grown <= set(symmetrise(forward, backward, "grow-diag-final-and"))
    assert grown <= set(symmetrise(forward, backward, "grow-diag-final"))


@given(pairs, pairs)
def test_grow_diag_leaves_no_neighbour_that_would_cover_a_word(forward, backward):
    grown = set(symmetrise(forward, backward, "grow-diag"))
    for i, j in (forward | backward) - grown:
        beside = any(max(abs(i - k), abs(j - m)) == 1 for k, m in grown)
        assert not beside or {("source", i), ("target", j)} <= _words(grown)


@given(pairs, pairs)
def test_final_covers_every_word_that_has_a_link(forward, backward):
    assert _words(symmetrise(forward, backward, "grow-diag-final")) == _words(forward | backward)


@given(pairs, pairs)
@example({(1, 1), (3, 2), (2, 3)}, {(0, 2), (1, 1), (2, 0), (3, 3)})
def test_final_and_adds_free_words_one_to_one(forward, backward):
    """What it adds shares no word with anything, and no link between two free words is left over."""
    grown = symmetrise(forward, backward, "grow-diag")
    result = symmetrise(forward, backward, "grow-diag-final-and")
    added = set(result) - set(grown)
    assert len(_words(added)) == 2 * len(added)
    assert not _words(added) & _words(grown)
    assert all(_words([pair]) & _words(result) for pair in forward | backward)


@given(pairs, pairs)
def test_final_and_covers_no_word_that_final_leaves(forward, backward):
    """As sets of links neither contains the other (see the matrices), as sets of words one does."""
    final_and = symmetrise(forward, backward, "grow-diag-final-and")
    assert _words(final_and) <= _words(symmetrise(forward, backward, "grow-diag-final"))
