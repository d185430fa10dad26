"""What the kernel notes of attacks, against the plain words for it: legal moves before and after the capture.

Only positions in which nobody stands in check are looked at: there "exposes nothing new" is plain legality.
"""

import random
from array import array

import pytest

from adjudicator import Position, Ruleset
from adjudicator.conduct import Attack, note, unpack
from adjudicator.moves import move_text
from adjudicator.setup import start_from_fen

from .loops import games

RULES = Ruleset.load("xiangqi")
NO_PLIES = {"from": "B", "to": "B", "piece": "B", "promotion": "B", "flags": "H"}


def noted(fen):
    """The attacks of both sides on a board."""
    start = start_from_fen(fen, RULES)
    plies = {name: array(kind) for name, kind in NO_PLIES.items()}
    return unpack(note(RULES, [(start, start.side)], [0], [0], [0], plies).conduct(0).attacks(0))


def turned(fen, side):
    board, _, *rest = fen.split()
    return " ".join([board, "wb"[side], *rest])


def quiet_positions(n):
    dice = random.Random(7)
    found = []
    while len(found) < n:
        fen = dice.choice(dice.choice(games())[2])
        if not any(Position(turned(fen, side)).is_check() for side in (0, 1)):
            found.append(fen)
    return found


@pytest.mark.parametrize("fen", quiet_positions(60))
def test_attacks_are_what_legal_moves_say(fen):
    found = {(attack.start, attack.to): attack for attack in noted(fen)}
    for side in (0, 1):
        position = Position(turned(fen, side))
        legal = {
            RULES.point_name(a.start) + RULES.point_name(a.to)
            for a in found.values()
            if a.side == side and a.has("legal")
        }
        captures = {move for move in position.legal_moves() if position.piece_at(_to(move)) is not None}
        assert legal == captures
    for attack in found.values():
        if attack.has("legal"):
            _weighed(fen, attack)


def _weighed(fen: str, attack: Attack) -> None:
    move = move_text(RULES, (attack.start, attack.to, 0))
    position = Position(turned(fen, attack.side))
    position.push(move)
    assert attack.has("retaken") == any(_to(reply) == _to(move) for reply in position.legal_moves()), move
    position.pop()
    back = move_text(RULES, (attack.to, attack.start, 0))
    assert attack.has("returned") == (back in Position(turned(fen, 1 - attack.side)).legal_moves()), move


def _to(move: str) -> str:
    return move[max(i for i, letter in enumerate(move) if letter.isalpha()) :]


@pytest.mark.parametrize("fen", quiet_positions(25))
def test_threats_of_mate_are_mates(fen):
    """Played on a quiet move: the side that moved mates at once if and only if the note says one check."""
    dice = random.Random(fen)
    position = Position(fen)
    moves = [move for move in position.legal_moves() if position.piece_at(_to(move)) is None]
    for move in dice.sample(moves, min(6, len(moves))):
        position.push(move)
        if not position.is_check():
            again = turned(position.fen(), 0 if position.side == "black" else 1)
            mates = _mates_at_once(Position(again))
            assert (_kill(fen, move) == 1) == mates, move
        position.pop()


def _mates_at_once(position: Position) -> bool:
    for move in position.legal_moves():
        position.push(move)
        mate = position.is_checkmate()
        position.pop()
        if mate:
            return True
    return False


def _kill(fen: str, move: str) -> int:
    start = start_from_fen(fen, RULES)
    cut = max(i for i, letter in enumerate(move) if letter.isalpha())
    points = [RULES.point(move[:cut]), RULES.point(move[cut:])]
    plies = {name: array(kind, [0]) for name, kind in NO_PLIES.items()}
    plies["from"][0], plies["to"][0], plies["promotion"][0] = *points, 255
    return note(RULES, [(start, start.side)], [0], [0], [1], plies).conduct(0).kill(1)


def test_identities_follow_the_pieces():
    fen = "3k5/9/9/9/9/9/9/9/9/R3K3R w - - 0 1"
    start = start_from_fen(fen, RULES)
    path = [("a1", "a2"), ("d10", "d9"), ("i1", "a1"), ("d9", "d10")]
    plies = {name: array(kind, [0] * 4) for name, kind in NO_PLIES.items()}
    for ply, (begin, to) in enumerate(path):
        plies["from"][ply], plies["to"][ply], plies["promotion"][ply] = (
            RULES.point(begin),
            RULES.point(to),
            255,
        )
    # The second move is not to be had: the general stands between; it is played all the same.
    conduct = note(RULES, [(start, 0)], [0], [0], [4], plies).conduct(0)
    assert [conduct.moved(ply) for ply in range(1, 5)] == [RULES.point(p) for p in ("a1", "d10", "i1", "d10")]
    assert conduct.move(3) == "i1a1"
