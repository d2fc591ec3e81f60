"""How long evaluating a contrastive set takes.

    python benchmarks/contrast.py [--repeats 5]

ContraPro's 12,000 instances with 36,031 real scores (APT_SHARED_DATA). The steps of `apt-contrast evaluate`
are timed one by one; medians of wall-clock times are shown. The goal is for all steps but reading JSON.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import SHARED_DATA, Goal, print_versions

from apt.contrast.contrapro import contrapro_set
from apt.contrast.evaluation import evaluate
from apt.contrast.fields import read_json
from apt.contrast.scores import read_scores
from apt.render.contrast import contrast_report
from apt.render.report import render_report

READING = "reading JSON"
SECONDS = 0.5


def steps(folder: Path, measured: Callable[[str, Callable[[], Any]], Any]) -> tuple[int, int]:
    """Evaluate once; how many instances and scores there were."""
    path = str(folder / "contrapro_reconstructed.json")
    content = measured(READING, lambda: read_json(path))
    contrastive_set = measured("instances", lambda: contrapro_set(content, path))
    scores_path = str(folder / "scores" / "opensubs_concat22.scores")
    scores = measured("scores", lambda: read_scores(scores_path, contrastive_set))
    evaluation = measured("evaluating", lambda: evaluate(contrastive_set, scores))
    measured("report", lambda: render_report(contrast_report(contrastive_set, [evaluation], [], {}), "text"))
    return len(contrastive_set.instances), len(scores)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    folder = SHARED_DATA / "contrapro"
    if not folder.is_dir():
        raise SystemExit(f"there is no ContraPro at {folder} (set APT_SHARED_DATA)")
    runs: list[dict[str, float]] = []

    def measured(name: str, step: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        result = step()
        runs[-1][name] = time.perf_counter() - start
        return result

    counted = (0, 0)
    for _ in range(args.repeats):
        runs.append({})
        counted = steps(folder, measured)
    print_versions("numpy", "scipy")
    print(f"{counted[0]:,} instances, {counted[1]:,} scores; medians of {args.repeats} runs")
    for name in runs[0]:
        print(f"  {name:15} {statistics.median(run[name] for run in runs):6.3f} s")
    beyond = statistics.median(sum(run.values()) - run[READING] for run in runs)
    print(Goal(f"seconds beyond {READING}", beyond, SECONDS))


if __name__ == "__main__":
    main()
