"""Many records at once: descriptors to the kernel, facts and rulings back, every fault a finding.

`replay_batch` is what `adjudicate()` and the pipeline share. Work per game is Python, work per ply is the
kernel's; only records that the kernel could not play as written are looked at move by move.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

from adjudicator import _ends, _replay, handicap, relocation, variants
from adjudicator._cursor import Cursor
from adjudicator.compile import tables
from adjudicator.explain import refusal
from adjudicator.moves import NOWHERE, Move, move_text, move_word
from adjudicator.reasons import REASON_WORDS
from adjudicator.repeats import Repeats
from adjudicator.rulebook import RuleBook
from adjudicator.ruleset import Ruleset
from adjudicator.ruling import DECIDED, REASONS, WINNERS, claim_of, law, other_results, outcome_of
from adjudicator.settle import Line, Settled, settle
from adjudicator.setup import SIDES, SIDES_ZH, FenWriter, Held, Start, array_of, start_from_fen, unpack_held
from notation import descriptor
from notation.finding import Finding
from notation.near import near
from notation.notations import heard, parse
from notation.record import RecordBatch

RANKS_FROM_1, RANKS_FROM_0, FIND_OUT = 0, 1, 2
BOTH_READINGS = 4
OVERWRITTEN = _replay.FLAGS["overwritten"]
_STOPPED = {
    "unreadable": "unreadable",
    "not-started": "no-start",
    "illegal": "illegal-move",
    "ambiguous": "illegal-move",
}
"""Claim status of records that did not play to their end."""
_OR = (" or ", " 或 ")
"""Between rule sets that a suggestion names, in English and Chinese."""
_STATUS = {number: name for name, number in _replay.STATUS.items()}


MOST_SLIPS = 3
"""An unreadable word suggests so many moves at most."""


@dataclass(slots=True)
class BatchResult:
    """What became of a batch on the board.

    ``plies``: a row per ply played, dict of buffers (`_replay.PLY_COLUMNS`); ``first_ply`` has n + 1 first rows.
    ``games``: a list or array per column, one entry per record. ``repeats`` tells of repetitions, ``start_keys`` are
    the keys of the start positions.
    ``findings``: their ``game`` is the index in the batch.
    """

    plies: dict[str, array[Any]]
    first_ply: array[int]
    games: dict[str, Sequence[Any]]
    repeats: Repeats
    start_keys: array[int]
    findings: list[Finding] = field(default_factory=list)


def descriptors(lexemes: list[str]) -> array[int]:
    """What each of ``lexemes`` says, 0 where it cannot be read."""
    return array("I", map(parse, lexemes))


def replay_batch(batch: RecordBatch, rules: Ruleset, book: str | RuleBook | None = None) -> BatchResult:
    """Replay every record of ``batch`` under ``rules`` and rule on it by ``book`` (None: the rule set's own)."""
    return _Run(batch, rules, book).result()


class _Run:
    def __init__(self, batch: RecordBatch, rules: Ruleset, book: str | RuleBook | None):
        self.batch = batch
        self.rules = rules
        self.book = rules.rulebook(book)
        self.tables = tables(rules)
        self.findings: list[Finding] = []
        self.token = batch.token
        self.said = descriptors(batch.lexemes)
        self.given = batch.fens()
        self.starts: list[Start] = []
        self.kernel_starts = _replay.Starts(self.tables)
        self.start_of = array("i")
        self.skip = array("I", bytes(4 * len(batch)))
        self.settled: dict[int, Settled] = {}
        self.other_variant: dict[int, str] = {}
        self.declared = array("B")

    def result(self) -> BatchResult:
        self.set_up()
        self.declared = self.declared_readings()
        reading = self.declared[:]
        replayed = self.replay(reading)
        written = replayed[1]["written"]
        if changed := self.settle_open(reading, replayed[1]):
            replayed = self.replay(self.rewrite(changed, reading))
        plies, games = replayed
        for game, status in enumerate(games["status"]):
            open_side = self.starts[game].side is None
            if status or game in self.settled or open_side or reading[game] & BOTH_READINGS:
                self.report(game, status, games["row"][game + 1] - games["row"][game], reading[game])
        for game, plies_ in enumerate(games["overwritten"]):
            if plies_:
                self.report_overwritten(game, plies, games["row"])
        self.report_variants()
        self.suggest_rules(games["status"])
        columns = self.columns(plies, games, reading, written)
        return BatchResult(plies, games["row"], columns, self.repeats, self.start_keys, self.findings)

    # ---- starts and readings ---------------------------------------------------------------------

    def set_up(self) -> None:
        """The start of every record; a side that the FEN leaves open is Red's until the moves say otherwise."""
        known: dict[tuple[str | None, str, str], tuple[int, Start]] = {}
        handicaps = self.batch.tags.told("Handicap")
        for game, told in enumerate(zip(self.given, handicaps, self.relocations(), strict=True)):
            if told not in known:
                start = start_from_fen(told[0], self.rules, told[1] or None, told[2])
                number = -1
                if start.playable:
                    number = self.kernel_starts.add(
                        start.pieces, start.side or 0, start.since_capture, start.held, start.iron
                    )
                known[told] = number, start
            number, start = known[told]
            self.start_of.append(number)
            self.starts.append(start)
            if start.faults:
                self.findings += [self.place(fault, game, tag=_tag_of(fault.code)) for fault in start.faults]

    def relocations(self) -> list[str]:
        """What is relocated before the first turn of every record: by its tag, and by the moves it begins with."""
        texts = self.batch.tags.told("Relocation")
        if self.rules.relocates:
            usual = array_of(self.rules)
            for game, fen in enumerate(self.given):
                if start_from_fen(fen, self.rules).pieces == usual:
                    span = self.batch.token[self.batch.first_token[game] : self.batch.first_token[game + 1]]
                    moves = [*relocation.leading(usual, map(self.said.__getitem__, span), self.rules)]
                    self.skip[game] = len(moves)
                    texts[game] = " ".join([texts[game], *moves]).strip()
        return texts

    def first(self, game: int) -> int:
        """The token of a game's first turn."""
        return self.batch.first_token[game] + self.skip[game]

    def declared_readings(self) -> array[int]:
        """Where ranks start, per record: by the ranks that occur, else by its Format tag, else to find out.

        Ranks from 0 give each of ten ranks one digit: on fewer, they must be declared.
        """
        readings = array("B")
        otherwise = FIND_OUT if self.rules.ranks >= 10 else RANKS_FROM_1
        for seen, said in zip(self.batch.rank_base, self.batch.tags.told("Format"), strict=True):
            if seen >= 0:
                readings.append(RANKS_FROM_0 if seen == 0 else RANKS_FROM_1)
            elif said.upper() == "ICCS":
                readings.append(RANKS_FROM_0)
            else:
                readings.append(otherwise)
        return readings

    def replay(self, reading: array[int]) -> tuple[dict[str, array[Any]], dict[str, array[Any]]]:
        return _replay.replay(
            self.kernel_starts,
            self.start_of,
            self.batch.first_token,
            self.token,
            self.said,
            reading,
            self.skip,
        )

    def settle_open(self, reading: array[int], games: dict[str, array[Any]]) -> dict[int, Settled]:
        """Play the records that the kernel could not, in every reading; returns those that got further."""
        declared = self.declared
        changed: dict[int, Settled] = {}
        for game, status in enumerate(games["status"]):
            if _STATUS[status] not in ("illegal", "ambiguous") or self.start_of[game] < 0:
                continue
            start = self.starts[game]
            bases = [declared[game]] if declared[game] != FIND_OUT else [RANKS_FROM_1, RANKS_FROM_0]
            readings = [base | dialect for base in bases for dialect in (0, descriptor.PLACE_THEN_FILE)]
            sides = [start.side] if start.side is not None else [0, 1]
            span = range(self.first(game), self.batch.first_token[game + 1])
            settled = settle(start, self.tables, sides, readings, (self.said[self.token[t]] for t in span))
            self.settled[game] = settled
            reading[game] = settled.line.reading & descriptor.RANKS_FROM_0
            if len(settled.line.moves) > games["row"][game + 1] - games["row"][game]:
                changed[game] = settled
        return changed

    def rewrite(self, changed: dict[int, Settled], reading: array[int]) -> array[int]:
        """Put the settled moves in the place of the tokens, as coordinates with ranks from 1; returns the
        readings for another replay."""
        again = array("B", (value & RANKS_FROM_0 for value in reading))
        self.token = array("I", self.token)
        known: dict[Move, int] = {}
        for game, settled in changed.items():
            start = self.starts[game]
            line = settled.line
            if start.side is None:
                self.start_of[game] = self.kernel_starts.add(
                    start.pieces, line.side, start.since_capture, start.held, start.iron
                )
            first = self.first(game)
            for token, move in enumerate(line.moves, start=first):
                if move not in known:
                    known[move] = len(self.said)
                    self.said.append(move_word(self.rules, move))
                self.token[token] = known[move]
            again[game] = RANKS_FROM_1
        return again

    # ---- findings --------------------------------------------------------------------------------

    def place(self, fault: Finding, game: int, ply: int | None = None, tag: str | None = None) -> Finding:
        """``fault`` with the place of its record, of its ``tag``, or of the token of its ``ply``."""
        # Records with the same start have its faults in common, but not what is added to them.
        details = dict(fault.details)
        found = Finding(fault.code, game, fault.ply, fault.text, fault.candidates, fault.suggestion, details)
        found.line = self.batch.line[game] or None
        found.byte = self.batch.offset[game]
        if tag and (place := self.batch.tag_place(game, tag)):
            found.line, found.column, found.byte = place
        if ply:
            token = self.first(game) + ply - 1
            found.ply = ply
            found.line, found.column, found.byte = self.batch.token_place(game, token)
            found.text = self.batch.lexemes[self.batch.token[token]]
        return found

    def add(
        self, code: str, game: int, ply: int | None = None, tag: str | None = None, **values: Any
    ) -> None:
        candidates = tuple(values.pop("candidates", ()))
        suggestion = values.pop("suggestion", None)
        if candidates:
            values["candidates"] = ", ".join(candidates)
        fault = Finding(code, ply=ply, candidates=candidates, suggestion=suggestion, details=values)
        self.findings.append(self.place(fault, game, ply, tag))

    def report(self, game: int, status: int, played: int, reading: int) -> None:
        """What a record left open or broke, now that it has been replayed."""
        settled = self.settled.get(game)
        if reading & BOTH_READINGS:
            self.report_base(game)
        if self.starts[game].side is None and played:
            self.add("fen-side", game, 0, "FEN", side=SIDES[settled.line.side if settled else 0])
        if settled:
            self.report_choices(game, settled)
        name = _STATUS[status]
        if name == "unreadable":
            self.report_unreadable(game, played)
        elif name in ("illegal", "ambiguous"):
            self.report_illegal(game, played, reading)

    def report_base(self, game: int) -> None:
        first = self.first(game)
        text = self.batch.lexemes[self.batch.token[first]]
        said = descriptor.Said.unpack(self.said[self.batch.token[first]])
        start = self.starts[game]
        cursor = start.cursor(self.tables, start.side or 0)
        moves = [cursor.meanings(said.pack(), base) for base in (RANKS_FROM_1, RANKS_FROM_0)]
        candidates = [move_text(self.rules, move) for found in moves for move in found]
        self.add("ambiguous-coordinate-base", game, 1, candidates=candidates, read=text)

    def report_choices(self, game: int, settled: Settled) -> None:
        """Every ply that was read in one way of several: open to the end, or settled by the rest of the record."""
        line = settled.line
        first = self.first(game)
        bases = any((rival.reading ^ line.reading) & RANKS_FROM_0 for rival in settled.rivals)
        found = {**self.dialects(game, line), **line.choices}
        for ply, undecided in line.open.items():
            found.setdefault(ply, sorted(undecided))
        for ply, moves in sorted(found.items()):
            said = self.said[self.batch.token[first + ply - 1]]
            code = "ambiguity-settled"
            if ply in line.open:
                code = "ambiguous-move"
                if descriptor.Said.unpack(said).marker == descriptor.PAIR:
                    code = "ambiguous-dialect"
                elif bases and ply not in line.choices:
                    code = "ambiguous-coordinate-base"
            candidates = [move_text(self.rules, move) for move in moves]
            chosen = move_text(self.rules, line.moves[ply - 1])
            self.add(code, game, ply, candidates=candidates, used=chosen)

    def dialects(self, game: int, line: Line) -> dict[int, list[Move]]:
        """Plies whose two digits name different moves in the two dialects, with the moves."""
        first = self.first(game)
        said = [self.said[token] for token in self.batch.token[first : first + len(line.moves)]]
        if not any(descriptor.Said.unpack(word).marker == descriptor.PAIR for word in set(said)):
            return {}
        cursor = self.starts[game].cursor(self.tables, line.side)
        found = {}
        for ply, (word, move) in enumerate(zip(said, line.moves, strict=True), start=1):
            if descriptor.Said.unpack(word).marker == descriptor.PAIR:
                moves = {
                    m for dialect in (0, descriptor.PLACE_THEN_FILE) for m in cursor.meanings(word, dialect)
                }
                if len(moves) > 1:
                    found[ply] = sorted(moves)
            cursor.push(*move)
        return found

    def report_unreadable(self, game: int, played: int) -> None:
        """A word that is no move, with the legal moves it may be a slip for, where they are few."""
        meant = self.slips(game, played)
        few = 0 < len(meant) <= MOST_SLIPS
        candidates = [move_text(self.rules, move) for move in meant] if few else []
        suggestion = ", ".join(meant.values()) if few else None
        self.add("unreadable-token", game, played + 1, candidates=candidates, suggestion=suggestion)

    def slips(self, game: int, played: int) -> dict[Move, str]:
        """The legal moves whose text, in the notation of the record, is the unreadable word but for one character."""
        first = self.first(game)
        texts = [
            self.batch.lexemes[token] for token in self.batch.token[first : self.batch.first_token[game + 1]]
        ]
        notation = next(filter(None, map(heard, texts)), None)
        spelt = "".join(texts)

        def strangeness(slip: tuple[str, int]) -> tuple[bool, int]:
            """Of 进 and 進, of 七 and 7 the record writes one."""
            digits = {digit.isascii() for digit in slip[0] if digit.isnumeric()}
            return len(digits) > 1, -sum(map(spelt.count, slip[0]))

        texts_near = sorted(near(texts[played], notation), key=strangeness)
        if not texts_near:
            return {}
        start, base = self.starts[game], self.declared[game]
        sides = [start.side] if start.side is not None else [0, 1]
        readings = [base] if base != FIND_OUT else [RANKS_FROM_1, RANKS_FROM_0]
        before = (self.said[self.token[token]] for token in range(first, first + played))
        line = settle(start, self.tables, sides, readings, before).line
        found: dict[Move, str] = {}
        for text, said in texts_near:
            meanings = line.cursor.meanings(said, line.reading)
            if len(meanings) == 1:
                found.setdefault(meanings[0], text)
        return found

    def report_illegal(self, game: int, played: int, reading: int) -> None:
        start = self.starts[game]
        settled = self.settled[game]
        line = settled.line
        ply = played + 1
        said = self.said[self.batch.token[self.first(game) + played]]
        cursor = start.cursor(self.tables, line.side)
        for move in line.moves[:played]:
            cursor.push(*move)
        why = refusal(cursor, self.rules, said, line.reading)
        suggestion = chinese = None
        code = why.code
        details: dict[str, Any] = {"why": why.why, "why_zh": why.why_zh}
        if code == "third-creation" and why.move:
            details["plies"] = ", ".join(map(str, self.creations(game, why.move, played)))
        other = Cursor(self.tables, cursor.pieces(), 1 - cursor.side, 0, cursor.held(), cursor.iron())
        meant = other.meanings(said, line.reading)
        if meant:
            # A drop says what it is a drop of, so what is wrong with it is known.
            code = code if meant[0][0] == NOWHERE else "wrong-side"
            text = move_text(self.rules, meant[0])
            suggestion = f"{text} is legal with {SIDES[other.side]} to move"
            chinese = f"{text} 在轮到{SIDES_ZH[other.side]}走时合法"
            if ply == 1:
                more, more_chinese = self.whole_with(game, 1 - line.side)
                suggestion, chinese = suggestion + more, chinese + more_chinese
        elif why.near and len(why.candidates) == 1:
            suggestion = why.candidates[0]
        if chinese:
            details["suggestion_zh"] = chinese
        self.add(code, game, ply, candidates=why.candidates, suggestion=suggestion, **details)

    def creations(self, game: int, move: Move, played: int) -> list[int]:
        """The plies, up to ``played``, that created the position which ``move`` would create again."""
        line = self.settled[game].line
        cursor = self.starts[game].cursor(self.tables, line.side)
        keys = []
        for known in (*line.moves[:played], move):
            cursor.push(*known)
            keys.append(cursor.key)
        return [ply for ply, key in enumerate(keys[:-1], start=1) if key == keys[-1]]

    def whole_with(self, game: int, side: int) -> tuple[str, str]:
        """How far the record plays when the other side moves first, in English and Chinese."""
        start = self.starts[game]
        span = range(self.first(game), self.batch.first_token[game + 1])
        said = (self.said[self.batch.token[t]] for t in span)
        settled = settle(start, self.tables, [side], [0, 1], said)
        plies = len(settled.line.moves)
        if plies == len(span):
            return ", and so is the whole record", ",整份棋谱亦然"
        return f"; {plies} of {len(span)} plies play so", f";如此可走 {len(span)} 着中的 {plies} 着"

    def report_overwritten(self, game: int, plies: dict[str, array[Any]], row: array[int]) -> None:
        rows = range(row[game], row[game + 1])
        found = [plies["ply"][r] for r in rows if plies["flags"][r] & OVERWRITTEN]
        shown = ", ".join(map(str, found[:20])) + (", …" if len(found) > 20 else "")
        self.add("over-disambiguated", game, found[0], plies=shown)

    def report_variants(self) -> None:
        """Records that name another game than the one whose rules they are read under."""
        names = self.batch.tags.told("Variant")
        others = variants.others(names, self.rules)
        for game in (game for game, name in enumerate(names) if name in others):
            name = names[game]
            known = variants.known_as(name)
            code = "other-variant" if known else "unknown-variant"
            told: dict[str, Any] = {"tag": "Variant", "rules": self.rules.id}
            if known:
                told["suggestion"], told["suggestion_zh"] = (f"--rules {word.join(known)}" for word in _OR)
            self.add(code, game, **told)
            self.findings[-1].text = name
            if known:
                self.other_variant[game] = name

    def suggest_rules(self, status: array[int]) -> None:
        """Add to the fault that stopped a record under which other rule sets it is legal to its end."""
        broken = [
            game
            for game, code in enumerate(status)
            if _STATUS[code] in ("illegal", "not-started")
            and self.first(game) < self.batch.first_token[game + 1]
        ]
        said = self.said[: len(self.batch.lexemes)]
        legal = variants.legal_under(self.batch, broken, said, self.declared, self.rules)
        for finding in self.findings:
            if finding.game is None or finding.severity != "error":
                continue
            if known := legal.pop(finding.game, None):
                english, chinese = (word.join(known) for word in _OR)
                elsewhere = f"the whole record is legal under the rules {english}"
                chinese = f"整份棋谱在规则 {chinese} 下合法"
                finding.details["suggestion_zh"] = ";".join(filter(None, (finding.suggested("zh"), chinese)))
                finding.suggestion = "; ".join(filter(None, (finding.suggestion, elsewhere)))

    # ---- games -----------------------------------------------------------------------------------

    def columns(
        self,
        plies: dict[str, array[Any]],
        games: dict[str, array[Any]],
        reading: array[int],
        written: array[int],
    ) -> dict[str, Sequence[Any]]:
        n = len(self.batch)
        facts = {number: self.kernel_starts.facts(number) for number in set(self.start_of) if number >= 0}
        facts[-1] = 0, 0, 0
        of_game = [facts[number] for number in self.start_of]
        self.start_keys = array("Q", [key for key, _, _ in of_game])
        ends = _ends.find_ends(
            games["row"],
            plies["position_key"],
            plies["flags"],
            plies["side"],
            plies["occurrence"],
            plies["plies_since_capture"],
            self.start_keys,
            array("H", [found for _, _, found in of_game]),
            array("B", [side for _, side, _ in of_game]),
            law(self.rules, self.book),
        )
        # Not `self` in what follows: a cycle of references would keep the whole batch until it is collected.
        starts = self.starts
        self.repeats = Repeats(
            self.rules,
            plies,
            games["row"],
            lambda game: (starts[game], of_game[game][1], of_game[game][0]),
        )
        verdicts = self.repeats.judge(ends, self.book)
        played = [b - a for a, b in pairwise(games["row"])]
        result = [WINNERS[code] for code in ends["winner"]]
        reason = [REASONS[code] for code in ends["end"]]
        for game, verdict in verdicts.items():
            result[game], reason[game] = WINNERS[verdict.winner], verdict.reason
        end_ply = [ply if code else None for ply, code in zip(ends["ply"], ends["end"], strict=True)]
        claimed = list(map(outcome_of, self.batch.terminator, self.batch.tags.told("Result")))
        status = [_STATUS[code] for code in games["status"]]
        stopped = map(_STOPPED.get, status)
        claims = list(map(claim_of, stopped, claimed, result, end_ply, played))
        for game, claim in enumerate(claims):
            if claim not in ("played-on", "contradicts"):
                continue
            ply, said = end_ply[game] or None, _said(reason[game])
            if claim == "played-on":
                self.add(claim, game, ply, end=end_ply[game], **said)
            if claimed[game] in DECIDED and claimed[game] != result[game]:
                self.add("result-contradicts", game, ply, claimed=claimed[game], ruled=result[game], **said)
        told = {finding.game for finding in self.batch.findings if finding.code == "empty-game"}
        for game, (first, end) in enumerate(pairwise(self.batch.first_token)):
            if first == end and game not in told:  # some containers say so themselves
                self.add("empty-game", game)
        start_fens, final_fens = self.fens(facts, games, played)
        disputed: list[str | None] = [None] * n
        for game, verdict in verdicts.items():
            disputed[game] = other_results(verdict)
        return {
            "game_id": games["digest"],
            "start_fen": start_fens,
            "handicap": self.handicaps(),
            "other_variant": [self.other_variant.get(game) for game in range(n)],
            "final_fen": final_fens,
            "notation": list(map(self.notations(), range(n), written, reading)),
            "relocations": self.skip,
            "plies": played,
            "result": result,
            "reason": reason,
            "end_ply": end_ply,
            "cycle": [ply if ply >= 0 else None for ply in ends["cycle"]],
            "disputed": disputed,
            "claimed": claimed,
            "claim": claims,
            "captures": games["captures"],
            "explosions": games["explosions"],
            "drops": games["drops"],
            "checks": games["checks"],
        }

    def fens(
        self, facts: dict[int, tuple[int, int, int]], games: dict[str, array[Any]], played: list[int]
    ) -> tuple[list[str | None], list[str | None]]:
        """First and last position of every record; None where there is no start."""
        writer = FenWriter(self.rules)
        placements = writer.placements(bytes(games["final"]))
        holds = self.rules.reserves
        held: Held = ({}, {})
        first: dict[int, str] = {}
        last: list[str | None] = []
        ends = zip(placements, games["final_side"], games["final_since"], played, strict=True)
        for game, (number, start, end) in enumerate(zip(self.start_of, self.starts, ends, strict=True)):
            if number < 0:
                last.append(None)
                continue
            side = facts[number][1]
            if number not in first:
                first[number] = writer.fen(start.pieces, side, start.since_capture, start.number, start.held)
            placement, final_side, since, plies = end
            if holds:
                held = unpack_held(games["final_held"], game)
            last.append(writer.whole(placement, final_side, since, start.number + (side + plies) // 2, held))
        return [first.get(number) for number in self.start_of], last

    def handicaps(self) -> list[str | None]:
        """The handicap of every record in words."""
        array = array_of(self.rules)
        told = {
            id(start): handicap.text(start.handicap, start.iron, array, self.rules)
            for start in {id(start): start for start in self.starts}.values()
        }
        return [told[id(start)] for start in self.starts]

    def notations(self) -> Callable[[int, int, int], str | None]:
        """A function that names the notation of a record, from the kinds heard in it."""
        lexemes = self.batch.lexemes
        names = {
            descriptor.COORDINATE: "coordinate",
            descriptor.ALGEBRAIC: "algebraic",
            descriptor.DROP: "coordinate",
        }

        def relative(game: int) -> str:
            first = self.first(game)
            for token in self.batch.token[first : min(first + 4, self.batch.first_token[game + 1])]:
                if self.said[token] & 7 == descriptor.RELATIVE:
                    return heard(lexemes[token]) or "wxf"
            return "wxf"

        @cache
        def together(written: int, reading: int, relative: str | None) -> str | None:
            found = list(dict.fromkeys(text for kind, text in names.items() if written >> kind & 1))
            if relative:
                found.append(relative)
            if not found:
                return None
            base = ""
            if written & (1 << descriptor.COORDINATE | 1 << descriptor.ALGEBRAIC):
                base = " (ranks from 0)" if reading & RANKS_FROM_0 else " (ranks from 1)"
            return " + ".join(found) + base

        def name(game: int, written: int, reading: int) -> str | None:
            spoken = relative(game) if written >> descriptor.RELATIVE & 1 else None
            return together(written, reading, spoken)

        return name


def _tag_of(code: str) -> str:
    """The tag in which a fault of the start position is written."""
    if code == "illegal-relocation":
        return "Relocation"
    return "Handicap" if code.startswith("handicap-") else "FEN"


def _said(reason: str | None) -> dict[str, str]:
    """A reason for a finding: in English, in Chinese."""
    if reason is None:
        return {}
    english, chinese = REASON_WORDS[reason]
    return {"reason": english, "reason_zh": chinese}
