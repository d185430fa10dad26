"""A game in hand, and records adjudicated one by one: what Python users hold."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from adjudicator._replay import FLAGS
from adjudicator.batch import BatchResult, replay_batch
from adjudicator.facts import NONE, explosion, in_own_palace, reserve_word
from adjudicator.moves import NOWHERE, move_text
from adjudicator.position import Position
from adjudicator.relocation import relocated
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.ruling import Ruling, ruling_of
from adjudicator.setup import SIDES
from notation import containers
from notation.finding import Finding
from notation.record import GameRecord, RecordBatch
from notation.tags import value_of

if TYPE_CHECKING:
    import polars as pl

SHARD_BYTES = 1 << 22
"""How much of a large file is read at a time."""


class Ply(NamedTuple):
    """One annotated ply; fields are the columns of the ``moves`` table, points and pieces by name."""

    ply: int
    side: str
    move: str
    start: str | None
    to: str
    drop: bool
    defensive_drop: bool
    promotion: str | None
    piece: str
    captured: str | None
    explosion: list[str] | None
    lethal: bool
    check: bool
    wide_check: bool
    discovered_check: bool
    double_check: bool
    facing_check: bool
    mate: bool
    stalemate: bool
    legal_replies: int
    plies_since_capture: int
    occurrence: int
    reserves: str | None
    position_key: int
    token: str


class Game:
    """A game being played, from ``fen`` (None: the start position); ``handicap`` as `Position` takes it.

    >>> game = Game()
    >>> game.push("h3e3")
    >>> game.moves
    ['h3e3']
    >>> game.ruling("site").result
    '*'
    """

    def __init__(self, fen: str | None = None, rules: str | Ruleset = "xiangqi", handicap: str | None = None):
        self.position = Position(fen, rules, handicap)
        self.rules = self.position.rules
        self.start_fen = self.position.fen()
        self.handicap = self.position.handicap
        self.moves: list[str] = []

    def __repr__(self) -> str:
        return f"<Game {self.rules.id}, {len(self.moves)} plies: {self.fen()}>"

    def push(self, move: str, notation: str | None = None) -> None:
        """Play a move (coordinates, or as ``notation`` says). Raises as `Position.push` does."""
        move = self.position.parse(move, notation)
        self.position.push(move)
        self.moves.append(move)

    def pop(self) -> str:
        """Take the last move back and return it. Raises IndexError when there is none."""
        self.position.pop()
        return self.moves.pop()

    def fen(self) -> str:
        """The present position."""
        return self.position.fen()

    def ruling(self, book: str | RuleBook | None = None) -> Ruling:
        """How the game stands under the rule set and ``book`` (None: the rule set's own)."""
        return self.adjudicate(book).ruling

    def adjudicate(self, book: str | RuleBook | None = None) -> Adjudication:
        """The whole game annotated and ruled on, like a record read from a file."""
        tags = {"FEN": self.start_fen, "Handicap": self.handicap or "none"}
        record = GameRecord(tags=tags, tokens=list(self.moves), fen=self.start_fen)
        return next(adjudicate([record], self.rules, book))


def adjudicate(
    source: str | bytes | Path | Iterable[GameRecord],
    rules: str | Ruleset = "xiangqi",
    book: str | RuleBook | None = None,
    *,
    encoding: str | None = None,
) -> Iterator[Adjudication]:
    """Replay and rule on every record of ``source``, in order.

    ``source`` is a path, the content of a file as bytes or text (text with a newline, or that names no file), or
    records; what format a file is in is found by looking at it.
    Every record gives one `Adjudication`, broken or not; only a path that cannot be read raises (OSError), and so does
    a line that is neither a path nor a record.
    """
    ruleset = rules if isinstance(rules, Ruleset) else Ruleset.load(rules)
    rulebook = ruleset.rulebook(book)
    for batch in _batches(source, encoding):
        result = replay_batch(batch, ruleset, rulebook)
        by_game: dict[int | None, list[Finding]] = {}
        for finding in (*batch.findings, *result.findings):
            by_game.setdefault(finding.game, []).append(finding)
        for game in range(len(batch)):
            yield Adjudication(batch, result, game, ruleset, rulebook, by_game.get(game, []))


def _batches(
    source: str | bytes | Path | Iterable[GameRecord], encoding: str | None
) -> Iterator[RecordBatch]:
    if isinstance(source, str) and "\n" not in source and os.path.exists(source):
        source = Path(source)
    if isinstance(source, str):
        # A lone surrogate is one damaged sign, not the end of the run.
        text = containers.batches(source.encode("utf-8", "replace"), SHARD_BYTES, encoding="utf-8")
        batches = [batch for batch in text if len(batch)] if "\n" not in source else text
        if not batches:
            raise FileNotFoundError(errno.ENOENT, "no such file, and no record either", source)
        yield from batches
    elif isinstance(source, bytes | Path):
        yield from containers.batches(source, SHARD_BYTES, encoding=encoding)
    else:
        yield RecordBatch.from_records(list(source))


@dataclass(frozen=True, slots=False, repr=False)
class Adjudication:
    """One record with its rulings: ``result``, ``reason``, ``ply``, ``claim``, ``findings``, ``moves``."""

    _batch: RecordBatch
    _result: BatchResult
    _game: int
    rules: Ruleset
    book: RuleBook
    findings: list[Finding]

    def __repr__(self) -> str:
        players = f"{value_of(self.tags, 'Red') or '?'} – {value_of(self.tags, 'Black') or '?'}"
        return f"<Adjudication {players}: {self.ruling!r}, {len(self.moves)} plies, {len(self.findings)} findings>"

    def _column(self, name: str) -> Any:
        return self._result.games[name][self._game]

    @property
    def result(self) -> str:
        """As ruled: "red", "black", "draw", or "*" when nothing has ended the game."""
        return self._column("result")

    @property
    def reason(self) -> str | None:
        """What ended the game: a key of `adjudicator.reasons.REASON_WORDS`."""
        return self._column("reason")

    @property
    def ply(self) -> int | None:
        """The ply at which the result became binding (0: the start position)."""
        return self._column("end_ply")

    @property
    def claim(self) -> str:
        """The record's own result against the ruling: a key of `adjudicator.ruling.CLAIMS`."""
        return self._column("claim")

    @property
    def claimed(self) -> str | None:
        """The result that the record itself gives."""
        return self._column("claimed")

    @property
    def notation(self) -> str | None:
        """The notation found, and where its ranks start."""
        return self._column("notation")

    @property
    def explosions(self) -> int:
        """How many captures exploded; a shot, as a cannon's in atomic xiangqi, does not."""
        return self._column("explosions")

    @property
    def game_id(self) -> int:
        return self._column("game_id")

    @property
    def start_fen(self) -> str | None:
        return self._column("start_fen")

    @property
    def handicap(self) -> str | None:
        """The handicap, as a Handicap tag has it, with the pieces that are iron at the start; None without one."""
        return self._column("handicap")

    @property
    def final_fen(self) -> str | None:
        """The position after the last ply replayed."""
        return self._column("final_fen")

    @property
    def tags(self) -> dict[str, str]:
        return self._batch.tags[self._game]

    @cached_property
    def record(self) -> GameRecord:
        """The record as read: tags, tokens, comments, variations; moves before the first turn are in its tag."""
        return relocated(self._batch.record(self._game), self._column("relocations"))

    @cached_property
    def moves(self) -> Plies:
        """The annotated plies, up to the last one that could be replayed."""
        return Plies(self._batch, self._result, self._game, self.rules)

    @cached_property
    def ruling(self) -> Ruling:
        """The ruling with its reasons."""
        return ruling_of(
            self._result.repeats,
            self._game,
            self.book,
            self.result,
            self.reason,
            self.ply,
            self._column("cycle"),
        )


class Plies(Sequence[Ply]):
    """The annotated plies of one record: a sequence of `Ply`, or a table (`to_arrow`, `to_polars`)."""

    def __init__(self, batch: RecordBatch, result: BatchResult, game: int, rules: Ruleset):
        self._batch = batch
        self._result = result
        self._rows = range(result.first_ply[game], result.first_ply[game + 1])
        self._rules = rules

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._ply(row) for row in self._rows[index]]
        return self._ply(self._rows[index])

    def _ply(self, row: int) -> Ply:
        p, rules = self._result.plies, self._rules
        flags = p["flags"][row]
        start, to, drop = p["from"][row], p["to"][row], bool(flags & FLAGS["drop"])
        kind = p["piece"][row] + 1 if drop else 0 if p["promotion"][row] == NONE else p["promotion"][row] + 1
        return Ply(
            ply=p["ply"][row],
            side=SIDES[p["side"][row]],
            move=move_text(rules, (NOWHERE if drop else start, to, kind)),
            start=None if drop else rules.point_name(start),
            to=rules.point_name(to),
            drop=drop,
            defensive_drop=drop and in_own_palace(rules, p["side"][row], to),
            promotion=self._letter(p["promotion"][row]),
            piece=rules.pieces[p["piece"][row]].letter,
            captured=self._letter(p["captured"][row]),
            explosion=explosion(rules, p, row),
            lethal=bool(flags & FLAGS["general_gone"]),
            check=bool(flags & FLAGS["check"]),
            wide_check=bool(flags & FLAGS["wide_check"]),
            discovered_check=bool(flags & FLAGS["discovered_check"]),
            double_check=bool(flags & FLAGS["double_check"]),
            facing_check=bool(flags & FLAGS["facing_check"]),
            mate=bool(flags & FLAGS["mate"]),
            stalemate=bool(flags & FLAGS["stalemate"]),
            legal_replies=p["legal_replies"][row],
            plies_since_capture=p["plies_since_capture"][row],
            occurrence=p["occurrence"][row],
            reserves=reserve_word(rules, p, p["reserve"][row]) if "reserve" in p else None,
            position_key=p["position_key"][row],
            token=self._batch.lexemes[self._batch.token[p["token"][row]]],
        )

    def _letter(self, kind: int) -> str | None:
        return None if kind == NONE else self._rules.pieces[kind].letter

    def to_arrow(self) -> Any:
        """A pyarrow Table: `Ply`'s fields with the names and the value types of the ``moves`` table."""
        import pyarrow as pa

        text, points = pa.string(), pa.list_(pa.string())
        types = {bool: pa.bool_(), int: pa.uint32(), str: text, str | None: text, list[str] | None: points}
        own = {"legal_replies": pa.uint16(), "position_key": pa.uint64()}
        plies = list(self)
        columns = {}
        for place, (name, kind) in enumerate(get_type_hints(Ply).items()):
            values = pa.array([ply[place] for ply in plies], own.get(name) or types[kind])
            columns["from" if name == "start" else name] = values
        return pa.table(columns)

    def to_polars(self) -> pl.DataFrame:
        """`to_arrow` as a polars DataFrame."""
        import polars as pl

        return pl.DataFrame(self.to_arrow())
