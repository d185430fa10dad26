"""A passage of a game as an animated GIF, drawn with Pillow (the optional extra ``film``).

The frames show what the SVG pictures show. Chinese faces need a font on the machine that has them; without one the
pieces carry letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from adjudicator import Position, Ruleset
from adjudicator.drawing import CELL, EDGE, GONE, INK, LAST, MARGIN, PALE, RED, burst, faces, ground, size
from adjudicator.moves import BLACK

Json = dict[str, Any]

STEP, PAUSE = 900, 2600
"""Milliseconds that a ply and the last picture are shown."""

FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/System/Library/Fonts/Supplemental/Songti.ttc",
    "/System/Library/Fonts/PingFang.ttc",
    "C:/Windows/Fonts/simsun.ttc",
    "C:/Windows/Fonts/msyh.ttc",
)


CAPTION = 28
"""Height of the line below the board, in pixels."""

FINE = 2
"""The pictures are drawn so many times larger, and made smaller for smooth edges."""


class NoFilm(RuntimeError):
    """No film can be made: the game cannot start."""


def gif(
    game: Json,
    rules: Ruleset,
    first: int = 1,
    last: int | None = None,
    *,
    notation: str = "uci",
    letters: bool = False,
) -> bytes:
    """The plies ``first`` to ``last`` of a study's game, with the position before them. Raises `NoFilm`.

    Below the board stand the players and the move, in ``notation`` where the machine has letters for it.
    """
    if game["start"] is None:
        raise NoFilm("the start of the game cannot be played, so there is nothing to film")
    plies = game["lines"][0]["plies"]
    before = plies[first - 2] if 2 <= first <= len(plies) else None
    camera = _Camera(rules, letters)
    players = " – ".join(filter(None, (game["red"], game["black"])))
    frames = [camera.picture(before["fen"] if before else game["start"], None, players)]
    for ply in plies[max(0, first - 1) : last]:
        text = ply["token"] if notation == "token" else ply["text"][notation]
        move = text if text and (camera.path or text.isascii()) else ply["move"]
        frames.append(camera.picture(ply["fen"], ply, f"{ply['label']} {move}   {players}"))
    file = BytesIO()
    frames[0].save(
        file,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[STEP] * (len(frames) - 1) + [PAUSE],
        loop=0,
        disposal=1,
    )
    return file.getvalue()


class _Camera:
    def __init__(self, rules: Ruleset, letters: bool):
        from PIL import Image, ImageDraw, ImageFont

        self.rules = rules
        self.image, self.draw, self.font = Image, ImageDraw, ImageFont
        self.path = next((path for path in FONTS if Path(path).exists()), None)
        self.letters = letters or self.path is None
        self.by_letter = {piece.letter: piece for piece in rules.pieces}
        width, height = size(rules)
        self.size = width, height + CAPTION
        self.board = Image.new("RGB", (FINE * self.size[0], FINE * self.size[1]), "#ffffff")
        for node in ElementTree.fromstring(f"<svg>{ground(rules)}</svg>"):
            self._ground(ImageDraw.Draw(self.board), node)

    def _ground(self, pen: Any, node: ElementTree.Element) -> None:
        """One of the elements that `drawing.ground` makes."""
        get = node.attrib.get
        if node.tag == "rect":
            x, y, width, height = (FINE * float(get(name, 0)) for name in ("x", "y", "width", "height"))
            fill, stroke = get("fill"), get("stroke")
            pen.rectangle(
                [x, y, x + width - 1, y + height - 1],
                fill=None if fill == "none" else fill,
                outline=stroke,
                width=2 * FINE if stroke else 0,
            )
        elif node.tag == "path":
            for part in node.attrib["d"].split("M")[1:]:
                pen.line([(FINE * x, FINE * y) for x, y in _corners(part)], fill=INK, width=FINE)
        elif node.tag == "text" and not self.letters:
            place = (FINE * float(node.attrib["x"]), FINE * (float(node.attrib["y"]) - 9))
            pen.text(place, node.text or "", font=self._type(26), fill="#9c8056", anchor="mm")

    def _type(self, height: int) -> Any:
        height *= FINE
        return self.font.truetype(self.path, height) if self.path else self.font.load_default(height)

    def picture(self, fen: str, ply: Json | None, caption: str) -> Any:
        """The board of ``fen``, and what ``ply`` did to it."""
        image = self.board.copy()
        pen = self.draw.Draw(image)
        self._say(pen, caption)
        if ply:
            if ply["from"]:
                self._disc(pen, ply["from"], 9, fill="#9fb093")
            for one in ply["gone"] or ():
                x, y = self._centre(one["point"])
                if ply["explosion"]:
                    pen.polygon(_corners(burst(x, y, 30 * FINE)[1:-1]), fill="#e8984f", outline=GONE)
                self._disc(pen, one["point"], 16, fill="#f7ddb7")
                black = one["piece"].islower()
                face = self._face(self.by_letter[one["piece"].upper()], black)
                self._write(pen, one["point"], face, INK if black else RED, 20)
        for point, code in enumerate(Position(fen, self.rules, "none").cursor.pieces()):
            if code:
                black = code >= BLACK
                name, colour = self.rules.point_name(point), INK if black else RED
                self._disc(pen, name, 22, fill=PALE, outline=EDGE, width=2)
                self._disc(pen, name, 19, outline=colour, width=1)
                self._write(pen, name, self._face(self.rules.pieces[(code & 15) - 1], black), colour)
        if ply and not ply["gone"]:
            self._disc(pen, ply["to"], 25, outline=LAST, width=3)
        return image.resize(self.size).quantize(128)

    def _say(self, pen: Any, text: str) -> None:
        """The line below the board, as much of it as there is room for."""
        width, height = self.size
        text = shown = text[:200]
        font = self._type(16)
        while shown and font.getlength(shown) > FINE * (width - 20):
            text = text[:-1]
            shown = text and text.rstrip() + "…"
        pen.text((FINE * 10, FINE * (height - CAPTION / 2)), shown, font=font, fill=INK, anchor="lm")

    def _face(self, piece: Any, black: bool) -> str:
        return str(piece.letter if self.letters else faces(piece)[black])

    def _centre(self, point: str) -> tuple[int, int]:
        number = self.rules.point(point)
        file, rank = number % self.rules.files, number // self.rules.files
        return FINE * (MARGIN + file * CELL), FINE * (MARGIN + (self.rules.ranks - 1 - rank) * CELL)

    def _disc(self, pen: Any, point: str, radius: int, width: int = 0, **style: Any) -> None:
        (x, y), radius = self._centre(point), FINE * radius
        pen.ellipse([x - radius, y - radius, x + radius, y + radius], width=FINE * width, **style)

    def _write(self, pen: Any, point: str, text: str, colour: str, height: int = 27) -> None:
        pen.text(self._centre(point), text, font=self._type(height), fill=colour, anchor="mm")


def _corners(path: str) -> Sequence[tuple[float, float]]:
    """The corners of "x yLx y" or "x yVyHx", as `drawing` writes its lines."""
    corners: list[tuple[float, float]] = []
    for sign, numbers in re.findall(r"([LVH]?)([\d.\- ]+)", path):
        values = [float(number) for number in numbers.split()]
        if sign == "V":
            corners.append((corners[-1][0], values[0]))
        elif sign == "H":
            corners.append((values[0], corners[-1][1]))
        else:
            corners.append((values[0], values[1]))
    return corners
