"""Matches scored again, for people and programs to read: text, Markdown, JSON, and a table of the games."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from adjudicator import Ruleset
from adjudicator.reasons import REASON_WORDS
from adjudicator.ruling import DECIDED
from adjudicator.variants import known_as
from pipeline import places, spreadsheet, store
from pipeline.counts import Count
from pipeline.reports import matches
from pipeline.reports.figures import NOTABLE
from pipeline.reports.rescoring import ACCOUNTS, Pairing, Rescored, Standing
from pipeline.reports.sheet import Block, escaped, name
from pipeline.reports.statistics import Estimate
from pipeline.reports.words import Words

COLUMNS = (
    *("record", "source", "index", "line", "event", "round", "red", "black", "recorded", "ruled"),
    *("rests_on", "stated", "reason", "ply", "clauses", "explanation", "why", "disputed"),
    *("pair", "illegal", "timeout", "repeater", "left_out"),
)
"""Columns of the table of games."""


MOST_TABLES = 12
"""Pairings that have a table each; more of them stand in one, a line each."""
FEWEST_GAMES = 10
"""Games that a pairing needs for a line of its own: the Elo of fewer says next to nothing."""
MOST_VARIANTS = 3
"""Other games that are named; there are hardly more."""
MOST_LINES = 50
"""Lines of the tables of pairings and of engines; who played less stands in one line together."""


def blocks(found: Rescored, words: Words) -> list[Block]:
    """The pairings, the kinds of change, why results rest on the record alone, and the engines."""
    many = len(found.pairings) > MOST_TABLES
    sheets = (
        [_pairings(found.pairings, words)]
        if many
        else [_pairing(pairing, words) for pairing in found.pairings]
    )
    kinds = (
        found.changed.group_by("recorded", "ruled", "reason")
        .len()
        .sort("len", "reason", "recorded", descending=[True, False, False])
    )
    if kinds.height:
        rows = [
            (_change(row, words), _reason(row["reason"], words), f"{row['len']:,}")
            for row in kinds.iter_rows(named=True)
        ]
        head = (words("match-change"), words("match-reason"), words("match-games"))
        sheets.append(Block(words("match-changes"), head, rows))
    if found.alone.height:
        sheets.append(_alone(found, words))
    if found.engines:
        sheets.append(_engines(found, words))
    return sheets


def _alone(found: Rescored, words: Words) -> Block:
    """Why results rest on the record alone, and which."""
    counts = (
        found.alone.group_by("stated")
        .agg(pl.len(), *((pl.col("recorded") == result).sum().alias(result) for result in DECIDED))
        .sort("len", "stated", descending=[True, False])
    )
    rows = [
        (_why_alone(found, stated, words), *(f"{number:,}" for number in numbers))
        for stated, *numbers in counts.iter_rows()
    ]
    results = (_said(result, words) for result in DECIDED)
    return Block(words("match-alone"), ("", words("match-games"), *results), rows)


def _why_alone(found: Rescored, stated: str, words: Words) -> str:
    return words(f"match-alone-{stated}", rules=found.rules, book=found.book)


def _pairing(pairing: Pairing, words: Words) -> Block:
    accounts = {words(f"match-as-{account}"): getattr(pairing, account) for account in ACCOUNTS}
    columns = ("games", "won", "drawn", "lost", "score")
    head = ["", *(words(f"match-{column}") for column in columns), "Elo (95 %)", "LOS"]
    rows = [
        [
            called,
            *(f"{number:,}" for number in (account.games, account.wins, account.draws, account.losses)),
            percent(account.score),
            interval(account.elo),
            percent(account.superiority),
        ]
        for called, account in accounts.items()
    ]
    if any(sum(account.pairs) for account in accounts.values()):
        head.append(words("match-pairs-by-points"))
        for row, account in zip(rows, accounts.values(), strict=True):
            row.append(" ".join(map(str, account.pairs)))
    if pairing.ruled.sprt:
        head += ["LLR", "SPRT"]
        for row, account in zip(rows, accounts.values(), strict=True):
            row += _sprt(account, words)
    title = f"{name(pairing.first)} – {name(pairing.second)}"
    return Block(title, tuple(head), [tuple(row) for row in rows])


def _pairings(pairings: Sequence[Pairing], words: Words) -> Block:
    """Many pairings in one table, those of the most games first."""
    recorded, ruled = (words(f"match-{account}-outcomes") for account in ACCOUNTS)
    head: tuple[str, ...] = ("", words("match-games"), recorded, "Elo (95 %)", ruled, "Elo (95 %)")
    if pairings[0].ruled.sprt:
        head += ("LLR", "SPRT")
    by_games = sorted(pairings, key=_games_of, reverse=True)
    enough = sum(_games_of(pairing) >= FEWEST_GAMES for pairing in by_games[:MOST_LINES])
    rows = []
    for pairing in by_games[:enough]:
        cells = [f"{name(pairing.first)} – {name(pairing.second)}", f"{_games_of(pairing):,}"]
        for account in (pairing.recorded, pairing.ruled):
            cells += [_outcomes((account.wins, account.draws, account.losses)), interval(account.elo)]
        rows.append((*cells, *(_sprt(pairing.ruled, words) if pairing.ruled.sprt else ())))
    rows += _others("pairings", [_games_of(pairing) for pairing in by_games[enough:]], len(head), words)
    return Block(words("match-pairings"), head, rows)


def _games_of(pairing: Pairing) -> int:
    return max(pairing.recorded.games, pairing.ruled.games)


def _others(what: str, games: Sequence[int], columns: int, words: Words) -> list[tuple[str, ...]]:
    """One row for all the others, which have so many ``games``; none where there are no others."""
    if not games:
        return []
    n, most = Count.of(len(games)), Count.of(max(games))
    label = words(f"match-other-{what}", n=n, most=most)
    return [(label, f"{sum(games):,}", *("" for _ in range(columns - 2)))]


def _outcomes(outcomes: Sequence[int]) -> str:
    return " ".join(f"{number:,}" for number in outcomes)


def _sprt(account: Standing, words: Words) -> list[str]:
    assert account.sprt
    accepted = account.sprt.accepted
    return [
        f"{account.sprt.llr:+.2f}",
        words("match-accepted", hypothesis=accepted) if accepted else words("match-goes-on"),
    ]


def _engines(found: Rescored, words: Words) -> Block:
    """The engines, the best first as ruled; of very many those that played most."""
    columns = ("engine", "games", "recorded-outcomes", "score", "ruled-outcomes", "score")
    head = tuple(words(f"match-{column}") for column in (*columns, "illegal-moves", "time-losses", "thrown"))
    rows = []
    by_games = sorted(found.engines, key=lambda engine: -engine.games)
    for engine in sorted(by_games[:MOST_LINES], key=lambda engine: -(_score(engine.ruled) or 0)):
        cells = [name(engine.name), f"{engine.games:,}"]
        for outcomes in (engine.recorded, engine.ruled):
            cells += [_outcomes(outcomes), percent(_score(outcomes))]
        marks = (engine.illegal_moves, engine.time_losses, engine.thrown_by_repetition)
        rows.append((*cells, *(f"{number:,}" for number in marks)))
    rows += _others("engines", [engine.games for engine in by_games[MOST_LINES:]], len(head), words)
    return Block(words("match-engines"), head, rows, words("match-thrown-note"))


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


def _said(result: str | None, words: Words) -> str:
    return words(f"match-{result or 'none'}")


def _change(row: Mapping[str, Any], words: Words) -> str:
    return f"{_said(row['recorded'], words)} → {_said(row['ruled'], words)}"


def _reason(reason: str | None, words: Words) -> str:
    """A reason of a ruling or the code of a finding: in English as it stands in the tables."""
    if words.language == "zh":
        if reason in matches.MOVERS_FAULT:
            return words("match-illegal-moves")
        if reason in REASON_WORDS:
            return REASON_WORDS[reason][1]
    return reason or ""


# -- the report --------------------------------------------------------------------------------------


def report(found: Rescored, games: int = 20, language: str = "en") -> list[str]:
    """The report as lines of text, with at most so many ``games`` whose result changes."""
    words = Words(language)
    lines = _summary(found, words)
    for block in blocks(found, words):
        lines += ["", *block.text()]
    if found.changed.height and games:
        lines += ["", *_games(found.changed, games, words)]
    return lines


def _summary(found: Rescored, words: Words) -> list[str]:
    counted = found.counted
    pairs = counted["pair"].drop_nulls().n_unique()
    repeated = int(counted["repeated"].sum())
    counts = [("counted", counted.height), ("paired", pairs)]
    counts += [("repeated", repeated)] if repeated else []
    counts += [("confirmed", found.confirmed), ("changed", found.changed.height)]
    counts += [("resting", found.alone.height)] if found.alone.height else []
    disputed = counted["disputed"].count()
    counts += [("disputed", disputed)] if disputed else []
    counts += [(f"left-{why.replace(' ', '-')}", number) for why, number in found.left_out.items()]
    width = max(len(f"{number:,}") for _, number in counts)
    lines = [
        f"{number:>{width},}  {words(f'match-{key}', n=Count.of(number), book=found.book)}"
        for key, number in counts
    ]
    rules = {"rules": found.rules, "fingerprint": found.fingerprint, "book": found.book}
    lines.append(words("match-rules", **rules))
    if found.bounds:
        b = found.bounds
        bounds = {
            "elo0": f"{b.elo0:g}",
            "lower": f"{b.lower:.2f}",
            "elo1": f"{b.elo1:g}",
            "upper": f"{b.upper:.2f}",
        }
        lines.append(words("match-sprt", **bounds))
    return [*lines, *_warnings(found, words)]


def _warnings(found: Rescored, words: Words) -> list[str]:
    """What a reader must know before he believes the figures."""
    counted = found.counted
    lines = []
    if not counted.height:
        lines.append(_nothing(found, words))
    named = found.table.filter(pl.col("left_out") == "other variant")["other_variant"]
    for variant in named.unique(maintain_order=True).head(MOST_VARIANTS):
        known = known_as(variant)
        line = words("match-variant", variant=name(variant), rules=words("match-or").join(known))
        if known and found.rules not in Ruleset.ids():
            line += words("match-form", rules=found.rules, game=Ruleset.load(known[0]).game)
        lines.append(line)
    stopped = counted.filter(pl.col("ruled").is_null()).height
    if stopped:
        lines.append(words("match-stopped", n=Count.of(stopped)))
    open_ends = counted.filter(pl.col("stated").is_in(list(matches.ON_BOARD))).height
    if open_ends:
        lines.append(words("match-open", n=Count.of(open_ends), rules=found.rules, book=found.book))
    silent = counted.filter(pl.col("recorded").is_null()).height
    unfinished = found.left_out.get("no result", 0)
    if unfinished and silent >= NOTABLE * counted.height:
        lines.append(words("match-selected", n=Count.of(silent), left=Count.of(unfinished)))
    if stopped * 2 > counted.height:
        lines.append(words("match-doubt", rules=found.rules))
    return lines


def _nothing(found: Rescored, words: Words) -> str:
    """Why no game is scored."""
    records = found.table.height
    return words("match-nothing", n=Count.of(records)) if records else words("match-no-records")


def _games(changed: pl.DataFrame, most: int, words: Words) -> list[str]:
    """At most so many games whose result changes: where, who, from what to what, and why."""
    lines = []
    end = "_zh" if words.language == "zh" else ""
    for row in changed.head(most).iter_rows(named=True):
        players = f"{name(row['red'])} – {name(row['black'])}"
        lines.append(f"{places.game(row['source'], row['line'], row['index'], words)}  {players}")
        reason = _reason(row["reason"], words)
        lines.append(
            "  " + words("match-changed-by", change=_change(row, words), reason=reason, ply=row["ply"])
        )
        # an illegal move decides, too, when no other was left
        explained, why = (row[f"{text}{end}"] for text in ("explanation", "why"))
        told = explained or (why if row["ply"] >= row["plies_replayed"] else None)
        lines += [f"  {told}"] if told else []
    if changed.height > most:
        lines.append(words("match-more", n=Count.of(changed.height - most)))
    return lines


# -- files -------------------------------------------------------------------------------------------


def write(found: Rescored, path: Path, form: str, games: int = 20, language: str = "en") -> None:
    """Write ``found`` to ``path``: as "parquet" or "csv" a row for each record, as "json" the figures and the games
    that change, as "md" the `report`, which alone is in a ``language``."""
    table = found.table.select(COLUMNS)
    with store.whole_file(path) as file:
        if form == "parquet":
            table.write_parquet(file)
        elif form == "csv":
            spreadsheet.write(table.with_columns(pl.col("clauses").list.join("; ")), file)
        elif form == "json":
            file.write(json.dumps(_plain(found), ensure_ascii=False, indent=1).encode() + b"\n")
        else:
            file.write("\n".join(markdown(found, games, language)).encode() + b"\n")


def markdown(found: Rescored, games: int = 20, language: str = "en") -> list[str]:
    """`report` as lines of Markdown."""
    words = Words(language)
    lines = [
        f"# {words('match-title')}",
        "",
        *(f"- {escaped(line.strip())}" for line in _summary(found, words)),
    ]
    for block in blocks(found, words):
        lines += ["", *block.markdown()]
    if found.changed.height and games:
        told = [escaped(line) for line in _games(found.changed, games, words)]
        lines += [
            "",
            f"## {words('match-games')}",
            "",
            *(line if line.startswith(" ") else f"- {line}" for line in told),
        ]
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
