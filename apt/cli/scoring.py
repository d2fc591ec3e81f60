"""What apt-score and autoprf-score have in common: inputs, links, output, resampling."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Protocol, TypeVar

import click

from apt.base import TOKENIZERS, Metric, R
from apt.cli.common import Decorated, aligner_options, warn
from apt.comparing import DEFAULT_SEED, UNITS, Plan, Resampled
from apt.corpus import STDIN
from apt.documents import read_document_starts
from apt.errors import OptionError
from apt.evidence import LinksReport
from apt.positions import Positions, read_positions
from apt.segments import C, Keep
from apt.stream import Files, FilesResult, Linked, LinksSink, TripleSink, score_files
from apt.version import __version__


class Scored(Resampled, Protocol):
    """What remarks are made of."""

    @property
    def links(self) -> LinksReport: ...


S = TypeVar("S", bound=Scored)


def options_of(*options: Any) -> Callable[[Decorated], Decorated]:
    """Several options as one decorator, shown in this order."""

    def decorate(command: Decorated) -> Decorated:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


text_options = options_of(
    click.option("--lang", "-l", help="Language of the references and candidates, such as fr."),
    click.option("--source-lang", default="en", show_default=True, help="Language of the source."),
)
link_options = options_of(
    click.option(
        "--ref-align",
        multiple=True,
        metavar="FILE",
        help="Links source-reference, one file a reference, in their order; without: made by the aligner.",
    ),
    click.option(
        "--hyp-align",
        multiple=True,
        metavar="FILE",
        help="Links source-candidate, one file a HYP, in their order.",
    ),
    aligner_options,
    click.option("--save-links", metavar="DIR", help="Write the words and links that were used."),
    click.option(
        "--tokenize",
        type=click.Choice(TOKENIZERS),
        default="words",
        show_default=True,
        help="none: split at spaces.",
    ),
    click.option(
        "--lenient-links", is_flag=True, help="Drop malformed and out-of-range links, and say how many."
    ),
    click.option("--possible-links", is_flag=True, help="Accept possible links (ipj, i?j) as links."),
    click.option(
        "--check-links", is_flag=True, help="Check the links of every line, not only where pronouns are."
    ),
)
positions_option = click.option(
    "--positions", metavar="FILE", help="Evaluate these (segment, token position) pairs, zero-based."
)
document_options = options_of(
    click.option(
        "--docids", metavar="FILE", help="A document id for each line: scores per document as well."
    ),
    click.option(
        "--doc-starts",
        metavar="FILE",
        help="The first line of each document, counted from 0, and perhaps an id: instead of --docids.",
    ),
)
output_options = options_of(
    click.option(
        "--format",
        "-f",
        "output",
        type=click.Choice(["text", "json", "tsv"]),
        default="text",
        show_default=True,
    ),
    click.option("--score-only", "-b", is_flag=True, help="Print the number only, a line a system."),
    click.option(
        "--width", "-w", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimals of scores."
    ),
    click.option("--quiet", "-q", is_flag=True, help="No remarks on standard error."),
    click.option(
        "--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes to score with."
    ),
)
resampling_options = options_of(
    click.option("--confidence", is_flag=True, help="95 % intervals by bootstrap."),
    click.option(
        "--confidence-n", type=click.IntRange(1), default=1000, show_default=True, help="Resamples for it."
    ),
    click.option("--paired-bs", is_flag=True, help="Paired bootstrap test against the baseline."),
    click.option("--paired-bs-n", type=click.IntRange(1), default=1000, show_default=True),
    click.option("--paired-ar", is_flag=True, help="Paired approximate randomization test."),
    click.option("--paired-ar-n", type=click.IntRange(1), default=10000, show_default=True),
    click.option("--baseline", metavar="NAME", help="The system compared with. [the first]"),
    click.option(
        "--resample",
        type=click.Choice(UNITS),
        default="segments",
        show_default=True,
        help="What is drawn; pronouns of one document are not independent.",
    ),
    click.option("--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True),
)


def plan_of(options: Mapping[str, Any]) -> Plan:
    """What to resample."""
    return Plan(
        confidence=options["confidence_n"] if options["confidence"] else 0,
        bootstrap=options["paired_bs_n"] if options["paired_bs"] else 0,
        randomization=options["paired_ar_n"] if options["paired_ar"] else 0,
        unit=options["resample"],
        seed=options["seed"],
    )


def check_resampling(options: Mapping[str, Any], names: Sequence[str]) -> None:
    """Say what cannot be, before any work is done."""
    plan = plan_of(options)
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
    if len(options["arguments"]) < 3:
        raise click.UsageError("SRC, REF and at least one HYP are needed.")
    if options["lang"] is None:
        raise click.UsageError(
            "--lang is needed: the language of the references and candidates, such as --lang fr."
        )


def files_of(options: Mapping[str, Any], more_references: Sequence[str] = ()) -> Files:
    """The files that are named."""
    source, reference, *candidates = options["arguments"]
    if options["docids"] is not None and options["doc_starts"] is not None:
        raise OptionError("--docids and --doc-starts say the same thing: one of them is enough")
    starts = options["doc_starts"]
    return Files(
        source=source,
        references=_linked([reference, *more_references], options["ref_align"], "--ref-align", "reference"),
        candidates=_linked(candidates, options["hyp_align"], "--hyp-align", "HYP"),
        docids=options["docids"],
        doc_starts=None if starts is None else read_document_starts(starts),
    )


def check_standard_input(files: Files, options: Mapping[str, Any]) -> None:
    """It can be read once."""
    paths = [*files.texts(), *files.links(), files.docids, options["positions"], options["doc_starts"]]
    if paths.count(STDIN) > 1:
        raise OptionError("standard input (-) can be named only once")


def _linked(texts: Sequence[str], links: Sequence[str], option: str, what: str) -> list[Linked]:
    if not links:
        return [Linked(text) for text in texts]
    if len(links) != len(texts):
        raise OptionError(
            f"{option}: one file a {what} is needed: {len(texts)} {what}s, {len(links)} link files"
        )
    return [Linked(text, link) for text, link in zip(texts, links, strict=True)]


def score(
    metric: Metric[C, R],
    files: Files,
    options: Mapping[str, Any],
    keep: Keep = Keep(),
    sink: TripleSink | None = None,
) -> FilesResult[R]:
    """Score, and write the links used where that is asked for."""
    with ExitStack() as stack:
        links_sink: LinksSink | None = None
        if options["save_links"] is not None:
            from apt.render.links import LinksWriter

            sides = [side.text for side in files.sides()]
            links_sink = stack.enter_context(LinksWriter(options["save_links"], sides)).write
        return score_files(metric, files, jobs=options["jobs"], keep=keep, sink=sink, links_sink=links_sink)


def remark(name: str, result: FilesResult[S], shows_links: bool) -> None:
    """Empty lines and dropped links, on standard error."""
    for empty in result.empty_lines:
        lines = "line is" if empty.count == 1 else "lines are"
        warn(name, f"note: {empty.path}: {empty.count} {lines} empty, the first is line {empty.first}")
    dropped = {path: n for system in result.systems for path, n in system.links.dropped.items()}
    if not shows_links:  # the text output says it itself
        for path, n in dropped.items():
            warn(name, f"note: links dropped in {path}: {n}")


def scores_only(scores: Sequence[float | None], width: int) -> str:
    """One number a line, one line a system."""
    return "\n".join("n/a" if score is None else f"{score:.{width}f}" for score in scores)


def version_option(name: str) -> Callable[[Decorated], Decorated]:
    """`--version`."""
    return click.version_option(
        __version__, "--version", "-V", prog_name=name, message="%(prog)s %(version)s"
    )
