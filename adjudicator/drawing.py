"""A position as a small, self-contained SVG picture: the board as players know it, men, arrows, explosions.

Everything is given in kernel numbers; `Position.svg` and the studies give it names. Parts of the picture carry
classes (``ground``, ``line``, ``piece red`` …), so that a page may colour them by its own theme.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from adjudicator.moves import BLACK
from adjudicator.ruleset import Piece, Ruleset
from notation.fen import parse_fen

CELL = 50
MARGIN = 52
HAND = 46
"""Height of a side's reserve above or below the board."""

INK, WOOD, EDGE, RED, PALE, LIGHT, DARK = (
    "#4a3420",
    "#f0d9a8",
    "#b98a4e",
    "#b3221b",
    "#fff6e0",
    "#f3e2bd",
    "#d8b98a",
)
CHECK, WIDE, LAST, GONE = "#d4472f", "#b35c00", "#2f7d6d", "#e2762a"

# What players see on the pieces, Red's and Black's; other kinds show their Chinese word or their letter.
FACES = {
    "general": "帥將",
    "advisor": "仕士",
    "elephant": "相象",
    "horse": "傌馬",
    "chariot": "俥車",
    "cannon": "炮砲",
    "soldier": "兵卒",
    "treasure": "寶寶",
    "king": "王王",
    "queen": "后后",
    "rook": "車車",
    "knight": "馬馬",
    "bishop": "象象",
    "pawn": "兵兵",
    "wazir": "衛衛",
    "ferz": "士士",
    "imposter": "替替",
    "fortress": "城城",
}

_RED_DIGITS = "一二三四五六七八九"


def faces(piece: Piece) -> tuple[str, str]:
    """What stands on Red's and on Black's piece of a kind: one Chinese character, or its letter."""
    if piece.name in FACES:
        return FACES[piece.name][0], FACES[piece.name][1]
    word = piece.chinese
    if word and not word.isascii() and len(word) <= 2:
        return word[0], word[-1]
    return piece.letter, piece.letter


def is_checkered(rules: Ruleset) -> bool:
    """Whether pieces stand in squares, not on points: boards without river and palaces."""
    return not {"palace", "home"} & set(rules.data["regions"])


def river(rules: Ruleset) -> int | None:
    """The rank (from 0) on Red's bank of the river; None where there is none."""
    if "home" not in rules.data["regions"]:
        return None
    return max(point // rules.files for point in rules.region("home"))


def size(rules: Ruleset) -> tuple[int, int]:
    """Width and height of the board's picture in pixels, reserves not counted."""
    return (rules.files - 1) * CELL + 2 * MARGIN, (rules.ranks - 1) * CELL + 2 * MARGIN


def svg(
    pieces: bytes,
    rules: Ruleset,
    *,
    letters: bool = False,
    flipped: bool = False,
    names: str = "coordinates",
    last: tuple[int | None, int] | None = None,
    checks: Iterable[tuple[int, int]] = (),
    wide: Iterable[tuple[int, int]] = (),
    cleared: Iterable[tuple[int, int]] = (),
    exploded: bool = True,
    held: Sequence[Mapping[int, int]] | None = None,
    title: str | None = None,
) -> str:
    """An SVG document of the board: kernel ``pieces`` by point, faces in Chinese or as ``letters``.

    ``flipped`` puts Black below; ``names`` labels the sides with "coordinates", with the "files" that each
    player counts, or with "nothing". ``last`` marks the two points of a move (the first None for a drop),
    ``checks`` are arrows from point to point, ``wide`` dashed ones to a capture that would blow the general up,
    ``cleared`` the points that a capture emptied with the code of what stood there, each in a burst if it
    ``exploded``, ``held`` the reserves by kind. ``title`` is what a reader is told of the picture.
    """
    width, height = size(rules)
    hand = HAND if held and any(held) else 0
    total = height + 2 * hand
    at = _Places(rules, flipped)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {-hand} {width} {total}" width="{width}"'
        f' height="{total}" role="img" font-family="\'Noto Serif CJK TC\',\'Songti TC\',SimSun,serif"'
        ' text-anchor="middle">',
        f"<title>{escape(title or rules.title)}</title>",
    ]
    if hand:
        parts.append(f'<rect y="{-hand}" width="{width}" height="{total}" fill="{PALE}"/>')
    parts += [ground(rules), *_names(at, names)]
    gone = dict(cleared)
    parts += _marks(at, last, gone)
    for point, code in gone.items():
        parts += _gone(at, point, code, letters, exploded)
    for point, code in enumerate(pieces):
        if code:
            parts += _piece(*at(point), code, rules, letters)
    parts += [_arrow(at(start), at(to), "check wide", WIDE) for start, to in wide]
    parts += [_arrow(at(start), at(to), "check", CHECK) for start, to in checks]
    if hand and held:
        for side, y in ((0, height + hand / 2 - 6), (1, -hand / 2 + 6)):
            parts += _hand(rules, side, held[side], total - 2 * hand - y if flipped else y, letters)
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Places:
    """Where points are in the picture."""

    def __init__(self, rules: Ruleset, flipped: bool = False):
        self.rules = rules
        self.flipped = flipped

    def __call__(self, point: int) -> tuple[int, int]:
        return self.at(point % self.rules.files, point // self.rules.files)

    def at(self, file: int, rank: int) -> tuple[int, int]:
        if self.flipped:
            return MARGIN + (self.rules.files - 1 - file) * CELL, MARGIN + rank * CELL
        return MARGIN + file * CELL, MARGIN + (self.rules.ranks - 1 - rank) * CELL


# ---- the board ---------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def ground(rules: Ruleset) -> str:
    """The empty board as SVG elements; the same from both sides."""
    width, height = size(rules)
    parts = [f'<rect class="ground" width="{width}" height="{height}" rx="8" fill="{WOOD}"/>']
    return "\n".join(parts + (_squares(rules) if is_checkered(rules) else _points(rules)))


def _squares(rules: Ruleset) -> list[str]:
    at = _Places(rules)
    parts = []
    for rank in range(rules.ranks):
        for file in range(rules.files):
            x, y = at.at(file, rank)
            name, colour = ("dark", DARK) if (file + rank) % 2 == 0 else ("light", LIGHT)
            parts.append(
                f'<rect class="{name}" x="{x - CELL // 2}" y="{y - CELL // 2}"'
                f' width="{CELL}" height="{CELL}" fill="{colour}"/>'
            )
    return [*parts, _frame(rules, CELL // 2)]


def _points(rules: Ruleset) -> list[str]:
    """Lines of the board: inner files stop at the river, palaces have diagonals, cannons and soldiers marks."""
    files, ranks, at = rules.files, rules.ranks, _Places(rules)
    path = [_line(at.at(0, rank), at.at(files - 1, rank)) for rank in range(ranks)]
    bank = river(rules)
    for file in range(files):
        if bank is None or file in (0, files - 1):
            path.append(_line(at.at(file, 0), at.at(file, ranks - 1)))
        else:
            path.append(_line(at.at(file, 0), at.at(file, bank)))
            path.append(_line(at.at(file, bank + 1), at.at(file, ranks - 1)))
    if "palace" in rules.data["regions"]:
        palace, end = sorted(rules.region("palace")), files * ranks - 1
        for low, high in ((palace[0], palace[-1]), (end - palace[-1], end - palace[0])):
            (f1, r1), (f2, r2) = divmod(low, files)[::-1], divmod(high, files)[::-1]
            path += [_line(at.at(f1, r1), at.at(f2, r2)), _line(at.at(f1, r2), at.at(f2, r1))]
    path += [tick for point in _posts(rules) for tick in _ticks(at, point)]
    parts = [
        f'<path class="line" d="{"".join(path)}" fill="none" stroke="{INK}" stroke-width="1.3"/>',
        _frame(rules, 6),
    ]
    if bank is not None:
        (_, south), (_, north) = at.at(0, bank), at.at(0, bank + 1)
        for words, share in (("楚河", 0.27), ("漢界", 0.73)):
            x = MARGIN + (files - 1) * CELL * share
            parts.append(
                f'<text class="river" x="{x:.0f}" y="{(south + north) / 2 + 9:.0f}" font-size="26"'
                f' letter-spacing="10" text-anchor="middle" fill="{INK}" fill-opacity=".55">{words}</text>'
            )
    return parts


def _line(a: tuple[int, int], b: tuple[int, int]) -> str:
    return f"M{a[0]} {a[1]}L{b[0]} {b[1]}"


def _frame(rules: Ruleset, gap: int) -> str:
    width, height = size(rules)
    inset = MARGIN - gap
    return (
        f'<rect class="frame" x="{inset}" y="{inset}" width="{width - 2 * inset}" height="{height - 2 * inset}"'
        f' fill="none" stroke="{INK}" stroke-width="2.4"/>'
    )


def _posts(rules: Ruleset) -> list[int]:
    """Where cannons and soldiers start, off the first ranks: points that boards mark with corners."""
    setup = parse_fen(rules.start, rules.files, rules.ranks)
    letters = {
        letter
        for piece in rules.pieces
        if piece.name in ("cannon", "soldier")
        for letter in (piece.fen, piece.fen.upper())
    }
    outer = (0, rules.ranks - 1)
    squares = enumerate("".join(setup.rows))
    return [point for point, letter in squares if letter in letters and point // rules.files not in outer]


def _ticks(at: _Places, point: int) -> list[str]:
    x, y = at(point)
    gap, arm = 5, 8
    file, last = point % at.rules.files, at.rules.files - 1
    return [
        f"M{x + sx * gap} {y + sy * (gap + arm)}V{y + sy * gap}H{x + sx * (gap + arm)}"
        for sx in (-1, 1)
        for sy in (-1, 1)
        if not ((file == 0 and sx < 0) or (file == last and sx > 0))
    ]


def _names(at: _Places, names: str) -> list[str]:
    """Labels at the edges: coordinates on all sides, or the files as the two players count them."""
    if names == "nothing":
        return []
    rules = at.rules
    width, height = size(rules)
    texts = []
    for file in range(rules.files):
        x, _ = at.at(file, 0)
        south = north = chr(97 + file)
        if names == "files":
            red, black = file_names(rules, file)
            south, north = (black, red) if at.flipped else (red, black)
        texts += [f'<text x="{x}" y="{height - 7}">{south}</text>', f'<text x="{x}" y="17">{north}</text>']
    if names != "files":
        for rank in range(rules.ranks):
            _, y = at.at(0, rank)
            texts += [f'<text x="{x}" y="{y + 5}">{rank + 1}</text>' for x in (12, width - 12)]
    return [f'<g class="names" font-size="14" fill="{INK}">', *texts, "</g>"]


def file_names(rules: Ruleset, file: int) -> tuple[str, str]:
    """What Red and Black call a file (from 0 on Red's left): each counts from his own right."""
    red = rules.files - file
    return _RED_DIGITS[red - 1] if red <= len(_RED_DIGITS) else str(red), str(file + 1)


# ---- what stands on it -------------------------------------------------------------------------------


def _face(code: int, rules: Ruleset, letters: bool) -> str:
    piece = rules.pieces[(code & 15) - 1]
    return piece.letter if letters else faces(piece)[code >= BLACK]


def _piece(x: float, y: float, code: int, rules: Ruleset, letters: bool, radius: int = 22) -> list[str]:
    black = code >= BLACK
    colour, name = (INK, "black") if black else (RED, "red")
    face = _face(code, rules, letters)
    font = radius * (1.2 if letters else 1.25)
    return [
        f'<g class="piece {name}">'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="{PALE}" stroke="{EDGE}" stroke-width="1.5"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius - 3}" fill="none" stroke="{colour}" stroke-width="1.3"/>'
        f'<text x="{x:g}" y="{y + font * 0.36:.1f}" font-size="{font:.1f}" font-weight="bold"'
        f' fill="{colour}">{escape(face)}</text></g>'
    ]


def _marks(at: _Places, last: tuple[int | None, int] | None, gone: Mapping[int, int]) -> list[str]:
    if last is None:
        return []
    start, to = last
    parts = []
    if start is not None:
        x, y = at(start)
        parts.append(f'<circle class="origin" cx="{x}" cy="{y}" r="9" fill="{LAST}" fill-opacity=".45"/>')
    x, y = at(to)
    if to not in gone:
        ring = (
            f'<circle class="target" cx="{x}" cy="{y}" r="25" fill="none" stroke="{LAST}" stroke-width="3"/>'
        )
        parts.append(ring)
    return parts


def _gone(at: _Places, point: int, code: int, letters: bool, exploded: bool) -> list[str]:
    """The shade of what stood there, in a burst if it ``exploded``."""
    x, y = at(point)
    colour = INK if code >= BLACK else RED
    star = f'<path d="{burst(x, y)}" fill="{GONE}" fill-opacity=".6" stroke="{GONE}"/>' if exploded else ""
    return [
        f'<g class="gone">{star}'
        f'<circle cx="{x}" cy="{y}" r="16" fill="{PALE}" fill-opacity=".75"/><text x="{x}" y="{y + 7}" font-size="20"'
        f' font-weight="bold" fill="{colour}" fill-opacity=".75">{escape(_face(code, at.rules, letters))}</text></g>'
    ]


def burst(x: float, y: float, radius: float = 30) -> str:
    """The path of a star with twelve points."""
    corners = []
    for k in range(24):
        r = radius if k % 2 == 0 else radius * 0.7
        angle = math.pi * k / 12
        corners.append(f"{x + r * math.sin(angle):.1f} {y - r * math.cos(angle):.1f}")
    return "M" + "L".join(corners) + "Z"


def _arrow(a: tuple[int, int], b: tuple[int, int], name: str, colour: str) -> str:
    """From the rim of one piece to that of another."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy) or 1
    ux, uy = dx / length, dy / length
    leave, arrive = (11, 13) if length < 1.5 * CELL else (22, 24)  # neighbours: from within their rims
    x1, y1, x2, y2 = a[0] + leave * ux, a[1] + leave * uy, b[0] - arrive * ux, b[1] - arrive * uy
    bx, by = x2 - 11 * ux, y2 - 11 * uy
    dash = ' stroke-dasharray="7 6"' if name != "check" else ""
    return (
        f'<g class="{name}" stroke="{colour}" fill="{colour}">'
        f'<path d="M{x1:.1f} {y1:.1f}L{bx:.1f} {by:.1f}" stroke-width="4" stroke-linecap="round" fill="none"'
        f'{dash}/><path d="M{x2:.1f} {y2:.1f}L{bx - 7 * uy:.1f} {by + 7 * ux:.1f}L{bx + 7 * uy:.1f} {by - 7 * ux:.1f}Z"'
        ' stroke="none"/></g>'
    )


def _hand(rules: Ruleset, side: int, held: Mapping[int, int], y: float, letters: bool) -> list[str]:
    parts, x = [], MARGIN
    for kind, count in sorted(held.items()):
        parts += _piece(x, y, kind | side * BLACK, rules, letters, 17)
        if count > 1:
            parts.append(f'<text x="{x + 24}" y="{y + 12}" font-size="14" fill="{INK}">{count}</text>')
        x += 48 if count > 1 else 40
    return parts


def board_of(rules: Ruleset) -> dict[str, Any]:
    """The board for another drawer: sizes, the empty board as SVG, and what pieces look like."""
    width, height = size(rules)
    return {
        "files": rules.files,
        "ranks": rules.ranks,
        "cell": CELL,
        "margin": MARGIN,
        "width": width,
        "height": height,
        "checkered": is_checkered(rules),
        "ground": ground(rules),
    }
