# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where games ended, from stored facts alone: mates, lost generals, repetitions and their checks, quiet plies.

Compiled from this file (Cython, pure Python mode). Columns are those of `_replay.replay`, or the same read from a run's
tables; `find_ends` makes no Python object per move and releases the GIL for all games.
"""

from array import array

import cython
from cython.cimports.adjudicator._replay import F_CHECK, F_GENERAL_GONE, F_MATE, F_STALEMATE, F_WIDE
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

# How a game ended, by number: the reasons of rulings.
ENDS = {
    "unfinished": E_UNFINISHED,
    "general-gone": E_GENERAL,
    "checkmate": E_CHECKMATE,
    "stalemate": E_STALEMATE,
    "repetition": E_REPETITION,
    "perpetual-check": E_PERPETUAL_CHECK,
    "mutual-perpetual-check": E_MUTUAL_PERPETUAL_CHECK,
    "no-capture": E_NO_CAPTURE,
}

# What checks beyond those allowed do to the count of plies without a capture.
DISCOUNTS = {"none": D_NONE, "replies": D_REPLIES, "larger": D_LARGER, "claimant": D_SMALLER}

_Law = cython.struct(
    order=uint8_t[4],
    limit=uint32_t,
    fold=uint32_t,
    allowed=cython.int,
    discount=cython.int,
    last_cycle=cython.bint,
    perpetual=cython.bint,
    checking=uint16_t,
    stalemate_draws=cython.bint,
)

# Columns of plies.
_Facts = cython.struct(
    key=cython.pointer(cython.const[uint64_t]),
    flags=cython.pointer(cython.const[uint16_t]),
    side=cython.pointer(cython.const[uint8_t]),
    occurrence=cython.pointer(cython.const[uint32_t]),
    since=cython.pointer(cython.const[uint32_t]),
)

# The rows of one game, and the key of the position that it began with.
_Game = cython.struct(first=int64_t, stop=int64_t, start_key=uint64_t)

# The plies without a capture that count, the checks of each side among them, and whether the last ply was a check that
# did not count.
_Clock = cython.struct(counted=int64_t, given=cython.int[2], struck=cython.bint)

# How a game ended, at which row, who won, and after which row the cycle began that was judged.
_End = cython.struct(kind=cython.int, row=int64_t, winner=cython.int, opened=int64_t)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cycle(
    key: cython.pointer(cython.const[uint64_t]),
    game: cython.pointer(cython.const[_Game]),
    row: int64_t,
    last_only: cython.bint,
) -> int64_t:
    """Row after which the cycle that closes at ``row`` began (before the first row: at the start position)."""
    i: int64_t
    found: int64_t = row
    for i in range(row - 1, game.first - 1, -1):
        if key[i] == key[row]:
            found = i
            if last_only:
                return found
    if game.start_key == key[row]:
        found = game.first - 1
    return found


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _tick(
    law: cython.pointer(cython.const[_Law]),
    clock: cython.pointer(_Clock),
    since: uint32_t,
    check: cython.bint,
    side: cython.int,
) -> cython.void:
    """One more ply: a ``check`` or not by ``side``, ``since`` plies after a capture."""
    red: cython.int
    black: cython.int
    if law.discount == D_NONE:
        clock.counted = since
        return
    if since == 0:
        clock.counted = clock.given[0] = clock.given[1] = 0
        clock.struck = False
        return
    clock.given[side] += check
    if law.discount == D_REPLIES:
        if check and clock.given[side] > law.allowed:
            clock.struck = True
        elif clock.struck:
            clock.struck = False
        else:
            clock.counted = (
                clock.counted + 1 if clock.counted or since == 1 else since
            )  # a FEN may have a clock
        return
    red = max(clock.given[0] - law.allowed, 0)
    black = max(clock.given[1] - law.allowed, 0)
    clock.counted = cython.cast(int64_t, since) - 2 * (
        max(red, black) if law.discount == D_LARGER else min(red, black)
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _beaten(
    law: cython.pointer(cython.const[_Law]),
    flags: cython.int,
    winner: cython.int,
    end: cython.pointer(_End),
) -> cython.void:
    """Enter what ``flags`` say of the side to move: a general gone, mate or stalemate by ``winner``."""
    end.winner = winner
    if flags & F_GENERAL_GONE:
        end.kind = E_GENERAL
    elif flags & F_MATE:
        end.kind = E_CHECKMATE
    else:
        end.kind = E_STALEMATE
        if law.stalemate_draws:
            end.winner = W_DRAW


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _repeated(
    law: cython.pointer(cython.const[_Law]),
    facts: cython.pointer(cython.const[_Facts]),
    game: cython.pointer(cython.const[_Game]),
    row: int64_t,
    end: cython.pointer(_End),
) -> cython.void:
    """Enter the repetition that closes at ``row``: whoever alone checked on every move of the cycle loses."""
    checks: cython.int[2]
    moves: cython.int[2]
    i: int64_t
    red: cython.bint
    black: cython.bint
    end.kind = E_REPETITION
    end.winner = W_DRAW
    end.opened = _cycle(facts.key, game, row, law.last_cycle)
    if not law.perpetual:
        return
    checks[0] = checks[1] = moves[0] = moves[1] = 0
    for i in range(end.opened + 1, row + 1):
        moves[facts.side[i]] += 1
        checks[facts.side[i]] += (facts.flags[i] & law.checking) != 0
    red = moves[0] > 0 and checks[0] == moves[0]
    black = moves[1] > 0 and checks[1] == moves[1]
    if red and black:
        end.kind = E_MUTUAL_PERPETUAL_CHECK
    elif red or black:
        end.kind = E_PERPETUAL_CHECK
        end.winner = 1 if red else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _judge(
    law: cython.pointer(cython.const[_Law]),
    facts: cython.pointer(cython.const[_Facts]),
    game: cython.pointer(cython.const[_Game]),
    end: cython.pointer(_End),
) -> cython.void:
    """Find the first row at which the game ended, by the first test of the law's order that tells."""
    clock: _Clock
    over: cython.int
    late: cython.bint
    again: cython.bint
    i: int64_t
    k: cython.int
    clock.counted = clock.given[0] = clock.given[1] = 0
    clock.struck = False
    for i in range(game.first, game.stop):
        _tick(law, cython.address(clock), facts.since[i], facts.flags[i] & law.checking != 0, facts.side[i])
        over = facts.flags[i] & (F_GENERAL_GONE | F_MATE | F_STALEMATE)
        late = law.limit and clock.counted >= law.limit
        again = law.fold and facts.occurrence[i] >= law.fold
        if not (over or late or again):
            continue
        end.row = i
        for k in range(4):
            if law.order[k] == (E_GENERAL if over & F_GENERAL_GONE else E_CHECKMATE) and over:
                _beaten(law, over, facts.side[i], end)
                return
            if law.order[k] == E_NO_CAPTURE and late:
                end.kind = E_NO_CAPTURE
                end.winner = W_DRAW
                return
            if law.order[k] == E_REPETITION and again:
                _repeated(law, facts, game, i, end)
                return


@cython.cfunc
def _law_of(said: dict, law: cython.pointer(_Law)) -> cython.void:
    k: cython.int
    for k in range(4):
        law.order[k] = said["order"][k]
    law.limit = said["limit"]
    law.fold = said["fold"]
    law.allowed = said["checks"]
    law.discount = said["discount"] if law.allowed >= 0 else D_NONE
    law.last_cycle = said["last_cycle"]
    law.perpetual = said["perpetual_check"]
    law.checking = F_WIDE if said["wide_checks"] else F_CHECK
    law.stalemate_draws = said["stalemate_draws"]


def find_ends(
    row: cython.const[int64_t][::1],
    key: cython.const[uint64_t][::1],
    flags: cython.const[uint16_t][::1],
    side: cython.const[uint8_t][::1],
    occurrence: cython.const[uint32_t][::1],
    since: cython.const[uint32_t][::1],
    start_key: cython.const[uint64_t][::1],
    start_flags: cython.const[uint16_t][::1],
    start_side: cython.const[uint8_t][::1],
    law: dict,
) -> dict:
    """The first ply of each game at which it ended under ``law``, from stored facts alone.

    ``row`` has n + 1 first rows; the columns are those of `_replay.replay`; ``start_flags`` holds mate,
    stalemate or a general gone of the start position. ``law``: ``order`` (the four tests on one ply, as numbers of
    ENDS: 1 the general, 2 mate or stalemate, 4 repetition, 7 no capture), ``limit`` (plies, 0 none), ``checks`` (of one
    side since the last capture that count for it, -1 all), ``discount`` (what further ones do: number in DISCOUNTS),
    ``fold`` (0 none), ``last_cycle``, ``perpetual_check`` (it loses), ``wide_checks`` (they count),
    ``stalemate_draws``.

    Returns per game ``end`` (number in ENDS), ``ply`` (where it bound; 0 the start, -1 nowhere), ``winner`` (0 Red, 1
    Black, 2 draw, 3 open) and ``cycle`` (the ply of the occurrence that opens the span judged, -1 none).
    """
    games: int64_t = row.shape[0] - 1
    end: uint8_t[::1] = array("B", bytes(games))
    ply: int32_t[::1] = array("i", bytes(4 * games))
    winner: uint8_t[::1] = array("B", bytes(games))
    cycle: int32_t[::1] = array("i", bytes(4 * games))
    rules: _Law
    facts: _Facts
    game: _Game
    found: _End
    g: int64_t
    _law_of(law, cython.address(rules))
    facts.key = cython.address(key[0])
    facts.flags = cython.address(flags[0])
    facts.side = cython.address(side[0])
    facts.occurrence = cython.address(occurrence[0])
    facts.since = cython.address(since[0])
    with cython.nogil:
        for g in range(games):
            game.first = row[g]
            game.stop = row[g + 1]
            game.start_key = start_key[g]
            found.kind = E_UNFINISHED
            found.winner = W_OPEN
            found.row = found.opened = (
                game.first - 2
            )  # nowhere: even the start position stands one row before
            if start_flags[g] & (F_GENERAL_GONE | F_MATE | F_STALEMATE):
                _beaten(cython.address(rules), start_flags[g], start_side[g] ^ 1, cython.address(found))
                found.row = game.first - 1
            else:
                _judge(
                    cython.address(rules), cython.address(facts), cython.address(game), cython.address(found)
                )
            end[g] = found.kind
            winner[g] = found.winner
            ply[g] = found.row - game.first + 1
            cycle[g] = found.opened - game.first + 1
    return {"end": end.base, "ply": ply.base, "winner": winner.base, "cycle": cycle.base}


def find_repeats(
    row: cython.const[int64_t][::1],
    key: cython.const[uint64_t][::1],
    occurrence: cython.const[uint32_t][::1],
    start_key: cython.const[uint64_t][::1],
    fold: uint32_t,
) -> tuple:
    """The games in which a position stood for the ``fold``-th time, the ply at which that position stood first in
    each, and the first ply at which it did so: three arrays."""
    games = array("q")
    closes = array("i")
    opens = array("i")
    keys: cython.pointer(cython.const[uint64_t]) = cython.address(key[0])
    game: _Game
    g: int64_t
    i: int64_t
    for g in range(row.shape[0] - 1):
        game.first = row[g]
        game.stop = row[g + 1]
        game.start_key = start_key[g]
        for i in range(game.first, game.stop):
            if occurrence[i] >= fold:
                games.append(g)
                closes.append(i - game.first + 1)
                opens.append(_cycle(keys, cython.address(game), i, False) - game.first + 1)
                break
    return games, opens, closes


def occurrences(
    key: cython.const[uint64_t][::1], first: int64_t, start_key: uint64_t, ply: cython.int
) -> tuple:
    """The plies up to ``ply`` at which its position stood, in the game whose first row is ``first``."""
    found: list = [0] if start_key == key[first + ply - 1] else []
    i: cython.int
    for i in range(1, ply + 1):
        if key[first + i - 1] == key[first + ply - 1]:
            found.append(i)
    return tuple(found)
