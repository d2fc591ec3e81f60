"""Plots: files that appear whole, say what they should, and hide nothing."""

import struct
import sys
import warnings
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from apt.errors import InputError, OptionError
from apt.meta.plots import MOST_NAMED, Band, Panel, draw, figure

pytest.importorskip("matplotlib")

# Document-level human scores and COMET of the seven systems of WMT 2024's chat task, English-German.
NAMES = ["unbabel+it", "HW-TSC", "clteam", "ADAPT", "DCUGenNLP", "baseline", "SheffieldGATE"]
METRIC = [92.9, 93.4, 91.3, 90.8, 90.8, 89.8, 89.4]
HUMAN = [84.2222, 81.1944, 78.6111, 75.75, 77.0278, 74.5, 75.7222]
CAPTION = "r = 0.90 [0.61, 0.99]"


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def chat(**changed) -> Panel:
    given = {
        "title": "WMT 2024 chat",
        "x_label": "COMET",
        "y_label": "human",
        "names": NAMES,
        "metric": METRIC,
        "human": HUMAN,
        "line": (2.1, -113.6),
        "band": Band([89.4, 91.4, 93.4], [72, 77, 80], [77, 80, 86]),
        "captions": [CAPTION, "ρ = 0.88"],
    }
    return Panel(**(given | changed))


ALONE = chat(names=["only"], metric=[0.0], human=[0.0], line=None, band=None)


def crowd(systems: int, spread: float) -> Panel:
    """Most systems close together, three far away."""
    rng = np.random.default_rng(7)
    metric = [*rng.normal(0.7, spread, systems - 3), 0.5, 0.55, 0.6]
    human = [*rng.normal(0.6, 2 * spread, systems - 3), 0.3, 0.35, 0.4]
    names = [f"Online-{i}" if i % 3 else f"a_longer_name_{i}" for i in range(systems)]
    return chat(names=names, metric=metric, human=human, line=(1.5, -0.45), band=None)


def texts_of(path) -> list[str]:
    """The texts of an SVG file, one a line of text."""
    return [
        "".join(node.itertext()).strip()
        for node in ElementTree.parse(path).iter()
        if node.tag.endswith("text")
    ]


def boxes_of(axes, names):
    """The boxes of names in pixels, as matplotlib itself measures them."""
    axes.figure.canvas.draw()
    return [text.get_window_extent() for text in axes.texts if text.get_text() in names]


def overlap(one, other) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


# ---- files ----


def test_an_svg_has_every_name_and_caption_as_text(tmp_path):
    draw([chat(left_out=["HW-TSC"])], str(tmp_path / "a.svg"))
    texts = texts_of(tmp_path / "a.svg")
    for name in [*NAMES, CAPTION, "ρ = 0.88", "WMT 2024 chat", "COMET", "human"]:
        assert texts.count(name) == 1, name


def test_a_png_has_the_size_of_one_column(tmp_path):
    draw([chat()], str(tmp_path / "a.png"))
    content = (tmp_path / "a.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])  # of the first chunk, which is always IHDR
    assert (width, height) == (1350, 1140)  # 4.5 by 3.8 inches of 300 dots


def test_a_pdf_has_fonts_that_publishers_take(tmp_path):
    draw([chat()], str(tmp_path / "a.PDF"))
    content = (tmp_path / "a.PDF").read_bytes()
    assert content.startswith(b"%PDF-")
    assert b"/Type3" not in content
    assert b"/CreationDate" not in content


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_same_panels_give_the_same_bytes_whatever_the_users_settings(tmp_path, ending, monkeypatch):
    import matplotlib

    panels = [chat(), crowd(12, 0.01)]
    draw(panels, str(tmp_path / f"one.{ending}"))
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 30)
    monkeypatch.setitem(matplotlib.rcParams, "axes.facecolor", "black")
    monkeypatch.setitem(matplotlib.rcParams, "svg.hashsalt", None)
    draw(panels, str(tmp_path / f"two.{ending}"))
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()
    assert matplotlib.rcParams["font.size"] == 30  # and they are left alone


def test_several_panels_are_one_file(tmp_path):
    panels = [chat(title=f"panel {number}") for number in range(5)]
    draw(panels, str(tmp_path / "a.svg"))
    texts = texts_of(tmp_path / "a.svg")
    assert [text for text in texts if text.startswith("panel")] == [f"panel {n}" for n in range(5)]
    assert texts.count("ADAPT") == 5


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.svg.gz"])
def test_an_unknown_ending_is_an_error_that_says_which_there_are(tmp_path, name):
    with pytest.raises(InputError, match=r"unknown ending .*\.svg, \.png, \.pdf"):
        draw([chat()], str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


def test_an_input_is_not_overwritten(tmp_path):
    path = tmp_path / "scores.svg"
    path.write_text("precious")
    with pytest.raises(InputError, match="one of the inputs"):
        draw([chat()], str(path), [str(path)])
    assert path.read_text() == "precious"


def test_nothing_is_left_behind_after_an_error(tmp_path, monkeypatch):
    from matplotlib.figure import Figure

    def fail(*_, **__):
        raise RuntimeError("in the middle of it")

    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(RuntimeError):
        draw([chat()], str(tmp_path / "a.svg"))
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionError, match=r"^plots need the extra: pip install 'apt-score\[plots\]'$"):
        draw([chat()], str(tmp_path / "a.svg"))
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_draw(tmp_path):
    with pytest.raises(OptionError, match="nothing to draw"):
        draw([], str(tmp_path / "a.svg"))


@pytest.mark.parametrize(
    "changed",
    [
        {"metric": METRIC[:-1]},
        {"human_intervals": [None]},
        {"human": [float("nan"), *HUMAN[1:]]},
        {"names": [], "metric": [], "human": []},
    ],
)
def test_points_without_scores_cannot_be_drawn(changed):
    with pytest.raises(ValueError, match=r"needed|cannot be drawn"):
        chat(**changed)


# ---- what is in the figure ----


@pytest.mark.parametrize(
    "panel",
    [
        chat(),
        chat(metric_intervals=[(x - 0.1, x + 0.2) for x in METRIC], human_intervals=[(70, y) for y in HUMAN]),
        crowd(20, 0.01),
        crowd(20, 0.004),
        crowd(MOST_NAMED, 0.03),
        chat(metric=[91] * 7),  # a constant metric
        chat(metric=[91] * 7, human=[80] * 7),  # all systems in one point
        chat(names=[f"a system with the rather long name {i}" for i in range(7)]),
    ],
    ids=["chat", "intervals", "crowd", "dense crowd", "many", "constant", "one point", "long names"],
)
@pytest.mark.parametrize("others", [0, 5])
def test_names_hide_neither_each_other_nor_points_nor_the_frame(panel, others):
    axes = figure([panel] + [ALONE] * others).axes[0]
    inside = axes.get_window_extent()
    captions = [text.get_window_extent() for text in axes.texts if text.get_text().startswith(CAPTION)]
    names = [text.get_text() for text in axes.texts if not text.get_text().startswith(CAPTION)]
    boxes = boxes_of(axes, names)
    assert len(boxes) == len(panel.names)
    assert len(captions) == 1
    for one, other in combinations([*boxes, *captions], 2):
        assert not overlap(one, other)
    for box in [*boxes, *captions]:
        assert inside.x0 < box.x0
        assert box.x1 < inside.x1
        assert inside.y0 < box.y0
        assert box.y1 < inside.y1
        for x, y in axes.transData.transform(np.column_stack([panel.metric, panel.human])):
            assert not (box.x0 < x < box.x1 and box.y0 < y < box.y1)


def test_a_name_stands_beside_its_own_point():
    axes = figure([chat()]).axes[0]
    points = axes.transData.transform(np.column_stack([METRIC, HUMAN]))
    for name, own in zip(NAMES, points, strict=True):
        (box,) = boxes_of(axes, [name])
        away = np.hypot(*(np.clip(points, box.min, box.max) - points).T)
        assert np.hypot(*(np.clip(own, box.min, box.max) - own)) == away.min()


def test_a_system_that_is_left_out_is_hollow_and_keeps_its_name():
    axes = figure([chat(left_out=["ADAPT"])]).axes[0]
    drawn = {
        tuple(collection.get_facecolor()[0]): np.asarray(collection.get_offsets())
        for collection in axes.collections
        if len(collection.get_offsets()) and collection.get_offsets().any()
    }
    hollow = drawn[(1.0, 1.0, 1.0, 1.0)]
    assert hollow.tolist() == [[90.8, 75.75]]
    assert sum(map(len, drawn.values())) == 7
    assert "ADAPT" in [text.get_text() for text in axes.texts]


def test_the_line_ends_where_the_systems_do_that_it_speaks_of():
    axes = figure([chat(left_out=["HW-TSC"], band=None)]).axes[0]
    line = axes.lines[0]
    assert line.get_xdata().tolist() == [89.4, 92.9]
    assert line.get_ydata() == pytest.approx([2.1 * 89.4 - 113.6, 2.1 * 92.9 - 113.6])


def test_many_points_have_no_names(tmp_path):
    rng = np.random.default_rng(1)
    metric = rng.normal(0.7, 0.1, 500)
    names = [f"segment-{number}" for number in range(500)]
    panel = chat(names=names, metric=metric, human=metric + rng.normal(0, 0.05, 500), line=(1, 0), band=None)
    draw([panel], str(tmp_path / "a.svg"))
    texts = texts_of(tmp_path / "a.svg")
    assert CAPTION in texts
    assert not [text for text in texts if text.startswith("segment")]
    axes = figure([panel]).axes[0]
    box = next(text.get_window_extent() for text in axes.texts if text.get_text().startswith(CAPTION))
    points = axes.transData.transform(np.column_stack([panel.metric, panel.human]))
    assert not ((box.min < points) & (points < box.max)).all(axis=1).any()


def test_names_that_the_font_or_the_formulas_of_matplotlib_could_choke_on(tmp_path, capfd):
    names = ["系统一", "система", "cost_$5", "$a^{b", "a\\b", "<&>", "é"]
    for ending in ("svg", "png", "pdf"):
        draw([chat(names=names, title="$x$ 中文", captions=["$r"])], str(tmp_path / f"a.{ending}"))
    texts = texts_of(tmp_path / "a.svg")
    for name in [*names, "$x$ 中文", "$r"]:
        assert texts.count(name) == 1, name
    captured = capfd.readouterr()
    assert captured.out == captured.err == ""


def test_one_system_alone(tmp_path):
    draw([ALONE], str(tmp_path / "a.svg"))
    assert "only" in texts_of(tmp_path / "a.svg")
