"""Where a record stands, as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.reports.words import Words


def head(source: str, line: int | None) -> str:
    """``games.pgn:12``, or the source alone where its format has no lines (0 or None)."""
    return f"{source}:{line}" if line else source


def game(source: str, line: int | None, index: int, words: Words) -> str:
    """The record ``index`` of a source, from 0: ``games.pgn:12  game 3``."""
    return f"{head(source, line)}  {words('game-entry', number=index + 1)}"
