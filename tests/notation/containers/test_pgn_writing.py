"""The PGN writer: numbers, quotes, line lengths; what is written reads back as the same tree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import shared
from notation.containers import pgn
from notation.record import GameRecord, Variation
from notation.remark import tidy


def again(record: GameRecord, **options) -> GameRecord:
    text = pgn.write(record, **options)
    batch = pgn.read(text.encode())
    assert len(batch) == 1, text
    return batch.record(0)


def body(record: GameRecord, **options) -> str:
    return pgn.write(record, **options).split("\n\n", 1)[-1].strip()


@pytest.mark.parametrize(
    "record, text",
    [
        pytest.param(GameRecord(tokens=["C2=5", "H8+7", "H2+3"]), "1. C2=5 H8+7 2. H2+3 *", id="plain"),
        pytest.param(
            GameRecord(tokens=["a", "b", "c"], variations=[Variation(1, ["d"]), Variation(2, ["e"])]),
            "1. a ( 1. d ) 1... b ( 1... e ) 2. c *",
            id="the reply after a variation carries its number",
        ),
        pytest.param(
            GameRecord(tokens=["a", "b"], comments={0: ["s"], 1: ["x", "y"]}, nags={1: [3, 14]}),
            "{s} 1. a $3 $14 {x} {y} 1... b *",
            id="comments and glyphs",
        ),
        pytest.param(
            GameRecord(tokens=["d10d9", "a1a5", "d9d10"], fen="3k5/9/9/9/9/9/9/9/9/R4K3 b - - 0 37"),
            "37... d10d9 38. a1a5 d9d10 *",
            id="a start with Black to move, number 37",
        ),
        pytest.param(
            GameRecord(tokens=["a"], result="1-0"), "1. a 1-0", id="the tag's result when there is no other"
        ),
        pytest.param(
            GameRecord(tokens=["a"], result="1-0", terminator="0-1"), "1. a 0-1", id="its own result first"
        ),
        pytest.param(
            GameRecord(tokens=["a"], comments={1: ["ends } here"]}),
            "1. a\n;ends } here\n*",
            id="a brace in a comment",
        ),
        pytest.param(
            GameRecord(tokens=[], variations=[Variation(1, ["a"])]), "( 1. a ) *", id="only a variation"
        ),
    ],
)
def test_move_text(record, text):
    assert body(record) == text


def test_numbers_from_the_start_position():
    start = pgn.start_of("3k5/9/9/9/9/9/9/9/9/R4K3 b - - 0 37")
    assert [pgn.move_label(ply, start) for ply in (1, 2, 3)] == ["37...", "38.", "38..."]
    assert pgn.start_of(None) == pgn.start_of("4k4/9/9/9/9/9/9/9/9/4K4") == (False, 1)


def test_tags_are_escaped_and_completed():
    record = GameRecord(tags={"Event": 'a "b" \\c\nd', "White Elo": "1"}, fen="4k4/9 w")
    text = pgn.write(record)
    assert text == ('[Event "a \\"b\\" \\\\c d"]\n[White_Elo "1"]\n[SetUp "1"]\n[FEN "4k4/9 w"]\n\n*\n')
    assert again(record).tags == {"Event": 'a "b" \\c d', "White_Elo": "1", "SetUp": "1", "FEN": "4k4/9 w"}


def test_lines_are_at_most_as_wide_as_asked():
    record = GameRecord(
        tokens=["炮二平五", "马８进７"] * 100,
        comments={k: ["当头炮 or so, and more words " * 3] for k in range(1, 200, 7)},
    )
    record.comments = {ply: [tidy(c) for c in texts] for ply, texts in record.comments.items()}
    for width in (40, 80):
        for line in pgn.write(record, width=width).splitlines():
            assert sum(2 if c > "\u10ff" else 1 for c in line) <= width
        assert again(record, width=width).comments == record.comments


def test_many_records_are_kept_apart():
    records = [
        GameRecord(tokens=["a1a2"]),
        GameRecord(tokens=[]),
        GameRecord(tags={"Event": "x"}, tokens=["b1b2"]),
    ]
    batch = pgn.read(pgn.write(records).encode())
    assert [batch.tokens(i) for i in range(len(batch))] == [["a1a2"], [], ["b1b2"]]


# -- what is written reads back -----------------------------------------------------------------------------

MOVES = st.sampled_from(
    ["C2=5", "h10g8", "炮二平五", "Ｃ２＝５", "33.4", "+R.5", "C--1", "N@e5", "Rxb10+", "7747", "??"]
)
WORDS = st.text('ab }{;()[]%"\\1.*-0\n\t $!?炮—　', max_size=12) | st.sampled_from(
    [
        "+0.35/9 0.01s",
        "two\n\nparagraphs",
        "three\n\nof\n\nthem",
        '[Event "x"]',
        "[%clk 0:1:0]",
        "% x",
        "1-0",
        "1. a1a2",
        "{",
        '[Event "a"] [Event "b"]\n[Event "c"]',
    ]
)


def comments_from(words):
    kept = [tidy(word) for word in words]
    return [word for word in kept if word and not _unsayable(word)]


def _unsayable(word: str) -> bool:
    """Comments that PGN cannot hold unchanged (see `pgn.write`)."""
    lines = word.split("\n")
    return len(lines) > 1 and ("}" in word or any(line.startswith("[") for line in lines[1:]))


@st.composite
def lines_from(draw, from_ply: int, depth: int):
    moves = draw(st.lists(MOVES.filter(lambda m: m != "??"), min_size=1, max_size=5))
    plies = st.integers(from_ply - 1, from_ply + len(moves) - 1)
    comments = draw(st.dictionaries(plies, st.lists(WORDS, max_size=2).map(comments_from), max_size=3))
    nags = draw(
        st.dictionaries(plies, st.lists(st.integers(1, 255), min_size=1, max_size=3, unique=True), max_size=2)
    )
    inner = []
    if depth:
        inner_plies = draw(st.lists(st.integers(from_ply, from_ply + len(moves) - 1), max_size=2).map(sorted))
        inner = [draw(lines_from(ply, depth - 1)) for ply in inner_plies]
    return Variation(from_ply, moves, {k: v for k, v in comments.items() if v}, nags, inner)


@settings(deadline=None)
@given(
    lines_from(1, 3),
    st.dictionaries(
        st.sampled_from(["Event", "赛事", "Red-1"]), st.text('ab"\\[] 炮\\', max_size=8), min_size=1
    ),
    st.sampled_from(["1-0", "*", "½-½", "红胜"]),
    st.sampled_from([20, 80]),
)
def test_trees_come_home(line, tags, terminator, width):
    record = GameRecord(
        tags,
        line.moves,
        line.comments,
        line.nags,
        line.variations,
        result=tags.get("Result"),
        terminator=terminator,
    )
    found = again(record, width=width)
    assert found.tags == tags
    assert (found.tokens, found.terminator) == (record.tokens, terminator)
    assert found.comments == record.comments
    assert found.nags == record.nags
    assert found.variations == record.variations


def test_corpus_comes_home():
    for path in sorted(shared("corpus").rglob("*")):
        if path.suffix.lower() not in (".pgn", ".pgn_iccs", ".pgn_zh"):
            continue
        for record in pgn.games(path):
            found = again(record)
            for name in ("tags", "tokens", "comments", "nags", "variations", "fen", "result"):
                assert getattr(found, name) == getattr(record, name), (path, name)
