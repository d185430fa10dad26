"""Resolved moves as text: the spelling of each notation, and that it reads back to the same move."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation import DIALECTS, NOTATIONS, Context, parse, write
from notation.descriptor import COORDINATE, Said
from tests.conftest import shared
from tests.notation.board import Board, name

OPENING = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
TANDEM_3 = "3k5/9/6P2/6P2/6P2/9/9/9/9/4K4 w"
TANDEM_4 = "3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w"
TANDEM_5 = "6P2/3k2P2/6P2/6P2/6P2/9/9/9/9/4K4 w"
TWO_FILES = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w"
TWO_PAIRS = "3k5/9/9/3P1P3/3P1P3/9/9/9/9/4K4 w"
TWO_CHARIOTS = "4k4/9/9/R8/9/9/9/9/R8/3K5 w"

WXF = "wxf", None
FAIRY = "wxf", "fairy"
CHINESE = "chinese", None
FULL = "chinese", "full-width"
OLD = "chinese-traditional", None
ICCS = "iccs", None
UCI = "uci", None
SAN = "algebraic", None
LONG = "long", None


@pytest.mark.parametrize(
    "fen, move, how, text",
    [
        pytest.param(f"{OPENING} w", "h3e3", WXF, "C2.5", id="cannon to the centre"),
        pytest.param(f"{OPENING} w", "h3e3", FAIRY, "C2=5", id="the same, fairy"),
        pytest.param(f"{OPENING} w", "h3e3", CHINESE, "炮二平五", id="the same, Chinese"),
        pytest.param(f"{OPENING} w", "h3e3", ICCS, "H2-E2", id="the same, ICCS"),
        pytest.param(f"{OPENING} w", "h3e3", UCI, "h3e3", id="the same, UCI"),
        pytest.param(f"{OPENING} w", "h3h10", SAN, "Cxh10", id="cannon takes the horse"),
        pytest.param(f"{OPENING} w", "h3h10", LONG, "Ch3×h10", id="the same, long"),
        pytest.param(f"{OPENING} w", "b3e3", LONG, "Cb3–e3", id="long form of the cannon page"),
        pytest.param(f"{OPENING} b", "h10g8", WXF, "H8+7", id="black counts files from its own right"),
        pytest.param(f"{OPENING} b", "h10g8", CHINESE, "马8进7", id="black in half-width digits"),
        pytest.param(f"{OPENING} b", "h10g8", FULL, "马８进７", id="black in full-width digits"),
        pytest.param(f"{OPENING} b", "h10g8", OLD, "馬8進7", id="black, traditional"),
        pytest.param(f"{OPENING} b", "h10g8", UCI, "h10g8", id="two-digit rank"),
        pytest.param(f"{OPENING} b", "h10g8", ICCS, "H9-G7", id="rank 9 is ICCS's last"),
        pytest.param(f"{OPENING} b", "i10i9", OLD, "車9進1", id="black chariot, traditional"),
        pytest.param(f"{OPENING} b", "e10e9", OLD, "將5進1", id="black general, traditional"),
        pytest.param(f"{OPENING} b", "d10e9", CHINESE, "士4进5", id="black advisor"),
        pytest.param(f"{OPENING} b", "c10e8", CHINESE, "象3进5", id="black elephant"),
        pytest.param(f"{OPENING} b", "g7g6", CHINESE, "卒7进1", id="black soldier"),
        pytest.param(f"{OPENING} w", "e1e2", OLD, "帥五進一", id="red general, traditional"),
        pytest.param(f"{OPENING} w", "d1e2", CHINESE, "仕六进五", id="red advisor"),
        pytest.param(f"{OPENING} w", "g1e3", CHINESE, "相三进五", id="red elephant"),
        pytest.param(f"{OPENING} w", "e1e2", LONG, "Ge1–e2", id="G is the general in the long form"),
        pytest.param(f"{OPENING} w", "a4a5", LONG, "Sa4–a5", id="S is the soldier in the long form"),
        pytest.param(f"{OPENING} w", "a4a5", SAN, "Pa5", id="the soldier has its letter"),
        pytest.param("4k4/9/9/9/9/9/2C6/2C6/9/5K3 w", "c3c2", WXF, "C--1", id="rear cannon retreats (page)"),
        pytest.param("4k4/9/9/9/9/9/2C6/2C6/9/5K3 w", "c3c2", OLD, "後炮退一", id="rear cannon, traditional"),
        pytest.param(TWO_CHARIOTS, "a7a4", WXF, "R+-3", id="signs whether needed or not"),
        pytest.param(TWO_CHARIOTS, "a7a4", FAIRY, "R9-3", id="fairy keeps the file where only one could"),
        pytest.param(TWO_CHARIOTS, "a7a6", FAIRY, "R+-1", id="fairy signs where both could"),
        pytest.param(TWO_CHARIOTS, "a2a9", FAIRY, "R9+7", id="fairy keeps the file of the rear one too"),
        pytest.param(TWO_CHARIOTS, "a2a6", FAIRY, "R9+4", id="fairy, the other would leave the board by one"),
        pytest.param(TWO_CHARIOTS, "a2a5", FAIRY, "R-+3", id="fairy, a capture or not does not matter"),
        pytest.param("3k5/9/9/9/9/9/9/5A3/9/4KA3 w", "f1e2", WXF, "A4+5", id="advisors go without a sign"),
        pytest.param(
            "3k5/9/9/9/9/9/9/5A3/9/4KA3 w", "f3e2", CHINESE, "仕四退五", id="advisors go without a word"
        ),
        pytest.param("3k5/9/9/9/9/6B2/9/9/9/4K1B2 w", "g5e3", WXF, "E3-5", id="elephants go without a sign"),
        pytest.param(TANDEM_3, "g8f8", WXF, "P+.4", id="three soldiers, front (page, I)"),
        pytest.param(TANDEM_3, "g7f7", WXF, "P3.4", id="three soldiers, middle (page, I)"),
        pytest.param(TANDEM_3, "g6f6", WXF, "P-.4", id="three soldiers, rear (page, I)"),
        pytest.param(TANDEM_3, "g7f7", FAIRY, "23=4", id="three soldiers, fairy"),
        pytest.param(TANDEM_3, "g7f7", CHINESE, "中兵平四", id="three soldiers, Chinese"),
        pytest.param(TANDEM_3, "g6f6", OLD, "後兵平四", id="three soldiers, traditional"),
        pytest.param(TANDEM_4, "g9f9", WXF, "++.4", id="four soldiers, foremost (page, III)"),
        pytest.param(TANDEM_4, "g8f8", WXF, "P+.4", id="four soldiers, second (page, III)"),
        pytest.param(TANDEM_4, "g7f7", WXF, "P-.4", id="four soldiers, third (page, III)"),
        pytest.param(TANDEM_4, "g6f6", WXF, "--.4", id="four soldiers, rearmost (page, III)"),
        pytest.param(TANDEM_4, "g7f7", CHINESE, "三兵平四", id="four soldiers are numbered"),
        pytest.param(TANDEM_5, "g10f10", WXF, "++.4", id="five soldiers, foremost (page, II)"),
        pytest.param(TANDEM_5, "g9f9", WXF, "P+.4", id="five soldiers, second (page, II)"),
        pytest.param(TANDEM_5, "g8f8", WXF, "P3.4", id="five soldiers, middle (page, II)"),
        pytest.param(TANDEM_5, "g7f7", WXF, "P-.4", id="five soldiers, fourth (page, II)"),
        pytest.param(TANDEM_5, "g6f6", WXF, "--.4", id="five soldiers, rearmost (page, II)"),
        pytest.param(TANDEM_5, "g6f6", CHINESE, "五兵平四", id="five soldiers are numbered"),
        pytest.param(TWO_FILES, "g8f8", WXF, "3+.4", id="two files, front of three (page, IV)"),
        pytest.param(TWO_FILES, "g7f7", WXF, "23.4", id="two files, middle of file 3: not the page's 33"),
        pytest.param(TWO_FILES, "g6f6", WXF, "3-.4", id="two files, rear of three (page, IV)"),
        pytest.param(TWO_FILES, "c8d8", WXF, "7+.6", id="two files, front of two (page, IV)"),
        pytest.param(TWO_FILES, "c7d7", WXF, "7-.6", id="two files, rear of two (page, IV)"),
        pytest.param(TWO_FILES, "g6f6", FAIRY, "33=4", id="two files, fairy"),
        pytest.param(TWO_FILES, "c8d8", CHINESE, "四兵平六", id="two files are numbered from the right"),
        pytest.param(TWO_PAIRS, "f7f8", CHINESE, "一兵进一", id="right file first"),
        pytest.param(TWO_PAIRS, "f7f8", WXF, "4++1", id="two pairs, front of file 4"),
        pytest.param(
            "3k5/9/3P5/3P5/3P1P3/5P3/9/9/9/4K4 w", "d7c7", WXF, "66.7", id="middle of file 6 (page, IV)"
        ),
        pytest.param(
            "3k5/9/9/9/9/9/4p4/4p4/4K4/9 b", "e3d3", CHINESE, "前卒平4", id="black's front is red's side"
        ),
        pytest.param(
            "4k4/9/9/9/9/2p3p2/2p3p2/9/9/4K4 b",
            "g4f4",
            CHINESE,
            "三卒平6",
            id="black numbers from its own right",
        ),
    ],
)
def test_moves_are_written(fen, move, how, text):
    assert write(Board(fen, [move]).context(move), *how) == text


ROOK = Context(0, "R", 0, 0, 0, 5)


@pytest.mark.parametrize(
    "context, text",
    [
        pytest.param(ROOK, "Ra6", id="alone"),
        pytest.param(ROOK._replace(rivals=((3, 5),)), "Raa6", id="file tells them apart"),
        pytest.param(ROOK._replace(rivals=((0, 9),)), "R1a6", id="one file: rank tells"),
        pytest.param(ROOK._replace(rivals=((0, 9), (3, 5))), "R1a6", id="rank where the file does not do"),
        pytest.param(ROOK._replace(rivals=((0, 9), (4, 0))), "Ra1a6", id="both where neither does"),
        pytest.param(ROOK._replace(capture=True, check=True), "Rxa6+", id="check"),
        pytest.param(ROOK._replace(check=True, mate=True), "Ra6#", id="mate"),
        pytest.param(Context(0, "P", 0, 7, 0, 8, 9, 9, promotion="Q"), "Pa9=Q", id="promotion"),
        pytest.param(Context(1, "R", -1, -1, 3, 3, 7, 8), "R@d4", id="drop"),
    ],
)
def test_algebraic_says_no_more_than_is_needed(context, text):
    assert write(context, "algebraic") == text


def test_the_long_form_shows_check():
    assert write(Context(0, "R", 7, 0, 7, 7, capture=True, check=True), "long") == "Rh1×h8†"


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize(
    "context",
    [
        pytest.param(Context(0, "R", -1, -1, 3, 3, 7, 8), id="drop"),
        pytest.param(Context(0, "P", 0, 7, 0, 8, 9, 9, promotion="Q"), id="promotion"),
        pytest.param(Context(0, "T", 3, 3, 4, 4, 7, 8), id="treasure"),
        pytest.param(Context(0, "K", 1, 1, 0, 2, 9, 9), id="chess king's diagonal"),
        pytest.param(Context(0, "N", 1, 1, 2, 3, 9, 9), id="knight"),
        pytest.param(Context(0, "R", 0, 0, 5, 0, 12, 12), id="wide board"),
    ],
)
def test_other_games_are_written_in_squares(context, notation):
    said = Said.unpack(parse(write(context, notation)))
    base = 0 if notation == "iccs" else 1
    assert (said.to_file, said.to_rank - base) == (context.to_file, context.to_rank)
    assert said.promotion == context.promotion


def test_unknown_notations_and_dialects_are_refused():
    with pytest.raises(ValueError, match="no notation 'wfx'; there are wxf, chinese"):
        write(ROOK, "wfx")
    with pytest.raises(ValueError, match="wxf has no dialect 'axf'; dialects: wxf, fairy"):
        write(ROOK, "wxf", "axf")
    with pytest.raises(ValueError, match="uci has no dialect"):
        write(ROOK, "uci", "fairy")


EVERY_WAY = [(notation, dialect) for notation in NOTATIONS for dialect in (None, *DIALECTS[notation][1:])]


def assert_comes_home(board, move, ways=EVERY_WAY):
    """Write, parse, resolve: the same move, under both readings of a pair of digits unless fairy wrote it."""
    context = board.context(move)
    for notation, dialect in ways:
        text = write(context, notation, dialect)
        packed = parse(text, notation)
        if notation == "iccs":
            said = Said.unpack(packed)
            raised = said._replace(to_rank=said.to_rank + 1)
            packed = raised._replace(from_rank=said.from_rank + (said.kind == COORDINATE)).pack()
        meant = board.resolve(packed, True if dialect == "fairy" else None)
        assert meant == {move}, (notation, dialect, text)


def wxf_cases():
    return [json.loads(line) for line in shared("oracle/wxf_cases.jsonl").read_text().splitlines()]


def test_fairy_dialect_equals_the_engine():
    for case in wxf_cases():
        board = Board(case["fen"], case["wxf"])
        assert {move: write(board.context(move), "wxf", "fairy") for move in case["wxf"]} == case["wxf"]


def test_engine_positions_come_home_in_every_notation():
    for case in wxf_cases():
        board = Board(case["fen"], case["wxf"])
        for move in board.legal:
            assert_comes_home(board, move)


def test_match_records_are_spelt_as_the_engine_does():
    """Annotated games: the engine's text of every move played, the longer part from crowded boards."""
    for line in shared("oracle/annotated_games.jsonl").read_text().splitlines():
        game = json.loads(line)
        if game["ruleset"] != "xiangqi":
            continue
        fens = [game["start_fen"], *game["fens"]]
        for fen, move, text in zip(fens, game["moves"], game["wxf"], strict=False):
            assert write(Board(fen, [move]).context(move), "wxf", "fairy") == text


def steps(piece, side, file, rank, files, ranks):
    """Every point that ``piece`` could reach on an empty board: more than can ever be legal."""
    forward = -1 if side else 1
    if piece in "RC":
        return [(f, rank) for f in range(files)] + [(file, r) for r in range(ranks)]
    deltas = {
        "P": [(0, forward), (1, 0), (-1, 0)],
        "K": [(0, 1), (0, -1), (1, 0), (-1, 0)],
        "A": [(f, r) for f in (1, -1) for r in (1, -1)],
        "E": [(f, r) for f in (2, -2) for r in (2, -2)],
        "H": [(f, r) for f in (1, -1, 2, -2) for r in (1, -1, 2, -2) if abs(f) != abs(r)],
    }[piece]
    return [
        (file + f, rank + r) for f, r in deltas if (file + f, rank + r) in zone(piece, side, files, ranks)
    ]


def zone(piece, side, files, ranks):
    points = [(file, rank) for file in range(files) for rank in range(ranks)]
    half, palace = ranks // 2, range(files // 2 - 1, files // 2 + 2)
    depth = {"E": half, "A": 3, "K": 3}.get(piece, ranks)
    if piece == "E" and files == 9:  # the seven points of an elephant
        points = [(f, r) for f, r in points if r % 2 == 0 and (f + r) % 4 == 2]
        points = [(f, r if side == 0 else ranks - 1 - r) for f, r in points if r < half]
    if piece in "AK":
        points = [(f, r) for f, r in points if f in palace]
    if piece == "A":
        points = [
            (f, r) for f, r in points if (f + (r if side == 0 else ranks - 1 - r) + files // 2) % 2 == 1
        ]
    return [(f, r) for f, r in points if (ranks - 1 - r if side else r) < depth]


@st.composite
def crowded(draw):
    """A board with one side's pieces of one kind on few files, and every step that they could make."""
    files, ranks, most = draw(st.sampled_from([(9, 10, 2), (7, 8, 4)]))
    side, piece = draw(st.sampled_from([0, 1])), draw(st.sampled_from("KAEHRCP"))
    count = draw(st.integers(1, {"K": 1, "P": 5 if files == 9 else 10}.get(piece, most)))
    points = zone(piece, side, files, ranks)
    if piece in "HRCP":
        columns = draw(st.sets(st.integers(0, files - 1), min_size=1, max_size=4))
        points = [point for point in points if point[0] in columns]
    chosen = draw(st.sets(st.sampled_from(points), min_size=1, max_size=count))
    board = Board(f"{'/'.join([str(files)] * ranks)} {'wb'[side]}", [], files, ranks)
    board.pieces = {point: (piece, side) for point in chosen}
    board.legal = sorted(
        f"{name(*point)}{name(*to)}"
        for point in chosen
        for to in steps(piece, side, *point, files, ranks)
        if to not in chosen
    )
    return board


@given(crowded())
def test_every_move_comes_home_in_every_notation(board):
    for move in board.legal:
        assert_comes_home(board, move)
