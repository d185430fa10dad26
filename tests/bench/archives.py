"""The games that are measured: engine matches, the same in three notations, repeated as often as it takes."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from notation.containers import pgn

ROOT = Path(__file__).resolve().parents[2]
SHARED = {"UCI": "xiangqi.pgn", "WXF": "xiangqi_wxf.pgn", "Chinese": "xiangqi_zh.pgn"}
OWN = {"UCI": "uci.pgn", "WXF": "wxf.pgn", "Chinese": "chinese.pgn"}

Games = list[tuple[str | None, list[str]]]
"""Start FEN (None: the usual start) and moves of each game."""


def find() -> dict[str, Path]:
    """The match archive in each notation: those beside the checkout, or else our own samples."""
    beside = Path(os.environ.get("CAIPAN_SHARED", ROOT.parent / "shared")) / "matches"
    folder, names = (beside, SHARED) if beside.is_dir() else (ROOT / "data" / "matches", OWN)
    return {notation: folder / name for notation, name in names.items()}


def games(path: Path) -> Games:
    batch = pgn.read(path)
    return [(fen, batch.tokens(i)) for i, fen in enumerate(batch.fens())]


def lengthened(path: Path, times: int, out: Path) -> int:
    """Write the games of ``path`` to ``out`` so many times over, each time a ply shorter, so that no game occurs twice.

    Every move in these archives has one comment. Returns the number of plies.
    """
    games = [_Text(*game.split("\n\n", 1)) for game in re.split(r"\n\n(?=\[Event )", path.read_text("utf-8"))]
    with out.open("w", encoding="utf-8") as file:
        return sum(
            file.write(text) and text.count("}") for k in range(times) for text in (g.cut(k) for g in games)
        )


class _Text(NamedTuple):
    """A game: its tags and its moves."""

    tags: str
    moves: str

    def cut(self, plies: int) -> str:
        """The game without its last ``plies``."""
        *begin, _result = self.moves.rsplit("}", plies + 1)
        tags = re.sub(r'\[PlyCount "\d+"\]\n', "", self.tags)
        return f"{tags}\n\n{begin[0]}}} {self.moves.split()[-1]}\n\n"


ENCODINGS = ("utf-8", "gb18030", "big5hkscs")


def apart(path: Path, folder: Path) -> int:
    """Write every game of ``path`` to a file of its own in ``folder``, in the encodings by turns that can write it.

    Returns the number of files.
    """
    folder.mkdir()
    games = re.split(r"\n\n(?=\[Event )", path.read_text("utf-8"))
    for number, game in enumerate(games):
        text = game + "\n\n"
        name = ENCODINGS[number % len(ENCODINGS)]
        data = text.encode(name, "ignore")
        if data.decode(name) != text:
            data = text.encode()
        (folder / f"{number:06}.pgn").write_bytes(data)
    return len(games)


def repeated(path: Path, times: int, out: Path) -> None:
    """Write ``path`` to ``out`` so many times over."""
    data = path.read_bytes().rstrip() + b"\n\n"
    with out.open("wb") as file:
        for _ in range(times):
            file.write(data)
