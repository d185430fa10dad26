"""Start positions: from a board-free FEN to the kernel's pieces, with everything that is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from adjudicator import _replay, handicap, relocation
from adjudicator._board import Tables
from adjudicator._cursor import Cursor
from adjudicator.compile import plan, tables
from adjudicator.handicap import Handicap
from adjudicator.moves import BLACK
from adjudicator.ruleset import Ruleset
from notation.fen import EMPTY, Setup, parse_fen
from notation.finding import Finding, limited

SIDES = ("red", "black")
SIDES_ZH = ("红方", "黑方")


MOST_MEN, MOST_HELD = 64, 60
"""Pieces of a side on the board, and of a kind in reserve, that the kernel has room for."""

Held = tuple[dict[int, int], dict[int, int]]
"""Reserves: for each side, kind of piece to number."""


@dataclass(slots=True)
class Start:
    """A start position. ``pieces`` has a kernel code per point; ``side`` is None when the FEN does not say;
    ``held`` are the reserves by kind; ``handicap`` is what a side gives, and which pieces that makes iron.

    ``playable`` is False when the position cannot be replayed at all (wrong size, unknown pieces, not one
    general a side but for one that an explosion has removed); other ``faults`` are told and the game is played.
    """

    pieces: bytes
    side: int | None
    since_capture: int = 0
    number: int = 1
    held: Held = field(default_factory=lambda: ({}, {}))
    handicap: Handicap | None = None
    playable: bool = True
    faults: list[Finding] = field(default_factory=list)

    @property
    def iron(self) -> tuple[int, ...]:
        """Points whose piece may not be captured until it moves, plus 128 where a capture with check may."""
        return self.handicap.iron if self.handicap else ()

    def cursor(self, tables: Tables, side: int | None = None) -> Cursor:
        """The position to play from, ``side`` to move (None: as the FEN says, or Red)."""
        first = side if side is not None else self.side or 0
        return Cursor(tables, self.pieces, first, self.since_capture, self.held, self.iron)


def start_from_fen(
    fen: str | None, rules: Ruleset, handicap: str | None = None, relocation: str = ""
) -> Start:
    """The position of ``fen`` (None: the rule set's own start) with its faults; never raises.

    ``handicap`` declares one, as `notation.handicap` reads it (None: the rule set's own). What it gives is taken off
    the rule set's start; a FEN lacks it already. ``relocation`` are moves before the first turn, as
    `adjudicator.relocation` has them.
    """
    given = handicap if handicap is not None else rules.handicap
    return _start(fen, rules, given.strip(), relocation)


@lru_cache(maxsize=4096)
def _start(given_fen: str | None, rules: Ruleset, given: str, moves: str) -> Start:
    fen = given_fen if given_fen is not None else rules.start
    setup = parse_fen(fen, rules.files, rules.ranks, reserves=rules.reserves)
    faults = list(setup.faults)
    if any(fault.severity == "error" for fault in faults):
        return Start(bytes(rules.files * rules.ranks), None, playable=False, faults=faults)
    codes = _codes(rules)
    letters = "".join(setup.rows)
    pieces = bytes([codes.get(letter, 0) for letter in letters])
    unknown = [letter for letter in dict.fromkeys(letters) if letter not in codes]
    for letter in unknown:
        faults.append(Finding("fen-unknown-piece", ply=0, text=fen, details={"piece": letter}))
    start = Start(
        pieces, setup.side, setup.clock or 0, setup.number or 1, playable=not unknown, faults=faults
    )
    if start.playable:
        start.pieces, start.handicap, said = handicap.settle(
            start.pieces, array_of(rules), given, rules, given_fen is None
        )
        faults += limited(said)
        start.pieces, said = relocation.relocate(start.pieces, moves, rules)
        faults += limited(said)
    _hold(start, setup, rules)
    _count(start, rules)
    _locate(start, rules)
    if start.playable and start.side is not None:
        _attacks(start, rules)
    for fault in faults:
        fault.ply = 0
        fault.text = fault.text or fen
    return start


@lru_cache(maxsize=64)
def _codes(rules: Ruleset) -> dict[str, int]:
    """FEN letter to kernel code: capitals are Red's; every letter of a piece is taken."""
    codes = {EMPTY: 0}
    for kind, piece in enumerate(rules.pieces, start=1):
        for letter in (piece.letter, *piece.synonyms, piece.fen.upper()):
            codes[letter] = kind
            codes[letter.lower()] = kind | BLACK
    return codes


@lru_cache(maxsize=64)
def array_of(rules: Ruleset) -> bytes:
    """The rule set's own start: a kernel code per point."""
    setup = parse_fen(rules.start, rules.files, rules.ranks)
    return bytes(map(_codes(rules).__getitem__, "".join(setup.rows)))


def _hold(start: Start, setup: Setup, rules: Ruleset) -> None:
    """The reserves, and whether they can be."""
    codes = _codes(rules)
    for side, letters in enumerate(setup.hands):
        for letter in letters:
            kind = codes.get(letter.upper(), 0)
            if kind and rules.reserves and rules.pieces[kind - 1].drop:
                start.held[side][kind] = start.held[side].get(kind, 0) + 1
            else:
                start.faults.append(Finding("fen-illegal-hand", details={"piece": letter}))
                start.playable = False


def _count(start: Start, rules: Ruleset) -> None:
    found = _numbers(start.pieces)
    most = _most(rules)
    for side in (0, 1):
        total = sum(found[1 + side * BLACK : BLACK + side * BLACK])
        if total > MOST_MEN:
            _find_number(start, "too-many-pieces", side, "any", "任何", total, MOST_MEN)
        if total > MOST_MEN or any(count > MOST_HELD for count in start.held[side].values()):
            start.playable = False
        for code, piece in enumerate(rules.pieces, start=1 + side * BLACK):
            if piece.royal:
                found[code] += start.held[side].get(code & 15, 0)
            if piece.royal and (found[code] > 1 or (not found[code] and rules.needs_general)):
                if rules.explodes and side == start.side and not found[code] and found[code ^ BLACK]:
                    # What an explosion left of a game that is over: a position writes it, and it is read.
                    fault = "general-gone"
                else:
                    fault = "general-count" if found[code] else "missing-general"
                    start.playable = False
            elif found[code] > most[code] and not rules.reserves:
                fault = "too-many-pieces"
            else:
                continue
            _find_number(start, fault, side, piece.name, piece.chinese, found[code], most[code])
    if rules.data["capture"]["reserve"]:
        _count_both(start, rules, found, most)
    elif rules.reserves:
        _count_prizes(start, rules, found, most)


def _numbers(pieces: bytes) -> list[int]:
    """How many there are of each code."""
    return [pieces.count(code) for code in range(2 * BLACK)]


@lru_cache(maxsize=64)
def _most(rules: Ruleset) -> list[int]:
    """How many there are of each code at the start; not to be changed."""
    return _numbers(array_of(rules))


def _find_number(
    start: Start, code: str, side: int, piece: str, piece_zh: str, found: int, most: int
) -> None:
    details = {"side": SIDES[side], "found": found, "most": most, "piece": piece, "piece_zh": piece_zh}
    start.faults.append(Finding(code, details=details))


def _count_both(start: Start, rules: Ruleset, found: list[int], most: list[int]) -> None:
    """Where captured pieces change sides, there are never more of a kind than at the start, both sides together."""
    for kind, piece in enumerate(rules.pieces, start=1):
        both = kind, kind | BLACK
        total = sum(found[code] for code in both) + sum(held.get(kind, 0) for held in start.held)
        possible = sum(most[code] for code in both)
        details = {"found": total, "most": possible, "piece": piece.name, "piece_zh": piece.chinese}
        if total > possible:
            start.faults.append(Finding("too-many-in-all", details=details))


def _count_prizes(start: Start, rules: Ruleset, found: list[int], most: list[int]) -> None:
    """Where captures of a kind pay, nobody holds more than has been paid out."""
    for side in (0, 1):
        paid: Counter[str] = Counter()
        for kind, piece in enumerate(rules.pieces, start=1):
            mine, theirs = kind | side * BLACK, kind | (1 - side) * BLACK
            for prize in piece.won[: max(0, most[theirs] - found[theirs])]:
                paid.update(prize)
            for prize in piece.given[: max(0, most[mine] - found[mine])]:
                paid.update(prize)
        for kind, count in start.held[side].items():
            piece = rules.pieces[kind - 1]
            most_held = paid[piece.name]
            if count > most_held:
                _find_number(start, "reserve-not-won", side, piece.name, piece.chinese, count, most_held)


@lru_cache(maxsize=64)
def _reach(rules: Ruleset) -> dict[int, frozenset[int]]:
    """For every piece that only steps: the points it can ever stand on, from where it starts or drops.

    Nothing is known of them where the start position is inferred, or pieces may be relocated before the first turn
    (seed 002: wazirs and ferzes, "to any non-fortress space on the player's own first rank").
    """
    if rules.inferred:
        return {}
    table = plan(rules)
    array = array_of(rules)
    risen = {kind for piece in table["pieces"].values() for kind in piece["promotion"]}
    reach: dict[int, frozenset[int]] = {}
    for code, piece in table["pieces"].items():
        if piece["rides"] or code & 15 in risen:
            continue
        steps = piece["steps"]
        seen = {point for point, full in enumerate(array) if full == code} | set(piece["drop"])
        seen |= relocation.region(code, rules)
        rest = list(seen)
        while rest:
            for to, _leg, _modes in steps[rest.pop()]:
                if to not in seen:
                    seen.add(to)
                    rest.append(to)
        reach[code] = frozenset(seen)
    return reach


def _locate(start: Start, rules: Ruleset) -> None:
    reach = _reach(rules)
    for point, code in enumerate(start.pieces):
        if code and code in reach and point not in reach[code]:
            piece = rules.pieces[(code & 15) - 1]
            kind = "unreachable-soldier" if piece.letter == "P" else "piece-location"
            name = f"{SIDES[code >> 4]} {piece.name}"
            name_zh = SIDES_ZH[code >> 4] + piece.chinese
            details = {
                "piece": name,
                "piece_zh": name_zh,
                "square": rules.point_name(point),
                "side": SIDES[code >> 4],
            }
            start.faults.append(Finding(kind, details=details))


def _attacks(start: Start, rules: Ruleset) -> None:
    """The side that is not to move may not stand in check, unless it has just removed the general (rulesets.md,
    atomic: that outranks every other legality rule)."""
    other = 1 - (start.side or 0)
    cursor = start.cursor(tables(rules), other)
    if rules.needs_general and cursor.general(1 - other) is None:
        return
    checkers = cursor.checkers()
    if not checkers:
        return
    details = {"side": SIDES[other], "by": [rules.point_name(p) for p in checkers]}
    if any(rules.pieces[(start.pieces[p] & 15) - 1].royal for p in checkers):
        details["side"] = SIDES[1 - other]
        start.faults.append(Finding("generals-face", details=details))
    else:
        start.faults.append(Finding("opponent-in-check", details=details))


def unpack_held(packed: Sequence[int], number: int) -> Held:
    """The reserves numbered ``number`` in the kernel's array of them: for each side how many kinds, then by kind."""
    begin = 32 * number
    red, black = (
        {kind: count for kind, count in enumerate(packed[at + 1 : at + 16], start=1) if count}
        for at in (begin, begin + 16)
    )
    return red, black


class FenWriter:
    """Writes kernel boards as FEN."""

    def __init__(self, rules: Ruleset):
        self.files = rules.files
        self.points = rules.files * rules.ranks
        self.letters = {0: "."}
        for kind, piece in enumerate(rules.pieces, start=1):
            self.letters[kind] = piece.fen.upper()
            self.letters[kind | BLACK] = piece.fen
        self.codes = "".join(self.letters.get(code, "?") for code in range(32)).encode()

    def placements(self, boards: bytes) -> list[str]:
        """Piece placement of each of the boards that stand one after the other, the far rank first."""
        return _replay.placements(boards, self.points, self.files, self.codes)

    def fen(
        self, pieces: bytes, side: int, since_capture: int = 0, number: int = 1, held: Held = ({}, {})
    ) -> str:
        """The whole FEN: placement, reserves if any, side (w or b), clock of plies without capture, move number."""
        return self.whole(self.placements(pieces)[0], side, since_capture, number, held)

    def whole(self, placement: str, side: int, since_capture: int, number: int, held: Held = ({}, {})) -> str:
        """The FEN of a ``placement``."""
        reserves = self.reserves(held) if held[0] or held[1] else ""
        return f"{placement}{reserves} {'b' if side else 'w'} - - {since_capture} {number}"

    def reserves(self, held: Held) -> str:
        """Reserves as ``[…]``, Red's in capitals first, in the order of their letters; empty without any."""
        red, black = (
            "".join(sorted(self.letters[kind | side * BLACK] * count for kind, count in held[side].items()))
            for side in (0, 1)
        )
        return f"[{red}{black}]" if red or black else ""
