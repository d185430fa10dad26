"""The figures against what a plain reader counts, and against adjudicating anew."""

import itertools
from collections import Counter, defaultdict
from statistics import mean, median

import polars as pl
import pytest

pytest.importorskip("scipy", reason="reports need the extra caipan[report]")

from runs_made import SAMPLES, Plain, facts, make_run, record, sample_run

from adjudicator import Position, Ruleset
from adjudicator.conduct import VALUES
from adjudicator.rulebook import RuleBook
from pipeline import run
from pipeline.reports import balance, charts, course, diversity, laws
from pipeline.reports.facts import OUTCOMES
from pipeline.reports.words import LANGUAGES, Words

WORDS = Words()


@pytest.fixture(scope="module", params=SAMPLES)
def found(request, tmp_path_factory):
    """The facts of each sample."""
    return facts(sample_run(tmp_path_factory.mktemp(request.param), request.param))


@pytest.fixture(scope="module")
def plain(found):
    return Plain(found)


@pytest.fixture(scope="module")
def going(found):
    return course.Course(found)


def column(figure, key, value, **where):
    """A column of a figure's frame by another."""
    frame = figure.frame.filter(*(pl.col(name) == wanted for name, wanted in where.items()))
    return dict(zip(frame[key], frame[value], strict=True))


def begun(found):
    """The games of ``found`` with how they begin."""
    return balance.with_starts(found.games, found.rules)


# -- balance -----------------------------------------------------------------------------------------


def test_results(found, plain):
    counted = Counter((plain.begins(game), game["outcome"]) for game in plain.games.values())
    figure = balance.results(begun(found), WORDS)
    begins = [start for start in balance.STARTS if any(key[0] == start for key in counted)]
    keys = [(start, outcome) for start in begins for outcome in OUTCOMES]
    assert [(row["start"], row["outcome"], row["won"]) for row in figure.rows] == [
        (*key, counted[key]) for key in keys
    ]
    for row in figure.rows:
        assert row["n"] == sum(counted[row["start"], outcome] for outcome in OUTCOMES)
        assert row["share_low"] <= row["share"] <= row["share_high"]
        assert all(plain.games[game]["outcome"] == row["outcome"] for game in row["games"])


def test_the_first_mover_is_the_side_to_move(found, plain):
    """Shares, points and n by how games begin; Black moves first in some set positions, and after books of an odd
    number of moves."""
    decided, points = defaultdict(list), defaultdict(list)
    for game in plain.games.values():
        first = ("red", "black")[((game["start_fen"].split()[1] == "b") + plain.book(game)) % 2]
        points[plain.begins(game)].append(0.5 if game["outcome"] == "draw" else game["outcome"] == first)
        if game["outcome"] != "draw":
            decided[plain.begins(game)].append(game["outcome"] == first)
    figure = balance.first_move(begun(found), WORDS)
    for start, won in decided.items():
        values = column(figure, "measure", "value", start=start)
        assert values["first-of-decided"] == pytest.approx(mean(won))
        assert values["first-points"] == pytest.approx(mean(points[start]))
        assert column(figure, "measure", "n", start=start)["first-of-decided"] == len(won)
    assert set(figure.frame["start"]) == set(decided)


def test_reasons(found, plain):
    counted = Counter((game["outcome"] == "draw", game["reason"]) for game in plain.games.values())
    rows = balance.reasons(found.games, WORDS).rows
    assert {(row["kind"] == "drawn", row["reason"]): row["ended"] for row in rows} == counted


def test_openings(found, plain):
    """Red's share by first move, a move and its mirror image being one on a board that is its own."""
    counted = defaultdict(list)
    for number, game in plain.games.items():
        first = plain.plies[number][0]
        move = first["from"] + first["to"]
        if plain.rules.files == 9:
            mirrored = "".join(chr(202 - ord(sign)) if sign.isalpha() else sign for sign in move)
            move = max(move, mirrored)
        standard = game["start_fen"] == plain.rules.start
        counted[move if standard else "set"].append(game["outcome"])
    figure = balance.openings(found, WORDS)
    if set(counted) == {"set"}:
        assert figure is None
        return
    rows = {row["opening"].split()[-1].replace("position", "set"): row for row in figure.rows}
    for move in set(rows) - {"moves"}:
        assert rows[move]["played"] == len(counted[move])
        assert rows[move]["red"] == counted[move].count("red")
        assert rows[move]["n"] == len(counted[move]) - counted[move].count("draw")
    assert sum(row["played"] for row in rows.values()) == len(plain.games)


def test_lengths(found, plain):
    rows = balance.lengths(found.games, WORDS).rows
    assert sum(row["n"] for row in rows) == len(plain.games)
    for row in rows:
        low, _, high = row["plies"].replace("> ", "301–999999").partition("–")
        inside = [game for game in plain.games.values() if int(low) <= game["plies"] <= int(high)]
        assert row["n"] == len(inside)
        assert row["decided"] == pytest.approx(mean(game["outcome"] != "draw" for game in inside))


def test_running(found, plain):
    for row in balance.running(found.games, WORDS).frame.to_dicts():
        lasting = [game["plies"] for game in plain.games.values() if game["outcome"] == row["outcome"]]
        assert row["n"] == len(lasting)
        assert row["value"] == pytest.approx(mean(plies > row["ply"] for plies in lasting))


# -- the course of games -----------------------------------------------------------------------------


def test_mobility(going, plain):
    """The side to move has the replies to the ply before."""
    replies = defaultdict(list)
    begins = {number: plain.begins(game) for number, game in plain.games.items()}
    begins = {number: "usual" if start == "book" else start for number, start in begins.items()}
    number, start = max((list(begins.values()).count(start), start) for start in ("set", "usual"))
    for plies in (plies for game, plies in plain.plies.items() if begins[game] == start):
        for ply in plies[:-1]:  # after the last nobody is to move
            other = {"red": "black", "black": "red"}[ply["side"]]
            replies[other, ply["ply"]].append(ply["legal_replies"])
    figure = course.mobility(going, WORDS)
    rows = {(row["side"], row["ply"]): row for row in figure.frame.to_dicts()}
    assert {key: row["n"] for key, row in rows.items()} == {key: len(found) for key, found in replies.items()}
    for key, row in rows.items():
        assert row["mean"] == pytest.approx(mean(replies[key]))
    assert (f"Only the {number} of {len(begins)} games" in figure.note) == (number < len(begins))
    if start == "usual":
        moves = len(Position(rules=plain.rules).legal_moves())
        assert f"{moves} legal moves in the usual start position" in figure.finding


def test_material(going, plain):
    men = defaultdict(list)
    for number, game in plain.games.items():
        start = plain.start(game)
        left = {
            "red": sum(count for letter, count in start.items() if letter.isupper()),
            "black": sum(count for letter, count in start.items() if letter.islower()),
        }
        for ply in [None, *plain.plies[number]]:
            if ply is not None:
                for side, _ in plain.losses(ply):
                    left[side] -= 1
                left[ply["side"]] += ply["drop"]
            for side in left:
                men[side, ply["ply"] if ply else 0].append(left[side])
    for row in course.material(going, WORDS).frame.to_dicts():
        wanted = men[row["side"], row["ply"]]
        assert (row["n"], row["mean"]) == (len(wanted), pytest.approx(mean(wanted)))


def test_events_are_counted_up_to_the_end_of_a_game(tmp_path):
    for rules, settings in (("xiangqi", {"no_capture_limit": 20}), ("atomic", {"no_capture_limit": 8})):
        (tmp_path / rules).mkdir()
        found = facts(sample_run(tmp_path / rules, rules, 60, settings=settings))
        assert (found.games["plies"] < found.games["plies_replayed"]).sum() > 10
        plain = Plain(found)
        wanted = {
            "captures": lambda ply: ply["captured"] is not None,
            "explosions": plain.exploded,
            "checks": lambda ply: ply["check"],
        }
        counts = {
            name: mean(sum(map(happened, plain.plies[record])) for record in plain.games)
            for name, happened in wanted.items()
        }
        figure = column(course.events(found.happened, WORDS), "event", "mean")
        assert figure == pytest.approx({name: count for name, count in counts.items() if count})


@pytest.mark.parametrize("event", ["captures", "checks", "drops", "explosions"])
def test_points(going, plain, event):
    happens = {
        "captures": lambda ply: ply["captured"],
        "checks": lambda ply: ply["check"],
        "drops": lambda ply: ply["drop"],
        "explosions": plain.exploded,
    }[event]
    counted = Counter(ply["to"] for plies in plain.plies.values() for ply in plies if happens(ply))
    figures = {figure.name: figure for figure in course.points(going, WORDS)}
    if counted:
        assert column(figures[f"{event}_by_point"], "point", "count") == counted
    else:
        assert f"{event}_by_point" not in figures


def test_captures_that_all_explode_have_one_map(tmp_path):
    run = make_run(tmp_path, record("a1a2 c7c6 a2d2 c6c5 d2d10"), "atomic")
    names = {figure.name for figure in course.points(course.Course(facts(run)), WORDS)}
    assert "explosions_by_point" in names and "captures_by_point" not in names


def test_ahead(going, plain):
    """Who takes first against the first capture of each game, and who is ahead against men and points lost."""
    figure = course.ahead(going, WORDS)
    first, then = defaultdict(list), defaultdict(list)
    at = int(median(game["plies"] for game in plain.games.values())) // 2
    valued = all(VALUES.get(piece.name) for piece in plain.rules.pieces)
    worth = {p.letter: 0 if p.royal else VALUES[p.name] if valued else 1 for p in plain.rules.pieces}
    for number, game in plain.games.items():
        taken = [ply for ply in plain.plies[number] if ply["captured"]]
        first[taken[0]["side"] if taken else "neither"].append(game["outcome"])
        changes = []
        for ply in taken:
            lost = plain.losses(ply)
            if any(worth[letter] for _, letter in lost):
                gain = sum((-1 if side == "red" else 1) * worth[letter] for side, letter in lost)
                changes.append((ply["ply"], gain))
        lead = total = 0
        for (ply, gain), (after, _) in itertools.pairwise([*changes, (game["plies"] + 3, 0)]):
            total += gain
            if after - ply >= 3 and ply <= at:
                lead = total
        if game["plies"] > at:
            then["red" if lead > 0 else "black" if lead < 0 else "neither"].append(game["outcome"])
    for when, counted in (("first", first), ("then", then)):
        rows = {row["who"]: row for row in figure.rows if row["when"] == when}
        assert {who: row["played"] for who, row in rows.items()} == {k: len(v) for k, v in counted.items()}
        for who, outcomes in counted.items():
            decided = [outcome == "red" for outcome in outcomes if outcome != "draw"]
            assert rows[who]["n"] == len(decided)
            if decided:
                assert rows[who]["share"] == pytest.approx(mean(decided))


def test_the_title_of_ahead_speaks_of_shares_of_many(going):
    figure = course.ahead(going, WORDS)
    many = {row["who"] for row in figure.rows if row["when"] == "then" and row["n"] >= 20}
    assert ({"red", "black"} <= many) == ("and wins" in figure.finding)


def test_survivors(going, plain):
    figure = course.survivors(going, WORDS)
    if plain.rules.reserves:
        assert figure is None
        return
    pieces = {piece.letter: piece.fen for piece in plain.rules.pieces}
    begun, lost = Counter(), Counter()
    for number, game in plain.games.items():
        begun.update(plain.start(game))
        lost.update(loss for ply in plain.plies[number] for loss in plain.losses(ply))
    for row in figure.rows:
        letter = pieces[row["piece"]]
        assert row["begun"] == begun[letter.upper() if row["side"] == "red" else letter]
        assert row["left"] == row["begun"] - lost[row["side"], row["piece"]]


def test_explosions(going, plain):
    figure = course.explosions(going, WORDS)
    if not plain.rules.explodes:
        assert figure is None
        return
    own, other = defaultdict(list), defaultdict(list)
    for plies in plain.plies.values():
        for ply in plies:
            if plain.exploded(ply):
                sides = [side for side, _ in plain.losses(ply)]
                own[ply["piece"]].append(sides.count(ply["side"]))
                other[ply["piece"]].append(len(sides) - sides.count(ply["side"]))
    assert column(figure, "piece", "n") == {piece: len(found) for piece, found in own.items()}
    for row in figure.rows:
        assert row["own"] == pytest.approx(mean(own[row["piece"]]))
        assert row["other"] == pytest.approx(mean(other[row["piece"]]))


def test_drops(going, plain):
    figure = course.drops(going, WORDS)
    if not plain.rules.reserves:
        assert figure is None
        return
    won = defaultdict(list)
    for number, game in plain.games.items():
        for side, piece in {(ply["side"], ply["piece"]) for ply in plain.plies[number] if ply["drop"]}:
            if game["outcome"] != "draw":
                won[piece].append(game["outcome"] == side)
    assert column(figure, "piece", "won") == {
        piece: pytest.approx(mean(found)) for piece, found in won.items()
    }
    assert column(figure, "piece", "n") == {piece: len(found) for piece, found in won.items()}


def test_recovery(going, plain):
    """The largest deficit that two quiet plies left standing."""
    worth = {piece.letter: VALUES.get(piece.name, 0) for piece in plain.rules.pieces}
    if not all(worth.values()):
        worth = dict.fromkeys(worth, 1)
    royal = {piece.letter for piece in plain.rules.pieces if piece.royal}
    behind = defaultdict(list)
    for number, game in plain.games.items():
        lead, worst, standing = 0, {"red": 0, "black": 0}, None
        for ply in [*plain.plies[number], None]:
            losses = [loss for loss in plain.losses(ply) if loss[1] not in royal] if ply else []
            now = ply["ply"] if ply else game["plies"] + 1
            if standing is not None and (losses or not ply) and now - standing >= 3:
                worst = {"red": max(worst["red"], -lead), "black": max(worst["black"], lead)}
            if losses:
                standing = now
                lead += sum(worth[kind] * (1 if side == "black" else -1) for side, kind in losses)
        for side, deficit in worst.items():
            behind[side].append((deficit, game["outcome"]))
    figure = course.recovery(going, WORDS)
    for row in figure.rows:
        results = [
            (outcome == side, outcome == "draw")
            for side, found in behind.items()
            for deficit, outcome in found
            if deficit >= row["behind"]
        ]
        assert row["n"] == len(results)
        assert row["won"] == pytest.approx(mean(won for won, _ in results))
        assert row["saved"] == pytest.approx(mean(won or drawn for won, drawn in results))


# -- rules -------------------------------------------------------------------------------------------


def test_rules_that_decide(found, plain):
    counted = Counter(game["reason"] if game["ruled"] else "none" for game in plain.games.values())
    assert column(laws.rules_that_decide(found, WORDS), "rule", "decided") == counted


def test_options_are_what_adjudicating_anew_gives(found, tmp_path):
    """What the option leaves open at the record's end, but the rules had ended there, would go on."""
    figure = laws.options(found, WORDS)
    before = found.games
    for number, (name, _, book) in enumerate(laws._variants(found, WORDS)):
        given = {"limit.plies": book.limit.plies} if name.startswith("no-capture") else {}
        out = tmp_path / str(number)
        run.adjudicate(
            [found.run.parent / "games.pgn"],
            rules=found.rules.id,
            out=out,
            jobs=1,
            book=book.id,
            settings=given,
        )
        anew = pl.read_parquet(out / "games" / "*.parquet").with_columns(
            pl.col(pl.Categorical).cast(pl.String)
        )
        anew = before.select("record", "outcome", "ruled", "plies", "plies_replayed").join(
            anew.select("record", "result", "claimed"), on="record", how="left", maintain_order="left"
        )
        counted, changed = Counter(), 0
        for game in anew.to_dicts():
            outcome = game["result"]
            if outcome == "*":
                ends_here = game["ruled"] and game["plies"] == game["plies_replayed"]
                outcome = "open" if ends_here else game["claimed"]
            counted[outcome] += 1
            changed += outcome != game["outcome"]
        (row,) = figure.frame.filter(pl.col("option") == name).to_dicts()
        assert {key: row[key] for key in (*OUTCOMES, "open")} == {
            key: counted[key] for key in (*OUTCOMES, "open")
        }
        assert row["changed"] == changed


def test_games_that_a_run_with_a_short_clock_drew_would_go_on_without_it(tmp_path):
    # One ply, two plies … of rooks on ranks of their own, so that no position returns, against a clock of eight.
    walk = ["a1a2", "a10a9", "a2b2", "a9b9", "b2c2", "b9c9", "c2d2", "c9d9", "d2d3", "d9d8"]
    text = record(" ".join(walk), result="1-0") + record(" ".join(walk[:4]), result="0-1", red="B")
    found = facts(make_run(tmp_path, text, settings={"no_capture_limit": 8}))
    options = column(laws.options(found, WORDS), "option", "changed")
    assert found.games["reason"].to_list() == ["no-capture", "unstated"]
    assert options["no-capture-0"] == options["no-capture-60"] == options["no-capture-120"] == 1
    assert options["book-axf"] == 0


def test_the_shortest_clock_is_known():
    """Games whose clock ran less than `SHORTEST_CLOCK` are not ruled again, so no option may be shorter."""
    from pipeline.reports.facts import SHORTEST_CLOCK

    limits = [RuleBook.load(name).limit.plies for name in RuleBook.ids()]
    assert min(limit for limit in [*limits, *laws.CLOCKS] if limit > 0) >= SHORTEST_CLOCK


# -- diversity ---------------------------------------------------------------------------------------


def test_variety(found, plain):
    keys = defaultdict(list)
    for plies in plain.plies.values():
        for ply in plies:
            keys[ply["ply"]].append(ply["position_key"])
    figure = diversity.variety(found, WORDS)
    for row in figure.frame.to_dicts():
        assert (row["n"], row["different"]) == (len(keys[row["ply"]]), len(set(keys[row["ply"]])))


def test_copies_halve_what_games_are_worth(tmp_path):
    """Two copies of each of three games, counted as they stand, are three games' worth."""
    lines = ("h3e3 h10g8 h1g3 i10h10", "c4c5 c7c6 b1c3 b10c8", "g4g5 g7g6 c1e3 c10e8")
    run = make_run(tmp_path, "".join(record(line, red=name) for line in lines for name in "AB"))
    games = facts(run, copies=True).games
    assert games.height == 6 and games["weight"].sum() == pytest.approx(3)
    wide = balance.first_share(balance.with_starts(games, Ruleset.load("xiangqi")))
    assert (wide.value, wide.n) == (1.0, 6)
    three = balance.first_share(begun(facts(run)))
    assert wide.low == pytest.approx(three.low) and three.n == 3


# -- what the games are a sample of ------------------------------------------------------------------

MATE = "4k4/R8/9/9/9/9/9/9/1R7/3K5 {side} - - 0 1"
"""Red mates at once; with Black to move the general steps aside first."""


def problem(moves, side, **tags):
    return record(moves, SetUp="1", FEN=MATE.format(side=side), **tags)


def test_set_positions_are_told_apart_from_the_usual_start(tmp_path):
    lines = ("h3e3 h10g8", "b3e3 b10c8", "c4c5 c7c6", "g4g5 g7g6")
    text = "".join(
        record(line, red=f"r{number}", result=("1-0", "0-1")[number % 2]) for number, line in enumerate(lines)
    )
    text += problem("b2b10", "w") + problem("e10f10 b2b10", "b", result="0-1", red="C")
    text += problem("e10f10 b2c2", "b", result="0-1", red="D")
    found = facts(make_run(tmp_path, text))
    first, results, *others = filter(None, balance.balance(found, WORDS))
    said = first.finding.replace("\u00a0", " ")
    assert said.startswith("From the usual start the first mover wins 50.0 % of decided games")
    assert "no detectable first-mover effect. From set positions the side to move wins" in said
    assert "n = 4" in said and "n = 3" in said
    assert column(first, "measure", "value", start="set")["first-of-decided"] == pytest.approx(2 / 3)
    assert [row["what"] for row in results.rows][::3] == ["Red (usual start)", "Red (set positions)"]
    assert first.rows[3]["what"] == "First mover's share of decided games (set positions)"
    said = results.finding.replace("\u00a0", " ")
    assert said.startswith(
        "From the usual start Red wins 50.0 % (15.0–85.0 %) of 4 games, Black 50.0 % (15.0–85.0 %);"
        " 0.0 % (0.0–49.0 %) are drawn. From set"
    )
    for figure in others:
        split = figure.name == "openings"
        assert ("Of these games 3 of 7 begin from set positions." in figure.note) != split, figure.name


def test_a_handicap_is_no_usual_start(tmp_path):
    text = record() + record("h3e3 h10g8", red="C", Handicap="left chariot")
    games = begun(facts(make_run(tmp_path, text)))
    assert games["start"].to_list() == ["usual", "set"]


def test_openings_of_a_match_are_set_positions_that_count(tmp_path):
    """Both games of a pair won by the side to move: the position, not the players, decides."""
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b - - 0 1"
    text = record("h10g8 h1g3", result="0-1", SetUp="1", FEN=start)
    text += record("h10g8 b1c3", red="B", black="A", result="0-1", SetUp="1", FEN=start)
    figure = balance.first_move(begun(facts(make_run(tmp_path, text))), WORDS)
    assert column(figure, "measure", "value")["first-points"] == 1
    assert figure.frame["pairs"].to_list() == [None, 1, 1]
    assert figure.finding.startswith("From set positions")
    assert figure.rows[0]["what"] == "First mover's share of decided games"


def test_set_positions_are_no_opening_that_pays(tmp_path):
    """Twelve problems that Red solves stand in a row, and not in the title."""
    text = record() + record("c4c5 c7c6", result="0-1")
    for rank, file in itertools.product((3, 4), range(6)):
        rows = MATE.format(side="w").split("/")
        rows[rank] = f"{file}P{8 - file}".replace("0", "")
        text += record("b2b10", SetUp="1", FEN="/".join(rows))
    figure = balance.openings(facts(make_run(tmp_path, text)), WORDS)
    assert column(figure, "opening", "share_low")["from a set position"] > 0.5
    assert figure.finding == WORDS("openings-alike")


REPEATED = "h1g3 h10g8 g3h1 g8h10 h1g3 h10g8 g3h1 g8h10"


@pytest.mark.parametrize(
    "unfinished, silent, said",
    [
        pytest.param(
            2, 1,
            "; caution: 1 of these games claims no result and counts only because the rules end it (100.0 % of the 1"
            " are drawn, 0.0 % of the 2 with a result of their own); 2 like it are left out as unfinished",
            id="of the silent only those that the rules end",
        ),
        pytest.param(0, 1, None, id="every silent record counts"),
        pytest.param(2, 0, None, id="every game that counts has a result of its own"),
    ],
)  # fmt: skip
def test_results_that_only_the_rules_give_are_cautioned(tmp_path, unfinished, silent, said):
    text = record("h3e3 h10g8") + record("b3e3 b10c8", result="0-1")
    text += record(REPEATED, result="*") * silent
    text += "".join(record(f"{line} h10g8", result="*") for line in ("c4c5", "g4g5")[:unfinished])
    first, results, *others = filter(None, balance.balance(facts(make_run(tmp_path, text)), WORDS))
    finding = results.finding.replace("\u00a0", " ")
    assert finding.endswith(said) if said else "caution" not in finding
    assert ("caution: 1 of these games" in first.finding) == bool(said)
    for figure in others:
        assert figure.finding.endswith(WORDS("caution-brief")) == bool(said), figure.name


LINES = [f"h3{file}3 b8{reply}8" for file in "efgdc" for reply in "cdef"]
"""Lines of play that are no copies of each other."""


def test_where_only_the_rules_end_games_there_is_nothing_to_compare(tmp_path):
    text = record(REPEATED, result="*") + record("c4c5 h10g8", result="*") + record("g4g5 h10g8", result="*")
    first, results, *_ = balance.balance(facts(make_run(tmp_path, text)), WORDS)
    caution = "; caution: 1 of these games claims no result and counts only because the rules end it"
    assert first.finding.endswith(caution)
    assert results.finding.endswith(f"{caution}; 2 like it are left out as unfinished")


@pytest.mark.parametrize(
    "left, games, said",
    [
        pytest.param(
            [record(f"{line} a1a9", result="1/2-1/2") for line in ("c4c5 c7c6", "g4g5 g7g6")],
            3,
            "; caution: 2 records that claim a result (2 draws) are left out, since what they say cannot be played to"
            " its end; if they counted as they claim, Red would win 60.0 %, Black 0.0 %, and 40.0 % would be drawn",
            id="stopped by an illegal move",
        ),
        pytest.param(
            [record("c4c5 c7c6 z9z9"), record("")],
            3,
            "; caution: 2 records that claim a result (2 wins for Red) are left out, since what they say cannot be"
            " played to its end; if they counted as they claim, Red would win 100.0 %, Black 0.0 %, and 0.0 % would be"
            " drawn",
            id="unreadable, and without a move",
        ),
        pytest.param([record("c4c5 c7c6 a1a9", result="*")], 3, None, id="no result is lost"),
        pytest.param([record("c4c5 a1a9", result="0-1")], 20, None, id="too few to matter"),
        pytest.param([record(variant="Atomic"), record(LINES[0])], 3, None, id="another game, and a copy"),
    ],
)  # fmt: skip
def test_results_that_are_left_out_are_cautioned(tmp_path, left, games, said):
    text = "".join(record(line) for line in LINES[:games]) + "".join(left)
    first, results, *others = filter(None, balance.balance(facts(make_run(tmp_path, text)), WORDS))
    finding = results.finding.replace("\u00a0", " ")
    assert finding.endswith(said) if said else "caution" not in finding
    if said:
        assert first.finding.endswith(said.partition("; if")[0])
    for figure in others:
        assert figure.finding.endswith(WORDS("caution-brief")) == bool(said), figure.name


def booked(moves, book, **tags):
    """A record whose first ``book`` moves are marked as a book's."""
    said = [f"{move} {{book}}" if place < book else move for place, move in enumerate(moves.split())]
    return record(" ".join(said), **tags)


def test_after_a_book_the_first_mover_is_the_side_to_move(tmp_path):
    """Books of an odd and an even number of moves; a mark after other moves is no book."""
    text = booked("h3e3 h10g8 h1g3", 1, result="0-1") + booked("b3e3 b10c8 b1c3", 2, result="1-0", red="C")
    text += booked("c4c5 c7c6 b1c3", 1, result="0-1", red="D")
    text += record("g4g5 {book} g7g6 h1g3 {book} h10g8", result="1-0", red="E")
    text += record("e4e5 e7e6 {book} b1c3", result="1-0", red="F")
    found = facts(make_run(tmp_path, text))
    assert found.games["book"].to_list() == [1, 2, 1, 1, 0]
    games = begun(found)
    assert games["start"].to_list() == ["book"] * 4 + ["usual"]
    assert games["first_won"].to_list() == [True, True, True, False, True]
    first, results, *others = filter(None, balance.balance(found, WORDS))
    assert "After book moves, which neither side chose, the side to move wins 75.0\u00a0%" in first.finding
    assert "4 of 5 games begin with moves that their comments mark as a book's" in first.note
    assert "After book moves, which neither side chose, Red wins 50.0\u00a0%" in results.finding
    for figure in others:
        if figure.name == "openings":
            assert "in 4 of 5 games a book chose it" in figure.finding
            assert "4 of 5 games begin with moves" in figure.note
        else:
            assert "4 of 5 begin with moves of a book" in figure.note, figure.name


# -- very many games ---------------------------------------------------------------------------------


def test_of_very_many_games_a_part_is_looked_at_ply_by_ply(found, monkeypatch):
    monkeypatch.setattr("pipeline.reports.facts.MOST_GAMES", max(1, found.games.height // 3))
    whole = facts(found.run, copies=True)
    part = whole.sample
    assert part.step in (3, 5)
    wanted = [record for record in whole.games["record"] if record % part.step == 0]
    assert part.games["record"].to_list() == wanted
    plain = Plain(part)
    checks = Counter(ply["to"] for plies in plain.plies.values() for ply in plies if ply["check"])
    figures = {figure.name: figure for figure in course.course(whole, WORDS) if figure}
    if checks:
        assert column(figures["checks_by_point"], "point", "count") == checks
        assert (
            f"From a sample: {len(wanted)} of {whole.games.height} games" in figures["checks_by_point"].note
        )
    assert figures["events"].frame["n"].to_list()[0] == whole.games.height
    assert "sample" not in figures["events"].note


def test_a_sample_of_positions_weighs_games_like_all_of_them(tmp_path, monkeypatch):
    run = sample_run(tmp_path, "xiangqi", 60)
    exact = facts(run)
    assert not exact.thinned and "16" not in diversity.worth(exact, WORDS).note
    monkeypatch.setattr("pipeline.reports.facts.MANY", 0)
    thinned = facts(run)
    assert thinned.games["weight"].sum() == pytest.approx(exact.games["weight"].sum(), rel=0.02)
    for language in LANGUAGES:
        assert "16" in diversity.worth(thinned, Words(language)).note


# -- how numbers are written -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "low, high, said",
    [
        pytest.param(WORDS.signed(58), WORDS.signed(160), "+58 … +160", id="both above"),
        pytest.param(WORDS.signed(-25), WORDS.signed(74), "−25 … +74", id="around"),
        pytest.param("43.0", "68.1 %", "43.0–68.1 %", id="without a sign"),
    ],
)
def test_an_interval_of_numbers_with_signs_has_no_dash(low, high, said):
    assert WORDS.span(low, high) == said


@pytest.mark.parametrize(
    "number, said",
    [
        pytest.param(372.53, "373", id="rounded once"),
        pytest.param(2.9999999, "3", id="whole but for a last digit"),
        pytest.param(2.54, "2.5", id="small"),
        pytest.param(1204, "1,204", id="thousands"),
    ],
)
def test_a_count_is_rounded_once(number, said):
    assert WORDS.count(number) == said


def test_the_title_and_the_row_say_what_games_are_worth_alike(found):
    figure = diversity.worth(found, WORDS)
    (row,) = (row for row in figure.rows if row["measure"] == "effective")
    assert f"worth {WORDS.count(row['number'])} different" in figure.finding


def test_figures_beside_bars_and_dots_stand_apart_from_n():
    mark = charts.Mark(0.478, 0.4, 0.55, 178)
    for language, said in (("en", "47.8\u00a0%, n = 178"), ("zh", "47.8\u00a0%，n = 178")):
        told = {"labels": ["x"], "words": Words(language), "label": "y"}
        assert said in charts.bars([mark], tones=["plain"], **told)
        assert said in charts.dots([mark], **told)


def test_results_of_records_are_not_drawn_as_draws(tmp_path):
    figure = laws.rules_that_decide(facts(make_run(tmp_path, record())), WORDS)
    assert figure.draw.keywords["tones"] == ["soft"]


# -- what titles say ---------------------------------------------------------------------------------


def played(*groups, red="A", black="B"):
    """Games of ``groups``: how many, their outcome, their plies; of other names by another ``red``."""
    rows = [(outcome, plies) for number, outcome, plies in groups for _ in range(number)]
    return pl.DataFrame(
        {
            "record": range(len(rows)),
            "outcome": [outcome for outcome, _ in rows],
            "plies": [plies for _, plies in rows],
            "weight": 1.0,
            "red": red,
            "black": black,
        },
        schema_overrides={"record": pl.UInt32, "plies": pl.UInt32},
    )


@pytest.mark.parametrize(
    "groups, said",
    [
        pytest.param(
            [(6, "red", 30), (1, "draw", 30), (2, "black", 90), (5, "draw", 200)],
            "Half of 14 games last 30 plies or fewer, of which 85.7 % are decided;"
            " of the longer ones, up to 200, 28.6 %",
            id="long games are drawn",
        ),
        pytest.param([(1, "red", 1)], "Every game lasts 1 ply; 100.0 % are decided (n = 1)", id="one game"),
        pytest.param([(3, "draw", 300)], "Every game lasts 300 plies; 0.0 % are decided (n = 3)", id="alike"),
    ],
)
def test_the_title_of_lengths_says_how_decisive_they_are(groups, said):
    assert balance.lengths(played(*groups), WORDS).finding.replace("\u00a0", " ") == said


@pytest.mark.parametrize(
    "lengths, wanted",
    [
        pytest.param([7], (7, 7, 7), id="one"),
        pytest.param(range(1, 11), (1, 5, 9), id="ten"),
        pytest.param(range(1, 14), (2, 7, 12), id="thirteen"),
    ],
)
def test_so_many_games_are_over(lengths, wanted):
    games = pl.DataFrame({"plies": lengths})
    assert games.select(*(balance.over_by(p).alias(str(p)) for p in (10, 50, 90))).row(0) == wanted
    for percent, ply in zip((10, 50, 90), wanted, strict=True):
        assert sum(length <= ply for length in lengths) >= percent / 100 * len(lengths)
        assert sum(length < ply for length in lengths) < percent / 100 * len(lengths)


@pytest.mark.parametrize(
    "groups, said",
    [
        pytest.param(
            [(3, "red", 40), (20, "red", 50), (30, "draw", 120)],
            "50 when Red wins (n = 23), 120 when drawn (n = 30)",
            id="only outcomes that there are",
        ),
        pytest.param([(25, "red", 40), (3, "draw", 9)], "40 when Red wins (n = 25)", id="not of three draws"),
        pytest.param([(5, "red", 40), (4, "draw", 9)], "40 (n = 9)", id="few games, together"),
    ],
)
def test_the_title_of_running_speaks_of_many(groups, said):
    assert balance.running(played(*groups), WORDS).finding == f"Half of the games are over by ply {said}"


def met(red_wins, black_wins, red, black):
    return played((red_wins, "red", 40), (black_wins, "black", 40), red=red, black=black)


def test_colour_and_strength_are_told_apart():
    """A wins 30 of 40 with Red and 25 of 40 with Black: of colours Red has 45 of 80 wins, of players A 55 of 80."""
    figure = balance.pairings(pl.concat([met(30, 10, "A", "B"), met(15, 25, "B", "A")]), WORDS)
    (row,) = figure.rows
    assert (row["pairing"], row["played"], row["n"]) == ("A – B", 80, 80)
    assert (row["colour"], row["strength"]) == (pytest.approx(45 / 80), pytest.approx(55 / 80))
    assert row["colour_low"] < 0.5 < row["strength_low"]
    assert figure.finding.replace("\u00a0", " ").startswith("A – B: Red wins 56.2 % (")
    assert "and A 68.8\u00a0% (" in figure.finding


def test_how_often_a_player_had_red_does_not_matter():
    """A wins 3 of 4 with either colour, and has Red ten times as often."""
    (row,) = balance.pairings(pl.concat([met(75, 25, "A", "B"), met(2, 6, "B", "A")]), WORDS).rows
    assert (row["colour"], row["strength"]) == (pytest.approx(0.5), pytest.approx(0.75))


def test_with_one_colour_nobody_can_tell():
    figure = balance.pairings(pl.concat([met(30, 10, "A", "B"), met(4, 4, "C", "C")]), WORDS)
    (row,) = figure.rows
    assert (row["pairing"], row["colour"], row["strength"]) == ("A – B", None, None)
    assert figure.finding == WORDS("pairings-apart") and figure.draw is None
    assert balance.pairings(met(4, 4, "C", "C"), WORDS) is None


def test_the_title_of_many_rows_allows_for_chance():
    """One of many pairings seems uneven by chance."""
    likely = [met(8, 2, "A", "B"), met(2, 8, "B", "A")]
    even = [met(5, 5, *names) for n in range(8) for names in ((f"R{n}", "S"), ("S", f"R{n}"))]
    assert "and A 80.0\u00a0%" in balance.pairings(pl.concat(likely), WORDS).finding
    found = balance.pairings(pl.concat(likely + even), WORDS)
    assert found.frame["strength_low"].max() > 0.5
    assert found.finding == WORDS("pairings-alike")
    sure = [met(40, 0, "T", "U"), met(0, 40, "U", "T"), met(30, 0, "V", "W"), met(0, 30, "W", "V")]
    found = balance.pairings(pl.concat(likely + sure), WORDS)
    assert found.finding.startswith("T – U: Red wins 50.0") and "2 rows are not even either" in found.finding


def test_kinds_that_survive_alike_are_not_ranked(tmp_path):
    found = course.Course(facts(make_run(tmp_path, record())))
    assert (
        course.survivors(found, WORDS).finding == "All kinds of pieces survive equally often (100.0\u00a0%)"
    )
