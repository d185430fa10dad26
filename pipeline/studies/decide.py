"""The move that decided a game: one ply, why, and how certain that is.

The best witness speaks: evaluations in the record, or an engine's, say after which move of the loser's the winner's
advantage became lasting. Without them the board's own facts are asked: a win by force that a search in the kernel
proves, the cycle of a repetition, the capture that ended it, the loser's last free choice, a lasting lead in pieces,
the biggest explosion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from adjudicator import Position, Ruleset
from adjudicator.ruling import no_capture_limit
from pipeline.counts import Count

Json = dict[str, Any]

LASTING = 2.0
"""Pawns of advantage that, held to the end, count as won."""

MATE = 1000.0
"""Pawns that a mate counts as."""

BUDGET = 300_000
"""Moves that the search for wins by force tries in one game."""

DEEPEST = 9
"""Plies of the longest win looked for."""

SHORT = 3
"""Plies of those looked for before the move that was played is followed."""

CERTAINTY = {
    "proved": ("certain: proved by search", "确定：搜索证明"),
    "fact": ("certain: by the rules", "确定：依规则"),
    "engine": ("likely: by the engine's evaluations", "可能：依引擎评分"),
    "recorded": ("likely: by the record's evaluations, which may see late", "可能：依棋谱中的评分，可能滞后"),
    "hint": (
        "a hint only: by the facts of the board, not by playing strength",
        "仅供参考：依棋盘事实，而非棋力",
    ),
}

ON_BOARD = ("checkmate", "stalemate", "general-gone")
"""The endings that a search can prove."""


def decided(game: Json, rules: Ruleset) -> Json | None:
    """The deciding ply of a study's game (`study.game_of`), or None where nothing points to one.

    ``ply``, ``kind``, ``certainty`` (one of `CERTAINTY`, which ``sure`` has in words) and the reason in ``en`` and
    ``zh``.
    """
    plies = game["lines"][0]["plies"]
    if not plies:
        return None
    winner = _winner(game)
    law = winner is not None and game["result"] == winner
    witnesses: list[Callable[[], Json | None]] = [
        lambda: _repetition(game, plies) if law else None,
        lambda: _by_evaluation(game, plies, rules, winner),
        lambda: _repetition(game, plies),
        lambda: _forced(game, plies, rules, winner),
        lambda: _gone(game, plies),
        lambda: _last_choice(game, plies, winner),
        lambda: _lead(game, plies, winner),
        lambda: _biggest(plies),
    ]
    return next((found for ask in witnesses if (found := ask())), None)


def _winner(game: Json) -> str | None:
    """Who won by the ruling, else by the record's own claim; None for draws and open games."""
    result = game["result"] if game["reason"] else game["claimed"]
    return result if result in ("red", "black") else None


def _found(ply: int, kind: str, certainty: str, en: str, zh: str) -> Json:
    sure = dict(zip(("en", "zh"), CERTAINTY[certainty], strict=True))
    return {"ply": ply, "kind": kind, "certainty": certainty, "sure": sure, "en": en, "zh": zh}


_NAMES = {"red": ("Red", "红方"), "black": ("Black", "黑方")}
_OTHER = {"red": "black", "black": "red"}


# ---- evaluations ---------------------------------------------------------------------------------------


class _Figure(NamedTuple):
    """An evaluation before ply ``ply``, which ``mover`` is to play: ``value`` and ``mate`` (moves, 0 none) from Red's
    side. ``own``: the mover's engine said it of its own move, else one engine judged all positions."""

    ply: int
    mover: str
    value: float
    mate: int
    own: bool

    def of(self, side: str) -> float:
        """Pawns from the view of ``side``, a mate as a large number."""
        return self.value if side == "red" else -self.value

    def told(self, side: str) -> tuple[str, str]:
        """What it says from the view of ``side``, English and Chinese."""
        value = self.of(side)
        if not self.mate:
            text = f"{round(value, 2) + 0.0:+.2f}".replace("-", "−")
            return text, text
        count = Count.of(abs(self.mate))
        en, zh = ("a mate", "宣告") if value > 0 else ("being mated", "宣告被")
        return f"{en} announced in {count} {count:move|moves}", f"{zh} {count} 步杀"


def _figures(game: Json, plies: list[Json]) -> list[_Figure]:
    """The evaluations of ``plies``. What a mover's engine saw stands before his ply, and so does an engine's beside the
    study; one of the position ``after`` a ply stands before the next."""
    figures = []
    for ply in plies:
        mate = ply["mate_in"] or 0
        value = math.copysign(MATE, mate) if mate else ply["evaluation"]
        if value is not None:
            mover = _OTHER[ply["side"]] if ply["after"] else ply["side"]
            own = not ply["after"] and not game.get("evaluated")
            figures.append(_Figure(ply["ply"] + ply["after"], mover, value, mate, own))
    return figures


def _by_evaluation(game: Json, plies: list[Json], rules: Ruleset, winner: str | None) -> Json | None:
    """The loser's move after which the winner saw a lasting advantage; in a draw, the move that let a win go.

    No move makes its mover's position better than it was. So what the winner's engine saw from one of his moves to
    his next is put down to the loser's move between them, and where it saw a mate, the board is searched for it.
    """
    end = game["end"] or len(plies)
    figures = _figures(game, plies[:end])
    if len(figures) < 4 or len(figures) < end // 4:
        return None
    certainty = game.get("evaluated") or "recorded"
    if winner is None:
        return _let_go(figures, certainty)
    seen = [figure for figure in figures if figure.mover == winner]
    if len(seen) < 2:
        seen = figures
    low = [number for number, figure in enumerate(seen) if figure.of(winner) < LASTING]
    if low and low[-1] + 1 == len(seen):
        return None  # the loser's side never looked lost: the evaluations know nothing of it
    (side, side_zh), loser = _NAMES[winner], _OTHER[winner]
    if not low:
        return _found(
            min(figures[0].ply, end),
            "evaluation",
            certainty,
            f"{side} stood clearly better from the first evaluation on.",
            f"自首次评分起{side_zh}即占优。",
        )
    before, after = seen[low[-1]], seen[low[-1] + 1]
    if after.mate and after.mover == winner and (proof := _proved(game, rules, after)):
        return proof
    blamed = _last_of(loser, after)
    if not blamed:
        return None
    already = next((figure for figure in figures if figure.ply == blamed), before)
    doubt, doubt_zh = "", ""
    if already.of(winner) >= LASTING:
        (value, value_zh), (who, who_zh) = already.told(winner), _whose(already)
        doubt = f" It may have been there earlier: {who} before this move already stood at {value}."
        doubt_zh = f"也可能更早：此着之前{who_zh}已为 {value_zh}。"
    elif not already.own:
        before = already
    (had, had_zh), (has, has_zh), (who, who_zh) = before.told(winner), after.told(winner), _whose(after)
    en = f"{_NAMES[loser][0]}'s mistake: {who} went from {had} to {has}, seen from {side}'s side, and stayed so.{doubt}"
    zh = f"{_NAMES[loser][1]}失着：{who_zh}由 {had_zh} 变为 {has_zh}（{side_zh}视角），保持到终局。{doubt_zh}"
    return _found(blamed, "evaluation", certainty, en, zh)


def _whose(figure: _Figure) -> tuple[str, str]:
    side, side_zh = _NAMES[figure.mover]
    return (f"{side}'s own evaluation", f"{side_zh}自己的评分") if figure.own else ("the evaluation", "评分")


def _last_of(side: str, figure: _Figure) -> int:
    """The last ply of ``side`` before an evaluation; 0 or less where it had none."""
    return figure.ply - (2 if figure.mover == side else 1)


def _let_go(figures: list[_Figure], certainty: str) -> Json | None:
    """The ply at which the last clear advantage was lost."""
    # The two sides' figures often differ: the advantage counts where two in a row, one of each, agree.
    agreed = [min(abs(a.value), abs(b.value)) if a.value * b.value > 0 else 0.0 for a, b in pairwise(figures)]
    clear = [number for number, value in enumerate(agreed) if value >= LASTING]
    if not clear:
        return None
    before = figures[clear[-1] + 1]
    side = "red" if before.value > 0 else "black"
    soon = figures[clear[-1] + 2 : clear[-1] + 4]  # what dwindles is no single ply's doing
    after = next((figure for figure in soon if figure.of(side) <= LASTING / 2), None)
    blamed = _last_of(side, after) if after else 0
    if after is None or blamed < 1:
        return None
    (had, had_zh), (left, left_zh), (name, name_zh) = before.told(side), after.told(side), _NAMES[side]
    doubt, doubt_zh = "", ""
    if blamed < before.ply:
        doubt = f" After it {_whose(before)[0]} still saw the advantage, so it may never have been there."
        doubt_zh = f"此着之后{_whose(before)[1]}仍认为占优，优势也可能本不存在。"
    return _found(
        blamed,
        "evaluation",
        certainty,
        f"the win let go: {name}'s advantage fell from {had} to {left}, seen from {name}'s side.{doubt}",
        f"错失胜机：{name_zh}优势由 {had_zh} 降至 {left_zh}（{name_zh}视角）。{doubt_zh}",
    )


# ---- wins by force -------------------------------------------------------------------------------------


class _Line:
    """The plies of a game that count, walked backwards with one position; ``length`` is how many they are."""

    def __init__(self, game: Json, rules: Ruleset):
        plies = game["lines"][0]["plies"][: game["end"]]
        self.length = len(plies)
        self.moves = [ply["move"] for ply in plies]
        self.position = Position(game["start"], rules, game["handicap"] or "none")
        self.keys = [self.position.key]
        for move in self.moves:
            self.position.push(move)
            self.keys.append(self.position.key)
        self.played = self.length
        self.options = {
            "stalemate": rules.stalemate == "loss",
            "limit": no_capture_limit(rules, rules.rulebook(game["book"])),
        }
        self.left = BUDGET

    def forced(self, turn: int) -> int | None:
        """In how many plies the side to move before ply ``turn`` wins by force; None: no such win was found."""
        self._walk(turn - 1)
        if found := self._least(1, SHORT):
            return found
        if turn <= self.length:
            # The move that was played may be a quiet one far from the end, and to look for others takes long.
            self._walk(turn)
            if found := self._least(2, DEEPEST):
                return found + 1
            self._walk(turn - 1)
        return self._least(SHORT + 2, DEEPEST)

    def helpless(self) -> int | None:
        """In how many plies the side to move at the end loses whatever it plays; None: it may have a defence."""
        self._walk(self.length)
        return self._least(2, DEEPEST)

    def _least(self, plies: int, most: int) -> int | None:
        """The least number of plies, from ``plies`` to ``most`` in steps of two, within which a win is forced."""
        since = self.position.cursor.since_capture
        seen = tuple(self.keys[max(0, self.played - since) : self.played])
        for limit in range(plies, most + 1, 2):
            found, tried = self.position.cursor.forces(limit, self.left, seen=seen, **self.options)
            self.left -= tried
            if found:
                return limit
        return None

    def _walk(self, played: int) -> None:
        """Go to the position after ``played`` plies."""
        for _ in range(played, self.played):
            self.position.pop()
        for move in self.moves[self.played : played]:
            self.position.push(move)
        self.played = played


def _forced(game: Json, plies: list[Json], rules: Ruleset, winner: str | None) -> Json | None:
    """The ply after which a side won by force to the end of the game, or of the record where that breaks off."""
    if game["reason"] not in (None, *ON_BOARD):
        return None
    line = _Line(game, rules)
    if game["reason"]:
        last, left = line.length, 1
        if winner is None or plies[last - 1]["side"] != winner:
            return None  # the ruling is that a side without a move draws, or wins
    else:
        # The record breaks off: its last position may be won for the side to move, or lost.
        last, left = line.length + 1, line.forced(line.length + 1) or 0
        if not left:
            last, left = line.length, (line.helpless() or -1) + 1
        mover = plies[-1]["side"] if last == line.length else _OTHER[plies[-1]["side"]]
        if not left or winner not in (None, mover):
            return None
        winner = mover
    return _since(game, line, winner, last, left)


def _proved(game: Json, rules: Ruleset, mate: _Figure) -> Json | None:
    """The ply since which the mover wins by force, if a search proves the mate that he announced."""
    line = _Line(game, rules)
    left = line.forced(mate.ply)
    return _since(game, line, mate.mover, mate.ply, left) if left else None


def _since(game: Json, line: _Line, winner: str, first: int, left: int) -> Json:
    """The loser's last free move, given that ``winner`` wins by force in ``left`` plies from ply ``first`` on."""
    plies = game["lines"][0]["plies"]
    while first > 2 and (found := line.forced(first - 2)):
        first, left = first - 2, found
    free = _last_free(plies, first - 1) if first > 1 else None
    moves = (left + 1) // 2 + (first - 1 - (free or 0)) // 2
    en, zh = _by_force(winner, free, first, moves)
    if free and line.left <= 0:
        en, zh = (
            en + " Whether all was lost before it, the search had no time to see.",
            zh + "此前是否已必败，搜索未及判断。",
        )
    if not game["reason"]:
        en, zh = en + " The record ends before that.", zh + "棋谱至此为止，未走完。"
    return _found(free or 1, "forced-mate", "proved", en, zh)


def _by_force(winner: str, free: int | None, first: int, moves: int) -> tuple[str, str]:
    """The words on a win in at most ``moves`` moves that was forced before ply ``first``; ``free`` is the loser's
    last move that was not the only one, None where there was none."""
    (side, side_zh), (loser, loser_zh) = _NAMES[winner], _NAMES[_OTHER[winner]]
    how, how_zh = f"by force in at most {moves} moves, whatever the reply", f"至多 {moves} 步内必胜，无可挽回"
    if moves == 1:
        how, how_zh = "with the next move", "下一步即胜"
    if free is None:
        return f"from the start {side} wins {how}.", f"自起始局面起，{side_zh}{how_zh}。"
    if free < first - 1:
        return (
            f"{loser}'s last free choice: every reply after it was the only one, and {side} wins {how}.",
            f"{loser_zh}最后一次可选择之着：此后着着被迫，{side_zh}{how_zh}。",
        )
    return (
        f"after this move of {loser}'s, {side} wins {how}.",
        f"{loser_zh}走此着后，{side_zh}{how_zh}。",
    )


def _last_free(plies: list[Json], ply: int) -> int | None:
    """The latest ply up to ``ply``, of the same side, that was not the only legal move; None: there is none."""
    while ply >= 2 and plies[ply - 2]["replies"] == 1:
        ply -= 2
    return ply if ply >= 1 else None


# ---- other facts ---------------------------------------------------------------------------------------


def _repetition(game: Json, plies: list[Json]) -> Json | None:
    """The ply that bound a ruling by repetition."""
    end, reason = game["end"], game["reason"]
    if not end or end > len(plies):
        return None
    last = plies[end - 1]
    if last["before"] and reason not in (None, "no-capture", *ON_BOARD):
        plies_before = last["before"]
        joined = ", ".join(map(str, plies_before))
        return _found(
            end,
            "repetition",
            "fact",
            f"the position of plies {joined} comes back for the {ordinal(last['occurrence'])} time,"
            " and the ruling binds.",
            f"第 {'、'.join(map(str, plies_before))} 着的局面第 {last['occurrence']} 次出现，裁定生效。",
        )
    return None


def ordinal(number: int) -> str:
    """A number in order, as English writes it: 2nd, 3rd, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _gone(game: Json, plies: list[Json]) -> Json | None:
    end = game["end"]
    if game["reason"] != "general-gone" or not end or end > len(plies):
        return None
    return _found(
        end, "general-gone", "fact", "the capture that removes the general.", "此着吃去（炸去）将帅。"
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


def _lead(game: Json, plies: list[Json], winner: str | None) -> Json | None:
    """The ply from which the winner had more pieces to the end, reserves counted."""
    if winner is None:
        return None
    counts = [_men(fen) for fen in (game["start"], *(ply["fen"] for ply in plies[: game["end"]]))]
    mine = 0 if winner == "red" else 1
    level = [number for number, count in enumerate(counts) if count[mine] <= count[1 - mine]]
    if not level or level[-1] + 1 == len(counts):
        return None
    ply, side = level[-1] + 1, _NAMES[winner]
    more, fewer = counts[ply][mine], counts[ply][1 - mine]
    return _found(
        ply,
        "material",
        "hint",
        f"from here to the end {side[0]} has more pieces, now {more} to {fewer}.",
        f"自此到终局{side[1]}子力占多，此时为 {more} 比 {fewer}。",
    )


def _men(fen: str) -> tuple[int, int]:
    """How many pieces Red and Black have on the board and in reserve."""
    letters = [sign for sign in fen.split()[0] if sign.isalpha()]
    red = sum(letter.isupper() for letter in letters)
    return red, len(letters) - red


def _biggest(plies: list[Json]) -> Json | None:
    blasts = [ply for ply in plies if ply["explosion"]]
    if not blasts:
        return None
    most = max(blasts, key=lambda ply: (len(ply["gone"]), -ply["ply"]))
    count = len(most["gone"])
    return _found(
        most["ply"],
        "explosion",
        "hint",
        f"the biggest explosion of the game: {count} {'piece' if count == 1 else 'pieces'} besides the capturer.",
        f"全局最大的爆炸：除吃子者外炸去 {count} 子。",
    )
