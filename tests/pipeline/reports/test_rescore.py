"""Engine matches scored again: pairs, results as ruled, what each engine did wrong, and the command."""

import csv
import json
import re

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from conftest import shared
from reference.oracle import rows

pytest.importorskip("scipy", reason="statistics need the extra caipan[statistics]")

from pathlib import Path

from adjudicator import Position
from pipeline import run
from pipeline.cli import main
from pipeline.reports import matches, rescoring, scoresheet, strength
from pipeline.reports.matches import LEFT_OUT
from pipeline.reports.strength import Bounds
from pipeline.reports.words import LANGUAGES, Words

REPOSITORY = Path(__file__).resolve().parents[3]
PAIRED = REPOSITORY / "data" / "paired" / "atomic.pgn"

OPEN = ["h3e3", "h10g8", "h1g3", "i10h10"]
OTHER = ["c4c5", "g7g6", "b1c3", "h8e8"]
# A chariot checks back and forth, the general steps aside: Red alone checks on every move.
CHECKS = ["a2d2", *["d10e10", "d2e2", "e10d10", "e2d2"] * 2, "d10e10", "d2e2"]
PERPETUAL = dict(FEN="3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1", moves=CHECKS)


def record(red="A", black="B", result="1-0", moves=OPEN, comment=None, **tags):
    """One record in PGN; a move may bring its comment, ``comment`` is the last one."""
    tags = {"Red": red, "Black": black, "Result": result, **tags}
    if "FEN" in tags:
        tags["SetUp"] = "1"
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value is not None)
    said = [*moves, *([f"{{{comment}}}"] if comment else [])]
    return f"{head}\n{' '.join(said)} {result}\n\n"


@pytest.fixture
def scored(tmp_path):
    """Scores the records given; ``rules`` and ``book`` are the run's."""

    def score(*records, rules="xiangqi", book=None, **wishes):
        path = tmp_path / "match.pgn"
        path.write_text("".join(records), encoding="utf-8")
        with run.temporary([path], rules=rules, book=book, jobs=1) as summary:
            return rescoring.rescore([summary.out], **wishes)

    return score


# -- a real match ------------------------------------------------------------------------------------


def counted_by_hand(path, engine):
    """Wins, draws, losses of ``engine`` and pairs by its points, from the tags alone: Round is PAIR.GAME."""
    points, pairs = [], {}
    for game in re.split(r"(?m)^(?=\[Event )", path.read_text())[1:]:
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))
        won = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}[tags["Result"]]
        points.append(won if tags.get("Red", tags.get("White")) == engine else 1 - won)
        pairs.setdefault(tags["Round"].split(".")[0], []).append(points[-1])
    sums = [sum(pair) for pair in pairs.values()]
    return [points.count(p) for p in (1, 0.5, 0)], tuple(sums.count(p) for p in (0, 0.5, 1, 1.5, 2))


def test_a_match_is_counted_as_by_hand(scored):
    found = scored(PAIRED.read_text(), rules="atomic", engine="FSF-n500")
    [pairing] = found.pairings
    outcomes, pairs = counted_by_hand(PAIRED, "FSF-n500")
    assert [pairing.recorded.wins, pairing.recorded.draws, pairing.recorded.losses] == outcomes == [14, 4, 22]
    assert pairing.recorded.pairs == pairs == (5, 2, 10, 2, 1)
    assert pairing.recorded.singles == (0, 0, 0)
    # 16 points of 40: 400 log10(16/24)
    assert pairing.recorded.elo.value == pytest.approx(-70.44, abs=0.01)


def test_the_result_that_changes_says_why(scored):
    found = scored(PAIRED.read_text(), rules="atomic", engine="FSF-n500")
    [row] = found.changed.to_dicts()
    assert (row["index"], row["recorded"], row["ruled"], row["reason"], row["ply"]) == (
        19,
        "draw",
        "red",
        "perpetual-check",
        75,
    )
    assert "Black alone checked on every move and loses" in row["explanation"]
    [pairing] = found.pairings
    assert (pairing.changed, pairing.ruled.draws, pairing.ruled.losses) == (1, 3, 23)
    assert pairing.ruled.pairs == (5, 2, 11, 1, 1)
    assert {engine.name: engine.thrown_by_repetition for engine in found.engines} == {
        "FSF-n500": 1,
        "FSF-n1200": 0,
    }


@pytest.mark.parametrize(
    "name, rules", [("xiangqi", "xiangqi"), ("fortress", "fortress"), ("jump-cannon", "jump-cannon")]
)
def test_whole_matches_are_counted_as_by_hand(name, rules):
    path = shared(f"matches/{name}.pgn")
    with run.temporary([path], rules=rules, jobs=1) as summary:
        [pairing] = rescoring.rescore([summary.out], engine="FSF-n500").pairings
    outcomes, pairs = counted_by_hand(path, "FSF-n500")
    assert [pairing.recorded.wins, pairing.recorded.draws, pairing.recorded.losses] == outcomes
    assert pairing.recorded.pairs == pairs
    assert pairing.recorded.singles == (0, 0, 0)


@pytest.fixture
def halves(tmp_path):
    """Two runs over the records of the sample match, between two games of one pair."""
    records = re.split(r"(?m)^(?=\[Event )", PAIRED.read_text())[1:]
    runs = []
    for name, half in (("one", records[:19]), ("other", records[19:])):
        (path := tmp_path / f"{name}.pgn").write_text("".join(half))
        runs.append(run.adjudicate([path], rules="atomic", out=tmp_path / name, jobs=1).out)
    return runs


def test_runs_of_one_rule_set_and_book_are_one_match(scored, halves):
    whole, found = scored(PAIRED.read_text(), rules="atomic"), rescoring.rescore(halves)
    assert repr(found.pairings) == repr(whole.pairings)  # NaN is no NaN
    assert found.engines == whole.engines
    apart = ["source", "line", "index"]
    assert found.table.drop(apart).equals(whole.table.drop(apart))
    assert caipan("rescore", *halves, halves[0]).stdout.startswith("40  games\n20  pairs")


def test_runs_that_are_no_one_match_are_told_apart(halves, tmp_path):
    one, _ = halves
    for name, options in (("rules", {"rules": "xiangqi"}), ("book", {"rules": "atomic", "book": "axf"})):
        run.adjudicate([tmp_path / "other.pgn"], out=tmp_path / name, jobs=1, **options)
    for given, said in {
        (
            one,
            tmp_path / "rules",
        ): f"different rules are no one match: {one} (atomic) and {tmp_path}/rules (xiangqi)",
        (one, tmp_path / "book"): f"{one} (site) and {tmp_path}/book (axf); name one with --book",
        (PAIRED, one): f"{one} is a finished run, and {PAIRED} is not: give finished runs alone",
    }.items():
        result = caipan("rescore", *given)
        assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
    assert caipan("rescore", one, tmp_path / "book", "--book", "cxa").exit_code == 0


OUTCOMES = {
    0: ("0-1", "1-0"),
    1: ("1/2-1/2", "1-0"),
    2: ("1-0", "1-0"),
    3: ("1/2-1/2", "0-1"),
    4: ("1-0", "0-1"),
}
"""Results of the two games of a pair, by twice the points of the engine that is Red in the first."""


def test_a_simulated_match_comes_back_as_it_was_made(scored):
    """Pairs of set probabilities from openings of their own, some records twice."""
    rng = np.random.default_rng(1)
    made = rng.multinomial(150, (0.1, 0.2, 0.3, 0.25, 0.15))
    truth = float(strength.elo(np.dot((0.1, 0.2, 0.3, 0.25, 0.15), np.arange(5)) / 4))
    games, copies = [], 0
    for number, points in enumerate(rng.permutation(np.repeat(np.arange(5), made))):
        opening = Position()
        for _ in range(6):
            moves = opening.legal_moves()
            opening.push(moves[rng.integers(len(moves))])
        for game, result in enumerate(OUTCOMES[points]):
            players = ("A", "B") if game == 0 else ("B", "A")
            reply = opening.legal_moves()[game : game + 1]
            games += [record(*players, result, reply, FEN=opening.fen(), Round=f"{number}.{game}")] * (
                1 + number % 3 // 2
            )
        copies += 2 * (number % 3 // 2)
    found = scored(*games, min_plies=1)
    [pairing] = found.pairings
    assert pairing.recorded.pairs == tuple(made)
    assert found.left_out == {"copy": copies}
    assert pairing.recorded.elo.low < truth < pairing.recorded.elo.high


# -- pairs -------------------------------------------------------------------------------------------

FROM_C4 = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b - - 0 1"
FROM_G4 = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/6P2/P1P1P3P/1C5C1/9/RNBAKABNR b - - 0 1"
REPLY = ["h10g8", "h1g3"]


def booked(moves, number):
    return [f"{move} {{book}}" if place < number else move for place, move in enumerate(moves)]


@pytest.mark.parametrize(
    "games, pairs",
    [
        pytest.param([dict(Round="1.1"), dict(red="B", black="A", Round="1.2")], [0, 0], id="rounds 1.1 and 1.2"),
        pytest.param([dict(Round="7"), dict(red="B", black="A", Round="7")], [0, 0], id="one round for both"),
        pytest.param([dict(Round="1"), dict(red="B", black="A", Round="2")], [None, None], id="two rounds"),
        pytest.param([dict(Round="?"), dict(red="B", black="A", Round="?")], [None, None], id="round unknown"),
        pytest.param([dict(Round="1.1"), dict(Round="1.2")], [None, None], id="the same colours"),
        pytest.param(
            [dict(Round="1.1"), dict(red="B", black="A", Round="1.2", moves=OTHER)], [None, None], id="other moves"
        ),
        pytest.param([{}, dict(red="B", black="A")], [None, None], id="no round, no opening known"),
        pytest.param(
            [dict(FEN=FROM_C4, moves=REPLY), dict(red="B", black="A", FEN=FROM_C4, moves=REPLY, result="0-1")], [0, 0],
            id="one start position",
        ),
        pytest.param(
            [dict(FEN=FROM_C4, moves=REPLY), dict(red="B", black="A", FEN=FROM_G4, moves=REPLY)], [None, None],
            id="two start positions",
        ),
        pytest.param(
            [dict(moves=booked(OPEN, 2)), dict(red="B", black="A", moves=booked([*OPEN[:2], *OTHER[2:]], 2))], [0, 0],
            id="the same book moves",
        ),
        pytest.param(
            [dict(moves=booked(OPEN, 2)), dict(red="B", black="A", moves=booked(OTHER, 2))], [None, None],
            id="other book moves",
        ),
        pytest.param(
            [
                dict(FEN=FROM_C4, moves=REPLY, Round="1"), dict(FEN=FROM_C4, moves=REPLY, Round="2"),
                dict(red="B", black="A", FEN=FROM_C4, moves=REPLY, Round="3"),
                dict(red="B", black="A", FEN=FROM_C4, moves=REPLY, Round="4"),
                dict(FEN=FROM_C4, moves=REPLY, Round="5"),
            ],
            [0, 1, 0, 1, None],
            id="one opening five times",
        ),
        pytest.param(
            [
                dict(FEN=FROM_C4, moves=REPLY), dict(red="C", black="A", FEN=FROM_C4, moves=REPLY),
                dict(red="B", black="A", FEN=FROM_C4, moves=REPLY),
            ],
            [0, None, 0],
            id="another engine in between",
        ),
        pytest.param(
            [dict(Round="1", Event="one"), dict(red="B", black="A", Round="1", Event="two")], [None, None],
            id="two events",
        ),
    ],
)  # fmt: skip
def test_pairs(scored, games, pairs):
    table = scored(*(record(**game) for game in games), copies=True).table
    assert table["pair"].to_list() == pairs


def test_a_pair_of_which_one_game_has_no_result_is_a_game_alone(scored):
    illegal = [*OPEN[:2], "e3e3"]
    [pairing] = scored(record(Round="1.1"), record("B", "A", "1/2-1/2", illegal, Round="1.2")).pairings
    assert (pairing.recorded.pairs, pairing.recorded.singles) == ((0, 0, 0, 1, 0), (0, 0, 0))
    assert (pairing.ruled.pairs, pairing.ruled.singles) == ((0, 0, 0, 0, 0), (0, 0, 1))


# -- results as ruled --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game, recorded, ruled, reason",
    [
        pytest.param(dict(result="0-1"), "black", "black", None, id="resigned: the recorded result stands"),
        pytest.param(dict(result="*"), None, None, None, id="unfinished"),
        pytest.param(PERPETUAL | dict(result="1/2-1/2"), "draw", "black", "perpetual-check", id="checks"),
        pytest.param(PERPETUAL | dict(result="*"), None, "black", "perpetual-check", id="no result recorded"),
        pytest.param(
            PERPETUAL | dict(result="1-0", moves=[*CHECKS, "e10e9", "e2e9"]),
            *("red", "black", "perpetual-check"),
            id="played on after the end",
        ),
        pytest.param(
            dict(result="1/2-1/2", moves=["h3e3", "h10h9"]), "draw", None, "illegal-move", id="illegal move"
        ),
        pytest.param(
            dict(result="1-0", moves=["h3e3", "castles"]),
            "red",
            "red",
            None,
            id="unreadable: the result stands",
        ),
    ],
)
def test_results(scored, game, recorded, ruled, reason):
    [row] = scored(record(**game)).table.to_dicts()
    assert (row["recorded"], row["ruled"], row["reason"]) == (recorded, ruled, reason)


@pytest.mark.parametrize(
    "moves, fen, side",
    [
        pytest.param(["a1a1", "h10g8"], None, "red", id="red's first"),
        pytest.param(["h3e3", "h10h8"], None, "black", id="black's"),
        pytest.param(["h10h8", "h1g3"], FROM_C4, "black", id="black moves first"),
        pytest.param(["h10g8", "h1h3"], FROM_C4, "red", id="red moves second"),
    ],
)
def test_an_illegal_move_is_the_movers(scored, moves, fen, side):
    game = record(result="1/2-1/2", moves=moves, FEN=fen)
    other = {"red": "black", "black": "red"}[side]
    for illegal, ruled in (("void", None), ("loses", other)):
        found = scored(game, illegal=illegal)
        assert found.table.select("illegal", "ruled").row(0) == (side, ruled)
    assert {engine.name: engine.illegal_moves for engine in found.engines} == {
        "A": side == "red",
        "B": side == "black",
    }


@pytest.mark.parametrize(
    "game, mark, side",
    [
        (record(result="0-1", Termination="time forfeit"), "timeout", "red"),
        (record(result="1-0", comment="Black loses on time"), "timeout", "black"),
        (record(result="1-0", comment="黑方超时判负"), "timeout", "black"),
        (
            record(result="1-0", Termination="adjudication", comment="this time Red is better"),
            "timeout",
            None,
        ),
        (record(result="1/2-1/2", Termination="time forfeit"), "timeout", None),
        (record(result="0-1", Termination="Time forfeit", comment="a remark"), "timeout", "red"),
        (record(result="0-1", comment="Red makes an illegal move: a1a9"), "illegal", "red"),
        (record(result="1-0", Termination="rules infraction"), "illegal", "black"),
        (record(result="1/2-1/2", **PERPETUAL), "repeater", "red"),
    ],
)
def test_what_a_side_did_wrong(scored, game, mark, side):
    assert scored(game).table[mark].to_list() == [side]


def test_another_book_rules_otherwise(scored):
    game = record(result="1/2-1/2", **PERPETUAL)
    assert scored(game, book="site").changed.height == 1
    assert scored(game, book="site-draw").changed.height == 0


# -- what results rest on -----------------------------------------------------------------------------

MATED = dict(FEN="3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1", moves=["b1b10"])
# Both sides shuffle until the position stands for the third time.
SHUFFLE = [*OPEN[:2], *["h1g3", "h8i8", "g3h1", "i8h8"] * 2]


@pytest.mark.parametrize(
    "game, book, rests_on, stated",
    [
        pytest.param(MATED, None, "rules", None, id="mate"),
        pytest.param({}, None, "record", "unstated", id="nothing said"),
        pytest.param(dict(Termination="normal"), None, "record", "unstated", id="normal says nothing"),
        pytest.param(dict(Termination="adjudication"), None, "record", "adjudication", id="adjudicated"),
        pytest.param(dict(comment="Red wins by adjudication"), None, "record", "adjudication", id="by its comment"),
        pytest.param(
            dict(Termination="adjudication", comment="Draw by adjudication: maximum game length"),
            *(None, "record", "length"),
            id="too long",
        ),
        pytest.param(dict(Termination="ply limit"), None, "record", "length", id="so many plies"),
        pytest.param(dict(Termination="time forfeit"), None, "record", "time", id="on time"),
        pytest.param(dict(comment="Black resigns"), None, "record", "resignation", id="resigned"),
        pytest.param(dict(comment="议和"), None, "record", "agreement", id="agreed, in Chinese"),
        pytest.param(dict(Termination="abandoned"), None, "record", "abandoned", id="abandoned"),
        pytest.param(dict(comment="Draw by 50-move rule"), None, "record", "no-capture", id="another's limit"),
        pytest.param(dict(moves=SHUFFLE, result="1/2-1/2"), None, "rules", None, id="repetition"),
        pytest.param(dict(moves=SHUFFLE, result="1/2-1/2"), "site-draw", "rules", None, id="a draw there, too"),
        pytest.param(
            dict(moves=SHUFFLE, result="1/2-1/2"), "none", "record", "repetition", id="repetition, not in this book"
        ),
        pytest.param(
            dict(comment="Draw by 3-fold repetition", result="1/2-1/2"), None, "record", "repetition", id="claimed only"
        ),
        pytest.param(
            dict(moves=[*SHUFFLE, "a1a2"], result="1/2-1/2"), "none", "record", "unstated", id="played on"
        ),
        pytest.param(PERPETUAL | dict(result="0-1"), None, "rules", None, id="perpetual check"),
        pytest.param(PERPETUAL | dict(result="0-1"), "none", "record", "repetition", id="not in this book"),
        pytest.param(dict(moves=[*OPEN, "castles"]), None, "record", "unread", id="unreadable"),
        pytest.param(dict(moves=[*OPEN, "a10a9"]), None, "record", "wrong-side", id="the other side moves"),
        pytest.param(dict(moves=[*OPEN, "a1a9"]), None, None, None, id="illegal: no result"),
    ],
)  # fmt: skip
def test_what_a_result_rests_on(scored, game, book, rests_on, stated):
    found = scored(record(**game), book=book)
    [row] = found.table.to_dicts()
    assert (row["rests_on"], row["stated"]) == (rests_on, stated)
    assert found.confirmed + found.alone.height + found.changed.height == found.counted.height == 1
    said = "\n".join(scoresheet.report(found))
    assert ("rests on the record alone" in said) == (rests_on == "record")
    assert ("does not end it under xiangqi by book" in said) == (stated in ("repetition", "no-capture"))


def test_a_loss_by_an_illegal_move_is_the_rules(scored):
    found = scored(record(moves=[*OPEN, "a1a9"], result="0-1"), illegal="loses")
    assert (found.confirmed, found.alone.height, found.changed.height) == (1, 0, 0)


def test_every_form_says_what_results_rest_on(tmp_path):
    games = [
        MATED,
        {},
        dict(Termination="adjudication", Round="2", moves=OTHER),
        PERPETUAL | dict(result="1/2-1/2"),
    ]
    (tmp_path / "match.pgn").write_text("".join(record(**game) for game in games))
    outs = [word for form in ("parquet", "csv", "json", "md") for word in ("--out", tmp_path / f"out.{form}")]
    said = caipan("rescore", tmp_path / "match.pgn", *outs).stdout
    lines = [
        "1  result that the rules confirm",
        "1  result that changes",
        "2  results that rest on the record alone: nothing on the board gives them",
    ]
    assert "\n".join(lines) in said
    written = (tmp_path / "out.md").read_text()
    for text in (*lines, "results that rest on the record alone"):
        assert text in written
    assert "| adjudicated | 1 | 1 | 0 | 0 |" in written and "| no reason given | 1 | 1 | 0 | 0 |" in written
    told = json.loads((tmp_path / "out.json").read_text())
    assert (told["confirmed"], told["alone"], len(told["changed"])) == (
        1,
        {"adjudication": 1, "unstated": 1},
        1,
    )
    assert told["pairings"][0]["alone"] == 2
    table = pl.read_parquet(tmp_path / "out.parquet")
    assert table["rests_on"].to_list() == ["rules", "record", "record", "rules"]
    assert table["stated"].to_list() == [None, "unstated", "adjudication", None]


def test_the_report_is_in_chinese_where_it_is_asked_for(tmp_path):
    match = tmp_path / "赛.pgn"
    games = [
        record(**PERPETUAL, Termination="adjudication"),
        record(moves=[*OPEN, "a1a9"]),
        record(moves=[*OPEN, "a10a9"]),
        record(red=None),
        record(moves=OTHER, result="0-1", Variant="atomic"),
    ]
    match.write_text("".join(games), encoding="utf-8")
    out = tmp_path / "r.md"
    result = caipan("rescore", match, "--lang", "zh", "--elo0", 0, "--elo1", 5, "--out", out)
    assert result.exit_code == 0, result.output
    for said in (result.stdout, out.read_text("utf-8")):
        assert (
            "改变的结果" in said and "长将" in said and "违例着法" in said and "棋谱止于不该走的一方" in said
        )
        assert not re.search(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}", said.replace(str(match), "")), said


def test_every_reason_has_words():
    for language in LANGUAGES:
        words = Words(language)
        for why in matches.ALONE:
            assert words(f"match-alone-{why}", rules="r", book="b")
        for why in LEFT_OUT:
            assert words(f"match-left-{why.replace(' ', '-')}")
    assert set(matches.ALONE) == {
        *matches.OFF_BOARD,
        *matches.ON_BOARD,
        matches.OTHER_SIDE,
        matches.UNSTATED,
        "unread",
    }


@pytest.mark.parametrize(
    "result, thrown",
    [("1/2-1/2", 1), ("1-0", 1), ("*", 1), pytest.param("0-1", 0, id="lost as recorded, too")],
)
def test_only_points_that_the_record_gives_are_thrown(scored, result, thrown):
    found = scored(record(**PERPETUAL | dict(result=result)))
    assert {engine.name: engine.thrown_by_repetition for engine in found.engines} == {"A": thrown, "B": 0}
    assert "thrown by repetition: not lost as recorded, but lost as ruled for how" in "\n".join(
        scoresheet.report(found)
    )


def test_the_sequential_test_says_when_it_is_made(scored):
    said = "\n".join(scoresheet.report(scored(record(), bounds=Bounds(0, 100))))
    assert "computed once, at the end of the match, not after each game" in said


# -- games left out ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "games, why",
    [
        pytest.param([record(moves=[])], ["no move"], id="no move"),
        pytest.param([record(moves=OPEN[:1])], ["too short"], id="the second side never moved"),
        pytest.param([record(result="*")], ["no result"], id="unfinished"),
        pytest.param([record(red=None)], ["unnamed"], id="no tag"),
        pytest.param([record(black="?")], ["unnamed"], id="unknown"),
        pytest.param([record(black=" ")], ["unnamed"], id="blank"),
        pytest.param([record(black="A")], ["same name"], id="one name"),
        pytest.param([record(Round="1"), record(Round="1")], [None, "copy"], id="the same game once more"),
        pytest.param(
            [record(result="*"), record(), record()],
            ["no result", None, "copy"],
            id="a copy of an unfinished one",
        ),
        pytest.param(
            [record(Round="1"), record(Round="2")], [None, "copy"], id="the same moves in another round"
        ),
        pytest.param([record(), record(result="0-1")], [None, None], id="the same moves with another result"),
        pytest.param(
            [record(moves=[*OPEN, "a1a9"]), record(moves=[*OPEN, "a1b9"])],
            [None, None],
            id="other illegal moves",
        ),
        pytest.param([record(Variant="Atomic"), record()], ["other variant", None], id="another variant"),
        pytest.param([record(), record("B", "A")], [None, None], id="the same moves with other colours"),
    ],
)
def test_games_left_out(scored, games, why):
    found = scored(*games)
    assert found.table["left_out"].to_list() == why
    assert set(found.left_out) == set(why) - {None} <= set(LEFT_OUT)


def test_a_game_of_one_move_that_mates_counts(scored):
    fen = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"
    assert scored(record(FEN=fen, moves=["b1b10"])).table["left_out"].to_list() == [None]


def test_records_that_are_no_games_are_left_out_with_their_reason(scored):
    """Zero-move and one-move records are listed, never counted."""
    [row] = [row for row in rows("bug_cases") if row["id"] == "BUG-069"]
    shuffle = ["h1g3", "h10g8", "i1h1", "i10h10", "h1i1", "h10i10", "g3h1", "g8h10"] * 8
    words = {"no move": "no move", "second side never moved": "too short", "unfinished": "no result"}
    games = [
        record(result=g["result"], moves=shuffle[: g["plies"]], Round=str(g["id"]))
        for g in row["input"]["rows"]
    ]
    found = scored(*games, book="none")
    ids = [g["id"] for g in row["input"]["rows"]]
    told = dict(zip(ids, found.table["left_out"], strict=True))
    assert [number for number, why in told.items() if why is None] == row["expected"]["counted"]
    assert {n: why for n, why in told.items() if why} == {
        e["id"]: words[e["why"]] for e in row["expected"]["excluded"]
    }


# -- engines and pairings ----------------------------------------------------------------------------


def test_three_engines_meet_in_three_pairings(scored):
    found = scored(
        record("A", "B", "1-0", Round="1"), record("B", "C", "1-0", Round="2"), record("C", "A", "1/2-1/2", Round="3"),
        record("C", "B", "1-0", Round="4"),
    )  # fmt: skip
    told = {
        (p.first, p.second): (p.recorded.wins, p.recorded.draws, p.recorded.losses) for p in found.pairings
    }
    assert told == {("A", "B"): (1, 0, 0), ("A", "C"): (0, 1, 0), ("B", "C"): (1, 0, 1)}
    assert {e.name: e.recorded for e in found.engines} == {"A": (1, 1, 0), "B": (1, 0, 2), "C": (1, 1, 1)}


def test_many_pairings_stand_in_one_table(scored, tmp_path):
    """Thirteen players meet the first one once each; two of them ten times. JSON has them all."""
    games = [record("A", f"P{number}", moves=OPEN[: 2 + number % 3]) for number in range(13)]
    games += [record("A", "P7", "0-1", Round=str(number)) for number in range(9)]
    games += [record("P9", "A", "1/2-1/2", Round=str(number)) for number in range(10)]
    found = scored(*games, copies=True)
    first, *_ = scoresheet.blocks(found, Words())
    assert first.title == "pairings"
    assert [row[:3] for row in first.rows] == [
        ("A – P9", "11", "1 10 0"),
        ("A – P7", "10", "1 0 9"),
        ("11 other pairings, at most 1 game each: --out F.json has them", "11", ""),
    ]
    assert first.rows[1][3] == scoresheet.interval(found.pairings[7].recorded.elo)
    assert "∞" not in "".join(scoresheet.report(found)[:20])
    scoresheet.write(found, tmp_path / "f.json", "json")
    assert len(json.loads((tmp_path / "f.json").read_text())["pairings"]) == 13


def test_one_table_of_pairings_has_the_sequential_test(scored):
    games = [record("A", f"P{number}", Round=str(game)) for number in range(13) for game in range(10)]
    first, *_ = scoresheet.blocks(scored(*games, copies=True, bounds=Bounds(0, 100)), Words())
    assert first.head[-2:] == ("LLR", "SPRT") and {len(row) for row in first.rows} == {8}
    assert len(first.rows) == 13


def test_of_very_many_engines_those_that_played_most_are_listed(scored):
    games = [record("A", f"P{number}") for number in range(60)]
    *_, engines = scoresheet.blocks(scored(*games), Words())
    assert len(engines.rows) == scoresheet.MOST_LINES + 1 and engines.rows[0][0] == "A"
    assert engines.rows[-1][:2] == ("11 other engines, at most 1 game each: --out F.json has them", "11")


def test_games_that_only_the_rules_end_are_a_selected_sample(scored):
    mated = record(FEN="3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1", moves=["b1b10"], result="*")
    warned = "1 game counts only because the rules end it, while 1 unfinished one is left out"
    assert warned in "\n".join(scoresheet.report(scored(mated, record(result="*"), record())))
    assert "selected" not in "\n".join(scoresheet.report(scored(mated, record())))


def test_engines_stand_in_the_order_of_their_scores(scored):
    found = scored(record("A", "B", "0-1", Round="1"), record("C", "A", "1/2-1/2", Round="2"))
    engines = next(block for block in scoresheet.blocks(found, Words()) if block.title == "engines")
    assert [row[:4] for row in engines.rows] == [
        ("B", "1", "1 0 0", "100.0 %"),
        ("C", "1", "0 1 0", "50.0 %"),
        ("A", "2", "0 1 1", "25.0 %"),
    ]


def test_who_has_no_result_has_no_score(scored):
    fen = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"
    found = scored(record("A", "B", "*", ["b1b10"], FEN=fen))
    engines = next(block for block in scoresheet.blocks(found, Words()) if block.title == "engines")
    assert [row[:6] for row in engines.rows] == [
        ("A", "1", "0 0 0", "–", "1 0 0", "100.0 %"),
        ("B", "1", "0 0 0", "–", "0 0 1", "0.0 %"),
    ]


def test_the_engine_asked_for_comes_first(scored):
    found = scored(record("A", "B", "1-0"), engine="B")
    [pairing] = found.pairings
    assert (pairing.first, pairing.recorded.losses, found.engines[0].name) == ("B", 1, "B")
    with pytest.raises(rescoring.NoSuchEngine, match="no engine is called X; there are A, B"):
        scored(record("A", "B", "1-0"), engine="X")


def test_a_match_without_names_has_no_figures(scored):
    found = scored(record(None, None), record("?", "?"))
    assert (found.pairings, found.engines, found.counted.height) == ((), (), 0)


def test_a_sequential_test_is_that_of_the_pairs(scored):
    [pairing] = scored(PAIRED.read_text(), rules="atomic", bounds=Bounds(0, 200)).pairings
    assert pairing.recorded.sprt.accepted == "H0"
    assert pairing.ruled.sprt.llr < pairing.recorded.sprt.llr < Bounds(0, 200).lower


# -- the command -------------------------------------------------------------------------------------


def caipan(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "atomic"
    run.adjudicate([PAIRED], rules="atomic", out=out, jobs=1)
    return out


def test_a_finished_run_gives_what_its_files_give(finished):
    by_files = caipan("rescore", PAIRED, "--rules", "atomic")
    by_run = caipan("rescore", finished)
    assert by_files.exit_code == by_run.exit_code == 0
    assert by_files.stdout == by_run.stdout
    assert "-70.4 (-166.4 … +17.9)" in by_run.stdout
    assert caipan("rescore", PAIRED, "--rules", "atomic", "--jobs", "2").stdout == by_run.stdout


def test_a_finished_run_can_be_ruled_by_another_book(finished):
    assert "0  results that change" in caipan("rescore", finished, "--book", "site-draw").stdout
    assert "1  result that changes" in caipan("rescore", finished).stdout


@pytest.mark.parametrize(
    "words, said",
    [
        (["--rules", "xiangqi"], "leave out --rules"),
        (["--set", "no_capture_limit=9"], "leave out --set"),
        (["--elo0", "0"], "needs both --elo0 and --elo1"),
        (["--elo0", "5", "--elo1", "0"], "elo0 must be less than elo1"),
        (["--elo0", "0", "--elo1", "5", "--alpha", "0.7"], "alpha and beta must lie between"),
        (["--engine", "X"], "no engine is called X; there are FSF-n500, FSF-n1200"),
        (["--book", "nothing"], "nothing"),
        (["--out", "games.xls"], "the ending is none of .parquet, .csv, .json, .md"),
    ],
)
def test_what_is_asked_wrongly_is_one_clean_line(finished, words, said):
    result = caipan("rescore", finished, *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_tables_have_every_game(finished, tmp_path):
    for form in ("parquet", "csv"):
        assert caipan("rescore", finished, "--out", tmp_path / f"games.{form}").exit_code == 0
    table = pl.read_parquet(tmp_path / "games.parquet")
    assert table.height == 40
    assert table.filter(pl.col("recorded") != pl.col("ruled"))["line"].to_list() == [622]
    with (tmp_path / "games.csv").open(encoding="utf-8") as file:
        told = list(csv.DictReader(file))
    assert [row["ruled"] for row in told] == table["ruled"].to_list()


def test_json_has_the_figures(finished, tmp_path):
    out = tmp_path / "figures.json"
    assert caipan("rescore", finished, "--elo0", "0", "--elo1", "50", "--out", out).exit_code == 0
    told = json.loads(out.read_text(encoding="utf-8"))
    [pairing] = told["pairings"]
    assert pairing["ruled"]["pairs"] == [5, 2, 11, 1, 1]
    assert pairing["ruled"]["sprt"]["accepted"] == ""
    assert told["sprt"]["upper"] == pytest.approx(2.944, abs=1e-3)
    assert [game["reason"] for game in told["changed"]] == ["perpetual-check"]


def test_a_match_without_a_loss_has_no_infinite_number_in_json(tmp_path):
    (tmp_path / "won.pgn").write_text(record(Round="1") + record("B", "A", "0-1", Round="1"))
    result = caipan("rescore", tmp_path / "won.pgn", "--out", tmp_path / "won.json")
    assert "∞ (-306.1 … ∞)" in result.stdout
    [pairing] = json.loads((tmp_path / "won.json").read_text())["pairings"]
    assert (pairing["recorded"]["elo"]["value"], pairing["recorded"]["pairs"]) == (None, [0, 0, 0, 0, 1])


def test_names_steer_neither_terminal_nor_markdown(tmp_path):
    hostile = "\x1b[31m<script>|`x`\u202e" + "长" * 5_000
    (tmp_path / "match.pgn").write_text(record(red=hostile), encoding="utf-8")
    result = caipan("rescore", tmp_path / "match.pgn", "--out", tmp_path / "report.md")
    assert result.exit_code == 0
    assert not set("\x1b\u202e") & set(result.stdout)
    assert max(map(len, result.stdout.splitlines())) < 400
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert r"\<script\>\|" in markdown


def test_a_match_that_cannot_be_scored_says_so(tmp_path):
    (tmp_path / "match.pgn").write_text(record(None, None))
    result = caipan("rescore", tmp_path / "match.pgn", "--out", tmp_path / "games.csv")
    assert result.exit_code == 1
    assert "no game can be scored: the record is left out" in result.stdout
    assert "unnamed" in (tmp_path / "games.csv").read_text()
    assert "1  left out: a player has no name" in result.stdout
    assert "Elo" not in result.stdout


def test_files_without_games_are_named(tmp_path):
    (tmp_path / "empty.pgn").write_text("")
    result = caipan("rescore", tmp_path / "empty.pgn", PAIRED, "--rules", "atomic")
    assert "no games found: " in result.stderr
    assert "40  games" in result.stdout


def test_a_run_without_games_is_no_match(tmp_path):
    result = caipan("rescore", tmp_path)
    assert result.exit_code == 1
    assert "no game can be scored: there are no records" in result.stdout


def test_records_of_another_game_are_told_where_they_belong(tmp_path):
    """A form of the game asked for is read, another game is not."""
    (tmp_path / "match.pgn").write_text(record(Variant="jumpcannonxiangqi"))
    result = caipan("rescore", tmp_path)
    assert result.exit_code == 1
    assert "1  left out: names another game than that of the rules" in result.stdout
    assert "no game can be scored: the record is left out" in result.stdout
    assert (
        "records of jumpcannonxiangqi are read with --rules jump-cannon or jump-cannon-modern"
        in result.stdout
    )
    for rules in ("jump-cannon", "jump-cannon-modern"):
        assert "left out" not in caipan("rescore", tmp_path, "--rules", rules).stdout


def test_games_with_the_same_moves_are_counted_once_unless_asked(tmp_path):
    (tmp_path / "match.pgn").write_text("".join(record(Round=str(number // 2)) for number in range(5)))
    once = caipan("rescore", tmp_path).stdout
    assert once == caipan("rescore", tmp_path, "--no-copies").stdout
    assert "1  game\n" in once
    assert "4  left out: the same players, moves and result as an earlier game; --copies" in once
    copies = caipan("rescore", tmp_path, "--copies").stdout
    assert "5  games\n" in copies and "left out" not in copies
    assert "4  games with the moves of an earlier one, which count, too; not with --no-copies\n" in copies
    assert "with the moves of an earlier one" not in once


def test_games_with_the_same_moves_by_others_count_unless_asked(scored):
    """Two engines that play one game with either colour: `report` leaves the second out, a match needs both."""
    games = record(), record("B", "A"), record("B", "A", Round="2"), record(result="0-1")
    told = {
        copies: scored(*games, copies=copies).table["left_out"].to_list() for copies in (None, False, True)
    }
    assert told == {
        None: [None, None, "copy", None],
        False: [None, "same moves", "copy", "same moves"],
        True: [None] * 4,
    }
    for copies, number in ((None, 2), (False, 0), (True, 3)):
        said = "\n".join(scoresheet.report(scored(*games, copies=copies)))
        assert (f"{number}  games with the moves of an earlier one, which count, too" in said) == bool(number)


def test_records_that_stop_at_the_same_move_are_no_copies(scored):
    broken = [record(moves=[*OPEN, "a1a9"]), record("B", "A", moves=[*OPEN, "a1b9"])]
    found = scored(*broken, copies=False)
    assert found.left_out == {} and not found.table["repeated"].any()


def test_an_archive_copied_under_other_events_makes_no_figure_surer(scored):
    games = [{"moves": OPEN[: 2 + number]} for number in range(3)] + [
        {"red": "B", "black": "A", "moves": OTHER}
    ]
    copies = [
        [record(**game, Event=f"{time}") for game in games for time in range(times)] for times in (1, 8)
    ]
    [once], [again] = (scored(*archive).pairings for archive in copies)
    assert once == again


def test_report_and_rescore_count_copies_alike():
    options = [option for name in ("report", "rescore") for option in main.get_command(None, name).params]
    told = [(option.help, option.show_default) for option in options if option.name == "copies"]
    assert len(told) == 2 and told[0][0] == told[1][0] and told[0][1] != told[1][1]
