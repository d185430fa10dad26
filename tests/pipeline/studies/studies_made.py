"""Games made for the studies' tests: by chance from a seed, so that a new rule set is tested by existing."""

from __future__ import annotations

import random

from adjudicator import Game, Ruleset, adjudicate
from adjudicator.moves import move_points
from notation.record import GameRecord, Variation
from pipeline.check import Checked
from pipeline.studies import Wishes, match


def chance_game(rules: str | Ruleset, plies: int = 90, seed: int = 1, **tags: str) -> GameRecord:
    """A game of legal moves that likes captures and drops, with an evaluation on every ply, until it is over.

    Chance mates early in some games; the first that is long enough is taken.
    """
    games = (
        _chance(rules, plies, random.Random(f"{getattr(rules, 'id', rules)} {seed} {attempt}"))
        for attempt in range(50)
    )
    moves, comments = next(game for game in games if len(game[0]) > plies // 2)
    tags = {"Event": "Chance", "Red": "Ping", "Black": "Zhu", "Result": "*", "Variant": rules} | tags
    return GameRecord(tags=tags, tokens=moves, comments=comments, result="*", terminator="*")


def _chance(rules: str | Ruleset, plies: int, dice: random.Random) -> tuple[list[str], dict[int, list[str]]]:
    game = Game(rules=rules)
    comments = {}
    while len(game.moves) < plies:
        legal = game.position.legal_moves()
        if not legal:
            break
        lively = [m for m in legal if "@" in m or game.position.piece_at(move_points(m)[1])]
        game.push(dice.choice(lively if lively and dice.random() < 0.5 else legal))
        comments[len(game.moves)] = [f"{dice.uniform(-3, 3):+.2f}/{dice.randint(4, 12)} 0.1s"]
        if game.rules.needs_general and len(set("Kk") & set(game.fen().split()[0])) < 2:
            break
    return list(game.moves), comments


def study(records: list[GameRecord], rules: str | Ruleset = "xiangqi", **wishes: object) -> dict:
    """The study of ``records``."""
    found = [
        Checked("made.pgn", game=number, ruled=ruled)
        for number, ruled in enumerate(adjudicate(records, rules), start=1)
    ]
    return match.study_of(match.choose(found, Wishes(**wishes)), Wishes(**wishes))


OPENING = ["h3e3", "h10g8", "h1g3", "i10h10", "i1h1", "g7g6"]


def commented() -> GameRecord:
    """A game with everything that a record can say: comments, NAGs, variations inside variations."""
    return GameRecord(
        tags={"Event": "Cup <b>&amp;", "Red": "</script><script>alert(1)</script>", "Black": "黑"},
        tokens=list(OPENING),
        comments={
            0: ["before it all"],
            1: ["+0.35/9 0.012s", "a comment with <i>markup</i>"],
            2: ["-0.10/8"],
            4: ["[%eval 0.5] fine"],
        },
        nags={1: [1], 3: [5, 14]},
        variations=[
            Variation(2, ["h8e8", "h1g3"], {2: ["symmetrical"]}, {2: [6]}, [Variation(3, ["b1c3", "b10c8"])]),
            Variation(6, ["b8b4", "z9z9"]),
        ],
        result="*",
    )
