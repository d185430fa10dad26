"""Which rule sets a record may have been played under: by the variant it names, and by its moves."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

from adjudicator import _replay
from adjudicator.compile import tables
from adjudicator.ruleset import Ruleset
from adjudicator.setup import start_from_fen
from notation.record import RecordBatch
from notation.tags import value_of


def others(names: Iterable[str], rules: Ruleset) -> set[str]:
    """Those of ``names``, as Variant tags have them, that name no form of the game of ``rules``."""
    return {
        name
        for name in set(names)
        if _folded(name) and not called(rules, name) and rules.game not in _games(name)
    }


def called(rules: Ruleset, name: str) -> bool:
    """Whether ``rules`` are called ``name``: by their id or that of their game, with or without "xiangqi" after it, by
    their title, or by another of their names; blanks, hyphens and capitals do not matter."""
    ids = (rules.id, rules.game)
    names = (*ids, *(f"{id_} xiangqi" for id_ in ids), rules.title, *rules.names)
    return _folded(name) in map(_folded, names)


def known_as(name: str) -> tuple[str, ...]:
    """The ids of the rule sets that come with the package and are forms of the game that is called ``name``."""
    games = _games(name)
    return tuple(known for known in Ruleset.ids() if Ruleset.load(known).game in games)


@lru_cache(maxsize=1024)
def _games(name: str) -> frozenset[str]:
    """The games of which a rule set that comes with the package is called ``name``."""
    known = map(Ruleset.load, Ruleset.ids())
    return frozenset(rules.game for rules in known if called(rules, name))


@lru_cache(maxsize=1024)
def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def legal_under(
    batch: RecordBatch, games: Sequence[int], said: array[int], readings: array[int], rules: Ruleset
) -> dict[int, list[str]]:
    """For each of ``games`` the rule sets, other than ``rules``, under which every one of its moves is legal.

    ``said`` are the descriptors of the batch's lexemes, ``readings`` where each record's ranks start. The kernel plays
    all the games at once, so an archive read under the wrong rules costs one more replay for each rule set.
    """
    found: dict[int, list[str]] = {}
    if not games:
        return found  # most batches: no other rules are looked at
    fens = batch.fens()
    for other in (Ruleset.load(name) for name in Ruleset.ids() if name != rules.id):
        starts = _replay.Starts(tables(other))
        start_of, first, token, reading = array("i"), array("q", [0]), array("I"), array("B")
        for game in games:
            start = start_from_fen(fens[game], other, value_of(batch.tags[game], "Handicap") or None)
            side = start.side or 0
            start_of.append(
                starts.add(start.pieces, side, start.since_capture, start.held, start.iron)
                if start.playable
                else -1
            )
            token += batch.token[batch.first_token[game] : batch.first_token[game + 1]]
            first.append(len(token))
            reading.append(readings[game])
        _, played = _replay.replay(starts, start_of, first, token, said, reading)
        for game, status in zip(games, played["status"], strict=True):
            if status == _replay.STATUS["all-played"]:
                found.setdefault(game, []).append(other.id)
    return found
