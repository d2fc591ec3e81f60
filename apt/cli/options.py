"""The options that apt-score and autoprf-score have in common."""

from collections.abc import Callable

import click

from apt.base import TOKENIZERS
from apt.cli.common import Decorated, aligner_options, options_of
from apt.comparing import DEFAULT_SEED, UNITS
from apt.version import __version__

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
    click.option(
        "--mtme",
        metavar="DIR",
        help="Write scores of systems, segments and documents as mt-metrics-eval reads them.",
    ),
)
_RESAMPLES = click.IntRange(1, 1_000_000)
resampling_options = options_of(
    click.option("--confidence", is_flag=True, help="95 % intervals by bootstrap."),
    click.option("--confidence-n", type=_RESAMPLES, help="Resamples for it. [1000]"),
    click.option("--paired-bs", is_flag=True, help="Paired bootstrap test against the baseline."),
    click.option("--paired-bs-n", type=_RESAMPLES, help="Resamples for it. [1000]"),
    click.option("--paired-ar", is_flag=True, help="Paired approximate randomization test."),
    click.option("--paired-ar-n", type=_RESAMPLES, help="Resamples for it. [10000]"),
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


def version_option(name: str) -> Callable[[Decorated], Decorated]:
    """`--version`."""
    return click.version_option(
        __version__, "--version", "-V", prog_name=name, message="%(prog)s %(version)s"
    )
