"""The three tables, declared once: column, Arrow type, meaning and unit.

The declarations make the Arrow schemas (meaning and unit travel as field metadata, the schema version as
table metadata), the reference page (`describe`) and the golden test of that page. `record` joins the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pyarrow as pa

VERSION = 9
"""Raised whenever a column is added, dropped, retyped or changes its meaning."""

WORD = pa.dictionary(pa.uint8(), pa.string())
"""Text of a small closed vocabulary (points, pieces, sides)."""
TEXT = pa.dictionary(pa.int32(), pa.string())
"""Text that repeats."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, Arrow type, what it holds, in which unit, and whether it can be null."""

    name: str
    type: pa.DataType
    meaning: str
    unit: str = ""
    null: str = ""
    """When the value is null; empty for a column that never is."""

    def field(self) -> pa.Field:
        metadata = {"meaning": self.meaning} | ({"unit": self.unit} if self.unit else {})
        metadata |= {"null": self.null} if self.null else {}
        return pa.field(self.name, self.type, nullable=bool(self.null), metadata=metadata)


RECORD = Column("record", pa.uint32(), "ordinal of the record in the run; unique, the key of all joins")
GAME_ID = Column(
    "game_id",
    pa.uint64(),
    "hash of the start position and the moves played: the same game has the same id in every notation",
)
UNTAGGED = "the record does not say"

GAMES: tuple[Column, ...] = (
    RECORD,
    GAME_ID,
    Column("source", TEXT, "file, or archive/member, that holds the record"),
    Column("index", pa.uint32(), "ordinal of the record in its source, from 0"),
    Column("offset", pa.uint64(), "where the record begins in its source, unpacked", "byte"),
    Column(
        "line",
        pa.uint32(),
        "line on which the record begins in its source, from 1",
        null="the format has no lines",
    ),
    Column("container", TEXT, "record format of the source"),
    Column("encoding", TEXT, "text encoding detected or given"),
    Column("notation", TEXT, "reading of the moves under which they were played", null="no move was read"),
    Column("rules", TEXT, "id of the rule set"),
    Column("rules_fingerprint", TEXT, "digest of the rule set's resolved options"),
    Column("book", TEXT, "rule book for repetitions"),
    Column("event", TEXT, "tag Event", null=UNTAGGED),
    Column("site", TEXT, "tag Site", null=UNTAGGED),
    Column("date", TEXT, "tag Date, as written", null=UNTAGGED),
    Column("round", TEXT, "tag Round", null=UNTAGGED),
    Column("red", TEXT, "first player, tag Red or White", null=UNTAGGED),
    Column("black", TEXT, "second player, tag Black", null=UNTAGGED),
    Column("result_tag", TEXT, "tag Result, as claimed", null=UNTAGGED),
    Column(
        "terminator",
        TEXT,
        "result at the end of the moves: red, black, draw, * or other",
        null="none written",
    ),
    Column("termination", TEXT, "tag Termination", null=UNTAGGED),
    Column("time_control", TEXT, "tag TimeControl", null=UNTAGGED),
    Column("other_tags", pa.map_(pa.string(), pa.string()), "the remaining tags, as written"),
    Column("start_fen", TEXT, "start position", null="the start position cannot be read"),
    Column(
        "handicap",
        TEXT,
        "what a side gives, and the pieces that are iron at the start, as a Handicap tag has them",
        null="no handicap",
    ),
    Column(
        "other_variant",
        TEXT,
        "tag Variant where it names another game than the rule set's; such a record is in no report",
        null="it names none, the rule set's own, another form of its game, or one that no rule set is called",
    ),
    Column("final_fen", pa.string(), "position after the last ply replayed", null="no start position"),
    Column("plies_recorded", pa.uint32(), "moves in the main line", "ply"),
    Column("plies_replayed", pa.uint32(), "moves played before the record ends or stops making sense", "ply"),
    Column("variations", pa.uint32(), "variations in the record"),
    Column("result", TEXT, "result as ruled: red, black, draw, or * when nothing has ended the game"),
    Column("reason", TEXT, "what ended the game", null="result is *"),
    Column("end_ply", pa.uint32(), "ply at which the result became binding", "ply", null="result is *"),
    Column(
        "cycle", pa.uint32(), "ply after which the repeated cycle begins", "ply", null="no repetition ruled"
    ),
    Column(
        "disputed",
        TEXT,
        "results that other readings of the book come to, e.g. draw or red",
        null="undisputed",
    ),
    Column("claimed", TEXT, "result the record claims: red, black, draw, * or conflicting", null="none"),
    Column(
        "claim",
        TEXT,
        "the claimed result against the ruling; the words are listed in `adjudicator.ruling.CLAIMS`",
    ),
    Column("captures", pa.uint32(), "captures played"),
    Column(
        "explosions",
        pa.uint32(),
        "captures that exploded; a shot (a cannon's capture) costs the capturer without exploding",
    ),
    Column("drops", pa.uint32(), "drops played"),
    Column("checks", pa.uint32(), "moves that gave check"),
    Column("findings", pa.uint32(), "rows of this record in the findings table"),
    Column(
        "duplicate_of",
        pa.uint32(),
        "first record of the run with the same game_id; only records that were replayed whole repeat one another",
        null="this is the first, it has no moves, or it stops at a move or start that cannot be played",
    ),
)

UNWRITTEN = "the record carries none"

MOVES: tuple[Column, ...] = (
    RECORD,
    GAME_ID,
    Column("ply", pa.uint32(), "number of the move, from 1", "ply"),
    Column("side", WORD, "side that moved: red or black"),
    Column("from", WORD, "point left, files from a, ranks from 1", null="a drop"),
    Column("to", WORD, "point reached"),
    Column("drop", pa.bool_(), "a piece from the reserve was placed"),
    Column("defensive_drop", pa.bool_(), "a drop on a point of the mover's own palace"),
    Column("promotion", WORD, "letter of the piece promoted to", null="no promotion"),
    Column("piece", WORD, "letter of the piece moved or dropped"),
    Column("captured", WORD, "letter of the piece taken", null="no capture"),
    Column(
        "explosion",
        pa.list_(pa.string()),
        "what a capture that cost the capturer cleared, its target included: each point with what stood there, "
        "small letters for Black (e5=C, e6=p); of a shot (a cannon's capture) the target alone",
        null="the capturer stays, or no capture",
    ),
    Column("lethal", pa.bool_(), "the move removed the enemy general"),
    Column("check", pa.bool_(), "the move gives check"),
    Column("wide_check", pa.bool_(), "check in the wide sense: the general could be removed next"),
    Column("discovered_check", pa.bool_(), "a piece other than the one moved gives check"),
    Column("double_check", pa.bool_(), "two pieces or more give check"),
    Column("facing_check", pa.bool_(), "a facing general gives check"),
    Column("mate", pa.bool_(), "checkmate"),
    Column("stalemate", pa.bool_(), "no legal reply, and no check"),
    Column("legal_replies", pa.uint16(), "legal moves of the other side", "move"),
    Column("plies_since_capture", pa.uint32(), "plies since the last capture, this one included", "ply"),
    Column("occurrence", pa.uint32(), "how often the position has now occurred"),
    Column("reserves", TEXT, "reserves after the move, as in a FEN", null="the rule set has none"),
    Column(
        "position_key", pa.uint64(), "hash of the position; the same on every machine and in every version"
    ),
    Column("token", TEXT, "the move as written"),
    Column(
        "evaluation",
        pa.float32(),
        "score noted with the move, as written: a match program's is the mover's view, `[%eval …]` Red's after it",
        "pawn",
        null=UNWRITTEN,
    ),
    Column(
        "mate_in",
        pa.int16(),
        "moves to the mate announced (match programs write plies); negative when against the mover",
        "move",
        null=UNWRITTEN,
    ),
    Column("depth", pa.int16(), "search depth noted with the move", "ply", null=UNWRITTEN),
    Column("seconds", pa.float32(), "time noted with the move", "s", null=UNWRITTEN),
    Column("nag", pa.uint8(), "first numeric annotation glyph", null=UNWRITTEN),
    Column("comment", TEXT, "comments after the move", null=UNWRITTEN),
)

FINDINGS: tuple[Column, ...] = (
    Column(
        "record",
        pa.uint32(),
        "ordinal of the record in the run; the key of all joins",
        null="about a whole file",
    ),
    Column("game_id", pa.uint64(), "id of the game, as in the games table", null="about a whole file"),
    Column("source", TEXT, "file, or archive/member, concerned"),
    Column("ply", pa.uint32(), "move concerned; 0 is the start position", "ply", null="the whole record"),
    Column("code", TEXT, "kind of finding; the list is stable"),
    Column("severity", TEXT, "error, warning or note"),
    Column("message", pa.string(), "what is wrong, in English"),
    Column("message_zh", pa.string(), "what is wrong, in Chinese"),
    Column("text", pa.string(), "what was read", null="nothing in particular"),
    Column("candidates", pa.list_(pa.string()), "moves that were possible there"),
    Column("suggestion", pa.string(), "what was probably meant", null="none"),
    Column("line", pa.uint32(), "line in the source, from 1", null="not in a line"),
    Column("column", pa.uint32(), "character in the line, from 1", null="not in a line"),
    Column("byte", pa.uint64(), "offset in the source, unpacked", "byte", null="not known"),
    Column("details", pa.string(), "named values of the message, as JSON"),
)

CONDUCT: tuple[Column, ...] = (
    RECORD,
    Column("ply", pa.uint32(), "ply after which the board is looked at; 0 is the start position", "ply"),
    Column("side", WORD, "side that made the move; at ply 0 the one that is not to move"),
    Column("move", pa.string(), "the move in coordinates", null="the start position"),
    Column("moved", pa.uint8(), "identity of the piece moved: the point where it stood at first; 255 none"),
    Column("check", pa.bool_(), "the move gives check, as the rule set counts it"),
    Column(
        "kill",
        pa.uint8(),
        "in how few checks the side that moved would mate if it could move again; 0 not, or it gives check",
        "check",
    ),
    Column(
        "quiet",
        WORD,
        "what the move is if it is nothing heavier: exchange, sacrifice, block, follow or idle",
    ),
    Column(
        "attacks",
        pa.list_(pa.uint64()),
        "every attack of both sides, packed as in `adjudicator/_conduct.pxd`: who bears on whom, and how they stand",
    ),
)

RULINGS: tuple[Column, ...] = (
    RECORD,
    GAME_ID,
    Column("result", TEXT, "result as ruled: red, black, draw, or * when nothing has ended the game"),
    Column("reason", TEXT, "what ended the game", null="result is *"),
    Column("end_ply", pa.uint32(), "ply at which the result became binding", "ply", null="result is *"),
    Column(
        "cycle", pa.uint32(), "ply after which the repeated cycle begins", "ply", null="no repetition ruled"
    ),
    Column("claim", TEXT, "the claimed result against this ruling; words as in the games table"),
    Column("disputed", TEXT, "results that other readings of the book come to", null="undisputed"),
    Column(
        "occurrences", pa.list_(pa.uint32()), "plies at which the position stood", "ply", null="no repetition"
    ),
    Column("red", pa.list_(pa.string()), "class of each of Red's moves in the cycle", null="no repetition"),
    Column(
        "black", pa.list_(pa.string()), "class of each of Black's moves in the cycle", null="no repetition"
    ),
    Column("clauses", pa.list_(pa.string()), "the book's clauses that decide", null="no repetition"),
    Column("explanation", pa.string(), "the ruling as a paragraph, in English", null="no repetition"),
    Column("explanation_zh", pa.string(), "the ruling as a paragraph, in Chinese", null="no repetition"),
    Column(
        "details",
        pa.string(),
        "the ruling as JSON: every move of the cycle with its pieces, offences, other readings",
        null="no repetition",
    ),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "games": GAMES,
    "moves": MOVES,
    "findings": FINDINGS,
    "conduct": CONDUCT,
}
"""What a run writes."""

DERIVED: dict[str, tuple[Column, ...]] = {"rulings": RULINGS}
"""What is made of a run later, beside it: rulings under other books, in a folder each."""


@cache
def schema(table: str) -> pa.Schema:
    """The Arrow schema of ``table``, a key of TABLES or DERIVED."""
    metadata = {"caipan_table": table, "caipan_schema": str(VERSION)}
    return pa.schema([column.field() for column in (TABLES | DERIVED)[table]], metadata=metadata)


def describe() -> str:
    """The reference page of the tables, in Markdown."""
    lines = [
        f"# Tables\n\nSchema version {VERSION}. What is a “string (dictionary)” is of type Categorical in polars:",
        'to look into such text cast it, `pl.col("red").cast(pl.String).str.contains("胡")`.',
    ]
    for table, columns in (TABLES | DERIVED).items():
        lines += [
            f"\n## {table}\n",
            "| column | type | unit | meaning | null when |",
            "|---|---|---|---|---|",
        ]
        for c in columns:
            lines.append(f"| `{c.name}` | {_plain(c.type)} | {c.unit} | {c.meaning} | {c.null} |")
    return "\n".join(lines) + "\n"


def _plain(kind: pa.DataType) -> str:
    if pa.types.is_dictionary(kind):
        return "string (dictionary)"
    if pa.types.is_list(kind):
        return f"list of {kind.value_type}"
    if pa.types.is_map(kind):
        return "map of string to string"
    return str(kind)


if __name__ == "__main__":
    print(describe(), end="")
