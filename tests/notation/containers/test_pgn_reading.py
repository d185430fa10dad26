"""What the PGN reader finds: games, tags, moves, comments, glyphs, variations, and what is wrong."""

import base64
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation import remark
from notation.containers import _pgn, pgn
from notation.record import BLACK_WON, DRAWN, OTHER, RED_WON, UNFINISHED, RecordBatch, Variation

HEAD = '[Game "Chinese Chess"]\n[Event "{}"]\n[Red "Player A"]\n[Black "Player B"]\n[Result "*"]\n\n'


def read(text: str | bytes, **options) -> RecordBatch:
    return pgn.read(text if isinstance(text, bytes) else text.encode(), **options)


def codes(batch: RecordBatch) -> list[str]:
    return [finding.code for finding in batch.findings]


def moves(text: str | bytes) -> list[list[str]]:
    batch = read(text)
    for i in range(len(batch)):
        assert batch.record(i).tokens == batch.tokens(i)
    return [batch.tokens(i) for i in range(len(batch))]


# -- the move text ------------------------------------------------------------------------------------------

MOVE_TEXT = [
    pytest.param("1. C2=5 H8+7 2. H2+3 *", ["C2=5", "H8+7", "H2+3"], id="numbers and moves"),
    pytest.param("1.C2=5 H8+7 2.H2+3*", ["C2=5", "H8+7", "H2+3"], id="numbers glued, result glued"),
    pytest.param("1 C2=5 H8+7 2 H2+3 R9=8", ["C2=5", "H8+7", "H2+3", "R9=8"], id="numbers without dots"),
    pytest.param(
        "1. C2=5\n1...h8+7 2. H2+3\n2…R9=8", ["C2=5", "h8+7", "H2+3", "R9=8"], id="black's numbers glued"
    ),
    pytest.param("12... h8+7 13. H2+3", ["h8+7", "H2+3"], id="black first"),
    pytest.param(
        "1. ………… 马８进７ 2. 炮二平五", ["马８进７", "炮二平五"], id="padding for the missing red move"
    ),
    pytest.param("1. ... h9g7 2. h2e2", ["h9g7", "h2e2"], id="dots for the missing red move"),
    pytest.param(
        "  3.          马８进７\n  4. 马二进三",
        ["马８进７", "马二进三"],
        id="blanks for the missing red move",
    ),
    pytest.param(
        "1.\nC2=5\nH8+7\n2.\nH2+3", ["C2=5", "H8+7", "H2+3"], id="number and moves on their own lines"
    ),
    pytest.param("h2e2 h9g7\nh0g2 i9h9", ["h2e2", "h9g7", "h0g2", "i9h9"], id="a bare list"),
    pytest.param(
        "1. Ｃ２＝５ Ｈ８＋７ 2. ＋Ｐ＋１ －Ｒ＝７",
        ["Ｃ２＝５", "Ｈ８＋７", "＋Ｐ＋１", "－Ｒ＝７"],
        id="full width",
    ),
    pytest.param(
        "１．炮二平五　马８进７　２．马二进三",
        ["炮二平五", "马８进７", "马二进三"],
        id="full-width numbers and blanks",
    ),
    pytest.param(
        "1、炮二平五 马８进７ 2。马二进三",
        ["炮二平五", "马８进７", "马二进三"],
        id="Chinese stops after numbers",
    ),
    pytest.param(
        "1. C--1 +R.5 2. -C-1 ++.4", ["C--1", "+R.5", "-C-1", "++.4"], id="signs before and after the piece"
    ),
    pytest.param(
        "1. 33.4 13=4 2. 12+1 55.6", ["33.4", "13=4", "12+1", "55.6"], id="two soldiers' files are no number"
    ),
    pytest.param("1.33.4 21.c4 12. 13.4", ["33.4", "c4", "13.4"], id="two soldiers' files after a number"),
    pytest.param(
        "1. h2e2 h9g7 4.\nRb0 Ege7", ["h2e2", "h9g7", "Rb0", "Ege7"], id="number split from its move"
    ),
    pytest.param(
        "1. N@e5 Rxb10+ 2. Rf1# A10e9", ["N@e5", "Rxb10+", "Rf1#", "A10e9"], id="drops, checks, captures"
    ),
    pytest.param("1. 7747 7062 2. 8979", ["7747", "7062", "8979"], id="four digits are a move"),
    pytest.param("1. C2=5! H8+7?? 2. H2+3!?", ["C2=5", "H8+7", "H2+3"], id="annotation signs are taken off"),
    pytest.param(
        "0. Z9 c6 1. d4 d5 2. ??? e5", ["Z9", "c6", "d4", "d5", "???", "e5"], id="unreadable words stay"
    ),
    pytest.param("1. C2=5 ?? 2. H2+3", ["C2=5", "H2+3"], id="a sign alone is for the move before"),
    pytest.param("1. ?? H8+7", ["??", "H8+7"], id="question marks in place of a move"),
    pytest.param(
        "1. C2=5\r\nH8+7\r2. H2+3\n\r\nR9=8", ["C2=5", "H8+7", "H2+3", "R9=8"], id="line ends of every kind"
    ),
    pytest.param("1. C2=5\n% escaped 2. X {\nH8+7", ["C2=5", "H8+7"], id="escape lines"),
    pytest.param("1. C2=5 /* 2. X */ H8+7", ["C2=5", "H8+7"], id="C comments"),
    pytest.param("1. C2=5 [see 2. X] H8+7", ["C2=5", "H8+7"], id="remarks in brackets"),
    pytest.param("1. C2=5 （1. H2+3） H8+7", ["C2=5", "H8+7"], id="full-width variation brackets"),
    pytest.param("1. C2=5{a}H8+7(1... H2+3)2. H2+3$1", ["C2=5", "H8+7", "H2+3"], id="everything glued"),
    pytest.param("1. C2=5 } H8+7 ] ) 2. H2+3", ["C2=5", "H8+7", "H2+3"], id="stray closing brackets"),
]


@pytest.mark.parametrize("text, tokens", MOVE_TEXT)
@pytest.mark.parametrize(
    "head", ["", '[Event "x"]\n\n', '[Event "x"]\n', "\ufeff"], ids=["bare", "tags", "no gap", "mark"]
)
def test_move_text(head, text, tokens):
    assert moves(head + text) == [tokens]


@pytest.mark.parametrize(
    "word, code",
    [
        ("1-0", RED_WON),
        ("0-1", BLACK_WON),
        ("1/2-1/2", DRAWN),
        ("1/2", DRAWN),
        ("½-½", DRAWN),
        ("0.5-0.5", DRAWN),
        ("*", UNFINISHED),
        ("＊", UNFINISHED),
        ("0-0", OTHER),
        ("红胜", RED_WON),
        ("紅先勝", RED_WON),
        ("黑方胜", BLACK_WON),
        ("红负", BLACK_WON),
        ("和棋", DRAWN),
        ("１－０", RED_WON),
    ],
)
def test_results(word, code):
    batch = read(HEAD.format("x") + f"1. C2=5 H8+7 {word}\n\n" + HEAD.format("y") + f"1. H2+3\n{word}\n")
    assert list(batch.terminator) == [code, code]
    assert [batch.tokens(i) for i in range(2)] == [["C2=5", "H8+7"], ["H2+3"]]
    assert batch.record(1).terminator == word
    assert "missing-terminator" not in codes(batch)


def test_result_in_a_variation_is_not_the_games():
    batch = read("1. C2=5 ( 1. H2+3 1-0 ) 1... H8+7 0-1")
    assert list(batch.terminator) == [BLACK_WON]
    assert batch.tokens(0) == ["C2=5", "H8+7"]


# -- which games --------------------------------------------------------------------------------------------

GAMES = [
    pytest.param(
        '[Event "a"]\n[Event2 ""]\n1. a1a2 *\n[Event "b"]\n1. b1b2 *\n',
        [["a1a2"], ["b1b2"]],
        id="no empty lines at all",
    ),
    pytest.param(
        '[Event "a"]\n\n1. a1a2\n[Event "b"]\n\n1. b1b2', [["a1a2"], ["b1b2"]], id="no result, no gap"
    ),
    pytest.param(
        '[Event "a"]\n\n1. a1a2\n\n\n\n[Event "b"]\n\n\n1. b1b2', [["a1a2"], ["b1b2"]], id="many empty lines"
    ),
    pytest.param(
        '[Event "a"]\n\n[Red "r"]\n\n\n1. a1a2 *\n',
        [["a1a2"]],
        id="an empty line between tags continues the header",
    ),
    pytest.param(
        '[Event "a"]\n\n[Event "b"]\n\n1. b1b2 *\n', [[], ["b1b2"]], id="a repeated tag begins a game"
    ),
    pytest.param(
        '[Event "a"]\n[FEN "x"]\n\n[Round "2"]\n[Event "b"]\n\n*\n',
        [[], []],
        id="a repeated tag later in the block too",
    ),
    pytest.param(
        '[Event "a"]\n\n1. a1a2 {never closed\n\n[Event "b"]\n\n1. b1b2 *',
        [["a1a2"], ["b1b2"]],
        id="unclosed comment",
    ),
    pytest.param(
        '[Event "a"]\n\n1. a1a2 (1. c1c2\n\n[Event "b"]\n\n1. b1b2 *',
        [["a1a2"], ["b1b2"]],
        id="unclosed variation",
    ),
    pytest.param(
        '[Event "a"]\n\n1. a1a2 {never closed\n[Event "b"]\n[Red "r"]\n\n1. b1b2 *',
        [["a1a2"], ["b1b2"]],
        id="unclosed comment before a header without a gap",
    ),
    pytest.param(
        '[Event "a"]\n\n1. a1a2 {compare\n[Event "z"]\nthere} b1b2 *',
        [["a1a2", "b1b2"]],
        id="a tag line in a comment",
    ),
    pytest.param(
        '[Event "a\n\n1. a1a2 *\n\n[Event "b"]\n\n1. b1b2 *', [["a1a2"], ["b1b2"]], id="unclosed tag"
    ),
    pytest.param(
        '[Event "a]\n1. a1a2 *\n\n[Event "b"]\n\n1. b1b2 *', [["a1a2"], ["b1b2"]], id="unclosed quote"
    ),
    pytest.param(
        "1. a1a2 b1b2 1-0\n1. c1c2 *\n", [["a1a2", "b1b2"], ["c1c2"]], id="bare lists after results"
    ),
    pytest.param(
        "1. a1a2 b1b2 2. d1d2\n\n1. c1c2\n", [["a1a2", "b1b2", "d1d2"], ["c1c2"]], id="bare lists after a gap"
    ),
    pytest.param(
        "1. a1a2 b1b2 1-0 1. c1c2 d1d2 0-1", [["a1a2", "b1b2"], ["c1c2", "d1d2"]], id="two games on a line"
    ),
    pytest.param("1. a1a2 {1-0 1. x1x2} b1b2", [["a1a2", "b1b2"]], id="a result in a comment ends nothing"),
    pytest.param(
        'Games of the season\n\n[Event "a"]\n\n1. a1a2 *\n', [["a1a2"]], id="words before the first game"
    ),
    pytest.param(
        'Games of the season\n[Event "a"]\n\n1. a1a2 *\n', [["a1a2"]], id="words right before the first tag"
    ),
    pytest.param("A fine game\n1. a1a2 b1b2 *\n", [["a1a2", "b1b2"]], id="words before the moves"),
    pytest.param(
        '[Event "a"]\n{remark}\n[Site "s"]\n\n1. a1a2 *\n', [["a1a2"]], id="a comment among the tags"
    ),
    pytest.param('[Event "a"] 1. a1a2 *\n', [["a1a2"]], id="moves on the tag's line"),
    pytest.param(
        '[Event "a"][Site "s"]\n[Red "r"] [Black "b"]\n1. a1a2 *\n', [["a1a2"]], id="several tags on a line"
    ),
    pytest.param('  [Event "a"]\n\t[Site "s"]\n\n  1. a1a2 *\n', [["a1a2"]], id="indented"),
    pytest.param(
        '[Event "a"]\n\n1. a1a2 1-0\n====\nwww 1. x 2. y\n\n[Event "b"]\n\n*',
        [["a1a2"], []],
        id="a trailer after the result",
    ),
    pytest.param(
        '[Event "a"]\r\r1. a1a2 *\r\r[Event "b"]\r\r1. b1b2 *\r', [["a1a2"], ["b1b2"]], id="bare CR"
    ),
    pytest.param(
        '[Event "a"]\r\n\r\n1. a1a2 *\r\n\r\n[Event "b"]\r\n\r\n1. b1b2 *\r\n',
        [["a1a2"], ["b1b2"]],
        id="CRLF",
    ),
]


@pytest.mark.parametrize("text, games", GAMES)
def test_games_are_told_apart(text, games):
    assert moves(text) == games


def test_header_over_a_gap_keeps_its_tags():
    batch = read(
        '[Game "Chinese Chess"]\n[Event "Gap Cup"]\n\n'
        '[Red "A"]\n[Result "1-0"]\n\n\n1. C2=5 H8+7 2. H2+3 1-0\n'
    )
    assert len(batch) == 1
    assert batch.tags[0] == {"Game": "Chinese Chess", "Event": "Gap Cup", "Red": "A", "Result": "1-0"}
    assert batch.findings == []


# -- tags ---------------------------------------------------------------------------------------------------

TAGS = [
    pytest.param(
        '[Event "Cup (Baker) \\"Silver\\" 1. C2=5"]', 'Cup (Baker) "Silver" 1. C2=5', id="escaped quotes"
    ),
    pytest.param('[Event "首屆"味極王杯"賽"]', '首屆"味極王杯"賽', id="bare inner quotes"),
    pytest.param('[Event "首屆"味極王杯"]', '首屆"味極王杯', id="one bare inner quote"),
    pytest.param('[Event "Player\\\\B"]', "Player\\B", id="escaped backslash"),
    pytest.param('[Event "C:\\games\\"]', "C:\\games\\", id="a value that ends in a backslash"),
    pytest.param('[Event "a [b] c]"]', "a [b] c]", id="brackets inside"),
    pytest.param('[Event "x "] y"]', 'x "] y', id="quote and bracket inside"),
    pytest.param('[Event "\n四量拨千斤"]', "四量拨千斤", id="a line break in the value"),
    pytest.param('[ Event   "spaced"  ]', "spaced", id="blanks inside the brackets"),
    pytest.param('[Event"glued"]', "glued", id="no blank before the value"),
    pytest.param('[Event ""]', "", id="empty"),
    pytest.param('[Event ""]\n[Event "second"]', "second", id="given twice: the first filled one"),
    pytest.param("[Event Cup]", "Cup", id="no quotes"),
    pytest.param("[Event 'Cup']", "Cup", id="single quotes"),
    pytest.param('[Event "Cup]', "Cup", id="no closing quote"),
    pytest.param('[Event "Cup"', "Cup", id="no closing bracket"),
    pytest.param('[Event "Cup', "Cup", id="neither"),
]


@pytest.mark.parametrize("line, value", TAGS)
def test_tag_values(line, value):
    batch = read(f'[Site "s"]\n{line}\n[Red "r"]\n\n1. C2=5 *\n')
    assert len(batch) == 1
    assert batch.tags[0] == {"Site": "s", "Event": value, "Red": "r"}
    assert batch.tokens(0) == ["C2=5"]


def test_fen_and_result_of_a_record():
    record = read('[Fen " 4k4/9/9/9/9/9/9/9/9/4K4 b "]\n[Result "0-1"]\n\n1... e10e9 0-1').record(0)
    assert record.fen == "4k4/9/9/9/9/9/9/9/9/4K4 b"
    assert (record.result, record.terminator) == ("0-1", "0-1")


# -- comments, glyphs, variations ---------------------------------------------------------------------------


def test_semicolons_and_braces_do_not_mix():
    record = read(
        HEAD.format("Semi Cup")
        + "1. C2=5 { main; still a comment } H8+7\n; a { rest-of-line comment\n2. H2+3 *\n"
    ).record(0)
    assert record.tokens == ["C2=5", "H8+7", "H2+3"]
    assert record.comments == {1: ["main; still a comment"], 2: ["a { rest-of-line comment"]}


def test_comments_in_a_row_commands_and_glyphs():
    batch = read(
        HEAD.format("Notes") + "1. C2=5 { [%eval 0.2] [%clk 0:10:00] } { second } 1... H8+7?! $6 "
        "( 1... H2+3 $1 { inside } 2. H2+3 ) 2. H2+3 *\n"
    )
    record = batch.record(0)
    assert record.tokens == ["C2=5", "H8+7", "H2+3"]
    assert record.comments == {1: ["[%eval 0.2] [%clk 0:10:00]", "second"]}
    assert record.nags == {2: [6]}
    assert record.variations == [Variation(2, ["H2+3", "H2+3"], {2: ["inside"]}, {2: [1]})]
    assert batch.evaluation[0] == pytest.approx(0.2)
    assert batch.comments[batch.comment[0]] == "[%clk 0:10:00] second"
    assert list(batch.nag) == [0, 6, 0]
    assert list(batch.variations) == [1]


@pytest.mark.parametrize(
    "text, nags",
    [
        pytest.param(
            "1. C2=5! H8+7? 2. H2+3!! R9=8??", {1: [1], 2: [2], 3: [3], 4: [4]}, id="single and double"
        ),
        pytest.param(
            "1. C2=5!? H8+7?! 2. H2+3！ R9=8？！", {1: [5], 2: [6], 3: [1], 4: [6]}, id="mixed and wide"
        ),
        pytest.param("11. C6+4 P3+1\n!!12. P3+1", {2: [3]}, id="before the next number"),
        pytest.param("11. C6+4 P3+1 !22. P3+1", {2: [1]}, id="a single one before the next number"),
        pytest.param("1. C2=5 $1 $14 H8+7$2", {1: [1, 14], 2: [2]}, id="several numbers"),
        pytest.param("1. C2=5! $1", {1: [1]}, id="twice the same"),
        pytest.param("$9 1. C2=5", {0: [9]}, id="before the first move"),
    ],
)
def test_glyphs(text, nags):
    assert read(text).record(0).nags == nags


def test_comment_before_the_first_move_and_after_the_result():
    record = read('[Event "x"]\n{one}\n{two} 1. C2=5 1-0 {resigns}').record(0)
    assert record.comments == {0: ["one", "two"], 1: ["resigns"]}


def test_line_breaks_in_comments():
    record = read("1. C2=5 {a wrapped\r\n  line\n\n\nnext paragraph } H8+7").record(0)
    assert record.comments == {1: ["a wrapped line\nnext paragraph"]}


def test_variations_hang_where_they_belong():
    record = read(
        '[Event "x"]\n\n1. a ( 1. b ( 1. c ) ( 1. d 1... e ) 1... f ( 1... g ) ) 1... h ( 1... i ) 2. j'
    ).record(0)
    assert record.tokens == ["a", "h", "j"]
    assert record.variations == [
        Variation(
            1,
            ["b", "f"],
            variations=[Variation(1, ["c"]), Variation(1, ["d", "e"]), Variation(2, ["g"])],
        ),
        Variation(2, ["i"]),
    ]
    assert record.variation_count() == 5


@pytest.mark.parametrize("depth", [300, 100_000])
def test_deep_variations(depth):
    text = (
        "1. C2=5"
        + "".join(f" ( 1. {'H2+3' if k % 2 else 'C2=5'}" for k in range(1, depth + 1))
        + " )" * depth
        + " *"
    )
    batch = read(text)
    assert batch.tokens(0) == ["C2=5"]
    assert list(batch.variations) == [depth]
    record = batch.record(0)
    assert record.variation_depth() == depth
    again = read(pgn.write(record)).record(0)
    assert again.variations == record.variations


def test_long_game():
    text = "".join(f"{n}. h1g3 h10g8 {n + 1}. g3h1 g8h10\n" for n in range(1, 3001, 2))
    batch = read(text)
    assert len(batch.token) == 6000
    assert batch.lexemes == ["h1g3", "h10g8", "g3h1", "g8h10"]
    assert codes(batch) == ["missing-terminator"]


# -- an engine's figures ------------------------------------------------------------------------------------

NONE = math.nan
FIGURES = [
    pytest.param("+0.35/9 0.012s", (0.35, 0, 9, 0.012, ""), id="score depth time"),
    pytest.param("-0.38/7\n0.006s", (-0.38, 0, 7, 0.006, ""), id="wrapped"),
    pytest.param(
        "0.00/11 0.007s, Draw by repetition", (0.0, 0, 11, 0.007, "Draw by repetition"), id="with the end"
    ),
    pytest.param("+M13/11 0.004s", (NONE, 7, 11, 0.004, ""), id="mate in plies"),
    pytest.param("+M1/99", (NONE, 1, 99, NONE, ""), id="the mating move"),
    pytest.param("-M4/12", (NONE, -2, 12, NONE, ""), id="mated in plies"),
    pytest.param("+M4/12", (NONE, 4, 12, NONE, ""), id="the mover's mate cannot be an even count of plies"),
    pytest.param("-M3/12", (NONE, -3, 12, NONE, ""), id="a mate against him cannot be an odd one"),
    pytest.param("+M0/12", (NONE, 0, 12, NONE, ""), id="no mate"),
    pytest.param(
        "-M2/245 0.006s, Black has no moves", (NONE, -1, 245, 0.006, "Black has no moves"), id="mated"
    ),
    pytest.param("+0.61/18 1:36", (0.61, 0, 18, 96.0, ""), id="minutes and seconds"),
    pytest.param("+10.50/16 1:00:05", (10.5, 0, 16, 3605.0, ""), id="hours"),
    pytest.param("-0.14/11 8", (-0.14, 0, 11, 8.0, ""), id="whole seconds"),
    pytest.param("+8.30/14 1.9", (8.3, 0, 14, 1.9, ""), id="tenths"),
    pytest.param("+0.38/19", (0.38, 0, 19, NONE, ""), id="no time"),
    pytest.param("+1000.16/13 27", (1000.16, 0, 13, 27.0, ""), id="WinBoard's mate score stays a score"),
    pytest.param("+0.35/9 12ms", (0.35, 0, 9, 0.012, ""), id="milliseconds"),
    pytest.param("+0.35/9/14 0.5s", (0.35, 0, 9, 0.5, ""), id="selective depth"),
    pytest.param("+0.35", (0.35, 0, -1, NONE, ""), id="a bare score"),
    pytest.param("+0.35/9 good move", (0.35, 0, 9, NONE, "good move"), id="words after"),
    pytest.param("[%eval 0.2]", (0.2, 0, -1, NONE, ""), id="eval command"),
    pytest.param("[%eval #-3]", (NONE, -3, -1, NONE, ""), id="eval command, mate"),
    pytest.param("[%eval #4]", (NONE, 4, -1, NONE, ""), id="eval command, a mate in an even count of moves"),
    pytest.param("[%eval -1.5,22] [%emt 0:00:05]", (-1.5, 0, 22, 5.0, ""), id="eval with depth, time spent"),
    pytest.param(
        "[%clk 0:10:00]", (NONE, 0, -1, NONE, "[%clk 0:10:00]"), id="the clock is not the move's time"
    ),
    pytest.param("book", (NONE, 0, -1, NONE, "book"), id="words"),
    pytest.param("1/2 is fair", (NONE, 0, -1, NONE, "1/2 is fair"), id="words that begin with a half"),
    pytest.param("M13/11", (NONE, 7, 11, NONE, ""), id="mate without a sign"),
    pytest.param("3 moves later", (NONE, 0, -1, NONE, "3 moves later"), id="words that begin with a figure"),
    pytest.param("-0.5 or so", (-0.5, 0, -1, NONE, "or so"), id="a signed score and words"),
    pytest.param("+", (NONE, 0, -1, NONE, "+"), id="a sign"),
    pytest.param("M", (NONE, 0, -1, NONE, "M"), id="a letter"),
    pytest.param("+0.35/9abc", (NONE, 0, -1, NONE, "+0.35/9abc"), id="not figures after all"),
    pytest.param("当头炮", (NONE, 0, -1, NONE, "当头炮"), id="Chinese"),
]


@pytest.mark.parametrize("comment, said", FIGURES)
def test_figures_in_comments(comment, said):
    batch = read("1. C2=5 {%s} H8+7" % comment)  # noqa: UP031 - braces
    text = batch.comments[batch.comment[0]] if batch.comment[0] >= 0 else ""
    found = (batch.evaluation[0], batch.mate[0], batch.depth[0], batch.seconds[0], text)
    assert found == pytest.approx(said, nan_ok=True)
    assert tuple(remark.read(comment)) == pytest.approx(said, nan_ok=True)
    assert math.isnan(batch.evaluation[1]) and batch.comment[1] == -1


PARTS = [
    "+",
    "-",
    "0.35",
    "M13",
    "/9",
    "/12",
    " ",
    "\n",
    "\n\n",
    "0.012s",
    "8",
    "1:36",
    ",",
    "words",
    "[%eval 0.2]",
    "[%eval #-3,12]",
    "[%emt 0:00:05]",
    "[%clk 0:10:00]",
    "ms",
    ".",
    "1",
    "12.5",
    "[%eval",
    "]",
    "炮",
    "\t",
]


@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join))
def test_the_compiled_reader_and_its_twin_agree(comment):
    batch = read("1. C2=5 {%s} H8+7" % comment)  # noqa: UP031 - braces
    text = batch.comments[batch.comment[0]] if batch.comment[0] >= 0 else ""
    found = (batch.evaluation[0], batch.mate[0], batch.depth[0], batch.seconds[0], text)
    assert tuple(remark.read(comment)) == pytest.approx(found, nan_ok=True)


def test_many_comments_after_one_move():
    batch = read("1. C2=5 " + "{a}" * 50_000 + "{+0.35/9 0.5s} H8+7 {a} {a}")
    assert batch.comments == ["a " * 49_999 + "a", "a a"]
    assert batch.evaluation[0] == pytest.approx(0.35)


# -- what is wrong ------------------------------------------------------------------------------------------

FAULTS = [
    pytest.param("1. C2=5 H8+7 2. H2+3", [("missing-terminator", 3, 1)], id="cut off"),
    pytest.param('[Event "x"]\n\n*\n', [("empty-game", 0, 1)], id="no moves"),
    pytest.param(
        '[Result "1-0"]\n\n1. C2=5 H8+7\n2. H2+3 {x} 0-1\n',
        [("result-mismatch", 3, 4)],
        id="tag and terminator differ",
    ),
    pytest.param(
        '[result "1-0"]\n\n1. C2=5 0-1\n',
        [("result-mismatch", 1, 3)],
        id="a tag in other letters",
    ),
    pytest.param(
        '[RESULT "0-1"]\n[Result "1-0"]\n\n1. C2=5 0-1\n',
        [("result-mismatch", 1, 4)],
        id="the tag as it should be spelled counts",
    ),
    pytest.param(
        '[Result " "]\n[result "1-0"]\n\n1. C2=5 0-1\n',
        [("result-mismatch", 1, 4)],
        id="if it says something",
    ),
    pytest.param('[Result "?"]\n[result "1-0"]\n\n1. C2=5 0-1\n', [], id="even what nobody can read"),
    pytest.param('[Result "?"]\n\n1. C2=5 0-1\n', [], id="a tag that claims nothing"),
    pytest.param('[PlyCount "3"]\n\n1. C2=5 H8+7 *', [("ply-count", 2, 1)], id="ply count"),
    pytest.param('[plycount "3"]\n\n1. C2=5 H8+7 *', [("ply-count", 2, 1)], id="ply count in small letters"),
    pytest.param('[PLYCOUNT "3"]\n[PlyCount "2"]\n\n1. C2=5 H8+7 *', [], id="ply count in two spellings"),
    pytest.param("1. C2=5 *\n====\nsite", [("text-after-end", 1, 2)], id="trailer"),
    pytest.param("1. C2=5 * *\n", [], id="the result twice"),
    pytest.param(
        "1. C2=5 {x",
        [("unclosed-comment", 1, 1), ("missing-terminator", 1, 1), ("truncated-file", None, 1)],
        id="open comment",
    ),
    pytest.param(
        "1. C2=5\n( 1. H2+3 *",
        [("unclosed-variation", 1, 2), ("truncated-file", None, 2)],
        id="open variation",
    ),
    pytest.param("1. C2=5 ) *", [("unopened-variation", 1, 1)], id="closed variation"),
    pytest.param("1. C2=5 } *", [("unopened-comment", 1, 1)], id="closed comment"),
    pytest.param("1. C2=5 {a { b} *", [("nested-comment", 1, 1)], id="brace in a comment"),
    pytest.param("1. C2=5 /* a { b */ H8+7 *", [], id="brace between slashes and stars"),
    pytest.param("1. C2=5 ; a { b\nH8+7 *", [], id="brace to the end of a line"),
    pytest.param("1. C2=5 H8+7 3. H2+3 *", [("move-number", 3, 1)], id="wrong number"),
    pytest.param('[Event "x"]\n[Event "y"]\n\n1. C2=5 *', [("duplicate-tag", 0, 2)], id="tag twice"),
    pytest.param('[Event "x\n\n1. C2=5 *', [("bad-tag", 0, 1)], id="damaged tag"),
    pytest.param("Some words\n\n1. C2=5 *", [("text-before-moves", 0, 1)], id="words first"),
    pytest.param("1. C2=5 " + "x" * 500 + " *", [("long-token", 2, 1)], id="endless word"),
]


@pytest.mark.parametrize("text, faults", FAULTS)
def test_faults_are_found_in_their_place(text, faults):
    batch = read(text)
    assert [(finding.code, finding.ply, finding.line) for finding in batch.findings] == faults
    for finding in batch.findings:
        assert finding.game == 0
        assert finding.message() and "?" not in finding.message()
        assert finding.message("zh")


def test_places_are_given_by_line_column_and_byte():
    batch = read('[Event "赛"]\n\n1. 炮二平五 马８进７ ) 2. Z9 *\n')
    assert list(batch.token_line) == [3, 3, 3]
    assert list(batch.token_column) == [4, 9, 19]
    (finding,) = batch.findings
    assert (finding.line, finding.column, finding.byte) == (3, 14, 44)


def test_columns_count_from_one():
    batch = read("0. Z9 c6 1. d4 d5 2. ??? e5")
    assert list(batch.token_column[:2]) == [4, 7]


# -- files that are no game records -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, found",
    [
        pytest.param(b"", ["no-games"], id="empty"),
        pytest.param(b"\n \n\n", ["no-games"], id="blank"),
        pytest.param(b"\xef\xbb\xbf", ["no-games"], id="a mark alone"),
        pytest.param(b"shopping list: tea, rice", ["no-games"], id="other words"),
        pytest.param("买菜清单:茶叶,大米".encode(), ["no-games"], id="other words in Chinese"),
        pytest.param(b"\0" * 5000, ["binary-data", "no-games"], id="NULs"),
        pytest.param(bytes(range(256)) * 50, ["binary-data", "no-games"], id="every byte"),
    ],
)
def test_no_games(data, found):
    batch = pgn.read(data)
    assert len(batch) == 0
    assert [code for code in codes(batch) if code != "mixed-encoding"] == found
    assert [shard.games for shard in pgn.split(data, 100)] == [0]


def test_a_game_of_more_than_a_million_plies_is_cut_short():
    batch = read("h3e3 " * (_pgn.MOST_PLIES + 5) + '1-0\n\n[Event "next"]\n\n1. h3e3 h10g8 *\n')
    assert [len(batch.tokens(i)) for i in range(2)] == [_pgn.MOST_PLIES, 2]
    (finding,) = (finding for finding in batch.findings if finding.code == "long-game")
    assert (finding.game, finding.ply, finding.line) == (0, _pgn.MOST_PLIES + 1, 1)
    assert len(batch.record(0).tokens) == _pgn.MOST_PLIES


def test_position_only_records():
    batch = read(
        '[Event ""]\n[FEN "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"]\n[SetUp "1"]\n\n*\n\n'
        '[Event ""]\n[FEN "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1"]\n[SetUp "1"]\n\n'
        '[Event ""]\n[FEN "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1"]\n[SetUp "1"]\n\n*\n'
    )
    assert [batch.tokens(i) for i in range(len(batch))] == [[], [], []]
    assert [fen[:5] for fen in batch.fens()] == ["3k5/9", "4k4/9", "3k5/9"]
    assert [f.game for f in batch.findings if f.code == "missing-terminator"] == [1]


def test_byte_order_mark():
    data = base64.b64decode(
        "77u/W0dhbWUgIkNoaW5lc2UgQ2hlc3MiXQpbRXZlbnQgIkJPTSBDdXAiXQpbUmVkICJQbGF5ZXIgQSJdCltCbGFjayAiUGxheWVyIEIiXQpb"
        "UmVzdWx0ICIqIl0KCjEuIEMyPTUgSDgrNyAyLiBIMiszICoK"
    )
    batch = pgn.read(data)
    assert batch.tags[0]["Game"] == "Chinese Chess"
    assert batch.tokens(0) == ["C2=5", "H8+7", "H2+3"]
    assert batch.offset[0] == 3


def test_gb18030_record():
    data = base64.b64decode(
        "W0dhbWUgIkNoaW5lc2UgQ2hlc3MiXQpbRXZlbnQgIrLiytSxrSJdCltSZWQgIrrst7281yJdCltCbGFjayAiutq3vdLSIl0KW1Jlc3VsdCAiKi"
        "JdCgoxLiDF2rb+xr3O5SB7ILWxzbfF2iB9IMLtOL34NyAyLiDC7bb+vfjI/SAqCg=="
    )
    batch = pgn.read(data)
    record = batch.record(0)
    assert record.encoding == "gb18030"
    assert (record.tags["Event"], record.tags["Red"], record.tags["Black"]) == ("测试杯", "红方甲", "黑方乙")
    assert record.tokens == ["炮二平五", "马8进7", "马二进三"]
    assert record.comments == {1: ["当头炮"]}


def test_rank_base_is_read_off_the_tokens():
    batch = read("1. h2e2 h9g7 *\n\n1. h0g2 *\n1. h3e3 h10g8 *\n1. a0a1 a10a9 *\n")
    assert list(batch.rank_base) == [-1, 0, 1, 2]


def test_batch_of_records_equals_batch_of_text():
    batch = read(HEAD.format("x") + "1. C2=5! {+0.35/9 0.012s, book} H8+7 {a} {b} (1... H2+3) 2. a0a1 1-0")
    packed = RecordBatch.from_records([batch.record(0)])
    for name in (
        "token",
        "first_token",
        "mate",
        "depth",
        "nag",
        "terminator",
        "variations",
        "rank_base",
        "lexemes",
    ):
        assert getattr(packed, name) == getattr(batch, name), name
    assert list(packed.evaluation) == pytest.approx(list(batch.evaluation), nan_ok=True)
    said = [packed.comments[c] if c >= 0 else None for c in packed.comment]
    assert said == [batch.comments[c] if c >= 0 else None for c in batch.comment] == ["book", "a b", None]
    assert packed.tags[0] == batch.tags[0]
    assert packed.record(0) == batch.record(0)


def test_a_tag_text_that_is_written_in_two_ways_is_one_text():
    batch = pgn.read(
        b'[Event "The "Big" Cup"]\n[Site "C:\\\\games"]\n\n*\n\n'
        b'[Event "The \\"Big\\" Cup"]\n[Site "C:\\games"]\n[Note\\\\a "1"]\n[Note\\a "2"]\n\n*\n'
    )
    assert [batch.tags[i]["Event"] for i in range(2)] == ['The "Big" Cup'] * 2
    assert [batch.tags[i]["Site"] for i in range(2)] == ["C:\\games"] * 2
    assert batch.tags[1]["Note\\\\a"] == "1" and batch.tags[1]["Note\\a"] == "2"
    assert len(set(batch.tags.texts)) == len(batch.tags.texts)


@pytest.mark.parametrize(
    "text, place",
    [
        pytest.param('"a","b"\n"c","d"\n1. C2=5 *', (1, 1, 0), id="on earlier lines"),
        pytest.param('[Event "x"]\n\n  some words\n\n1. C2=5 *', (3, 3, 15), id="after the tags"),
        pytest.param("一 words\nhere 1. C2=5 *", (1, 1, 0), id="wide"),
        pytest.param('[Event "x"]\n\nwords words\n[Site "y"]\n1. C2=5 *', (3, 1, 13), id="before a tag"),
    ],
)
def test_words_before_the_moves_are_told_where_they_begin(text, place):
    batch = pgn.read(text.encode())
    (found,) = (finding for finding in batch.findings if finding.code == "text-before-moves")
    assert (found.line, found.column, found.byte) == place
    assert batch.token_line[0] == text[: text.index("C2=5")].count("\n") + 1
    assert batch.token_column[0] == len(text[: text.index("C2=5")].split("\n")[-1]) + 1


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_missing_result_stands_behind_the_last_word(end):
    (finding,) = pgn.read(("1. 炮二平五 马8进7" + end).encode()).findings
    assert (finding.code, finding.line, finding.column) == ("missing-terminator", 1, 13)


HEADINGS = """\
第一局 胡荣华 先胜 柳大华
1. 炮二平五 马8进7
2. 马二进三 车9平8
{end}

第二局 杨官璘 和 蔡福如
广州
1. 炮二平五 炮8平5
"""


@pytest.mark.parametrize("end", ["", "红胜", "1-0", "{第三局}"])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_words_above_a_move_number_head_a_game(end, encoding):
    data = HEADINGS.replace("{end}", end).encode(encoding)
    batch = pgn.read(data)
    assert [batch.record(i).tokens for i in range(len(batch))] == [
        ["炮二平五", "马8进7", "马二进三", "车9平8"],
        ["炮二平五", "炮8平5"],
    ]
    assert [finding.text for finding in batch.findings if finding.code == "text-before-moves"] == [
        "第一局 胡荣华 先胜 柳大华\n",
        "第二局 杨官璘 和 蔡福如\n广州\n",
    ]
    assert data[batch.offset[1] :].decode(encoding).startswith("第二局")
    assert batch.line[1] == 1 + data[: batch.offset[1]].count(b"\n")
    assert sum(cut.games for cut in pgn.split(data, 1)) == 2


def test_a_remark_between_numbered_moves_heads_no_game():
    text = "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n\n{第二局}\n3. 车一平二 卒7进1\n\n红方优势\n4. 车二进六 马2进3 *\n"
    assert len(pgn.read(text.encode())) == 1
