"""Scoring columns of a table, as HuggingFace `evaluate` hands them in: what its modules have in common.

In go a metric and columns with one entry per segment, references included; out comes a small dictionary.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Protocol, TypeVar

from apt.align.links import LinkLine
from apt.base import Metric
from apt.comparing import Resampled
from apt.errors import InputError

_LARGE = ("pronouns", "documents", "confusion", "resampling")


class Result(Resampled, Protocol):
    """What a dictionary is made of."""

    @property
    def score(self) -> float | None: ...

    def to_dict(self) -> dict[str, Any]: ...


S = TypeVar("S", bound=Result)


def score_columns(
    metric: Metric[Any, S],
    predictions: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    sources: Sequence[str],
    reference_links: Sequence[Any] | None = None,
    hypothesis_links: Sequence[LinkLine] | None = None,
) -> dict[str, Any]:
    """The score, the counts and the signature.

    An entry of `references` is a string, or the list of that segment's references; `reference_links` are
    nested alike. A segment may have fewer references than others.
    """
    are_strings = [isinstance(reference, str) for reference in references]
    if not all(are_strings):
        if any(are_strings):
            raise InputError("references mixes strings and lists: expected one or the other for all segments")
        references = _by_reference(references)
        if reference_links is not None:
            flat = all(isinstance(links, str) for links in reference_links)
            reference_links = [list(reference_links)] if flat else _by_reference(reference_links)
    result = metric.corpus_score(
        predictions,
        references,
        sources,
        reference_links=reference_links,
        hypothesis_links=hypothesis_links,
        keep_triples=False,
    )
    shown = {key: value for key, value in result.to_dict().items() if key not in _LARGE}
    return {"score": result.score, **shown}


def _by_reference(segments: Sequence[Any]) -> list[list[Any]]:
    """One list per reference; an empty line is a reference without a translation."""
    return [list(reference) for reference in zip_longest(*segments, fillvalue="")]
