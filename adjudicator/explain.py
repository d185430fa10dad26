"""Why a written move is not legal: the rule it breaks, and what was possible instead.

This runs only for moves that the kernel refused, so it is plain Python over a `Cursor`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator._cursor import Cursor
from adjudicator.moves import BLACK, NOWHERE, Move, move_text
from adjudicator.ruleset import Motion, Ruleset
from notation import descriptor
from notation.descriptor import Said


class Reason(NamedTuple):
    """A rule that a move breaks, in English and Chinese, and the code of the finding that tells of it."""

    why: str
    why_zh: str
    code: str = "illegal-move"


@dataclass(slots=True)
class Refusal:
    """Why a move was refused: a finding's ``code``, the reason in English and Chinese, legal candidates.

    ``move`` is the move that was meant, where the words name one. ``near`` is False when nothing comes near the
    words and the candidates are simply all that is legal, where that is little.
    """

    code: str
    why: str
    why_zh: str
    candidates: list[str] = field(default_factory=list)
    move: Move | None = None
    near: bool = True


FEW = 8
"""So many legal moves or fewer are all shown where none comes near a refused one."""


def refusal(cursor: Cursor, rules: Ruleset, said: int, reading: int) -> Refusal:
    """Why ``said`` has no legal meaning on the board of ``cursor``."""
    return _Judge(cursor, rules, reading).judge(Said.unpack(said))


class _Judge:
    def __init__(self, cursor: Cursor, rules: Ruleset, reading: int):
        self.cursor = cursor
        self.rules = rules
        self.reading = reading
        self.pieces = cursor.pieces()
        self.legal = sorted(cursor.legal())
        self.held = cursor.held()[cursor.side]

    def judge(self, said: Said) -> Refusal:
        royal = next((kind for kind, piece in enumerate(self.rules.pieces, start=1) if piece.royal), 0)
        if royal in self.held and not (said.kind == descriptor.DROP and self.kind(said.piece) == royal):
            name = self.rules.pieces[royal - 1].name
            reason = Reason(f"the {name} must be placed first", "必须先放王", "king-not-placed")
            return self.refuse(reason, self.legal)
        if said.kind == descriptor.RELATIVE:
            return self.relative(said)
        base = 0 if self.reading & descriptor.RANKS_FROM_0 else 1
        to = self.square(said.to_file, said.to_rank - base)
        if to is None:
            return self.refuse(Reason("the point is not on the board", "目标点不在棋盘上"), [])
        if said.kind == descriptor.DROP:
            return self.drop(said, to)
        if said.kind == descriptor.COORDINATE:
            start = self.square(said.from_file, said.from_rank - base)
            if start is None:
                return self.refuse(Reason("the point is not on the board", "起点不在棋盘上"), [])
            return self.coordinate(start, to, self.kind(said.promotion) or 0 if said.promotion else 0)
        return self.algebraic(said, to, base)

    def drop(self, said: Said, to: int) -> Refusal:
        """rulesets.md: a drop comes from the own reserve, onto an empty point, in the piece's region."""
        kind = self.kind(said.piece)
        there = [m for m in self.legal if m[0] == NOWHERE and (m[1] == to or m[2] == kind)]
        at = self.rules.point_name(to)
        if not self.rules.reserves:
            reason = Reason("this game has no drops", "本棋种没有打入", "drop-in-non-drop-ruleset")
        elif kind is None:
            reason = Reason(f"no piece is written {said.piece}", f"没有写作 {said.piece} 的棋子")
        elif kind not in self.held:
            name, side = self.rules.pieces[kind - 1], _SIDES[self.cursor.side]
            reason = Reason(
                f"{side[0]} holds no {name.name}", f"{side[1]}没有可打入的{name.chinese}", "not-in-hand"
            )
        elif self.pieces[to]:
            reason = Reason(f"{at} is occupied", f"{at} 上有棋子", "drop-on-occupied")
        elif not self.cursor.allows_drop(kind, to):
            piece = self.rules.pieces[kind - 1]
            if piece.drop_shuns and to in self.reach(kind):
                reason = Reason(
                    f"{_a(piece.name)} may not be dropped beside an enemy {piece.drop_shuns}",
                    "不能打入在敌方堡垒旁",
                    "drop-beside-fortress",
                )
            else:
                reason = Reason(
                    f"{_a(piece.name)} may not be dropped on {at}",
                    f"{piece.chinese}不能打入 {at}",
                    "drop-outside-region",
                )
        else:
            reason = self.danger((NOWHERE, to, kind))
        return self.refuse(reason, there)

    def reach(self, kind: int) -> frozenset[int]:
        """Where the kind may be dropped, as far as regions tell."""
        region = self.rules.pieces[kind - 1].drop
        points = range(len(self.pieces))
        if region is None or region == "anywhere":
            return frozenset(points if region else ())
        return frozenset(point for point in points if self.seen(point) in self.rules.region(region))

    def square(self, file: int, rank: int) -> int | None:
        if 0 <= file < self.rules.files and 0 <= rank < self.rules.ranks:
            return rank * self.rules.files + file
        return None

    def coordinate(self, start: int, to: int, promotion: int) -> Refusal:
        mine = [m for m in self.legal if m[0] == start]
        there = [m for m in self.legal if m[1] == to]
        code = self.pieces[start]
        name = self.as_written(start)
        if code == 0:
            return self.refuse(Reason(f"no piece stands on {name}", f"{name} 上没有棋子"), there)
        if code >> 4 != self.cursor.side:
            mover = _SIDES[self.cursor.side]
            reason = Reason(
                f"a {self.name(code)} stands on {name}, and {mover[0]} is to move",
                f"{name} 上是{self.name_zh(code)},而轮到{mover[1]}走",
                "wrong-side",
            )
            return self.refuse(reason, there)
        kinds = [m[2] for m in self.cursor.pseudo_legal(start) if m[1] == to]
        if kinds and promotion not in kinds:
            reason = Reason("the piece may not promote so", "不能这样升变", "promotion-impossible")
            if not promotion:
                reason = Reason("the piece must promote", "必须升变", "promotion-missing")
            return self.refuse(reason, [m for m in mine if m[1] == to] or mine)
        move = (start, to, promotion)
        return self.refuse(self.fault(move), mine or there, move)

    def as_written(self, point: int) -> str:
        """The name of a point; where ranks are written from 0, that way too."""
        name = self.rules.point_name(point)
        if not self.reading & descriptor.RANKS_FROM_0:
            return name
        return f"{name} (written {name[0]}{point // self.rules.files})"

    def algebraic(self, said: Said, to: int, base: int) -> Refusal:
        kind = self.kind(said.piece or "P")
        if kind is None:
            return self.refuse(
                Reason(f"no piece is written {said.piece}", f"没有写作 {said.piece} 的棋子"), []
            )
        own = [p for p in self.own(kind) if said.from_file in (-1, p % self.rules.files)]
        own = [p for p in own if said.from_rank in (-1, p // self.rules.files + base)]
        there = [m for m in self.legal if m[1] == to and self.pieces[m[0]] & 15 == kind]
        if not own:
            return self.none_of(kind, there)
        return self.nearest([(p, to, 0) for p in own], there or [m for m in self.legal if m[0] in own])

    def relative(self, said: Said) -> Refusal:
        kind = self.kind(said.piece or "P")
        if kind is None:
            return self.refuse(
                Reason(f"no piece is written {said.piece}", f"没有写作 {said.piece} 的棋子"), []
            )
        side, files = self.cursor.side, self.rules.files
        own = self.own(kind)
        if not own:
            return self.none_of(kind, [])
        candidates = [m for m in self.legal if m[0] in own]
        name, name_zh = self.rules.pieces[kind - 1].name, self.rules.pieces[kind - 1].chinese
        if said.marker == 0:
            file = said.number - 1 if side else files - said.number
            own = [p for p in own if p % files == file]
            if not own:
                return self.refuse(
                    Reason(
                        f"no {name} of {_SIDES[side][0]} stands on file {said.number}",
                        f"{_SIDES[side][1]}第 {said.number} 路没有{name_zh}",
                    ),
                    candidates,
                )
            candidates = [m for m in self.legal if m[0] in own] or candidates
        else:
            shared = [p for p in own if sum(q % files == p % files for q in own) > 1]
            if not shared:
                return self.refuse(
                    Reason(
                        f"no two {name}s of {_SIDES[side][0]} stand on one file",
                        f"{_SIDES[side][1]}没有两个{name_zh}在同一路",
                    ),
                    candidates,
                )
            own = shared
        targets = [self.target(point, said, kind) for point in own]
        if all(target is None for target in targets):
            return self.refuse(Reason("the move leaves the board", "着法超出棋盘"), candidates)
        moves = [(p, t, 0) for p, t in zip(own, targets, strict=True) if t is not None]
        return self.nearest(moves, candidates)

    def target(self, point: int, said: Said, kind: int) -> int | None:
        """Where the words take the piece on ``point``: by its own kind of step, legal or not."""
        side, files = self.cursor.side, self.rules.files
        forward = -1 if side else 1
        file, rank = point % files, point // files
        arrival = said.target - 1 if side else files - said.target
        if said.action == descriptor.TRAVERSE:
            return self.square(arrival, rank)
        sign = forward if said.action == descriptor.FORWARD else -forward
        moves = self.rules.pieces[kind - 1].moves
        if any(m.ride or m.hop or m.step in ("forward", "orthogonal", "any") for m in moves):
            return self.square(file, rank + sign * said.target)
        across = abs(arrival - file)
        for motion in moves:
            a, b = motion.leap or (1, 1)
            if across in (a, b):
                return self.square(arrival, rank + sign * (a + b - across))
        return self.square(arrival, rank + sign * max(1, 3 - across)) if across else None

    # ---- reasons --------------------------------------------------------------------------------

    def nearest(self, moves: list[Move], candidates: list[Move]) -> Refusal:
        """The reason for the piece that comes nearest to moving: one whose only fault is its general's danger."""
        move = min(moves, key=lambda move: not self.moves_so(move[0], move[1]))
        return self.refuse(self.fault(move), candidates, move)

    def moves_so(self, start: int, to: int) -> bool:
        return any(m[1] == to for m in self.cursor.pseudo_legal(start))

    def fault(self, move: Move) -> Reason:
        """What is wrong with an own piece's move."""
        start, to, _ = move
        code = self.pieces[start]
        piece = self.rules.pieces[(code & 15) - 1]
        at = self.rules.point_name
        target = self.pieces[to]
        if start == to:
            return Reason("the piece stays where it is", "棋子没有移动")
        if target and target >> 4 == code >> 4:
            name = self.rules.pieces[(target & 15) - 1].name
            return Reason(f"an own {name} stands on {at(to)}", f"{at(to)} 上是己方棋子")
        if self.moves_so(start, to):
            return self.danger(move)
        reasons = [self.obstacle(motion, start, to, bool(target)) for motion in piece.moves]
        found = [reason for reason in reasons if reason]
        if found:
            _, why, why_zh = max(found, key=lambda reason: reason[0])
            return Reason(why, why_zh)
        return Reason(f"{_a(piece.name)} does not move so", f"{piece.chinese}不能这样走")

    def obstacle(self, motion: Motion, start: int, to: int, capture: bool) -> tuple[int, str, str] | None:
        """What keeps one of a piece's motions from ``to``: (how near it came, English, Chinese)."""
        files = self.rules.files
        turn = -1 if self.cursor.side else 1
        dx, dy = to % files - start % files, (to // files - start // files) * turn
        at = self.rules.point_name
        if motion.ride or motion.hop:
            return self.on_line(motion, start, to, capture)
        if motion.leap:
            if sorted((abs(dx), abs(dy))) != sorted(motion.leap):
                return None
            leg = self.leg(motion, start, to)
            if leg is not None and self.pieces[leg]:
                if motion.leg == "midpoint":
                    return 3, f"the eye on {at(leg)} is blocked", f"{at(leg)} 塞象眼"
                return 3, f"the leg on {at(leg)} is blocked", f"{at(leg)} 蹩马腿"
        elif not _steps(motion.step or "", dx, dy):
            return None
        if motion.within and self.seen(to) not in self.rules.region(motion.within):
            if motion.within == "palace":
                return 2, "it may not leave the palace", "不能出九宫"
            return 2, "it may not cross the river", "不能过河"
        if motion.origin and self.seen(start) not in self.rules.region(motion.origin):
            return 2, "it may not step sideways before the river is crossed", "未过河不能横走"
        return None

    def on_line(self, motion: Motion, start: int, to: int, capture: bool) -> tuple[int, str, str] | None:
        files = self.rules.files
        if start % files != to % files and start // files != to // files:
            return None
        stride = files if start % files == to % files else 1
        step = stride if to > start else -stride
        between = [p for p in range(start + step, to, step) if self.pieces[p]]
        names = ", ".join(self.rules.point_name(p) for p in between)
        if motion.hop:
            if capture and not between:
                return 2, "there is no screen to capture over", "没有炮架"
            if capture and len(between) > 1:
                return 2, f"there is more than one screen ({names})", f"炮架多于一个({names})"
            return None
        if between and (motion.mode != "quiet" or not capture):
            return 1, f"the way is blocked on {names}", f"{names} 有子阻挡"
        return None

    def leg(self, motion: Motion, start: int, to: int) -> int | None:
        files = self.rules.files
        dx, dy = to % files - start % files, to // files - start // files
        if motion.leg == "midpoint":
            return start + dy // 2 * files + dx // 2
        if motion.leg == "straight":
            return start + (dx // 2 if abs(dx) > abs(dy) else dy // 2 * files)
        return None

    def danger(self, move: Move) -> Reason:
        """What a move that the piece can make would leave its general in, or what else forbids it."""
        start, to, _ = move
        side = self.cursor.side
        at = self.rules.point_name
        iron = {point & 127: point for point in self.cursor.iron()}
        if to in iron:
            code = self.pieces[to]
            but, but_zh = (", except with check", ",除非吃子叫将") if iron[to] != to else ("", "")
            return Reason(
                f"the {self.name(code)} on {at(to)} is iron by the odds: it may not be captured until it moves{but}",
                f"{at(to)} 的{self.name_zh(code)}是铁子,未动之前不得吃{but_zh}",
                "iron-piece",
            )
        after = self.cursor.copy()
        after.push(*move)
        if self.rules.needs_general and after.general(side) is None:
            if self.is_royal(self.pieces[start]):
                return Reason(
                    "a general never captures: it would explode", "将帅不能吃子", "general-captures"
                )
            return Reason("the blast would take the own general", "爆炸会炸掉己方将帅", "blast-own-general")
        there = Cursor(self.cursor.tables_of(), after.pieces(), side, 0, after.held())
        checkers = there.checkers()
        if not checkers:
            return Reason(
                "the mover has created this position as often as he may",
                "同一方不得第三次造成同一局面",
                "third-creation",
            )
        if any(self.is_royal(there.pieces()[p]) for p in checkers):
            return Reason("the generals would face each other", "将帅照面")
        by = ", ".join(f"the {self.name(there.pieces()[p])} on {at(p)}" for p in checkers)
        if self.cursor.checkers():
            return Reason(f"the general stays attacked by {by}", f"没有应将({self.points(checkers)})")
        return Reason(f"it leaves the general attacked by {by}", f"走后被将军({self.points(checkers)})")

    # ---- words ----------------------------------------------------------------------------------

    def refuse(self, reason: Reason, candidates: list[Move], move: Move | None = None) -> Refusal:
        why, why_zh, code = reason
        near = bool(candidates)
        if not self.legal:
            side = _SIDES[self.cursor.side]
            why, why_zh = f"{why}; {side[0]} has no legal move", f"{why_zh};{side[1]}已无着可走"
        elif not near and len(self.legal) <= FEW:
            candidates = self.legal
        texts = [move_text(self.rules, candidate) for candidate in candidates]
        return Refusal(code, why, why_zh, texts, move, near)

    def none_of(self, kind: int, candidates: list[Move]) -> Refusal:
        piece, side = self.rules.pieces[kind - 1], _SIDES[self.cursor.side]
        return self.refuse(
            Reason(f"{side[0]} has no such {piece.name}", f"{side[1]}没有这样的{piece.chinese}"), candidates
        )

    def kind(self, letter: str) -> int | None:
        for number, piece in enumerate(self.rules.pieces, start=1):
            if letter == piece.letter or letter in piece.synonyms:
                return number
        return None

    def own(self, kind: int) -> list[int]:
        return [p for p, code in enumerate(self.pieces) if code == kind | self.cursor.side * BLACK]

    def seen(self, point: int) -> int:
        """``point`` as the mover sees it, when regions are Red's."""
        return len(self.pieces) - 1 - point if self.cursor.side else point

    def is_royal(self, code: int) -> bool:
        return code != 0 and self.rules.pieces[(code & 15) - 1].royal

    def name(self, code: int) -> str:
        return f"{_SIDES[code >> 4][0]} {self.rules.pieces[(code & 15) - 1].name}"

    def name_zh(self, code: int) -> str:
        return _SIDES[code >> 4][1] + self.rules.pieces[(code & 15) - 1].chinese

    def points(self, points: list[int]) -> str:
        return ", ".join(self.rules.point_name(p) for p in points)


_SIDES = (("Red", "红方"), ("Black", "黑方"))


def _steps(step: str, dx: int, dy: int) -> bool:
    straight, slanted = abs(dx) + abs(dy) == 1, abs(dx) == abs(dy) == 1
    return {
        "forward": dx == 0 and dy == 1,
        "backward": dx == 0 and dy == -1,
        "sideways": dy == 0 and abs(dx) == 1,
        "orthogonal": straight,
        "diagonal": slanted,
        "any": straight or slanted,
    }.get(step, False)


def _a(name: str) -> str:
    """ "a horse", "an elephant"."""
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
