"""A UCI engine told of our rules, believed only where it knows them."""

import shutil
import sys

import pytest
from studies_made import OPENING, chance_game, study

from adjudicator import Position, Ruleset
from notation.record import GameRecord
from pipeline.studies.engine import VARIANT, EngineError, engine_fen, open_engine, variant

FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")


def test_the_configuration_states_the_rule_set():
    text = variant(Ruleset.load("fortress"))
    for line in (
        "maxFile = 7",
        "startFen = rnceakq/pp1p1pp/7/7/7/7/PP1P1PP/QKAECNR[] w - - 0 1",
        "commoner = q",
        "soldierPromotionRank = 1",
        "mobilityRegionBlackFers = e6 e7 e8 f6 f7 f8 g6 g7 g8",
        "capturesToHand = true",
    ):
        assert line in text.splitlines()
    assert "nMoveRule = 30" in variant(Ruleset.load("xiangqi-60"))


OWN = """
id = "own"
extends = "xiangqi"
title = "A variant of one's own"
source = "invented"
date = "2026-11-30"

[pieces.elephant] # leaps anywhere
moves = [{ leap = [2, 2] }]

[pieces.advisor] # steps straight in the palace, and strikes slantwise
moves = [
    { step = "orthogonal", mode = "quiet", within = "palace" },
    { step = "diagonal", mode = "capture", within = "palace" },
]

[pieces.cannon]
moves = [{ ride = "diagonal", mode = "quiet" }, { hop = "orthogonal", mode = "capture" }]

[ending]
stalemate = "draw"
"""


def places(rules: Ruleset) -> list[str]:
    """Positions of two games by chance."""
    made = study([chance_game(rules, plies=60, seed=seed, Variant=rules.id) for seed in (1, 2)], rules)
    return [ply["fen"] for game in made["games"] for ply in game["lines"][0]["plies"][::20]]


def perft(fen: str, moves, play, depth: int) -> int:
    found = moves(fen)
    return len(found) if depth == 1 else sum(perft(play(fen, move), moves, play, depth - 1) for move in found)


@pytest.mark.parametrize(
    "rules",
    ["xiangqi", "xiangqi-60", "fortress", "fortress-river", "jump-cannon", "jump-cannon-modern", "own"],
)
def test_the_configuration_means_the_rule_set(rules, tmp_path):
    """As the library of the engine reads it."""
    pyffish = pytest.importorskip("pyffish")
    if rules == "own":
        (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    rules = Ruleset.load(str(tmp_path / "own.toml") if rules == "own" else rules)
    name = f"told-{rules.id}"  # the library keeps what it was told once
    pyffish.load_variant_config(variant(rules).replace(f"[{VARIANT}:", f"[{name}:"))
    for fen in [Position(None, rules).fen(), *places(rules)]:
        told = perft(
            engine_fen(fen, rules),
            lambda fen: pyffish.legal_moves(name, fen, []),
            lambda fen, move: pyffish.get_fen(name, fen, [move]),
            2,
        )
        assert told == Position(fen, rules).perft(2), fen


@pytest.mark.skipif(not FAIRY, reason="no fairy-stockfish")
@pytest.mark.parametrize(
    "rules", ["xiangqi", "xiangqi-60", "fortress", "fortress-river", "jump-cannon-modern"]
)
def test_the_engine_finds_the_rule_set_s_moves(rules):
    rules = Ruleset.load(rules)
    with open_engine(FAIRY, rules) as engine:
        for fen in [Position(None, rules).fen(), *places(rules)]:
            assert engine.count(fen, 2) == Position(fen, rules).perft(2), fen


@pytest.mark.parametrize("rules, why", [("atomic", "explode"), ("six-fortresses", "prizes")])
def test_what_the_engine_cannot_be_told_is_refused(rules, why):
    with pytest.raises(EngineError, match=why):
        variant(Ruleset.load(rules))


@pytest.mark.skipif(not FAIRY, reason="no fairy-stockfish")
@pytest.mark.parametrize(
    "rules", ["xiangqi", "xiangqi-60", "fortress", "fortress-river", "jump-cannon-modern"]
)
def test_an_engine_evaluates_every_position(rules):
    made = study([chance_game(rules, plies=12)], rules, engine=FAIRY, nodes=300)
    plies = made["games"][0]["lines"][0]["plies"]
    known = [ply for ply in plies if ply["evaluation"] is not None or ply["mate_in"]]
    assert len(known) >= len(plies) * 0.7 and known[0]["depth"] > 0


@pytest.mark.skipif(not FAIRY, reason="no fairy-stockfish")
def test_evaluations_are_turned_to_red_s_view():
    # Red has a chariot more.
    fen = "3k5/9/9/9/9/9/9/9/R8/4K4 b - - 0 1"
    record = GameRecord(tokens=["d10d9", "a2a3"], fen=fen, tags={"FEN": fen})
    plies = study([record], engine=FAIRY, nodes=3000)["games"][0]["lines"][0]["plies"]
    assert all((ply["mate_in"] or ply["evaluation"]) > 0 for ply in plies)


@pytest.mark.skipif(not FAIRY, reason="no fairy-stockfish")
def test_an_engine_is_found_by_its_name():
    with open_engine("fairy-stockfish", Ruleset.load("xiangqi")) as engine:
        assert engine.count(Position().fen()) == 44


@pytest.mark.parametrize("command", ["", "/no/such/engine", "no-such-engine", f"{sys.executable} -c pass"])
def test_an_engine_that_is_none_is_one_clean_error(command):
    with pytest.raises(EngineError), open_engine(command, Ruleset.load("xiangqi")):
        pass


def test_an_engine_with_other_rules_is_not_believed():
    script = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "  w = line.split()\n"
        "  if w[:1] == ['uci']: print('uciok', flush=True)\n"
        "  elif w[:1] == ['isready']: print('readyok', flush=True)\n"
        "  elif w[:2] == ['go', 'perft']: print('Nodes searched: 20', flush=True)\n"
        "  elif w[:1] == ['quit']: break\n"
    )
    import shlex

    command = shlex.join([sys.executable, "-c", script])
    with pytest.raises(EngineError, match="20 moves in the start position, the rules 44"):
        study([GameRecord(tokens=list(OPENING))], engine=command)
