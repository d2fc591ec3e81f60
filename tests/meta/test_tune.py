"""Tuning: the best weights are found where they are known, and chance is not taken for a finding."""

import gzip
import json
import shutil

import numpy as np
import pytest
from conftest import check
from scipy.stats import pearsonr

from apt.cases import Case
from apt.errors import OptionError
from apt.meta.searching import DEFAULT, Setting, Settings
from apt.meta.tuning import tune
from apt.meta.tuning_data import CaseTable, TuningData, read_tuning_data

HEAD = "system\tdocument\tsegment\tposition\tsource\treference\tcandidate\tcase\n"

# Counts of the cases 1 to 6, twenty pronouns a system. People score (n1 + 0.8 n2 + 0.3 n6) / (20 − n5), that
# is w2 = 0.8, w6 = 0.3, case 5 discarded:
KNOWN = {
    "a.fr": ([10, 0, 6, 0, 4, 0], 0.625),  # 10 / 16
    "b.fr": ([6, 5, 6, 0, 0, 3], 0.545),  # (6 + 4 + 0.9) / 20
    "c.fr": ([4, 5, 5, 0, 4, 2], 0.5375),  # (4 + 4 + 0.6) / 16
    "d.fr": ([8, 0, 1, 1, 0, 10], 0.55),  # (8 + 3) / 20
    "e.fr": ([12, 5, 3, 0, 0, 0], 0.8),  # (12 + 4) / 20
    "f.fr": ([2, 10, 1, 3, 4, 0], 0.625),  # (2 + 8) / 16
}
TRUE = Setting(0.8, 0.3, frozenset({Case.REFERENCE_MISSING}))


def data(counts, human, document_human=None) -> TuningData:
    """Data as it is read: systems × 6 counts, or systems × documents × 6."""
    array = np.array(counts, dtype=np.int64)
    documents = None
    if array.ndim == 3:
        documents = tuple(f"d{number}" for number in range(array.shape[1]))
    else:
        array = array[:, None]
    systems = tuple(f"s{number}" for number in range(len(array)))
    per_document = None if document_human is None else np.array(document_human, dtype=float)
    return TuningData(CaseTable(systems, documents, array), np.array(human, dtype=float), per_document)


def known() -> TuningData:
    return data([counts for counts, _ in KNOWN.values()], [human for _, human in KNOWN.values()])


def details(counts_of, document="") -> str:
    """A details file: a segment a pronoun."""
    lines = [HEAD]
    for system, counts in counts_of.items():
        cases = [case for case, n in zip(Case, counts, strict=True) for _ in range(n)]
        lines += [f"{system}\t{document}\t{i}\t0\tit\til\tce\t{case.value}\n" for i, case in enumerate(cases)]
    return "".join(lines)


@pytest.fixture
def files(tmp_path):
    """Writes the known example, or parts of it, and gives the arguments of the command."""

    def write(details_text=None, human_text=None):
        if details_text is None:
            details_text = details({name: counts for name, (counts, _) in KNOWN.items()})
        if human_text is None:
            human_text = "system,human\n" + "".join(f"{name},{h}\n" for name, (_, h) in KNOWN.items())
        (tmp_path / "details.tsv").write_text(details_text)
        (tmp_path / "human.csv").write_text(human_text)
        return [tmp_path / "details.tsv", "--human", tmp_path / "human.csv"]

    return write


# ---- finding the best ----


def test_known_weights_are_found():
    tuning = tune(known())
    assert tuning.best.setting == TRUE
    assert tuning.best.value == pytest.approx(1)
    # Five systems suffice to find them, so nothing is lost by leaving one out.
    assert tuning.validated.chosen == {TRUE: 6}
    assert tuning.validated.tuned == pytest.approx(1)
    # The default: (n1 + 0.5 n2) / 20.
    by_default = [0.5, 0.425, 0.325, 0.4, 0.725, 0.35]
    expected = pearsonr(by_default, [human for _, human in KNOWN.values()]).statistic
    assert tuning.default == pytest.approx(expected)
    assert tuning.validated.default == pytest.approx(expected)


def test_the_simplex_finds_them_between_the_points_of_a_coarse_grid():
    assert tune(known(), step=0.5).best.setting != TRUE
    found = tune(known(), search="simplex").best
    assert found.setting.discard == TRUE.discard
    assert (found.setting.w2, found.setting.w6) == pytest.approx((0.8, 0.3), abs=0.005)
    assert found.value == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("statistic", ["spearman", "kendall", "accuracy"])
def test_ranks_are_right_under_the_known_weights(statistic):
    # People tie a and f; neither τ-b nor ρ can be 1 unless the metric ties them too.
    tuning = tune(known(), statistic=statistic)
    assert tuning.best.value == pytest.approx(1)


def test_rounding_does_not_rank_systems():
    # 3 · 0.1 is not 0.3 to a computer; of ten pronouns both make a score of 0.03.
    one, other = Settings((Setting(0.1, 0.3),)).scores(np.array([[0, 3, 7, 0, 0, 0], [0, 0, 9, 0, 0, 1]]))[0]
    assert one == other == pytest.approx(0.03)


def test_of_equal_settings_the_nearest_to_the_default_wins():
    # Without cases 2, 5 and 6 all settings are the same.
    tuning = tune(
        data([[5, 0, 5, 0, 0, 0], [6, 0, 4, 0, 0, 0], [7, 0, 3, 0, 0, 0], [9, 0, 1, 0, 0, 0]], [1, 2, 3, 4])
    )
    assert tuning.best.setting == DEFAULT
    # 11 weights of case 2; 11 of case 6 with nothing or 5 discarded, 1 each where 6 is discarded.
    assert tuning.near == tuning.settings == 11 * (11 + 11 + 1 + 1)
    assert tuning.verdict == "default is best"


def test_the_default_is_looked_at_even_if_the_grid_does_not_have_it():
    # People say (n1 + 0.5 n2) / 10, and the grid of step 1 has 0 and 1 only.
    counts = [[5, 1, 4, 0, 0, 0], [6, 4, 0, 0, 0, 0], [3, 3, 4, 0, 0, 0], [1, 5, 4, 0, 0, 0]]
    assert tune(data(counts, [0.55, 0.8, 0.45, 0.35]), step=1).best.setting == DEFAULT


def test_a_setting_that_leaves_a_system_nothing_to_count_is_not_available():
    # People look at case 1 among what is not case 5, as in the last three; but the first has only case 5.
    counts = [
        [0, 0, 0, 0, 10, 0],
        [2, 0, 2, 0, 6, 0],
        [3, 0, 1, 0, 6, 0],
        [6, 0, 4, 0, 0, 0],
        [9, 0, 1, 0, 0, 0],
    ]
    tuning = tune(data(counts, [0.1, 0.5, 0.75, 0.6, 0.9]))
    five = Case.REFERENCE_MISSING
    assert five not in tuning.best.setting.discard
    assert all(five not in setting.discard for setting in tuning.validated.chosen)
    assert tuning.settings == 11 * (11 + 1)  # nothing or 6 discarded


def test_thousands_of_settings():
    rng = np.random.default_rng(1)
    many = data(rng.integers(1, 50, (20, 6)), rng.random(20))
    tuning = tune(many, step=0.02)
    assert tuning.settings == 51 * (51 + 51 + 1 + 1)


# ---- cross-validation ----


def by_chance(seed: int, systems: int = 7) -> TuningData:
    """Human scores that have nothing to do with the counts, of which the weights can make much."""
    rng = np.random.default_rng(seed)
    return data(rng.multinomial(200, [0.2, 0.25, 0.1, 0.05, 0.15, 0.25], systems), rng.random(systems))


def test_what_is_found_in_chance_does_not_survive():
    tunings = [tune(by_chance(seed)) for seed in range(40)]
    optimistic = np.mean([tuning.best.value for tuning in tunings])
    validated = np.mean([tuning.validated.tuned for tuning in tunings])
    assert optimistic > 0.25  # there is nothing to be found, but something is
    assert validated < optimistic - 0.3
    # At 5 % two of the forty may.
    assert sum(tuning.verdict == "survives" for tuning in tunings) <= 2


def test_different_scales_do_not_make_the_estimate_better_than_the_best():
    # Scores taken as they are would: under some weights all systems score higher, and where the systems left
    # out that people like happen to get these weights, that looks like agreement.
    for seed in range(40):
        tuning = tune(by_chance(seed))
        assert tuning.validated.tuned <= tuning.best.value + 1e-9


def test_a_gain_that_is_there_survives():
    # People say what w2 = 0 says, of thirty systems that differ mostly in case 2.
    rng = np.random.default_rng(5)
    equivalent = rng.integers(0, 60, 30)
    identical = rng.integers(30, 40, 30)
    counts = [[n1, n2, 100 - n1 - n2, 0, 0, 0] for n1, n2 in zip(identical, equivalent, strict=True)]
    tuning = tune(data(counts, identical + rng.normal(0, 0.5, 30)))
    assert tuning.best.setting.w2 <= 0.1
    assert tuning.verdict == "survives"


def test_documents_left_out():
    # Cases 1 and 3 only, so every setting is the same and values can be worked out: in d0 the metric ranks the
    # systems as people do (r = 1), in d1 the other way round (−1), in d2 it cannot tell them apart.
    counts = [
        [[1, 0, 9, 0, 0, 0], [8, 0, 2, 0, 0, 0], [5, 0, 5, 0, 0, 0]],
        [[2, 0, 8, 0, 0, 0], [5, 0, 5, 0, 0, 0], [5, 0, 5, 0, 0, 0]],
        [[3, 0, 7, 0, 0, 0], [2, 0, 8, 0, 0, 0], [5, 0, 5, 0, 0, 0]],
    ]
    found = tune(data(counts, [1, 2, 3], [[1, 1, 1], [2, 2, 2], [3, 3, 3.5]]), leave_out="documents")
    assert [fold.tuned for fold in found.validated.folds] == [pytest.approx(1), pytest.approx(-1), None]
    assert found.validated.used == 2
    assert found.validated.tuned == found.validated.default == pytest.approx(0)


def test_documents_left_out_with_the_human_scores_of_that_document():
    # The same systems; people rank those of d1 the other way round, and the metric agrees.
    counts = [
        [[1, 0, 9, 0, 0, 0], [6, 0, 4, 0, 0, 0]],
        [[2, 0, 8, 0, 0, 0], [5, 0, 5, 0, 0, 0]],
        [[4, 0, 6, 0, 0, 0], [4, 0, 6, 0, 0, 0]],
    ]
    with_documents = data(counts, [2, 2.5, 3], [[1, 3], [2, 2], [4, 1]])
    assert [fold.default for fold in tune(with_documents, leave_out="documents").validated.folds] == [
        pytest.approx(1),
        pytest.approx(1),
    ]
    without = tune(data(counts, [1, 2, 4]), leave_out="documents")
    assert without.validated.folds[1].default == pytest.approx(-0.98198, abs=1e-5)  # of 6, 5, 4 and 1, 2, 4


def test_a_document_is_not_among_what_its_weights_are_chosen_on():
    # In d0 people count case 2 as right, in d1 as wrong: each is scored with the weights of the other.
    right = [[2, 6, 2, 0, 0, 0], [5, 0, 5, 0, 0, 0], [1, 5, 4, 0, 0, 0], [4, 4, 2, 0, 0, 0]]
    counts = [[row, row] for row in right]
    people = [[8, 2], [5, 5], [6, 1], [8, 4]]  # n1 + n2, and n1
    tuning = tune(data(counts, np.mean(people, axis=1), people), leave_out="documents")
    first, second = (fold.setting for fold in tuning.validated.folds)
    assert (first.w2, second.w2) == (0, 1)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (data([[1, 0, 1, 0, 0, 0]] * 3, [1, 2, 3]), {}, "at least 4 systems are needed (3 must remain"),
        (data([[1, 0, 1, 0, 0, 0]] * 2, [1, 2]), {"leave_out": "documents"}, "at least 3 systems"),
        (data([[1, 0, 1, 0, 0, 0]] * 4, [2] * 4), {}, "all human scores are 2"),
        (data([[1, 0, 1, 0, 0, 0]] * 4, [1, 2, 3, 4]), {}, "all systems score the same"),
        (known(), {"leave_out": "documents"}, "needs details with documents"),
        (data([[[1, 0, 1, 0, 0, 0]]] * 4, [1, 2, 3, 4]), {"leave_out": "documents"}, "at least 2 documents"),
        (known(), {"step": 0.3}, "0.3 does not divide 1"),
        (known(), {"step": 0.0}, "a number from 0.005 to 1"),
        (known(), {"step": float("nan")}, "a number from 0.005 to 1"),
        (known(), {"statistic": "cosine"}, "Available: pearson, spearman"),
        (known(), {"search": "genetic"}, "Available: grid, simplex"),
        (known(), {"leave_out": "nothing"}, "Available: systems, documents"),
    ],
)
def test_what_cannot_be_tuned(given, options, message):
    with pytest.raises(OptionError) as error:
        tune(given, **options)
    assert message in str(error.value)


# ---- the command ----


def test_the_command_says_all_of_it(apt_meta, files):
    outcome = apt_meta("tune", *files())
    assert (outcome.status, outcome.err) == (0, "")
    assert "best              0.8  0.3          5       1.0000" in outcome.out
    assert "apt-score --weights 1,0.8,0,0,0,0.3 --discard 5" in outcome.out
    for words in ("optimistic", "systems left out", "settings of the grid come within 0.001"):
        assert words in outcome.out


def test_the_command_advises_against_chance(apt_meta, files):
    chance = by_chance(0)  # a seed where leaving out systems loses
    counts = dict(zip(chance.systems, chance.cases.counts[:, 0].tolist(), strict=True))
    human = "".join(f"{name},{value}\n" for name, value in zip(chance.systems, chance.human, strict=True))
    outcome = apt_meta("tune", *files(details(counts), f"system,human\n{human}"))
    assert "tuning does not pay on these data: keep the default" in outcome.out


@pytest.mark.parametrize("output", ["text", "json", "tsv", "latex"])
def test_every_format_has_the_findings(apt_meta, files, output):
    outcome = apt_meta("tune", *files(), "-f", output, "-w", "2")
    assert outcome.status == 0
    if output == "json":
        found = json.loads(outcome.out)
        assert found["best"] == {"w2": 0.8, "w6": 0.3, "discard": [5], "value": pytest.approx(1)}
        assert [fold["left_out"] for fold in found["cross_validated"]["folds"]] == list(KNOWN)
        assert len(found["paper_settings"]) == 9
    if output == "tsv":
        head, *rows = (line.split("\t") for line in outcome.out.splitlines())
        assert {len(row) for row in rows} == {len(head)}
        assert ["best", "", "0.8", "0.3", "5", "pearson"] in [row[:6] for row in rows]


def test_real_details_as_table_and_packed_json_give_the_scores_of_apt_score(
    apt_score, apt_meta, examples, tmp_path
):
    lines = {
        name: (examples / f"{name}.fr").read_text().splitlines()
        for name in ("system_a", "system_b", "reference")
    }
    half = len(lines["system_a"]) // 2
    shutil.copy(examples / "system_a.fr", tmp_path / "a.fr")
    shutil.copy(examples / "system_b.fr", tmp_path / "b.fr")
    shutil.copy(examples / "reference.fr", tmp_path / "r.fr")
    (tmp_path / "m.fr").write_text("\n".join([*lines["reference"][:half], *lines["system_b"][half:]]) + "\n")
    candidates = [tmp_path / f"{name}.fr" for name in "abrm"]
    text = [examples / "source.en", examples / "reference.fr", *candidates, "-l", "fr", "-b", "-w", "12"]
    scores = [float(line) for line in apt_score(*text, "--details", tmp_path / "d.tsv").out.split()]
    apt_score(*text, "--details", tmp_path / "d.jsonl")
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress((tmp_path / "d.jsonl").read_bytes()))
    human = [0.4, 0.3, 0.9, 0.5]
    table = "".join(f"{path.name}\t{value}\n" for path, value in zip(candidates, human, strict=True))
    (tmp_path / "human.tsv").write_text(f"who\tgood\n{table}")
    outcomes = [
        apt_meta("tune", tmp_path / name, "--human", tmp_path / "human.tsv", "--column", "good", "-f", "json")
        for name in ("d.tsv", "d.jsonl.gz")
    ]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0].status == 0
    assert json.loads(outcomes[0].out)["default"]["value"] == pytest.approx(pearsonr(human, scores).statistic)


def test_the_mean_over_documents_is_a_systems_human_score(tmp_path):
    (tmp_path / "d.tsv").write_text(details({"a": [1, 0, 0, 0, 0, 0], "b": [0, 0, 1, 0, 0, 0]}, "d1"))
    (tmp_path / "h.csv").write_text("document,system,human\nd1,b,1\nd1,a,2\n")
    read = read_tuning_data([str(tmp_path / "d.tsv")], str(tmp_path / "h.csv"))
    assert read.systems == ("a", "b")
    assert read.human.tolist() == [2, 1]
    # d2 has no pronoun, so nothing is known of it in the details.
    (tmp_path / "h.csv").write_text("document,system,human\nd1,b,1\nd1,a,2\nd2,b,9\nd2,a,9\n")
    read = read_tuning_data([str(tmp_path / "d.tsv")], str(tmp_path / "h.csv"))
    assert read.human.tolist() == [2, 1]
    assert read.without_pronouns == 1
    # Where the details have no documents, all that were judged count.
    (tmp_path / "d.tsv").write_text(details({"a": [1, 0, 0, 0, 0, 0], "b": [0, 0, 1, 0, 0, 0]}))
    read = read_tuning_data([str(tmp_path / "d.tsv")], str(tmp_path / "h.csv"))
    assert read.human.tolist() == [5.5, 5]


NAMES = list(KNOWN)
SCORES = "system,human\n" + "".join(f"{name},{number}\n" for number, name in enumerate(NAMES))
DETAILS = details({name: counts for name, (counts, _) in KNOWN.items()})


@pytest.mark.parametrize(
    ("details_text", "human_text", "expected"),
    [
        # Details that are none.
        ("", None, ["details.tsv, line 1:", "empty"]),
        ("system\tcase\na\t1\n", None, ["details.tsv, line 1:", "no column 'segment'"]),
        (DETAILS.replace("\t6\n", "\t7\n", 1), None, ["details.tsv, line ", "from 1 to 6", "'7'"]),
        (DETAILS + "a.fr\t\t0\t0\tit\til\til\t1\n", None, ["details.tsv, line 122:", "twice", "line 2"]),
        (HEAD + "a.fr\t\tx\t0\tit\til\til\t1\n", None, ["details.tsv, line 2:", "segment", "'x'"]),
        (DETAILS.replace("\t\t3\t", "\td\t3\t", 1), None, ["details.tsv, line 2:", "no document"]),
        (
            DETAILS + "a.fr\t\t20\t0\tit\til\til\t1\n",
            None,
            ["line 122:", "segment 20", "not there for system b.fr"],
        ),
        # Human scores that are none, or not of these systems.
        (None, "", ["human.csv, line 1:", "empty"]),
        (None, "system,score\na.fr,1\n", ["human.csv, line 1:", "no column 'human'"]),
        (None, SCORES.replace("c.fr,2", "c.fr,good"), ["human.csv, line 4:", "a number expected", "'good'"]),
        (None, SCORES.replace("c.fr,2", "c.fr,"), ["human.csv, line 4:", "'c.fr' has no human score"]),
        (None, SCORES.replace("c.fr,2", "c.fr,nan"), ["human.csv, line 4:", "no score"]),
        (None, SCORES + "a.fr,1\n", ["human.csv, line 8:", "'a.fr' is there twice"]),
        (None, SCORES + ",1\n", ["human.csv, line 8:", "no name"]),
        (None, SCORES.replace("c.fr,2\n", ""), ["human.csv:", "no human score of system 'c.fr'"]),
        (None, SCORES + "z.fr,1\n", ["human.csv:", "the details do not have system 'z.fr'"]),
        (None, SCORES.replace(".fr", ""), ["human.csv:", "'a.fr'", "'a'", "name of its candidate file"]),
        (
            None,
            "system,document,human\na.fr,d,1\na.fr,d,1\n",
            ["line 3:", "'a.fr', document 'd' is there twice"],
        ),
        (
            None,
            "system,document,human\n"
            + "".join(f"{name},d,{i}\n" for i, name in enumerate(NAMES))
            + "a.fr,e,1\n",
            ["human.csv:", "system 'b.fr' has no score of document 'e'"],
        ),
        (
            details({name: counts for name, (counts, _) in KNOWN.items()}, "text 1"),
            "system,document,human\n" + "".join(f"{name},text 2,{i}\n" for i, name in enumerate(NAMES)),
            ["human.csv:", "no human score of document 'text 1'"],
        ),
        (None, "system,human\n" + "".join(f"{name},1\n" for name in NAMES), ["all human scores are 1"]),
    ],
)
def test_bad_input_is_one_line(apt_meta, files, details_text, human_text, expected):
    check(apt_meta("tune", *files(details_text, human_text)), "apt-meta: error:", *expected)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--step", "0.3"], "does not divide 1"),
        (["--step", "1e-9"], "from 0.005 to 1"),
        (["--column", "system"], "at once"),
        (["--systems", "name"], "no column 'name'"),
        (["--leave-out", "documents"], "needs details with documents"),
        (["--statistic", "cosine"], "'cosine'"),
    ],
)
def test_bad_options_are_one_line(apt_meta, files, options, expected):
    check(apt_meta("tune", *files(), *options), expected)


def test_missing_arguments_and_files(apt_meta, files, tmp_path):
    check(apt_meta("tune"), "DETAILS")
    check(apt_meta("tune", *files()[:1]), "--human")
    check(apt_meta("tune", tmp_path / "nowhere.tsv", *files()[1:]), "nowhere.tsv", "cannot be read")
    check(apt_meta("tune", "-", "--human", "-"), "only once")
