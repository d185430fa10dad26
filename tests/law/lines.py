"""Lines with verdicts: the study's vectors, and two diagrams that it names without a board."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from adjudicator import Game, RuleBook
from adjudicator.ruling import Ruling

VECTORS = Path(__file__).resolve().parents[1] / "data" / "oracle" / "repetition_vectors.jsonl.gz"

JUDGES = ("fairy", "pikafish", "chessdb")
"""Presets that reproduce a program."""

BY_REPETITION = {
    "repetition",
    *(
        f"{mutual}perpetual-{offence}"
        for mutual in ("", "mutual-")
        for offence in ("check", "chase", "kill", "attack")
    ),
}
"""Reasons that a vector speaks of; its line may end in a mate, which is "ongoing" there."""

_RESULTS = {"red": "black_loses", "black": "red_loses", "draw": "draw", "*": "ongoing"}

# The board and line of orange-xiangqi's test list, two rounds.
DIAGRAMS = (
    {
        "id": "axf-d105",
        "rulebook": "axf",
        "kind": "interference",
        "fen": "2ca1k3/4a4/b3b4/2P5P/6p2/1c7/9/B7N/2nR5/2BAK4 w - - 0 1",
        "moves": ["c7b7", "e8c6", "b7c7", "c6e8"] * 2,
        "expected": "red_loses",
        "contested": True,
        "verdicts": {},
        "why": "the soldier gives and takes the cannon its screen, so that the horse loses its root",
    },
    {
        "id": "axf-d107",
        "rulebook": "axf",
        "kind": "mutual_chase",
        "fen": "3akab2/c2R1R2c/4b4/9/9/9/9/4B4/4K4/2B6 w - - 0 1",
        "moves": ["d9d7", "d10e9", "d7d9", "e9d10", "f9f7", "f10e9", "f7f9", "e9f10"] * 2,
        "expected": "draw",
        "contested": True,
        "verdicts": {},
        "why": "two chariots chase two cannons, which chase the chariots",
    },
)

BOOK_TEXT = {"pikafish27-game": "draw"}
"""Where the label is a tournament program's and the book's own text says otherwise: the cannon on i4 is protected by
the horse on h6, and a target that is protected once is not chased on every move (AXF 17, D29–31)."""


@cache
def vectors() -> tuple[dict[str, Any], ...]:
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        return (*map(json.loads, lines), *DIAGRAMS)


def book_of(row: dict[str, Any]) -> str:
    """The rule book that a vector is about."""
    return "site" if row["rulebook"] == "simple" else row["rulebook"]


def expected(row: dict[str, Any]) -> str:
    """The verdict that the row's book gives by its own text."""
    return BOOK_TEXT.get(row["id"], row["expected"])


def ruled(row: dict[str, Any], book: str, **options: Any) -> Ruling:
    """The ruling of ``book`` on a row's line; the no-capture limit is left out of it."""
    options = {"limit.plies": 0, "fold": row.get("fold", 3), **options}
    game = Game(row["fen"])
    for move in row["moves"]:
        game.push(move)
    return game.ruling(RuleBook.load(book, {key.replace("__", "."): value for key, value in options.items()}))


def verdict(ruling: Ruling) -> str:
    """A ruling in the vectors' words."""
    return _RESULTS[ruling.result] if ruling.reason in BY_REPETITION else "ongoing"
