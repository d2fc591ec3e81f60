"""The metric as a library: class `APT`, after sacrebleu's manner.

from apt import APT

apt = APT(lang="fr")
result = apt.corpus_score(hypotheses, references, sources, reference_links=…, hypothesis_links=…)
result.score, result.cases, result.by_pronoun, str(result.signature)
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import get_args

from apt.align.aligners import LEXICAL, AlignerChoice, Method
from apt.align.links import LinkOptions
from apt.base import (
    PRONOUN_STEPS,
    TOKENIZERS,
    Metric,
    TextSettings,
    check_codes,
    one_of,
    paths,
    require_segmented,
)
from apt.cases import OTHER_POLICIES, Case, Comparison, OtherPolicy
from apt.counts import CaseTally, Counts
from apt.errors import OptionError
from apt.evidence import Collector
from apt.positions import Positions, positions_from_pairs
from apt.pronouns import LanguageLists, load_language
from apt.result import APTResult
from apt.score import Scoring, Weights, parse_discard, parse_weights
from apt.segments import Anchor, PronounStep, SegmentScorer
from apt.signature import Signature
from apt.tokenize import TokenizerRules, WordTokenizer
from apt.translations import Finder, Matcher
from apt.version import __version__
from apt.vocabulary import PairLists, pair_lists

ANCHORS: tuple[Anchor, ...] = get_args(Anchor)


@dataclass(frozen=True, kw_only=True)
class Settings(TextSettings):
    """Every choice made: what an `APT` is, whether built by its options or by an old configuration file."""

    lists: PairLists
    lists_name: str
    source_matcher: Matcher = Matcher()
    target_matcher: Matcher = Matcher()
    weights: Weights = Weights()
    discard: frozenset[Case] = frozenset()
    other: OtherPolicy = "different"
    anchor: Anchor = "source"
    heuristic: bool = True
    count_abbreviations: bool = False

    @property
    def scoring(self) -> Scoring:
        return Scoring(self.weights, self.discard, self.lists.equivalent)


class APT(Metric[Counts, APTResult]):
    """Accuracy of pronoun translation (Miculicich Werlen & Popescu-Belis 2017).

    Parameters
    ----------
    lang, source_lang
        Codes of the target and the source language.
    pronouns
        What is evaluated: words, `"all"` for the wider list, or None for the language's usual ones
        (English: *it*, *they*). With `anchor="reference"` these are pronouns of the reference.
    target_pronouns
        What counts as a pronoun on the target side; `"any"`: every word does; None: the language's list.
    positions
        (segment, position) pairs, zero-based, that replace the choice by word.
    lists
        Names of shipped lists (`"paper-fr"`) or paths of list files, merged over the language's own.
    weights, discard
        The weight of each of the six cases, in [0, 1], the second may be `"p"`; cases left out altogether.
    other
        What a translation by a word that is no listed pronoun is: `different`, `equal` or `missing`.
    anchor
        Walk the pronouns of the `source` or of the `reference`.
    heuristic
        Look around the neighbours' links for a pronoun that the links miss.
    tokenize
        `"words"` for raw text, `"none"` for text that is tokenised already.
    lenient_links, possible_links, check_links
        Drop links that cannot be used; accept `ipj` and `i?j`; check every segment's links, not only
        those of segments that enter the score.
    count_abbreviations
        Count *IT* as a pronoun although the rest of its segment is not in capitals.
    aligner, lexicon, align_method
        What makes links that are not given: `"lexical"`, the embedded aligner, with a lexicon of your own
        if given; or `"simalign"`, `"simalign:MODEL"` with one of simalign's methods.
    pronoun_step
        How links made by an aligner are amended for pronouns: by their `posterior`, or as in the `paper`.
    notify
        Called with a message before a model is fetched.
    """

    settings: Settings

    def __init__(
        self,
        lang: str,
        *,
        source_lang: str = "en",
        pronouns: Sequence[str] | str | None = None,
        target_pronouns: Sequence[str] | str | None = None,
        positions: Positions | Iterable[tuple[int, int]] | None = None,
        lists: Sequence[str | PathLike[str]] | str | PathLike[str] = (),
        weights: Sequence[float | str] | str = tuple(Weights()),
        discard: Collection[int | str] | str = (),
        other: OtherPolicy = "different",
        anchor: Anchor = "source",
        heuristic: bool = True,
        tokenize: str = WordTokenizer.name,
        lenient_links: bool = False,
        possible_links: bool = False,
        check_links: bool = False,
        count_abbreviations: bool = False,
        aligner: str = LEXICAL,
        lexicon: str | PathLike[str] | None = None,
        align_method: Method = "itermax",
        pronoun_step: PronounStep = "posterior",
        notify: Callable[[str], None] | None = None,
    ) -> None:
        one_of(anchor, ANCHORS, "anchor")
        target, source = _languages(lang, source_lang, anchor, paths(lists))
        if one_of(tokenize, TOKENIZERS, "tokenize") == WordTokenizer.name:
            require_segmented(target, source)
        if positions is not None and not isinstance(positions, Positions):
            positions = positions_from_pairs(positions)
        if positions is not None and anchor == "reference":
            raise OptionError("positions are those of source words: they do not go with anchor 'reference'")
        source_rules = TokenizerRules() if source is None else source.tokenizer
        self.settings = Settings(
            source_lang=source_lang,
            lang=lang,
            lists=pair_lists(
                target,
                source,
                pronouns=pronouns,
                target_pronouns=target_pronouns,
                anchor=anchor,
                heuristic=heuristic,
                positions=positions is not None,
                count_abbreviations=count_abbreviations,
            ),
            lists_name=lang,
            source_rules=source_rules,
            target_rules=target.tokenizer,
            source_matcher=Matcher((*source_rules.linkers, "-")),
            target_matcher=Matcher((*target.tokenizer.linkers, "-")),
            tokenize=tokenize,
            weights=parse_weights(weights),
            discard=parse_discard(discard),
            other=one_of(other, OTHER_POLICIES, "other"),
            anchor=anchor,
            heuristic=heuristic,
            links=LinkOptions(lenient_links, possible_links),
            check_links=check_links,
            count_abbreviations=count_abbreviations,
            positions=positions,
            aligner=AlignerChoice(aligner, None if lexicon is None else fspath(lexicon), align_method),
            pronoun_step=one_of(pronoun_step, PRONOUN_STEPS, "pronoun step"),
        )
        self.notify = notify

    @classmethod
    def from_settings(cls, settings: Settings) -> "APT":
        """An APT whose lists are made already (as by a configuration of the old tool)."""
        apt = cls.__new__(cls)
        apt.settings = settings
        apt.notify = None
        return apt

    def get_signature(self, nrefs: int = 1, align: str | None = None) -> Signature:
        s = self.settings
        if align is None:
            align = self.scorer(with_aligner=True).linking_name
        from_source = s.anchor == "source"
        fields = {"nrefs": str(nrefs), "lang": f"{s.source_lang}-{s.lang}", "anchor": s.anchor}
        if s.positions is None:
            fields["pronouns"] = s.lists.evaluated_named()
        else:
            fields["positions"] = s.positions.digest
        knowledge = (s.source_rules, s.target_rules, s.source_matcher, s.target_matcher)
        fields |= {
            "lists": f"{s.lists_name}@{s.lists.digest(*knowledge)}",
            "weights": str(s.weights),
            "discard": ",".join(str(case.value) for case in sorted(s.discard)) or "none",
            "other": s.other if from_source else "none",
            "heuristic": "yes" if s.heuristic and from_source else "no",
            "align": align,
        }
        if not align.startswith("given") and s.heuristic and from_source:
            fields["step"] = s.pronoun_step
        if reading := s.links.named():
            fields["links"] = reading
        fields |= {"tok": s.tokenize, "case": "fold"}
        if s.count_abbreviations:
            fields["abbrev"] = "count"
        return Signature("APT", {**fields, "version": __version__})

    def scorer(self, with_aligner: bool = False) -> SegmentScorer[Counts]:
        s = self.settings
        source, target = s.tokenizers()
        return SegmentScorer(
            new_tally=CaseTally,
            finder=Finder(s.lists, s.source_matcher, s.target_matcher, s.heuristic),
            comparison=Comparison(
                s.lists.group_of, s.lists.equivalent, s.other if s.anchor == "source" else "different"
            ),
            source_tokenizer=source,
            target_tokenizer=target,
            anchor=s.anchor,
            link_options=s.links,
            check_all_links=s.check_links,
            positions=s.positions,
            linking=self.linking if with_aligner else None,
        )

    def check_references(self, count: int) -> None:
        if count > 1 and self.settings.anchor == "reference":
            raise OptionError(
                "anchor 'reference' walks the pronouns of one reference: several cannot be given"
            )

    def result(
        self, collector: Collector[Counts], system: int, nrefs: int, align: str, link_names: Sequence[str]
    ) -> APTResult:
        if self.settings.positions is not None:
            self.settings.positions.check_segments(collector.segments)
        evidence = collector.evidence(system, self.get_signature(nrefs, align), link_names)
        scoring = self.settings.scoring
        return APTResult(
            **vars(evidence),
            score=scoring.score(evidence.counts),
            undefined=scoring.why_undefined(evidence.counts, self.settings.anchor),
            scoring=scoring,
        )


def _languages(
    lang: str, source_lang: str, anchor: Anchor, lists: Sequence[str]
) -> tuple[LanguageLists, LanguageLists | None]:
    """Both languages; the source needs lists only where its pronouns are walked."""
    check_codes(lists, lang, source_lang)
    target = load_language(lang, lists)
    try:
        return target, load_language(source_lang, lists)
    except OptionError:
        if anchor == "source":
            raise
        return target, None
