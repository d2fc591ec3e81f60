"""What apt-score and autoprf-score do alike: from options to files, scores, comparisons and output."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import click

from apt.base import Metric
from apt.cli.common import colour_wanted, progress_line, system_names, warn
from apt.comparing import Plan, Resampled, compare
from apt.corpus import STDIN
from apt.documents import DocumentStarts, read_document_starts
from apt.errors import OptionError
from apt.positions import Positions, read_positions
from apt.render.tables import Renderer, Shown
from apt.segments import C, Keep
from apt.signature import Signature
from apt.stream import Files, FilesResult, Linked, LinksSink, TripleSink, score_files

if TYPE_CHECKING:
    from apt.render.mtme import MtmeWriter, SystemScores


class Part(Protocol):
    """A part of a text, such as a document."""

    @property
    def score(self) -> float | None: ...


class Scored(Shown, Resampled, Protocol):
    """What a result must offer to be printed and written."""

    @property
    def signature(self) -> Signature: ...
    @property
    def score(self) -> float | None: ...
    @property
    def by_document(self) -> Mapping[str, Part] | None: ...

    def segment_scores(self) -> list[float | None]: ...


S = TypeVar("S", bound=Scored)


def plan_of(options: Mapping[str, Any]) -> Plan:
    """What to resample."""
    return Plan(
        confidence=_resamples(options, "confidence", 1000),
        bootstrap=_resamples(options, "paired_bs", 1000),
        randomization=_resamples(options, "paired_ar", 10_000),
        unit=options["resample"],
        seed=options["seed"],
    )


def _resamples(options: Mapping[str, Any], flag: str, usual: int) -> int:
    number: int | None = options[f"{flag}_n"]
    if not options[flag]:
        if number is not None:
            option = "--" + flag.replace("_", "-")
            raise OptionError(f"{option}-n goes with {option}")
        return 0
    return usual if number is None else number


def _check_resampling(options: Mapping[str, Any], plan: Plan, names: Sequence[str]) -> None:
    """Say what cannot be, before any work is done."""
    if not plan.paired and options["baseline"] is not None:
        raise OptionError("--baseline goes with --paired-bs or --paired-ar")
    if options["baseline"] is not None and options["baseline"] not in names:
        raise OptionError(
            f"--baseline: no system is called {options['baseline']!r}. Systems: {', '.join(names)}"
        )
    if plan.paired and len(names) < 2:
        raise OptionError("a paired test needs at least two systems, found one HYP")
    if plan.unit == "documents" and not plan.wanted:
        raise OptionError("--resample goes with --confidence, --paired-bs or --paired-ar")
    if plan.unit == "documents" and options["docids"] is None and options["doc_starts"] is None:
        raise OptionError("--resample documents: --docids or --doc-starts says what the documents are")


def metric_options(options: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What both metrics are made with."""
    return {
        "lang": options["lang"],
        "source_lang": options["source_lang"],
        "pronouns": options["pronouns"],
        "positions": _positions(options["positions"]),
        "lists": options["lists"],
        "tokenize": options["tokenize"],
        "lenient_links": options["lenient_links"],
        "possible_links": options["possible_links"],
        "check_links": options["check_links"],
        "aligner": options["aligner"],
        "lexicon": options["lexicon"],
        "align_method": options["align_method"],
        "notify": None if options["quiet"] else lambda message: warn(name, message),
    }


def _positions(path: str | None) -> Positions | None:
    return None if path is None else read_positions(path)


def check_arguments(options: Mapping[str, Any]) -> None:
    """SRC, REF, HYP and the language, without which there is nothing to do."""
    check_standard_input(options, *options.get("more_references", ()))
    if len(options["arguments"]) < 3:
        raise click.UsageError("SRC, REF and at least one HYP are needed.")
    if options["lang"] is None:
        raise click.UsageError(
            "--lang is needed: the language of the references and candidates, such as --lang fr."
        )


def files_of(options: Mapping[str, Any], more_references: Sequence[str] = ()) -> Files:
    """The files that are named."""
    source, reference, *candidates = options["arguments"]
    return Files(
        source=source,
        references=_linked([reference, *more_references], options["ref_align"], "--ref-align", "reference"),
        candidates=_linked(candidates, options["hyp_align"], "--hyp-align", "HYP"),
        docids=options["docids"],
        doc_starts=document_starts(options),
    )


def document_starts(options: Mapping[str, Any]) -> DocumentStarts | None:
    """The file of starts, if it is given, and then instead of document ids."""
    if options["doc_starts"] is None:
        return None
    if options["docids"] is not None:
        raise OptionError("--docids and --doc-starts say the same thing: one of them is enough")
    return read_document_starts(options["doc_starts"])


def check_standard_input(options: Mapping[str, Any], *more: str) -> None:
    """It can be read once: said before anything is read."""
    named = [options["docids"], options["doc_starts"], options["positions"], *options["arguments"]]
    if [*named, *options["ref_align"], *options["hyp_align"], *more].count(STDIN) > 1:
        raise OptionError("standard input (-) can be named only once")


def _linked(texts: Sequence[str], links: Sequence[str], option: str, what: str) -> list[Linked]:
    if not links:
        return [Linked(text) for text in texts]
    if len(links) != len(texts):
        raise OptionError(
            f"{option}: one file a {what} is needed: {len(texts)} {what}s, {len(links)} link files"
        )
    return [Linked(text, link) for text, link in zip(texts, links, strict=True)]


class Renderers(NamedTuple, Generic[S]):
    """What makes text, JSON and TSV of results."""

    text: Callable[[int, bool], Renderer[S]]
    json: Callable[[Mapping[str, S]], str]
    tsv: Callable[[Mapping[str, S], int], str]


# Opens what receives triples, given the names of the systems.
Details = Callable[[Sequence[str]], AbstractContextManager[TripleSink | None]]


def perform(
    name: str,
    metric: Metric[C, S],
    files: Files,
    options: Mapping[str, Any],
    renderers: Callable[[], Renderers[S]],
    *,
    keep_triples: bool = False,
    details: Details = lambda names: nullcontext(),
) -> None:
    """Score, compare, write what is asked for and print the result."""
    names = system_names([side.text for side in files.candidates])
    plan = plan_of(options)
    _check_resampling(options, plan, names)
    keep = Keep(triples=keep_triples, segments=plan.wanted or options["mtme"] is not None)
    with _mtme_files(metric, files, names, options) as mtme, details(names) as sink:
        scored = _score(metric, files, options, keep, sink)
        results = compare(dict(zip(names, scored.systems, strict=True)), plan, options["baseline"])
        if mtme is not None:
            mtme.write({name: _system_scores(result) for name, result in results.items()})
    if not options["quiet"]:
        _remark(name, scored, shows_links=options["output"] == "text" and not options["score_only"])
    click.echo(_rendered(results, options, renderers()))


def _score(
    metric: Metric[C, S], files: Files, options: Mapping[str, Any], keep: Keep, sink: TripleSink | None
) -> FilesResult[S]:
    """Score, and write the links used where that is asked for."""
    with ExitStack() as stack:
        links_sink: LinksSink | None = None
        if options["save_links"] is not None:
            from apt.render.links import LinksWriter

            sides = [side.text for side in files.sides()]
            links_sink = stack.enter_context(LinksWriter(options["save_links"], sides)).write
        progress = stack.enter_context(progress_line(options["quiet"]))
        return score_files(
            metric,
            files,
            jobs=options["jobs"],
            keep=keep,
            sink=sink,
            links_sink=links_sink,
            progress=progress,
        )


@contextmanager
def _mtme_files(
    metric: Metric[C, S], files: Files, names: Sequence[str], options: Mapping[str, Any]
) -> "Iterator[MtmeWriter | None]":
    """What writes score files for mt-metrics-eval, where they are asked for."""
    if options["mtme"] is None:
        yield None
        return
    from apt.render.mtme import MtmeWriter

    references = [reference.text for reference in files.references]
    with MtmeWriter(options["mtme"], type(metric).__name__, references, names) as writer:
        yield writer


def _system_scores(result: Scored) -> "SystemScores":
    from apt.render.mtme import SystemScores

    documents = result.by_document
    parts = None if documents is None else [part.score for part in documents.values()]
    return SystemScores(result.score, result.segment_scores(), parts)


def _remark(name: str, result: FilesResult[S], shows_links: bool) -> None:
    """Empty lines and dropped links, on standard error."""
    for empty in result.empty_lines:
        lines = "line is" if empty.count == 1 else "lines are"
        warn(name, f"note: {empty.path}: {empty.count} {lines} empty, the first is line {empty.first}")
    dropped = {path: n for system in result.systems for path, n in system.links.dropped.items()}
    if not shows_links:  # the text output says it itself
        for path, n in dropped.items():
            warn(name, f"note: links dropped in {path}: {n}")


def _rendered(results: Mapping[str, S], options: Mapping[str, Any], renderers: Renderers[S]) -> str:
    width = options["width"]
    if options["score_only"]:
        scores = [result.score for result in results.values()]
        return "\n".join("n/a" if score is None else f"{score:.{width}f}" for score in scores)
    if options["output"] == "json":
        return renderers.json(results)
    if options["output"] == "tsv":
        return renderers.tsv(results, width)
    return renderers.text(width, colour_wanted()).render(results)
