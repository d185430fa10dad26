"""Charts by matplotlib as SVG that belongs in a page: its text is text, its colours are the page's.

Colours are those of Okabe and Ito ("Color universal design", 2008), which people with any colour vision tell apart;
each stands with a name, a dash or a marker of its own. matplotlib is told colours of no other use (`_INKS`), and the
page's own take their place, so that a chart follows the page into dark mode.
"""

from __future__ import annotations

import io
import re
import unicodedata
import warnings
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipeline.reports.words import Words

WIDTH = 360
"""Pixels of a chart; a page shows it as wide as there is room, never much wider."""
_DPI = 72
_FONT = 12
_SMALL = 11
_ROW = 30
"""Pixels to a bar or dot."""

# Colours for matplotlib, and the page's variables that take their place.
_INKS = {
    "ink": "#010101",
    "soft": "#020202",
    "rule": "#030303",
    "red": "#040404",
    "black": "#050505",
    "draw": "#060606",
    "plain": "#070707",
    "other": "#080808",
    "card": "#090909",
}
_NAMES = {colour: name for name, colour in _INKS.items()}
_BACKED = {"facecolor": _INKS["card"], "linewidth": 0, "pad": 1}
_DASHES = {"red": "-", "draw": ":", "black": "--", "plain": "-", "other": "-."}
_MARKERS = {"red": "o", "draw": "D", "black": "s", "plain": "o", "other": "^"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A bar or a dot: a share or another mean of ``n``, with its interval; None where nothing is known of it."""

    value: float | None
    low: float | None
    high: float | None
    n: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its band: ``tone`` a name of colours, ``label`` what stands at it."""

    label: str
    tone: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def bars(
    marks: Sequence[Mark],
    *,
    labels: Sequence[str],
    tones: Sequence[str],
    words: Words,
    label: str,
    percent: bool = True,
) -> str:
    """Horizontal bars of a share, or another mean, with its interval; beside each its figure and n."""
    write = words.percent if percent else words.number
    values = [mark.value or 0.0 for mark in marks]
    figures = [f"{write(value)} n = {words.count(mark.n)}" for mark, value in zip(marks, values, strict=True)]
    with _axes(labels, figures) as (axes, out, height):
        axes.barh(
            range(len(marks)), values, height=height, color=[_INKS[tone] for tone in tones], linewidth=0
        )
        _whiskers(axes, marks, [_INKS["ink"]] * len(marks))
        most = max([mark.high for mark in marks if mark.n and mark.high is not None] or [1])
        if percent:
            _percent_axis(axes, min(1.0, most * 1.04) or 1, label)
        else:
            axes.set_xlabel(label)
            axes.set_xlim(0, None)
    return _finish(out)


def dots(
    marks: Sequence[Mark],
    *,
    labels: Sequence[str],
    words: Words,
    label: str,
    reference: float | None = None,
    tones: Sequence[str] | None = None,
) -> str:
    """A dot and its interval to a row, against ``reference``."""
    tones = tones or ["plain"] * len(marks)
    figures = [f"{words.percent(mark.value)}  n = {words.count(mark.n)}" for mark in marks]
    with _axes(labels, figures) as (axes, out, _):
        if reference is not None:
            axes.axvline(reference, color=_INKS["soft"], linewidth=1, linestyle=(0, (4, 3)))
        _whiskers(axes, marks, [_INKS[tone] for tone in tones])
        for tone in dict.fromkeys(tones):
            places = [place for place, mark in enumerate(marks) if tones[place] == tone and mark.n]
            values = [marks[place].value for place in places]
            axes.plot(values, places, _MARKERS[tone], color=_INKS[tone], markersize=7)
        _percent_axis(axes, 1, label)
    return _finish(out)


def lines(
    series: Sequence[Line],
    *,
    across: str,
    up: str,
    percent: bool = False,
    steps: bool = False,
    height: int = 290,
) -> str:
    """Lines with their bands."""
    from matplotlib.ticker import MaxNLocator

    in_a_row = sum(0.85 * _wide(line.label) + 33 for line in series) < WIDTH
    columns = len(series) if in_a_row else 2
    legend = -(-len(series) // columns)
    with _figure(height + 16 * (legend - 1), left=64, right=14, top=18 + 16 * legend, bottom=42) as (
        axes,
        out,
    ):
        for line in series:
            colour = _INKS[line.tone]
            step = "post" if steps else None
            axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.18, linewidth=0, step=step)
            axes.plot(
                line.x,
                line.y,
                color=colour,
                linestyle=_DASHES[line.tone],
                linewidth=2,
                label=line.label,
                drawstyle="steps-post" if steps else "default",
            )
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.grid(axis="both", color=_INKS["rule"], linewidth=0.7)
        if percent:
            axes.set_ylim(0, 1.02)
            axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
        else:
            axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(8 / WIDTH, axes.get_position().y1),
            bbox_transform=axes.figure.transFigure,
            ncols=columns,
            frameon=False,
            fontsize=_SMALL,
            handlelength=1.8,
            handletextpad=0.5,
            borderaxespad=0.1,
            columnspacing=1.0,
            labelcolor=_INKS["ink"],
        )
    return _finish(out)


# ---- parts -------------------------------------------------------------------------------------------


def _whiskers(axes: Any, marks: Sequence[Mark], colours: Sequence[str]) -> None:
    """The intervals, where there are any."""
    bounded = [
        (place, mark.low, mark.high, colour)
        for place, (mark, colour) in enumerate(zip(marks, colours, strict=True))
        if mark.n and mark.low is not None and mark.high is not None and mark.high - mark.low < float("inf")
    ]
    for colour in dict.fromkeys(colours):
        ends = [(place, low, high) for place, low, high, own in bounded if own == colour]
        if ends:
            places, lows, highs = zip(*ends, strict=True)
            axes.hlines(places, lows, highs, color=colour, linewidth=1.6)
            axes.plot(lows + highs, places + places, "|", color=colour, markersize=8, markeredgewidth=1.6)


def _percent_axis(axes: Any, high: float, label: str) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    axes.set_xlim(0, high)
    room = axes.get_position().width * WIDTH
    axes.xaxis.set_major_locator(MaxNLocator(max(2, int(room // 52)), steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %", decimals=None if high < 0.05 else 0))
    axes.set_xlabel(label)


def _wide(text: str) -> float:
    """About how many pixels ``text`` takes; the page's fonts decide in the end."""
    return sum(_FONT if unicodedata.east_asian_width(sign) in "WF" else 0.6 * _FONT for sign in text)


@contextmanager
def _axes(labels: Sequence[str], figures: Sequence[str]) -> Any:
    """Axes of horizontal rows, the first on top: labelled on the left, or above each row when labels are long; with
    their figures on the right."""
    longest = max([40.0, *map(_wide, labels)])
    above = longest > WIDTH * 0.33
    row, left = (_ROW + 16, 14.0) if above else (_ROW, longest + 12)
    right = max([98.0, *map(_wide, figures)]) + 8
    rows = len(labels)
    with _figure(rows * row + 52, left=left, right=right, top=8, bottom=44) as (axes, out):
        axes.set_ylim(rows - 0.5 + 0.1 * above, -0.5 - 0.25 * above)
        axes.yaxis.set_visible(False)  # its ticks would take five times as long as texts
        axes.grid(axis="x", color=_INKS["rule"], linewidth=0.7)
        pixel = 1 / (WIDTH - left - right)
        beside = {"x": -6 * pixel, "ha": "right", "va": "center"}
        over = {"x": 0, "va": "bottom", "size": _SMALL, "bbox": _BACKED}
        for place, (label, figure) in enumerate(zip(labels, figures, strict=True)):
            for text in (
                {"s": label, "y": place - 0.36 * above, **(over if above else beside)},
                {"s": figure, "y": place, "x": 1 + 8 * pixel, "va": "center", "size": _SMALL},
            ):
                axes.text(transform=axes.get_yaxis_transform(), **text)
        yield axes, out, 0.42 if above else 0.62


_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: the page's fonts have the signs of every language
    "svg.hashsalt": "caipan",
    "text.parse_math": False,  # a name may hold dollars
    "font.family": "DejaVu Sans",
    "font.size": _FONT,
    "axes.edgecolor": _INKS["rule"],
    "axes.labelcolor": _INKS["soft"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.axisbelow": True,
    "xtick.color": _INKS["soft"],
    "ytick.color": _INKS["ink"],
    "text.color": _INKS["ink"],
    "figure.dpi": _DPI,
}


@cache
def settings() -> dict[Any, Any]:
    """All of matplotlib's settings, ours or its own: not the reader's. Checking them takes longer than a drawing, and
    loading the library longer than ten."""
    import matplotlib
    import matplotlib.backends.backend_svg

    return dict(matplotlib.RcParams({**matplotlib.rcParamsDefault, **_SETTINGS}))


@contextmanager
def _figure(height: int, *, left: float, right: float, top: float, bottom: float) -> Any:
    """Axes with margins in pixels, and where their SVG will be."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    out = io.StringIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        dict.update(matplotlib.rcParams, settings())
        # Texts are measured with matplotlib's own font, which has no Chinese; the reader's fonts draw them.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        warnings.filterwarnings("ignore", "Matplotlib currently does not support")
        figure = Figure(figsize=(WIDTH / _DPI, height / _DPI))
        FigureCanvasSVG(figure)
        axes = figure.add_axes(
            (left / WIDTH, bottom / height, 1 - (left + right) / WIDTH, 1 - (top + bottom) / height)
        )
        axes.patch.set_alpha(0)
        figure.patch.set_alpha(0)
        yield axes, out
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(out, format="svg", metadata=nothing)


# What a tag of matplotlib's need not have in a page, and numbers finer than a tenth of a pixel.
_SIZE = re.compile(r' width="[\d.]+pt" height="[\d.]+pt"')
_OWN_IDS = re.compile(
    r' id="(?:figure|axes|patch|text|line2d|matplotlib\.axis|xtick|ytick|legend|FillBetween)[\w.]*"'
)
_OWN_STYLE = re.compile(r"font-family: [^;]*; | transform=\"rotate\(-0 [^\"]*\"")
_LONG = re.compile(r"\d+\.\d{3,}")
_INK = re.compile("|".join(_NAMES))


def _finish(out: io.StringIO) -> str:
    """matplotlib's document as an element of a page."""
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.S)
    text = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*|<!--.*?-->\s*", "", text, flags=re.S)
    text = _SIZE.sub("", text, count=1)
    return re.sub(
        r"<[^>]*>", lambda tag: _slim(tag[0]), text
    )  # a name may hold what looks like a part of one


def _slim(tag: str) -> str:
    tag = _OWN_IDS.sub("", tag)
    tag = _OWN_STYLE.sub("", tag)
    tag = _LONG.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), tag)
    return _INK.sub(lambda found: f"var(--{_NAMES[found[0]]})", tag)
