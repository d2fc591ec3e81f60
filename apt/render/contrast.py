"""Evaluations of models on a contrastive set, as a `Report`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from apt.contrast.evaluation import Compared, Evaluation, Share
from apt.contrast.instances import ContrastiveSet
from apt.contrast.preferences import Preference
from apt.render.report import UNDEFINED, Report, Table, exact, interval, number
from apt.render.tables import p_value

_TIDY = ("model", "bucket", "value", "right", "total", "accuracy", "low", "high")


def contrast_report(
    contrastive_set: ContrastiveSet,
    evaluations: Sequence[Evaluation],
    compared: Sequence[Compared],
    preferred: Mapping[str, Sequence[Preference]],
    width: int = 4,
) -> Report:
    """Several models side by side: all, blocks, every bucket, crossed buckets, tests, and preferences."""
    tables: list[Table] = []
    if evaluations:
        tables.append(_totals(evaluations, width))
        tables += [_bucket(name, evaluations, width) for name in evaluations[0].buckets]
        pairs = evaluations[0].crossed
        tables += [_crossed(pair, evaluation, width) for pair in pairs for evaluation in evaluations]
    tables += _preferences(preferred)
    if compared:
        tables.append(_compared(compared, width))
    return Report(
        "apt-contrast evaluate",
        tables,
        _notes(contrastive_set, evaluations),
        Table("", _TIDY, [*_tidy(evaluations), *_preferences_tidy(preferred)], labels=3),
        {
            **_data(contrastive_set, evaluations, compared),
            "preferences": {model: list(map(asdict, found)) for model, found in preferred.items()},
        },
    )


def _preferences(preferred: Mapping[str, Sequence[Preference]]) -> list[Table]:
    """What models prefer in each prior template: genders, what could be meant, and pairs."""
    by_template: dict[str, list[tuple[str, Preference]]] = {}
    for model, found in preferred.items():
        for preference in found:
            by_template.setdefault(preference.template, []).append((model, preference))
    tables = []
    for template, rows in by_template.items():
        head = ["model", "n", *rows[0][1].genders, "ties", *(f"the {role}" for role in rows[0][1].roles)]
        head += ["pairs", "same thing"] if rows[0][1].pairs else []
        cells = []
        for model, each in rows:
            counts = [each.total, *each.genders.values(), each.ties, *each.roles.values()]
            counts += [each.pairs, each.same] if rows[0][1].pairs else []
            cells.append([model, *map(str, counts)])
        tables.append(Table(f"preferences in {template} (no translation is correct)", head, cells))
    return tables


def _preferences_tidy(preferred: Mapping[str, Sequence[Preference]]) -> list[list[str]]:
    rows = []
    for model, found in preferred.items():
        for each in found:
            numbers = {**each.genders, "tie": each.ties, **each.roles}
            rows += [
                [model, f"preference in {each.template}", name, str(n), str(each.total), "", "", ""]
                for name, n in numbers.items()
            ]
    return rows


def _totals(evaluations: Sequence[Evaluation], width: int) -> Table:
    head = ["model", "accuracy", "95 % interval", "right", "of", "ties"]
    blocks = any(evaluation.blocks is not None for evaluation in evaluations)
    head += ["whole blocks", "of"] if blocks else []
    rows = []
    for evaluation in evaluations:
        cells = [evaluation.model, *_cells(evaluation.total, width), str(evaluation.ties)]
        if evaluation.blocks is not None:
            cells += [str(evaluation.blocks.right), str(evaluation.blocks.total)]
        rows.append(cells)
    return Table("", head, rows)


def _cells(share: Share, width: int) -> list[str]:
    accuracy, ends = number(share.accuracy, width), interval(share.low, share.high, width)
    return [accuracy, ends, str(share.right), str(share.total)]


def _bucket(name: str, evaluations: Sequence[Evaluation], width: int) -> Table:
    """A row a value and a column a model; how many there are is the same for all."""
    first = evaluations[0].buckets[name]
    rows = [
        [
            value,
            str(share.total),
            *(number(each.buckets[name][value].accuracy, width) for each in evaluations),
        ]
        for value, share in first.items()
    ]
    return Table(f"by {name}", [name, "n", *(evaluation.model for evaluation in evaluations)], rows)


def _crossed(pair: tuple[str, str], evaluation: Evaluation, width: int) -> Table:
    shares = evaluation.crossed[pair]
    lines = list(dict.fromkeys(value for value, _ in shares))
    columns = sorted(dict.fromkeys(value for _, value in shares))
    rows = [
        [line, *(_crossed_cell(shares.get((line, column)), width) for column in columns)] for line in lines
    ]
    title = f"{pair[0]} × {pair[1]}: {evaluation.model} (accuracy, n)"
    return Table(title, [pair[0], *columns], rows)


def _crossed_cell(share: Share | None, width: int) -> str:
    return UNDEFINED if share is None else f"{number(share.accuracy, width)} ({share.total})"


def _compared(compared: Sequence[Compared], width: int) -> Table:
    rows = [
        [
            each.model,
            f"{each.difference:+.{width}f}",
            str(each.only_model),
            str(each.only_baseline),
            p_value(each.p),
        ]
        for each in compared
    ]
    title = f"compared with {compared[0].baseline} (McNemar's exact test, two-sided)"
    return Table(title, ["model", "difference", "only it right", "only the other", "p"], rows)


def _notes(contrastive_set: ContrastiveSet, evaluations: Sequence[Evaluation]) -> list[str]:
    size = f"{len(contrastive_set.instances)} instances"
    notes = [
        f"{contrastive_set.kind}, {size}, digest {contrastive_set.digest}",
        "right: the correct translation is better than every contrastive one; a tie is wrong",
    ]
    notes += [f"{each.model}: {reversed_remark(each)}" for each in evaluations if each.looks_reversed]
    return notes


def reversed_remark(evaluation: Evaluation) -> str:
    """What to say of scores that look as if they were meant the other way round."""
    option = "--lower-is-better" if evaluation.higher_is_better else "--higher-is-better"
    accuracy = f"{evaluation.other_direction:.4f}"
    return f"the other direction of scores ({option}) would give {accuracy}: was it meant?"


def _tidy(evaluations: Sequence[Evaluation]) -> list[list[str]]:
    rows = []
    for each in evaluations:
        rows.append([each.model, "all", "", *_tidy_cells(each.total)])
        if each.blocks is not None:
            rows.append([each.model, "whole blocks", "", *_tidy_cells(each.blocks)])
        for name, shares in each.buckets.items():
            rows += [[each.model, name, value, *_tidy_cells(share)] for value, share in shares.items()]
        for pair, crossed in each.crossed.items():
            rows += [
                [each.model, " × ".join(pair), " × ".join(values), *_tidy_cells(share)]
                for values, share in crossed.items()
            ]
    return rows


def _tidy_cells(share: Share) -> list[str]:
    return [str(share.right), str(share.total), exact(share.accuracy), exact(share.low), exact(share.high)]


def _data(
    contrastive_set: ContrastiveSet, evaluations: Sequence[Evaluation], compared: Sequence[Compared]
) -> dict[str, Any]:
    return {
        "set": contrastive_set.name,
        "kind": contrastive_set.kind,
        "digest": contrastive_set.digest,
        "instances": len(contrastive_set.instances),
        "models": [_evaluation_dict(each) for each in evaluations],
        "comparisons": [asdict(each) for each in compared],
    }


def _evaluation_dict(each: Evaluation) -> dict[str, Any]:
    return {
        "model": each.model,
        "higher_is_better": each.higher_is_better,
        **_share_dict(each.total),
        "ties": each.ties,
        "other_direction": each.other_direction,
        "whole_blocks": None if each.blocks is None else _share_dict(each.blocks),
        "buckets": {name: _shares_list(name, shares) for name, shares in each.buckets.items()},
        "crossed": [
            {one: values[0], other: values[1], **_share_dict(share)}
            for (one, other), shares in each.crossed.items()
            for values, share in shares.items()
        ],
    }


def _shares_list(name: str, shares: Mapping[str, Share]) -> list[dict[str, Any]]:
    return [{name: value, **_share_dict(share)} for value, share in shares.items()]


def _share_dict(share: Share) -> dict[str, Any]:
    return {"accuracy": share.accuracy, **asdict(share)}
