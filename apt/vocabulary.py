"""What the lists of two languages mean together: every form folded, every choice made, and a digest.

In go the lists of the target and the source language and the user's choices, out comes `PairLists`, which
is all that scoring knows about words.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from apt.errors import OptionError
from apt.normalize import word_key
from apt.pronouns import Forms, LanguageLists

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_NAMED = 20  # the 19 English pronouns of published runs are still named


@dataclass(frozen=True)
class PairLists:
    """Everything about words that can change a score, for one source and one target language.

    `likely_default` is for pronouns that `likely` does not name; only old configurations have one.
    `full` and `target_full` are the wider lists: what else is a pronoun, evaluated or not. `listed`, what
    counts as a translation, is None when every target word does. `equivalent` holds each pair of group names
    (reference, candidate) with its p; `likely` is what the heuristic may look for.
    """

    evaluated: frozenset[str]
    full: frozenset[str]
    abbreviations: frozenset[str]
    listed: frozenset[str] | None
    target_full: frozenset[str]
    group_of: Mapping[str, str]
    equivalent: Mapping[tuple[str, str], float]
    likely: Mapping[str, frozenset[str]]
    likely_default: frozenset[str] = frozenset()

    def evaluated_named(self) -> str:
        """The evaluated pronouns as they stand in a signature: by name, or if there are many by a digest."""
        names = ",".join(sorted(self.evaluated))
        return names if len(self.evaluated) <= _NAMED else f"{len(self.evaluated)}@{_digest(names)}"

    def digest(self, *rules: "DataclassInstance") -> str:
        """Eight hex digits that change whenever anything above, or the rules given beside it, changes.

        All but `evaluated`, which a signature has by name.
        """
        content = {
            "full": sorted(self.full),
            "abbreviations": sorted(self.abbreviations),
            "listed": None if self.listed is None else sorted(self.listed),
            "target_full": sorted(self.target_full),
            "group_of": dict(sorted(self.group_of.items())),
            "equivalent": sorted([*pair, p] for pair, p in self.equivalent.items()),
            "likely_default": sorted(self.likely_default),
            "likely": {key: sorted(forms) for key, forms in sorted(self.likely.items())},
            "rules": [_plain(asdict(rule)) for rule in rules],
        }
        return _digest(content)


def rules_digest(*rules: "DataclassInstance") -> str:
    """Eight hex digits for rules alone."""
    return _digest([_plain(asdict(rule)) for rule in rules])


def _digest(content: object) -> str:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, sort_keys=True)
    return sha256(text.encode()).hexdigest()[:8]


def _plain(content: dict[str, Any]) -> dict[str, Any]:
    """With sets in order, as JSON needs it."""
    return {key: sorted(value) if isinstance(value, frozenset) else value for key, value in content.items()}


def pair_lists(
    target: LanguageLists,
    source: LanguageLists | None,
    *,
    pronouns: Sequence[str] | str | None = None,
    target_pronouns: Sequence[str] | str | None = None,
    anchor: str = "source",
    heuristic: bool = True,
    positions: bool = False,
    count_abbreviations: bool = False,
) -> PairLists:
    """Choose what is evaluated and what counts as its translation; `source` is None where it has no list."""
    if anchor == "reference" or source is None:
        walked, code = target.target, target.code
    else:
        walked, code = source.source, source.code
    evaluated = _chosen(pronouns, walked, "pronouns")
    if not evaluated:
        raise OptionError(f"no pronouns to evaluate: the list for {code!r} names none; use --pronouns")
    if isinstance(target_pronouns, str) and target_pronouns.lower() == "any":
        listed = None
    elif target_pronouns is not None:
        listed = _chosen(target_pronouns, target.target, "target pronouns")
    elif anchor == "reference":
        listed = evaluated | _matching(evaluated, target)
    elif positions and pronouns is None:
        listed = _keys(target.target.all)  # any word may be asked for
    else:
        listed = _usual_translations(evaluated, walked, target.target)
    if listed is not None and not listed:
        raise OptionError(f"nothing counts as a pronoun: the list for {target.code!r} has no target pronouns")
    likely = {} if source is None else target.likely.get(source.code, {})
    if anchor == "source" and heuristic and not positions and source is not None:
        _require_likely(evaluated, likely, target, source)
    group_of = {word_key(form): word_key(group[0]) for group in target.identical for form in group}
    return PairLists(
        evaluated=evaluated,
        full=evaluated | (frozenset() if source is None else _keys(source.source.all)),
        abbreviations=frozenset() if source is None or count_abbreviations else source.abbreviations,
        listed=listed,
        target_full=_keys(target.target.all),
        group_of=group_of,
        equivalent=_between_groups(target.equivalent, group_of),
        likely={word_key(pronoun): _keys(forms) for pronoun, forms in likely.items()},
    )


def _chosen(value: Sequence[str] | str | None, forms: Forms, option: str) -> frozenset[str]:
    """The words named, `all` of the wider list, or the usual ones."""
    if value is None:
        return _keys(forms.default)
    if isinstance(value, str) and value.lower() == "all":
        return _keys(forms.all)
    words = value.split(",") if isinstance(value, str) else list(value)
    words = [word.strip() if isinstance(word, str) else "" for word in words]
    if not words or any(not word or " " in word for word in words):
        raise OptionError(f"{option}: expected words separated by commas, found {value!r}")
    return _keys(words)


def _usual_translations(evaluated: frozenset[str], walked: Forms, target: Forms) -> frozenset[str]:
    """The usual target list as long as only the source's usual pronouns are evaluated.

    With any other pronoun it is the wider one, because *I* can never become a form that translates *it*.
    """
    return _keys(target.default if evaluated <= _keys(walked.default) else target.all)


def _matching(evaluated: frozenset[str], target: LanguageLists) -> frozenset[str]:
    """What else can match the pronouns walked in the reference: identical and equivalent forms."""
    groups = [_keys(group) for group in target.identical]
    candidates = {c for (r, c) in target.equivalent if r in evaluated}
    for group in groups:
        if group & evaluated:
            candidates |= group | {c for (r, c) in target.equivalent if r in group}
    for group in groups:
        if group & candidates:
            candidates |= group
    return frozenset(candidates)


def _between_groups(
    equivalent: Mapping[tuple[str, str], float], group_of: Mapping[str, str]
) -> dict[tuple[str, str], float]:
    """Equivalent pairs by the names of their groups; two different p for one pair are a mistake."""
    pairs: dict[tuple[str, str], float] = {}
    for (reference, candidate), p in equivalent.items():
        pair = (group_of.get(reference, reference), group_of.get(candidate, candidate))
        if pairs.setdefault(pair, p) != p:
            raise OptionError(
                f"lists: equivalent {reference}/{candidate} has p = {p:g}, but {pair[0]}/{pair[1]}, the same "
                f"after the identical groups, has p = {pairs[pair]:g}"
            )
    return pairs


def _require_likely(
    evaluated: Iterable[str],
    likely: Mapping[str, Sequence[str]],
    target: LanguageLists,
    source: LanguageLists,
) -> None:
    missing = sorted(set(evaluated) - _keys(likely))
    if not missing:
        return
    unknown = sorted(set(missing) - _keys(source.source.all))
    hint = f" ({', '.join(unknown)}: not a pronoun of the {source.code!r} list)" if unknown else ""
    raise OptionError(
        f"the {target.code!r} list has no likely translations of {source.code!r} {', '.join(missing)}{hint}, "
        f"which the heuristic needs: add [likely.{source.code}] with --lists, or use --no-heuristic"
    )


def _keys(forms: Iterable[str]) -> frozenset[str]:
    return frozenset(map(word_key, forms))
