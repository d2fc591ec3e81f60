"""What a model prefers where no translation is correct: the prior templates of ContraCAT.

A `Prior` is an instance without a correct translation; its translations stand in the order of `genders`, and
`correct` is merely the first of them. `answered` takes priors out before accuracies are computed;
`preferences` says, a template each, how often a model finds which gender best (Table 12 of Stojanovski et al.
2020), which of the things that *it* may mean that is (Table 10), and, where two instances differ in the order
of two entities only, whether the model keeps to a place or to an entity (Table 11).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from apt.contrast.instances import ContrastiveSet, Instance
from apt.contrast.scores import Floats
from apt.errors import OptionError

TEMPLATE = "template"


@dataclass(frozen=True)
class Prior(Instance):
    """An instance of which no translation is correct.

    `genders` are those of the translations, in order; `roles` what could be meant and its gender. Instances
    of one `block` have the same entities in another order.
    """

    genders: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Preference:
    """Instances of a template by what is found best: one is tied if two translations are.

    `genders` and `roles` count instances, those with a gender of no role being in neither role; `pairs` are
    pairs of instances with the two entities exchanged: how often the model means the same role in both, by
    role, and the same entity (`same`).
    """

    template: str
    total: int
    ties: int
    genders: Mapping[str, int]
    roles: Mapping[str, int]
    pairs: int
    same_role: Mapping[str, int]
    same: int


def answered(contrastive_set: ContrastiveSet, scores: Floats) -> tuple[ContrastiveSet, Floats]:
    """The set and its scores without the priors."""
    _check(contrastive_set, scores)
    keep = [not isinstance(instance, Prior) for instance in contrastive_set.instances]
    instances = [each for each, kept in zip(contrastive_set.instances, keep, strict=True) if kept]
    return replace(contrastive_set, instances=instances), scores[np.repeat(keep, contrastive_set.sizes)]


def preferences(
    contrastive_set: ContrastiveSet, scores: Floats, *, higher_is_better: bool = False
) -> list[Preference]:
    """What the model prefers in each prior template; the lower score is better by default."""
    _check(contrastive_set, scores)
    templates: dict[str, list[tuple[Prior, str | None]]] = {}
    start = 0
    for instance, size in zip(contrastive_set.instances, contrastive_set.sizes, strict=True):
        if isinstance(instance, Prior):
            best = _best(-scores[start : start + size] if higher_is_better else scores[start : start + size])
            gender = None if best is None else instance.genders[best]
            templates.setdefault(instance.buckets.get(TEMPLATE, ""), []).append((instance, gender))
        start += size
    return [_preference(name, chosen) for name, chosen in templates.items()]


def _check(contrastive_set: ContrastiveSet, scores: Floats) -> None:
    if len(scores) != sum(contrastive_set.sizes):
        raise OptionError(f"{sum(contrastive_set.sizes)} scores needed, found {len(scores)}")


def _best(scores: Floats) -> int | None:
    """Which score is lowest, if only one is."""
    best = int(np.argmin(scores))
    return best if np.count_nonzero(scores == scores[best]) == 1 else None


def _preference(template: str, chosen: Sequence[tuple[Prior, str | None]]) -> Preference:
    genders = dict.fromkeys(chosen[0][0].genders, 0)
    roles = dict.fromkeys((role for prior, _ in chosen for role in prior.roles), 0)
    blocks: dict[str, list[tuple[Prior, str | None]]] = {}
    for prior, gender in chosen:
        if gender is not None:
            genders[gender] += 1
            for role in _meant(prior, gender):
                roles[role] += 1
        if prior.block is not None:
            blocks.setdefault(prior.block, []).append((prior, gender))
    pairs = [block for block in blocks.values() if len(block) == 2]
    same_role, same = dict.fromkeys(roles, 0), 0
    for (one, first), (other, second) in pairs:
        if first is None or second is None:
            continue
        for role in set(_meant(one, first)) & set(_meant(other, second)):
            same_role[role] += 1
        # The two have different genders, so that the same gender of either is the same entity.
        same += first == second and first in one.roles.values()
    ties = len(chosen) - sum(genders.values())
    return Preference(template, len(chosen), ties, genders, roles, len(pairs), same_role, same)


def _meant(prior: Prior, gender: str) -> list[str]:
    return [role for role, of_role in prior.roles.items() if of_role == gender]
