"""Which aligners there are, and what the rest of the package knows of them.

An aligner has a name, a version and `align`: words of segment pairs in, an `Alignment` a pair out. What is
heavy about one is imported when it is made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from apt.align.links import Links
from apt.errors import OptionError

if TYPE_CHECKING:
    from apt.align.hmm import Floats

LEXICAL, SIMALIGN = "lexical", "simalign"
Method = Literal["itermax", "inter", "mwmf"]
METHODS: tuple[Method, ...] = get_args(Method)
Words = Sequence[str]


@dataclass(frozen=True)
class Alignment:
    """One segment pair: its links and, where the aligner has probabilities, their posterior [I, J]."""

    links: Links
    posterior: "Floats | None" = None


class Aligner(Protocol):
    """What aligns."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def align(self, sources: Sequence[Words], targets: Sequence[Words]) -> Sequence[Alignment]: ...


@dataclass(frozen=True)
class AlignerChoice:
    """The aligner a user asked for: `lexical`, or `simalign` with a model's name or folder behind a colon."""

    name: str = LEXICAL
    lexicon: str | None = None
    method: Method = "itermax"

    def __post_init__(self) -> None:
        kind = self.name.partition(":")[0]
        if (
            kind not in (LEXICAL, SIMALIGN)
            or self.name == f"{SIMALIGN}:"
            or self.name.startswith(f"{LEXICAL}:")
        ):
            raise OptionError(
                f"unknown aligner {self.name!r}. Available: {LEXICAL}, {SIMALIGN}, {SIMALIGN}:MODEL"
            )
        if self.lexicon is not None and kind != LEXICAL:
            raise OptionError(f"a lexicon goes with the aligner {LEXICAL!r} only")
        if self.method not in METHODS:
            raise OptionError(f"unknown simalign method {self.method!r}. Available: {', '.join(METHODS)}")

    def make(
        self, source_lang: str, target_lang: str, notify: Callable[[str], None] | None = None
    ) -> Aligner:
        """The aligner for a pair of languages; `notify` is told before a model is fetched."""
        kind, _, model = self.name.partition(":")
        if kind == SIMALIGN:
            from apt.align.simalign_backend import DEFAULT_MODEL, SimalignAligner

            return _LinksOnly(SimalignAligner(model or DEFAULT_MODEL, self.method, notify=notify))
        return self._lexical(source_lang, target_lang)

    def _lexical(self, source_lang: str, target_lang: str) -> Aligner:
        from apt.align.lexical import LexicalAligner
        from apt.align.lexicon import available_pairs, read_lexicon, shipped_lexicon

        if self.lexicon is not None:
            return LexicalAligner(read_lexicon(self.lexicon).directed(source_lang, target_lang, self.lexicon))
        lexicon = shipped_lexicon(source_lang, target_lang)
        if lexicon is None:
            known = ", ".join("-".join(pair) for pair in available_pairs())
            raise OptionError(
                f"there is no shipped lexicon for {source_lang}-{target_lang} (shipped: {known}, both ways). "
                "Three ways out: word links of your own (--ref-align, --hyp-align), a lexicon made by "
                f"apt-align-train (--lexicon), or --aligner {SIMALIGN}"
            )
        return LexicalAligner(lexicon)


class _Linker(Protocol):
    name: str
    version: str

    def align(self, sources: Sequence[Words], targets: Sequence[Words]) -> Sequence[Links]: ...


class _LinksOnly:
    """An aligner that has links and no probabilities."""

    def __init__(self, linker: _Linker) -> None:
        self._linker = linker
        self.name = linker.name
        self.version = linker.version

    def align(self, sources: Sequence[Words], targets: Sequence[Words]) -> list[Alignment]:
        return [Alignment(links) for links in self._linker.align(sources, targets)]
