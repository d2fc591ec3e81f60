"""Small tables and score files of six systems, written by hand."""

import json
from pathlib import Path

import pytest

SYSTEMS = ("A", "B", "C", "D", "E", "F")
HUMAN = (71.2, 68.0, 75.9, 63.3, 66.6, 70.1)  # without an outlier
# "APT" is the better one; "TER_%" is an error rate, its name a trial for LaTeX.
METRICS = {"APT": (0.61, 0.64, 0.70, 0.48, 0.55, 0.66), "TER_%": (55.0, 57.1, 50.2, 60.0, 51.1, 49.0)}
QUICK = ("--confidence-n", "50", "--permutations", "50")

SEGMENTS = 5
DOCUMENTS = ("d1", "d1", "d1", "d2", "d2")


def systems_csv(separator=",", human=HUMAN, **metrics):
    columns = {"system": SYSTEMS, "human": human, **(metrics or METRICS)}
    lines = [columns, *zip(*columns.values(), strict=True)]
    return "".join(separator.join(map(str, cells)) + "\n" for cells in lines)


def segment_score(system, segment, of_metric=False):
    """People's score of a segment, the system's more or less; the metric adds an error of its own."""
    row = SYSTEMS.index(system)
    score = HUMAN[row] + (7 * row + 5 * segment) % 11
    return score / 100 + (3 * row + segment) % 4 / 20 if of_metric else score


def segments_csv(systems=SYSTEMS[:3], raters=()):
    """A row a system and segment; of several raters each gives a score more than the one before."""
    lines = [["system", "segment", "document", *(["rater"] if raters else []), "human", "APT"]]
    for system in systems:
        for segment in range(SEGMENTS):
            for more, rater in enumerate(raters or [None]):
                who = [] if rater is None else [rater]
                score, metric = segment_score(system, segment) + more, segment_score(system, segment, True)
                lines.append([system, segment, DOCUMENTS[segment], *who, score, round(metric, 4)])
    return "".join(",".join(map(str, cells)) + "\n" for cells in lines)


def score_file(scores):
    """`{system: [scores]}` as mt-metrics-eval keeps it."""
    return "".join(f"{system}\t{score}\n" for system, values in scores.items() for score in values)


def by_system(of_metric, systems=SYSTEMS):
    return {name: [segment_score(name, n, of_metric) for n in range(SEGMENTS)] for name in systems}


class Folder:
    """A folder to write into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name, content):
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(place)

    def file(self, name):
        return str(self.path / name)

    def files(self):
        return sorted(str(path.relative_to(self.path)) for path in self.path.rglob("*") if path.is_file())

    def mtme(self, name="wmt"):
        """A test set of mt-metrics-eval: sys and seg scores of en-de, with documents."""
        for level, of in (("sys", lambda values: [sum(values) / len(values)]), ("seg", list)):
            humans = {system: of(values) for system, values in by_system(False).items()}
            metrics = {system: of(values) for system, values in by_system(True).items()}
            self.write(f"{name}/human-scores/en-de.mqm.{level}.score", score_file(humans))
            self.write(f"{name}/metric-scores/en-de/APT-refA.{level}.score", score_file(metrics))
        self.write(f"{name}/documents/en-de.docs", "".join(f"news\t{document}\n" for document in DOCUMENTS))
        return self.file(name)


def printed(apt_meta, *arguments, stdin=b""):
    """What a run of `apt-meta correlate` without a fault prints."""
    outcome = apt_meta("correlate", *arguments, *QUICK, stdin=stdin)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def printed_json(apt_meta, *arguments, stdin=b""):
    """The same as JSON, read."""
    return json.loads(printed(apt_meta, *arguments, "-f", "json", stdin=stdin), parse_constant=pytest.fail)


def metrics_of(document, view=0):
    """By their names."""
    return {metric["metric"]: metric for metric in document["views"][view]["metrics"]}


def r_of(document, metric="APT", view=0):
    return metrics_of(document, view)[metric]["pearson"]["value"]
