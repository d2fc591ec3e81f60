"""What metrics have in common: text and links in, evidence out, whatever is then made of it.

A metric is settings and nothing else: scoring twice with the same object gives the same result. It says
how triples are found and counted (`scorer`) and what a result is (`result`); reading lists here and
reading files in stream.py are the same for all.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from typing import Any, Generic, TypeVar, get_args

from apt.align.aligners import AlignerChoice
from apt.align.links import LinkLine, LinkOptions
from apt.comparing import DEFAULT_SEED, Plan, Resampled, compare
from apt.errors import OptionError
from apt.evidence import Collector
from apt.inputs import check_inputs
from apt.positions import Positions
from apt.pronouns import LanguageLists, override_codes
from apt.segments import C, Keep, Linking, PronounStep, SegmentScorer
from apt.signature import Signature
from apt.tokenize import SpaceTokenizer, Tokenizer, TokenizerRules, WordTokenizer

TOKENIZERS = (WordTokenizer.name, SpaceTokenizer.name)
PRONOUN_STEPS: tuple[PronounStep, ...] = get_args(PronounStep)
R = TypeVar("R", bound=Resampled)  # a metric's result
_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True, kw_only=True)
class TextSettings:
    """How text becomes words, and where links come from."""

    source_lang: str
    lang: str
    source_rules: TokenizerRules = TokenizerRules()
    target_rules: TokenizerRules = TokenizerRules()
    tokenize: str = WordTokenizer.name
    links: LinkOptions = LinkOptions()
    check_links: bool = False
    positions: Positions | None = None
    aligner: AlignerChoice = AlignerChoice()
    pronoun_step: PronounStep = "posterior"

    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Of the source and of the target."""
        if self.tokenize == SpaceTokenizer.name:
            return SpaceTokenizer(), SpaceTokenizer()
        return WordTokenizer(self.source_rules), WordTokenizer(self.target_rules)


class Metric(ABC, Generic[C, R]):
    """A metric of pronoun translation; C are its counts, R its result."""

    settings: TextSettings
    notify: Callable[[str], None] | None

    @abstractmethod
    def scorer(self, with_aligner: bool = False) -> SegmentScorer[C]:
        """What scores single segments under these settings; it can be sent to another process."""

    @abstractmethod
    def result(
        self, collector: Collector[C], system: int, nrefs: int, align: str, link_names: Sequence[str]
    ) -> R:
        """One system's result from what was collected; `align` says where its links come from."""

    @abstractmethod
    def check_references(self, count: int) -> None:
        """Raise unless the metric can take so many references."""

    @abstractmethod
    def get_signature(self, nrefs: int = 1, align: str | None = None) -> Signature:
        """Every setting that changes a number; `align` names the links used, if not by the aligner."""

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
        n_bootstrap: int = 0,
        seed: int = DEFAULT_SEED,
    ) -> R:
        """Score one system's output, given as lists of strings.

        `references` is one list, or a list of lists, one per reference; `reference_links` likewise. Links
        are Pharaoh lines (`"0-0 1-2"`) or lists of (i, j) pairs, source to target, zero-based; without them
        the aligner makes them. With `n_bootstrap` resamples of segments, drawn by `seed`,
        `result.compared.intervals` holds 95 % intervals.
        """
        if n_bootstrap < 0:
            raise OptionError(f"n_bootstrap: a number of resamples expected, found {n_bootstrap}")
        inputs = check_inputs(hypotheses, references, sources, reference_links, hypothesis_links, docids)
        self.check_references(len(inputs.references))
        keep = Keep(keep_triples, keep_segments or n_bootstrap > 0)
        scorer = self.scorer(with_aligner=inputs.hypothesis_links is None)
        collector = Collector(1, keep, scorer.new_tally)
        for chunk in inputs.chunks():
            collector.add(chunk, scorer.score(chunk, keep))
        given = inputs.digest()
        align = scorer.linking_name if given is None else f"given@{given}"
        names = [] if given is None else [*inputs.reference_names(), "hypothesis_links"]
        result = self.result(collector, 0, len(inputs.references), align, names)
        return compare({"": result}, Plan(confidence=n_bootstrap, seed=seed))[""]

    def sentence_score(
        self,
        hypothesis: str,
        references: str | Sequence[str],
        source: str,
        *,
        reference_links: LinkLine | Sequence[LinkLine] | None = None,
        hypothesis_links: LinkLine | None = None,
    ) -> R:
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

    @cached_property
    def linking(self) -> Linking:
        """The aligner, made once."""
        s = self.settings
        return Linking(s.aligner.make(s.source_lang, s.lang, self.notify), s.pronoun_step)


def paths(lists: Sequence[str | PathLike[str]] | str | PathLike[str]) -> list[str]:
    """Paths or names, given one by one or in a list."""
    return [fspath(path) for path in ([lists] if isinstance(lists, str | PathLike) else lists)]


def check_codes(lists: Sequence[str], lang: str, source_lang: str) -> None:
    """Raise for a list of a language that is not scored."""
    if foreign := sorted(override_codes(lists) - {lang, source_lang}):
        raise OptionError(
            f"lists: a list for {foreign[0]!r} is given, but the languages are {source_lang}-{lang}"
        )


def require_segmented(*languages: LanguageLists | None) -> None:
    """Raise for a language whose words only a program of its own can tell apart."""
    for language in languages:
        if language is not None and not language.segmented:
            raise OptionError(
                f"{language.name} text has no spaces between words: segment it first and use --tokenize none"
            )


def one_of(value: _Choice, allowed: Sequence[_Choice], option: str) -> _Choice:
    """The value, if it is allowed."""
    if value not in allowed:
        raise OptionError(f"{option}: unknown value {value!r}. Available: {', '.join(allowed)}")
    return value
