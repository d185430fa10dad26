"""Maps of the board: how often something happened on each point, on the board as the rule set draws it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from adjudicator import drawing
from adjudicator.ruleset import Ruleset

_NAMED = 12
"""Points whose share is written into them."""


def heat(rules: Ruleset, shares: Mapping[int, float], title: str) -> str:
    """The empty board with a disc on each point, its area and shade by the share of ``shares``; the largest have it
    written out, in percent. Points are kernel numbers."""
    width, height = drawing.size(rules)
    most = max(shares.values(), default=0.0)
    ranked = sorted(shares, key=lambda point: (-shares[point], point))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        drawing.ground(rules),
        '<g text-anchor="middle">',
    ]
    for place, point in enumerate(ranked):
        share = shares[point] / most
        x = drawing.MARGIN + point % rules.files * drawing.CELL
        y = drawing.MARGIN + (rules.ranks - 1 - point // rules.files) * drawing.CELL
        radius = 4 + 20 * share**0.5
        parts.append(
            f'<circle class="heat" cx="{x}" cy="{y}" r="{radius:.1f}"'
            f' fill="#0072b2" fill-opacity="{0.35 + 0.65 * share:.2f}"/>'
        )
        if place < _NAMED and radius >= 13:
            text = f"{100 * shares[point]:.1f}" if shares[point] < 0.0995 else f"{100 * shares[point]:.0f}"
            parts.append(
                f'<text class="heat-share" x="{x}" y="{y + 5}" font-size="14" fill="#fff">{text}</text>'
            )
    names = [
        f'<text x="{drawing.MARGIN + file * drawing.CELL}" y="{height - 7}">{chr(97 + file)}</text>'
        for file in range(rules.files)
    ] + [
        f'<text x="12" y="{drawing.MARGIN + (rules.ranks - 1 - rank) * drawing.CELL + 5}">{rank + 1}</text>'
        for rank in range(rules.ranks)
    ]
    parts += [
        "</g>",
        f'<g class="names" font-size="14" text-anchor="middle" fill="{drawing.INK}">',
        *names,
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)
