"""AutoPRF as a module of HuggingFace evaluate: `evaluate.load("evaluate_modules/autoprf_score")`."""

from typing import Any

import datasets
import evaluate

from apt.columns import score_columns
from autoprf import AutoPRF

_DESCRIPTION = """\
Clipped precision, recall and F1 of the words that source pronouns are linked to. Needs the source text; word
links are made by the package's own aligner unless they are given.
"""
_CITATION = """\
@inproceedings{hardmeier-federico-2010-modelling,
  title     = {Modelling Pronominal Anaphora in Statistical Machine Translation},
  author    = {Hardmeier, Christian and Federico, Marcello},
  booktitle = {Proceedings of the 7th International Workshop on Spoken Language Translation},
  year      = {2010}
}
"""
_INPUTS = """
Args:
    predictions: the translations, a string a segment.
    references: a string a segment, or a list of one string a segment: AutoPRF takes one reference.
    sources: the source text, a string a segment.
    lang: the language of predictions and references, such as "fr".
    reference_links, hypothesis_links: word links as Pharaoh lines, both or neither.
    Further options are those of autoprf.AutoPRF: source_lang, pronouns, clip, case, tokenize, ...
Returns:
    score: F1, between 0 and 1; None, with the reason in `undefined`, if it cannot be computed.
    precision, recall, f1: None on 0/0.
    occurrences, matches, candidate_words, reference_words, segments: the counts they are made of.
    links, signature: how it was computed.
"""


class AutoprfScore(evaluate.Metric):
    """AutoPRF."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": references, "sources": text})
                for references in (datasets.Sequence(text), text)
            ],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[Any],
        sources: list[str],
        *,
        lang: str,
        reference_links: list[Any] | None = None,
        hypothesis_links: list[Any] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        autoprf = AutoPRF(lang, **options)
        return score_columns(autoprf, predictions, references, sources, reference_links, hypothesis_links)
