"""Templates of contrastive sentences: what a template file says, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apt.contrast.inflection import Entry, Language


@dataclass(frozen=True)
class Template:
    """One template; `context` and `sentence` are patterns by language."""

    name: str
    title: str
    step: str
    slots: Mapping[str, str]
    context: Mapping[str, str]
    sentence: Mapping[str, str]
    different: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    halved: tuple[str, ...] = ()
    antecedent: str | None = None
    correct: str | None = None
    roles: Mapping[str, str] | None = None

    @property
    def swapped(self) -> bool:
        """Whether each tuple is followed by the one with its two different slots exchanged."""
        return len({self.slots[slot] for slot in self.different}) == 1


@dataclass(frozen=True)
class TemplateSet:
    """All templates of a pair of languages."""

    path: str
    code: str
    name: str
    genders: tuple[str, ...]
    source: Language
    target: Language
    vocabularies: Mapping[str, Sequence[Entry]]
    templates: Sequence[Template]
    noun_list: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
