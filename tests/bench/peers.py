"""Other engines at the same work. Each annotates games ply by ply the way its users would: is the move legal, does it
give check, how many legal replies are there, has the position been seen before."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator import Ruleset
from tests.bench.archives import Games
from tests.bench.clock import Time

START = Ruleset.load("xiangqi").start


class Absent(Exception):
    """A peer that is not installed here."""


@dataclass(slots=True)
class Totals:
    """What all plies of some games add up to; the same from every peer and from us."""

    plies: int = 0
    checks: int = 0
    replies: int = 0


def ffish(games: Games, node_modules: Path | None) -> tuple[Totals, Time]:
    """npm's ffish, after a warm-up; its own clock, so without node's start."""
    if node_modules is None:
        raise Absent("no --node-dir (a folder where `npm install ffish` was run)")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([[fen or "", moves] for fen, moves in games], file)
        file.flush()
        command = ["node", str(Path(__file__).with_name("ffish.cjs")), str(node_modules.resolve()), file.name]
        try:
            run = subprocess.run(command, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Absent(str(getattr(error, "stderr", "") or error).strip().splitlines()[-1]) from None
    said = json.loads(run.stdout.splitlines()[-1])
    return Totals(said["plies"], said["checks"], said["replies"]), Time(said["wall"], said["cpu"])


def pyffish(games: Games) -> Totals:
    """One call per question, on the last FEN and one move."""
    sf = _module("pyffish")
    total = Totals()
    for start, moves in games:
        fen, seen = start or START, Counter[str]()
        legal = sf.legal_moves("xiangqi", fen, [])
        for ply, move in enumerate(moves, 1):
            assert move in legal
            fen = sf.get_fen("xiangqi", fen, [move])
            legal = sf.legal_moves("xiangqi", fen, [])
            seen[fen.rsplit(" ", 2)[0]] += 1
            if seen[fen.rsplit(" ", 2)[0]] >= 3:
                sf.is_optional_game_end("xiangqi", start or START, moves[:ply])
            total.plies += 1
            total.checks += bool(sf.gives_check("xiangqi", fen, []))
            total.replies += len(legal)
    return total


def cchess(games: Games) -> Totals:
    """A board object; legal replies are its moves that leave no general attacked."""
    module = _module("cchess")
    total = Totals()
    for start, moves in games:
        board, seen = module.ChessBoard(" ".join((start or START).split()[:2])), Counter[str]()
        for move in moves:
            a, b = module.iccs2pos(re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), move))
            assert board.is_valid_move(a, b) and not board.is_checked_move(a, b)
            done = board.move(a, b)
            board.next_turn()
            seen[board.to_fen()] += 1
            total.plies += 1
            total.checks += bool(done.is_checking)
            total.replies += sum(
                board.is_valid_move_t(reply) and not board.is_checked_move(*reply[:2])
                for reply in board.create_moves()
            )
    return total


def fairy_stockfish(binary: Path, depth: int) -> tuple[int, Time]:
    """Nodes and time of ``go perft`` from the start; what a run of depth 1 takes is taken off."""
    if not binary.exists():
        raise Absent(f"no {binary} (Debian: fairy-stockfish)")
    nodes, whole = _perft(binary, depth)
    return nodes, whole - _perft(binary, 1)[1]


def _perft(binary: Path, depth: int) -> tuple[int, Time]:
    commands = f"uci\nsetoption name UCI_Variant value xiangqi\nposition startpos\ngo perft {depth}\nquit\n"
    start = Time.now()
    run = subprocess.run([binary], input=commands, capture_output=True, text=True, check=True)
    spent = Time.now() - start
    found = re.search(r"Nodes searched: *(\d+)", run.stdout)
    assert found, run.stdout[-500:]
    return int(found[1]), spent


def _module(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        raise Absent(f"pip install {name}") from None
