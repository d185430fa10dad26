"""The move that decided a game: one ply, why, and how certain that is.

The best witness speaks: evaluations in the record, or an engine's, say when the winner's advantage became
lasting. Without them the board's own facts are asked: a forced mate that a small search proves, the loser's
last free choice, the cycle of a repetition, the capture that ended it, the biggest explosion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from adjudicator import Position, Ruleset
from adjudicator._cursor import Cursor
from adjudicator.moves import Move

Json = dict[str, Any]

LASTING = 2.0
"""Pawns of advantage that, held to the end, count as won."""

NODES = 6000
"""Positions that the search for forced mates looks at in one game."""

DEEPEST = 7
"""Plies of the longest mate looked for."""


def decided(game: Json, rules: Ruleset) -> Json | None:
    """The deciding ply of a study's game (`study.game_of`), or None where nothing points to one.

    ``ply``, ``kind``, ``certainty`` ("proved", "fact", "engine", "recorded", "hint") and the reason in ``en``
    and ``zh``.
    """
    plies = game["lines"][0]["plies"]
    if not plies:
        return None
    winner = _winner(game)
    law = winner is not None and game["result"] == winner
    witnesses: list[Callable[[], Json | None]] = [
        lambda: _repetition(game, plies) if law else None,
        lambda: _by_evaluation(game, plies, winner),
        lambda: _repetition(game, plies),
        lambda: _forced(game, plies, rules, winner),
        lambda: _gone(game, plies),
        lambda: _last_choice(game, plies, winner),
        lambda: _biggest(plies),
    ]
    return next((found for ask in witnesses if (found := ask())), None)


def _winner(game: Json) -> str | None:
    """Who won by the ruling, else by the record's own claim; None for draws and open games."""
    result = game["result"] if game["reason"] else game["claimed"]
    return result if result in ("red", "black") else None


def _found(ply: int, kind: str, certainty: str, en: str, zh: str) -> Json:
    return {"ply": ply, "kind": kind, "certainty": certainty, "en": en, "zh": zh}


_NAMES = {"red": ("Red", "红方"), "black": ("Black", "黑方")}


# ---- evaluations ---------------------------------------------------------------------------------------


def _pawns(ply: Json) -> float | None:
    """The evaluation at a ply from Red's side, mates as large numbers."""
    if ply["mate_in"]:
        return math.copysign(100.0, ply["mate_in"])
    value: float | None = ply["evaluation"]
    return value


def _by_evaluation(game: Json, plies: list[Json], winner: str | None) -> Json | None:
    """The ply after which the winner stood clearly better to the end; in a draw, the one that let a win go.

    A figure at a ply is what its mover saw before moving, so what changed it is the ply before.
    """
    end = game["end"] or len(plies)
    sign = -1 if winner == "black" else 1
    figures = [(ply["ply"], sign * value) for ply in plies[:end] if (value := _pawns(ply)) is not None]
    if len(figures) < 4 or len(figures) < end // 4:
        return None
    certainty = game.get("evaluated") or "recorded"
    if winner is None:
        return _let_go(plies, figures, certainty)
    low = [number for number, (_, value) in enumerate(figures) if value < LASTING]
    if low and low[-1] + 1 == len(figures):
        return None  # the loser's side never looked lost: the evaluations know nothing of it
    if not low:
        return _found(
            figures[0][0],
            "evaluation",
            certainty,
            f"{_NAMES[winner][0]} stood clearly better from the first evaluation on.",
            f"自首次评分起{_NAMES[winner][1]}即占优。",
        )
    before, after = figures[low[-1]], figures[low[-1] + 1]
    ply = plies[after[0] - 2]
    wording = (_sees(before[1]), _sees(after[1]))
    if ply["side"] == winner:
        en = f"the winning move: {_NAMES[winner][0]}'s advantage went from {wording[0]} to {wording[1]} and lasted."
        zh = f"制胜之着:{_NAMES[winner][1]}优势由 {wording[0]} 升至 {wording[1]},保持到终局。"
    else:
        loser = _NAMES[ply["side"]]
        en = f"{loser[0]}'s mistake: {_NAMES[winner][0]}'s advantage went from {wording[0]} to {wording[1]} and lasted."
        zh = f"{loser[1]}失着:{_NAMES[winner][1]}优势由 {wording[0]} 升至 {wording[1]},保持到终局。"
    return _found(ply["ply"], "evaluation", certainty, en, zh)


def _let_go(plies: list[Json], figures: list[tuple[int, float]], certainty: str) -> Json | None:
    """The ply at which the last clear advantage was lost."""
    # The two sides' figures often differ: the advantage counts where two in a row, one of each, agree.
    agreed = [min(abs(a), abs(b)) if a * b > 0 else 0.0 for (_, a), (_, b) in pairwise(figures)]
    falls = [
        number
        for number, value in enumerate(agreed[:-2])
        if value >= LASTING and max(agreed[number + 2 :]) <= LASTING / 2
    ]
    if not falls:
        return None
    before, after = figures[falls[-1] + 1], figures[falls[-1] + 2]
    side = "red" if before[1] > 0 else "black"
    ply = plies[after[0] - 2] if after[0] >= 2 else plies[0]
    had, left = _sees(abs(before[1])), _sees(after[1] if side == "red" else -after[1])
    return _found(
        ply["ply"],
        "evaluation",
        certainty,
        f"the win let go: {_NAMES[side][0]}'s advantage fell from {had} to {left}.",
        f"错失胜机:{_NAMES[side][1]}优势由 {had} 降至 {left}。",
    )


def _sees(value: float) -> str:
    if abs(value) >= 100:
        return "mate" if value > 0 else "−mate"
    return f"{value:+.2f}".replace("-", "−")


# ---- forced mates --------------------------------------------------------------------------------------


class _Search:
    """Looks for mates in which the loser has no choice that helps.

    The winner tries checks (of both kinds) at every ply and everything in the last one; the loser tries all.
    So what it finds is proved, and what it does not find may still be there.
    """

    def __init__(self, rules: Ruleset, nodes: int = NODES):
        self.rules = rules
        self.left = nodes

    def mates(self, cursor: Cursor, depth: int) -> Move | None:
        """A move that mates within ``depth`` plies (odd), the side to move being the winner."""
        for limit in range(1, depth + 1, 2):
            move = self._attack(cursor, limit)
            if move is not None or self.left <= 0:
                return move
        return None

    def _attack(self, cursor: Cursor, depth: int) -> Move | None:
        for move in cursor.legal():
            if self.left <= 0:
                return None
            self.left -= 1
            cursor.push(*move)
            try:
                won = self._won(cursor) or (
                    depth > 1
                    and bool(cursor.checkers() or cursor.blast_threat())
                    and self._helpless(cursor, depth - 1)
                )
            finally:
                cursor.pop()
            if won:
                return move
        return None

    def _helpless(self, cursor: Cursor, depth: int) -> bool:
        """Whether every reply still loses within ``depth - 1`` plies."""
        replies = cursor.legal()
        loser = cursor.side
        for reply in replies:
            if self.left <= 0:
                return False
            self.left -= 1
            cursor.push(*reply)
            try:
                lost = (
                    not (self.rules.needs_general and cursor.general(1 - loser) is None)
                    and self._attack(cursor, depth - 1) is not None
                )
            finally:
                cursor.pop()
            if not lost:
                return False
        return True

    def _won(self, cursor: Cursor) -> bool:
        """Whether the side that just moved has won: the other's general is gone, or it cannot move."""
        if self.rules.needs_general and cursor.general(cursor.side) is None:
            return True
        if cursor.checkers():
            return not cursor.legal()
        return (
            self.rules.stalemate == "loss" and cursor.general(cursor.side) is not None and not cursor.legal()
        )


def _positions(game: Json, rules: Ruleset) -> Iterator[Cursor]:
    """The position before every ply, the last first."""
    position = Position(game["start"], rules, game["handicap"] or "none")
    moves = [ply["move"] for ply in game["lines"][0]["plies"][: game["end"]]]
    for move in moves:
        position.push(move)
    for _ in moves:
        position.pop()
        yield position.cursor


def _forced(game: Json, plies: list[Json], rules: Ruleset, winner: str | None) -> Json | None:
    """The loser's move after which a mate was forced, for games that ended on the board."""
    if game["reason"] not in ("checkmate", "stalemate", "general-gone") or winner is None:
        return None
    end = game["end"]
    search = _Search(rules)
    side = 0 if winner == "red" else 1
    first = None
    for ply, cursor in zip(range(end, 0, -1), _positions(game, rules), strict=False):
        if cursor.side != side:
            continue
        if ply == end:
            first = ply
            continue
        if end - ply >= DEEPEST or search.mates(cursor, end - ply + 1) is None:
            break
        first = ply
    if first is None:
        return None
    if first == 1:
        moves = (end + 1) // 2
        en = f"{_NAMES[winner][0]} had a win by force from the start, in at most {moves} moves."
        zh = f"{_NAMES[winner][1]}自开局局面即有必胜,至多 {moves} 步。"
        return _found(1, "forced-mate", "proved", en, zh)
    cause = plies[first - 2]
    alternatives = plies[first - 3]["replies"] if first >= 3 else None
    moves = (end - first) // 2 + 1
    loser = _NAMES[cause["side"]]
    how = ("at once", "立即") if moves == 1 else (f"by force in at most {moves} moves", f"至多 {moves} 步内")
    if alternatives == 1:
        en = f"{loser[0]}'s forced reply; after it {_NAMES[winner][0]} wins {how[0]}."
        zh = f"{loser[1]}唯一应着,此后{_NAMES[winner][1]}{how[1]}必胜。"
        earlier = _last_free(plies, first - 1)
        if earlier is not None:
            free = plies[earlier - 1]
            en = f"{loser[0]}'s last free choice: every reply after it was the only one, and {_NAMES[winner][0]} wins."
            zh = f"{loser[1]}最后一次可选择之着,此后着着被迫,{_NAMES[winner][1]}胜。"
            return _found(free["ply"], "forced-mate", "proved", en, zh)
    else:
        en = f"after this move of {loser[0]}'s, {_NAMES[winner][0]} wins {how[0]}, whatever the reply."
        zh = f"{loser[1]}走此着后,{_NAMES[winner][1]}{how[1]}必胜,无可挽回。"
    return _found(cause["ply"], "forced-mate", "proved", en, zh)


def _last_free(plies: list[Json], ply: int) -> int | None:
    """The latest ply up to ``ply``, of the same side, that was not the only legal move; None: there is none."""
    while ply >= 3 and plies[ply - 2]["replies"] == 1:
        ply -= 2
    return ply if ply >= 1 else None


# ---- other facts ---------------------------------------------------------------------------------------


def _repetition(game: Json, plies: list[Json]) -> Json | None:
    """The ply that bound a ruling by repetition, or by the no-capture clock."""
    end, reason = game["end"], game["reason"]
    if not end or end > len(plies):
        return None
    last = plies[end - 1]
    if reason == "no-capture":
        taken = end - last["since_capture"]
        en, zh = f"{last['since_capture']} plies without a capture", f"已 {last['since_capture']} 着无吃子"
        if taken:
            en, zh = en + f": the last capture was ply {taken}.", zh + f":最后吃子在第 {taken} 着。"
        return _found(max(taken, 1), "no-capture", "fact", en, zh)
    if last["before"] and reason not in (None, "checkmate", "stalemate", "general-gone"):
        plies_before = last["before"]
        joined = ", ".join(map(str, plies_before))
        return _found(
            end,
            "repetition",
            "fact",
            f"the position of ply {joined} comes back for the {last['occurrence']}. time, and the ruling binds.",
            f"第 {'、'.join(map(str, plies_before))} 着的局面第 {last['occurrence']} 次出现,裁定生效。",
        )
    return None


def _gone(game: Json, plies: list[Json]) -> Json | None:
    end = game["end"]
    if game["reason"] != "general-gone" or not end or end > len(plies):
        return None
    return _found(
        end, "general-gone", "fact", "the capture that removes the general.", "此着吃去(炸去)将帅。"
    )


def _last_choice(game: Json, plies: list[Json], winner: str | None) -> Json | None:
    """The loser's last move that was not the only legal one."""
    if game["reason"] not in ("checkmate", "stalemate") or winner is None:
        return None
    ply = _last_free(plies, game["end"] - 1)
    if ply is None or plies[ply - 1]["side"] == winner:
        return None
    loser = _NAMES[plies[ply - 1]["side"]]
    return _found(
        ply,
        "last-choice",
        "hint",
        f"{loser[0]}'s last move with an alternative.",
        f"{loser[1]}最后一次尚有选择之着。",
    )


def _biggest(plies: list[Json]) -> Json | None:
    blasts = [ply for ply in plies if ply["explosion"]]
    if not blasts:
        return None
    most = max(blasts, key=lambda ply: (len(ply["explosion"]), -ply["ply"]))
    count = len(most["explosion"])
    return _found(
        most["ply"],
        "explosion",
        "hint",
        f"the biggest explosion of the game: {count} {'piece' if count == 1 else 'pieces'} besides the capturer.",
        f"全局最大的爆炸:除吃子者外炸去 {count} 子。",
    )
