"""Rulings under another rule book, made from a stored run: no record is read and no move replayed.

``DIR/rulings/BOOK.parquet`` stands beside the run's own tables. Ends are found by the kernel over the stored facts;
conduct is read back for the games that come to a repetition, and boards are set up again only for cycles of which the
run stored none (another ``fold`` than three).
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from adjudicator import _ends, _replay
from adjudicator.compile import tables
from adjudicator.conduct import QUIET, Conduct, Notes
from adjudicator.datafile import RulesetError
from adjudicator.examination import SECTIONS
from adjudicator.repeats import Repeats
from adjudicator.rulebook import RuleBook, option_names
from adjudicator.ruleset import Ruleset
from adjudicator.ruling import (
    REASONS,
    STOPPED,
    WINNERS,
    Ruling,
    claim_of,
    law,
    other_results,
    ruling_of,
)
from adjudicator.setup import SIDES, Start, start_from_fen
from adjudicator.verdict import Verdict
from pipeline import manifest, schemas, stages, store

FOLDER = "rulings"
NONE = 255
_FLAG = _replay.FLAGS


class NoRun(Exception):
    """The folder holds no finished run that rulings could be made from."""


def damaged(path: Path) -> NoRun:
    """What to say of a part of a run that cannot be read."""
    return NoRun(f"{path}: missing or damaged; give the command of the run again")


@dataclass(slots=True)
class Ruled:
    """What a re-ruling came to: the file, and counts of (result, reason)."""

    out: Path
    book: RuleBook
    games: int = 0
    plies: int = 0
    disputed: int = 0
    results: Counter[tuple[str, str]] = field(default_factory=Counter)

    def take(self, columns: dict[str, list[Any]]) -> pa.Table:
        """Count the rulings of ``columns`` and make them a table."""
        self.games += len(columns["record"])
        self.disputed += sum(other is not None for other in columns["disputed"])
        self.results.update(
            zip(columns["result"], (reason or "" for reason in columns["reason"]), strict=True)
        )
        return stages.table("rulings", columns)


BATCH = 50_000
"""Games to a row group."""


def no_rulings() -> dict[str, list[Any]]:
    """Columns of the rulings table for `Part.rule` to fill."""
    return {column.name: [] for column in schemas.schema("rulings")}


def rule(run: Path, book: str, settings: Mapping[str, Any] | None = None, reasons: bool = False) -> Ruled:
    """Rule on every game of the run in ``run`` by ``book``, ``settings`` set over it; write the rulings beside it.

    Losses by repetition and disputed rulings come with their reasons; plain draws only with ``reasons``.

    Raises `NoRun`, and `RulesetError` for a book or options that cannot be used.
    """
    stored = Stored.open(run)
    if fixed := _of_the_run(stored.rules, settings or {}):
        raise RulesetError(fixed)
    rulebook = stored.rules.rulebook(book, settings)
    ruled = Ruled(run / FOLDER / f"{name_of(book, settings)}.parquet", rulebook)

    def rulings() -> Iterator[pa.Table]:
        columns = no_rulings()
        for number in stored.parts:
            part = stored.part(number)
            part.rule(rulebook, reasons, columns)
            ruled.plies += part.rows[-1]
            if len(columns["record"]) >= BATCH:
                yield ruled.take(columns)
                columns = no_rulings()
        yield ruled.take(columns)

    head = json.dumps({**_head(stored, rulebook), "reasons": reasons}, ensure_ascii=False)
    schema = schemas.schema("rulings")
    schema = schema.with_metadata(schema.metadata | {HEAD: head.encode()})
    store.write_all(rulings(), schema, ruled.out)
    return ruled


def _of_the_run(rules: Ruleset, settings: Mapping[str, Any]) -> list[str]:
    """What is to be said of ``settings`` that are the rule set's: the games were replayed under the run's own."""
    options = {
        name: f"{section}.{key}"
        for section in SECTIONS
        if section != "repetition"  # what stands there is the book's
        for key in rules.data.get(section, ())
        for name in (key, f"{section}.{key}")
    }
    own = {"ending.no_capture_limit": ", or set the book's limit, --set limit.plies={value}"}
    return [
        f"{key} is an option of the rule set, for which the run's own --set counts: adjudicate again with"
        f" --set {key}={value}{own.get(options[key], '').format(value=value)}"
        for key, value in settings.items()
        if key in options and key not in option_names()
    ]


def ruled(run: Path, book: str) -> Path:
    """The rulings of ``run`` by ``book``, made now unless they stand there and are of this run and this book."""
    stored = Stored.open(run)
    path = run / FOLDER / f"{name_of(book)}.parquet"
    try:
        found = json.loads(pq.read_schema(path).metadata[HEAD])
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found != {
        **_head(stored, stored.rules.rulebook(book)),
        "reasons": (found or {}).get("reasons"),
    }:
        rule(run, book)
    return path


def of_records(run: Path, book: str, records: Iterable[int]) -> dict[int, Ruling]:
    """The rulings by ``book`` on some of the ``records`` of the run in ``run``, with all their reasons.

    Raises as `rule` does.
    """
    stored = Stored.open(run)
    rulebook = stored.rules.rulebook(book)
    wanted = set(records)
    found: dict[int, Ruling] = {}
    for number in stored.parts if wanted else ():
        ordinals = _read(run, number, "games", ["record"])["record"].to_pylist()
        if wanted.isdisjoint(ordinals):
            continue
        judged = stored.part(number).judged(rulebook, reasons=True)
        found |= {record: judged.ruling(game) for game, record in enumerate(ordinals) if record in wanted}
    return found


HEAD = b"caipan_ruling"
"""Where a file of rulings says what it was made from."""


def _head(stored: Stored, book: RuleBook) -> dict[str, Any]:
    return {
        "caipan": stored.head["caipan"],
        "run": stored.digest,
        "rules": stored.head["rules"],
        "book": {"id": book.id, **book.options(), "digest": store.digest(repr(book).encode())},
    }


def name_of(book: str, settings: Mapping[str, Any] | None = None) -> str:
    """ "axf", or "axf+fold=5" with options set over it; a book in a file goes by the file's name."""
    name = Path(book).stem if book.endswith(".toml") else book
    return "+".join(
        [name, *(f"{key}={value}".replace("/", "_") for key, value in sorted((settings or {}).items()))]
    )


@dataclass(slots=True)
class Stored:
    """A finished run on disk."""

    run: Path
    head: dict[str, Any]
    parts: list[int]
    digest: str

    @classmethod
    def open(cls, run: Path) -> Stored:
        """The run in ``run``; raises `NoRun` when there is none, or it was stopped before its end."""
        try:
            data = json.loads((run / manifest.NAME).read_text(encoding="utf-8"))
            parts = data.pop("parts")
            wanted, version, id_ = data["shards"], data["schema"], data["rules"]["id"]
            digests = "".join(part["sha256"]["games"] for _, part in sorted(parts.items()))
            numbers = sorted(map(int, parts))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise NoRun(f"{run}: no run of caipan here") from None
        if version != schemas.VERSION:
            raise NoRun(f"{run}: written by another version of caipan; adjudicate the records again")
        if len(parts) != wanted:
            raise NoRun(f"{run}: the run was stopped; give the same command again to finish it")
        stored = cls(run, data, numbers, store.digest(digests.encode()))
        if stored.rules.fingerprint != data["rules"]["fingerprint"]:
            raise NoRun(f"{run}: the rule set {id_} is not as it was; adjudicate the records again")
        return stored

    @property
    def rules(self) -> Ruleset:
        """The rule set of the run. Raises RulesetError when it cannot be used any more."""
        return Ruleset.load(self.head["rules"]["from"], self.head["options"]["set"])

    @property
    def book_options(self) -> dict[str, Any]:
        return self.rules.book_options

    @property
    def book(self) -> str:
        """The rule book that the run itself was ruled by."""
        return self.head["book"]["id"]

    def part(self, number: int) -> Part:
        return Part(self.run, number, self.rules)


@dataclass(frozen=True, slots=True)
class Judged:
    """The games of a part as a ``book`` rules on them, a value for each; ``verdicts`` on those that it has them for."""

    repeats: Repeats
    book: RuleBook
    result: list[str]
    reason: list[str | None]
    end: list[int | None]
    cycle: list[int | None]
    verdicts: dict[int, Verdict]

    def ruling(self, game: int) -> Ruling:
        """The ruling on a game, with its reasons."""
        return ruling_of(
            self.repeats,
            game,
            self.book,
            self.result[game],
            self.reason[game],
            self.end[game],
            self.cycle[game],
            self.verdicts.get(game),
        )


class Part:
    """The facts of one part of a run, as columns of the kernel."""

    def __init__(self, run: Path, number: int, rules: Ruleset):
        self.run, self.number, self.rules = run, number, rules
        self.games = self.read("games", _GAMES)
        self.played: list[int] = self.games["plies_replayed"].to_pylist()
        self.rows = array("q", accumulate(self.played, initial=0))
        known = _Starts(rules)
        told = list(zip(_texts(self.games["start_fen"]), _texts(self.games["handicap"]), strict=True))
        starts = {each: known.of(*each) for each in dict.fromkeys(told)}
        self._starts = [starts[each] for each in told]
        self.plies = _Plies(self)

    def read(self, table: str, columns: list[str]) -> pa.Table:
        """Columns of one of the part's tables. Raises `NoRun` when they cannot be read."""
        return _read(self.run, self.number, table, columns)

    def start(self, game: int) -> tuple[Start, int, int, int]:
        """A game's start position, who moves first, the position's key and its flags."""
        return self._starts[game]

    @cached_property
    def conduct(self) -> dict[int, Conduct]:
        """What the run stored of the conduct in repeated cycles, by game."""
        table = self.read("conduct", _CONDUCT)
        records = table["record"].to_pylist()
        begins = [row for row in range(len(records)) if not row or records[row] != records[row - 1]]
        attacks, quiet = _chunk(table["attacks"]), _chunk(table["quiet"])
        classes = bytes(QUIET.index(word) for word in quiet.dictionary.to_pylist())
        notes = Notes(
            self.rules,
            {
                "game": [*begins, len(records)],
                "ply": _plain(table["ply"], "I"),
                "side": _plain(_is(table["side"], "black"), "B"),
                "move": _Words(_chunk(table["move"])),
                "moved": _plain(table["moved"], "B"),
                "check": _plain(table["check"].cast(pa.uint8()), "B"),
                "kill": _plain(table["kill"], "B"),
                "quiet": bytes(_plain(quiet.indices, "B")).translate(classes.ljust(256, b"\0")),
                "at": _plain(attacks.offsets, "I"),
                "words": _plain(attacks.values, "Q"),
            },
        )
        game_of = {record: game for game, record in enumerate(self.games["record"].to_pylist())}
        return {game_of[records[begin]]: notes.conduct(number) for number, begin in enumerate(begins)}

    def judged(self, book: RuleBook, reasons: bool) -> Judged:
        """The games of this part as ``book`` rules on them; with ``reasons`` the conduct is there to tell any."""
        n = len(self.games)
        starts = [self.start(game) for game in range(n)]
        plies = self.plies
        ends = _ends.find_ends(
            self.rows,
            plies["position_key"],
            plies["flags"],
            plies["side"],
            plies["occurrence"],
            plies["plies_since_capture"],
            array("Q", [start[2] for start in starts]),
            array("H", [start[3] for start in starts]),
            array("B", [start[1] for start in starts]),
            law(self.rules, book),
        )
        repeats = Repeats(self.rules, plies, self.rows, lambda game: starts[game][:3])
        repeated = [game for game, cycle in enumerate(ends["cycle"]) if cycle >= 0]
        if repeated and (book.judges_conduct or reasons):
            repeats.known = self.conduct
        verdicts = repeats.judge(ends, book)
        result = [WINNERS[code] for code in ends["winner"]]
        reason = [REASONS[code] for code in ends["end"]]
        for game, verdict in verdicts.items():
            result[game], reason[game] = WINNERS[verdict.winner], verdict.reason
        end = [ply if code else None for ply, code in zip(ends["ply"], ends["end"], strict=True)]
        cycle = [ply if ply >= 0 else None for ply in ends["cycle"]]
        return Judged(repeats, book, result, reason, end, cycle, verdicts)

    def rule(self, book: RuleBook, reasons: bool, columns: dict[str, list[Any]]) -> None:
        """Append the rulings of this part by ``book`` to ``columns``; with ``reasons`` plain draws tell theirs, too."""
        n = len(self.games)
        judged = self.judged(book, reasons)
        disputed: list[str | None] = [None] * n
        for game, verdict in judged.verdicts.items():
            disputed[game] = other_results(verdict)
        stopped = [claim if claim in STOPPED else None for claim in _texts(self.games["claim"])]
        claimed = _texts(self.games["claimed"])
        columns["record"] += self.games["record"].to_pylist()
        columns["game_id"] += self.games["game_id"].to_pylist()
        columns["result"] += judged.result
        columns["reason"] += judged.reason
        columns["end_ply"] += judged.end
        columns["cycle"] += judged.cycle
        columns["claim"] += map(claim_of, stopped, claimed, judged.result, judged.end, self.played)
        columns["disputed"] += disputed
        told: dict[str, list[Any]] = {name: [None] * n for name in _REASONED}
        repeated = [game for game, cycle in enumerate(judged.cycle) if cycle is not None]
        for game in repeated:
            if reasons or judged.reason[game] != "repetition" or disputed[game]:
                details = judged.ruling(game).to_dict()
                told["occurrences"][game] = details["occurrences"]
                told["red"][game], told["black"][game] = (details["conduct"][side] for side in SIDES)
                told["clauses"][game] = details["clauses"]
                told["explanation"][game] = details.pop("explanation")
                told["explanation_zh"][game] = details.pop("explanation_zh")
                told["details"][game] = json.dumps(details, ensure_ascii=False)
        for name, values in told.items():
            columns[name] += values


def _read(run: Path, part: int, table: str, columns: list[str]) -> pa.Table:
    path = store.part_path(run, table, part)
    try:
        with pq.ParquetFile(path) as file:
            return file.read(columns, use_threads=False)
    except (OSError, pa.ArrowException):
        raise damaged(path) from None


_GAMES = ["record", "game_id", "plies_replayed", "start_fen", "handicap", "claimed", "claim"]
_CONDUCT = ["record", "ply", "side", "move", "moved", "check", "kill", "quiet", "attacks"]
_REASONED = ("occurrences", "red", "black", "clauses", "explanation", "explanation_zh", "details")


class _Words:
    """Texts of a column, one at a time."""

    def __init__(self, column: pa.Array):
        self._column = column

    def __getitem__(self, row: int) -> str | None:
        return self._column[row].as_py()


class _Starts:
    """Start positions as the kernel sees them."""

    def __init__(self, rules: Ruleset):
        self.rules = rules
        self.kernel = _replay.Starts(tables(rules))

    def of(self, fen: str | None, handicap: str | None) -> tuple[Start, int, int, int]:
        """A start position, who moves first, its key and its flags; all 0 where it cannot be played."""
        start = start_from_fen(fen, self.rules, handicap or "none")
        if fen is None or not start.playable:
            return start, 0, 0, 0
        number = self.kernel.add(start.pieces, start.side or 0, start.since_capture, start.held, start.iron)
        key, side, flags = self.kernel.facts(number)
        return start, side, key, flags


class _Plies(Mapping[str, Any]):
    """The plies of a part as `_replay.replay` gave them: what every ruling needs, and the rest when asked for."""

    _LATER = ("from", "to", "piece", "promotion")

    def __init__(self, part: Part):
        self._part = part
        rules = part.rules
        # Only an explosion leaves a side without its general, and only a wide check differs from a direct one there.
        flags = ["check", "mate", "stalemate", *(["wide_check", "legal_replies"] if rules.explodes else [])]
        table = part.read("moves", ["position_key", "occurrence", "plies_since_capture", *flags])
        self._known: dict[str, Any] = {
            "position_key": _plain(table["position_key"], "Q"),
            "occurrence": _plain(table["occurrence"], "I"),
            "plies_since_capture": _plain(table["plies_since_capture"], "I"),
            "side": self._sides(),
            "flags": _plain(self._flags(table), "H"),
        }

    def __len__(self) -> int:
        return len(self._known | dict.fromkeys(self._LATER))

    def __iter__(self) -> Iterator[str]:
        return iter(self._known | dict.fromkeys(self._LATER))

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._read_moves()
        return self._known[name]

    def _sides(self) -> bytes:
        """Who played each ply: the sides take turns."""
        part = self._part
        longest = max(part.played, default=0) + 1
        alternate = b"\0\1" * longest
        firsts = (part.start(game)[1] for game in range(len(part.played)))
        return b"".join(
            alternate[first : first + plies] for first, plies in zip(firsts, part.played, strict=True)
        )

    def _read_moves(self) -> None:
        rules = self._part.rules
        table = self._part.read("moves", [*self._LATER, "drop"])
        points = pa.array([rules.point_name(point) for point in range(rules.files * rules.ranks)])
        letters = pa.array([piece.letter for piece in rules.pieces])
        for name in self._LATER:
            words = points if name in ("from", "to") else letters
            codes = pc.index_in(table[name].cast(pa.string()), value_set=words)
            codes = pc.if_else(pc.is_null(table[name]), pa.scalar(NONE, pa.int32()), codes)
            self._known[name] = _plain(codes.cast(pa.uint8()), "B")
        flags = array("H", self._known["flags"])
        for row in pc.indices_nonzero(table["drop"]).to_pylist():
            flags[row] |= _FLAG["drop"]
        self._known["flags"] = flags

    def _flags(self, table: pa.Table) -> Any:
        """The kernel's flags, as far as a ruling asks for them."""

        def bit(column: Any, name: str) -> Any:
            return pc.multiply(column.cast(pa.uint16()), pa.scalar(_FLAG[name], pa.uint16()))

        names = [name for name in ("check", "wide_check", "mate", "stalemate") if name in table.column_names]
        flags = bit(table[names[0]], names[0])
        for name in names[1:]:
            flags = pc.bit_wise_or(flags, bit(table[name], name))
        if "legal_replies" in table.column_names:
            # No reply, and neither mate nor stalemate: the general is gone.
            ended = pc.or_(table["mate"], table["stalemate"])
            gone = pc.and_not(pc.equal(table["legal_replies"], pa.scalar(0, pa.uint16())), ended)
            flags = pc.bit_wise_or(flags, bit(gone, "general_gone"))
        return flags


def _chunk(column: Any) -> pa.Array:
    """A column in one piece."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return (
        column.chunk(0)
        if column.num_chunks == 1
        else pa.concat_arrays(column.chunks or [pa.array([], column.type)])
    )


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    """The texts of a dictionary column."""
    values = _chunk(column)
    words = [*values.dictionary.to_pylist(), None]
    return [words[-1 if code is None else code] for code in values.indices.to_pylist()]


def _is(column: pa.ChunkedArray, word: str) -> pa.Array:
    """1 where a dictionary column says ``word``, else 0."""
    values = _chunk(column)
    code = pc.index(values.dictionary, pa.scalar(word)).as_py()
    return pc.equal(values.indices, pa.scalar(code % 256, values.indices.type)).cast(pa.uint8())


def _plain(column: Any, kind: Literal["B", "H", "I", "i", "Q"]) -> memoryview:
    """A column without nulls as a buffer of ``kind``."""
    values = _chunk(column)
    size = array(kind).itemsize
    buffer = values.buffers()[1]
    if buffer is None or not len(values):
        return memoryview(array(kind))
    data = memoryview(buffer).cast("B")[values.offset * size : (values.offset + len(values)) * size]
    return data.cast(kind)
