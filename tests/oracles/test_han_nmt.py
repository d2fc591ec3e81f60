"""Ten published runs anchored on the reference (idiap/HAN_NMT, Spanish to English): all counts.

The published confusion matrices follow our rule for the cell except where a candidate offers two listed
forms: their order depended on a hash there. So what does not depend on it must be equal, and every other
cell must lie between the unambiguous triples and those plus the ambiguous ones that offer its form.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from apt import APT, APTResult, Case
from apt.segments import Keep
from apt.stream import Files, Linked, score_files

pytestmark = pytest.mark.shared_data

TED = "TED_es-en"
SUB = "sub_es-en"


@dataclass(frozen=True)
class Run:
    folder: str
    output: str
    links: str  # also the name of the score file

    def __str__(self):
        return self.output


RUNS = [
    *(Run(TED, f"{TED}_{s}", f"{TED}_{s}") for s in ("baseline", "cache", "HA-enc", "HA-dec", "HA-enc-dec")),
    *(Run(SUB, f"{SUB}_{s}", f"{SUB}_{s}") for s in ("baseline", "cache", "HA-enc-dec")),
    # The files named enc and dec belong to the outputs HA-enc and HA-dec.
    Run(SUB, f"{SUB}_HA-enc", f"{SUB}_enc"),
    Run(SUB, f"{SUB}_HA-dec", f"{SUB}_dec"),
]


@dataclass(frozen=True)
class Published:
    score: str
    cases: list[int]
    not_source: int
    forms: list[str]  # row and column labels
    matrix: dict[tuple[str, str], int]


def read_published(path: Path) -> Published:
    lines = path.read_text(encoding="utf-8").split("\n")
    values = dict(line.split(": ") for line in lines[:6])
    forms = lines[6].split("\t")[1:]
    matrix = {}
    for line in lines[7:]:
        if line:
            row, *numbers = line.split("\t")
            matrix |= {(row, column): int(n) for column, n in zip(forms, numbers, strict=True)}
    cases = [int(n) for n in values["Findings per case"].split(",")]
    return Published(values["Score"], cases, int(values["Not source"]), forms, matrix)


@pytest.fixture(scope="module", params=RUNS, ids=str)
def run(request, shared_data, published_pronouns) -> tuple[APTResult, Published]:
    run: Run = request.param
    folder = shared_data / "han_apt" / run.folder
    stem = "IWSLT14.TED.tst.tc" if run.folder == TED else "test"
    apt = APT(lang="en", source_lang="es", anchor="reference", pronouns=published_pronouns, tokenize="none")
    files = Files(
        source=f"{folder}/{stem}.es",
        references=[Linked(f"{folder}/{stem}.en", f"{folder}/{stem}.align")],
        candidates=[Linked(f"{folder}/{run.output}.en", f"{folder}/{run.links}.align")],
    )
    (result,) = score_files(apt, files, keep=Keep(triples=True)).systems
    return result, read_published(folder / f"{run.links}.apt.score")


def test_score_counts_and_not_in_source(run):
    result, published = run
    assert f"{result.score:.4f}" == published.score
    assert list(result.cases) == published.cases
    assert result.counts.total_not_in_source == published.not_source


def folded(forms, label):
    """The published name of a form: those outside the ten largest diagonals are summed up as `...`."""
    return label if label in forms or "..." not in forms else "..."


def test_what_the_order_of_two_forms_cannot_change(run):
    """Row sums, the diagonal, OTHER and NONE."""
    result, published = run
    ours = Counter()
    for (reference, candidate), n in result.confusion.items():
        ours[folded(published.forms, reference), folded(published.forms, candidate)] += n
    rows = [form for form in published.forms if form != "-sum-"]
    for row in rows:
        assert sum(ours[row, column] for column in rows) == published.matrix[row, "-sum-"], row
        # "..." holds several forms: its diagonal also has confusions among them.
        for column in {row, "OTHER", "NONE"} & set(rows) - {"..."}:
            assert ours[row, column] == published.matrix[row, column], (row, column)


def test_every_cell_lies_within_what_the_ambiguous_triples_allow(run):
    result, published = run
    certain, possible = Counter(), Counter()
    for triple in result.triples:
        (reference,) = triple.reference.forms
        row = folded(published.forms, reference)
        forms = list(dict.fromkeys(triple.candidate.forms))
        if triple.case is Case.DIFFERENT and len(forms) > 1:
            for form in forms:
                possible[row, folded(published.forms, form)] += 1
        else:
            certain[row, folded(published.forms, triple.verdict.candidate)] += 1
    for row in published.forms[:-1]:
        for column in published.forms[:-1]:
            low = certain[row, column]
            assert low <= published.matrix[row, column] <= low + possible[row, column], (row, column)
