"""How good the links of the embedded aligner are on hand-aligned text, beside aligners from PyPI.

    python benchmarks/alignment.py [--peers eflomal,systran-align,sil-thot] [--environment FOLDER]

The gold alignments (hansards and alibi en-fr, xlwa en-es; gold_alignments/ of APT_SHARED_DATA) are taken as
they are tokenised; Hansards writes French clitics out (que il, le), and nothing is done about that. Every
aligner gets the same lower-cased sentences in the same run. The peers learn from these sentences, in an
environment made for them; one that cannot be installed is left out with a message.

Columns: AER; then for it and they, and for all pronouns, two shares in percent: *right* (the word chosen is
among the gold's sure or possible links, or both have none) and *listed* (of the pronouns whose gold links
hold a listed target pronoun, those whose chosen word is such a one). Chosen is the first linked word that is
listed, else the first linked. Rows: links as they come, after the paper's heuristic, after the pronoun step.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from apt.align.lexical import Alignment, LexicalAligner
from apt.align.lexicon import shipped_lexicon
from apt.align.links import Links
from apt.normalize import fold, word_key
from apt.pronoun_step import paper_step, pronoun_step
from apt.pronouns import load_language
from apt.translations import Finder, Matcher
from apt.vocabulary import pair_lists

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT / os.environ.get("APT_SHARED_DATA", "../shared/data")
SETS = {"hansards": "fr", "alibi": "fr", "xlwa": "es"}
IT_THEY = frozenset({"it", "they"})
_PRONOUNS = """
i it they he she we you me him her us them its their his my our your itself themselves himself herself
"""
_FRENCH = """
il ils elle elles ce c' cela ceci ça on je j' tu nous vous me m' te t' se s' le la l' les lui leur leurs en y
eux moi toi soi celui-ci celle-ci ceux-ci celles-ci celui celle ceux celles son sa ses mon ma mes notre nos
votre vos ton ta tes lui-même elle-même eux-mêmes elles-mêmes qui
"""
PRONOUNS, FRENCH = frozenset(_PRONOUNS.split()), frozenset(_FRENCH.split())


@dataclass(frozen=True)
class Gold:
    """One hand-aligned text: words, and sure and all links as (i, j)."""

    name: str
    target_lang: str
    sources: list[list[str]]
    targets: list[list[str]]
    sure: list[set[tuple[int, int]]]
    possible: list[set[tuple[int, int]]]


@dataclass(frozen=True)
class Run:
    """What an aligner made of a text, and what it took."""

    links: list[Links]
    seconds: float
    megabytes: float
    alignments: list[Alignment] | None = None


def main() -> None:
    """Print the table of every set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=SHARED_DATA)
    parser.add_argument("--peers", default=",".join(PEERS), help="comma-separated; empty for none")
    parser.add_argument("--environment", type=Path, help="virtual environment of the peers, kept")
    arguments = parser.parse_args()
    names = [name for name in arguments.peers.split(",") if name]
    with tempfile.TemporaryDirectory() as scratch:
        python, peers = prepare(names, arguments.environment or Path(scratch) / "peers")
        for name in SETS:
            gold = read_gold(arguments.data / "gold_alignments", name)
            print(f"\n{name} ({len(gold.sources)} pairs, en-{gold.target_lang})")
            print(f"{'':34}{'AER':>6}  {'it, they':^19}  {'all pronouns':^19}{'pairs/s':>9}{'MB':>7}")
            show("lexical", gold, run_lexical(gold))
            for peer in peers:
                show(peer, gold, run_peer(peer, gold, python, Path(scratch)))


def read_gold(folder: Path, name: str) -> Gold:
    """The text lower-cased, and its links."""

    def words(code: str) -> list[list[str]]:
        lines = (folder / f"{name}.{code}").read_text(encoding="utf-8").split("\n")[:-1]
        return [[fold(word) for word in line.split(" ") if word] for line in lines]

    sure, possible = [], []
    for line in (folder / f"{name}.gold").read_text(encoding="utf-8").split("\n")[:-1]:
        links = [(*map(int, link.replace("p", "-").split("-")), "p" not in link) for link in line.split()]
        sure.append({(i, j) for i, j, is_sure in links if is_sure})
        possible.append({(i, j) for i, j, _ in links})
    return Gold(name, SETS[name], words("en"), words(SETS[name]), sure, possible)


# ---- measures ----


def show(name: str, gold: Gold, run: Run) -> None:
    """The rows of one aligner."""
    finder = make_finder(gold.target_lang)
    occurrences = [finder.occurrences(words) for words in gold.sources]
    rows = {"links": run.links}
    rows["+ paper's heuristic"] = [
        paper_step(found, words, links, finder)
        for found, words, links in zip(occurrences, gold.targets, run.links, strict=True)
    ]
    if run.alignments is not None:
        rows["+ pronoun step"] = [
            pronoun_step(found, words, alignment, finder)
            for found, words, alignment in zip(occurrences, gold.targets, run.alignments, strict=True)
        ]
    cost = f"{len(gold.sources) / run.seconds:9.0f}{run.megabytes:7.0f}"
    for row, links in rows.items():
        it_they, everything = (accuracy(gold, links, pronouns) for pronouns in (IT_THEY, PRONOUNS))
        print(f"{name:14}{row:20}{error_rate(gold, links):6.1f}  {it_they}  {everything}{cost}")
        name = cost = ""


def make_finder(code: str) -> Finder:
    """All English pronouns, with the lists of the package."""
    source, target = load_language("en"), load_language(code)
    matchers = [Matcher((*language.tokenizer.linkers, "-")) for language in (source, target)]
    return Finder(pair_lists(target, source, pronouns="all"), *matchers, heuristic=True)


def error_rate(gold: Gold, found: Sequence[Links]) -> float:
    """AER in percent: 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)."""
    right = total = 0
    for links, sure, possible in zip(found, gold.sure, gold.possible, strict=True):
        pairs = {(i, j) for i, js in links.items() for j in js}
        right += len(pairs & sure) + len(pairs & possible)
        total += len(pairs) + len(sure)
    return 100 * (1 - right / total)


def accuracy(gold: Gold, found: Sequence[Links], pronouns: frozenset[str]) -> str:
    """The two shares, as `right (n) / listed (n)`."""
    outcomes = list(judge(gold, found, pronouns))
    listed = [is_listed for _, is_listed in outcomes if is_listed is not None]
    right = sum(is_right for is_right, _ in outcomes)
    return (
        f"{100 * right / max(len(outcomes), 1):5.1f} ({len(outcomes):3})"
        f"{100 * sum(listed) / max(len(listed), 1):5.1f} ({len(listed):3})"
    )


def judge(gold: Gold, found: Sequence[Links], pronouns: frozenset[str]) -> Iterator[tuple[bool, bool | None]]:
    """For each pronoun: right, and right among listed (None where the gold has no listed word)."""
    listed = target_list(gold.target_lang)
    linkers = (*load_language(gold.target_lang).tokenizer.linkers, "-")
    for source, target, links, possible in zip(gold.sources, gold.targets, found, gold.possible, strict=True):
        is_listed = [word_key(word, linkers) in listed for word in target]
        for i, word in enumerate(source):
            if word in pronouns:
                linked = sorted(links.get(i, ()))
                chosen = next((j for j in linked if is_listed[j]), linked[0] if linked else None)
                wanted = {j for at, j in possible if at == i}
                among = {j for j in wanted if is_listed[j]}
                yield chosen in wanted or (chosen is None and not wanted), chosen in among if among else None


def target_list(code: str) -> frozenset[str]:
    """The list of the published figures for French; elsewhere the package's wider list."""
    return FRENCH if code == "fr" else frozenset(map(word_key, load_language(code).target.all))


# ---- aligners ----


def run_lexical(gold: Gold) -> Run:
    """The embedded aligner, in a process of its own for the memory, and again here for the posteriors."""
    code = (
        "import sys; from apt.align.lexical import LexicalAligner; "
        "from apt.align.lexicon import shipped_lexicon; "
        "pairs = [line.rstrip('\\n').split(' ||| ') for line in sys.stdin]; "
        f"aligner = LexicalAligner(shipped_lexicon('en', '{gold.target_lang}')); "
        "aligner.align([p[0].split(' ') for p in pairs], [p[1].split(' ') for p in pairs])\n"
    ) + _MEMORY
    measured = subprocess.run(
        [sys.executable, "-c", code], input=joined(gold), capture_output=True, text=True, check=True
    )
    lexicon = shipped_lexicon("en", gold.target_lang)
    assert lexicon is not None
    start = time.perf_counter()
    aligner = LexicalAligner(lexicon)
    alignments = aligner.align(gold.sources, gold.targets)
    seconds = time.perf_counter() - start
    return Run([a.links for a in alignments], seconds, float(measured.stderr), alignments)


def joined(gold: Gold) -> str:
    """The text as the peers read it."""
    pairs = zip(gold.sources, gold.targets, strict=True)
    return "".join(f"{' '.join(source)} ||| {' '.join(target)}\n" for source, target in pairs)


# The peak of the process itself, which getrusage mixes up with that of its parent, or of what it called.
_MEMORY = """
import re, resource, sys
own = int(re.search(r"VmHWM:\\s*([0-9]+)", open("/proc/self/status").read())[1])
print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024, file=sys.stderr)
"""
_EFLOMAL = """
import os, subprocess, sys
bin = os.path.dirname(sys.executable)
command = [sys.executable, f"{bin}/eflomal-align", "-i", sys.argv[1], "-f", "fwd", "-r", "rev", "--overwrite"]
subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
links = lambda name: [{tuple(map(int, l.split("-"))) for l in line.split()} for line in open(name)]
for line, a, b in zip(open(sys.argv[1]), links("fwd"), links("rev")):
    found, union = a & b, a | b
    rows, columns = {i for i, _ in found}, {j for _, j in found}
    grown = True
    while grown:  # grow-diag
        grown = False
        for i, j in sorted(found):
            for x, y in ((i-1,j),(i,j-1),(i+1,j),(i,j+1),(i-1,j-1),(i-1,j+1),(i+1,j-1),(i+1,j+1)):
                if (x, y) in union - found and (x not in rows or y not in columns):
                    found.add((x, y)); rows.add(x); columns.add(y); grown = True
    for one in (a, b):  # final-and
        for i, j in sorted(one):
            if i not in rows and j not in columns:
                found.add((i, j)); rows.add(i); columns.add(j)
    print(" ".join(f"{i}-{j}" for i, j in sorted(found)))
"""
_SYSTRAN = """
import sys, systran_align
options = dict(favor_diagonal=True, optimize_tension=True, variational_bayes=True)
systran_align.generate_alignment_probabilities(sys.argv[1], "fwd", "rev", **options)
aligner = systran_align.Aligner("fwd", "rev")
for line in open(sys.argv[1], encoding="utf-8"):
    source, target = line.rstrip("\\n").split(" ||| ")
    result = aligner.align(source.split(" "), target.split(" "))
    print(" ".join(f"{i}-{j}" for i, j in result["alignments"]))
"""
_THOT = """
import sys
from thot.alignment import HmmAlignmentModel, Ibm1AlignmentModel, SymmetrizationHeuristic, SymmetrizedAligner
lines = open(sys.argv[1], encoding="utf-8").read().split("\\n")[:-1]
pairs = [tuple(side.split(" ") for side in line.split(" ||| ")) for line in lines]
def trained(pairs):
    first = Ibm1AlignmentModel()
    for source, target in pairs:
        first.add_sentence_pair(source, target)
    for model in (first, HmmAlignmentModel(first)):
        model.start_training()
        for _ in range(5):
            model.train()
        model.end_training()
    return model
aligner = SymmetrizedAligner(trained(pairs), trained([(t, s) for s, t in pairs]))
aligner.heuristic = SymmetrizationHeuristic.GROW_DIAG_FINAL_AND
for source, target in pairs:
    _, matrix = aligner.get_best_alignment(source, target)
    cells = ((i, j) for i in range(len(source)) for j in range(len(target)))
    print(" ".join(f"{i}-{j}" for i, j in cells if matrix[i, j]))
"""
PEERS = {"eflomal": _EFLOMAL, "systran-align": _SYSTRAN, "sil-thot": _THOT}


def prepare(names: Sequence[str], environment: Path) -> tuple[Path, list[str]]:
    """A Python with the peers that can be installed."""
    python = environment / "bin" / "python"
    if names and not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    usable = []
    for name in names:
        command = [str(python), "-m", "pip", "install", "-q", "numpy", name]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            usable.append(name)
        else:
            print(f"{name}: not installable here, left out", file=sys.stderr)
    return python, usable


def run_peer(name: str, gold: Gold, python: Path, scratch: Path) -> Run:
    """A peer on the same sentences, from the start of its process to its end."""
    text = scratch / "text"
    text.write_text(joined(gold), encoding="utf-8")
    start = time.perf_counter()
    command = [str(python), "-c", PEERS[name] + _MEMORY, str(text)]
    result = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if result.returncode:
        raise SystemExit(f"{name} failed: {result.stderr}")
    lines = result.stdout.split("\n")[:-1]
    links: list[Links] = []
    for line in lines:
        found: dict[int, list[int]] = {}
        for link in line.split():
            i, j = map(int, link.split("-"))
            found.setdefault(i, []).append(j)
        links.append(found)
    return Run(links, seconds, float(result.stderr.split()[-1]))


if __name__ == "__main__":
    main()
