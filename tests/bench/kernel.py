"""The kernel by itself: counting positions, and replaying games with every fact of every ply."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adjudicator import Position, Ruleset, _replay
from adjudicator.batch import replay_batch
from adjudicator.compile import tables
from adjudicator.setup import start_from_fen
from notation import parse
from notation.containers import pgn
from notation.record import GameRecord, RecordBatch
from tests.bench import archives, peers
from tests.bench.clock import Time, alternate
from tests.bench.peers import Absent, Totals
from tests.bench.table import Row, Table
from tests.reference import oracle

NODES = {4: 3290240, 5: 133312995}
CHECK = _replay.FLAGS["check"]


def perft(table: Table, binary: Path, depth: int, repeats: int) -> None:
    """From the start position, taking turns with Fairy-Stockfish."""

    def ours() -> None:
        assert Position().perft(depth) == NODES[depth]

    def theirs() -> Time:
        nodes, time = peers.fairy_stockfish(binary, depth)
        assert nodes == NODES[depth]
        return time

    name, peer = f"perft {depth}", None
    try:
        theirs()
        times = alternate({"theirs": theirs, "ours": ours}, repeats)
        peer = table.add(Row(f"Fairy-Stockfish: {name}", "node", NODES[depth], times["theirs"]))
    except Absent as absent:
        table.skip(f"Fairy-Stockfish: {name}", str(absent))
        times = alternate({"ours": ours}, repeats)
    table.add(Row(name, "node", NODES[depth], times["ours"], peer, 3))


def replay(table: Table, games_path: Path, node_modules: Path | None, full: bool) -> Row:
    """Every fact of every ply, against peers who answer the same questions; returns our row."""
    agree_with_oracle()
    batch = pgn.read(games_path)
    games = archives.games(games_path)
    play = replayer(batch, Ruleset.load("xiangqi"))
    few = games if full else games[:120]

    peer = None
    try:
        found: dict[str, Totals] = {}

        def ffish() -> Time:
            found["ffish"], time = peers.ffish(few, node_modules)
            return time

        times = alternate({"ffish": ffish, "ours": play}, 5 if full else 3)
        assert found["ffish"] == totals(play(), len(few)), found
        peer = table.add(Row("ffish: full annotation", "ply", found["ffish"].plies, times["ffish"]))
    except Absent as absent:
        table.skip("ffish: full annotation", str(absent))
    for name, annotate in (("pyffish", peers.pyffish), ("cchess", peers.cchess)):
        some = games[: 4 if full else 2]
        try:
            seen: list[Totals] = []
            time = alternate(
                {name: lambda a=annotate, s=some, seen=seen: seen.append(a(s))}, 3 if full else 1
            )
        except Absent as absent:
            table.skip(f"{name}: full annotation", str(absent))
            continue
        ours = totals(play(), len(some))
        assert (seen[0].plies, seen[0].checks) == (ours.plies, ours.checks), (name, seen[0], ours)
        note = "" if seen[0] == ours else f"{seen[0].replies} legal replies where there are {ours.replies}"
        table.add(Row(f"{name}: full annotation", "ply", ours.plies, time[name], note=note))
    time = alternate({"ours": play}, 41 if full else 15)["ours"]
    return table.add(Row("kernel: all facts", "ply", len(batch.token), time, peer, 60, "aim 100"))


Facts = tuple[dict[str, Any], dict[str, Any]]


def replayer(batch: RecordBatch, rules: Ruleset) -> Callable[[], Facts]:
    """A function that replays ``batch`` from its descriptors, and nothing else."""
    starts = _replay.Starts(tables(rules))
    numbers: dict[str | None, int] = {}
    start_of = array("i")
    for fen in batch.fens():
        if fen not in numbers:
            start = start_from_fen(fen, rules)
            numbers[fen] = starts.add(start.pieces, start.side or 0, start.since_capture, start.held)
        start_of.append(numbers[fen])
    said = array("I", map(parse, batch.lexemes))

    def play() -> Facts:
        plies, games = _replay.replay(
            starts, start_of, batch.first_token, batch.token, said, array("B", bytes(len(batch)))
        )
        assert len(plies["ply"]) == len(batch.token)
        return plies, games

    return play


def totals(facts: Facts, games: int) -> Totals:
    """What the first ``games`` add up to."""
    plies, rows = facts
    end = rows["row"][games]
    checks = sum(flags & CHECK != 0 for flags in plies["flags"][:end])
    return Totals(end, checks, sum(plies["legal_replies"][:end]))


def agree_with_oracle() -> None:
    """The facts of the annotated games are those that other engines found."""
    rows = [row for row in oracle.rows("annotated_games") if row["ruleset"] == "xiangqi"]
    records = [GameRecord(tokens=row["moves"], fen=row["start_fen"]) for row in rows]
    result = replay_batch(RecordBatch.from_records(records), Ruleset.load("xiangqi"))
    for game, row in enumerate(rows):
        own = slice(result.first_ply[game], result.first_ply[game + 1])
        assert [bool(flags & CHECK) for flags in result.plies["flags"][own]] == row["check"]
        assert list(result.plies["legal_replies"][own]) == row["legal_count"]
        assert result.games["final_fen"][game] == row["fens"][-1]
