"""From a shard to its tables: read the records, replay them, shape the columns. Pure.

The columns of the moves table are the kernel's and the reader's own buffers wherever the types agree; no
Python object is made per move.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from adjudicator import _replay
from adjudicator.batch import BatchResult, replay_batch
from adjudicator.conduct import QUIET, Notes
from adjudicator.facts import blast_words, in_own_palace, reserve_words
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.setup import SIDES
from notation.finding import Finding
from notation.record import RecordBatch
from notation.tags import Tags, places
from pipeline.schemas import schema
from pipeline.shards import Shard

Tables = dict[str, pa.Table]
"""The tables of a shard by name."""

NONE = 255
"""What the kernel writes for no point and no piece."""

FLAGS = {
    "drop": "drop",
    "lethal": "general_gone",
    "check": "check",
    "wide_check": "wide_check",
    "discovered_check": "discovered_check",
    "double_check": "double_check",
    "facing_check": "facing_check",
    "mate": "mate",
    "stalemate": "stalemate",
}
"""Columns that are bits of the kernel's ``flags``, with its names for them."""

TERMINATORS = (None, "red", "black", "draw", "*", "other")


@dataclass(frozen=True, slots=True)
class Options:
    """What the rulings of a run depend on besides its records."""

    rules: str
    book: str
    settings: tuple[tuple[str, Any], ...] = ()
    encoding: str | None = None

    @classmethod
    def of(
        cls, rules: str, book: str | None, settings: Mapping[str, Any] | None, encoding: str | None = None
    ) -> Options:
        """Options as a person gives them: no book is the rule set's own. Raises `RulesetError`."""
        settings = dict(settings or {})
        book = book or Ruleset.load(rules, settings).book
        options = cls(rules, book, tuple(sorted(settings.items())), encoding)
        options.rulebook()
        return options

    def ruleset(self) -> Ruleset:
        return Ruleset.load(self.rules, dict(self.settings))

    def rulebook(self) -> RuleBook:
        return self.ruleset().rulebook(self.book)


def adjudicate(shard: Shard, options: Options) -> Tables:
    """The games, moves, findings and conduct of ``shard``."""
    rules = options.ruleset()
    batches = [piece.read(options.encoding) for piece in shard.pieces]
    batch = batches[0] if len(batches) == 1 else RecordBatch.joined(batches)
    result = replay_batch(batch, rules, options.book)
    findings = [*batch.findings, *result.findings]
    first = [0, *accumulate(piece.games for piece in shard.pieces)]
    for finding in result.findings:
        piece = shard.pieces[bisect_right(first, finding.game or 0) - 1]
        finding.source = piece.source.name
    per_game = Counter(finding.game for finding in findings)
    return {
        "games": _games(batch, result, shard, options, rules, per_game),
        "moves": _moves(batch, result, shard.record, rules),
        "findings": findings_table(findings, shard.record, result.games["game_id"]),
        "conduct": conduct_table(*result.repeats.note_all(result.start_keys), shard.record),
    }


# -- games -----------------------------------------------------------------------------------------

_TAGS = {
    "Event": "event",
    "Site": "site",
    "Date": "date",
    "Round": "round",
    "Red": "red",
    "White": "red",
    "Black": "black",
    "Result": "result_tag",
    "Termination": "termination",
    "TimeControl": "time_control",
}
"""Column by tag; records differ in the case of tag names."""


def _games(
    batch: RecordBatch,
    result: BatchResult,
    shard: Shard,
    options: Options,
    rules: Ruleset,
    per_game: Counter[int | None],
) -> pa.Table:
    n = len(batch)
    columns: dict[str, Any] = {
        "record": pa.arange(shard.record, shard.record + n).cast(pa.uint32()),
        "source": _of_pieces(shard, [piece.source.name for piece in shard.pieces]),
        "index": _column(batch.index, pa.uint32()),
        "offset": _column(batch.offset, pa.uint64()),
        "line": pa.array([line or None for line in batch.line], pa.uint32()),
        "container": _of_pieces(shard, [piece.source.container for piece in shard.pieces]),
        "encoding": batch.encoding,
        "rules": _constant(rules.id, n),
        "rules_fingerprint": _constant(rules.fingerprint, n),
        "book": _constant(options.book, n),
        "terminator": [TERMINATORS[code] for code in batch.terminator],
        "plies_recorded": [
            b - a - relocated
            for (a, b), relocated in zip(
                pairwise(batch.first_token), result.games["relocations"], strict=True
            )
        ],
        "plies_replayed": result.games["plies"],
        "variations": _column(batch.variations, pa.uint32()),
        "findings": [per_game[game] for game in range(n)],
        "duplicate_of": pa.nulls(n, pa.uint32()),
    }
    columns |= _tag_columns(batch.tags)
    for column in schema("games"):
        if column.name not in columns:
            columns[column.name] = result.games[column.name]
    return table("games", columns)


def _tag_columns(tags: Tags) -> dict[str, pa.Array]:
    texts = pa.array(tags.texts, pa.string())
    value = _column(tags.value, pa.uint32())
    shape, first = _column(tags.shape, pa.uint32()), _column(tags.first, pa.int64())[:-1]
    blank = pa.array([k for k, text in enumerate(tags.texts) if not text.strip()], pa.uint32())
    taken: list[set[int]] = [set() for _ in tags.shapes]
    columns = {}
    for column in dict.fromkeys(_TAGS.values()):
        told = [_told_by(column, names) for names in tags.shapes]
        code = pa.nulls(len(tags), pa.uint32())
        for n in range(max(map(len, told), default=0)):
            place = pa.array([at[n] if n < len(at) else None for at in told], pa.int64())
            said = value.take(pc.add(first, place.take(shape)))
            silent = pc.and_(pc.or_kleene(pc.is_null(code), pc.is_in(code, blank)), pc.is_valid(said))
            code = said if n == 0 else pc.if_else(silent, said, code)
        coded = code.dictionary_encode()
        columns[column] = pa.DictionaryArray.from_arrays(coded.indices, texts.take(coded.dictionary))
        for known, at in zip(taken, told, strict=True):
            known.update(at[:1])
    # The rest, as one list over all records: of which shape's names is what stands at each value?
    names = pa.array([name for names in tags.shapes for name in names], pa.string())
    others = [[k not in known for k in range(len(n))] for n, known in zip(tags.shapes, taken, strict=True)]
    begin = pa.array([0, *accumulate(map(len, others))], pa.int64()).take(shape)
    game = pc.list_parent_indices(pa.LargeListArray.from_arrays(_column(tags.first, pa.int64()), value))
    which = pc.add(pa.arange(0, len(value)), pc.subtract(begin, first).take(game))
    kept = pc.indices_nonzero(
        pa.array([is_other for other in others for is_other in other], pa.bool_()).take(which)
    )
    counts = pa.array([sum(other) for other in others], pa.int32()).take(shape)
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(counts)])
    pairs = names.take(which.take(kept)), texts.take(value.take(kept))
    return {**columns, "other_tags": pa.MapArray.from_arrays(offsets, *pairs)}


def _told_by(column: str, names: Sequence[str]) -> list[int]:
    """Where among ``names`` are the tags of ``column``; of several the first that says something counts."""
    found = [places(names, name) for name, told in _TAGS.items() if told == column]
    return [place for alike in sorted(filter(None, found), key=min) for place in alike]


# -- moves -----------------------------------------------------------------------------------------


def _moves(batch: RecordBatch, result: BatchResult, record: int, rules: Ruleset) -> pa.Table:
    plies = result.plies
    game = _column(plies["game"], pa.uint32())
    n = len(game)
    points = [rules.point_name(point) for point in range(rules.files * rules.ranks)]
    letters = [piece.letter for piece in rules.pieces]
    columns: dict[str, pa.Array] = {
        "record": pc.add(game, pa.scalar(record, pa.uint32())),
        "game_id": pc.take(_column(result.games["game_id"], pa.uint64()), game, boundscheck=False),
        "side": _word(plies["side"], ["red", "black"]),
        "from": _word(plies["from"], points),
        "to": _word(plies["to"], points),
        "piece": _word(plies["piece"], letters),
        "captured": _word(plies["captured"], letters),
        "promotion": _word(plies["promotion"], letters),
        "explosion": _explosions(plies, rules, n),
        "reserves": _reserves(plies, rules, n),
    }
    for name in ("ply", "legal_replies", "plies_since_capture", "occurrence", "position_key"):
        columns[name] = _column(plies[name], schema("moves").field(name).type)
    flags = _column(plies["flags"], pa.uint16())
    for name, known in FLAGS.items():
        mask = pa.scalar(_replay.FLAGS[known], pa.uint16())
        columns[name] = pc.equal(pc.bit_wise_and(flags, mask), mask)
    columns["defensive_drop"] = _defensive(plies, columns["drop"], rules)
    columns |= _written(batch, _column(plies["token"], pa.uint32()))
    return table("moves", columns)


def _written(batch: RecordBatch, token: pa.Array) -> dict[str, pa.Array]:
    """The columns that come from the record, for the moves that were played: ``token`` are their places."""
    whole = len(token) == len(batch.token)

    def pick(values: Any, kind: pa.DataType) -> pa.Array:
        column = _column(values, kind)
        return column if whole else column.take(token)

    evaluation, seconds = pick(batch.evaluation, pa.float32()), pick(batch.seconds, pa.float32())
    mate, depth = pick(batch.mate, pa.int16()), pick(batch.depth, pa.int16())
    nag, comment = pick(batch.nag, pa.uint8()), pick(batch.comment, pa.int32())
    comment = _unless(comment, -1)
    return {
        "token": pa.DictionaryArray.from_arrays(
            pick(batch.token, pa.int32()), pa.array(batch.lexemes, pa.string())
        ),
        "evaluation": _where(evaluation, pc.invert(pc.is_nan(evaluation))),
        "mate_in": _unless(mate, 0),
        "depth": _unless(depth, -1),
        "seconds": _where(seconds, pc.invert(pc.is_nan(seconds))),
        "nag": _unless(nag, 0),
        "comment": pa.DictionaryArray.from_arrays(comment, pa.array(batch.comments, pa.string())),
    }


def _explosions(plies: dict[str, Any], rules: Ruleset, n: int) -> pa.Array:
    kind = schema("moves").field("explosion").type
    if "blast" not in plies:
        return pa.nulls(n, kind)
    offsets = _column(plies["blast_first"], pa.int32())
    words = pa.array(blast_words(rules), pa.string()).take(_column(plies["blast"], pa.uint16()))
    none = pc.equal(pc.subtract(offsets[1:], offsets[:-1]), pa.scalar(0, pa.int32()))
    return pa.ListArray.from_arrays(offsets, words, mask=none)


def _reserves(plies: dict[str, Any], rules: Ruleset, n: int) -> pa.Array:
    if "reserve" not in plies:
        return pa.nulls(n, schema("moves").field("reserves").type)
    words = pa.array(reserve_words(rules, plies), pa.string())
    return pa.DictionaryArray.from_arrays(_column(plies["reserve"], pa.int32()), words)


def _defensive(plies: dict[str, Any], drop: pa.Array, rules: Ruleset) -> pa.Array:
    """Which of the moves that are a ``drop`` put a piece into the mover's own palace."""
    if not (rules.reserves and rules.palace):
        return pa.Array.from_buffers(pa.bool_(), len(drop), [None, pa.py_buffer(bytes(len(drop) // 8 + 1))])
    points = rules.files * rules.ranks
    own = pa.array([in_own_palace(rules, side, point) for side in (0, 1) for point in range(points)])
    side = _column(plies["side"], pa.uint8())
    place = pc.add(pc.multiply(side, pa.scalar(points, pa.uint8())), _column(plies["to"], pa.uint8()))
    return pc.and_(drop, own.take(place))


def _column(values: Any, kind: pa.DataType) -> pa.Array:
    """An Arrow array over the memory of ``values`` (array or buffer of ``kind``'s width; same-width integers
    are taken as they are, others widened)."""
    view = memoryview(values)
    width = kind.bit_width // 8
    if view.itemsize not in (1, width):
        return _column(values, _UNSIGNED[view.itemsize]).cast(kind)
    return pa.Array.from_buffers(kind, view.nbytes // width, [None, pa.py_buffer(values)])


_UNSIGNED = {1: pa.uint8(), 2: pa.uint16(), 4: pa.uint32(), 8: pa.uint64()}


def _word(codes: Any, words: list[str]) -> pa.Array:
    index = _column(codes, pa.uint8())
    index = _unless(index, NONE)
    # The codes come from the kernel, which knows its own tables; checking them would cost a pass.
    return pa.DictionaryArray.from_arrays(index, pa.array(words, pa.string()), safe=False)


def _unless(values: pa.Array, none: int) -> pa.Array:
    """``values`` with null where they are ``none``."""
    # A typed scalar: pyarrow would look for numpy every time before it turned a Python number into one.
    return _where(values, pc.not_equal(values, pa.scalar(none, values.type)))


def _where(values: pa.Array, valid: pa.Array) -> pa.Array:
    """``values`` with null where ``valid`` is false; the values are not copied."""
    count = valid.true_count
    if count == len(valid):
        return values
    if count == 0:
        return pa.nulls(len(values), values.type)
    return pa.Array.from_buffers(
        values.type, len(values), [valid.buffers()[1], values.buffers()[1]], len(values) - count
    )


# -- findings --------------------------------------------------------------------------------------


def findings_table(findings: Sequence[Finding], record: int = 0, game_ids: Sequence[int] = ()) -> pa.Table:
    """The rows of ``findings``, by game and place; ``record`` is that of game 0 of the batch."""
    rows = sorted(findings, key=lambda f: (f.game is not None, f.game or 0, f.place))
    return table(
        "findings",
        {
            "record": [None if f.game is None else record + f.game for f in rows],
            "game_id": [None if f.game is None else game_ids[f.game] for f in rows],
            "source": [f.source or "" for f in rows],
            "ply": [f.ply for f in rows],
            "code": [f.code for f in rows],
            "severity": [f.severity for f in rows],
            "message": [f.message() for f in rows],
            "message_zh": [f.message("zh") for f in rows],
            "text": [f.text for f in rows],
            "candidates": [list(f.candidates) for f in rows],
            "suggestion": [f.suggestion for f in rows],
            "line": [f.line for f in rows],
            "column": [f.column for f in rows],
            "byte": [f.byte for f in rows],
            "details": [json.dumps(f.details, ensure_ascii=False, sort_keys=True, default=str) for f in rows],
        },
    )


# -- conduct ---------------------------------------------------------------------------------------


def conduct_table(games: Sequence[int], notes: Notes, record: int = 0) -> pa.Table:
    """What was done on the plies of repeated cycles, so that another rule book needs no board; ``games`` are those that
    ``notes`` tells of."""
    c = notes.columns
    rows = range(len(c["ply"]))
    records = pa.array(
        [record + game for game, (a, b) in zip(games, pairwise(c["game"]), strict=True) for _ in range(a, b)],
        pa.uint32(),
    )
    return table(
        "conduct",
        {
            "record": records,
            "ply": _column(c["ply"], pa.uint32()),
            "side": _word(c["side"], list(SIDES)),
            "move": [notes.move(row) or None for row in rows],
            "moved": _column(c["moved"], pa.uint8()),
            "check": pc.not_equal(_column(c["check"], pa.uint8()), pa.scalar(0, pa.uint8())),
            "kill": _column(c["kill"], pa.uint8()),
            "quiet": _word(c["quiet"], list(QUIET)),
            "attacks": pa.ListArray.from_arrays(
                _column(c["at"], pa.uint32()).cast(pa.int32()), _column(c["words"], pa.uint64())
            ),
        },
    )


def table(name: str, columns: dict[str, Any]) -> pa.Table:
    arrays = []
    for column in schema(name):
        values = columns[column.name]
        if not isinstance(values, pa.Array):
            values = _encoded(values, column.type)
        arrays.append(values if values.type == column.type else values.cast(column.type))
    return pa.Table.from_arrays(arrays, schema=schema(name))


def _constant(text: str, n: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(_column(bytes(4 * n), pa.int32()), pa.array([text], pa.string()))


def _of_pieces(shard: Shard, words: Sequence[str]) -> pa.Array:
    """For each record the one of ``words`` that belongs to its piece."""
    number: dict[str, int] = {}
    codes = array("i")
    for piece, word in zip(shard.pieces, words, strict=True):
        if piece.games:
            codes += array("i", [number.setdefault(word, len(number))]) * piece.games
    return pa.DictionaryArray.from_arrays(_column(codes, pa.int32()), pa.array([*number], pa.string()))


def _encoded(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if isinstance(values, array):
        return _column(values, kind)
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode()
    return pa.array(values, kind)
