"""How long it takes from three raw texts to a score, links made on the way, beside peers on the same text.

    python benchmarks/end_to_end.py [--sizes 5000,25000,100000] [--repeats 3] [--environment FOLDER]

The text is the beginning of Europarl en-fr (parallel/ of APT_SHARED_DATA; begun anew where it is too short),
the candidate is made of the reference as in scoring.py. At the first size `apt-score` takes turns with
sacrebleu's chrF; then eflomal aligns source-reference and source-candidate, words split at spaces, both
directions, not symmetrised, nothing scored. At the other sizes `apt-score` runs alone. Every competitor is a
fresh process, timed from its start to its end; medians are shown. eflomal is installed into an environment
made for it, or kept in --environment; if it cannot be, it is left out with a message.
"""

import argparse
import gzip
import importlib.util
import itertools
import os
import random
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from alignment import prepare
from measuring import (
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
from scoring import SEED, perturb

TEXT = SHARED_DATA / "parallel" / "europarl.en-fr.tsv.gz"
SOURCE, REFERENCE, CANDIDATE = FILES = ("source.en", "reference.fr", "candidate.fr")
OURS, CHRF, EFLOMAL = "apt-score", "sacrebleu chrF", "eflomal, both pairs"
WARM_UP = 100  # segments of a first run, which writes bytecode

Results = dict[int, dict[str, Median]]


def write_text(size: int, folder: Path) -> None:
    """The first `size` segments, a file for each of the three texts."""
    chance = random.Random(SEED)
    with ExitStack() as stack:
        outs = [stack.enter_context((folder / name).open("w", encoding="utf-8")) for name in FILES]
        for source, reference in itertools.islice(_pairs(), size):
            for out, text in zip(outs, (source, reference, perturb(reference, chance)), strict=True):
                out.write(f"{text}\n")


def _pairs() -> Iterator[list[str]]:
    while True:
        with gzip.open(TEXT, "rt", encoding="utf-8", newline="\n") as lines:
            for line in lines:
                yield line.rstrip("\n").split("\t")


def competitors(eflomal: Path | None) -> dict[str, Command]:
    """What is run in a folder that holds the three files; `eflomal` is a Python that has it."""
    commands = {OURS: apt_score(*FILES, "--lang=fr")}
    if importlib.util.find_spec("sacrebleu") is not None:
        commands[CHRF] = [sys.executable, "-m", "sacrebleu", REFERENCE, "-i", CANDIDATE, "-m", "chrf"]
    if eflomal is not None:
        align = [str(eflomal), str(eflomal.with_name("eflomal-align")), "--overwrite", "-s", SOURCE]
        both = [shlex.join([*align, "-t", name, "-f", "fwd", "-r", "rev"]) for name in (REFERENCE, CANDIDATE)]
        commands[EFLOMAL] = ["/bin/sh", "-c", " && ".join(both)]
    return commands


_ROW = "{:>9} {:20} {:>8} {:>11} {:>13} {:>9}"


def print_rows(size: int, medians: Mapping[str, Median]) -> None:
    """Times, and how often apt-score's time fits into them."""
    for name, median in medians.items():
        times = f"{median.seconds / medians[OURS].seconds:.2f}"
        throughput = f"{size / median.seconds:,.0f}"
        print(
            _ROW.format(size, name, f"{median.seconds:.2f}", throughput, times, f"{median.megabytes:.1f}"),
            flush=True,
        )


def goals(results: Results) -> Iterator[Goal]:
    """The peers at the first size; memory and growth over all sizes."""
    first, last = min(results), max(results)

    def seconds(name: str, size: int = first) -> float | None:
        median = results[size].get(name)
        return None if median is None else median.seconds

    for name, times in ((CHRF, 1), (EFLOMAL, 15)):
        ratio = divide(seconds(name), seconds(OURS))
        yield Goal(f"{first} segments: time of {name} / {OURS}'s", ratio, times, at_least=True)
    yield Goal("peak memory, MB", max(medians[OURS].megabytes for medians in results.values()), 400)
    slower = divide(seconds(OURS, last), seconds(OURS))
    per_segment = None if slower is None or first == last else slower * first / last
    yield Goal(f"time a segment at {last} / at {first}", per_segment, 1.2)


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Write the text into a folder, run everything and print the table."""
    bench = Bench(folder / "run", environment(folder))
    bench.folder.mkdir()
    wanted = ["eflomal"] if options.repeats_eflomal else []
    with_eflomal, usable = prepare(wanted, options.environment or folder / "peers")
    commands = competitors(with_eflomal if usable else None)
    write_text(WARM_UP, bench.folder)
    bench.interleaved(commands, 1)
    print_versions("apt-score", *(["sacrebleu"] if CHRF in commands else []))
    print(_ROW.format("segments", "", "seconds", "segments/s", "÷ apt-score's", "peak MB"))
    results: Results = {}
    for size in sorted(options.sizes):
        write_text(size, bench.folder)
        turns = {name: command for name, command in commands.items() if name == OURS or not results}
        slow = {name: turns.pop(name) for name in [EFLOMAL] if name in turns}
        results[size] = bench.interleaved(turns, options.repeats)
        results[size] |= bench.interleaved(slow, options.repeats_eflomal)
        print_rows(size, results[size])
        print(f"{'':9} (load of the machine over the last minute: {os.getloadavg()[0]:.1f})", flush=True)
    print("\nGoals:")
    for goal in goals(results):
        print(goal)


def main() -> None:
    """Read the options and measure in a folder that is gone afterwards."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=sizes, default="5000,25000,100000", help="segments, by commas")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each competitor [3]")
    parser.add_argument("--repeats-eflomal", type=int, default=1, help="the same of eflomal; 0: without [1]")
    parser.add_argument("--environment", type=Path, help="virtual environment of eflomal, kept")
    options = parser.parse_args()
    if not TEXT.exists():
        raise SystemExit(f"{TEXT} is not there: nothing to score")
    with tempfile.TemporaryDirectory(prefix="apt-benchmark-") as folder:
        measure(Path(folder), options)


if __name__ == "__main__":
    main()
