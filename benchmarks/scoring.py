"""How fast `apt-score` scores and how much memory it takes, beside peers on the same text.

    python benchmarks/scoring.py [--sizes 5000,25000,100000,1000000] [--repeats 5]

The text of examples/ and, where the public data is present (folder APT_SHARED_DATA), a text of distinct lines
are replicated to each size; its links are those of the embedded aligner. Every competitor is a fresh
process, timed from its start to its end; the
competitors take turns, and medians are shown. The peers are sacrebleu's corpus BLEU and "floor", a bare
Python loop that reads and splits the five files and turns the links into integers. Needs a POSIX system.
"""

import argparse
import gzip
import importlib.util
import itertools
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TextIO

from measuring import (
    ROOT,
    SHARED_DATA,
    Bench,
    Command,
    Goal,
    Median,
    apt_score,
    divide,
    environment,
    print_versions,
    sizes,
)

from apt import APT
from apt.align.lexical import LexicalAligner
from apt.align.lexicon import shipped_lexicon
from apt.align.links import pharaoh

EXAMPLES = ROOT / "examples"
PAIRS = ("parallel/europarl.en-fr.tsv.gz", "parallel/tatoeba.en-fr.tsv.gz")

TEXTS = ("source.en", "reference.fr", "system_a.fr")
LINKS = ("reference.align", "system_a.align")
RAW, TOKENISED = "raw", "pre-tokenised"
VARIANTS = (TOKENISED, RAW)

SEED = 2017
ALIGNED_AT_ONCE = 2000
SWAPS = {
    "il": "elle",
    "elle": "il",
    "ils": "elles",
    "elles": "ils",
    "ce": "il",
    "le": "la",
    "la": "le",
    "cela": "ça",
    "c'est": "il est",
}
SWAP_SHARE = 0.3
DROP_SHARE = 0.25  # of lines that lose a word

LARGE = 1_000_000  # from here on: fewer repeats, and BLEU only with --all
GOAL_SIZE = 100_000
STARTUP_REPEATS = 15

OURS, PARALLEL, BLEU, FLOOR = "apt-score", "apt-score --jobs 2", "sacrebleu BLEU", "floor"

FLOOR_CODE = """
import sys
files = [open(path, encoding="utf-8") for path in sys.argv[1:]]
for source, reference, candidate, reference_links, candidate_links in zip(*files):
    source.split(), reference.split(), candidate.split()
    for line in (reference_links, candidate_links):
        list(map(int, line.replace("-", " ").split()))
"""

# The data.


@dataclass(frozen=True)
class Segment:
    """The source, the reference and the candidate, raw and as words, and the links to the latter two."""

    texts: tuple[str, ...]
    words: tuple[list[str], ...]
    links: tuple[str, ...]


@dataclass(frozen=True)
class Corpus:
    """Five files in each variant; `numbered`: lines repeated get a number, so that none is there twice."""

    name: str
    folder: Path
    length: int
    numbered: bool

    def replicate(self, variant: str, size: int, target: Path) -> None:
        """Write the first `size` lines, beginning anew as often as needed."""
        for name in (*TEXTS, *LINKS):
            with _open(self.folder / variant / name) as pool, _open(target / name, "w") as out:
                for index, line in enumerate(itertools.islice(itertools.cycle(pool), size)):
                    repeated = self.numbered and name in TEXTS and index >= self.length
                    out.write(f"{line.rstrip()} {index}\n" if repeated else line)


def corpora(folder: Path, size: int) -> Iterator[Corpus]:
    """The corpora that can be made here, of at most `size` segments before they are replicated."""
    if all((EXAMPLES / name).exists() for name in (*TEXTS, *LINKS)):
        yield _write_corpus("example", folder, example_segments(), numbered=False)
    if all((SHARED_DATA / name).exists() for name in PAIRS):
        yield _write_corpus("distinct", folder, itertools.islice(distinct_segments(), size), numbered=True)


def example_segments() -> Iterator[Segment]:
    """The segments of examples/; its links count the package's own words, so they hold in both variants."""
    tokenize = _tokenizer()
    columns = [(EXAMPLES / name).read_text("utf-8").rstrip("\n").split("\n") for name in (*TEXTS, *LINKS)]
    for *texts, reference_links, candidate_links in zip(*columns, strict=True):
        yield Segment(tuple(texts), tokenize(texts), (reference_links, candidate_links))


def distinct_segments() -> Iterator[Segment]:
    """Segments of the public data, both corpora mixed; no text of one of them is found in another."""
    texts = _distinct_texts()
    while batch := list(itertools.islice(texts, ALIGNED_AT_ONCE)):
        yield from _linked(batch)


def _distinct_texts() -> Iterator[tuple[str, str, str]]:
    chance = random.Random(SEED)
    seen: tuple[set[str], ...] = (set(), set(), set())
    for source, reference in _shuffled_pairs(chance):
        texts = (source, reference, perturb(reference, chance))
        if any(text in before for text, before in zip(texts, seen, strict=True)):
            continue
        for text, before in zip(texts, seen, strict=True):
            before.add(text)
        yield texts


def _linked(batch: Sequence[tuple[str, str, str]]) -> Iterator[Segment]:
    """Segments with the links that the embedded aligner gives them."""
    tokenize = _tokenizer()
    words = [tokenize(texts) for texts in batch]
    sources = [source for source, *_ in words]
    sides = [_aligner().align(sources, [target[n] for target in words]) for n in (1, 2)]
    for texts, tokens, *alignments in zip(batch, words, *sides, strict=True):
        if all(tokens):
            reference, candidate = (pharaoh(alignment.links) for alignment in alignments)
            yield Segment(texts, tokens, (reference, candidate))


@cache
def _aligner() -> LexicalAligner:
    lexicon = shipped_lexicon("en", "fr")
    assert lexicon is not None
    return LexicalAligner(lexicon)


def perturb(text: str, chance: random.Random) -> str:
    """A candidate made of a reference: some pronouns are others, and a word may be missing."""
    words = []
    for word in text.split(" "):
        swap = SWAPS.get(word.lower())
        if swap is not None and chance.random() < SWAP_SHARE:
            words.append(swap.capitalize() if word[0].isupper() else swap)
        else:
            words.append(word)
    if len(words) > 2 and chance.random() < DROP_SHARE:
        del words[chance.randrange(len(words))]
    return " ".join(words)


def _shuffled_pairs(chance: random.Random) -> list[list[str]]:
    pairs = []
    for name in PAIRS:
        with gzip.open(SHARED_DATA / name, "rt", encoding="utf-8", newline="\n") as lines:
            pairs += [line.rstrip("\n").split("\t") for line in lines]
    chance.shuffle(pairs)
    return pairs


def _tokenizer() -> Callable[[Sequence[str]], tuple[list[str], ...]]:
    scorer = APT(lang="fr").scorer()
    source, target = scorer.source_tokenizer, scorer.target_tokenizer
    return lambda texts: (source(texts[0]), *(target(text) for text in texts[1:]))


def _write_corpus(name: str, folder: Path, segments: Iterable[Segment], *, numbered: bool) -> Corpus:
    folder = folder / name
    with ExitStack() as stack:
        outs = {}
        for variant in VARIANTS:
            (folder / variant).mkdir(parents=True)
            files = (*TEXTS, *LINKS)
            outs[variant] = [stack.enter_context(_open(folder / variant / file, "w")) for file in files]
        length = 0
        for segment in segments:
            joined = (" ".join(words) for words in segment.words)
            for variant, texts in ((RAW, segment.texts), (TOKENISED, joined)):
                for out, line in zip(outs[variant], (*texts, *segment.links), strict=True):
                    out.write(f"{line}\n")
            length += 1
    return Corpus(name, folder, length, numbered)


def _open(path: Path, mode: Literal["r", "w"] = "r") -> TextIO:
    return path.open(mode, encoding="utf-8", newline="\n")


# The processes measured.


def competitors(variant: str, with_bleu: bool) -> dict[str, Command]:
    """What is run in a folder that holds the five files."""
    _, reference, candidate = TEXTS
    links = [f"--ref-align={LINKS[0]}", f"--hyp-align={LINKS[1]}"]
    tokenize = ["--tokenize=none"] if variant == TOKENISED else []
    ours = apt_score(*TEXTS, "--lang=fr", *links, *tokenize, "-b", "-w17")
    bleu = [sys.executable, "-m", "sacrebleu", reference, "-i", candidate, "-m", "bleu", "-b"]
    commands = {
        OURS: ours,
        PARALLEL: [*ours, "--jobs=2"],
        BLEU: [*bleu, *tokenize, *(["--force"] if tokenize else [])],
        FLOOR: [sys.executable, "-c", FLOOR_CODE, *TEXTS, *LINKS],
    }
    return {name: command for name, command in commands.items() if name != BLEU or with_bleu}


STARTUP_COMMANDS: dict[str, Command] = {
    "import numpy": [sys.executable, "-c", "import numpy"],
    "import apt": [sys.executable, "-c", "import apt"],
    "apt-score --help": apt_score("--help"),
}


def measure_startup(bench: Bench) -> dict[str, Median]:
    """How long it takes until the package, or numpy, is there."""
    commands = dict(STARTUP_COMMANDS)
    if importlib.util.find_spec("numpy") is None:
        del commands["import numpy"]
    bench.interleaved(commands, 1)  # bytecode is written here
    return bench.interleaved(commands, STARTUP_REPEATS)


# The tables.


@dataclass(frozen=True)
class Key:
    """What the competitors were run on."""

    corpus: str
    variant: str
    size: int


Results = dict[Key, dict[str, Median]]
_ROW = "{:9} {:14} {:>9} {:19} {:>8} {:>11} {:>8} {:>8} {:>9}"
_HEADING = ("data", "variant", "segments", "", "seconds", "segments/s", "× BLEU", "÷ floor", "peak MB")


def print_rows(key: Key, medians: Mapping[str, Median]) -> None:
    """Throughput as a multiple of BLEU's, time as a multiple of the floor's."""
    for name, median in medians.items():
        print(
            _ROW.format(
                key.corpus,
                key.variant,
                key.size,
                name,
                f"{median.seconds:.2f}",
                f"{key.size / median.seconds:,.0f}",
                _ratio(medians, BLEU, name),
                _ratio(medians, name, FLOOR),
                f"{median.megabytes:.1f}",
            ),
            flush=True,
        )


def _ratio(medians: Mapping[str, Median], above: str, below: str) -> str:
    if above not in medians or below not in medians:
        return "-"
    return f"{medians[above].seconds / medians[below].seconds:.2f}"


def print_startup(startup: Mapping[str, Median]) -> None:
    """Times, and their ratio to that of importing numpy."""
    print(f"\nStart-up, medians of {STARTUP_REPEATS}:")
    for name, median in startup.items():
        print(f"  {name:17} {median.seconds * 1000:7.1f} ms  {_ratio(startup, name, 'import numpy')} × numpy")


def goals(results: Results, startup: Mapping[str, Median]) -> Iterator[Goal]:
    """The goals, judged on the distinct lines, or on the example where there is nothing else."""
    corpus = "distinct" if any(key.corpus == "distinct" for key in results) else "example"

    def seconds(variant: str, size: int, name: str) -> float | None:
        median = results.get(Key(corpus, variant, size), {}).get(name)
        return None if median is None else median.seconds

    def megabytes(variant: str, size: int) -> float | None:
        median = results.get(Key(corpus, variant, size), {}).get(OURS)
        return None if median is None else median.megabytes

    at = f"{corpus}, {GOAL_SIZE} segments"
    for variant, times in ((TOKENISED, 8), (RAW, 4)):
        ours, bleu = (seconds(variant, GOAL_SIZE, name) for name in (OURS, BLEU))
        yield Goal(f"{at}, {variant}: throughput / BLEU's", divide(bleu, ours), times, at_least=True)
    ours, floor = (seconds(TOKENISED, GOAL_SIZE, name) for name in (OURS, FLOOR))
    yield Goal(f"{at}, {TOKENISED}: time / floor's", divide(ours, floor), 1)
    for variant in VARIANTS:
        growth = divide(megabytes(variant, LARGE), megabytes(variant, GOAL_SIZE))
        yield Goal(f"{corpus}, {variant}: peak memory at {LARGE} / at {GOAL_SIZE}", growth, 1.2)
    for variant in VARIANTS:
        slower = divide(seconds(variant, LARGE, OURS), seconds(variant, GOAL_SIZE, OURS))
        per_segment = None if slower is None else slower * GOAL_SIZE / LARGE
        yield Goal(f"{corpus}, {variant}: time a segment at {LARGE} / at {GOAL_SIZE}", per_segment, 1.2)
    numpy = startup.get("import numpy")
    for name in ("import apt", "apt-score --help"):
        ratio = None if numpy is None else startup[name].seconds / numpy.seconds
        yield Goal(f"start-up: {name} / import numpy", ratio, 1.5)


def print_same_scores(results: Results) -> None:
    """Whether the score was the same, to the last digit, with one process and with two."""
    different = {key: scores for key, medians in results.items() if len(scores := _scores(medians)) > 1}
    verdict = "NOT reached" if different else "reached"
    print(f"  {verdict:15} {PARALLEL}: the same scores to 17 digits ({len(results)} texts)")
    for key, scores in different.items():
        print(f"    {key.corpus}, {key.variant}, {key.size}: {', '.join(sorted(scores))}")


def _scores(medians: Mapping[str, Median]) -> frozenset[str]:
    return medians[OURS].outputs | medians[PARALLEL].outputs


# The command.


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Make the data in a folder, run everything and print the table."""
    bench = Bench(folder / "run", environment(folder))
    bench.folder.mkdir()
    startup = measure_startup(bench)
    has_bleu = importlib.util.find_spec("sacrebleu") is not None
    print_versions("apt-score", *(["sacrebleu"] if has_bleu else []))
    print(_ROW.format(*_HEADING))
    results: Results = {}
    for corpus in corpora(folder, max(options.sizes)):
        for variant, size in itertools.product(VARIANTS, options.sizes):
            large = size >= LARGE
            corpus.replicate(variant, size, bench.folder)
            commands = competitors(variant, has_bleu and (options.all or not large))
            key = Key(corpus.name, variant, size)
            results[key] = bench.interleaved(commands, options.repeats_large if large else options.repeats)
            print_rows(key, results[key])
    if not results:
        print("(neither examples/ nor the public data is there: nothing to score)")
    print_startup(startup)
    print("\nGoals:")
    for goal in goals(results, startup):
        print(goal)
    print_same_scores(results)


def main() -> None:
    """Read the options and measure in a folder that is gone afterwards."""
    summary, _, details = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sizes", type=sizes, default="5000,25000,100000,1000000", help="segments, by commas"
    )
    parser.add_argument("--repeats", type=int, default=5, help="runs of each competitor [5]")
    parser.add_argument("--repeats-large", type=int, default=1, help=f"the same from {LARGE} segments on [1]")
    parser.add_argument("--all", action="store_true", help=f"run BLEU from {LARGE} segments on as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="apt-benchmark-") as folder:
        measure(Path(folder), options)


if __name__ == "__main__":
    main()
