"""`apt-align SRC TGT --lang fr`: word links of parallel text, as Pharaoh lines."""

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import click

from apt.align.aligners import Alignment
from apt.align.links import Links, pharaoh
from apt.base import TOKENIZERS
from apt.cli.common import aligner_options, progress_line, pronoun_step_option, run, warn
from apt.corpus import ParallelReader
from apt.counts import Counts
from apt.metric import APT
from apt.segments import SegmentScorer
from apt.version import __version__

NAME = "apt-align"
_AT_ONCE = 256


@click.command(
    name=NAME,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-align source.en output.fr --lang fr > output.align",
)
@click.argument("source", metavar="SRC")
@click.argument("target", metavar="TGT")
@click.option("--lang", "-l", required=True, help="Language of the target, such as fr.")
@click.option("--source-lang", default="en", show_default=True, help="Language of the source.")
@aligner_options
@pronoun_step_option
@click.option(
    "--heuristic/--no-heuristic", default=True, show_default=True, help="Amend the links of pronouns."
)
@click.option(
    "--pronouns", default="all", show_default=True, metavar="LIST", help="Pronouns whose links are amended."
)
@click.option("--lists", multiple=True, metavar="FILE", help="A list file of your own; repeatable.")
@click.option("--tokenize", type=click.Choice(TOKENIZERS), default="words", show_default=True)
@click.option("--probs", is_flag=True, help="Write i-j:p, with the posterior of each link.")
@click.option("--show", is_flag=True, help="Print the words that are linked, for people.")
@click.version_option(__version__, "--version", "-V", prog_name=NAME, message="%(prog)s %(version)s")
def command(source: str, target: str, **options: Any) -> None:
    """Print the word links between two texts, one line a segment, source word - target word, from 0."""
    probs, show = options.pop("probs"), options.pop("show")
    apt = APT(notify=lambda message: warn(NAME, message), **options)
    scorer = apt.scorer(with_aligner=True)
    lines: list[str] = []
    with ParallelReader([source, target]) as reader, progress_line(quiet=False) as progress:
        for sources, targets in reader:
            for start in range(0, len(sources), _AT_ONCE):
                part = slice(start, start + _AT_ONCE)
                for words, others, alignment in aligned(scorer, sources[part], targets[part]):
                    lines.append(_written(words, others, alignment, probs, show))
                progress(len(lines))
    for line in lines:
        click.echo(line)


def aligned(
    scorer: SegmentScorer[Counts], sources: Sequence[str], targets: Sequence[str]
) -> Iterator[tuple[list[str], list[str], Alignment]]:
    """The words of both sides with their links, pronouns amended, and posteriors."""
    assert scorer.linking is not None
    words = [scorer.source_tokenizer(line) for line in sources]
    others = [scorer.target_tokenizer(line) for line in targets]
    for pair in zip(words, others, scorer.linking.aligner.align(words, others), strict=True):
        links = scorer.amended(scorer.finder.occurrences(pair[0]), pair[1], pair[2])
        yield pair[0], pair[1], Alignment(links, pair[2].posterior)


def _written(words: list[str], others: list[str], alignment: Alignment, probs: bool, show: bool) -> str:
    if show:
        return "\n".join([" ".join(words), " ".join(others), *_pairs(words, others, alignment.links), ""])
    if probs and alignment.posterior is not None:
        links = alignment.links
        return " ".join(f"{i}-{j}:{alignment.posterior[i, j]:.6f}" for i in sorted(links) for j in links[i])
    return pharaoh(alignment.links)


def _pairs(words: list[str], others: list[str], links: Links) -> Iterator[str]:
    width = max((len(words[i]) for i in links), default=0)
    for i in sorted(links):
        yield f"  {words[i].ljust(width)}  {' '.join(others[j] for j in links[i])}"


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)
