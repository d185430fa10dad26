"""The preset ``fairy`` against the judge itself, over rounds made at random."""

import random

import pytest

from adjudicator import Game, Position, RuleBook

from .lines import verdict
from .loops import games, round_from

sf = pytest.importorskip("pyffish")


def judged(fen, moves):
    ended, value = sf.is_optional_game_end("xiangqi", fen, moves)
    if not ended:
        return "ongoing"
    if value == 0:
        return "draw"
    red_to_move = (fen.split()[1] == "w") == (len(moves) % 2 == 0)
    return "black_loses" if (value > 0) == red_to_move else "red_loses"


def test_fairy_is_reproduced():
    dice = random.Random(4)
    book = RuleBook.load("fairy")
    decided = agreed = tried = 0
    for _ in range(900):
        _, _, fens = dice.choice(games())
        board, side, *_ = dice.choice(fens).split()
        fen = f"{board} {side} - - 0 1"
        moves = round_from(Position(fen), dice)
        if not moves:
            continue
        game = Game(fen)
        for move in moves * 2:
            game.push(move)
        theirs, ours = judged(fen, moves * 2), verdict(game.ruling(book))
        tried += 1
        decided += theirs != "draw"
        agreed += theirs == ours
    assert decided >= 5
    assert agreed >= 0.995 * tried
