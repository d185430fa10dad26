"""Game records: one at a time for people, many at once for the batch path.

A `GameRecord` holds one game as its file tells it: no board, no rules, moves as written. A `RecordBatch`
holds many games as flat arrays, with no Python object per move.
"""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from notation import remark
from notation.finding import Finding
from notation.tags import Tags

Said = TypeVar("Said")

Place = tuple[int, int, int]
"""Line and column, from 1, and byte of a source, from 0."""

RED_WON, BLACK_WON, DRAWN, UNFINISHED, OTHER = 1, 2, 3, 4, 5
"""Terminator codes; 0 stands for no result token at all."""

RESULTS: dict[str, int] = {
    **dict.fromkeys(("1-0", "１－０", "1:0"), RED_WON),
    **dict.fromkeys(("0-1", "０－１", "0:1"), BLACK_WON),
    **dict.fromkeys(("1/2-1/2", "1/2", "½-½", "½", "0.5-0.5", "１/２-１/２", "１／２－１／２"), DRAWN),
    **dict.fromkeys(("*", "＊", "未完", "未知", "不详", "不詳"), UNFINISHED),
    **dict.fromkeys(("红胜", "紅勝", "红先胜", "紅先勝", "红方胜", "紅方勝", "先胜", "先勝"), RED_WON),
    **dict.fromkeys(("黑负", "黑負", "黑方负", "黑方負"), RED_WON),
    **dict.fromkeys(("黑胜", "黑勝", "黑先胜", "黑先勝", "黑方胜", "黑方勝", "先负", "先負"), BLACK_WON),
    **dict.fromkeys(("红负", "紅負", "红先负", "紅先負", "红方负", "紅方負"), BLACK_WON),
    **dict.fromkeys(("和棋", "和局", "和", "先和", "红先和", "紅先和", "红和", "紅和", "黑和"), DRAWN),
    "0-0": OTHER,
}
"""Results as records write them, in tags and after the moves."""


@dataclass(slots=True, eq=False, repr=False)
class Variation:
    """A line beside the one it hangs on: ``moves[0]`` is an alternative to ply ``from_ply``.

    Plies are those of the whole game (the alternative to ply 8 is ply 8). Comments and NAGs are keyed by ply;
    a comment before the first move of the line stands at ``from_ply - 1``.
    """

    from_ply: int
    moves: list[str] = field(default_factory=list)
    comments: dict[int, list[str]] = field(default_factory=dict)
    nags: dict[int, list[int]] = field(default_factory=dict)
    variations: list[Variation] = field(default_factory=list)

    # Trees may be a hundred thousand deep, so comparison and repr walk instead of recursing.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variation):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            a, b = pairs.pop()
            if (a.from_ply, a.moves, a.comments, a.nags) != (b.from_ply, b.moves, b.comments, b.nags):
                return False
            if len(a.variations) != len(b.variations):
                return False
            pairs.extend(zip(a.variations, b.variations, strict=True))
        return True

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inner = f", {len(self.variations)} variations" if self.variations else ""
        return f"<Variation at ply {self.from_ply}: {' '.join(self.moves)}{inner}>"

    def moved(self, plies: int) -> Variation:
        """The line with its plies counted from ``plies`` on."""
        top = replace(self)
        rest = [top]
        while rest:
            line = rest.pop()
            line.from_ply -= plies
            line.comments, line.nags = _moved(line.comments, plies), _moved(line.nags, plies)
            line.variations = [replace(inner) for inner in line.variations]
            rest += line.variations
        return top

    def depth(self) -> int:
        """How deep variations nest here: 1 for a line without further ones."""
        deepest, rest = 0, [(self, 1)]
        while rest:
            line, level = rest.pop()
            deepest = max(deepest, level)
            rest.extend((inner, level + 1) for inner in line.variations)
        return deepest


@dataclass(slots=True)
class GameRecord:
    """One game as recorded. Ply 1 is the first move; what is said before it stands at ply 0.

    ``tokens`` are the moves of the main line as written, without annotation signs; ``nags`` are numeric
    annotation glyphs, ``!``..``?!`` being 1..6. ``result`` is the Result tag, ``terminator`` the result
    written after the moves, each None when absent. ``index`` is the 0-based ordinal of the game in its file,
    ``offset`` the byte it begins at, ``line`` its first line (from 1; 0 in a format without lines).
    """

    tags: dict[str, str] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    comments: dict[int, list[str]] = field(default_factory=dict)
    nags: dict[int, list[int]] = field(default_factory=dict)
    variations: list[Variation] = field(default_factory=list)
    fen: str | None = None
    result: str | None = None
    terminator: str | None = None
    encoding: str = "utf-8"
    index: int = 0
    offset: int = 0
    line: int = 1

    def after(self, plies: int) -> GameRecord:
        """The record without its first ``plies`` moves; what is said of them stands before the first that is left.

        Variations beside the moves that go, go too.
        """
        if not plies:
            return self
        variations = [line.moved(plies) for line in self.variations if line.from_ply > plies]
        comments = _moved(self.comments, plies)
        nags = {ply: found for ply, found in _moved(self.nags, plies).items() if ply}
        return replace(self, tokens=self.tokens[plies:], comments=comments, nags=nags, variations=variations)

    def variation_count(self) -> int:
        """Number of variations at every depth."""
        count, rest = 0, list(self.variations)
        while rest:
            count += 1
            rest.extend(rest.pop().variations)
        return count

    def variation_depth(self) -> int:
        """How deep variations nest: 0 without any."""
        return max((line.depth() for line in self.variations), default=0)


def _moved(notes: dict[int, list[Said]], plies: int) -> dict[int, list[Said]]:
    """Notes by ply, counted from ``plies`` on; those of earlier plies come together at 0."""
    moved: dict[int, list[Said]] = {}
    for ply, said in sorted(notes.items()):
        moved.setdefault(max(0, ply - plies), []).extend(said)
    return moved


@dataclass(slots=True, eq=False)
class RecordBatch:
    """Many games as flat arrays; the games' moves stand one after the other.

    Game ``i`` has the move tokens ``first_token[i]:first_token[i + 1]``.

    Per token: ``token`` (index into ``lexemes``), ``evaluation`` (pawns, as written; NaN none), ``mate``
    (moves to mate, signed; 0 none), ``depth`` (-1 none), ``seconds`` (NaN none), ``nag`` (the first; 0 none),
    ``comment`` (index into ``comments``; -1 none), ``token_line`` and ``token_column`` (from 1; columns count
    characters).

    Of formats without lines: ``token_byte`` (in the source), where the move stands.

    Per game: ``offset`` and ``end`` (bytes of the source), ``line`` (from 1; 0 without lines), ``index`` (0-based
    ordinal in the source), ``terminator`` (0 none, else `RED_WON` … `OTHER`), ``encoding``, ``variations`` (how many,
    at every depth), ``rank_base`` (what the coordinates show: 0 a rank 0, 1 a rank 10, 2 both, -1 neither).

    ``tags`` are theirs (`notation.tags.Tags`).

    ``findings`` are the container's, and their ``game`` is the game's index *in this batch*. ``text`` is the
    source in UTF-8, as far as it is text.
    """

    text: bytes = b""
    lexemes: list[str] = field(default_factory=list)
    token: array[int] = field(default_factory=lambda: array("I"))
    first_token: array[int] = field(default_factory=lambda: array("q", [0]))
    evaluation: array[float] = field(default_factory=lambda: array("f"))
    mate: array[int] = field(default_factory=lambda: array("h"))
    depth: array[int] = field(default_factory=lambda: array("h"))
    seconds: array[float] = field(default_factory=lambda: array("f"))
    nag: array[int] = field(default_factory=lambda: array("B"))
    comment: array[int] = field(default_factory=lambda: array("i"))
    comments: list[str] = field(default_factory=list)
    token_line: array[int] = field(default_factory=lambda: array("I"))
    token_column: array[int] = field(default_factory=lambda: array("I"))
    token_byte: array[int] = field(default_factory=lambda: array("Q"))
    offset: array[int] = field(default_factory=lambda: array("Q"))
    end: array[int] = field(default_factory=lambda: array("Q"))
    line: array[int] = field(default_factory=lambda: array("I"))
    index: array[int] = field(default_factory=lambda: array("I"))
    terminator: array[int] = field(default_factory=lambda: array("B"))
    encoding: list[str] = field(default_factory=list)
    variations: array[int] = field(default_factory=lambda: array("I"))
    rank_base: array[int] = field(default_factory=lambda: array("b"))
    tags: Tags = field(default_factory=Tags)
    findings: list[Finding] = field(default_factory=list)
    # A container that keeps its text says where in it each game stands, and how to read it in full; other containers
    # keep the records themselves.
    first_byte: array[int] = field(default_factory=lambda: array("q"))
    last_byte: array[int] = field(default_factory=lambda: array("q"))
    reader: Callable[[RecordBatch, int], GameRecord] | None = None
    records: list[GameRecord] | None = None
    # Where the tag of a game is written, as far as the container knows: line, column, byte.
    tag_finder: Callable[[RecordBatch, int, str], Place | None] | None = None
    # A batch joined from others asks them: the batches, and the first game of each.
    parts: list[RecordBatch] = field(default_factory=list)
    part_start: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.first_token) - 1

    def fens(self) -> list[str | None]:
        """The FEN text that each game starts from, or None for the usual start."""
        if self.records is not None:
            return [record.fen for record in self.records]
        if self.parts:
            return [fen for part in self.parts for fen in part.fens()]
        return [fen or None for fen in self.tags.told("FEN")]

    def record(self, i: int) -> GameRecord:
        """Game ``i`` in full: comments kept apart, variations, NAGs."""
        if self.parts:
            k = bisect_right(self.part_start, i) - 1
            return self.parts[k].record(i - self.part_start[k])
        if self.records is not None:
            return self.records[i]
        if self.reader is None:
            raise LookupError("this batch keeps no text to read records from")
        return self.reader(self, i)

    def tag_place(self, i: int, name: str) -> Place | None:
        """Line, column and byte at which the tag ``name`` of game ``i`` stands; None where that is not known."""
        if self.parts:
            k = bisect_right(self.part_start, i) - 1
            return self.parts[k].tag_place(i - self.part_start[k], name)
        return self.tag_finder(self, i, name) if self.tag_finder else None

    def token_place(self, i: int, token: int) -> tuple[int | None, int | None, int | None]:
        """Line, column and byte of a ``token`` of game ``i``: of a text the first two, of other formats the byte."""
        if self.parts:
            k = bisect_right(self.part_start, i) - 1
            first = self.part_start[k]
            return self.parts[k].token_place(i - first, token - self.first_token[first])
        if self.token_byte:
            return None, None, self.token_byte[token]
        return self.token_line[token], self.token_column[token], None

    def tokens(self, i: int) -> list[str]:
        """The moves of game ``i`` as written."""
        lexemes = self.lexemes
        return [lexemes[t] for t in self.token[self.first_token[i] : self.first_token[i + 1]]]

    @classmethod
    def joined(cls, batches: Iterable[RecordBatch]) -> RecordBatch:
        """The games of ``batches`` as one batch: many small files are replayed as cheaply as a large one."""
        batch = cls()
        lexeme: dict[str, int] = {}
        spoken: dict[str, int] = {}
        for part in batches:
            first = len(batch)
            batch.parts.append(part)
            batch.part_start.append(first)
            words = [lexeme.setdefault(text, len(lexeme)) for text in part.lexemes]
            said = [*(spoken.setdefault(text, len(spoken)) for text in part.comments), -1]
            base = len(batch.token)
            batch.token.extend(array("I", map(words.__getitem__, part.token)))
            batch.comment.extend(array("i", map(said.__getitem__, part.comment)))
            batch.first_token.extend(array("q", (base + token for token in part.first_token[1:])))
            for name in _PLAIN_ARRAYS:
                getattr(batch, name).extend(getattr(part, name))
            for finding in part.findings:
                game = None if finding.game is None else finding.game + first
                batch.findings.append(replace(finding, game=game))
        batch.lexemes, batch.comments = list(lexeme), list(spoken)
        batch.tags = Tags.joined(part.tags for part in batch.parts)
        return batch

    @classmethod
    def from_records(cls, records: Iterable[GameRecord]) -> RecordBatch:
        """Pack records that some other container gave.

        Line and column of a token are those of its record: this side of the container they are not known.
        """
        records = list(records)
        batch = cls(records=records, tags=Tags.of(record.tags for record in records))
        lexeme: dict[str, int] = {}
        spoken: dict[str, int] = {}
        for record in records:
            has_zero = has_ten = False
            for ply, text in enumerate(record.tokens, 1):
                batch.token.append(lexeme.setdefault(text, len(lexeme)))
                has_zero = has_zero or bool(_RANK_ZERO.search(text))
                has_ten = has_ten or bool(_RANK_TEN.search(text))
                said = _merge([remark.read(comment) for comment in record.comments.get(ply, ())])
                batch.evaluation.append(said.evaluation)
                batch.mate.append(max(-32767, min(32767, said.mate)))
                batch.depth.append(min(32767, said.depth))
                batch.seconds.append(said.seconds)
                batch.nag.append(min(255, next(iter(record.nags.get(ply, ())), 0)))
                batch.comment.append(spoken.setdefault(said.text, len(spoken)) if said.text else -1)
                batch.token_line.append(record.line)
                batch.token_column.append(1)
            batch.first_token.append(len(batch.token))
            batch.offset.append(record.offset)
            batch.end.append(record.offset)
            batch.line.append(record.line)
            batch.index.append(record.index)
            written = record.terminator
            batch.terminator.append(0 if written is None else RESULTS.get(written.strip(), OTHER))
            batch.encoding.append(record.encoding)
            batch.variations.append(record.variation_count())
            batch.rank_base.append(has_zero + 2 * has_ten - 1)
        batch.lexemes = list(lexeme)
        batch.comments = list(spoken)
        return batch


_PLAIN_ARRAYS = (
    "evaluation",
    "mate",
    "depth",
    "seconds",
    "nag",
    "token_line",
    "token_column",
    "offset",
    "end",
    "line",
    "index",
    "terminator",
    "encoding",
    "variations",
    "rank_base",
)
"""The arrays whose entries mean the same in every batch."""

_RANK_ZERO = re.compile(r"[A-Za-z]0")
_RANK_TEN = re.compile(r"[A-Za-z]10")


_NO_REMARK = remark.Remark()


def _merge(remarks: list[remark.Remark]) -> remark.Remark:
    """Several comments after one ply as one: the first figure of each kind, the words one after the other."""
    if len(remarks) < 2:
        return remarks[0] if remarks else _NO_REMARK

    def first(values: Iterable[float], none: float) -> float:
        return next((value for value in values if value == value and value != none), none)

    return remark.Remark(
        evaluation=first((said.evaluation for said in remarks), math.nan),
        mate=int(first((said.mate for said in remarks), 0)),
        depth=int(first((said.depth for said in remarks), -1)),
        seconds=first((said.seconds for said in remarks), math.nan),
        text=" ".join(said.text for said in remarks if said.text),
    )
