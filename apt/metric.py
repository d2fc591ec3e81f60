"""The metric as a library: class `APT`, after sacrebleu's manner.

    from apt import APT

    apt = APT(lang="fr")
    result = apt.corpus_score(hypotheses, references, sources, reference_links=…, hypothesis_links=…)
    result.score, result.cases, result.by_pronoun, str(result.signature)

`APT` holds settings and nothing else: scoring twice with the same object gives the same result.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from typing import Any, TypeVar, get_args

from apt.align.aligners import LEXICAL, AlignerChoice, Method
from apt.align.links import LinkLine, LinkOptions
from apt.cases import OTHER_POLICIES, Case, Comparison, OtherPolicy
from apt.errors import OptionError
from apt.inputs import check_inputs
from apt.positions import Positions, positions_from_pairs
from apt.pronouns import LanguageLists, load_language, override_codes
from apt.result import APTResult, Collector
from apt.score import Scoring, Weights, parse_discard, parse_weights
from apt.segments import Anchor, Keep, Linking, PronounStep, SegmentScorer
from apt.signature import Signature
from apt.tokenize import SpaceTokenizer, Tokenizer, TokenizerRules, WordTokenizer
from apt.translations import Finder, Matcher
from apt.version import __version__
from apt.vocabulary import PairLists, pair_lists

TOKENIZERS = (WordTokenizer.name, SpaceTokenizer.name)
ANCHORS: tuple[Anchor, ...] = get_args(Anchor)
PRONOUN_STEPS: tuple[PronounStep, ...] = get_args(PronounStep)
_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True)
class Settings:
    """Every choice made: what an `APT` is, whether built by its options or by an old configuration file."""

    source_lang: str
    lang: str
    lists: PairLists
    lists_name: str
    source_rules: TokenizerRules = TokenizerRules()
    target_rules: TokenizerRules = TokenizerRules()
    source_matcher: Matcher = Matcher()
    target_matcher: Matcher = Matcher()
    tokenize: str = WordTokenizer.name
    weights: Weights = Weights()
    discard: frozenset[Case] = frozenset()
    other: OtherPolicy = "different"
    anchor: Anchor = "source"
    heuristic: bool = True
    links: LinkOptions = LinkOptions()
    check_links: bool = False
    count_abbreviations: bool = False
    positions: Positions | None = None
    aligner: AlignerChoice = AlignerChoice()
    pronoun_step: PronounStep = "posterior"

    @property
    def scoring(self) -> Scoring:
        return Scoring(self.weights, self.discard, self.lists.equivalent)


class APT:
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
    notify: Callable[[str], None] | None

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
        _one_of(anchor, ANCHORS, "anchor")
        target, source = _languages(lang, source_lang, anchor, _paths(lists))
        if _one_of(tokenize, TOKENIZERS, "tokenize") == WordTokenizer.name:
            _require_segmented(target, source)
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
            other=_one_of(other, OTHER_POLICIES, "other"),
            anchor=anchor,
            heuristic=heuristic,
            links=LinkOptions(lenient_links, possible_links),
            check_links=check_links,
            count_abbreviations=count_abbreviations,
            positions=positions,
            aligner=AlignerChoice(aligner, None if lexicon is None else fspath(lexicon), align_method),
            pronoun_step=_one_of(pronoun_step, PRONOUN_STEPS, "pronoun step"),
        )
        self.notify = notify

    @classmethod
    def from_settings(cls, settings: Settings) -> "APT":
        """An APT whose lists are made already (as by a configuration of the old tool)."""
        apt = cls.__new__(cls)
        apt.settings = settings
        apt.notify = None
        return apt

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        sources: Sequence[str],
        *,
        reference_links: Sequence[LinkLine] | Sequence[Sequence[LinkLine]] | None = None,
        hypothesis_links: Sequence[LinkLine] | None = None,
        docids: Sequence[str] | None = None,
        keep_triples: bool = True,
        keep_segments: bool = False,
    ) -> APTResult:
        """Score one system's output, given as lists of strings.

        `references` is one list, or a list of lists, one per reference; `reference_links` likewise. Links
        are Pharaoh lines (`"0-0 1-2"`) or lists of (i, j) pairs, source to target, zero-based; without them
        the aligner makes them.
        """
        inputs = check_inputs(hypotheses, references, sources, reference_links, hypothesis_links, docids)
        self.check_references(len(inputs.references))
        keep = Keep(keep_triples, keep_segments)
        scorer = self.scorer(with_aligner=inputs.hypothesis_links is None)
        collector = Collector(1, keep)
        for chunk in inputs.chunks():
            collector.add(scorer.score(chunk, keep))
        given = inputs.digest()
        align = scorer.linking_name if given is None else f"given@{given}"
        names = [] if given is None else [*inputs.reference_names(), "hypothesis_links"]
        return self.result(collector, 0, len(inputs.references), align, names)

    def sentence_score(
        self,
        hypothesis: str,
        references: str | Sequence[str],
        source: str,
        *,
        reference_links: LinkLine | Sequence[LinkLine] | None = None,
        hypothesis_links: LinkLine | None = None,
    ) -> APTResult:
        """Score one segment; several references are a list of strings, with as many `reference_links`."""
        flat = isinstance(references, str)
        links: Any = reference_links
        if links is not None:
            links = [links] if flat else [[link] for link in links]
        return self.corpus_score(
            [hypothesis],
            [references] if isinstance(references, str) else [[reference] for reference in references],
            [source],
            reference_links=links,
            hypothesis_links=None if hypothesis_links is None else [hypothesis_links],
        )

    def get_signature(self, nrefs: int = 1, align: str | None = None) -> Signature:
        """Every setting that changes a number; `align` names the links used, if not by the aligner."""
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

    # What scoring from files (stream.py) is built from, beside scoring from lists above.

    @cached_property
    def _linking(self) -> Linking:
        s = self.settings
        return Linking(s.aligner.make(s.source_lang, s.lang, self.notify), s.pronoun_step)

    def scorer(self, with_aligner: bool = False) -> SegmentScorer:
        """What scores single segments under these settings; it can be sent to another process."""
        s = self.settings
        source: Tokenizer = SpaceTokenizer()
        target: Tokenizer = SpaceTokenizer()
        if s.tokenize == WordTokenizer.name:
            source, target = WordTokenizer(s.source_rules), WordTokenizer(s.target_rules)
        return SegmentScorer(
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
            linking=self._linking if with_aligner else None,
        )

    def check_references(self, count: int) -> None:
        if count > 1 and self.settings.anchor == "reference":
            raise OptionError(
                "anchor 'reference' walks the pronouns of one reference: several cannot be given"
            )

    def result(
        self,
        collector: Collector,
        system: int,
        nrefs: int,
        align: str,
        link_names: Sequence[str],
    ) -> APTResult:
        """One system's result from what was collected; `align` says where its links come from."""
        if self.settings.positions is not None:
            self.settings.positions.check_segments(collector.segments)
        signature = self.get_signature(nrefs, align)
        return collector.result(system, self.settings.scoring, signature, self.settings.anchor, link_names)


def _languages(
    lang: str, source_lang: str, anchor: Anchor, lists: Sequence[str]
) -> tuple[LanguageLists, LanguageLists | None]:
    """Both languages; the source needs lists only where its pronouns are walked."""
    if foreign := sorted(override_codes(lists) - {lang, source_lang}):
        raise OptionError(
            f"lists: a list for {foreign[0]!r} is given, but the languages are {source_lang}-{lang}"
        )
    target = load_language(lang, lists)
    try:
        return target, load_language(source_lang, lists)
    except OptionError:
        if anchor == "source":
            raise
        return target, None


def _paths(lists: Sequence[str | PathLike[str]] | str | PathLike[str]) -> list[str]:
    return [fspath(path) for path in ([lists] if isinstance(lists, str | PathLike) else lists)]


def _require_segmented(*languages: LanguageLists | None) -> None:
    for language in languages:
        if language is not None and not language.segmented:
            raise OptionError(
                f"{language.name} text has no spaces between words: segment it first and use --tokenize none"
            )


def _one_of(value: _Choice, allowed: Sequence[_Choice], option: str) -> _Choice:
    if value not in allowed:
        raise OptionError(f"{option}: unknown value {value!r}. Available: {', '.join(allowed)}")
    return value
