"""A source document, sentence by sentence: every one is quoted by the test that holds it, or listed with the reason why
nothing can be tested."""

from __future__ import annotations

import re
from types import ModuleType

from adjudicator import Adjudication, Game, Position


def goes(rules: str, fen: str, point: str) -> str:
    """Where the piece on ``point`` may go, or where a piece may be dropped (``R@``): targets, sorted."""
    moves = Position(fen, rules).legal_moves()
    return " ".join(sorted(move.removeprefix(point) for move in moves if re.match(rf"{point}(?!\d)", move)))


def board(fen: str) -> str:
    """Piece placement and reserves of a FEN."""
    return fen.split()[0]


def played(rules: str, fen: str | None, *moves: str, book: str | None = None) -> Adjudication:
    """The game of ``moves`` from ``fen``, annotated and ruled on."""
    game = Game(fen, rules)
    for move in moves:
        game.push(move)
    return game.adjudicate(book)


def unheld(text: str, module: ModuleType) -> list[str]:
    """The sentences of ``text`` that no docstring of ``module``'s tests quotes and its NOT_TESTED does not list."""
    tests = [value for name, value in vars(module).items() if name.startswith("test_")]
    said = _plain(" ".join([*(test.__doc__ or "" for test in tests), *module.NOT_TESTED]))
    return [sentence for sentence in sentences(text) if _plain(sentence) not in said]


def sentences(text: str) -> list[str]:
    """What ends with a stop, and lines that end without one."""
    lines = (line.strip("•* \t") for line in text.splitlines())
    return [part for line in lines for part in re.split(r"(?<=[.!?])\**\s+(?=[A-Z*(«])", line) if part]


def _plain(text: str) -> str:
    """``text`` in straight quotes, with single spaces."""
    text = text.translate(str.maketrans("’‘“”", "''\"\""))
    return re.sub(r"[\s*]+", " ", text).strip()
