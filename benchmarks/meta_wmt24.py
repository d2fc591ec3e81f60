"""How APT and AutoPRF agree with people on the WMT 2024 chat task, beside BLEU and chrF.

    python benchmarks/meta_wmt24.py [--aligner lexical] [--resamples 200] [--full]

From raw text to correlations: the English-German rows of wmt24_chat/ of APT_SHARED_DATA are scored for all
seven systems, links made on the way, BLEU and chrF are sacrebleu's, and apt.meta correlates all of them with
the human scores (0 to 100) of whole systems and of single segments. A metric that cannot be computed here is
left out with the reason. --full prints everything that apt-meta correlate would say.

People judged the documents in both directions of translation, the metrics see English-German alone; the mean
of the human segment scores does so too. Only some documents were judged, so the metrics are taken over the
whole text and over the judged documents.
"""

import argparse
import csv
import re
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress

from measuring import SHARED_DATA, print_versions

from apt import APT
from apt.errors import AptError
from apt.meta.correlate import correlate
from apt.meta.correlate_segments import correlate_segments
from apt.meta.correlation import pearson
from apt.meta.findings import Correlated, Estimate, PairTest, View
from apt.meta.tables import SegmentTable, SystemTable
from apt.render.meta_correlate import correlation_report
from apt.render.report import UNDEFINED, Table, interval, number, render_report
from apt.render.tables import aligned, p_value
from autoprf import AutoPRF

CHAT = SHARED_DATA / "wmt24_chat"
TEXT, HUMAN = CHAT / "all_submissions" / "en-de.csv", CHAT / "human_eval" / "docsqm2deu_ann.csv"
PUBLISHED = SHARED_DATA / "published_tables" / "wmt24_chat_system_level.csv"
ROWS, EN_DE, WITH_PRONOUN, DOCUMENTS, JUDGED = 2041, 1037, 133, 67, 36  # what the data must hold
SYSTEM = "submission_"
PRONOUN = re.compile(r"\b(it|they)\b", re.IGNORECASE)
SYSTEM_RESAMPLES = 10_000  # of seven systems: cheap, and BCa looks far into the tails
PERMUTATIONS = 1000

Scored = tuple[float | None, list[float | None]]  # of a text and of each segment
Metric = Callable[[list[str], list[str], list[str]], Scored]  # hypotheses, references, sources
Scores = dict[str, dict[str, float | None]]  # metric, system


@dataclass(frozen=True)
class Segment:
    """A segment of the English-German text; `number` counts both directions in its document."""

    document: str
    number: int
    source: str
    reference: str
    outputs: Mapping[str, str]

    @property
    def has_pronoun(self) -> bool:
        return PRONOUN.search(self.source) is not None


@dataclass(frozen=True)
class Human:
    """Raw human scores: of each system, document and segment number, and of whole documents."""

    segments: Mapping[tuple[str, str, int], Sequence[float]]
    documents: Mapping[str, Mapping[str, float]]
    raters: int

    def of(self, system: str, segment: Segment) -> float | None:
        """The score of a segment, averaged where it was rated twice."""
        rated = self.segments.get((system, segment.document, segment.number))
        return statistics.fmean(rated) if rated else None


@dataclass(frozen=True)
class Metrics:
    """What the metrics gave: corpus scores of the whole text and of the judged part, and segment scores."""

    whole: Scores
    judged: Scores
    segments: dict[str, dict[str, list[float | None]]]


# ---- the data ----


def expect(what: str, found: object, expected: object) -> None:
    """End unless these are the data this benchmark was written for."""
    if found != expected:
        raise SystemExit(f"{what}: {found}, but {expected} expected: these are other data")


def read_text() -> list[Segment]:
    """The English-German rows, each with its place in its document."""
    with TEXT.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    expect("rows of both directions", len(rows), ROWS)
    numbers: Counter[str] = Counter()
    segments = []
    for row in rows:
        document = row["doc_id"]
        if (row["source_language"], row["target_language"]) == ("en", "de"):
            outputs = {name.removeprefix(SYSTEM): row[name] for name in row if name.startswith(SYSTEM)}
            segments.append(Segment(document, numbers[document], row["source"], row["reference"], outputs))
        numbers[document] += 1
    expect("rows en-de", len(segments), EN_DE)
    expect("rows en-de with it or they", sum(segment.has_pronoun for segment in segments), WITH_PRONOUN)
    expect("documents", len(numbers), DOCUMENTS)
    return segments


def read_human() -> Human:
    """All human scores there are."""
    segments: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    documents: dict[str, dict[str, float]] = defaultdict(dict)
    raters = set()
    with HUMAN.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            system, document, score = row["model"].removeprefix(SYSTEM), row["doc_id"], float(row["score"])
            raters.add(row["ann"])
            if row["is_doc"] == "True":
                documents[system][document] = score
            else:
                segments[system, document, int(row["sent_id"])].append(score)
    for scores in documents.values():
        expect("documents judged", len(scores), JUDGED)
    return Human(segments, documents, len(raters))


def check_published(means: Mapping[str, Mapping[str, float]]) -> str:
    """The means by column of the published table, which must hold the same to four decimals."""
    if not PUBLISHED.exists():
        return f"not compared with the published means: {PUBLISHED} is not there"
    published = _published()
    for column, scores in means.items():
        for system, score in scores.items():
            expect(f"{column} of {system}", round(score, 4), float(published[system][column]))
    return "both human means are those of the published table, to four decimals"


def _published() -> dict[str, dict[str, str]]:
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        return {row["submission"]: row for row in csv.DictReader(file) if row["lp"] == "en-de"}


# ---- the metrics ----


def _pronouns(metric: APT | AutoPRF, *texts: list[str]) -> Scored:
    result = metric.corpus_score(*texts, keep_triples=False, keep_segments=True)
    return result.score, result.segment_scores()


def _bleu(hypotheses: list[str], references: list[str], sources: list[str]) -> Scored:
    from sacrebleu import corpus_bleu, sentence_bleu

    pairs = zip(hypotheses, references, strict=True)
    each: list[float | None] = [sentence_bleu(h, [r], use_effective_order=True).score for h, r in pairs]
    return corpus_bleu(hypotheses, [references]).score, each


def _chrf(hypotheses: list[str], references: list[str], sources: list[str]) -> Scored:
    from sacrebleu import corpus_chrf, sentence_chrf

    each: list[float | None] = [
        sentence_chrf(h, [r]).score for h, r in zip(hypotheses, references, strict=True)
    ]
    return corpus_chrf(hypotheses, [references]).score, each


def metrics_of(aligners: Sequence[str]) -> Iterator[tuple[str, Callable[[], Metric]]]:
    """Each metric by its name, made when it is called: that may fail."""

    def pronouns(kind: type[APT] | type[AutoPRF], aligner: str) -> Metric:
        return partial(_pronouns, kind(lang="de", aligner=aligner))

    for aligner in aligners:
        behind = f" {aligner}" if len(aligners) > 1 else ""
        yield f"APT{behind}", partial(pronouns, APT, aligner)
        yield f"AutoPRF{behind}", partial(pronouns, AutoPRF, aligner)
    yield "BLEU", lambda: _bleu
    yield "chrF", lambda: _chrf


def score_all(segments: Sequence[Segment], judged: Sequence[bool], aligners: Sequence[str]) -> Metrics:
    """Every metric that can be computed, over all segments and over the judged ones."""
    found = Metrics({}, {}, {})
    for name, make in metrics_of(aligners):
        start = time.perf_counter()
        try:
            metric = make()
            whole, each, part = {}, {}, {}
            for system in segments[0].outputs:
                whole[system], each[system] = metric(*_texts(segments, system))
                part[system], _ = metric(*_texts(list(compress(segments, judged)), system))
        except (AptError, ImportError) as error:
            print(f"  {name:8} left out: {error}")
            continue
        found.whole[name], found.judged[name], found.segments[name] = whole, part, each
        print(f"  {name:8} {time.perf_counter() - start:6.1f} s", flush=True)
    if not found.whole:
        raise SystemExit("no metric is left")
    return found


def _texts(segments: Sequence[Segment], system: str) -> tuple[list[str], list[str], list[str]]:
    return (
        [segment.outputs[system] for segment in segments],
        [segment.reference for segment in segments],
        [segment.source for segment in segments],
    )


# ---- tables ----


def show(table: Table) -> None:
    """A table with its title and an empty line before it."""
    print("", table.title, *aligned([table.head, *table.rows], table.labels), sep="\n")


def _estimate(estimate: Estimate) -> str:
    ends = estimate.interval
    behind = "" if ends is None else f" {interval(ends.low, ends.high, 2)}"
    return f"{number(estimate.value, 3)}{behind}"


def _tests(view: View, baseline: str, metric: str) -> PairTest | None:
    pairs = {frozenset((test.higher, test.lower)): test for test in view.tests}
    return pairs.get(frozenset((baseline, metric)))


def _p(test: PairTest | None, kind: str) -> str:
    found = None if test is None else getattr(test, kind)
    return "-" if test is None else UNDEFINED if found is None else p_value(found.p)


def scores_table(means: Mapping[str, Mapping[str, float]], metrics: Metrics) -> Table:
    """The numbers that are correlated."""
    document, segment = means.values()
    head = ["system", "document", "segment", *metrics.whole, *(f"{name}*" for name in metrics.judged)]
    rows = []
    for system in sorted(document, key=lambda name: -document[name]):
        values = [scores[system] for part in (metrics.whole, metrics.judged) for scores in part.values()]
        cells = [number(value, 4 if value is not None and value <= 1 else 2) for value in values]
        rows.append([system, f"{document[system]:.2f}", f"{segment[system]:.2f}", *cells])
    return Table("Scores; *: over the judged documents alone", head, rows)


def systems_table(found: Mapping[str, Correlated], human: str) -> Table:
    """One row a text and metric, beside each other all systems and those without outliers."""
    baseline = next(iter(found.values())).views[0].metrics[0].metric
    left_out = next(iter(found.values())).views[-1].left_out
    head = ["text", "metric", "cluster", "Pearson r", "Kendall τ", "accuracy"]
    head += [f"p ≠ {baseline}", "(Williams)"]
    head += [f"r without {', '.join(left_out)}"] if left_out else []
    rows = []
    for text, correlated in found.items():
        first, last = correlated.views[0], correlated.views[-1]
        for agreement in first.metrics:
            name = agreement.metric
            test = _tests(first, baseline, name)
            cells = [text, name, str(first.clusters.get(name, UNDEFINED))]
            cells += [_estimate(agreement.estimates[key]) for key in ("pearson", "kendall")]
            cells += [number(agreement.estimates["accuracy"].value, 3)]
            cells += [_p(test, "permuted"), _p(test, "williams")]
            cells += [_estimate(last.of(name).estimates["pearson"])] if left_out else []
            rows.append(cells)
    systems = len(next(iter(found.values())).views[0].systems)
    return Table(f"SYSTEMS ({systems}) against {human}", head, rows, labels=2)


def segments_table(found: Mapping[str, Correlated], human: str) -> Table:
    """One row a text and metric, beside each other the ways of bringing scores together."""
    baseline = next(iter(found.values())).views[0].metrics[0].metric
    groupings = ("pooled", "by system", "by segment")
    head = ["text", "metric", "scores", "cluster", f"p ≠ {baseline}", "r pooled", "τ pooled", "r by system"]
    head += ["r by segment", "(segments)"]
    rows = []
    for text, correlated in found.items():
        pooled, by_system, by_segment = (
            next(view for view in correlated.views if view.grouping == grouping) for grouping in groupings
        )
        for agreement in pooled.metrics:
            name = agreement.metric
            covered = str(agreement.n) if text != "own" else f"{agreement.n} of {agreement.of}"
            cells = [text, name, covered, str(pooled.clusters.get(name, UNDEFINED))]
            cells += [_p(_tests(pooled, baseline, name), "permuted")]
            cells += [_estimate(agreement.estimates["pearson"])]
            cells += [number(agreement.estimates["kendall"].value, 3)]
            cells += [_estimate(view.of(name).estimates["pearson"]) for view in (by_system, by_segment)]
            cells += [str(by_segment.of(name).groups or 0)]
            rows.append(cells)
    return Table(f"SEGMENTS of all systems against {human}", head, rows, labels=2)


def _drawing(found: Correlated) -> str:
    kind = "BCa" if found.unit == "systems" else "percentile"
    return (
        f"[]: {found.level:.0%} interval by {kind} bootstrap of {found.resamples} resamples of {found.unit}"
    )


# ---- the whole ----


def run_systems(means: Mapping[str, Mapping[str, float]], metrics: Metrics) -> list[Correlated]:
    """Both human scores against corpus scores of both texts."""
    show(scores_table(means, metrics))
    all_found: list[Correlated] = []
    for human, scores in means.items():
        found = {}
        for text, part in (("whole", metrics.whole), ("judged", metrics.judged)):
            columns = {name: [values[system] for system in scores] for name, values in part.items()}
            table = SystemTable.of(
                list(scores.values()), columns, systems=list(scores), human_name=f"{human}; text: {text}"
            )
            found[text] = correlate(table, resamples=SYSTEM_RESAMPLES)
        show(systems_table(found, human))
        all_found += found.values()
    n = len(all_found[0].views[0].systems)
    print(f"  whole: corpus scores over all {EN_DE} en-de segments; judged: over those of judged documents")
    print(f"  {_drawing(all_found[0])}; of {n} systems the ends are rough")
    print(f"  p: permutation test of a difference in r, exact (with {n} systems never below {2 / 2**n:.4f})")
    print(
        "  cluster: begins with a metric that is worse than one of the cluster before, p < 0.05, not adjusted"
    )
    return all_found


def show_muda(means: Mapping[str, Mapping[str, float]], metrics: Metrics) -> None:
    """What the other metric of pronouns in the published table says of these systems."""
    if not PUBLISHED.exists():
        return
    muda = {system: float(row["muda_pron_f1"]) for system, row in _published().items()}

    def r(scores: Mapping[str, float | None]) -> str:
        both = [(muda[system], score) for system, score in scores.items() if score is not None]
        ours, theirs = zip(*both, strict=True)
        return number(float(pearson(ours, theirs)), 3)

    people = ", ".join(f"{r(dict(scores))} with the {human}" for human, scores in means.items())
    others = ", ".join(f"{r(scores)} with {name}" for name, scores in metrics.whole.items())
    print(f"  the published MuDA F1 of pronouns, another metric of them, has r\n    {people};")
    print(f"    {others} (whole)")


def segment_table(
    segments: Sequence[Segment], human: Human, metrics: Metrics, names: Sequence[str]
) -> SegmentTable:
    """The judged segments with some of the metrics."""
    judged = [position for position, segment in enumerate(segments) if _is_judged(segment, human)]
    return SegmentTable.of(
        {
            system: [human.of(system, segments[position]) for position in judged]
            for system in segments[0].outputs
        },
        {
            name: {
                system: [scores[position] for position in judged]
                for system, scores in metrics.segments[name].items()
            }
            for name in names
        },
        segments=[f"{segments[position].document}.{segments[position].number}" for position in judged],
        documents=[segments[position].document for position in judged],
        human_name="human segment scores",
    )


def _is_judged(segment: Segment, human: Human) -> bool:
    return any(human.of(system, segment) is not None for system in segment.outputs)


def run_segments(
    segments: Sequence[Segment], human: Human, metrics: Metrics, resamples: int
) -> list[Correlated]:
    """Each metric on all it has, all on the same text, and all but AutoPRF, which has less, likewise."""
    names = list(metrics.segments)
    without = [name for name in names if not name.startswith("AutoPRF")]
    texts = {"own": (names, False), "common": (names, True)}
    if len(names) > len(without) > 1:
        texts["common*"] = (without, True)
    found = {}
    for text, (chosen, common) in texts.items():
        found[text] = correlate_segments(
            segment_table(segments, human, metrics, chosen),
            common=common,
            unit="documents",
            resamples=resamples,
            permutations=PERMUTATIONS,
        )
    show(segments_table(found, "human scores of segments (en-de)"))
    print("  own: each metric on all it can score, so rows are of different text; p on what both can score")
    starred = "; common*: the same without AutoPRF" if "common*" in found else ""
    print(f"  common: on the outputs that all metrics can score{starred}")
    print(
        "  by system: r within each system, averaged; by segment: within each segment that has one, averaged"
    )
    plan = found["own"]
    print(f"  {_drawing(plan)}")
    print(f"  p: permutation test of a difference in pooled r, {plan.permutations} random swaps of documents")
    return list(found.values())


def show_missing(segments: Sequence[Segment], human: Human, metrics: Metrics) -> None:
    """What people gave to segments with a pronoun that a metric cannot score, and to the others."""
    for name, by_system in metrics.segments.items():
        has: list[float] = []
        has_not: list[float] = []
        for system, scores in by_system.items():
            for segment, score in zip(segments, scores, strict=True):
                judged = human.of(system, segment)
                if judged is not None and segment.has_pronoun:
                    (has_not if score is None else has).append(judged)
        if has and has_not:
            print(
                f"  {name} has no score for {len(has_not)} of {len(has) + len(has_not)} outputs of judged "
                f"segments with it/they;\n    people gave these {statistics.fmean(has_not):.1f} on average, "
                f"the others {statistics.fmean(has):.1f}"
            )


def show_data(segments: Sequence[Segment], human: Human, judged: Sequence[bool]) -> None:
    """What there is, counted."""
    kept = list(compress(segments, judged))
    with_pronoun = [segment for segment in kept if segment.has_pronoun]
    twice = [place for place, scores in human.segments.items() if len(scores) > 1]
    here = {(segment.document, segment.number) for segment in segments}
    in_text = sum((document, place) in here for _, document, place in twice)
    print(
        f"\nWMT 2024 chat task, {len(segments[0].outputs)} systems, raters: {human.raters}, scores 0 to 100"
    )
    print(
        f"  {EN_DE} of {ROWS} rows are en-de, {WITH_PRONOUN} of them hold it/they;\n  of these rows "
        f"{len(kept)} were judged, {len(with_pronoun)} with it/they, "
        f"in {len({segment.document for segment in with_pronoun})} documents"
    )
    print(f"  {JUDGED} of {DOCUMENTS} documents were judged")
    print(f"  {len(twice)} outputs were rated twice and are averaged, {in_text} of them en-de")


def show_limits(segments: Sequence[Segment], judged: Sequence[bool], aligners: Sequence[str]) -> None:
    """What these data can and cannot tell."""
    kept = sum(segment.has_pronoun for segment in compress(segments, judged))
    systems, links = len(segments[0].outputs), " and ".join(aligners)
    print(f"""
What these data can and cannot tell
  - {systems} systems: look at the width of the intervals. No order of metrics can be read from the tables of
    systems; a small p among many comparisons is what chance gives too.
  - People scored documents and segments as a whole, not pronouns. That a metric of pronouns does not follow
    them can mean that it errs, or that pronouns hardly move such scores: these data cannot tell which.
    That would need judgments of pronouns. There is no sign here that it measures quality as a whole.
  - The document score covers both directions of translation, the metrics one of them.
  - {WITH_PRONOUN} segments hold it/they, {kept} of them were judged: {kept} × {systems} outputs, and the APT
    of nearly all is 0 or 1. Pooled and by system, segments of different length and difficulty are compared;
    by segment only translations are, but few segments are left, because systems often have the same APT.
  - The links were made by {links}, not by hand: their errors are in APT and in AutoPRF, which has no score
    where no word is linked in the output or in the reference.
  - One domain, one direction, one year.""")


def measure(options: argparse.Namespace) -> None:
    """Score, correlate and print."""
    start = time.perf_counter()
    segments, human = read_text(), read_human()
    judged = [_is_judged(segment, human) for segment in segments]
    show_data(segments, human, judged)
    document, segment = "document score (both directions)", "mean segment score (en-de)"
    means: dict[str, dict[str, float]] = {document: {}, segment: {}}
    for system in segments[0].outputs:
        scores = [human.of(system, each) for each in segments]
        means[document][system] = statistics.fmean(human.documents[system].values())
        means[segment][system] = statistics.fmean(score for score in scores if score is not None)
    columns = dict(zip(("Document", "sentence (en->xx)"), means.values(), strict=True))
    print(f"  {check_published(columns)}")

    print("\nScoring")
    metrics = score_all(segments, judged, options.aligner)
    found = run_systems(means, metrics)
    show_muda(means, metrics)
    scored = time.perf_counter()
    found += run_segments(segments, human, metrics, options.resamples)
    show_missing(segments, human, metrics)
    show_limits(segments, judged, options.aligner)
    if options.full:
        for each in found:
            print(f"\n{'=' * 100}\n{render_report(correlation_report(each), 'text')}")
    end = time.perf_counter()
    print(f"\n{end - start:.1f} s, of which {end - scored:.1f} s for correlations of segments")


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--aligner",
        type=lambda names: names.split(","),
        default="lexical",
        help="several by commas [lexical]",
    )
    parser.add_argument("--resamples", type=int, default=200, help="of documents, for intervals [200]")
    parser.add_argument("--full", action="store_true", help="print all that apt-meta correlate says, too")
    options = parser.parse_args()
    for path in (TEXT, HUMAN):
        if not path.exists():
            raise SystemExit(f"{path} is not there: nothing to score")
    print_versions("apt-score")
    measure(options)


if __name__ == "__main__":
    main()
