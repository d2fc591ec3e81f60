"""JSON: numbers are numbers, keys are stable and described by apt-score.schema.json beside this file."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from apt.comparing import Compared
from apt.counts import Counts
from apt.render.tables import Shown
from apt.result import APTResult, PartScore
from apt.version import __version__


def render_json(results: Mapping[str, APTResult]) -> str:
    """All systems as one JSON object."""
    return dumped("APT", {name: result_dict(result) for name, result in results.items()})


def dumped(metric: str, systems: Mapping[str, dict[str, Any]]) -> str:
    """Systems by name as one document."""
    document = {
        "metric": metric,
        "version": __version__,
        "systems": [{"name": name, **system} for name, system in systems.items()],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of `render_json`."""
    text = Path(__file__).with_name("apt-score.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def result_dict(result: APTResult) -> dict[str, Any]:
    """One system's result."""
    documents = result.by_document
    return {
        "score": result.score,
        "undefined": result.undefined,
        **_counts_dict(result.counts),
        "segments": result.segments,
        "pronouns": [_part_dict("pronoun", *item) for item in result.by_pronoun.items()],
        "documents": None
        if documents is None
        else [_part_dict("document", *item) for item in documents.items()],
        "confusion": [
            {"reference": reference, "candidate": candidate, "count": count}
            for (reference, candidate), count in result.confusion.items()
        ],
        "weights": result.scoring.weights._asdict(),
        "discarded": sorted(result.scoring.discard),
        **common_dict(result),
    }


def common_dict(result: Shown) -> dict[str, Any]:
    """What every metric's result ends with: links, resampling, signature."""
    return {
        "links": {
            "origin": result.signature.fields["align"],
            "checked": "all segments" if result.links.all_segments else "segments with an evaluated pronoun",
            "segments_checked": result.links.segments_checked,
            "dropped": dict(result.links.dropped),
        },
        "resampling": None if result.compared is None else _compared_dict(result.compared),
        "signature": str(result.signature),
    }


def _compared_dict(compared: Compared) -> dict[str, Any]:
    return {
        "unit": compared.plan.unit,
        "seed": compared.plan.seed,
        "baseline": compared.baseline,
        "intervals": {name: value and asdict(value) for name, value in compared.intervals.items()},
        "bootstrap": {name: value and asdict(value) for name, value in compared.bootstrap.items()},
        "randomization": {name: value and asdict(value) for name, value in compared.randomization.items()},
    }


def _part_dict(kind: str, name: str, part: PartScore) -> dict[str, Any]:
    return {kind: name, "score": part.score, **_counts_dict(part.counts)}


def _counts_dict(counts: Counts) -> dict[str, Any]:
    return {
        "cases": counts.cases._asdict(),
        "total": counts.total,
        "not_in_source": counts.total_not_in_source,
    }
