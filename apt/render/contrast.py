"""Evaluations of models on a contrastive set, as a `Report`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from apt.contrast.evaluation import Compared, Evaluation, Share
from apt.contrast.instances import ContrastiveSet
from apt.render.report import UNDEFINED, Report, Table, exact, interval, number
from apt.render.tables import p_value

_TIDY = ("model", "bucket", "value", "right", "total", "accuracy", "low", "high")


def contrast_report(
    contrastive_set: ContrastiveSet,
    evaluations: Sequence[Evaluation],
    compared: Sequence[Compared],
    width: int = 4,
) -> Report:
    """Several models side by side: all, blocks, every bucket, crossed buckets, and tests of differences."""
    tables = [_totals(evaluations, width)]
    tables += [_bucket(name, evaluations, width) for name in contrastive_set.buckets]
    tables += [
        _crossed(pair, evaluation, width) for pair in contrastive_set.crossed for evaluation in evaluations
    ]
    if compared:
        tables.append(_compared(compared, width))
    return Report(
        "apt-contrast evaluate",
        tables,
        _notes(contrastive_set, evaluations),
        Table("", _TIDY, _tidy(evaluations), labels=3),
        _data(contrastive_set, evaluations, compared),
    )


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
