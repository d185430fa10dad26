"""Is the game fair, how do games end, and how long do they last?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import polars as pl

from adjudicator import Position, Ruleset
from adjudicator.reasons import REASON_WORDS
from pipeline.reports import charts, statistics, strength
from pipeline.reports.facts import BLACK_FIRST, NO_GAME_LOST, OUTCOMES, Facts
from pipeline.reports.figures import (
    ENOUGH,
    NOTABLE,
    Column,
    Figure,
    interval,
    marks,
    named,
    share_of,
    with_interval,
    with_shares,
)
from pipeline.reports.words import LANGUAGES, Words, shown

MOST_ROWS = 10
"""Openings, pairings or the like in one figure; the rest stand together."""
BANDS = (20, 40, 60, 80, 120, 160, 200, 300)
"""Last plies of the bands of length."""
RATING_BANDS = (-200, -50, 50, 200)
"""Bounds between the bands of Red's rating less Black's."""


def balance(facts: Facts, words: Words) -> Iterator[Figure | None]:
    """Who wins, by what, and how soon."""
    games, caution = with_starts(facts.games, facts.rules), selected(facts, words)
    yield cautioned(first_move(games, words), caution.said)
    yield cautioned(results(games, words), caution.said + caution.more)

    def told(figure: Figure | None) -> Figure | None:
        return mixing(cautioned(figure, caution.brief), games, words)

    yield told(reasons(games, words))
    yield cautioned(openings(facts, words), caution.brief)  # whose rows say how games begin
    yield told(pairings(games, words))
    yield told(ratings(facts, words))
    yield told(lengths(games, words))
    yield told(running(games, words))


# ---- what the games are a sample of ------------------------------------------------------------------


def with_starts(games: pl.DataFrame, rules: Ruleset) -> pl.DataFrame:
    """``games`` with ``start``, a key of STARTS, and ``first_won``, whether the side won that makes the first move of
    its own; null for draws. Of `Facts.played`, whose books are not asked for, those with one are "usual"."""
    book = pl.col("book") if "book" in games.columns else pl.lit(0)
    odd = book % 2 == 1
    placed = (pl.col("start_fen") != rules.start) | pl.col("handicap").is_not_null()
    return games.with_columns(
        start=pl.when(placed)
        .then(pl.lit("set"))
        .when(book > 0)
        .then(pl.lit("book"))
        .otherwise(pl.lit("usual")),
        first_won=red_won() != (odd != BLACK_FIRST),
    )


STARTS = ("usual", "book", "set")
"""How games begin: as the rules say, the same with moves of a book that nobody chose, or otherwise: from another
position, or with a handicap."""


def by_start(games: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The games by how they begin, where there are any, in the order of STARTS.

    They are never added up: who wins from a set position or after a book's moves says how it stood, and whatever gave
    the positions decided that.
    """
    parts = {start: games.filter(pl.col("start") == start) for start in STARTS}
    return {start: part for start, part in parts.items() if part.height}


def mixing(figure: Figure | None, games: pl.DataFrame, words: Words) -> Figure | None:
    """``figure`` over all ``games``, whose note says how many of them begin otherwise than most, if not all do."""
    parts = by_start(games)
    if figure is None or len(parts) < 2:
        return figure
    notes = [
        words(f"{start}-mixed", n=words.count(part.height), of=words.count(games.height))
        for start, part in parts.items()
        if start != "usual"
    ]
    return replace(figure, note=" ".join([figure.note, *notes]))


@dataclass(frozen=True, slots=True)
class Caution:
    """What readers are told where the games that count are not like those that were played: in the first findings,
    what to compare (``more``), and that it holds elsewhere (``brief``). All "" where there is no need."""

    said: str = ""
    more: str = ""
    brief: str = ""


def selected(facts: Facts, words: Words) -> Caution:
    """A caution where how a game ended decides whether it is counted: where many count only because the rules end them,
    while records like them that no rule ended are left out, or where many are left out that claim a result."""
    parts = [part for part in (_silent(facts, words), _left_out(facts, words)) if part is not None]
    said, more = ("".join(texts) for texts in zip(*parts, strict=True)) if parts else ("", "")
    return Caution(said, more, words("caution-brief") if said else "")


_CLAIMING = pl.col("claimed").is_in(OUTCOMES).fill_null(False)
"""Whether a record has a result of its own."""


def _silent(facts: Facts, words: Words) -> tuple[str, str] | None:
    games, unfinished = facts.played, int((facts.records["excluded"] == "unfinished").sum())
    silent, claiming = games.filter(~_CLAIMING), games.filter(_CLAIMING)
    if not unfinished or silent.height < NOTABLE * games.height:
        return None
    numbers = {"silent": words.count(silent.height), "left": words.count(unfinished)}
    said, more = words("caution", n=numbers["silent"]), words("caution-unfinished", **numbers)
    if claiming.height:
        numbers["claiming"] = words.count(claiming.height)
        drawn = [words.percent((part["outcome"] == "draw").mean()) for part in (silent, claiming)]  # type: ignore[arg-type]
        more = words("caution-drawn", drawn=drawn[0], claimed=drawn[1], **numbers) + more
    return said, more


def _left_out(facts: Facts, words: Words) -> tuple[str, str] | None:
    lost = pl.col("excluded").is_not_null() & ~pl.col("excluded").is_in(NO_GAME_LOST)
    left, games = facts.records.filter(lost & _CLAIMING), facts.played
    together = left.height + games.height
    if not left.height or left.height < NOTABLE * together:
        return None
    counts = {outcome: int((left["claimed"] == outcome).sum()) for outcome in OUTCOMES}
    shares = {
        outcome: words.percent((int((games["outcome"] == outcome).sum()) + count) / together)
        for outcome, count in counts.items()
    }
    claims = [words(f"claimed-{name}", n=words.count(count)) for name, count in counts.items() if count]
    n = words.count(left.height)
    return (
        words("left-claiming", n=n, claims=words("comma").join(claims)),
        words("left-claiming-more", n=n, **shares),
    )


def cautioned(figure: Figure | None, caution: str) -> Figure | None:
    """``figure`` with ``caution`` in its finding."""
    return figure and replace(figure, finding=f"{figure.finding}{caution}")


def red_won() -> pl.Expr:
    """Whether Red won; null for draws."""
    return pl.when(pl.col("outcome") != "draw").then(pl.col("outcome") == "red")


# ---- who wins ----------------------------------------------------------------------------------------


def results(games: pl.DataFrame, words: Words) -> Figure:
    """Shares of the games that Red won, Black won, and nobody, by how they begin."""
    parts = by_start(games)
    counted = pl.concat(
        part.select(
            pl.lit(start).alias("start"),
            pl.lit(outcome).alias("outcome"),
            *share_of(pl.col("outcome") == outcome, "share"),
            named(pl.col("outcome") == outcome).implode(),
        )
        for start, part in parts.items()
        for outcome in OUTCOMES
    )
    frame = with_shares(counted, "share").select(
        "start",
        "outcome",
        pl.col("share_games").alias("won"),
        *interval("share"),
        pl.col("share_n").alias("n"),
        "games",
    )
    labels = _with_start(frame, [words(outcome) for outcome in frame["outcome"]], words)
    findings = [
        words(
            f"{start}-results",
            n=words.count(part.height),
            **{
                row["outcome"]: with_interval(row, "share", words)
                for row in frame.filter(start=start).to_dicts()
            },
        )
        for start, part in parts.items()
    ]
    return Figure(
        "results",
        words("next-sentence").join(findings),
        frame,
        (
            Column("what", words("outcome")),
            Column("won", words("games"), "count"),
            Column("share", words("share-of-games"), "share"),
            Column("games", words("for-example"), "games"),
        ),
        words("wilson-note"),
        partial(
            charts.bars,
            marks(frame, "share"),
            labels=labels,
            tones=frame["outcome"].to_list(),
            words=words,
            label=words("share-of-games"),
        ),
        frame.with_columns(pl.Series("what", labels)),
    )


def _with_start(frame: pl.DataFrame, labels: Sequence[str], words: Words) -> list[str]:
    """``labels`` of the rows of ``frame``, with how the games begin where that differs."""
    starts = frame["start"].to_list()
    if len(set(starts)) == 1:
        return [*labels]
    return [f"{label} ({words(start)})" for label, start in zip(labels, starts, strict=True)]


def first_share(games: pl.DataFrame) -> statistics.Estimate:
    """The share of the decided games that the side won which moves first, with Wilson's interval for what they are
    worth; ``n`` counts the games."""
    row = with_shares(games.select(share_of(pl.col("first_won"), "first")), "first").row(0, named=True)
    return statistics.Estimate(row["first"], row["first_low"], row["first_high"], row["first_n"])


def verdict(first: statistics.Estimate) -> str:
    """What the first mover's share of decided games says: a key of the words, after how the games begin."""
    return {1: "first-favoured", 0: "no-effect", -1: "second-favoured"}[first.against(0.5)]


def advantage(games: pl.DataFrame, words: Words) -> str:
    """The first thing that a designer asks, in a sentence; of games from set positions, apart."""
    told = []
    for start, part in by_start(games).items():
        first = first_share(part)
        if not first.n:
            told.append(words(f"{start}-undecided", n=words.count(part.height)))
            continue
        told.append(
            words(
                f"{start}-first",
                share=words.percent(first.value),
                interval=words.percents(first.low, first.high),
                n=words.count(first.n),
                verdict=words(f"{start}-{verdict(first)}"),
            )
        )
    return words("next-sentence").join(told)


def first_move(games: pl.DataFrame, words: Words) -> Figure:
    """What moving first is worth: in decided games, in points, in Elo."""
    parts = by_start(games)
    frame = pl.concat(
        _measures(part).select(pl.lit(start).alias("start"), pl.all()) for start, part in parts.items()
    )
    pairs = frame.filter(pl.col("measure") == "first-points")["pairs"].sum()
    texts = []
    for row in frame.iter_rows(named=True):
        value, low, high = (row[name] for name in interval("value"))
        texts.append(
            (words.signed(value), words.span(words.signed(low), words.signed(high)))
            if row["measure"] == "first-elo"
            else (words.percent(value), words.percents(low, high))
        )
    shown_rows = frame.select("n", "games").with_columns(
        pl.Series("what", _with_start(frame, [words(measure) for measure in frame["measure"]], words)),
        pl.Series("estimate", [value for value, _ in texts]),
        pl.Series("estimate_span", [span for _, span in texts]),
    )
    dots = frame.filter(pl.col("measure") != "first-elo")
    short = {"first-of-decided": words("of-decided"), "first-points": words("of-points")}
    return Figure(
        "first_move",
        advantage(games, words),
        frame,
        (
            Column("what", words("measure")),
            Column("estimate", words("estimate")),
            Column("n", words("n"), "count"),
            Column("games", words("for-example"), "games"),
        ),
        " ".join([words("first-move-note", pairs=words.count(pairs)), *_of_books(games, words)]),
        partial(
            charts.dots,
            marks(dots, "value"),
            labels=_with_start(dots, [short[measure] for measure in dots["measure"]], words),
            words=words,
            label=words("first-movers-share"),
            reference=0.5,
        ),
        shown_rows,
    )


def _of_books(games: pl.DataFrame, words: Words) -> list[str]:
    """A sentence on the games that begin with moves of a book, if some do."""
    number = int((games["book"] > 0).sum())
    return [words("book-note", n=words.count(number), of=words.count(games.height))] if number else []


def _measures(games: pl.DataFrame) -> pl.DataFrame:
    """What moving first is worth in ``games`` that begin alike: a row for each measure."""
    first = first_share(games)
    points = pl.col("first_won").cast(pl.Float64).fill_null(0.5)
    # A game without a partner is a cluster of its own.
    clusters = (
        games.select(points=points, cluster=pl.coalesce(pl.col("pair"), -1 - pl.col("record").cast(pl.Int64)))
        .group_by("cluster")
        .agg(pl.col("points").sum(), pl.len().alias("games"))
        .sort("cluster")
    )
    score = statistics.clustered_share(clusters["points"], clusters["games"])
    paired, single = (clusters.filter(pl.col("games") == size)["points"] for size in (2, 1))
    counts = strength.units(
        [int(paired.eq(value).sum()) for value in (0, 0.5, 1, 1.5, 2)],
        [int(single.eq(value).sum()) for value in (0, 0.5, 1)],
    )
    elo = strength.elo_difference(counts)
    rows = [("first-of-decided", first), ("first-points", score), ("first-elo", elo)]
    return pl.DataFrame(
        {
            "measure": [name for name, _ in rows],
            "value": [float(estimate.value) for _, estimate in rows],
            "value_low": [float(estimate.low) for _, estimate in rows],
            "value_high": [float(estimate.high) for _, estimate in rows],
            "n": [int(first.n), games.height, games.height],
            "pairs": [None, len(paired), len(paired)],
            "games": [games["record"].sort().head(5).to_list()] * 3,
        },
        schema_overrides={"pairs": pl.Int64, "games": pl.List(pl.UInt32)},
    )


# ---- by what -----------------------------------------------------------------------------------------


def reason_word(reason: str, words: Words) -> str:
    """A reason as people say it."""
    if reason in REASON_WORDS:
        return REASON_WORDS[reason][LANGUAGES.index(words.language)]
    return words(f"reason-{reason}")


def reasons(games: pl.DataFrame, words: Words) -> Figure:
    """Every way in which games ended, draws and wins apart."""
    decisive = pl.col("outcome") != "draw"
    keys = games.select("outcome", "reason").with_columns(
        kind=pl.when(decisive).then(pl.lit("won")).otherwise(pl.lit("drawn"))
    )
    counted = (
        games.with_columns(keys["kind"])
        .group_by("kind", "reason")
        .agg(
            pl.len().alias("share_games"),
            pl.lit(games.height, pl.UInt32).alias("share_n"),
            pl.lit(games["weight"].sum()).alias("share_worth"),
            (pl.col("outcome") == "red").sum().alias("red"),
            (pl.col("outcome") == "black").sum().alias("black"),
            *share_of(red_won(), "red_share"),
            named(),
        )
        .sort(["kind", "share_games", "reason"], descending=[True, True, False])
    )
    frame = with_shares(counted, "share", "red_share").select(
        "kind", "reason", pl.col("share_games").alias("ended"), "red", "black", *interval("red_share"),
        *interval("share"), pl.col("share_n").alias("n"), "games",
    )  # fmt: skip
    rows = frame.to_dicts()
    labels = [words(f"{row['kind']}-by", reason=reason_word(row["reason"], words)) for row in rows]
    if rows:
        most = max(rows, key=lambda row: row["ended"])
        finding = words(
            "reasons-finding",
            reason=reason_word(most["reason"], words),
            share=with_interval(most, "share", words),
            n=words.count(games.height),
            draws=words.percent(sum(row["share"] for row in rows if row["kind"] == "drawn")),
        )
    else:
        finding = words("nothing")
    return Figure(
        "reasons",
        finding,
        frame,
        (
            Column("how", words("how")),
            Column("ended", words("games"), "count"),
            Column("red_share", words("red-of-decided"), "share"),
            Column("share", words("share-of-games"), "share"),
            Column("games", words("for-example"), "games"),
        ),
        words("reasons-note"),
        partial(
            charts.bars,
            marks(frame, "share"),
            labels=labels,
            tones=["plain" if row["kind"] == "won" else "draw" for row in rows],
            words=words,
            label=words("share-of-games"),
        )
        if rows
        else None,
        frame.with_columns(pl.Series("how", labels, pl.String)),
    )


# ---- by opening, strength, length --------------------------------------------------------------------


def openings(facts: Facts, words: Words) -> Figure | None:
    """Red's share of decided games by his first move; moves that mirror each other are one."""
    games = facts.games
    first_plies = facts.first_plies.filter(pl.col("ply") == 1)
    moves = first_plies.select("record", move=pl.concat_str(pl.col("from", "to").cast(pl.String)))
    first = (
        games.select("record", "outcome", "weight", "start_fen")
        .join(moves, on="record", how="left")
        .with_columns(
            group=pl.when((pl.col("start_fen") != facts.rules.start) | pl.col("move").is_null())
            .then(pl.lit("set"))
            .otherwise("move")
        )
    )
    known = {move for move in first["group"].unique() if move != "set"}
    if not known:
        return None
    names = _mirrored(sorted(known), facts.rules)
    first = first.with_columns(pl.col("group").replace(names))
    labels = {"set": words("set-position"), "others": words("other-moves")}
    labels |= _move_names(set(names.values()), facts.rules, words)
    figure = _by_group(first, "openings", labels, words, words("first-move-label"), words("openings-note"))
    books = games.filter(pl.col("start_fen") == facts.rules.start)["book"]
    number = int((books > 0).sum())
    booked = words("openings-booked", n=words.count(number), of=words.count(len(books))) if number else ""
    return replace(
        figure, finding=figure.finding + booked, note=" ".join([figure.note, *_of_books(games, words)])
    )


def _mirrored(moves: list[str], rules: Ruleset) -> dict[str, str]:
    """Each first move's name for itself and its mirror image, where the start position is its own."""
    rows = rules.start.split()[0].split("/")
    if any(row != row[::-1] for row in rows):
        return {move: move for move in moves}
    turned = str.maketrans({chr(97 + file): chr(96 + rules.files - file) for file in range(rules.files)})
    # Of the two, the one on Red's right is what players say.
    return {move: max(move, move.translate(turned)) for move in moves}


def _move_names(moves: Collection[str], rules: Ruleset, words: Words) -> dict[str, str]:
    """First moves as players write them, where a notation has the board."""
    names = {move: move for move in moves}
    if rules.files != 9 or rules.ranks != 10 or rules.reserves:
        return names
    start = Position(rules=rules)
    for move in moves:
        with suppress(ValueError):
            names[move] = f"{start.write(move, 'chinese' if words.language == 'zh' else 'wxf')} {move}"
    return names


def pairings(games: pl.DataFrame, words: Words) -> Figure | None:
    """Colour and strength apart: of the decided games between two players Red's share, and that of one of them.

    Each is the mean over who has Red, so that it does not matter how often either had.
    """
    alike = [pl.min_horizontal("red", "black"), pl.max_horizontal("red", "black")]
    met = games.filter(pl.col("red") != pl.col("black")).select(
        *("record", "outcome", "weight", "red"),
        one=pl.col("red").first().over(alike),
        two=pl.col("black").first().over(alike),
    )
    if not met.height:
        return None
    sizes = met.group_by("one", "two").len().sort(["len", "one", "two"], descending=[True, False, False])
    kept = sizes if sizes.height <= MOST_ROWS else sizes.head(MOST_ROWS - 1)
    names = [(shown(one, 18), shown(two, 18)) for one, two, _ in kept.iter_rows()]
    kept = kept.with_columns(pairing=pl.Series([" – ".join(both) for both in names], dtype=pl.String))
    met = met.join(kept, on=["one", "two"], how="left", maintain_order="left")
    same = pl.col("red") == pl.col("one")
    counted = (
        met.group_by("pairing")
        .agg(
            pl.len().alias("played"),
            *share_of(pl.when(same).then(red_won()), "with_red"),
            *share_of(pl.when(~same).then(red_won()), "without"),
            named(),
        )
        .join(kept.with_row_index("place"), on="pairing", how="left")
        .sort("place", nulls_last=True)
        .with_columns(
            n=pl.when(pl.col("place").is_not_null()).then(pl.col("with_red_n") + pl.col("without_n"))
        )
    )
    frame = _evened(counted).select(
        pl.col("pairing").fill_null(words("other-players")),
        *("played", *interval("colour"), *interval("strength"), "n", "games"),
    )
    told = frame.with_columns(
        first=pl.Series([one for one, _ in names] + [None] * (frame.height - len(names)))
    )
    told = told.filter(pl.col("colour").is_not_null())
    dots = pl.concat(
        told.select(
            "n",
            pl.int_range(pl.len()).alias("row"),
            kind=pl.lit(kind),
            label=pl.concat_str("pairing", pl.lit(": "), who),
            **{f"share{end}": pl.col(f"{kind}{end}") for end in ("", "_low", "_high")},
        )
        for kind, who in (("colour", pl.lit(words("red"))), ("strength", pl.col("first")))
    ).sort("row", "kind")
    return Figure(
        "pairings",
        _parted(_evened(counted, 1 - (1 - statistics.CONFIDENCE) / (2 * max(1, told.height))), told, words),
        frame,
        (
            Column("pairing", words("pairing-label")),
            Column("played", words("games"), "count"),
            Column("colour", words("reds-share"), "share"),
            Column("strength", words("firsts-share"), "share"),
            Column("games", words("for-example"), "games"),
        ),
        words("pairings-note"),
        partial(
            charts.dots,
            marks(dots, "share"),
            labels=dots["label"].to_list(),
            words=words,
            label=words("share-of-decided"),
            reference=0.5,
            tones=["red" if kind == "colour" else "plain" for kind in dots["kind"]],
        )
        if told.height
        else None,
        members=met.select("record", pl.col("pairing").fill_null(words("other-players"))),
    )


def _evened(counted: pl.DataFrame, confidence: float = statistics.CONFIDENCE) -> pl.DataFrame:
    """``counted`` with ``colour``, Red's share whoever has Red, and ``strength``, the first player's with either
    colour; null where one of them never had Red in a decided game, and of players together."""
    shares = with_shares(counted, "with_red", "without", confidence=confidence)
    found: dict[str, list[float | None]] = {
        name: [] for kind in ("colour", "strength") for name in interval(kind)
    }
    for row in shares.iter_rows(named=True):
        estimates = None
        if row["place"] is not None and row["with_red_n"] and row["without_n"]:
            with_red, without = (
                statistics.Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"], row[f"{name}_n"])
                for name in ("with_red", "without")
            )
            estimates = (
                statistics.halfway(with_red, without),
                statistics.halfway(with_red, without.counter),
            )
        for place, kind in enumerate(("colour", "strength")):
            one = estimates and estimates[place]
            for name, value in zip(
                interval(kind), (one.value, one.low, one.high) if one else [None] * 3, strict=True
            ):
                found[name].append(value)
    return counted.with_columns(pl.Series(name, values, pl.Float64) for name, values in found.items())


def _parted(sure: pl.DataFrame, told: pl.DataFrame, words: Words) -> str:
    """The pairing in which colour or strength is surest to matter, if either is in any: ``sure`` has intervals that
    allow for the number of them (Bonferroni), ``told`` those that readers see."""
    if not told.height:
        return words("pairings-apart")
    beyond = pl.max_horizontal(
        *(
            end
            for kind in ("colour", "strength")
            for end in (pl.col(f"{kind}_low") - 0.5, 0.5 - pl.col(f"{kind}_high"))
        )
    ).alias("beyond")
    uneven = sure.with_columns(beyond).filter(pl.col("beyond") > 0).sort("beyond", descending=True)
    if told.height > 1 and not uneven.height:
        return words("pairings-alike")
    most = told.filter(pl.col("pairing") == uneven["pairing"][0]) if uneven.height else told
    row = most.row(0, named=True)
    return words(
        "pairings-finding",
        which=row["pairing"],
        first=row["first"],
        colour=with_interval(row, "colour", words),
        strength=with_interval(row, "strength", words),
        n=words.count(row["n"]),
        more=words("uneven-more", n=words.count(uneven.height - 1)) if uneven.height > 1 else "",
    )


def ratings(facts: Facts, words: Words) -> Figure | None:
    """Red's share of decided games by the difference of the ratings in the records' tags."""
    tags = (
        # A map, which older versions of polars read as what it is cast to.
        facts.scan("games")
        .select(
            "record", pl.col("other_tags").cast(pl.List(pl.Struct({"key": pl.String, "value": pl.String})))
        )
        .explode("other_tags")
        .unnest("other_tags")
        .with_columns(key=pl.col("key").str.to_lowercase().replace({"whiteelo": "redelo"}))
        .filter(pl.col("key").is_in(["redelo", "blackelo"]))
        .with_columns(pl.col("value").str.strip_chars().cast(pl.Int32, strict=False))
        .drop_nulls("value")
        .collect()
        .unique(["record", "key"], keep="first")
        .pivot("key", index="record", values="value")
    )
    if not {"redelo", "blackelo"} <= set(tags.columns):
        return None
    difference = pl.col("redelo") - pl.col("blackelo")
    rated = (
        facts.games.join(tags, on="record")
        .filter(difference.is_not_null())
        .with_columns(group=_band(difference, RATING_BANDS).cast(pl.String))
    )
    if not rated.height:
        return None
    labels = {str(band): words(f"rating-{band}") for band in range(5)}
    return _by_group(
        rated, "ratings", labels, words, words("rating-label"), words("ratings-note"), by_size=False
    )


def _by_group(
    games: pl.DataFrame,
    name: str,
    labels: dict[str, str],
    words: Words,
    label: str,
    note: str,
    by_size: bool = True,
) -> Figure:
    """Results and Red's share of decided games by ``group``, the largest groups first and the small ones together."""
    sizes = games["group"].value_counts().sort(["count", "group"], descending=[True, False])
    if len(sizes) > MOST_ROWS:
        kept = sizes["group"].head(MOST_ROWS - 1).to_list()
        games = games.with_columns(
            pl.when(pl.col("group").is_in(kept)).then("group").otherwise(pl.lit("others")).alias("group")
        )
    counted = games.group_by("group").agg(
        pl.len().alias("played"),
        *((pl.col("outcome") == outcome).sum().alias(outcome) for outcome in OUTCOMES),
        *share_of(red_won(), "share"),
        named(),
    )
    last = pl.col("group") == "others"
    order = [last, pl.col("played"), pl.col("group")] if by_size else [pl.col("group")]
    counted = counted.sort(order, descending=[False, True, False] if by_size else [False])
    texts = [labels[group] for group in counted["group"]]
    frame = with_shares(counted, "share").select(
        pl.Series(name.removesuffix("s"), texts, pl.String), "played", *OUTCOMES, *interval("share"),
        pl.col("share_n").alias("n"), "games",
    )  # fmt: skip
    members = games.select(
        "record", pl.col("group").replace_strict(labels, return_dtype=pl.String).alias(name.removesuffix("s"))
    )
    return Figure(
        name,
        _uneven(
            counted.with_columns(text=pl.Series(texts, dtype=pl.String)).filter(pl.col("group") != "set"),
            name,
            words,
        ),
        frame,
        (
            Column(name.removesuffix("s"), label),
            Column("played", words("games"), "count"),
            Column("red", words("red"), "count"),
            Column("draw", words("draw"), "count"),
            Column("black", words("black"), "count"),
            Column("share", words("red-of-decided"), "share"),
            Column("games", words("for-example"), "games"),
        ),
        note,
        partial(
            charts.dots,
            marks(frame, "share"),
            labels=texts,
            words=words,
            label=words("red-of-decided"),
            reference=0.5,
        ),
        members=members,
    )


def _uneven(counted: pl.DataFrame, name: str, words: Words) -> str:
    """The row whose share is surest to differ from a half, if any does: of many rows one seems to by chance, so the
    error allowed is divided among them (Bonferroni; Dunn, JASA 56, 1961, 52–64)."""
    rows = with_shares(counted, "share", confidence=1 - (1 - statistics.CONFIDENCE) / counted.height)
    beyond = pl.max_horizontal(pl.col("share_low") - 0.5, 0.5 - pl.col("share_high")).alias("beyond")
    uneven = rows.with_columns(beyond).filter(pl.col("beyond") > 0).sort("beyond", descending=True).to_dicts()
    if not uneven:
        return words(f"{name}-alike")
    first = uneven[0]
    more = words("uneven-more", n=words.count(len(uneven) - 1)) if len(uneven) > 1 else ""
    own = counted.filter(pl.col("text") == first["text"])
    share = with_interval(with_shares(own, "share").row(0, named=True), "share", words)
    return words(
        f"{name}-unlike", which=first["text"], share=share, n=words.count(first["share_n"]), more=more
    )


def over_by(percent: int) -> pl.Expr:
    """The ply by which so many of the games are over."""
    return pl.col("plies").sort().get((pl.len() * percent + 99) // 100 - 1)


def _band(value: pl.Expr, bounds: Sequence[int]) -> pl.Expr:
    """Which of the bands between ``bounds`` a value is in, from 0; a bound is the last value of its band."""
    return pl.sum_horizontal(*((value > bound).cast(pl.UInt8) for bound in bounds))


def lengths(games: pl.DataFrame, words: Words) -> Figure | None:
    """How many games are decided, and by whom, by their length."""
    if not games.height:
        return None
    labels = [
        f"{1 if not low else low + 1}–{high}" for low, high in zip((0, *BANDS), BANDS, strict=False)
    ] + [f"> {BANDS[-1]}"]
    counted = (
        games.with_columns(band=_band(pl.col("plies"), BANDS))
        .group_by("band")
        .agg(
            pl.len().alias("n"),
            *((pl.col("outcome") == outcome).sum().alias(outcome) for outcome in OUTCOMES),
            *share_of(pl.col("outcome") != "draw", "decided"),
            *share_of(red_won(), "red_share"),
            named(),
        )
        .sort("band")
    )
    texts = [labels[band] for band in counted["band"]]
    frame = with_shares(counted, "decided", "red_share").select(
        pl.Series("plies", texts), "n", *OUTCOMES, *interval("decided"), *interval("red_share"), "games"
    )
    return Figure(
        "lengths",
        _decisiveness(games, words),
        frame,
        (
            Column("plies", words("length-label")),
            Column("n", words("games"), "count"),
            Column("decided", words("share-decided"), "share"),
            Column("red_share", words("red-of-decided"), "share"),
            Column("games", words("for-example"), "games"),
        ),
        words("lengths-note"),
        partial(
            charts.dots, marks(frame, "decided"), labels=texts, words=words, label=words("share-decided")
        ),
    )


def _decisiveness(games: pl.DataFrame, words: Words) -> str:
    """How long games last, and whether the longer half is decided as often as the shorter."""
    middle, longest = games.select(over_by(50), longest=pl.col("plies").max()).row(0)
    decided = dict(
        games.group_by(long=pl.col("plies") > middle).agg((pl.col("outcome") != "draw").mean()).iter_rows()
    )
    told = {
        "n": words.count(games.height),
        "middle": words.count(middle),
        "short": words.percent(decided[False]),
    }
    if True not in decided:
        return words("lengths-alike", **told)
    return words("lengths-finding", **told, long=words.percent(decided[True]), longest=words.count(longest))


def running(games: pl.DataFrame, words: Words) -> Figure | None:
    """The share of games still running after each ply, for each outcome."""
    games = games.select("record", "outcome", "plies")
    curves = []
    for outcome in OUTCOMES:
        ended = (
            games.filter(pl.col("outcome") == outcome)
            .group_by(ply="plies")
            .agg(pl.len().alias("over"))
            .sort("ply")
        )
        if ended.height:
            n = int(ended["over"].sum())
            curve = pl.concat([pl.DataFrame({"ply": [0], "over": [0]}, schema=ended.schema), ended]).select(
                pl.lit(outcome).alias("outcome"), "ply", left=n - pl.col("over").cum_sum(), n=pl.lit(n)
            )
            low, high = statistics.wilson(curve["left"], curve["n"])
            curves.append(
                curve.select(
                    "outcome",
                    "ply",
                    "left",
                    value=pl.col("left") / pl.col("n"),
                    value_low=pl.Series(low),
                    value_high=pl.Series(high),
                    n="n",
                )
            )
    if not curves:
        return None
    frame = pl.concat(curves)
    series = [
        charts.Line(
            f"{words(outcome)} (n = {words.count(curve['n'][0])})",
            outcome,
            *(curve[name].to_list() for name in ("ply", "value", "value_low", "value_high")),
        )
        for outcome in OUTCOMES
        if (curve := frame.filter(pl.col("outcome") == outcome)).height
    ]
    table = games.group_by("outcome").agg(
        pl.len().alias("n"),
        *(over_by(percent).alias(f"over_{percent}") for percent in (10, 50, 90)),
        named(),
    )
    table = table.sort(pl.col("outcome").replace_strict({name: k for k, name in enumerate(OUTCOMES)}))
    halves = [
        words(f"half-{row['outcome']}", ply=words.count(row["over_50"]), n=words.count(row["n"]))
        for row in table.iter_rows(named=True)
        if row["n"] >= ENOUGH
    ] or [words("half-all", ply=words.count(games.select(over_by(50)).item()), n=words.count(games.height))]
    return Figure(
        "running",
        words("running-finding", list=words("comma").join(halves)),
        frame,
        (
            Column("outcome", words("outcome"), "word"),
            Column("n", words("games"), "count"),
            Column("over_10", words("tenth-over"), "count"),
            Column("over_50", words("half-over"), "count"),
            Column("over_90", words("most-over"), "count"),
            Column("games", words("for-example"), "games"),
        ),
        words("running-note"),
        partial(
            charts.lines, series, across=words("ply"), up=words("still-running"), percent=True, steps=True
        ),
        table,
    )
