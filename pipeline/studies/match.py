"""A study of one game or of many: which records, in which order, and what is said about them as a whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator import Adjudication, Ruleset
from adjudicator.reasons import REASON_WORDS
from notation.tags import value_of
from pipeline import __version__
from pipeline.check import Checked, check, troubles
from pipeline.chosen import among
from pipeline.counts import Count
from pipeline.studies import engine as engines
from pipeline.studies.decide import decided
from pipeline.studies.study import RESULTS, VERSION, game_of, rules_of

Json = dict[str, Any]


class NothingToShow(ValueError):
    """No record is left for a study; the message says why."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person asks of a study. ``games``: ordinals from 1 over all sources (empty: all), ``pick``: a name of
    `PICKS`, ``count``: how many of the picked, ``language`` "en" or "zh", ``notation`` one of `study.NOTATIONS` or
    "token" (None: by the board), ``engine`` a command, ``nodes`` its budget per position.
    """

    games: tuple[int, ...] = ()
    pick: str | None = None
    count: int | None = None
    title: str | None = None
    language: str = "en"
    notation: str | None = None
    engine: str | None = None
    nodes: int = 20_000


def study(
    paths: Iterable[Path | str],
    wishes: Wishes,
    *,
    rules: str,
    book: str | None = None,
    settings: Mapping[str, Any] | None = None,
    encoding: str | None = None,
) -> Json:
    """The study of the records under ``paths``.

    Raises `NothingToShow`, `NoSuchGame`, `engines.EngineError`, and as `check` does.
    """
    found = [*check(paths, rules=rules, book=book, settings=settings, encoding=encoding)]
    records = [checked for checked in found if checked.ruled is not None]
    if not records:
        why = troubles([finding for checked in found for finding in checked.findings])
        raise NothingToShow("\n".join(why))
    chosen = choose(records, wishes)
    return study_of(chosen, wishes)


def study_of(records: Sequence[tuple[int, Checked]], wishes: Wishes) -> Json:
    """The study of records already chosen, with their numbers: ``rules``, ``games`` and how to show them."""
    ruleset = _ruled(records[0][1]).rules
    games = []
    with engines.open_engine(wishes.engine, ruleset) as engine:
        for number, record in records:
            game = game_of(_ruled(record), source=record.source, number=number)
            if engine is not None:
                engines.evaluate(game, engine, wishes.nodes)
            game["decided"] = decided(game, ruleset)
            game["result_words"] = _result(game)
            games.append(game)
    return {
        "study": VERSION,
        "version": __version__,
        "title": _title(games, ruleset, wishes.title),
        "language": wishes.language,
        "notation": wishes.notation or _usual_notation(ruleset, wishes.language),
        "rules": rules_of(ruleset),
        "games": games,
    }


def notices(study: Json) -> list[str]:
    """What the person who asked for a study should know of its games: a line each."""
    games, lines = study["games"], []
    number = Count.of(len(games))
    foreign: dict[tuple[str, str], int] = {}
    for game in games:
        if advice := next((f["suggestion"] for f in game["findings"] if f["code"] == "other-variant"), None):
            named = value_of(game["tags"], "Variant"), advice
            foreign[named] = foreign.get(named, 0) + 1
    for (name, advice), count in foreign.items():
        lines.append(
            f"{Count.of(count)} of {number} {number:game names|games name} the variant {name}, which is another than"
            f" {study['rules']['id']}: use {advice}"
        )
    if broken := sum(game["stopped"] is not None for game in games):
        lines.append(
            f"{Count.of(broken)} of {number} {number:game|games} cannot be played to the end; the study says why"
        )
    return lines


def _result(game: Json) -> Json:
    """How a game ended, in words: by the rules, or else as its record says."""
    if game["reason"]:
        (en, zh), (why, why_zh) = RESULTS[game["result"]], REASON_WORDS[game["reason"]]
        return {"en": f"{en}: {why}", "zh": f"{zh}：{why_zh}"}
    en, zh = RESULTS.get(game["claimed"], RESULTS["*"])
    return {"en": en, "zh": zh} if en == "Open" else {"en": f"{en}, says the record", "zh": f"{zh}（依棋谱）"}


def _ruled(record: Checked) -> Adjudication:
    assert record.ruled is not None
    return record.ruled


def _title(games: Sequence[Json], rules: Ruleset, wanted: str | None) -> Json:
    if wanted:
        return {"en": wanted, "zh": wanted}
    if len(games) == 1:
        game = games[0]
        names = " – ".join(filter(None, (game["red"], game["black"]))) or game["event"] or rules.title
        return {"en": names, "zh": names}
    events = {game["event"] for game in games}
    event = events.pop() if len(events) == 1 else ""
    return {
        "en": f"{event or rules.title}: {len(games)} games",
        "zh": f"{event}：{len(games)} 局" if event else f"{len(games)} 局棋",
    }


def _usual_notation(rules: Ruleset, language: str) -> str:
    """Chinese words and WXF fit the board of xiangqi without drops; other games have squares."""
    if rules.files == 9 and rules.ranks == 10 and not rules.reserves:
        return "chinese" if language == "zh" else "wxf"
    return "algebraic"


# ---- choosing ------------------------------------------------------------------------------------------


def choose(records: Sequence[Checked], wishes: Wishes) -> list[tuple[int, Checked]]:
    """The records to show with their numbers: those asked for, then those picked by rule, the best first."""
    numbered = list(enumerate(records, start=1))
    if wishes.games:
        numbered = [(number, records[number - 1]) for number in among(wishes.games, len(records))]
    if wishes.pick:
        numbers = {id(record): number for number, record in numbered}
        picked = PICKS[wishes.pick]([record for _, record in numbered])
        if numbered and not picked:
            count = Count.of(len(numbered))
            raise NothingToShow(f"--pick {wishes.pick}: of {count} {count:game|games}, {NONE[wishes.pick]}")
        numbered = [(numbers[id(record)], record) for record in picked]
    return numbered[: wishes.count]


def _explosions(records: Sequence[Checked]) -> list[Checked]:
    """Most explosions first."""
    return sorted((r for r in records if _ruled(r).explosions), key=lambda r: -_ruled(r).explosions)


def _shortest(records: Sequence[Checked]) -> list[Checked]:
    """Won on the board, the fewest plies first."""
    ends = ("checkmate", "stalemate", "general-gone")
    return sorted(
        (r for r in records if _ruled(r).reason in ends and _ruled(r).ply), key=lambda r: _ruled(r).ply or 0
    )


def _longest(records: Sequence[Checked]) -> list[Checked]:
    return sorted(records, key=lambda r: -len(_ruled(r).moves))


def _changed(records: Sequence[Checked]) -> list[Checked]:
    """Games whose record claims another result than the ruling, or goes on after it."""

    def differs(ruled: Adjudication) -> bool:
        if ruled.claim == "contradicts":
            return True
        decided = ruled.reason is not None and ruled.claimed in ("red", "black", "draw")
        return decided and ruled.result != ruled.claimed

    return [record for record in records if differs(_ruled(record))]


def _upsets(records: Sequence[Checked]) -> list[Checked]:
    """Games won by the weaker side: by the ratings in their tags, else by the players' scores in these records."""
    scores = _scores(records)
    found = []
    for record in records:
        tags = {name.lower(): value for name, value in _ruled(record).tags.items()}
        winner = _winner(_ruled(record))
        if winner is None:
            continue
        elo = {
            "red": _number(tags.get("redelo") or tags.get("whiteelo")),
            "black": _number(tags.get("blackelo")),
        }
        if None in elo.values():
            red, black = _players(tags)
            if not red or not black or red == black:
                continue
            elo = {"red": scores[red], "black": scores[black]}
        loser = "black" if winner == "red" else "red"
        gap = (elo[loser] or 0.0) - (elo[winner] or 0.0)
        if gap > 0:
            found.append((gap, record))
    return [record for _, record in sorted(found, key=lambda pair: -pair[0])]


def _winner(ruled: Adjudication) -> str | None:
    result = ruled.result if ruled.reason else ruled.claimed
    return result if result in ("red", "black") else None


def _players(tags: Mapping[str, str]) -> tuple[str, str]:
    return tags.get("red") or tags.get("white", ""), tags.get("black", "")


def _number(text: str | None) -> float | None:
    return float(text) if text and text.strip().isdecimal() else None


def _scores(records: Sequence[Checked]) -> dict[str, float]:
    """Share of points of every player over the records, in percent."""
    points: dict[str, float] = defaultdict(float)
    games: dict[str, int] = defaultdict(int)
    for record in records:
        tags = {name.lower(): value for name, value in _ruled(record).tags.items()}
        winner = _winner(_ruled(record))
        for side, player in zip(("red", "black"), _players(tags), strict=True):
            games[player] += 1
            points[player] += 0.5 if winner is None else float(winner == side)
    return {player: 100 * points[player] / games[player] for player in games}


PICKS: dict[str, Callable[[Sequence[Checked]], list[Checked]]] = {
    "changed": _changed,
    "explosions": _explosions,
    "longest": _longest,
    "shortest-mate": _shortest,
    "upsets": _upsets,
}
"""Rules by which games are picked for a study."""

NONE = {
    "changed": "none is ruled otherwise than its record says",
    "explosions": "none has an explosion",
    "longest": "none is the longest",
    "shortest-mate": "none is won on the board",
    "upsets": "none is won by the weaker side",
}
"""What is said where a rule picks no game."""
