"""The same games under two rule sets: where they part, and what that does to their results.

Two games part at the first ply at which a move is legal under one rule set only, is read as another move, does
something else, or ends the game otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from adjudicator.reasons import REASON_WORDS
from adjudicator.ruleset import Ruleset, RulesetError
from adjudicator.ruling import DECIDED
from pipeline import parts, places, run, spreadsheet, store
from pipeline.chosen import among
from pipeline.counts import Count
from pipeline.reports.sheet import Block, escaped, name
from pipeline.reports.words import Words
from pipeline.rulings import Stored
from pipeline.run import Summary

MOVE = ("from", "to", "drop", "promotion", "piece")
FACTS = ("captured", "explosion", "lethal", "check", "mate", "stalemate", "reserves")
"""Columns of the moves table that say which move was played, and what it did."""


@dataclass(frozen=True, slots=True)
class Partings:
    """Games under two rule sets, named by ``rules``.

    ``table`` has a row for each record: where its games part (``ply``, null where they never do), the ``kind`` of
    parting and ``what`` it is; the first move that is illegal under one rule set only (``illegal_ply``,
    ``illegal_under``, the message ``illegal``, and ``why`` alone); and both results, as ``result_ID``, ``reason_ID``
    and ``end_ply_ID``.
    """

    rules: tuple[str, str]
    books: tuple[str, str]
    fingerprints: tuple[str, str]
    table: pl.DataFrame

    @property
    def parted(self) -> pl.DataFrame:
        return self.table.filter(pl.col("kind").is_not_null())

    @property
    def changed(self) -> pl.DataFrame:
        """The games whose result differs."""
        one, other = (pl.col(f"result_{rules}") for rules in self.rules)
        return self.table.filter(one != other)


def compare(
    paths: Iterable[Path | str],
    rules: Iterable[str],
    games: Collection[int] = (),
    language: str = "en",
    **options: Any,
) -> tuple[Partings, Summary]:
    """The games under ``paths`` by both ``rules``, each with its own rule book; with ``games`` only those, counted from
    1 over all of them. What differs is told in ``language``. ``options`` as in `run.adjudicate`.

    Also returns the summary of the run by the first. Raises RulesetError unless two different rule sets are given,
    `NoSuchGame`, and as `run.adjudicate` does.
    """
    given = tuple(rules)
    sets = [Ruleset.load(name) for name in given]
    if len(sets) != 2 or sets[0].fingerprint == sets[1].fingerprint:
        raise RulesetError(["give two different rule sets to compare"])
    paths = list(paths)
    with (
        run.temporary(paths, rules=given[0], **options) as one,
        run.temporary(paths, rules=given[1], **options) as other,
    ):
        found = parted(one.out, other.out, Words(language))
        if games:
            wanted = [number - 1 for number in among(games, found.table.height)]
            found = replace(found, table=found.table.filter(pl.col("record").is_in(wanted)))
        return found, one


def parted(one: Path, other: Path, words: Words) -> Partings:
    """Two finished runs over the same records compared, in ``words``; raises `rulings.NoRun`."""
    stored = Stored.open(one), Stored.open(other)
    heads = [run.head for run in stored]
    ids = [head["rules"]["id"] for head in heads]
    if ids[0] == ids[1]:
        ids = [f"{head['rules']['id']} {head['rules']['fingerprint']}" for head in heads]
    return Partings(
        (ids[0], ids[1]),
        (heads[0]["book"]["id"], heads[1]["book"]["id"]),
        (heads[0]["rules"]["fingerprint"], heads[1]["rules"]["fingerprint"]),
        parts.each(stored[0], lambda part: _part((one, other), part, (ids[0], ids[1]), words)),
    )


_PLACE = ["record", "source", "index", "line", "event", "red", "black"]
_PLAYED = ["start_fen", "plies_replayed", "claim"]
_RESULT = ["result", "reason", "end_ply"]


def _part(runs: tuple[Path, Path], part: int | None, rules: tuple[str, str], words: Words) -> pl.DataFrame:
    """The table of one part of both runs, which hold the same records."""
    one, other = (_games(run, part, words) for run in runs)
    games = one.join(other.drop(_PLACE[1:]), on="record", suffix="_2").join(
        _first_difference(runs, part, rules, words), on="record", how="left"
    )
    fewer = pl.col("plies_replayed") < pl.col("plies_replayed_2")
    more = pl.col("plies_replayed") > pl.col("plies_replayed_2")
    # What is written after a game's end is no move of it.
    illegal = (fewer & pl.col("end_ply").is_null()) | (more & pl.col("end_ply_2").is_null())
    shorter = pl.min_horizontal("plies_replayed", "plies_replayed_2")
    is_start, is_start_2 = (pl.col(claim) != "no-start" for claim in ("claim", "claim_2"))
    another_start = pl.col("start_fen").ne_missing(pl.col("start_fen_2")) | (is_start != is_start_2)
    another_end = pl.any_horizontal(pl.col(c).ne_missing(pl.col(f"{c}_2")) for c in _RESULT)
    # How games part, in the order that settles it where several do at one ply.
    differs = {
        "start": pl.when(another_start).then(0),
        "illegal": pl.when(illegal).then(shorter + 1),
        "move": pl.when(pl.col("moved")).then("ply"),
        "ending": pl.when(another_end).then(pl.min_horizontal("end_ply", "end_ply_2")),
        "fact": pl.when(~pl.col("moved")).then("ply"),
    }
    plies = games.with_columns(**{kind: at.cast(pl.UInt32) for kind, at in differs.items()})
    plies = plies.with_columns(at=pl.min_horizontal(*differs), illegal_ply="illegal")
    stopped = pl.col("illegal_ply").is_not_null()
    told = plies.with_columns(
        kind=pl.coalesce(*(pl.when(pl.col(kind) == pl.col("at")).then(pl.lit(kind)) for kind in differs)),
        illegal_under=pl.when(stopped & fewer).then(pl.lit(rules[0])).when(stopped).then(pl.lit(rules[1])),
        illegal=pl.when(stopped & fewer).then("stop").when(stopped).then("stop_2"),
        why=pl.when(stopped & fewer).then("why").when(stopped).then("why_2"),
    )
    return told.select(
        *_PLACE,
        *(pl.col("at").alias("ply"), "kind", _what(rules, words).alias("what")),
        *("illegal_ply", "illegal_under", "illegal", "why"),
        *(pl.col(column).alias(f"{column}_{rules[0]}") for column in _RESULT),
        *(pl.col(f"{column}_2").alias(f"{column}_{rules[1]}") for column in _RESULT),
    )


def _games(run: Path, part: int | None, words: Words) -> pl.DataFrame:
    """The games of a part, with ``stop``, the finding at which a record stops, and ``why``."""
    games = parts.read(run, "games", part, [*_PLACE, *_PLAYED, *_RESULT])
    end = "_zh" if words.language == "zh" else ""
    stops = (
        parts.read(run, "findings", part, ["record", "ply", "severity", "code", f"message{end}", "details"])
        .filter(pl.col("severity") == "error")
        .select(
            "record",
            "ply",
            stop=f"message{end}",
            why=pl.col("details").str.json_path_match(f"$.why{end}"),
            code="code",
        )
        .unique(["record", "ply"], keep="first")
        .with_columns(why=pl.coalesce("why", "code"))
        .drop("code")
    )
    return games.with_columns(after=pl.col("plies_replayed") + 1).join(
        stops, left_on=["record", "after"], right_on=["record", "ply"], how="left", maintain_order="left"
    )


def _first_difference(
    runs: tuple[Path, Path], part: int | None, rules: tuple[str, str], words: Words
) -> pl.DataFrame:
    """The first ply of each record that both played and that differs: ``record``, ``ply``, whether the move does
    (``moved``), and in words both moves (``moves``) and the ``facts`` that differ."""
    one, other = (
        parts.read(run, "moves", part, ["record", "ply", *MOVE, *FACTS]).with_columns(
            pl.col("explosion").list.join(" ")
        )
        for run in runs
    )
    unlike = {column: pl.col(column).ne_missing(pl.col(f"{column}_2")) for column in (*MOVE, *FACTS)}
    facts = [
        pl.when(unlike[column]).then(
            _both(words(f"parting-{column}"), rules, (_word(column, words), _word(f"{column}_2", words)))
        )
        for column in FACTS
    ]
    points = [
        pl.concat_str(pl.col(f"from{s}").fill_null(words("parting-drop")), f"to{s}") for s in ("", "_2")
    ]
    return (
        one.join(other, on=["record", "ply"], suffix="_2")
        .filter(pl.any_horizontal(unlike.values()))
        .sort("record", "ply")
        .unique("record", keep="first", maintain_order=True)
        .select(
            "record",
            "ply",
            moved=pl.any_horizontal(unlike[column] for column in MOVE),
            moves=_both("", rules, (points[0], points[1])),
            facts=pl.concat_str(facts, separator="; ", ignore_nulls=True),
        )
    )


def _word(column: str, words: Words) -> pl.Expr:
    said = {"true": words("parting-yes"), "false": words("parting-no")}
    return pl.col(column).cast(pl.String).replace(said).fill_null(words("parting-none"))


def _both(title: str, rules: tuple[str, str], values: tuple[pl.Expr, pl.Expr]) -> pl.Expr:
    """ "check: xiangqi no, atomic yes"."""
    return pl.concat_str(pl.lit(f"{title}{rules[0]} "), values[0], pl.lit(f", {rules[1]} "), values[1])


def _what(rules: tuple[str, str], words: Words) -> pl.Expr:
    """What happens at the ply ``at`` where two games part, in words."""

    def ending(suffix: str) -> pl.Expr:
        done = pl.col(f"end_ply{suffix}").eq_missing(pl.col("at"))
        return pl.when(done).then(_ruled(suffix, words)).otherwise(pl.lit(words("parting-goes-on")))

    stop = pl.col("illegal").fill_null(words("parting-stops"))
    told = {
        "illegal": pl.format(words("parting-under", what="{}", rules="{}"), stop, "illegal_under"),
        "move": pl.col("moves"),
        "ending": _both("", rules, (ending(""), ending("_2"))),
        "fact": pl.col("facts"),
        "start": pl.lit(words("parting-start")),
    }
    return pl.coalesce(*(pl.when(pl.col("kind") == kind).then(said) for kind, said in told.items()))


def _ruled(suffix: str, words: Words) -> pl.Expr:
    """ "red (checkmate)"."""
    result, reason = pl.col(f"result{suffix}"), pl.col(f"reason{suffix}")
    if words.language == "zh":
        result = result.replace({result: words(f"match-{result}") for result in DECIDED})
        reason = reason.replace({reason: chinese for reason, (_, chinese) in REASON_WORDS.items()})
    return pl.format(words("books-result", result="{}", reason="{}"), result, reason)


# -- the report --------------------------------------------------------------------------------------


def report(found: Partings, games: int = 20, language: str = "en") -> list[str]:
    """The comparison as lines of text, with at most so many ``games`` that part."""
    words = Words(language)
    lines = _summary(found, words)
    for block in blocks(found, words):
        lines += ["", *block.text()]
    if found.parted.height and games:
        lines += ["", *_games_of(found, games, words)]
    return lines


def markdown(found: Partings, games: int = 20, language: str = "en") -> list[str]:
    """`report` as lines of Markdown."""
    words = Words(language)
    lines = [f"# {words('parting-title')}", "", *(f"- {escaped(line)}" for line in _summary(found, words))]
    for block in blocks(found, words):
        lines += ["", *block.markdown()]
    if found.parted.height and games:
        told = [escaped(line) for line in _games_of(found, games, words)]
        lines += [
            "",
            f"## {words('match-games')}",
            "",
            *(line if line.startswith(" ") else f"- {line}" for line in told),
        ]
    return lines


def _summary(found: Partings, words: Words) -> list[str]:
    heads = zip(found.rules, found.fingerprints, found.books, strict=True)
    games, part, other = map(Count.of, (found.table.height, found.parted.height, found.changed.height))
    return [
        *(
            words("parting-rules", rules=rules, fingerprint=fingerprint, book=book)
            for rules, fingerprint, book in heads
        ),
        words("parting-games", n=games, part=part, other=other),
    ]


def blocks(found: Partings, words: Words) -> list[Block]:
    """How games part, the moves that become illegal, and the results that change, each summed up."""
    ply = pl.col("ply")
    kinds = (
        found.parted.group_by(
            "kind", pl.when(pl.col("kind") == "illegal").then("illegal_under").alias("under")
        )
        .agg(pl.len(), first=ply.min(), median=ply.median(), last=ply.max())
        .sort("len", "kind", "under", descending=[True, False, False])
    )
    moves = (
        found.table.filter(pl.col("illegal_ply").is_not_null())
        .group_by("illegal_under", _generally(pl.col("why")))
        .len()
        .sort("len", "why", "illegal_under", descending=[True, False, False])
    )
    results = (
        found.changed.group_by(
            *(_result(rules, words).alias(str(at)) for at, rules in enumerate(found.rules))
        )
        .len()
        .sort("len", "0", "1", descending=[True, False, False])
    )
    games = words("match-games")
    return [
        block
        for block in (
            Block(
                words("parting-where"),
                ("", games, *(words(f"parting-{ply}") for ply in ("first", "median", "last"))),
                [
                    (
                        words("parting-illegal-under", rules=under) if under else words(f"parting-{kind}"),
                        f"{number:,}",
                        *(f"{at:g}" for at in plies),
                    )
                    for kind, under, number, *plies in kinds.iter_rows()
                ],
            ),
            Block(
                words("parting-moves"),
                ("", games),
                [
                    (words("parting-why", rules=under, why=why or words("parting-stops")), f"{number:,}")
                    for under, why, number in moves.iter_rows()
                ],
            ),
            Block(
                words("parting-results", rules=" → ".join(found.rules)),
                ("", games),
                [(f"{one} → {other}", f"{number:,}") for one, other, number in results.iter_rows()],
            ),
        )
        if block.rows
    ]


def _generally(why: pl.Expr) -> pl.Expr:
    """Why a move is illegal, without the points of one game."""
    why = why.str.replace(r"(; (Red|Black) has no legal move|;[^;]*已无着可走)$", "")
    return why.str.replace_all(r"(?-u:\b)[a-i]\d+(?-u:\b)", "…")


def _result(rules: str, words: Words) -> pl.Expr:
    """ "red (checkmate)", "open"."""
    still = pl.col(f"result_{rules}") == "*"
    return pl.when(still).then(pl.lit(words("books-open"))).otherwise(_ruled(f"_{rules}", words))


def _games_of(found: Partings, most: int, words: Words) -> list[str]:
    lines = []
    for row in found.parted.head(most).iter_rows(named=True):
        players = " – ".join(name(row[side]) for side in ("red", "black") if row[side])
        lines.append(
            places.game(row["source"], row["line"], row["index"], words) + (f"  {players}" if players else "")
        )
        lines.append("  " + words("parting-at", ply=row["ply"], what=row["what"]))
    if found.parted.height > most:
        lines.append(words("match-more", n=Count.of(found.parted.height - most)))
    return lines


# -- files -------------------------------------------------------------------------------------------


def write(found: Partings, path: Path, form: str, games: int = 20, language: str = "en") -> None:
    """Write ``found`` to ``path``: as "parquet", "csv" or "json" a row for each record, as "md" the `report`."""
    with store.whole_file(path) as file:
        if form == "parquet":
            found.table.write_parquet(file)
        elif form == "csv":
            spreadsheet.write(found.table, file)
        elif form == "json":
            file.write(json.dumps(found.table.to_dicts(), ensure_ascii=False, indent=1).encode() + b"\n")
        else:
            file.write("\n".join(markdown(found, games, language)).encode() + b"\n")
