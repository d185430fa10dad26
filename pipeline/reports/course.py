"""What happens on the way: mobility and material by ply, events by game and by point, what they cost, who recovers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import polars as pl

from adjudicator import Position
from adjudicator.conduct import VALUES
from adjudicator.ruleset import Ruleset
from pipeline.reports import boards, charts, statistics
from pipeline.reports.balance import by_start, cautioned, mixing, red_won, selected, with_starts
from pipeline.reports.facts import EVENTS, Facts
from pipeline.reports.figures import (
    ENOUGH,
    GAMES_NAMED,
    Column,
    Figure,
    interval,
    marks,
    named,
    sampled,
    share_of,
    with_interval,
    with_shares,
)
from pipeline.reports.words import LANGUAGES, Words

SIDES = ("red", "black")
FEWEST = 20
"""Games that must still run for a ply to be drawn; a quarter of them where there are few."""
MOST_POINTS = 10
"""Points of the board in the table beside a map."""
_QUIET = 3
"""Plies until the next loss after which a lead is more than half an exchange."""


def course(facts: Facts, words: Words) -> Iterator[Figure | None]:
    """How games go, from their plies."""
    found = Course(facts.sample)
    games, caution = with_starts(found.facts.played, found.rules), selected(facts, words).brief

    def told(figure: Figure | None) -> Figure | None:
        return sampled(mixing(figure, games, words), facts, words)

    # First those that do not ask how much of each game is its own, which is being found out meanwhile.
    yield sampled(mobility(found, words), facts, words)  # of games that begin alike
    yield told(material(found, words))
    yield from map(told, points(found, words))
    yield told(survivors(found, words))
    yield told(explosions(found, words))
    yield mixing(events(facts.happened, words), with_starts(facts.played, facts.rules), words)
    yield told(cautioned(ahead(found, words), caution))
    yield told(cautioned(drops(found, words), caution))
    yield told(cautioned(recovery(found, words), caution))


class Course:
    """What figures need of the plies, each read once."""

    def __init__(self, facts: Facts):
        self.facts = facts
        self.rules = facts.rules

    @cached_property
    def alike(self) -> tuple[str, pl.DataFrame]:
        """How most games begin, "usual" or "set", and the games that do: the plies of others are not the same ones."""
        parts = by_start(with_starts(self.facts.played, self.rules))
        return max(parts.items(), key=lambda part: part[1].height)

    @cached_property
    def replies(self) -> pl.DataFrame:
        """By side to move and the ply before: games `alike` that went on (``n``), their legal moves (``total``), and
        squares of those."""
        number = pl.col("legal_replies").cast(pl.UInt32)
        found = (
            self.facts.moves.lazy()
            .filter(
                pl.col("ply") < pl.col("plies"), pl.col("record").is_in(self.alike[1]["record"].implode())
            )
            .group_by("ply", "turned")
            .agg(pl.len().alias("n"), number.sum().alias("total"), (number * number).sum().alias("squares"))
            .collect()
        )
        side = pl.when(_BY_RED).then(pl.lit("black")).otherwise(pl.lit("red"))
        by_side = found.select("ply", pl.col("n", "total", "squares").cast(pl.Int64), side=side)
        return by_side.sort("side", "ply")

    @cached_property
    def checks(self) -> pl.DataFrame:
        """A row for each move that gives check: where it goes (``to``)."""
        return self.facts.few(pl.col("check"), "to")

    @cached_property
    def captures(self) -> pl.DataFrame:
        """A row for each capture: ``by_red``, ``captured``, ``to``; where captures explode also the ``piece``, and
        what went besides it (``explosion``, ``lethal``)."""
        kind = pl.col("captured").cast(self.kind)
        extra: list[str | pl.Expr] = []
        if self.rules.explodes:
            extra = [pl.col("piece").cast(self.kind), "explosion", "lethal"]
        return self.facts.few(pl.col("captured").is_not_null(), _BY_RED, kind, "to", *extra)

    @property
    def explosions(self) -> pl.DataFrame:
        """The captures that exploded, where some do: not those that cost the capturer and its target alone."""
        blasting = [piece.letter for piece in self.rules.pieces if self.rules.blasts(piece)]
        return self.captures.filter(pl.col("piece").is_in(blasting))

    @cached_property
    def drops(self) -> pl.DataFrame:
        """A row for each drop, of rule sets that have any: ``by_red``, ``piece``, ``to``, ``check`` and ``mate``."""
        piece = pl.col("piece").cast(self.kind)
        return self.facts.few(pl.col("drop"), _BY_RED, piece, "to", "check", "mate")

    @property
    def kind(self) -> pl.Enum:
        """Kinds of pieces by their letter."""
        return pl.Enum([piece.letter for piece in self.rules.pieces])

    @cached_property
    def losses(self) -> pl.DataFrame:
        """Men that left the board, in order: a ``kind``, whether it was Red's (``red``), and who moved (``by_red``)."""
        taken, keys = self.captures, ("record", "ply", "plies", "by_red")
        if not self.rules.explodes:
            return taken.select(*keys, red=~pl.col("by_red"), kind="captured")
        simple = taken.filter(pl.col("explosion").is_null())
        spent = taken.filter(pl.col("explosion").is_not_null())
        cleared = (
            spent.select(*keys, letter="explosion")
            .explode("letter")
            .with_columns(pl.col("letter").str.slice(-1))
        )
        capital = pl.col("letter").str.to_uppercase()
        parts = [
            simple.select(*keys, red=~pl.col("by_red"), kind="captured"),
            spent.select(*keys, red=pl.col("by_red"), kind="piece"),
            cleared.select(*keys, red=pl.col("letter") == capital, kind=capital.cast(self.kind)),
        ]
        return pl.concat(parts).sort("record", "ply", maintain_order=True)

    @cached_property
    def valued(self) -> bool:
        """Whether all kinds of pieces have points in the Chinese rules; otherwise each man counts as one."""
        return all(VALUES.get(piece.name, 0) for piece in self.rules.pieces)

    @cached_property
    def leads(self) -> pl.DataFrame:
        """Red's ``lead`` in material over Black since the start of the game, where a loss left one for a while."""
        rules = self.rules
        worth = {piece.letter: VALUES[piece.name] if self.valued else 1 for piece in rules.pieces}
        royal = [piece.letter for piece in rules.pieces if piece.royal]
        losses = self.losses.filter(~pl.col("kind").is_in(royal))
        value = pl.col("kind").replace_strict(worth, return_dtype=pl.Int32)
        gained = losses.with_columns(gain=pl.when("red").then(-value).otherwise(value))
        if rules.explodes:
            gained = gained.group_by("record", "ply", "plies", maintain_order=True).agg(pl.col("gain").sum())
        # A lead that the next ply or two take back is half an exchange.
        following = (
            pl.when(pl.col("record") == pl.col("record").shift(-1))
            .then(pl.col("ply").shift(-1))
            .otherwise(pl.col("plies") + 1)
        )
        lead = gained.with_columns(lead=_running(pl.col("gain")), next=following)
        return lead.filter(pl.col("next") - pl.col("ply") >= _QUIET)


def _running(value: pl.Expr) -> pl.Expr:
    """The sum of ``value`` up to each row, from the first of its game on; rows stand in the order of games."""
    total = value.cum_sum()
    first = pl.col("record") != pl.col("record").shift()
    return total - pl.when(first.fill_null(True)).then(total - value).forward_fill()


_BY_RED = ((pl.col("ply") % 2 == 1) != pl.col("turned")).alias("by_red")
"""Who made a move follows from its ply."""


# ---- by ply ------------------------------------------------------------------------------------------


def _fewest(frame: pl.DataFrame) -> int:
    return min(FEWEST, max(2, int(frame["n"].max() or 0) // 4))  # type: ignore[arg-type]


def _mean_lines(frame: pl.DataFrame, words: Words) -> list[charts.Line]:
    lines = []
    for side in SIDES:
        one = frame.filter((pl.col("side") == side) & (pl.col("n") >= _fewest(frame)))
        if one.height:
            lines.append(
                charts.Line(
                    words(side),
                    side,
                    *(one[name].to_list() for name in ("ply", "mean", "mean_low", "mean_high")),
                )
            )
    return lines


def _with_means(frame: pl.DataFrame) -> pl.DataFrame:
    """``mean`` with its interval from ``n``, ``total`` and ``squares``: independent games, one observation each."""
    z = statistics.quantile()
    mean = pl.col("total") / pl.col("n")
    spread = (pl.col("squares") / pl.col("n") - mean**2).clip(0) / (pl.col("n") - 1).cast(pl.Float64)
    half = z * spread.sqrt()
    return frame.with_columns(mean=mean, mean_low=mean - half, mean_high=mean + half)


def mobility(course: Course, words: Words) -> Figure | None:
    """Legal moves of the side to move, by the ply before."""
    frame = _with_means(course.replies).select("side", "ply", *interval("mean"), "n")
    lines = _mean_lines(frame, words)
    if not lines:
        return None
    means = {
        side: words.number(
            frame.filter(pl.col("side") == side)
            .select((pl.col("mean") * pl.col("n")).sum() / pl.col("n").sum())
            .item()
        )
        for side in SIDES
    }
    start, games = course.alike
    ends, note = _ends(frame, words), words("mobility-note", fewest=_fewest(frame))
    if start == "usual":
        ends["first"] = words.count(len(Position(rules=course.rules).legal_moves()))
    if games.height < course.facts.played.height:
        told = {"n": words.count(games.height), "of": words.count(course.facts.played.height)}
        note += f" {words(f'{start}-only', **told)}"
    return Figure(
        "mobility",
        words(f"{start}-mobility", **means, **ends),
        frame,
        _ply_columns(words, words("mobility-label")),
        note,
        partial(charts.lines, lines, across=words("ply"), up=words("mobility-label")),
        _tenths(frame, games, (0, 1)),  # each side moves after every second ply
    )


def _ends(frame: pl.DataFrame, words: Words) -> dict[str, str]:
    """Legal moves of a side after the first two plies and the last two that are drawn: one for either side."""
    drawn = frame.filter(pl.col("n") >= _fewest(frame))
    last = drawn["ply"].max()
    ends = {"first": pl.col("ply") <= pl.col("ply").min() + 1, "last": pl.col("ply") >= last - 1}  # type: ignore[operator]
    mean = (pl.col("mean") * pl.col("n")).sum() / pl.col("n").sum()
    told = {name: words.number(drawn.filter(where).select(mean).item()) for name, where in ends.items()}
    return {**told, "ply": words.count(last)}


def _ply_columns(words: Words, label: str) -> list[Column]:
    return [
        Column("side", words("side"), "word"),
        Column("ply", words("ply"), "count"),
        Column("n", words("games"), "count"),
        Column("mean", label, "number"),
        Column("games", words("for-example"), "games"),
    ]


def _tenths(frame: pl.DataFrame, games: pl.DataFrame, after: Sequence[int] = (1,)) -> pl.DataFrame:
    """A few plies of a long frame, spread over what is drawn and so many ``after`` each step, with the first games that
    went so far."""
    drawn = frame.filter(pl.col("n") >= _fewest(frame))
    step = max(2, (int(drawn["ply"].max() or 0) // 5 + 1) // 2 * 2)  # type: ignore[arg-type]
    few = drawn.filter((pl.col("ply") % step).is_in(after)).sort("ply", "side", descending=[False, True])
    records, plies = games["record"], games["plies"]
    lasting = [records.filter(plies >= ply).head(GAMES_NAMED) for ply in few["ply"]]
    return few.with_columns(pl.Series("games", lasting, pl.List(pl.UInt32)))


def material(course: Course, words: Words) -> Figure | None:
    """Men of each side on the board, by ply, over the games still running."""
    games = course.facts.played
    if not games.height:
        return None
    steps = course.losses.select("record", "ply", "plies", "red", step=pl.lit(-1, pl.Int32))
    if course.rules.reserves:
        placed = course.drops.select("record", "ply", "plies", red="by_red", step=pl.lit(1, pl.Int32))
        steps = pl.concat([steps, placed]).sort("record", "ply")
    if course.rules.reserves or course.rules.explodes:
        steps = steps.group_by("record", "ply", "plies", "red", maintain_order=True).agg(pl.col("step").sum())
    frames = []
    for side, letters in (("red", "[A-Z]"), ("black", "[a-z]")):
        start = games.select("record", "plies", "start_fen").join(_men(games, men=letters), on="start_fen")
        moved = (
            steps.filter(pl.col("red") == (side == "red"))
            .join(start.select("record", "men"), on="record", maintain_order="left")
            .with_columns(after=pl.col("men") + _running(pl.col("step")))
            .with_columns(before=pl.col("after") - pl.col("step"))
        )
        squares = pl.col("after") ** 2 - pl.col("before") ** 2
        total = pl.concat(
            [
                # Each game brings its men at ply 0 and takes what it has after its last ply …
                start.select(at=pl.lit(0, pl.UInt32), n=pl.lit(1), total="men", squares=pl.col("men") ** 2),
                start.select(
                    at=pl.col("plies") + 1, n=pl.lit(-1), total=-pl.col("men"), squares=-(pl.col("men") ** 2)
                ),
                # … and so does each loss and drop.
                moved.select(at="ply", n=pl.lit(0), total="step", squares=squares),
                moved.select(at=pl.col("plies") + 1, n=pl.lit(0), total=-pl.col("step"), squares=-squares),
            ]
        )
        by_ply = total.group_by("at").agg(pl.col("n", "total", "squares").cast(pl.Int64).sum()).sort("at")
        every = pl.DataFrame({"at": range(int(games["plies"].max()) + 1)}, schema={"at": pl.UInt32})  # type: ignore[arg-type]
        by_ply = every.join(by_ply, on="at", how="left", maintain_order="left").select(
            pl.lit(side).alias("side"),
            pl.col("at").alias("ply"),
            pl.col("n", "total", "squares").fill_null(0).cum_sum(),
        )
        frames.append(by_ply.filter(pl.col("n") > 0))
    frame = _with_means(pl.concat(frames)).select("side", "ply", *interval("mean"), "n")
    lines = _mean_lines(frame, words)
    if not lines:
        return None
    middle = frame.filter(pl.col("ply") == int(games["plies"].median()))  # type: ignore[arg-type]
    values = {row["side"]: words.number(row["mean"]) for row in middle.iter_rows(named=True)}
    return Figure(
        "material",
        words("material-finding", ply=words.count(middle["ply"][0]), n=words.count(middle["n"][0]), **values),
        frame,
        _ply_columns(words, words("men")),
        words("material-note", fewest=_fewest(frame)),
        partial(charts.lines, lines, across=words("ply"), up=words("men")),
        _tenths(frame, course.facts.played),
    )


# ---- by game -----------------------------------------------------------------------------------------


def events(games: pl.DataFrame, words: Words) -> Figure | None:
    """Captures, explosions, drops and checks per game."""
    names = [name for name in EVENTS if games[name].sum()]
    if not names:
        return None
    worth = float(games["weight"].sum())
    rows = []
    for name in names:
        mean = statistics.mean(games[name])
        most = games.select("record", name).top_k(GAMES_NAMED, by=[name, "record"], reverse=[False, True])
        most = most.sort([name, "record"], descending=[True, False])
        any_of = int((games[name] > 0).sum())
        low, high = statistics.wilson(any_of / games.height * worth, worth)
        rows.append(
            {
                "event": name,
                "mean": mean.value,
                "mean_low": mean.low,
                "mean_high": mean.high,
                "with_one": any_of / games.height,
                "with_one_low": float(low),
                "with_one_high": float(high),
                "n": games.height,
                "most": most[name][0],
                "games": most["record"].to_list(),
            }
        )
    frame = pl.DataFrame(rows, schema_overrides={"games": pl.List(pl.UInt32)})
    said = [
        words("event-per-game", event=words(row["event"]).lower(), mean=words.number(row["mean"]))
        for row in rows
    ]
    return Figure(
        "events",
        words("events-finding", list=words("comma").join(said)),
        frame,
        (
            Column("event", words("event"), "word"),
            Column("mean", words("per-game"), "number"),
            Column("with_one", words("games-with-one"), "share"),
            Column("n", words("n"), "count"),
            Column("most", words("most"), "count"),
            Column("games", words("games-with-most"), "games"),
        ),
        words("events-note"),
    )


# ---- by point ----------------------------------------------------------------------------------------


def points(course: Course, words: Words) -> list[Figure]:
    """A map of the board for captures, explosions, drops and checks."""
    rules, games = course.rules, course.facts.played.height
    where = {rules.point_name(point): point for point in range(rules.files * rules.ranks)}
    events = {"captures": course.captures}
    if rules.reserves:
        events["drops"] = course.drops
    events["checks"] = course.checks
    if rules.explodes:
        events["explosions"] = course.explosions
        if events["explosions"].height == course.captures.height:
            del events["captures"]  # the same map
    figures = []
    for name, happened in events.items():
        if not happened.height:
            continue
        total = happened.height
        found = _by_point(happened)
        worth = statistics.clustered_worth(
            found["count"] / total, total, found["spread"], happened["record"].n_unique()
        )
        low, high = statistics.wilson(found["count"] / total * worth, worth)
        frame = found.select(
            pl.col("to").cast(pl.String).alias("point"),
            "count",
            share=pl.col("count") / total,
            share_low=pl.Series(low),
            share_high=pl.Series(high),
            per_100_games=100 * pl.col("count") / games,
            n=pl.lit(total, pl.UInt32),
            games="games",
        )
        frame = frame.sort(["count", "point"], descending=[True, False])
        top = frame.head(3)
        shares = {where[row["point"]]: row["share"] for row in frame.iter_rows(named=True)}
        figures.append(
            Figure(
                f"{name}_by_point",
                words(
                    "points-finding",
                    event=words(name),
                    points=words("comma").join(top["point"]),
                    share=words.percent(float(top["share"].sum())),
                ),
                frame,
                (
                    Column("point", words("point")),
                    Column("count", words(name), "count"),
                    Column("share", words("share-of-all"), "share"),
                    Column("per_100_games", words("per-100-games"), "number"),
                    Column("games", words("for-example"), "games"),
                ),
                words("points-note", n=words.count(total), games=words.count(games)),
                partial(boards.heat, rules, shares, words(f"{name}-map")),
                frame.head(MOST_POINTS),
            )
        )
    return figures


def _by_point(happened: pl.DataFrame) -> pl.DataFrame:
    """``count`` by point, the first ``games``, and the ``spread`` over games that `statistics.clustered_worth` asks."""
    x, m, xm = pl.col("x"), pl.col("m"), pl.col("xm")
    share = pl.col("count") / happened.height
    return (
        happened.lazy()
        .group_by("record", "to")
        .agg(x=pl.len().cast(pl.Float64))
        .with_columns(m=x.sum().over("record"))
        .group_by("to")
        .agg(
            x.sum().cast(pl.UInt32).alias("count"),
            games=pl.col("record").bottom_k(GAMES_NAMED).sort(),
            xx=(x * x).sum(),
            xm=(x * m).sum(),
        )
        .with_columns(spread=pl.col("xx") - 2 * share * xm + share**2 * xm.sum())
        .collect()
    )


# ---- men ---------------------------------------------------------------------------------------------


def _piece_names(rules: Ruleset, words: Words) -> dict[str, str]:
    """Words for kinds of pieces by their letter in the tables."""
    names = {}
    for piece in rules.pieces:
        chinese = piece.chinese[:1] if piece.chinese and not piece.chinese.isascii() else piece.name
        names[piece.letter] = (piece.name, chinese)[LANGUAGES.index(words.language)]
    return names


def _men(games: pl.DataFrame, **letters: str) -> pl.DataFrame:
    """``start_fen`` of the games, with how many men of it fit each pattern of FEN letters."""
    board = pl.col("start_fen").str.split(" ").list.first().str.replace(r"\[.*", "")
    counted = {name: board.str.count_matches(pattern).cast(pl.Int32) for name, pattern in letters.items()}
    return games.select(pl.col("start_fen").unique()).with_columns(**counted)


def survivors(course: Course, words: Words) -> Figure | None:
    """Which men are still on the board when games end."""
    games, rules = course.facts.played, course.rules
    if rules.reserves or not games.height:
        return None  # what is taken there comes back, on the other side
    wanted = {
        (piece.letter, side): piece.fen.upper() if side == "red" else piece.fen
        for piece in rules.pieces
        if rules.explodes or not piece.royal
        for side in SIDES
    }
    lost = course.losses.group_by("record").agg(
        ((pl.col("kind") == kind) & (pl.col("red") == (side == "red"))).sum().alias(f"lost {letter}")
        for (kind, side), letter in wanted.items()
    )
    each = (
        games.select("record", "start_fen")
        .join(_men(games, **{letter: letter for letter in wanted.values()}), on="start_fen")
        .join(lost, on="record", how="left")
    )
    whole = each.select(
        named((pl.col(letter) > 0) & pl.col(f"lost {letter}").fill_null(0).eq(0)).implode().alias(letter)
        for letter in wanted.values()
    )
    names = _piece_names(rules, words)
    rows = []
    for (kind, side), letter in wanted.items():
        kinds = (
            each.lazy()
            .group_by(begun=letter, lost=pl.col(f"lost {letter}").fill_null(0).cast(pl.Int32))
            .agg(pl.len().alias("games"))
            .filter(pl.col("begun") > 0)
            .sort("begun", "lost")
            .with_columns(left=pl.col("begun") - pl.col("lost"))
            .collect()
        )
        if kinds.height:
            share = statistics.clustered_share(kinds["left"], kinds["begun"], kinds["games"], resamples=2000)
            sums = (int((kinds[men] * kinds["games"]).sum()) for men in ("begun", "left"))
            examples = whole[letter][0].to_list()
            rows.append((kind, side, *sums, share.value, share.low, share.high, games.height, examples))
    frame = pl.DataFrame(
        rows,
        schema=["piece", "side", "begun", "left", "share", "share_low", "share_high", "n", "games"],
        schema_overrides={"games": pl.List(pl.UInt32)},
        orient="row",
    )
    if not rows:
        return None
    labels = [f"{names[row['piece']]}, {words(row['side'])}" for row in frame.iter_rows(named=True)]
    best = frame.group_by("piece", maintain_order=True).agg(
        share=pl.col("left").sum() / pl.col("begun").sum()
    )
    first, last = best.sort("share", descending=True).row(0), best.sort("share").row(0)
    finding = "survivors-finding" if last[1] < first[1] else "survivors-alike"
    return Figure(
        "survivors",
        words(
            finding,
            best=names[first[0]],
            share=words.percent(first[1]),
            worst=names[last[0]],
            least=words.percent(last[1]),
        ),
        frame,
        (
            Column("what", words("piece")),
            Column("begun", words("at-start"), "count"),
            Column("left", words("at-end"), "count"),
            Column("share", words("share-left"), "share"),
            Column("games", words("games-whole"), "games"),
        ),
        words("survivors-note"),
        partial(
            charts.dots,
            marks(frame, "share"),
            labels=labels,
            words=words,
            label=words("share-left"),
            tones=frame["side"].to_list(),
        ),
        frame.with_columns(pl.Series("what", labels)),
    )


def explosions(course: Course, words: Words) -> Figure | None:
    """What an explosion costs the side that made it, and the other."""
    if not course.rules.explodes:
        return None
    burst = course.explosions
    if not burst.height:
        return None
    cost = (
        course.losses.join(burst.select("record", "ply", "lethal", "piece"), on=["record", "ply"])
        .group_by("record", "ply")
        .agg(
            own=(pl.col("red") == pl.col("by_red")).sum(),
            other=(pl.col("red") != pl.col("by_red")).sum(),
            lethal=pl.col("lethal").first(),
            piece=pl.col("piece").first().cast(pl.String),
        )
    )
    names = _piece_names(course.rules, words)
    rows = []
    for piece in [letter for letter in names if letter in set(cost["piece"])]:
        one = cost.filter(pl.col("piece") == piece)
        by_game = one.group_by("record").agg(pl.col("own", "other").sum(), pl.len())
        ours, theirs = (
            statistics.clustered_mean(by_game[side], by_game["len"], resamples=2000)
            for side in ("own", "other")
        )
        most = one.sort(["other", "record", "ply"], descending=[True, False, False])
        rows.append(
            {
                "piece": piece,
                "own": ours.value,
                "own_low": ours.low,
                "own_high": ours.high,
                "other": theirs.value,
                "other_low": theirs.low,
                "other_high": theirs.high,
                "lethal": int(one["lethal"].sum()),
                "n": one.height,
                "games": most["record"].unique(maintain_order=True).head(GAMES_NAMED).to_list(),
            }
        )
    frame = pl.DataFrame(rows, schema_overrides={"games": pl.List(pl.UInt32)}).sort("n", descending=True)
    labels = [names[letter] for letter in frame["piece"]]
    long = pl.concat(
        frame.select(
            "piece",
            "n",
            kind=pl.lit(kind),
            **{f"men{end}": pl.col(f"{kind}{end}") for end in ("", "_low", "_high")},
        )
        for kind in ("other", "own")
    ).with_columns(place=pl.col("piece").replace_strict({p: k for k, p in enumerate(frame["piece"])}))
    long = long.sort("place", "kind")
    return Figure(
        "explosions",
        words(
            "explosions-finding",
            own=words.number(float(cost["own"].mean())),  # type: ignore[arg-type]
            other=words.number(float(cost["other"].mean())),  # type: ignore[arg-type]
            n=words.count(cost.height),
            lethal=words.count(int(cost["lethal"].sum())),
        ),
        frame,
        (
            Column("what", words("capturer")),
            Column("n", words("explosions"), "count"),
            Column("own", words("own-men-lost"), "number"),
            Column("other", words("enemy-men-lost"), "number"),
            Column("lethal", words("lethal"), "count"),
            Column("games", words("games-with-most"), "games"),
        ),
        words("explosions-note"),
        partial(
            charts.bars,
            marks(long, "men"),
            labels=[
                f"{names[row['piece']]}, {words(row['kind'] + '-men')}" for row in long.iter_rows(named=True)
            ],
            tones=["other" if row["kind"] == "own" else "plain" for row in long.iter_rows(named=True)],
            words=words,
            label=words("men-per-explosion"),
            percent=False,
        ),
        frame.with_columns(pl.Series("what", labels)),
    )


def ahead(course: Course, words: Words) -> Figure | None:
    """Who wins by who takes first, and by who is ahead in material when half of a game of middling length is played."""
    games = course.facts.games.select("record", "outcome", "weight", "plies")
    if not course.captures.height:
        return None
    at = max(1, int(games["plies"].median() or 0) // 2)  # type: ignore[arg-type]
    side = pl.when("by_red").then(pl.lit("red")).otherwise(pl.lit("black"))
    first = course.captures.group_by("record", maintain_order=True).agg(who=side.first())
    lead = course.leads.filter(pl.col("ply") <= at).group_by("record", maintain_order=True)
    sign = pl.col("lead").last()
    then = lead.agg(
        who=pl.when(sign > 0)
        .then(pl.lit("red"))
        .when(sign < 0)
        .then(pl.lit("black"))
        .otherwise(pl.lit("neither"))
    )
    running = games.filter(pl.col("plies") > at)
    parts = {
        "first": games.join(first, on="record", how="left", maintain_order="left"),
        "then": running.join(then, on="record", how="left", maintain_order="left"),
    }
    counted = pl.concat(
        part.group_by(pl.lit(when).alias("when"), pl.col("who").fill_null("neither")).agg(
            pl.len().alias("played"),
            (pl.col("outcome") == "draw").sum().alias("draw"),
            *share_of(red_won(), "share"),
            named(),
        )
        for when, part in parts.items()
    )
    order = {"red": 0, "neither": 1, "black": 2}
    frame = (
        with_shares(counted, "share")
        .sort(pl.col("when"), pl.col("who").replace_strict(order))
        .select(*("when", "who", "played", "draw", *interval("share")), pl.col("share_n").alias("n"), "games")
    )
    labels = [words(f"{row['when']}-{row['who']}", ply=at) for row in frame.iter_rows(named=True)]
    return Figure(
        "ahead",
        _ahead(frame, at, running.height, words),
        frame,
        (
            Column("what", words("who-is-ahead")),
            Column("played", words("games"), "count"),
            Column("draw", words("drawn"), "count"),
            Column("share", words("red-of-decided"), "share"),
            Column("games", words("for-example"), "games"),
        ),
        words("ahead-note", ply=at, over=words.count(games.height - running.height))
        + f" {words('ahead-points' if course.valued else 'ahead-men')}",
        partial(
            charts.dots,
            marks(frame, "share"),
            labels=labels,
            words=words,
            label=words("red-of-decided"),
            reference=0.5,
        ),
        frame.with_columns(pl.Series("what", labels)),
    )


def _ahead(frame: pl.DataFrame, at: int, running: int, words: Words) -> str:
    """How often either side is ahead in material, and what it makes of it where that is often `ENOUGH`."""
    rows = {row["who"]: row for row in frame.filter(when="then").iter_rows(named=True)}
    told = {side: words.count(rows[side]["played"] if side in rows else 0) for side in SIDES}
    told |= {"ply": words.count(at), "n": words.count(running)}
    if any(side not in rows or rows[side]["n"] < ENOUGH for side in SIDES):
        return words("ahead-seldom", **told)
    red, black = rows["red"], rows["black"]
    won = {
        "share": 1 - black["share"],
        "share_low": 1 - black["share_high"],
        "share_high": 1 - black["share_low"],
    }
    shares = {"red_won": with_interval(red, "share", words), "black_won": with_interval(won, "share", words)}
    return words("ahead-finding", **told, **shares)


def drops(course: Course, words: Words) -> Figure | None:
    """How often the side that dropped a kind of piece won."""
    if not course.rules.reserves or not course.drops.height:
        return None
    games = course.facts.games.select("record", "outcome", "weight")
    placed = (
        course.drops.group_by(
            "record",
            pl.col("piece").cast(pl.String),
            side=pl.when("by_red").then(pl.lit("red")).otherwise(pl.lit("black")),
        )
        .agg(pl.len().alias("drops"), pl.col("check").sum(), pl.col("mate").sum())
        .join(games, on="record")
    )
    won = pl.when(pl.col("outcome") != "draw").then(pl.col("outcome") == pl.col("side"))
    counted = placed.group_by("piece").agg(
        pl.col("drops").sum(), pl.col("check").sum(), pl.col("mate").sum(), *share_of(won, "won"),
        pl.col("record").unique().sort().head(GAMES_NAMED).alias("games"),
    )  # fmt: skip
    frame = (
        with_shares(counted, "won")
        .select(
            "piece", "drops", "check", "mate", *interval("won"), pl.col("won_n").alias("n"), "games"
        )
        .sort(["won", "piece"], descending=[True, False], nulls_last=True)
    )  # fmt: skip
    names = _piece_names(course.rules, words)
    labels = [names.get(letter, letter) for letter in frame["piece"]]
    often = pl.col("n") >= pl.min_horizontal(pl.lit(ENOUGH), pl.col("n").max())
    best = frame.with_columns(label=pl.Series(labels)).filter(often).row(0, named=True)
    told = {"piece": best["label"], "n": words.count(best["n"])}
    if best["n"]:
        finding = words("drops-finding", share=with_interval(best, "won", words), **told)
    else:
        finding = words("drops-undecided", **told)
    return Figure(
        "drops",
        finding,
        frame,
        (
            Column("what", words("piece-dropped")),
            Column("drops", words("drops"), "count"),
            Column("check", words("with-check"), "count"),
            Column("mate", words("with-mate"), "count"),
            Column("won", words("dropper-won"), "share"),
            Column("n", words("n"), "count"),
            Column("games", words("for-example"), "games"),
        ),
        words("drops-note"),
        partial(
            charts.dots,
            marks(frame, "won"),
            labels=labels,
            words=words,
            label=words("dropper-won"),
            reference=0.5,
        ),
        frame.with_columns(pl.Series("what", labels)),
    )


def recovery(course: Course, words: Words) -> Figure | None:
    """How often a side that was behind in material still won or drew."""
    games = course.facts.games
    lead, valued = course.leads, course.valued
    steps: Sequence[int] = (4, 10, 20, 30) if valued else (1, 2, 3, 5)
    if not lead.height:
        return None
    worst = lead.group_by("record", maintain_order=True).agg(
        red=(-pl.col("lead")).max(), black=pl.col("lead").max()
    )
    behind = (
        worst.unpivot(index="record", variable_name="side", value_name="behind")
        .filter(pl.col("behind") >= steps[0])
        .join(games.select("record", "outcome", "weight"), on="record", maintain_order="left")
    )
    rows = []
    for least in steps:
        counted = behind.filter(pl.col("behind") >= least).select(
            pl.lit(least).alias("behind"),
            *share_of(pl.col("outcome") == pl.col("side"), "won"),
            *share_of((pl.col("outcome") == pl.col("side")) | (pl.col("outcome") == "draw"), "saved"),
            named(pl.col("outcome") == pl.col("side")).implode(),
        )
        rows.append(counted)
    frame = with_shares(pl.concat(rows), "won", "saved").select(
        "behind", pl.col("won_n").alias("n"), *interval("won"), *interval("saved"), "games"
    )
    frame = frame.filter(pl.col("n") > 0)
    if not frame.height:
        return None
    unit = "points" if valued else "men"
    labels = [
        words(f"behind-{unit}", least=row["behind"]) if row["behind"] > 1 else words("behind-one")
        for row in frame.iter_rows(named=True)
    ]
    first = frame.row(min(1, frame.height - 1), named=True)
    return Figure(
        "recovery",
        words(
            "recovery-finding",
            behind=labels[min(1, frame.height - 1)],
            won=with_interval(first, "won", words),
            saved=with_interval(first, "saved", words),
            n=words.count(first["n"]),
        ),
        frame,
        (
            Column("what", words("was-behind")),
            Column("n", words("sides"), "count"),
            Column("won", words("still-won"), "share"),
            Column("saved", words("did-not-lose"), "share"),
            Column("games", words("games-turned"), "games"),
        ),
        words(f"recovery-note-{unit}"),
        partial(charts.dots, marks(frame, "saved"), labels=labels, words=words, label=words("did-not-lose")),
        frame.with_columns(pl.Series("what", labels)),
    )
