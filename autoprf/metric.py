"""AutoPRF as a library: class `AutoPRF`, used like `APT`.

from autoprf import AutoPRF

result = AutoPRF(lang="fr").corpus_score(hypotheses, references, sources)
result.precision, result.recall, result.f1
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Literal, get_args

from apt.align.aligners import LEXICAL, AlignerChoice, Method
from apt.align.links import LinkOptions
from apt.base import (
    TOKENIZERS,
    Metric,
    TextSettings,
    check_codes,
    one_of,
    paths,
    require_segmented,
)
from apt.cases import Comparison
from apt.errors import OptionError
from apt.evidence import Collector
from apt.normalize import written_key
from apt.positions import Positions, positions_from_pairs
from apt.pronouns import load_language
from apt.segments import SegmentScorer
from apt.signature import Signature
from apt.tokenize import WordTokenizer
from apt.translations import Finder, Matcher
from apt.version import __version__
from apt.vocabulary import PairLists, pair_lists, rules_digest
from autoprf.counts import CLIPS, Clip, PRFCounts, PRFTally
from autoprf.result import AutoPRFResult

MatchCase = Literal["mixed", "fold"]
MATCH_CASES: tuple[MatchCase, ...] = get_args(MatchCase)


@dataclass(frozen=True, kw_only=True)
class PRFSettings(TextSettings):
    """Every choice made: what an `AutoPRF` is."""

    lists: PairLists
    clip: Clip
    case: MatchCase


class AutoPRF(Metric[PRFCounts, AutoPRFResult]):
    """Clipped precision and recall of the words linked to pronouns (Hardmeier & Federico 2010).

    Parameters
    ----------
    lang, source_lang
        Codes of the target and the source language.
    pronouns
        The source words to evaluate, exactly as they are written; None for the language's usual ones in
        lower case and with a capital (English: *it*, *It*, *they*, *They*, not *IT*).
    positions
        (segment, position) pairs, zero-based, that replace the choice by word.
    clip
        Where matches are clipped: in each `occurrence`, as in the tool of 2010, or over the `corpus`.
    case
        Whether *Il* matches *il*: not if `mixed`, as in the tool of 2010, but if `fold`.
    lists, tokenize, lenient_links, possible_links, check_links, aligner, lexicon, align_method, notify
        As for `APT`. Links count as they are: no list of target pronouns, no heuristic, no pronoun step.
    """

    settings: PRFSettings

    def __init__(
        self,
        lang: str,
        *,
        source_lang: str = "en",
        pronouns: Sequence[str] | str | None = None,
        positions: Positions | Iterable[tuple[int, int]] | None = None,
        clip: Clip = "occurrence",
        case: MatchCase = "mixed",
        lists: Sequence[str | PathLike[str]] | str | PathLike[str] = (),
        tokenize: str = WordTokenizer.name,
        lenient_links: bool = False,
        possible_links: bool = False,
        check_links: bool = False,
        aligner: str = LEXICAL,
        lexicon: str | PathLike[str] | None = None,
        align_method: Method = "itermax",
        notify: Callable[[str], None] | None = None,
    ) -> None:
        overrides = paths(lists)
        check_codes(overrides, lang, source_lang)
        target, source = load_language(lang, overrides), load_language(source_lang, overrides)
        if one_of(tokenize, TOKENIZERS, "tokenize") == WordTokenizer.name:
            require_segmented(target, source)
        if positions is not None and not isinstance(positions, Positions):
            positions = positions_from_pairs(positions)
        chosen = pair_lists(target, source, pronouns=pronouns, target_pronouns="any", heuristic=False)
        triggers = _triggers(pronouns, source.source.default)
        self.settings = PRFSettings(
            source_lang=source_lang,
            lang=lang,
            source_rules=source.tokenizer,
            target_rules=target.tokenizer,
            tokenize=tokenize,
            links=LinkOptions(lenient_links, possible_links),
            check_links=check_links,
            positions=positions,
            aligner=AlignerChoice(aligner, None if lexicon is None else fspath(lexicon), align_method),
            lists=replace(chosen, evaluated=triggers, full=triggers, abbreviations=frozenset()),
            clip=one_of(clip, CLIPS, "clip"),
            case=one_of(case, MATCH_CASES, "case"),
        )
        self.notify = notify

    def get_signature(self, nrefs: int = 1, align: str | None = None) -> Signature:
        s = self.settings
        if align is None:
            align = self.scorer(with_aligner=True).linking_name
        fields = {"nrefs": str(nrefs), "lang": f"{s.source_lang}-{s.lang}"}
        if s.positions is None:
            fields["pronouns"] = s.lists.evaluated_named()
        else:
            fields["positions"] = s.positions.digest
        fields |= {"clip": s.clip, "align": align}
        if reading := s.links.named():
            fields["links"] = reading
        tok = s.tokenize
        if tok == WordTokenizer.name:
            tok = f"{tok}@{rules_digest(s.source_rules, s.target_rules)}"
        return Signature("AutoPRF", {**fields, "tok": tok, "case": s.case, "version": __version__})

    def scorer(self, with_aligner: bool = False) -> SegmentScorer[PRFCounts]:
        s = self.settings
        source, target = s.tokenizers()
        # The hyphen of a clitic is the package's own doing; words of the user's are taken as they are.
        own = s.tokenize == WordTokenizer.name
        linkers = [(*rules.linkers, "-") if own else () for rules in (s.source_rules, s.target_rules)]
        return SegmentScorer(
            new_tally=PRFTally,
            finder=Finder(
                s.lists,
                Matcher(linkers[0], fold=False),
                Matcher(linkers[1], fold=s.case == "fold"),
                heuristic=False,
                repeats=True,
            ),
            comparison=Comparison({}, {}),
            source_tokenizer=source,
            target_tokenizer=target,
            link_options=s.links,
            check_all_links=s.check_links,
            positions=s.positions,
            linking=self.linking if with_aligner else None,
        )

    def check_references(self, count: int) -> None:
        if count > 1:
            raise OptionError("AutoPRF compares with one reference: several cannot be given")

    def result(
        self, collector: Collector[PRFCounts], system: int, nrefs: int, align: str, link_names: Sequence[str]
    ) -> AutoPRFResult:
        if self.settings.positions is not None:
            self.settings.positions.check_segments(collector.segments)
        return AutoPRFResult(
            **vars(collector.evidence(system, self.get_signature(nrefs, align), link_names)),
            clip=self.settings.clip,
        )


def _triggers(pronouns: Sequence[str] | str | None, usual: Sequence[str]) -> frozenset[str]:
    """As written; the usual ones also with a capital, as at the beginning of a sentence."""
    if pronouns is None:
        return frozenset({*usual, *(f"{word[:1].upper()}{word[1:]}" for word in usual)})
    if isinstance(pronouns, str) and pronouns.lower() == "all":
        raise OptionError("pronouns: AutoPRF has no wider list: name the words, as they are written")
    words = pronouns.split(",") if isinstance(pronouns, str) else pronouns
    return frozenset(written_key(word.strip()) for word in words)
