"""`apt-align-train SRC TGT -o my.lex`: a lexicon for the embedded aligner, from parallel text."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import click

from apt.cli.common import progress_share, run, warn
from apt.corpus import ParallelReader
from apt.errors import InputError, OptionError
from apt.pronouns import LanguageLists, load_language
from apt.tokenize import SpaceTokenizer, Tokenizer, TokenizerRules, WordTokenizer
from apt.version import __version__

NAME = "apt-align-train"


@click.command(
    name=NAME,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-align-train corpus.en corpus.nl --lang nl -o en-nl.lex; "
    "then: apt-score ... --lang nl --lists nl.toml --lexicon en-nl.lex",
)
@click.argument("source", metavar="SRC")
@click.argument("target", metavar="TGT")
@click.option("--lang", "-l", required=True, help="Language of the target, such as fr.")
@click.option("--source-lang", default="en", show_default=True, help="Language of the source.")
@click.option("--output", "-o", required=True, metavar="FILE", help="The lexicon to write.")
@click.option("--lists", multiple=True, metavar="FILE", help="A list file of your own; repeatable.")
@click.option("--tokenize", type=click.Choice(["words", "none"]), default="words", show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no remarks on standard error.")
@click.version_option(__version__, "--version", "-V", prog_name=NAME, message="%(prog)s %(version)s")
def command(source: str, target: str, **options: Any) -> None:
    """Estimate a lexicon from two parallel texts; words are split as apt-score will split them.

    Left out are pairs with an empty side, more than 80 words, or very different lengths.
    """
    from apt.align.estimate import Languages, estimate, with_related
    from apt.align.lexicon import write_lexicon

    output = Path(options["output"])
    if output.is_dir() or not output.parent.is_dir():
        raise InputError("cannot be written: no such folder, or a folder itself", str(output))
    sides = [_lists(code, options["lists"]) for code in (options["source_lang"], options["lang"])]
    tokenizers = [_tokenizer(side, options["tokenize"]) for side in sides]
    linkers = tuple(dict.fromkeys(linker for side in sides if side for linker in side.tokenizer.linkers))
    languages = Languages(options["source_lang"], options["lang"], (*linkers, "-"))
    lexicon = estimate(
        _pairs(source, target, *tokenizers), languages, progress=progress_share(options["quiet"])
    )
    if sides[0] is not None and sides[1] is not None:
        lexicon = with_related(lexicon, sides[0].source.all, sides[1].target.all)
    try:
        write_lexicon(output, lexicon)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", str(output)) from None
    if not options["quiet"]:
        warn(
            NAME,
            f"{output}: {len(lexicon.pair_counts):,} word pairs of {languages.source}-{languages.target}",
        )


def _lists(code: str, overrides: tuple[str, ...]) -> LanguageLists | None:
    """The lists of a language, if it has any: a lexicon can be made for any pair."""
    try:
        return load_language(code, overrides)
    except OptionError:
        return None


def _tokenizer(lists: LanguageLists | None, name: str) -> Tokenizer:
    if name == SpaceTokenizer.name:
        return SpaceTokenizer()
    return WordTokenizer(TokenizerRules() if lists is None else lists.tokenizer)


def _pairs(
    source: str, target: str, one: Tokenizer, other: Tokenizer
) -> Iterator[tuple[list[str], list[str]]]:
    from apt.align.estimate import is_usable

    with ParallelReader([source, target]) as reader:
        for sources, targets in reader:
            for line, translation in zip(sources, targets, strict=True):
                words, others = one(line), other(translation)
                if is_usable(len(words), len(others)):
                    yield words, others


def main() -> NoReturn:
    """Console entry point."""
    run(command, NAME)
