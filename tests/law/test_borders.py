"""Each class of conduct on either side of its border: small boards that differ in one thing.

A line is one round of a cycle, played twice from a start position that counts as an occurrence; ``acts`` are the
classes of the moves of the side that moves first. Every case holds in the mirror and with colours exchanged, too.
"""

import pytest

from adjudicator import Game, RuleBook
from properties.strategies import mirror_fen, mirror_move, swap_fen, swap_move

ROUND = "a8a7 h7h8 a7a8 h8h7"
CASES = [
    # -- protected or not
    ("a chariot chases an unprotected cannon", "3k5/9/R8/7c1/9/9/9/9/9/5K3 w", ROUND, "black", "chase chase"),
    ("a chariot protects the cannon", "3k3r1/9/R8/7c1/9/9/9/9/9/5K3 w", ROUND, "draw", "follow follow"),
    (
        "a horse protects it on one of two points",
        "3k5/9/R8/7c1/5n3/9/9/9/9/5K3 w",
        ROUND,
        "draw",
        "follow chase",
    ),
    # -- real and false roots
    (
        "the protecting chariot can retake",
        "4k4/9/9/4r2c1/9/9/4P4/9/9/3K2R2 w",
        "g1h1 h7g7 h1g1 g7h7",
        "draw",
        "follow follow",
    ),
    (
        "a cannon ties the protecting chariot to its file",
        "4k4/9/9/4r2c1/9/9/4P4/9/4C4/3K2R2 w",
        "g1h1 h7g7 h1g1 g7h7",
        "black",
        "chase chase",
    ),
    # -- lesser on greater
    (
        "a cannon chases a protected chariot",
        "4k2r1/9/C2P5/3P3r1/9/9/9/9/9/5K3 w",
        ROUND,
        "black",
        "chase chase",
    ),
    (
        "a chariot only follows a protected one",
        "3k3r1/9/R8/7n1/9/9/9/9/9/5K3 w",
        "a8a7 h10h9 a7a8 h9h10",
        "draw",
        None,
    ),
    # -- like on like
    (
        "a chariot offers itself to a chariot",
        "3k5/9/R8/7r1/9/9/9/9/9/5K3 w",
        ROUND,
        "draw",
        "exchange exchange",
    ),
    (
        "a chariot that may leave its file can take back",
        "4k4/9/R8/4r4/9/9/4P4/9/9/3K5 w",
        "a8a7 e7e8 a7a8 e8e7",
        "draw",
        "exchange exchange",
    ),
    (
        "a chariot tied to its file cannot",
        "4k4/9/R8/4r4/9/9/4P4/9/4C4/3K5 w",
        "a8a7 e7e8 a7a8 e8e7",
        "black",
        "chase+kill chase+kill",
    ),
    # -- who may be chased
    (
        "a soldier beyond the river is chased",
        "3akabC1/9/4b4/7P1/2n6/8p/3p5/9/4A1c2/2BAK1B1C w",
        "g1i3 g2i2 i3g1 i2g2",
        "black",
        "chase chase",
    ),
    (
        "a soldier on its own half is not",
        "3akabC1/9/4b4/7P1/2n5p/9/3p5/9/4A1c2/2BAK1B1C w",
        "g1i3 g2i2 i3g1 i2g2",
        "draw",
        "idle idle",
    ),
    (
        "a chariot chases a crossed soldier",
        "3k5/9/9/9/9/9/7p1/9/9/5KR2 w",
        "g1h1 h4g4 h1g1 g4h4",
        "black",
        "chase chase",
    ),
    # -- who may chase
    (
        "a soldier alone may",
        "1c1aka3/9/9/9/p8/P7r/R1P1P1P2/9/9/2BAKABR1 b",
        "b5a5 a4b4 a5b5 b4a4",
        "draw",
        None,
    ),
    (
        "a soldier that uncovers a cannon chases with it",
        "cc1aka3/9/9/9/p8/P7r/R1P1P1P2/9/9/2BAKABR1 b",
        "b5a5 a4b4 a5b5 b4a4",
        "red",
        "chase chase",
    ),
    # -- checks
    (
        "checks without end",
        "4k4/9/9/9/9/9/9/9/9/5K2R w",
        "i10i9 e9e10 i9i10 e10e9",
        "black",
        "check check",
    ),
    ("a check and an idle move", "3k4R/9/9/9/9/9/9/9/9/4K4 b", "d10d9 i10i1 d9d10 i1i10", "draw", None),
    (
        "both sides check without end",
        "9/4c4/5k3/5r3/9/9/4C4/9/4K4/5R3 w",
        "e4f4 f7e7 f4e4 e7f7",
        "draw",
        "check check",
    ),
]
# What leads into the round, where the board itself is not in it.
LEADS = {
    "a soldier alone may": "a6a5 a4b4 a5b5 b4a4",
    "a soldier that uncovers a cannon chases with it": "a6a5 a4b4 a5b5 b4a4",
    "checks without end": "i1i10 e10e9",
}


def ruled(fen, moves, book):
    game = Game(f"{fen} - - 0 1")
    for move in moves:
        game.push(move)
    return game.ruling(RuleBook.load(book))


def line(name, round_):
    return [*LEADS.get(name, "").split(), *round_.split() * 2]


CASE_IDS = [case[0] for case in CASES]


@pytest.mark.parametrize("name, fen, round_, result, acts", CASES, ids=CASE_IDS)
def test_border(name, fen, round_, result, acts):
    ruling = ruled(fen, line(name, round_), "axf")
    assert ruling.result == result, ruling.explain()
    if acts:
        first = "black" if fen.endswith("b") else "red"
        assert ruling.conduct[first][-2:] == acts.split(), ruling.explain()


@pytest.mark.parametrize("name, fen, round_, result, acts", CASES, ids=CASE_IDS)
def test_border_in_the_mirror_and_with_colours_exchanged(name, fen, round_, result, acts):
    moves = line(name, round_)
    mirrored = ruled(mirror_fen(fen), [mirror_move(move, "xiangqi") for move in moves], "axf")
    assert mirrored.result == result
    swapped = ruled(swap_fen(fen), [swap_move(move, "xiangqi") for move in moves], "axf")
    assert swapped.result == {"red": "black", "black": "red"}.get(result, result)


CHINESE = [
    # One quiet move excuses; attacks of any kind do not mix into an excuse.
    ("a check and an idle move", "draw", "repetition"),
    ("a chariot chases an unprotected cannon", "black", "perpetual-chase"),
    ("a chariot protects the cannon", "draw", "repetition"),
    ("checks without end", "black", "perpetual-check"),
    ("both sides check without end", "draw", "mutual-perpetual-check"),
    # The threatened chariot threatens mate on every move: both sides are forbidden.
    ("a cannon chases a protected chariot", "draw", "mutual-perpetual-attack"),
    # The soldier's own attack counts where both sides attack.
    ("a soldier that uncovers a cannon chases with it", "draw", "mutual-perpetual-chase"),
]


@pytest.mark.parametrize("name, result, reason", CHINESE, ids=[case[0] for case in CHINESE])
def test_border_in_the_chinese_book(name, result, reason):
    _, fen, round_, *_ = next(case for case in CASES if case[0] == name)
    ruling = ruled(fen, line(name, round_), "cxa")
    assert (ruling.result, ruling.reason) == (result, reason), ruling.explain()
