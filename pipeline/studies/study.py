"""A game as a study: everything that a reader may want to see on every ply, as plain JSON.

The main line is what the replay found, variations are read beside it by the same rules. Lines are a flat list,
each with the number of the line it leaves, because records nest deeper than Python and JavaScript call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator import Adjudication, MoveError, Position, Ruleset
from adjudicator._cursor import Cursor
from adjudicator.drawing import board_of, faces
from adjudicator.moves import BLACK, NOWHERE, move_points
from adjudicator.ruling import CLAIMS, DECIDED, STOPPED
from notation import remark
from notation.containers import pgn
from notation.finding import Finding
from notation.notations import write
from notation.record import GameRecord, Variation
from pipeline.check import hints_of
from pipeline.counts import Count

VERSION = 3
"""Of the JSON: raised when a name in it changes its meaning."""

NOTATIONS = ("chinese", "chinese-traditional", "wxf", "algebraic", "long", "uci")
"""What every move is written in; the record's own words are beside them as ``token``."""

MOST_LINES = 2000
"""So many variations of a game are shown; what is left out is counted."""

MOST_BEFORE = 12
"""So many earlier occurrences of a position are listed, the first ones; all are counted."""

CLAIMS_ZH = {
    "agrees": "棋谱的结果与裁定相符",
    "contradicts": "棋谱的结果与裁定不符",
    "unverifiable": "棋盘上没有终局（认输、超时、议和等）",
    "played-on": "规则上终局之后仍在走",
    "no-claim": "棋谱没有记结果",
    "conflicting": "标签与着法末尾的结果互相矛盾",
}

RESULTS = {
    "red": ("Red wins", "红胜"),
    "black": ("Black wins", "黑胜"),
    "draw": ("Draw", "和棋"),
    "*": ("Open", "未决"),
}
"""Results in words, English and Chinese."""

Json = dict[str, Any]


def rules_of(rules: Ruleset) -> Json:
    """The rule set as a drawer and a reader need it: board, pieces by FEN letter, names."""
    return {
        "id": rules.id,
        "title": rules.title,
        "source": rules.data["source"],
        "fingerprint": rules.fingerprint,
        "reserves": rules.reserves,
        "explodes": rules.explodes,
        "board": board_of(rules),
        "pieces": [
            {
                "fen": piece.fen.upper(),
                "letter": piece.letter,
                "name": piece.name,
                "royal": piece.royal,
                "red": faces(piece)[0],
                "black": faces(piece)[1],
            }
            for piece in rules.pieces
        ],
    }


def game_of(ruled: Adjudication, *, source: str = "", number: int = 1) -> Json:
    """The study of one record; ``number`` is its ordinal from 1 among all that were read, ``source`` its file."""
    record, tags = ruled.record, _tags(ruled.tags)
    game: Json = {
        "source": source,
        "number": number,
        "id": f"{ruled.game_id:016x}",
        "tags": ruled.tags,
        "event": tags.get("event", ""),
        "site": tags.get("site", ""),
        "date": tags.get("date", ""),
        "round": tags.get("round", ""),
        "red": tags.get("red") or tags.get("white") or "",
        "black": tags.get("black", ""),
        "rules": ruled.rules.id,
        "fingerprint": ruled.rules.fingerprint,
        "book": ruled.book.id,
        "claimed": ruled.claimed,
        "claim": ruled.claim,
        "claim_words": _claim(ruled),
        "result": ruled.result,
        "reason": ruled.reason,
        "end": ruled.ply,
        "ruling": {language: ruled.ruling.explain(language) for language in ("en", "zh")},
        "start": ruled.start_fen,
        "handicap": ruled.handicap,
        "side": "red",
        "comments": [],
        "lines": [{"parent": None, "from": 1, "comments": [], "plies": [], "unread": []}],
        "lines_left_out": 0,
        "stopped": _stopped(ruled),
        "findings": [
            {
                "ply": finding.ply,
                "code": finding.code,
                "severity": finding.severity,
                "candidates": list(finding.candidates),
                "suggestion": finding.suggestion,
                "en": _told(finding, "en"),
                "zh": _told(finding, "zh"),
            }
            for finding in ruled.findings
        ],
    }
    if ruled.start_fen is None:
        game["lines"][0]["unread"] = list(record.tokens)
        return game
    position = Position(ruled.start_fen, ruled.rules, ruled.handicap or "none")
    game["side"] = position.side
    game["comments"] = _remarks(record.comments.get(0, ()), "red")["comments"]
    lines = _Lines(position, record)
    game["lines"][0]["plies"] = lines.main(ruled)
    game["lines"][0]["unread"] = list(record.tokens[len(ruled.moves) :])
    lines.variations(record.variations, game)
    return game


def _told(finding: Finding, language: str) -> str:
    """A finding in a sentence: its message, what was possible, what may be meant."""
    return ("; " if language == "en" else "；").join(
        [finding.message(language), *hints_of(finding, language)]
    )


def _stopped(ruled: Adjudication) -> Json | None:
    """Why a record could not be played to its end: ``ply`` (0: the start position) and the reason; None: it could."""
    if ruled.claim not in STOPPED:
        return None
    played = len(ruled.moves)
    recorded = Count.of(len(ruled.record.tokens))
    ply = 0 if ruled.claim == "no-start" else played + 1
    faults = [f for f in ruled.findings if f.severity == "error" and (f.ply or 0) == ply]
    en, zh = (
        "; ".join(_told(fault, "en") for fault in faults),
        "；".join(_told(fault, "zh") for fault in faults),
    )
    head, head_zh = (
        (f"ply {ply} cannot be played", f"第 {ply} 着不能走")
        if ply
        else ("the start cannot be played", "起始局面不能使用")
    )
    return {
        "ply": ply,
        "en": f"{head}: {en or CLAIMS[ruled.claim]}. {played} of {recorded} {recorded:ply|plies} replayed.",
        "zh": f"{head_zh}：{zh}。共 {recorded} 着，复演 {played} 着。",
    }


def _claim(ruled: Adjudication) -> Json:
    """How the record's own result stands to the ruling, and that result where the ruling does not say it."""
    en, zh = CLAIMS[ruled.claim], CLAIMS_ZH.get(ruled.claim, "")
    if ruled.claim in STOPPED:
        en, zh = "the record cannot be played to its end", "棋谱不能走到终局"
    if ruled.claimed in DECIDED and ruled.claim != "agrees":
        said, said_zh = RESULTS[ruled.claimed]
        en, zh = f"{en}; the record says: {said}", f"{zh}；棋谱记为：{said_zh}"
    return {"en": en, "zh": zh}


def _tags(tags: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in tags.items() if value.strip("?.- ")}


class _Lines:
    """Walks the lines of a record with one position."""

    def __init__(self, position: Position, record: GameRecord):
        self.position = position
        self.record = record
        self.start = pgn.start_of(position.fen())
        self.reading: str | None = None
        self.moves: list[str] = []

    def main(self, ruled: Adjudication) -> list[Json]:
        """The plies that were replayed; leaves the position at the start."""
        if (ruled.notation or "").endswith("(ranks from 0)"):
            self.reading = "iccs"
        seen: dict[int, list[int]] = {self.position.key: [0]}
        plies = []
        for fact in ruled.moves:
            ply = self.step(fact.ply, fact.move)
            before = seen.setdefault(fact.position_key, [])
            ply |= {
                "token": fact.token,
                "mate": fact.mate,
                "stalemate": fact.stalemate,
                "occurrence": fact.occurrence,
                "before": before[:MOST_BEFORE],
                "since_capture": fact.plies_since_capture,
            }
            before.append(fact.ply)
            ply |= self.said(ply, self.record.comments, self.record.nags)
            plies.append(ply)
        self.moves = [ply["move"] for ply in plies]
        for _ in plies:
            self.position.pop()
        return plies

    def step(self, number: int, move: str) -> Json:
        """Play ``move`` as ply ``number``: what it is called and what it did."""
        position = self.position
        cursor = position.cursor
        context = position.context(move)
        before, side = cursor.pieces(), position.side
        rules = position.rules
        start, to = move_points(move)
        target = rules.point(to)
        position.push(move)
        after = cursor.pieces()
        gone, explosion = None, False
        if start and before[target] and not after[target]:
            explosion = rules.blasts(rules.pieces[(before[rules.point(start)] & 15) - 1])
            gone = [
                {"point": rules.point_name(point), "piece": _letter(rules, code)}
                for point, code in enumerate(before)
                if code and not after[point] and rules.point_name(point) != start
            ]
        replies = len(cursor.legal())
        checks = checks_of(position)
        return {
            "ply": number,
            "side": side,
            "label": pgn.move_label(number, self.start),
            "move": move,
            "from": start,
            "to": to,
            "piece": context.piece,
            "promotion": context.promotion or None,
            "captured": _letter(rules, before[target]),
            "gone": gone,
            "explosion": explosion,
            "text": {name: write(context, name) for name in NOTATIONS},
            "fen": position.fen(),
            "checks": checks,
            "mate": context.mate,
            "stalemate": not context.check and not replies and cursor.general(cursor.side) is not None,
            "replies": replies,
        }

    def said(
        self, ply: Json, comments: Mapping[int, Sequence[str]], nags: Mapping[int, Sequence[int]]
    ) -> Json:
        number = ply["ply"]
        return {**_remarks(comments.get(number, ()), ply["side"]), "nags": list(nags.get(number, ()))}

    def variations(self, top: Sequence[Variation], game: Json) -> None:
        """Read the variations beside the main line, at every depth, into ``game["lines"]``."""
        lines = game["lines"]
        work = [(line, 0, self.moves) for line in reversed(top)]
        while work:
            variation, parent, along = work.pop()
            if len(lines) > MOST_LINES:
                game["lines_left_out"] += 1
                work += [(inner, parent, along) for inner in variation.variations]
                continue
            line, path = self.branch(variation, parent, along)
            lines.append(line)
            number = len(lines) - 1
            work += [(inner, number, path) for inner in reversed(variation.variations)]

    def branch(self, variation: Variation, parent: int, along: list[str]) -> tuple[Json, list[str]]:
        """A variation as a line of the study, and its moves from the start of the game."""
        first = variation.from_ply
        before = along[: first - 1]
        plies: list[Json] = []
        if len(before) == first - 1:
            for move in before:
                self.position.push(move)
            for number, token in enumerate(variation.moves, start=first):
                try:
                    move = self.position.parse(token, self.reading)
                except MoveError:
                    break
                ply = self.step(number, move) | {
                    "token": token,
                    "occurrence": None,
                    "before": [],
                    "since_capture": self.position.cursor.since_capture,
                }
                plies.append(ply | self.said(ply, variation.comments, variation.nags))
            for _ in range(len(before) + len(plies)):
                self.position.pop()
        line = {
            "parent": parent,
            "from": first,
            "comments": _remarks(variation.comments.get(first - 1, ()), "red")["comments"],
            "plies": plies,
            "unread": list(variation.moves[len(plies) :]),
        }
        return line, before + [ply["move"] for ply in plies]


def _remarks(comments: Sequence[str], side: str) -> Json:
    """Comments apart from an engine's figures in them, which are turned to Red's view.

    Match programs note what the mover saw, before his move and from his side; the command ``%eval`` (Lichess,
    python-chess) has the position after it and White's side: ``after``.
    """
    found: Json = {"comments": [], "evaluation": None, "mate_in": None, "depth": None, "seconds": None}
    found["after"] = any("[%eval" in comment for comment in comments)
    sign = -1 if side == "black" and not found["after"] else 1
    for comment in comments:
        said = remark.read(comment)
        if found["evaluation"] is None and said.evaluation == said.evaluation:
            found["evaluation"] = round(sign * said.evaluation, 2) + 0.0
        if found["mate_in"] is None and said.mate:
            found["mate_in"] = sign * said.mate
        if found["depth"] is None and said.depth >= 0:
            found["depth"] = said.depth
        if found["seconds"] is None and said.seconds == said.seconds:
            found["seconds"] = round(said.seconds, 3)
        if said.text:
            found["comments"].append(said.text)
    found["after"] &= found["evaluation"] is not None or found["mate_in"] is not None
    return found


def _letter(rules: Ruleset, code: int) -> str | None:
    """A piece of the board by its letter, small for Black."""
    if not code:
        return None
    letter = rules.pieces[(code & 15) - 1].letter
    return letter.lower() if code & BLACK else letter


def checks_of(position: Position) -> Json | None:
    """How the general of the side to move is attacked; None when it is not.

    ``direct`` are the points of the checkers, ``wide`` the captures beside it that would blow it up, as
    ``[from, to]``; ``general`` is its own point.
    """
    cursor, name = position.cursor, position.rules.point_name
    general = cursor.general(cursor.side)
    if general is None:
        return None
    direct = sorted(cursor.checkers())
    wide = sorted(_blasts(position)) if cursor.blast_threat() else []
    if not direct and not wide:
        return None
    return {
        "general": name(general),
        "direct": [name(point) for point in direct],
        "wide": [[name(start), name(to)] for start, to in wide],
    }


def _blasts(position: Position) -> list[tuple[int, int]]:
    """The captures by which the side that is not to move would remove the other's general."""
    cursor = position.cursor
    victim = cursor.side
    pieces = cursor.pieces()
    other = Cursor(cursor.tables_of(), pieces, 1 - victim, 0, cursor.held(), cursor.iron())
    found = []
    for start, to, kind in other.legal():
        if start != NOWHERE and pieces[to] and to != cursor.general(victim):
            other.push(start, to, kind)
            if other.general(victim) is None:
                found.append((start, to))
            other.pop()
    return found
