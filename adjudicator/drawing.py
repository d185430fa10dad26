"""A position as a small, self-contained SVG picture, Red's side below."""

from __future__ import annotations

from xml.sax.saxutils import escape

from adjudicator.moves import BLACK
from adjudicator.ruleset import Ruleset

CELL = 40
MARGIN = 34
INK, WOOD, RED, PALE = "#3b2f24", "#f3e3c3", "#b3261e", "#fffaf0"

# What players see on the pieces; a rule set's letters stand for kinds not listed.
FACES = {
    "K": "帥將",
    "A": "仕士",
    "E": "相象",
    "H": "傌馬",
    "R": "俥車",
    "C": "炮砲",
    "P": "兵卒",
}


def svg(pieces: bytes, rules: Ruleset, *, letters: bool = False, last: tuple[int, int] | None = None) -> str:
    """An SVG document of the board: kernel ``pieces`` by point, faces in Chinese or as ``letters``.

    ``last`` marks the two points of a move. Sizes are in pixels of 40 a point; the picture scales.
    """
    files, ranks = rules.files, rules.ranks
    width, height = (files - 1) * CELL + 2 * MARGIN, (ranks - 1) * CELL + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="serif" text-anchor="middle">',
        f"<title>{escape(rules.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{WOOD}"/>',
        f'<g stroke="{INK}" stroke-width="1.2">',
        *_grid(rules),
        "</g>",
        f'<g font-size="11" fill="{INK}">',
        *_names(rules, width, height),
        "</g>",
    ]
    for point in last or ():
        x, y = _centre(point, rules)
        parts.append(f'<circle cx="{x}" cy="{y}" r="19" fill="none" stroke="#2a6f97" stroke-width="2.5"/>')
    for point, code in enumerate(pieces):
        if code:
            parts += _piece(point, code, rules, letters)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _centre(point: int, rules: Ruleset) -> tuple[int, int]:
    file, rank = point % rules.files, point // rules.files
    return MARGIN + file * CELL, MARGIN + (rules.ranks - 1 - rank) * CELL


def _line(a: tuple[int, int], b: tuple[int, int]) -> str:
    return f'<line x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}"/>'


def _grid(rules: Ruleset) -> list[str]:
    """Lines of the board: inner files stop at the river where the rule set has one; palaces have diagonals."""
    files, ranks = rules.files, rules.ranks

    def at(file: int, rank: int) -> tuple[int, int]:
        return _centre(rank * files + file, rules)

    lines = [_line(at(0, rank), at(files - 1, rank)) for rank in range(ranks)]
    bank = ranks // 2 - 1 if "home" in rules.data["regions"] else None
    for file in range(files):
        if bank is None or file in (0, files - 1):
            lines.append(_line(at(file, 0), at(file, ranks - 1)))
        else:
            lines += [_line(at(file, 0), at(file, bank)), _line(at(file, bank + 1), at(file, ranks - 1))]
    if "palace" in rules.data["regions"]:
        palace = sorted(rules.region("palace"))
        last = files * ranks - 1
        low, high = palace[0], palace[-1]
        for a, b in ((low, high), (last - high, last - low)):
            (f1, r1), (f2, r2) = (a % files, a // files), (b % files, b // files)
            lines += [_line(at(f1, r1), at(f2, r2)), _line(at(f1, r2), at(f2, r1))]
    return lines


def _names(rules: Ruleset, width: int, height: int) -> list[str]:
    names = []
    for file in range(rules.files):
        x, _ = _centre(file, rules)
        names += [f'<text x="{x}" y="{y}">{chr(97 + file)}</text>' for y in (11, height - 3)]
    for rank in range(rules.ranks):
        _, y = _centre(rank * rules.files, rules)
        names += [f'<text x="{x}" y="{y + 4}">{rank + 1}</text>' for x in (8, width - 8)]
    return names


def _piece(point: int, code: int, rules: Ruleset, letters: bool) -> list[str]:
    x, y = _centre(point, rules)
    black = code >= BLACK
    letter = rules.pieces[(code & 15) - 1].letter
    face = letter if letters or letter not in FACES else FACES[letter][black]
    colour = INK if black else RED
    return [
        f'<circle cx="{x}" cy="{y}" r="17" fill="{PALE}" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{x}" y="{y + 7}" font-size="20" fill="{colour}">{escape(face)}</text>',
    ]
