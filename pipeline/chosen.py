"""Games that a person asks for by their numbers, counted from 1 over all the records that are read."""

from __future__ import annotations

from collections.abc import Collection


class NoSuchGame(ValueError):
    """A game is asked for that there is none of."""


def among(games: Collection[int], records: int) -> Collection[int]:
    """``games``, which are numbers of so many ``records``. Raises `NoSuchGame` for one that is not."""
    for number in games:
        if not 1 <= number <= records:
            raise NoSuchGame(f"no game {number}; there are {records}")
    return games
