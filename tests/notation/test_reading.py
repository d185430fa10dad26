"""What the parsers hear in a token, without a board."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation import heard, parse
from notation.descriptor import (
    BACKWARD,
    CHECK,
    FOREMOST,
    FORWARD,
    FRONT,
    MIDDLE,
    PAIR,
    REAR,
    REARMOST,
    TRAVERSE,
    Said,
    algebraic,
    coordinate,
    describe,
    drop,
    relative,
)
from tests.conftest import shared


def words(*arguments, **named):
    return relative(*arguments, words=True, **named)


WXF = [
    pytest.param("C2.5", relative("C", 2, TRAVERSE, 5), id="dot for sideways"),
    pytest.param("C2=5", relative("C", 2, TRAVERSE, 5), id="equals for sideways"),
    pytest.param("H8+7", relative("H", 8, FORWARD, 7), id="horse forward to a file"),
    pytest.param("h8+7", relative("H", 8, FORWARD, 7), id="black in small letters"),
    pytest.param("R8-5", relative("R", 8, BACKWARD, 5), id="minus is always backward"),
    pytest.param("C2−5", relative("C", 2, BACKWARD, 5), id="typographic minus"),
    pytest.param("C2–5", relative("C", 2, BACKWARD, 5), id="dash for minus"),
    pytest.param("Ｃ２＝５", relative("C", 2, TRAVERSE, 5), id="full width sideways"),
    pytest.param("Ｈ８＋７", relative("H", 8, FORWARD, 7), id="full width forward"),
    pytest.param("Ｐ７．６", relative("P", 7, TRAVERSE, 6), id="full width point"),
    pytest.param("ｒ９－８", relative("R", 9, BACKWARD, 8), id="full width small letter and minus"),
    pytest.param("N2+3", relative("N", 2, FORWARD, 3), id="N is kept for the rule set"),
    pytest.param("B3+5", relative("B", 3, FORWARD, 5), id="B is kept for the rule set"),
    pytest.param("S3+1", relative("S", 3, FORWARD, 1), id="S is kept for the rule set"),
    pytest.param("G5.4", relative("G", 5, TRAVERSE, 4), id="G is kept for the rule set"),
    pytest.param("R+.3", relative("R", 0, TRAVERSE, 3, FRONT), id="front chariot (federation page)"),
    pytest.param("C--1", relative("C", 0, BACKWARD, 1, REAR), id="rear cannon retreats (federation page)"),
    pytest.param("R++2", relative("R", 0, FORWARD, 2, FRONT), id="front chariot advances"),
    pytest.param("C+-2", relative("C", 0, BACKWARD, 2, FRONT), id="front cannon retreats"),
    pytest.param("p-.5", relative("P", 0, TRAVERSE, 5, REAR), id="rear soldier, small letter"),
    pytest.param("e-+5", relative("E", 0, FORWARD, 5, REAR), id="elephant with a sign it does not need"),
    pytest.param("+P+1", relative("P", 0, FORWARD, 1, FRONT), id="sign before the piece"),
    pytest.param("＋Ｐ＝６", relative("P", 0, TRAVERSE, 6, FRONT), id="sign before the piece, full width"),
    pytest.param("－Ｒ＝７", relative("R", 0, TRAVERSE, 7, REAR), id="rear sign before the piece"),
    pytest.param("P3.4", relative("P", 3, TRAVERSE, 4), id="middle of three is written plain (page, I)"),
    pytest.param("++.4", relative("", 0, TRAVERSE, 4, FOREMOST), id="foremost of four or five (page, II)"),
    pytest.param("--.4", relative("", 0, TRAVERSE, 4, REARMOST), id="rearmost of four or five (page, II)"),
    pytest.param("+++1", relative("", 0, FORWARD, 1, FOREMOST), id="foremost advances"),
    pytest.param("--+1", relative("", 0, FORWARD, 1, REARMOST), id="rearmost advances"),
    pytest.param(
        "3+.4", relative("", 3, TRAVERSE, 4, FRONT), id="front of file 3 among two files (page, IV)"
    ),
    pytest.param("7-.6", relative("", 7, TRAVERSE, 6, REAR), id="rear of file 7 among two files (page, IV)"),
    pytest.param("6++1", relative("", 6, FORWARD, 1, FRONT), id="front of file 6 advances"),
    pytest.param("33.4", relative("", 3, TRAVERSE, 4, PAIR, 3), id="33 is left to the dialect"),
    pytest.param("13=4", relative("", 1, TRAVERSE, 4, PAIR, 3), id="place then file"),
    pytest.param("28+1", relative("", 2, FORWARD, 1, PAIR, 8), id="place then file, forward"),
    pytest.param("C6+4!!", relative("C", 6, FORWARD, 4), id="annotation after the move"),
    pytest.param("R1+1+", relative("R", 1, FORWARD, 1) | CHECK, id="check sign after the move"),
    pytest.param(" C2.5\t", relative("C", 2, TRAVERSE, 5), id="blanks around"),
]

CHINESE = [
    pytest.param("炮二平五", words("C", 2, TRAVERSE, 5), id="simplified, Chinese digits"),
    pytest.param("马８进７", words("H", 8, FORWARD, 7), id="full-width digits"),
    pytest.param("馬8进7", words("H", 8, FORWARD, 7), id="traditional piece, simplified action"),
    pytest.param("車9平8", words("R", 9, TRAVERSE, 8), id="traditional chariot"),
    pytest.param("车九退1", words("R", 9, BACKWARD, 1), id="digits of two scripts"),
    pytest.param("砲8平9", words("C", 8, TRAVERSE, 9), id="stone cannon"),
    pytest.param("包2進4", words("C", 2, FORWARD, 4), id="cannon without its radical"),
    pytest.param("俥一平二", words("R", 1, TRAVERSE, 2), id="red chariot of the board"),
    pytest.param("傌二進三", words("H", 2, FORWARD, 3), id="red horse of the board"),
    pytest.param("帅五进一", words("K", 5, FORWARD, 1), id="red general"),
    pytest.param("將5平4", words("K", 5, TRAVERSE, 4), id="black general, traditional"),
    pytest.param("仕四進五", words("A", 4, FORWARD, 5), id="red advisor"),
    pytest.param("士４进５", words("A", 4, FORWARD, 5), id="black advisor"),
    pytest.param("相三进五", words("E", 3, FORWARD, 5), id="red elephant"),
    pytest.param("象７退５", words("E", 7, BACKWARD, 5), id="black elephant"),
    pytest.param("卒３进１", words("P", 3, FORWARD, 1), id="black soldier"),
    pytest.param("炮2平5", words("C", 2, TRAVERSE, 5), id="Arabic digits for Red"),
    pytest.param("前炮退一", words("C", 0, BACKWARD, 1, FRONT), id="front cannon"),
    pytest.param("後炮退１", words("C", 0, BACKWARD, 1, REAR), id="rear cannon, traditional"),
    pytest.param("后马进二", words("H", 0, FORWARD, 2, REAR), id="rear horse, simplified"),
    pytest.param("中兵平四", words("P", 0, TRAVERSE, 4, MIDDLE), id="middle soldier"),
    pytest.param("一兵平四", words("P", 0, TRAVERSE, 4, 1), id="first soldier over all files"),
    pytest.param("五卒进1", words("P", 0, FORWARD, 1, 5), id="fifth soldier"),
    pytest.param("前七平六", words("", 7, TRAVERSE, 6, FRONT), id="file instead of the piece"),
    pytest.param("后3平4", words("", 3, TRAVERSE, 4, REAR), id="file instead of the piece, Black"),
    pytest.param("二七平六", words("", 7, TRAVERSE, 6, 2), id="second soldier of file 7"),
    pytest.param("前兵七平六", words("P", 7, TRAVERSE, 6, FRONT), id="place, piece and file"),
    pytest.param("兵前平五", words("P", 0, TRAVERSE, 5, FRONT), id="piece before its place"),
    pytest.param("炮二平五！", words("C", 2, TRAVERSE, 5), id="full-width exclamation"),
    pytest.param("帥五進一　", words("K", 5, FORWARD, 1), id="ideographic space after the move"),
]

SQUARES = [
    pytest.param("h2e2", coordinate(7, 2, 4, 2), id="small letters"),
    pytest.param("H2-E2", coordinate(7, 2, 4, 2), id="ICCS"),
    pytest.param("H2E2", coordinate(7, 2, 4, 2), id="capitals without a hyphen"),
    pytest.param("Ｈ２－Ｅ２", coordinate(7, 2, 4, 2), id="ICCS, full width"),
    pytest.param("h2–e2", coordinate(7, 2, 4, 2), id="dash"),
    pytest.param("i0h0", coordinate(8, 0, 7, 0), id="rank 0"),
    pytest.param("h10g8", coordinate(7, 10, 6, 8), id="two-digit rank first"),
    pytest.param("a9a10", coordinate(0, 9, 0, 10), id="two-digit rank last"),
    pytest.param("i10h10", coordinate(8, 10, 7, 10), id="two-digit ranks"),
    pytest.param("a8a9q", coordinate(0, 8, 0, 9, "Q"), id="promotion"),
    pytest.param("a8a9=Q", coordinate(0, 8, 0, 9, "Q"), id="promotion with a sign"),
    pytest.param("e5xe6", coordinate(4, 5, 4, 6, capture=True), id="capture sign between squares"),
    pytest.param("A9E8", coordinate(0, 9, 4, 8), id="two capitals are files"),
    pytest.param("a9e8", coordinate(0, 9, 4, 8), id="two small letters are files"),
    pytest.param("A9-e8", coordinate(0, 9, 4, 8), id="a hyphen after a square is ICCS"),
    pytest.param("D4e5", coordinate(3, 4, 4, 5), id="D is no piece, so a file"),
    pytest.param("h2e2+", coordinate(7, 2, 4, 2) | CHECK, id="check sign"),
    pytest.param("R@d4", drop("R", 3, 4), id="drop"),
    pytest.param("r@d4", drop("R", 3, 4), id="drop, small letter"),
    pytest.param("R*d4", drop("R", 3, 4), id="drop, star"),
    pytest.param("P@d10", drop("P", 3, 10), id="drop on a two-digit rank"),
]

ALGEBRAIC = [
    pytest.param("A9e8", algebraic("A", 4, 8, from_rank=9), id="capital then small: advisor from rank 9"),
    pytest.param("A10e9", algebraic("A", 4, 9, from_rank=10), id="advisor from rank 10"),
    pytest.param("Cbe3", algebraic("C", 4, 3, from_file=1), id="cannon from the b-file"),
    pytest.param("Hxf9", algebraic("H", 5, 9, capture=True), id="horse takes"),
    pytest.param("Cb9", algebraic("C", 1, 9), id="piece and square"),
    pytest.param("Rb10", algebraic("R", 1, 10), id="rank 10"),
    pytest.param("Rxb10+", algebraic("R", 1, 10, capture=True) | CHECK, id="check sign"),
    pytest.param("Rf1#", algebraic("R", 5, 1) | CHECK, id="mate sign"),
    pytest.param("c4", algebraic("", 2, 4), id="soldier without a letter"),
    pytest.param("exe5", algebraic("", 4, 5, from_file=4, capture=True), id="soldier takes"),
    pytest.param("ab4", algebraic("", 1, 4, from_file=0), id="soldier sideways"),
    pytest.param("Pxg6", algebraic("P", 6, 6, capture=True), id="soldier with its letter"),
    pytest.param("Nhg8", algebraic("N", 6, 8, from_file=7), id="N is kept"),
    pytest.param("Cb3–e3", algebraic("C", 4, 3, 1, 3), id="long form"),
    pytest.param("Rh1×h8†", algebraic("R", 7, 8, 7, 1, capture=True) | CHECK, id="long form, capture, check"),
    pytest.param("Pa9=Q", algebraic("P", 0, 9, promotion="Q"), id="promotion"),
    pytest.param(
        "bxa9=N+", algebraic("", 0, 9, 1, promotion="N", capture=True) | CHECK, id="promotion by capture"
    ),
    pytest.param("H8e7+!?", algebraic("H", 4, 7, from_rank=8) | CHECK, id="several decorations"),
]


@pytest.mark.parametrize("token, packed", WXF)
def test_wxf_is_heard(token, packed):
    assert (parse(token), heard(token)) == (packed, "wxf")


@pytest.mark.parametrize("token, packed", CHINESE)
def test_chinese_is_heard(token, packed):
    assert (parse(token), heard(token)) == (packed, "chinese")


@pytest.mark.parametrize("token, packed", SQUARES)
def test_squares_are_heard(token, packed):
    assert (parse(token), heard(token)) == (packed, "drop" if "@" in token or "*" in token else "coordinate")


@pytest.mark.parametrize("token, packed", ALGEBRAIC)
def test_algebraic_is_heard(token, packed):
    assert (parse(token), heard(token)) == (packed, "algebraic")


@pytest.mark.parametrize(
    "token",
    [
        *["", " ", "*", "1-0", "0-1", "1/2-1/2", "½-½", "--", "...", "…", "12.", "+3.4", "+0.35/9", "0.012s"],
        *[
            "C2",
            "C25",
            "C2.",
            "C0.5",
            "C2.0",
            "C2/5",
            "C2..5",
            "X2.5",
            "炮二平",
            "炮二平五六七",
            "炮二五平",
            "炮炮平五",
        ],
        *["六兵平五", "33-4", "3--1", "---1", "9e8", "z9", "h2e2h7", "h2e2h7e7", "h15h3", "R@", "@d4"],
        *["White", "红胜", "O-O", "2019-09-18", "\x00\x00\x00\x00", "\ud800二平五", "٣٣.٤", "C²=5", "1e4"],
    ],
)
def test_anything_else_is_nothing(token):
    assert parse(token) == 0
    assert heard(token) is None


def test_declared_coordinates_win_over_an_advisor():
    assert parse("A9e8", "iccs") == parse("A9E8")
    assert parse("A9e8", "algebraic") == parse("A9e8") == algebraic("A", 4, 8, from_rank=9)


@given(st.text(max_size=8))
def test_no_text_raises(token):
    assert 0 <= parse(token) < 2**31


@given(
    st.text("KAEHRCPkaehrcp123456789.=+-@*x:一二三四五前后中平进退兵车炮Ｃ２＝５abcdefghi0!?#", max_size=7)
)
def test_every_descriptor_unpacks_and_packs(token):
    packed = parse(token)
    assert Said.unpack(packed).pack() == packed
    assert describe(packed)
    assert (packed == 0) == (heard(token) is None)


@given(st.binary(max_size=8), st.sampled_from(["utf-8", "gb18030", "big5", "latin-1"]))
def test_no_bytes_raise(data, encoding):
    parse(data.decode(encoding, errors="surrogateescape"))


def test_what_is_said_reads_like_a_sentence():
    assert describe(parse("R+=4")) == "front chariot of those sharing a file, sideways to file 4"
    assert describe(parse("H8+7")) == "horse on file 8, forward to file 7"
    assert describe(parse("Rh1×h8†")) == "chariot from h1 capturing on h8"
    assert describe(parse("13=4")) == "first soldier from the front on file 3, sideways to file 4"
    assert describe(0) == "nothing that can be read"


def test_tokens_of_the_bug_cases_are_heard():
    """Every token that the collected bug reports name is heard in the notation that they say it is in."""
    kinds = {"notation-wxf": {"wxf", "algebraic"}, "notation-chinese": {"chinese"}}
    kinds["notation-coord"] = {"coordinate", "algebraic"}
    seen = 0
    for line in shared("cases/bug_cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["area"] not in kinds or case["input"]["kind"] != "fen_tokens":
            continue
        for token in case["input"]["tokens"]:
            assert heard(token) in kinds[case["area"]], (case["id"], token)
            seen += 1
    assert seen > 30
