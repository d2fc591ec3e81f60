"""The statistics of AutoPRF per segment, for resampling."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from apt.comparing import Unit
from apt.errors import OptionError
from apt.significance import Floats, Sample, ScoreOf
from autoprf.counts import PRFCounts

if TYPE_CHECKING:
    from autoprf.result import AutoPRFResult


def samples(result: "AutoPRFResult", unit: Unit, beside: "Sequence[AutoPRFResult]" = ()) -> dict[str, Sample]:
    """F1, precision and recall of one system's segments."""
    if any(other.clip != result.clip for other in beside):
        raise OptionError("results with different clip cannot be compared")
    segments = result.kept_segments()
    if result.clip == "occurrence":
        rows: Any = np.array([counts.sums("occurrence") for counts in segments], dtype=np.float64)
        sums_of: ScoreOf = np.asarray
    else:
        # One column a word and side: what is clipped is their sum over the units drawn.
        known = {word for other in (result, *beside) for word in other.counts.word_counts()}
        words = {word: number for number, word in enumerate(sorted(known))}
        rows = _tables(segments, words)
        sums_of = _clipped
    drawn = result.sample_rows(rows, unit)
    return {
        "f1": Sample(drawn, lambda sums: _f1(sums_of(sums))),
        "precision": Sample(drawn, lambda sums: _share(sums_of(sums), 1)),
        "recall": Sample(drawn, lambda sums: _share(sums_of(sums), 2)),
    }


def _tables(segments: Sequence[PRFCounts], words: Mapping[str, int]) -> Any:
    """A row a segment; nearly all of it is 0."""
    from scipy.sparse import csr_array

    entries = [
        (row, column, n)
        for row, counts in enumerate(segments)
        for word, pair in counts.word_counts().items()
        for column, n in zip((words[word], len(words) + words[word]), pair, strict=True)
    ]
    values = np.array(entries, dtype=np.float64).reshape(-1, 3)
    places = (values[:, 0].astype(np.intp), values[:, 1].astype(np.intp))
    return csr_array((values[:, 2], places), shape=(len(segments), 2 * len(words)))


def _clipped(tables: Floats) -> Floats:
    """(…, 2 × words) to (…, 3): matches, candidate words, reference words."""
    words = tables.shape[-1] // 2
    candidate, reference = tables[..., :words], tables[..., words:]
    matches = np.minimum(candidate, reference).sum(axis=-1)
    return np.stack([matches, candidate.sum(axis=-1), reference.sum(axis=-1)], axis=-1)


def _share(sums: Floats, of: int) -> Floats:
    shares: Floats = sums[..., 0] / sums[..., of]
    return shares


def _f1(sums: Floats) -> Floats:
    matches, candidate, reference = np.moveaxis(sums, -1, 0)
    f1 = 2 * matches / (candidate + reference)
    return np.where((candidate > 0) & (reference > 0), f1, np.nan)
