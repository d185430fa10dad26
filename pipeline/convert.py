"""Records rewritten in another move notation; everything else in them stays.

The main line is written from the moves that the replay found, variations from their own tokens read under
the same numbering of ranks. What cannot be played stays as it was written, from there to the end of its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adjudicator import MoveError, Position, Ruleset
from adjudicator.batch import BatchResult, replay_batch
from notation.containers import pgn
from notation.record import GameRecord, Variation
from pipeline import shards, sources, stages, store
from pipeline.stages import Options

FORMATS = {"wxf": "WXF", "chinese": "Chinese", "chinese-traditional": "Chinese", "iccs": "ICCS"}
"""What the tag Format says of a notation; for the others it is left out, for readers would take it amiss."""


@dataclass(slots=True)
class Converted:
    """How many records and moves were rewritten, and how many moves stayed as they were."""

    games: int = 0
    moves: int = 0
    kept: int = 0


def convert(
    source: Path,
    out: Path,
    notation: str,
    *,
    rules: str = "xiangqi",
    settings: Mapping[str, Any] | None = None,
    encoding: str | None = None,
) -> Converted:
    """Write the records of ``source`` to ``out`` as PGN in UTF-8, moves in ``notation``.

    The file appears whole or not at all. Raises `RulesetError`, `sources.NoSuchPath` and OSError.
    """
    options = Options.of(rules, "none", settings, encoding)
    ruleset = options.ruleset()
    plan = shards.plan(sources.find([source]).sources, encoding)
    done = Converted()
    with store.whole_file(out) as file:
        for shard in plan.shards:
            for piece in shard.pieces:
                batch = stages.read(piece, options)
                result = replay_batch(batch, ruleset, options.book)
                for game in range(len(batch)):
                    record = _Line(ruleset, notation, done).record(batch.record(game), result, game)
                    file.write(pgn.write([record]).encode())
                    done.games += 1
    return done


class _Line:
    """Rewrites one record; ``position`` walks along its lines."""

    def __init__(self, rules: Ruleset, notation: str, done: Converted):
        self.rules = rules
        self.notation = notation
        self.done = done
        self.reading: str | None = None

    def record(self, record: GameRecord, result: BatchResult, game: int) -> GameRecord:
        start = result.games["start_fen"][game]
        if start is None:
            self.done.kept += len(record.tokens)
            return record
        if (result.games["notation"][game] or "").endswith("(ranks from 0)"):
            self.reading = "iccs"
        handicap = result.games["handicap"][game]
        position = Position(start, self.rules, handicap or "none")
        plies, rows = result.plies, range(result.first_ply[game], result.first_ply[game + 1])
        name = self.rules.point_name
        moves = [name(plies["from"][row]) + name(plies["to"][row]) for row in rows]
        tokens = self.written(position, moves, record.tokens)
        tags = {key: value for key, value in record.tags.items() if key.lower() != "format"}
        if handicap and start != self.rules.start and not record.fen:  # readers may not know the tag
            tags |= {"Handicap": handicap, "SetUp": "1", "FEN": start}
        if self.notation in FORMATS:
            tags["Format"] = FORMATS[self.notation]
        return replace(
            record, tags=tags, tokens=tokens, variations=self.variations(position, moves, record.variations)
        )

    def written(self, position: Position, moves: list[str], tokens: list[str], first: int = 0) -> list[str]:
        """``tokens`` with those of ``moves[first:]`` rewritten; leaves ``position`` where it was."""
        texts = []
        for move in moves[first:]:
            texts.append(position.write(move, self.notation))
            position.push(move)
        for _ in texts:
            position.pop()
        self.done.moves += len(texts)
        self.done.kept += len(tokens) - len(texts)
        return texts + tokens[len(texts) :]

    def variations(self, start: Position, moves: list[str], lines: list[Variation]) -> list[Variation]:
        """``lines`` beside ``moves`` (coordinates, from the start position), rewritten at every depth.

        A list of open work, not recursion: records nest variations deeper than Python calls.
        """
        top: list[Variation] = []
        work = [(line, moves, top) for line in reversed(lines)]
        while work:
            line, along, siblings = work.pop()
            own, tokens = self.branch(start, along, line)
            copy = replace(line, moves=tokens, variations=[])
            siblings.append(copy)
            work += [(inner, own, copy.variations) for inner in reversed(line.variations)]
        return top

    def branch(self, start: Position, along: list[str], line: Variation) -> tuple[list[str], list[str]]:
        """The moves from the start to the end of ``line``, as far as they can be read, and its texts."""
        before = along[: line.from_ply - 1]
        if len(before) < line.from_ply - 1:
            self.done.kept += len(line.moves)
            return before, list(line.moves)
        for move in before:
            start.push(move)
        read: list[str] = []
        for token in line.moves:
            try:
                read.append(start.parse(token, self.reading))
            except MoveError:
                break
            start.push(read[-1])
        for _ in read:
            start.pop()
        texts = self.written(start, read, line.moves)
        for _ in before:
            start.pop()
        return before + read, texts
