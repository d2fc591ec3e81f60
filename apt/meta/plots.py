"""Scatter plots of human against metric scores, as a paper prints them.

In go `Panel`s, out comes one SVG, PNG or PDF file. The metric is on the horizontal axis and people are on the
vertical one (as in the paper's Figure 1). The same panels give the same bytes, whatever the user's own
settings of matplotlib are. Nothing here computes a statistic: lines, bands and captions are given.
"""

import io
import math
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apt.errors import InputError, OptionError
from apt.meta.panels import Band, Panel
from apt.meta.placement import Floats, Surroundings, crosses, nearest, overlaps, place_labels
from apt.output_files import checked_output, write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ENDINGS", "MOST_NAMED", "Band", "Panel", "draw", "figure"]

ENDINGS = (".svg", ".png", ".pdf")
MOST_NAMED = 40  # of more points the names could not be read

_COLUMNS = 3
_MANY = 5000  # points above which a vector file would become unwieldy: they are drawn as an image inside it
_DPI = 300
# Okabe & Ito's blue and vermilion: told apart by everybody, and in grey by their lightness.
_POINT, _LINE, _QUIET = "#0072B2", "#D55E00", "#6b6b6b"
# DejaVu Sans, which comes with matplotlib, has no Chinese, Japanese or Korean signs.
_WIDE_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "SimHei")
_LONGEST_NAME = 30
_PAD = 2.0  # points of the printer between a name and the frame
_NO_DATES: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


@dataclass(frozen=True)
class _Sizes:
    """In inches and printer's points."""

    width: float
    height: float
    text: float
    names: Sequence[float]  # to be tried one after another until all names have room
    dot: float  # diameter


_ONE = _Sizes(4.5, 3.8, 9.0, (8.0, 7.0, 6.0), 5.0)
_SEVERAL = _Sizes(2.7, 2.45, 7.5, (6.5, 5.7, 5.0), 3.8)


def draw(panels: Sequence[Panel], path: str, inputs: Sequence[str] = ()) -> None:
    """Write the panels to a file whose ending says what it becomes; `inputs` are never overwritten."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"cannot be written: unknown ending {ending!r}. Available: {', '.join(ENDINGS)}", path
        )
    checked_output(path, inputs)  # before the work, not after it
    content = io.BytesIO()
    with _styled():
        _figure(panels).savefig(content, format=ending[1:], dpi=_DPI, metadata=_NO_DATES[ending])
    write_file(path, content.getvalue(), inputs)


def figure(panels: Sequence[Panel]) -> "Figure":
    """The figure that `draw` saves, for those who want to change it or look into it."""
    with _styled():
        return _figure(panels)


@contextmanager
def _styled() -> Iterator[None]:
    """Settings as matplotlib is shipped, but for what files need; silent about signs its font lacks."""
    try:
        from matplotlib import font_manager, style
    except ImportError:
        raise OptionError("plots need the extra: pip install 'apt-score[plots]'") from None
    installed = set(font_manager.fontManager.get_font_names())
    settings = {
        "font.family": ["DejaVu Sans", *(name for name in _WIDE_FONTS if name in installed)],
        "svg.fonttype": "none",  # text stays text
        "svg.hashsalt": "apt",
        "pdf.fonttype": 42,  # publishers refuse Type 3
    }
    with style.context(["default", settings]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"(?s)Glyph .* missing from")
        yield


def _figure(panels: Sequence[Panel]) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not panels:
        raise OptionError("plots: there is nothing to draw")
    sizes = _ONE if len(panels) == 1 else _SEVERAL
    columns = 2 if len(panels) in (2, 4) else min(_COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    made = Figure(figsize=(sizes.width * columns, sizes.height * rows), dpi=_DPI, layout="constrained")
    FigureCanvasAgg(made)
    all_axes = [made.add_subplot(rows, columns, number + 1) for number in range(len(panels))]
    for panel, axes in zip(panels, all_axes, strict=True):
        _frame(axes, panel, sizes)
        _marks(axes, panel, sizes)
    # Where text has room is known only when the axes have their place, which depends on the numbers there.
    made.draw_without_rendering()
    captions = [_caption(axes, panel, sizes) for panel, axes in zip(panels, all_axes, strict=True)]
    made.draw_without_rendering()
    made.set_layout_engine("none")
    for panel, axes, caption in zip(panels, all_axes, captions, strict=True):
        if len(panel.names) <= MOST_NAMED:
            _names(axes, panel, sizes, caption)
    return made


def _frame(axes: "Axes", panel: Panel, sizes: _Sizes) -> None:
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    axes.spines[["top", "right"]].set_visible(False)
    letters = int(sizes.width * 110 / sizes.text)
    axes.set_title(textwrap.fill(panel.title, letters), fontsize=sizes.text + 0.5, parse_math=False)
    axes.set_xlabel(textwrap.fill(panel.x_label, letters), fontsize=sizes.text, parse_math=False)
    axes.set_ylabel(textwrap.fill(panel.y_label, letters), fontsize=sizes.text, parse_math=False)
    axes.tick_params(labelsize=sizes.text - 1, length=2.5, width=0.6)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5))
        axis.set_major_formatter(ScalarFormatter(useOffset=False))
    for spine in axes.spines.values():
        spine.set_linewidth(0.6)
    # A band opens so wide at its ends that it would press the points together: it does not count here.
    axes.set_xlim(*_limits(panel.metric, panel.metric_intervals))
    axes.set_ylim(*_limits(panel.human, panel.human_intervals))


def _limits(
    values: Sequence[float], intervals: Sequence[tuple[float, float] | None] | None
) -> tuple[float, float]:
    ends = [*values, *(end for between in intervals or () if between is not None for end in between)]
    low, high = min(ends), max(ends)
    room = 0.1 * (high - low)
    if room <= 1e-9 * max(abs(low), abs(high)):
        room = 0.1 * abs(low) or 0.1
    return low - room, high + room


def _marks(axes: "Axes", panel: Panel, sizes: _Sizes) -> None:
    if panel.band is not None:
        axes.fill_between(
            panel.band.x, panel.band.low, panel.band.high, color=_LINE, alpha=0.15, linewidth=0, zorder=1
        )
    ends = panel.line_ends()
    if ends is not None:
        axes.plot(ends[[0, 2]], ends[[1, 3]], color=_LINE, linewidth=1.2, zorder=2)
    for segment in panel.bars():
        axes.plot(segment[[0, 2]], segment[[1, 3]], color=_QUIET, linewidth=0.7, alpha=0.7, zorder=3)
    many = len(panel.names) > MOST_NAMED
    dot = sizes.dot * 0.6 if many else sizes.dot
    out = np.array([name in panel.left_out for name in panel.names])
    metric, human = np.asarray(panel.metric), np.asarray(panel.human)
    style: dict[str, Any] = {"s": dot**2, "zorder": 4, "rasterized": len(panel.names) > _MANY}
    axes.scatter(metric[out], human[out], facecolor="white", edgecolor=_QUIET, linewidth=0.9, **style)
    axes.scatter(metric[~out], human[~out], color=_POINT, alpha=0.35 if many else 1, linewidth=0, **style)


def _caption(axes: "Axes", panel: Panel, sizes: _Sizes) -> Floats:
    """Write the captions into the corner where they hide nothing; their box in pixels, 1 × 4 or empty."""
    if not panel.captions:
        return np.empty((0, 4))
    text = axes.text(0, 0, "\n".join(panel.captions), transform=axes.transAxes, parse_math=False, zorder=6)
    text.set(fontsize=sizes.text - 1, linespacing=1.35)
    corners = [("left", "top"), ("right", "bottom"), ("right", "top"), ("left", "bottom")]
    for _ in range(12):
        dots = _dots(axes, panel, sizes)
        ends = panel.line_ends()
        for x, y in corners:
            text.set_position((0.03 if x == "left" else 0.98, 0.97 if y == "top" else 0.03))
            text.set(ha=x, va=y)
            box = np.array([text.get_window_extent().extents])
            box += np.array([-1, -1, 1, 1]) * _PAD * _DPI / 72
            if not overlaps(box, dots).any() and not _on_line(axes, ends, box):
                return box
        # No corner is free: make room above all points.
        low, high = axes.get_ylim()
        axes.set_ylim(low, high + 0.06 * (high - low))
    return box


def _on_line(axes: "Axes", ends: Floats | None, box: Floats) -> bool:
    return ends is not None and bool(crosses(_in_pixels(axes, ends[None]), box).any())


def _dots(axes: "Axes", panel: Panel, sizes: _Sizes) -> Floats:
    """The boxes of the points, in pixels."""
    points = axes.transData.transform(panel.points())
    radius = (sizes.dot / 2 + 0.6) * _DPI / 72
    return np.hstack([points - radius, points + radius])


def _in_pixels(axes: "Axes", segments: Floats) -> Floats:
    return np.asarray(axes.transData.transform(segments.reshape(-1, 2)), dtype=np.float64).reshape(-1, 4)


def _names(axes: "Axes", panel: Panel, sizes: _Sizes, caption: Floats) -> None:
    """Write each name beside its point, joined to it by a thin line where it is farther away."""
    unit = _DPI / 72
    lines = panel.bars()
    ends = panel.line_ends()
    lines = lines if ends is None else np.vstack([lines, ends])
    frame = axes.get_window_extent().padded(-_PAD * unit)
    around = Surroundings(
        frame.extents, np.vstack([_dots(axes, panel, sizes), caption]), _in_pixels(axes, lines)
    )
    points = np.asarray(axes.transData.transform(panel.points()))
    texts = [axes.text(0, 0, _short(name), va="bottom", parse_math=False, zorder=5) for name in panel.names]
    for text, name in zip(texts, panel.names, strict=True):
        text.set_color(_QUIET if name in panel.left_out else "black")
    gap, leader = (sizes.dot / 2 + 0.8) * unit, (sizes.dot / 2 + 3.5) * unit
    for size in sizes.names:
        for text in texts:
            text.set_fontsize(size)
        # Other programs set an SVG's text in a font of their own, which may be a little wider.
        room = np.array([text.get_window_extent().size for text in texts]) * [1.03, 1.0] + [unit, 0]
        places, free = place_labels(points, room, around, gap, leader)
        if free:
            break
    back = axes.transData.inverted().transform
    for text, place, point, size_of in zip(texts, places, points, room, strict=True):
        x, y = back(place)
        text.set_position((float(x), float(y)))
        end = nearest(np.array([[*place, *(place + size_of)]]), point)[0]
        if math.hypot(*(end - point)) > leader:
            axes.plot(*back([point, end]).T, color=_QUIET, linewidth=0.4, zorder=3.5)


def _short(name: str) -> str:
    """The two ends of a name that would fill the figure."""
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 + 1 :]}"
