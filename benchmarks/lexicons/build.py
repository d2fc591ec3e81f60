"""The shipped lexicons, from the parallel data to the files: one command, the same bytes every time.

    python benchmarks/lexicons/build.py [--pairs en-fr,en-de,en-es] [--data FOLDER] [--output FOLDER]

Reads Europarl and Tatoeba (see NOTICE) from parallel/ of the folder of public data (APT_SHARED_DATA), takes
the words as the package's own tokenizer makes them, folded, clitics without what ties them (-t-il → il),
leaves out pairs with an empty side, with more than 80 words on a side, or with one side more than three times
as long as the other, estimates with `apt.align.estimate` as it is, and gives every pair of pronouns of the
two lists (lists/*.toml) a least count. How the constants were chosen is in README.md beside this file. It
takes five minutes of one core and 1.2 GB a pair.
"""

import argparse
import gzip
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from apt.align.estimate import Languages, estimate, is_usable, with_related
from apt.align.lexicon import SUFFIX, read_lexicon, write_lexicon
from apt.normalize import word_key
from apt.pronouns import load_language
from apt.tokenize import WordTokenizer

ROOT = Path(__file__).resolve().parents[2]
SHARED_DATA = ROOT / os.environ.get("APT_SHARED_DATA", "../shared/data")
SHIPPED = ROOT / "apt" / "align" / "lexicons"
CORPORA = ("europarl", "tatoeba")
ORIGIN = "Europarl; Tatoeba (CC BY 2.0 FR); statistics only, see NOTICE"
# With several threads, sums can come out in another order.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Words = tuple[list[str], list[str]]


def main() -> None:
    """Build what was asked for and say how large it is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", default="en-fr,en-de,en-es")
    parser.add_argument("--data", type=Path, default=SHARED_DATA)
    parser.add_argument("--output", type=Path, default=SHIPPED)
    arguments = parser.parse_args()
    if not ONE_THREAD.items() <= os.environ.items():  # has to be set before numpy is loaded
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})
    arguments.output.mkdir(parents=True, exist_ok=True)
    for pair in arguments.pairs.split(","):
        source, target = pair.split("-")
        start = time.monotonic()
        languages = Languages(source, target, linkers(source, target), ORIGIN)
        path = arguments.output / f"{pair}{SUFFIX}"
        write_lexicon(path, estimate(sentences(arguments.data, source, target), languages, progress=progress))
        lexicon = with_related(read_lexicon(path), pronouns(source), pronouns(target))
        write_lexicon(path, lexicon)
        print(
            f"{path.name}: {len(lexicon.source.words)} and {len(lexicon.target.words)} words, "
            f"{len(lexicon.pair_counts)} pairs, {path.stat().st_size / 1e6:.2f} MB, "
            f"{time.monotonic() - start:.0f} s"
        )


def pronouns(code: str) -> set[str]:
    """All pronouns of a language, as they stand in a lexicon."""
    language = load_language(code)
    return {word_key(form) for form in language.source.all + language.target.all}


def linkers(source: str, target: str) -> tuple[str, ...]:
    """What ties a clitic to the word before it, in either language; the longest first."""
    ties = {tie for code in (source, target) for tie in load_language(code).tokenizer.linkers}
    return (*sorted(ties, key=lambda tie: (-len(tie), tie)), "-")


def sentences(data: Path, source: str, target: str) -> Iterator[Words]:
    """The words of every usable pair."""
    cut_source, cut_target = (WordTokenizer(load_language(code).tokenizer) for code in (source, target))
    for corpus in CORPORA:
        with gzip.open(
            data / "parallel" / f"{corpus}.{source}-{target}.tsv.gz", "rt", "utf-8", newline="\n"
        ) as file:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                pair = cut_source(fields[0]), cut_target(fields[1])
                if is_usable(*map(len, pair)):
                    yield pair


def progress(what: str, share: float) -> None:
    """One line that is written over, if anyone is looking."""
    if sys.stderr.isatty():
        print(f"\r{what}: {share:4.0%} ", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
