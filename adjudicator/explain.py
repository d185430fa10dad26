"""Why a written move is not legal: the rule it breaks, and what was possible instead.

This runs only for moves that the kernel refused, so it is plain Python over a `Cursor`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from adjudicator._board import Cursor
from adjudicator.ruleset import Motion, Ruleset
from notation import descriptor
from notation.descriptor import Said

BLACK = 16


@dataclass(slots=True)
class Refusal:
    """Why a move was refused: a finding's ``code``, the reason in English and Chinese, legal candidates."""

    code: str
    why: str
    why_zh: str
    candidates: list[str] = field(default_factory=list)


def refusal(cursor: Cursor, rules: Ruleset, said: int, reading: int) -> Refusal:
    """Why ``said`` has no legal meaning on the board of ``cursor``."""
    return _Judge(cursor, rules, reading).judge(Said.unpack(said))


def move_text(rules: Ruleset, move: tuple[int, int, int]) -> str:
    """ "h3e3" for a kernel move."""
    start, to, promotion = move
    letter = rules.pieces[promotion - 1].letter.lower() if promotion else ""
    return rules.point_name(start) + rules.point_name(to) + letter


class _Judge:
    def __init__(self, cursor: Cursor, rules: Ruleset, reading: int):
        self.cursor = cursor
        self.rules = rules
        self.reading = reading
        self.pieces = cursor.pieces()
        self.legal = sorted(cursor.legal())

    def judge(self, said: Said) -> Refusal:
        if said.kind == descriptor.DROP:
            return Refusal("drop-in-non-drop-ruleset", "this game has no drops", "本棋种没有打入")
        if said.kind == descriptor.RELATIVE:
            return self.relative(said)
        base = 0 if self.reading & descriptor.RANKS_FROM_0 else 1
        to = self.square(said.to_file, said.to_rank - base)
        if to is None:
            return self.refuse("the point is not on the board", "目标点不在棋盘上", [])
        if said.kind == descriptor.COORDINATE:
            start = self.square(said.from_file, said.from_rank - base)
            if start is None:
                return self.refuse("the point is not on the board", "起点不在棋盘上", [])
            return self.coordinate(start, to)
        return self.algebraic(said, to, base)

    def square(self, file: int, rank: int) -> int | None:
        if 0 <= file < self.rules.files and 0 <= rank < self.rules.ranks:
            return rank * self.rules.files + file
        return None

    def coordinate(self, start: int, to: int) -> Refusal:
        mine = [m for m in self.legal if m[0] == start]
        there = [m for m in self.legal if m[1] == to]
        code = self.pieces[start]
        if code == 0:
            name = self.rules.point_name(start)
            return self.refuse(f"no piece stands on {name}", f"{name} 上没有棋子", there)
        if code >> 4 != self.cursor.side:
            name = self.rules.point_name(start)
            return self.refuse(
                f"the piece on {name} is {self.name(code)}'s and {_SIDES[self.cursor.side][0]} is to move",
                f"{name} 上是{self.name_zh(code)},而轮到{_SIDES[self.cursor.side][1]}走",
                there,
                "wrong-side",
            )
        why, why_zh = self.fault(start, to)
        return self.refuse(why, why_zh, mine or there)

    def algebraic(self, said: Said, to: int, base: int) -> Refusal:
        kind = self.kind(said.piece or "P")
        if kind is None:
            return self.refuse(f"no piece is written {said.piece}", f"没有写作 {said.piece} 的棋子", [])
        own = [p for p in self.own(kind) if said.from_file in (-1, p % self.rules.files)]
        own = [p for p in own if said.from_rank in (-1, p // self.rules.files + base)]
        there = [m for m in self.legal if m[1] == to and self.pieces[m[0]] & 15 == kind]
        if not own:
            return self.none_of(kind, there)
        return self.nearest(own, [to] * len(own), there or [m for m in self.legal if m[0] in own])

    def relative(self, said: Said) -> Refusal:
        kind = self.kind(said.piece or "P")
        if kind is None:
            return self.refuse(f"no piece is written {said.piece}", f"没有写作 {said.piece} 的棋子", [])
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
                    f"no {name} of {_SIDES[side][0]} stands on file {said.number}",
                    f"{_SIDES[side][1]}第 {said.number} 路没有{name_zh}",
                    candidates,
                )
            candidates = [m for m in self.legal if m[0] in own] or candidates
        else:
            shared = [p for p in own if sum(q % files == p % files for q in own) > 1]
            if not shared:
                return self.refuse(
                    f"no two {name}s of {_SIDES[side][0]} stand on one file",
                    f"{_SIDES[side][1]}没有两个{name_zh}在同一路",
                    candidates,
                )
            own = shared
        targets = [self.target(point, said, kind) for point in own]
        if all(target is None for target in targets):
            return self.refuse("the move leaves the board", "着法超出棋盘", candidates)
        on_board = [(p, t) for p, t in zip(own, targets, strict=True) if t is not None]
        return self.nearest([p for p, _ in on_board], [t for _, t in on_board], candidates)

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

    def nearest(self, own: list[int], targets: list[int], candidates: list[tuple[int, int, int]]) -> Refusal:
        """The reason for the piece that comes nearest to moving: one whose only fault is its general's danger."""
        faults = [(start, to, self.fault(start, to)) for start, to in zip(own, targets, strict=True)]
        faults.sort(key=lambda fault: not self.moves_so(fault[0], fault[1]))
        why, why_zh = faults[0][2]
        return self.refuse(why, why_zh, candidates)

    def moves_so(self, start: int, to: int) -> bool:
        return any(m[1] == to for m in self.cursor.pseudo_legal(start))

    def fault(self, start: int, to: int) -> tuple[str, str]:
        """What is wrong with the own piece on ``start`` going to ``to``."""
        code = self.pieces[start]
        piece = self.rules.pieces[(code & 15) - 1]
        at = self.rules.point_name
        target = self.pieces[to]
        if start == to:
            return "the piece stays where it is", "棋子没有移动"
        if target and target >> 4 == code >> 4:
            return (
                f"an own {self.rules.pieces[(target & 15) - 1].name} stands on {at(to)}",
                f"{at(to)} 上是己方棋子",
            )
        if self.moves_so(start, to):
            return self.danger(start, to)
        reasons = [self.obstacle(motion, start, to, bool(target)) for motion in piece.moves]
        found = [reason for reason in reasons if reason]
        if found:
            return max(found, key=lambda reason: reason[0])[1:]
        return f"a {piece.name} does not move so", f"{piece.chinese}不能这样走"

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

    def danger(self, start: int, to: int) -> tuple[str, str]:
        """The attack on the own general that the move would leave."""
        side = self.cursor.side
        checked = bool(self.cursor.checkers())
        after = Cursor(self.cursor.tables, self.board_after(start, to), side)
        checkers = after.checkers()
        if any(self.is_royal(after.pieces()[p]) for p in checkers):
            return "the generals would face each other", "将帅照面"
        by = ", ".join(f"the {self.name(after.pieces()[p])} on {self.rules.point_name(p)}" for p in checkers)
        if checked:
            return f"the general stays attacked by {by}", f"没有应将({self.points(checkers)})"
        return f"it leaves the general attacked by {by}", f"走后被将军({self.points(checkers)})"

    def board_after(self, start: int, to: int) -> bytes:
        pieces = bytearray(self.pieces)
        pieces[to], pieces[start] = pieces[start], 0
        return bytes(pieces)

    # ---- words ----------------------------------------------------------------------------------

    def refuse(
        self, why: str, why_zh: str, candidates: list[tuple[int, int, int]], code: str = "illegal-move"
    ) -> Refusal:
        return Refusal(code, why, why_zh, [move_text(self.rules, move) for move in candidates])

    def none_of(self, kind: int, candidates: list[tuple[int, int, int]]) -> Refusal:
        piece, side = self.rules.pieces[kind - 1], _SIDES[self.cursor.side]
        return self.refuse(
            f"{side[0]} has no such {piece.name}", f"{side[1]}没有这样的{piece.chinese}", candidates
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
