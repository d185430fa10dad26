"""Matches scored again, for people and programs to read: text, Markdown, JSON, and a table of the games."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from adjudicator import Ruleset
from adjudicator.ruling import DECIDED
from adjudicator.variants import known_as
from pipeline import places, spreadsheet, store
from pipeline.counts import Count
from pipeline.reports import matches
from pipeline.reports.figures import NOTABLE
from pipeline.reports.rescoring import ACCOUNTS, Pairing, Rescored, Standing
from pipeline.reports.sheet import Block, escaped, name
from pipeline.reports.statistics import Estimate

COLUMNS = (
    *("record", "source", "index", "line", "event", "round", "red", "black", "recorded", "ruled"),
    *("rests_on", "stated", "reason", "ply", "clauses", "explanation", "why", "disputed"),
    *("pair", "illegal", "timeout", "repeater", "left_out"),
)
"""Columns of the table of games."""


MOST_TABLES = 12
"""Pairings that have a table each; more of them stand in one, a line each."""
THROWN = "thrown by repetition: not lost as recorded, but lost as ruled for how the engine repeated moves"
"""What the column of the engines counts."""
FEWEST_GAMES = 10
"""Games that a pairing needs for a line of its own: the Elo of fewer says next to nothing."""
MOST_VARIANTS = 3
"""Other games that are named; there are hardly more."""
MOST_LINES = 50
"""Lines of the tables of pairings and of engines; who played less stands in one line together."""


def blocks(found: Rescored) -> list[Block]:
    """The pairings, the kinds of change, why results rest on the record alone, and the engines."""
    many = len(found.pairings) > MOST_TABLES
    sheets = [_pairings(found.pairings)] if many else [_pairing(pairing) for pairing in found.pairings]
    kinds = (
        found.changed.group_by("recorded", "ruled", "reason")
        .len()
        .sort("len", "reason", "recorded", descending=[True, False, False])
    )
    if kinds.height:
        rows = [
            (f"{_said(row['recorded'])} → {_said(row['ruled'])}", row["reason"] or "", f"{row['len']:,}")
            for row in kinds.iter_rows(named=True)
        ]
        sheets.append(Block("results that change", ("recorded → ruled", "reason", "games"), rows))
    if found.alone.height:
        sheets.append(_alone(found))
    if found.engines:
        sheets.append(_engines(found))
    return sheets


def _alone(found: Rescored) -> Block:
    """Why results rest on the record alone, and which."""
    counts = (
        found.alone.group_by("stated")
        .agg(pl.len(), *((pl.col("recorded") == result).sum().alias(result) for result in DECIDED))
        .sort("len", "stated", descending=[True, False])
    )
    rows = [
        (_why_alone(found, stated), *(f"{number:,}" for number in numbers))
        for stated, *numbers in counts.iter_rows()
    ]
    return Block("results that rest on the record alone", ("", "games", *DECIDED), rows)


def _why_alone(found: Rescored, stated: str) -> str:
    return matches.ALONE[stated].format(rules=found.rules, book=found.book)


def _pairing(pairing: Pairing) -> Block:
    accounts = {words: getattr(pairing, account) for account, words in ACCOUNTS.items()}
    head = ["", "games", "won", "drawn", "lost", "score", "Elo (95 %)", "LOS"]
    rows = [
        [
            words,
            *(f"{number:,}" for number in (account.games, account.wins, account.draws, account.losses)),
            percent(account.score),
            interval(account.elo),
            percent(account.superiority),
        ]
        for words, account in accounts.items()
    ]
    if any(sum(account.pairs) for account in accounts.values()):
        head.append("pairs by points 0 ½ 1 1½ 2")
        for row, account in zip(rows, accounts.values(), strict=True):
            row.append(" ".join(map(str, account.pairs)))
    if pairing.ruled.sprt:
        head += ["LLR", "SPRT"]
        for row, account in zip(rows, accounts.values(), strict=True):
            row += _sprt(account)
    title = f"{name(pairing.first)} – {name(pairing.second)}"
    return Block(title, tuple(head), [tuple(row) for row in rows])


def _pairings(pairings: Sequence[Pairing]) -> Block:
    """Many pairings in one table, those of the most games first."""
    head: tuple[str, ...] = ("", "games", "recorded + = -", "Elo (95 %)", "ruled + = -", "Elo (95 %)")
    if pairings[0].ruled.sprt:
        head += ("LLR", "SPRT")
    by_games = sorted(pairings, key=_games_of, reverse=True)
    enough = sum(_games_of(pairing) >= FEWEST_GAMES for pairing in by_games[:MOST_LINES])
    rows = []
    for pairing in by_games[:enough]:
        cells = [f"{name(pairing.first)} – {name(pairing.second)}", f"{_games_of(pairing):,}"]
        for account in (pairing.recorded, pairing.ruled):
            cells += [_outcomes((account.wins, account.draws, account.losses)), interval(account.elo)]
        rows.append((*cells, *(_sprt(pairing.ruled) if pairing.ruled.sprt else ())))
    rows += _others("pairing", [_games_of(pairing) for pairing in by_games[enough:]], len(head))
    return Block("pairings", head, rows)


def _games_of(pairing: Pairing) -> int:
    return max(pairing.recorded.games, pairing.ruled.games)


def _others(what: str, games: Sequence[int], columns: int) -> list[tuple[str, ...]]:
    """One row for all the others, which have so many ``games``; none where there are no others."""
    if not games:
        return []
    n, most = Count.of(len(games)), Count.of(max(games))
    label = f"{n} other {what}{n:|s}, at most {most} {most:game|games} each: --out F.json has {n:it|them}"
    return [(label, f"{sum(games):,}", *("" for _ in range(columns - 2)))]


def _outcomes(outcomes: Sequence[int]) -> str:
    return " ".join(f"{number:,}" for number in outcomes)


def _sprt(account: Standing) -> list[str]:
    assert account.sprt
    return [
        f"{account.sprt.llr:+.2f}",
        f"{account.sprt.accepted} accepted" if account.sprt.accepted else "goes on",
    ]


def _engines(found: Rescored) -> Block:
    """The engines, the best first as ruled; of very many those that played most."""
    accounts = ("recorded + = -", "score", "ruled + = -", "score")
    head = ("engine", "games", *accounts, "illegal moves", "lost on time", "thrown by repetition")
    rows = []
    by_games = sorted(found.engines, key=lambda engine: -engine.games)
    for engine in sorted(by_games[:MOST_LINES], key=lambda engine: -(_score(engine.ruled) or 0)):
        cells = [name(engine.name), f"{engine.games:,}"]
        for outcomes in (engine.recorded, engine.ruled):
            cells += [_outcomes(outcomes), percent(_score(outcomes))]
        marks = (engine.illegal_moves, engine.time_losses, engine.thrown_by_repetition)
        rows.append((*cells, *(f"{number:,}" for number in marks)))
    rows += _others("engine", [engine.games for engine in by_games[MOST_LINES:]], len(head))
    return Block("engines", head, rows, THROWN)


def _score(outcomes: tuple[int, int, int]) -> float | None:
    wins, draws, losses = outcomes
    games = wins + draws + losses
    return (wins + draws / 2) / games if games else None


def percent(share: float | None) -> str:
    return "–" if share is None or math.isnan(share) else f"{100 * share:.1f} %"


def interval(estimate: Estimate) -> str:
    """ "+12.3 (-4.5 … +29.1)"; a dash for the figure of nothing."""
    if math.isnan(estimate.value):
        return "–"
    value, low, high = (
        "∞" if x == math.inf else "-∞" if x == -math.inf else f"{x:+.1f}"
        for x in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low} … {high})"


def _said(result: str | None) -> str:
    return result or "no result"


# -- the report --------------------------------------------------------------------------------------


def report(found: Rescored, games: int = 20) -> list[str]:
    """The report as lines of text, with at most so many ``games`` whose result changes."""
    lines = _summary(found)
    for block in blocks(found):
        lines += ["", *block.text()]
    if found.changed.height and games:
        lines += ["", *_games(found.changed, games)]
    return lines


def _summary(found: Rescored) -> list[str]:
    counted = found.counted
    pairs = counted["pair"].drop_nulls().n_unique()
    repeated = int(counted["repeated"].sum())
    counts = [
        ("{n:game|games}", counted.height),
        ("{n:pair|pairs} on one opening with colours reversed", pairs),
    ]
    if repeated:
        words = "{n:game|games} with the moves of an earlier one, which {n:counts|count}, too; not with --no-copies"
        counts.append((words, repeated))
    counts += [
        ("{n:result|results} that the rules confirm", found.confirmed),
        ("{n:result that changes|results that change}", found.changed.height),
    ]
    if found.alone.height:
        words = "{n:result that rests|results that rest} on the record alone: nothing on the board gives {n:it|them}"
        counts.append((words, found.alone.height))
    disputed = counted["disputed"].count()
    if disputed:
        counts.append(("{n:result|results} that other readings of {book} dispute", disputed))
    counts += [(f"left out: {matches.LEFT_OUT[why]}", number) for why, number in found.left_out.items()]
    width = max(len(f"{number:,}") for _, number in counts)
    numbered = [(Count.of(number), words) for words, number in counts]
    lines = [f"{n:>{width}}  {words.format(n=n, book=found.book)}" for n, words in numbered]
    lines.append(f"rules {found.rules} {found.fingerprint}, book {found.book}")
    if found.bounds:
        b = found.bounds
        lines.append(
            f"SPRT: H0 {b.elo0:g} Elo, accepted at LLR {b.lower:.2f}; H1 {b.elo1:g} Elo, at {b.upper:.2f};"
            " computed once, at the end of the match, not after each game"
        )
    return [*lines, *_warnings(found)]


def _warnings(found: Rescored) -> list[str]:
    """What a reader must know before he believes the figures."""
    counted = found.counted
    lines = []
    if not counted.height:
        lines.append(_nothing(found))
    named = found.table.filter(pl.col("left_out") == "other variant")["other_variant"]
    for variant in named.unique(maintain_order=True).head(MOST_VARIANTS):
        known = known_as(variant)
        line = f"records of {name(variant)} are read with --rules {' or '.join(known)}"
        if known and found.rules not in Ruleset.ids():
            game = Ruleset.load(known[0]).game
            line += f'; if {found.rules} is a form of that game, its file says so: game = "{game}"'
        lines.append(line)
    stopped = counted.filter(pl.col("ruled").is_null()).height
    if stopped:
        games = Count.of(stopped)
        lines.append(
            f"{games} {games:has|have} no result as ruled after an illegal move"
            f" (--illegal loses counts {games:it|them} lost)"
        )
    open_ends = counted.filter(pl.col("stated").is_in(list(matches.ON_BOARD))).height
    if open_ends:
        games = Count.of(open_ends)
        lines.append(
            f"{games} {games:game|games} ended, says the record, on a repetition or a limit without captures that does"
            f" not end {games:it|them} under {found.rules} by book {found.book}:"
            f" {games:its result stands|their results stand} only as recorded"
        )
    silent = counted.filter(pl.col("recorded").is_null()).height
    unfinished = found.left_out.get("no result", 0)
    if unfinished and silent >= NOTABLE * counted.height:
        games, left = Count.of(silent), Count.of(unfinished)
        lines.append(
            f"{games} {games:game counts|games count} only because the rules end {games:it|them},"
            f" while {left} unfinished {left:one is|ones are} left out: that is a selected sample"
        )
    if stopped * 2 > counted.height:
        lines.append(f"most games stop at an illegal move: are the rules {found.rules}?")
    return lines


def _nothing(found: Rescored) -> str:
    """Why no game is scored."""
    records = Count.of(found.table.height)
    if records == "0":
        return "no game can be scored: there are no records"
    return f"no game can be scored: the {records:record|records} {records:is|are all} left out"


def _games(changed: pl.DataFrame, most: int) -> list[str]:
    """At most so many games whose result changes: where, who, from what to what, and why."""
    lines = []
    for row in changed.head(most).iter_rows(named=True):
        players = f"{name(row['red'])} – {name(row['black'])}"
        lines.append(f"{places.game(row['source'], row['line'], row['index'])}  {players}")
        change = f"{_said(row['recorded'])} → {_said(row['ruled'])}"
        lines.append(f"  {change} ({row['reason']}, ply {row['ply']})")
        # an illegal move decides, too, when no other was left
        told = row["explanation"] or (row["why"] if row["ply"] >= row["plies_replayed"] else None)
        lines += [f"  {told}"] if told else []
    if changed.height > most:
        lines.append(
            f"… {changed.height - most:,} more: --list N shows them, the tables of --out have them all"
        )
    return lines


# -- files -------------------------------------------------------------------------------------------


def write(found: Rescored, path: Path, form: str, games: int = 20) -> None:
    """Write ``found`` to ``path``: as "parquet" or "csv" a row for each record, as "json" the figures and the games
    that change, as "md" the `report`."""
    table = found.table.select(COLUMNS)
    with store.whole_file(path) as file:
        if form == "parquet":
            table.write_parquet(file)
        elif form == "csv":
            spreadsheet.write(table.with_columns(pl.col("clauses").list.join("; ")), file)
        elif form == "json":
            file.write(json.dumps(_plain(found), ensure_ascii=False, indent=1).encode() + b"\n")
        else:
            file.write("\n".join(markdown(found, games)).encode() + b"\n")


def markdown(found: Rescored, games: int = 20) -> list[str]:
    """`report` as lines of Markdown."""
    lines = ["# Matches scored again", "", *(f"- {escaped(line.strip())}" for line in _summary(found))]
    for block in blocks(found):
        lines += ["", *block.markdown()]
    if found.changed.height and games:
        told = [escaped(line) for line in _games(found.changed, games)]
        lines += ["", "## games", "", *(line if line.startswith(" ") else f"- {line}" for line in told)]
    return lines


def _plain(found: Rescored) -> dict[str, Any]:
    """``found`` as JSON; figures that are infinite or of nothing are null."""
    b = found.bounds
    return {
        "rules": {"id": found.rules, "fingerprint": found.fingerprint},
        "book": found.book,
        "sprt": b and {**dataclasses.asdict(b), "lower": b.lower, "upper": b.upper},
        "games": found.counted.height,
        "confirmed": found.confirmed,
        "alone": dict(found.alone["stated"].value_counts(sort=True).iter_rows()),
        "left_out": found.left_out,
        "pairings": [_finite(dataclasses.asdict(pairing)) for pairing in found.pairings],
        "engines": [dataclasses.asdict(engine) for engine in found.engines],
        "changed": found.changed.select(COLUMNS).to_dicts(),
    }


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
