"""Every rule set against xiangqi, in legal moves counted per second: ``python -m tests.bench.rule_sets``.

The same three works for each: replaying games with every fact of every ply, perft from the start position, and perft 2
from positions inside the games, where reserves are full. The games are random ones, the same in every run; a capture
is played one time in three where there is one, so that reserves fill and boards empty.
"""

from __future__ import annotations

import argparse
import random
from typing import NamedTuple

from adjudicator import Position, Ruleset
from adjudicator.moves import move_points
from notation.record import GameRecord, RecordBatch
from tests.bench.clock import Time, alternate, one_processor
from tests.bench.kernel import replayer
from tests.bench.table import Row, Table

GAMES, PLIES, EVERY = 60, 120, 12
NODES = 1_000_000
"""Perft from the start goes as deep as it takes to count so many moves."""
BAR = 0.5
"""How much of xiangqi's rate every other rule set should reach."""


class Sample(NamedTuple):
    """Games of a rule set, and positions inside them."""

    rules: Ruleset
    games: list[list[str]]
    positions: list[Position]


def sample(rules: str, games: int = GAMES) -> Sample:
    """The same random games in every run and on every machine."""
    ruleset = Ruleset.load(rules)
    choose = random.Random(f"caipan {rules}")
    found = Sample(ruleset, [], [])
    for _ in range(games):
        position = Position(None, ruleset)
        moves: list[str] = []
        for ply in range(PLIES):
            legal = position.legal_moves()
            if not legal:
                break
            if ply and ply % EVERY == 0:
                found.positions.append(Position(position.fen(), ruleset))
            captures = [move for move in legal if position.piece_at(move_points(move)[1])]
            moves.append(choose.choice(captures if captures and choose.random() < 1 / 3 else legal))
            position.push(moves[-1])
        found.games.append(moves)
    return found


def measure(table: Table, repeats: int) -> None:
    """A row for every rule set and work, held to xiangqi's; the works of all rule sets take turns."""
    names = ["xiangqi", *(name for name in Ruleset.ids() if name != "xiangqi")]
    works, counts = {}, {}
    for name in names:
        known = sample(name)
        batch = RecordBatch.from_records([GameRecord(tokens=moves) for moves in known.games])
        play = replayer(batch, known.rules)
        start = Position(None, known.rules)
        works[name, "replay"] = play
        counts[name, "replay"] = sum(play()[0]["legal_replies"])
        depth = next(depth for depth in range(1, 9) if start.perft(depth) >= NODES)
        works[name, "perft"] = lambda start=start, depth=depth: start.perft(depth)
        counts[name, "perft"] = start.perft(depth)
        works[name, "perft 2 inside"] = lambda known=known: [p.perft(2) for p in known.positions]
        counts[name, "perft 2 inside"] = sum(p.perft(2) for p in known.positions)
    times = alternate(works, repeats)
    first = {work: _row("xiangqi", work, counts, times, None) for name, work in works if name == "xiangqi"}
    for name, work in sorted(works, key=lambda key: list(first).index(key[1])):
        table.add(first[work] if name == "xiangqi" else _row(name, work, counts, times, first[work]))


def _row(
    name: str,
    work: str,
    counts: dict[tuple[str, str], int],
    times: dict[tuple[str, str], Time],
    against: Row | None,
) -> Row:
    key = name, work
    return Row(f"{name}: {work}", "legal move", counts[key], times[key], against, BAR)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rule_sets", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    table = Table()
    with one_processor():
        measure(table, asked.repeats)
    print("\n" + table.markdown())


if __name__ == "__main__":
    main()
