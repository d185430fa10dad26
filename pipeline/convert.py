"""Records rewritten in another move notation; everything else in them stays.

The main line is written from the moves that the replay found, variations from their own tokens read under
the same numbering of ranks. What cannot be played stays as it was written, from there to the end of its line. A move
that a notation has no words for (a drop in WXF) is written as coordinates, which readers of every notation take, and
there is a finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adjudicator import Adjudication, MoveError, Position, Ruleset
from adjudicator.batch import replay_batch
from notation.containers import pgn
from notation.finding import Finding
from notation.record import GameRecord, Variation
from notation.tags import value_of
from pipeline import shards, sources, store
from pipeline.check import Checked, placed, troubles
from pipeline.stages import Options

FORMATS = {"wxf": "WXF", "chinese": "Chinese", "chinese-traditional": "Chinese", "iccs": "ICCS"}
"""What the tag Format says of a notation; for the others it is left out, for readers would take it amiss."""


SOURCE_FILE = "SourceFile"
"""The tag that names the file of a record, where records of several are written to one."""

WORDS = frozenset({"wxf", "chinese", "chinese-traditional"})
"""Notations with words for the moves of xiangqi pieces alone."""


@dataclass(slots=True)
class Converted:
    """How many records and moves were rewritten, how many moves were written as coordinates for want of words, and how
    many stayed as they were.

    ``findings`` has a ``no-words`` for every record with moves that the notation cannot say; their ``game`` counts
    from 0 over all records written. ``broken`` are the records with moves that stayed, and why; ``troubles`` tell of
    whole files.
    """

    games: int = 0
    moves: int = 0
    coordinates: int = 0
    kept: int = 0
    findings: list[Finding] = field(default_factory=list)
    broken: list[Checked] = field(default_factory=list)
    troubles: list[Finding] = field(default_factory=list)


class NothingToConvert(ValueError):
    """There is no record; the message says why."""


def convert(
    source: Path | str,
    out: Path,
    notation: str,
    *,
    rules: str = "xiangqi",
    settings: Mapping[str, Any] | None = None,
    encoding: str | None = None,
) -> Converted:
    """Write the records of ``source`` to ``out`` as PGN in UTF-8, moves in ``notation``; `store.text_file` says how.

    Records of several files keep where they come from in the tag `SOURCE_FILE`, unless they have one. The file appears
    whole or not at all. Raises `RulesetError`, `sources.NoSuchPath`, `NothingToConvert` and OSError.
    """
    options = Options.of(rules, "none", settings, encoding)
    ruleset = options.ruleset()
    listing = sources.find([source])
    plan = shards.plan(listing.sources, encoding)
    done = Converted(troubles=[*listing.findings, *plan.findings])
    several = len({piece.source.name for shard in plan.shards for piece in shard.pieces if piece.games}) > 1
    with store.text_file(out) as file:
        for shard in plan.shards:
            for piece in shard.pieces:
                batch = piece.read(options.encoding)
                result = replay_batch(batch, ruleset, options.book)
                book = options.rulebook()
                done.troubles += [finding for finding in batch.findings if finding.game is None]
                faults: dict[int | None, Finding] = {}
                for finding in result.findings:
                    if finding.severity == "error":
                        faults.setdefault(finding.game, finding)
                for game in range(len(batch)):
                    ruled = Adjudication(batch, result, game, ruleset, book, [])
                    line = _Line(ruleset, notation, done)
                    kept = done.kept
                    record = line.record(ruled)
                    if several and not value_of(record.tags, SOURCE_FILE):
                        record = replace(record, tags=record.tags | {SOURCE_FILE: piece.source.name})
                    text = pgn.write([record])
                    file.write(f"\n{text}".encode() if done.games else text.encode())
                    if line.wordless:
                        done.findings.append(line.finding(piece.source.name, batch.line[game]))
                    if done.kept > kept:
                        why = [faults[game]] if game in faults else []
                        done.broken.append(
                            Checked(
                                piece.source.name,
                                placed(why, piece.source) + line.unread,
                                batch.line[game],
                                batch.index[game] + 1,
                            )
                        )
                    done.games += 1
        if not done.games:
            raise NothingToConvert("\n".join(troubles(done.troubles)) or f"{source}: no games found")
    return done


class _Line:
    """Rewrites one record; ``position`` walks along its lines."""

    def __init__(self, rules: Ruleset, notation: str, done: Converted):
        self.rules = rules
        self.notation = notation
        self.done = done
        self.reading: str | None = None
        self.wordless: dict[str, int] = {}  # moves without words, and how often each was written
        self.unread: list[Finding] = []  # about variations; the main line has been replayed

    def record(self, ruled: Adjudication) -> GameRecord:
        record = ruled.record
        if ruled.start_fen is None:
            self.done.kept += len(record.tokens)
            return record
        if (ruled.notation or "").endswith("(ranks from 0)"):
            self.reading = "iccs"
        handicap = ruled.handicap
        position = Position(ruled.start_fen, self.rules, handicap or "none")
        moves = [ply.move for ply in ruled.moves]
        tokens = self.written(position, moves, record.tokens)
        tags = {key: value for key, value in record.tags.items() if key.lower() != "format"}
        if handicap and not value_of(tags, "Handicap"):
            tags["Handicap"] = handicap
        if (
            handicap and ruled.start_fen != self.rules.start and not record.fen
        ):  # readers may not know the tag
            tags |= {"SetUp": "1", "FEN": ruled.start_fen}
        if self.notation in FORMATS:
            tags["Format"] = FORMATS[self.notation]
        return replace(
            record, tags=tags, tokens=tokens, variations=self.variations(position, moves, record.variations)
        )

    def finding(self, source: str, line: int) -> Finding:
        """That some moves are written as coordinates."""
        moves = ", ".join(list(self.wordless)[:8]) + (", …" if len(self.wordless) > 8 else "")
        count = sum(self.wordless.values())
        details = {"notation": self.notation, "count": count, "moves": moves}
        return Finding("no-words", self.done.games, details=details, source=source, line=line)

    def written(self, position: Position, moves: list[str], tokens: list[str], first: int = 0) -> list[str]:
        """``tokens`` with those of ``moves[first:]`` rewritten; leaves ``position`` where it was."""
        texts = []
        words = self.notation in WORDS
        for move in moves[first:]:
            texts.append(position.write(move, self.notation))
            if words and texts[-1] == move:
                self.wordless[move] = self.wordless.get(move, 0) + 1
            position.push(move)
        for _ in texts:
            position.pop()
        plain = sum(text == move for text, move in zip(texts, moves[first:], strict=True)) if words else 0
        self.done.moves += len(texts) - plain
        self.done.coordinates += plain
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
            except MoveError as error:
                self.unread.append(
                    Finding(
                        "stays-as-written",
                        ply=line.from_ply + len(read),
                        text=token,
                        details={"why": str(error)},
                    )
                )
                break
            start.push(read[-1])
        for _ in read:
            start.pop()
        texts = self.written(start, read, line.moves)
        for _ in before:
            start.pop()
        return before + read, texts
