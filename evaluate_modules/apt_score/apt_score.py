"""APT as a module of HuggingFace evaluate: `evaluate.load("evaluate_modules/apt_score")`."""

from typing import Any

import datasets
import evaluate

from apt import APT
from apt.columns import score_columns

_DESCRIPTION = """\
Accuracy of pronoun translation: the translation of each source pronoun in the prediction is compared with its
translation in the reference. Needs the source text; word links are made by the package's own aligner.
"""
_CITATION = """\
@inproceedings{miculicich-werlen-popescu-belis-2017-validation,
  title     = {Validation of an Automatic Metric for the Accuracy of Pronoun Translation ({APT})},
  author    = {Miculicich Werlen, Lesly and Popescu-Belis, Andrei},
  booktitle = {Proceedings of the Third Workshop on Discourse in Machine Translation},
  year      = {2017},
  publisher = {Association for Computational Linguistics}
}
"""
_INPUTS = """
Args:
    predictions: the translations, a string a segment.
    references: a string a segment, or a list of strings a segment: several references.
    sources: the source text, a string a segment.
    lang: the language of predictions and references, such as "fr".
    reference_links, hypothesis_links: word links as Pharaoh lines, both or neither; links of several
        references are a list a segment.
    Further options are those of apt.APT: source_lang, pronouns, weights, discard, anchor, tokenize, ...
Returns:
    score: between 0 and 1; None, with the reason in `undefined`, if there is nothing to count.
    cases, total, not_in_source, segments: the counts the score is made of.
    weights, discarded, links, signature: how it was computed.
"""


class AptScore(evaluate.Metric):
    """APT."""

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
        apt = APT(lang, **options)
        return score_columns(apt, predictions, references, sources, reference_links, hypothesis_links)
