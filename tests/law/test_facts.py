"""What the kernel notes of attacks, against the plain words for it: legal moves before and after the capture.

Only positions in which nobody stands in check are looked at: there "exposes nothing new" is plain legality.
"""

import random
from array import array

import pytest

from adjudicator import Position, Ruleset, _replay
from adjudicator.conduct import Attack, note, unpack
from adjudicator.moves import move_text
from adjudicator.setup import start_from_fen

from .loops import games

RULES = Ruleset.load("xiangqi")
CHECK = _replay.FLAGS["check"]
NO_PLIES = {"from": "B", "to": "B", "piece": "B", "promotion": "B", "flags": "H"}


def noted(fen):
    """The direct attacks of both sides on a board."""
    return [attack for attack in unpack(_line(fen, []).attacks(0)) if not attack.has("by_checks")]


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


def _line(fen: str, moves: list[str]):
    """The conduct of a whole line."""
    start = start_from_fen(fen, RULES)
    plies = {name: array(kind, [0] * len(moves)) for name, kind in NO_PLIES.items()}
    position = Position(fen)
    for ply, move in enumerate(moves):
        cut = max(i for i, letter in enumerate(move) if letter.isalpha())
        plies["from"][ply], plies["to"][ply] = RULES.point(move[:cut]), RULES.point(move[cut:])
        plies["promotion"][ply] = 255
        position.push(move)
        plies["flags"][ply] = CHECK if position.is_check() else 0
    return note(RULES, [(start, start.side)], [0], [0], [len(moves)], plies).conduct(0)


def _unnamed(attacks):
    """Attacks without the identities, which count from the start position."""
    return sorted(word & ~(0x3FFF << 14) for word in attacks)


@pytest.mark.parametrize("game", range(0, len(games()), 7))
def test_what_is_noted_of_a_move_does_not_hang_on_what_was_noted_before(game):
    start, moves, fens = games()[game]
    whole = _line(start, moves[:60])
    for ply in range(2, min(60, len(moves)) + 1):
        alone = _line(fens[ply - 2], moves[ply - 1 : ply])
        assert _unnamed(whole.attacks(ply)) == _unnamed(alone.attacks(1)), (ply, moves[ply - 1])
        assert (whole.check(ply), whole.kill(ply)) == (alone.check(1), alone.kill(1)), (ply, moves[ply - 1])


def test_a_general_that_attacks_stays_on_the_board():
    """The general on e10 bears on the horse; the horse then uncovers a cannon's check on it."""
    fen = "1CbN1k3/9/9/9/9/9/9/9/9/3K5 b - - 0 1"
    conduct = _line(fen, ["f10e10", "d10c8"])
    assert conduct.words(1, 1)
    assert conduct.check(2) and not conduct.kill(2)


def _falls(position: Position, prey: str, checks: int) -> bool:
    """Whether the side to move takes the piece on ``prey`` or mates, by at most ``checks`` checks and a capture,
    whatever the answers: the plain reading, without what the capture costs."""
    return any(
        _falls_to(position, move, prey, checks) for move in position.legal_moves() if _to(move) != prey
    )


def _falls_to(position: Position, move: str, prey: str, checks: int) -> bool:
    position.push(move)
    answers = position.legal_moves() if position.is_check() else ["none"]
    won = position.is_check()
    for answer in answers if won else ():
        position.push(answer)
        where = _to(answer) if answer.removesuffix(_to(answer)) == prey else prey
        won = any(_to(capture) == where for capture in position.legal_moves())
        won = won or (checks > 1 and _falls(position, where, checks - 1))
        position.pop()
        if not won:
            break
    position.pop()
    return won


def runs(n: int) -> list[tuple[str, Attack]]:
    """Boards on which something falls to a run of checks, and what."""
    found = []
    for fen in quiet_positions(150):
        for attack in unpack(_line(fen, []).attacks(0)):
            if attack.has("by_checks", "wins"):
                found.append((turned(fen, attack.side), attack))
    return found[:n]


@pytest.mark.parametrize("fen, attack", runs(40))
def test_what_falls_to_a_run_of_checks_falls(fen, attack):
    prey = RULES.point_name(attack.to)
    first = RULES.point_name(attack.start)
    position = Position(fen)
    moves = [move for move in position.legal_moves() if move.removesuffix(_to(move)) == first]
    assert any(_falls_to(position, move, prey, 3) for move in moves if _to(move) != prey)


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
