"""Why a written move is not legal: the rule it breaks, and what was possible instead.

This runs only for moves that the kernel refused, so it is plain Python over a `Cursor`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator._cursor import Cursor
from adjudicator.geometry import DIRECTIONS, Motion
from adjudicator.moves import BLACK, NOWHERE, Move, move_text
from adjudicator.ruleset import Piece, Ruleset
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
        self.royal = next((kind for kind, piece in enumerate(rules.pieces, start=1) if piece.royal), 0)
        self.general = rules.pieces[self.royal - 1].name

    def judge(self, said: Said) -> Refusal:
        if self.royal in self.held and not (
            said.kind == descriptor.DROP and self.kind(said.piece) == self.royal
        ):
            reason = Reason(f"the {self.general} must be placed first", "必须先放王", "king-not-placed")
            return self.refuse(reason, self.legal)
        if said.promotion and self.kind(said.promotion) is None:
            reason = Reason(
                f"this game has no piece {said.promotion} to promote to",
                f"本棋种没有可升变的棋子 {said.promotion}",
                "promotion-impossible",
            )
            return self.refuse(reason, self.squares(said))
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
            return self.coordinate(start, to, self.kind(said.promotion) or 0)
        return self.algebraic(said, to, base)

    def squares(self, said: Said) -> list[Move]:
        """The legal moves to where ``said`` goes, of the piece it names by its point."""
        base = 0 if self.reading & descriptor.RANKS_FROM_0 else 1
        start = self.square(said.from_file, said.from_rank - base)
        to = self.square(said.to_file, said.to_rank - base)
        return [move for move in self.legal if move[1] == to and start in (None, move[0])]

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
            piece, side, other = self.rules.pieces[kind - 1], *_sides(self.cursor.side)
            why = f"{side[0]} holds no {piece.name}"
            why_zh = f"{side[1]}没有可打入的{piece.chinese}"
            if kind in self.cursor.held()[1 - self.cursor.side]:
                why += f"; {other[0]} does"
                why_zh += f";{other[1]}有"
            reason = Reason(why, why_zh, "not-in-hand")
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
                where, where_zh = _REGIONS.get(
                    piece.drop or "", (f"in its region, {piece.drop}", "规定的区域")
                )
                reason = Reason(
                    f"{_a(piece.name)} may only be dropped {where}, not on {at}",
                    f"{piece.chinese}只能打入{where_zh},不能打入 {at}",
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
        name, name_zh = self.as_written(start)
        if code == 0:
            return self.refuse(Reason(f"no piece stands on {name}", f"{name_zh} 上没有棋子"), there)
        if code >> 4 != self.cursor.side:
            mover = _SIDES[self.cursor.side]
            reason = Reason(
                f"a {self.name(code)} stands on {name}, and {mover[0]} is to move",
                f"{name_zh} 上是{self.name_zh(code)},而轮到{mover[1]}走",
                "wrong-side",
            )
            return self.refuse(reason, there)
        move = (start, to, promotion)
        return self.refuse(self.fault(move), [m for m in mine if m[1] == to] or mine or there, move)

    def as_written(self, point: int) -> tuple[str, str]:
        """The name of a point in English and Chinese; where ranks are written from 0, that way too."""
        name = self.rules.point_name(point)
        if not self.reading & descriptor.RANKS_FROM_0:
            return name, name
        said = f"{name[0]}{point // self.rules.files}"
        return f"{name} (written {said})", f"{name}(原写 {said})"

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
        promotion = self.kind(said.promotion) or 0
        return self.nearest(
            [(p, to, promotion) for p in own], there or [m for m in self.legal if m[0] in own]
        )

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
        kinds = [m[2] for m in self.cursor.pseudo_legal(start) if m[1] == to]
        if kinds and move[2] not in kinds:
            return self.promotion(piece, move[2])
        if kinds:
            return self.danger(move)
        reasons = [self.obstacle(motion, start, to, bool(target)) for motion in piece.moves]
        found = [reason for reason in reasons if reason]
        if found:
            _, why, why_zh = max(found, key=lambda reason: reason[0])
            return Reason(why, why_zh)
        return Reason(f"{_a(piece.name)} does not move so", f"{piece.chinese}不能这样走")

    def promotion(self, piece: Piece, kind: int) -> Reason:
        """Why ``piece`` may not become a ``kind`` (0: stay what it is) where it goes."""
        becomes = " or ".join(piece.promotes_to)
        if not kind:
            return Reason(
                f"the {piece.name} must promote there, to {becomes}", "到此必须升变", "promotion-missing"
            )
        wanted = self.rules.pieces[kind - 1].name
        if not piece.promotes_in:
            why, why_zh = f"{_a(piece.name)} does not promote", f"{piece.chinese}不能升变"
        elif wanted not in piece.promotes_to:
            why, why_zh = f"{_a(piece.name)} promotes to {becomes}, not to {wanted}", "不能升变成这种棋子"
        else:
            why, why_zh = f"{_a(piece.name)} does not promote before the last rank", "未到底线不能升变"
        return Reason(why, why_zh, "promotion-impossible")

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
        elif (dx, dy) not in DIRECTIONS[motion.step or ""]:
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
            if not capture and motion.mode == "capture":
                return None
            if not between:
                doing = ("to capture over", "没有炮架") if capture else ("to jump over", "没有可跳过的棋子")
                return 2, f"there is no screen {doing[0]}", doing[1]
            if len(between) > 1:
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
        general = self.cursor.general(side)
        if self.rules.needs_general and general is None:
            why = f"the mover has no {self.general} any more: it exploded, and with it the game ended"
            return Reason(why, "走子方的将帅已被炸掉,对局已结束")
        after = self.cursor.copy()
        after.push(*move)
        if self.rules.needs_general and after.general(side) is None:
            if self.is_royal(self.pieces[start]):
                why = f"a {self.general} never captures: it would explode"
                return Reason(why, "将帅不能吃子:会被炸掉", "general-captures")
            why = f"the blast on {at(to)} would take the own {self.general} on {at(general)}"
            return Reason(why, f"{at(to)} 的爆炸会炸掉己方在 {at(general)} 的将帅", "blast-own-general")
        there = Cursor(self.cursor.tables_of(), after.pieces(), side, 0, after.held())
        checkers = there.checkers()
        if not checkers:
            if not self.rules.creations:
                return Reason("the rules do not allow it here", "规则不允许")
            return Reason(
                "the mover has created this position as often as he may",
                "同一方不得第三次造成同一局面",
                "third-creation",
            )
        blast, blast_zh = "", ""
        if start != NOWHERE and self.pieces[to] and after.pieces()[to] == 0:
            blast, blast_zh = "after the explosion ", "爆炸后"
        if any(self.is_royal(there.pieces()[p]) for p in checkers):
            return Reason(f"{blast}the {self.general}s would face each other", f"{blast_zh}将帅照面")
        by = ", ".join(f"the {self.name(there.pieces()[p])} on {at(p)}" for p in checkers)
        points = self.points(checkers)
        if start == NOWHERE and move[2] == self.royal:
            why = f"the {self.general} may not be placed on a point that is attacked, by {by}"
            return Reason(why, f"不能放在受攻击的点上({points})", "king-on-attacked")
        if self.cursor.checkers():
            why, why_zh = f"{blast}the {self.general} stays attacked by {by}", f"{blast_zh}没有应将({points})"
        elif blast:
            why, why_zh = f"{blast}the {self.general} is attacked by {by}", f"{blast_zh}被将军({points})"
        else:
            why, why_zh = f"it leaves the {self.general} attacked by {by}", f"走后被将军({points})"
        return Reason(why, why_zh)

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
        """The kind of piece that ``letter`` means, None for an unknown letter or none."""
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
_REGIONS = {"palace": ("in its own palace", "己方九宫"), "home": ("on its own side of the river", "己方半场")}


def _sides(side: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """The words for ``side``, and for the other."""
    return _SIDES[side], _SIDES[1 - side]


def _a(name: str) -> str:
    """ "a horse", "an elephant"."""
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
