"""Which encoding a record is in: by its own bytes first, by its file's hint where they leave it open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import shared
from notation import containers
from notation import encoding as encodings
from notation.containers import pgn

BOTH_SCRIPTS = [
    pytest.param("炮二平五", id="one red move"),
    pytest.param("1. 炮二平五 馬８進７ 2. 馬二進三", id="traditional"),
    pytest.param("兵七進一", id="soldier"),
    pytest.param("前車平四", id="front chariot"),
    pytest.param("1. 相三進五 炮8平5", id="half-width digits"),
    pytest.param('[Red "胡榮華"]\n\n1. h2e2', id="a name and coordinates"),
    pytest.param('[Event "象棋大師賽"]\n\n1. C2=5', id="an event and WXF"),
    pytest.param("1. h2e2 {當頭炮}", id="a comment"),
    pytest.param("紅勝", id="a result"),
]
SIMPLIFIED = [
    pytest.param("马八进七", id="horse"),
    pytest.param("1. 炮二平五 马8进7 2. 马二进三 车9平8", id="moves"),
    pytest.param('[Red "许银川"]\n[Black "吕钦"]\n\n1. h2e2', id="names and coordinates"),
    pytest.param('[Site "北京中国科技馆"]\n\n1. C2=5', id="a place and WXF"),
    pytest.param("车一平二", id="chariot"),
    pytest.param("帅五平六", id="general"),
]


@pytest.mark.parametrize("text", BOTH_SCRIPTS)
@pytest.mark.parametrize("name", ["utf-8", "gb18030", "big5"])
def test_short_games_need_no_hint(text, name):
    assert encodings.decide(text.encode(name)) == name
    decoded = encodings.decode(text.encode(name))
    assert (decoded.text.decode(), decoded.encoding, decoded.fault) == (text, name, None)


@pytest.mark.parametrize("text", SIMPLIFIED)
@pytest.mark.parametrize("name", ["utf-8", "gb18030"])
def test_short_simplified_games_need_no_hint(text, name):
    assert encodings.decide(text.encode(name)) == name


@pytest.mark.parametrize("text", BOTH_SCRIPTS)
@pytest.mark.parametrize("hint", ["utf-8", "gb18030", "big5", None])
def test_a_wrong_hint_does_not_overrule_the_words_of_the_game(text, hint):
    if "炮" in text or "馬" in text:
        for name in ("utf-8", "gb18030", "big5"):
            assert encodings.decide(text.encode(name), hint) == name


def test_a_hint_decides_what_the_bytes_leave_open():
    raw = "李".encode("gb18030")
    assert encodings.decide(raw, "gb18030") == "gb18030"
    assert encodings.decide(raw, "big5") == "big5"


@pytest.mark.parametrize(
    "text", ["Müller", "Nguyễn Văn A – Đặng Hữu Trang", "Cédric Élan", "½-½", "naïve “quotes”", "Ёлкин"]
)
def test_latin_and_cyrillic_stay_utf8(text):
    assert encodings.decide(text.encode()) == "utf-8"
    assert encodings.decide(text.encode(), "utf-8") == "utf-8"


def test_ascii_is_ascii_whatever_the_hint():
    assert encodings.decide(b"1. C2=5", "big5") == "ascii"
    assert encodings.decode(b"1. C2=5", "big5").encoding == "ascii"


MOVE = st.tuples(
    st.sampled_from("車馬炮相仕帥兵"),
    st.sampled_from("一二三四五六七八九"),
    st.sampled_from("進退平"),
    st.sampled_from("一二三四五六七八九"),
).map("".join)


@given(
    st.lists(MOVE, min_size=1, max_size=8),
    st.sampled_from(["utf-8", "gb18030", "big5"]),
    st.sampled_from([" ", "\n"]),
)
def test_moves_alone_tell(moves, name, gap):
    assert encodings.decide(gap.join(moves).encode(name)) == name


@given(st.binary(max_size=200), st.sampled_from([None, "utf-8", "gb18030", "big5"]))
def test_any_bytes_decode_to_utf8(raw, hint):
    decoded = encodings.decode(raw, hint)
    text = decoded.text.decode("utf-8")
    assert decoded.encoding in ("ascii", "utf-8", "gb18030", "big5")
    if decoded.fault is None:
        again = encodings.encode(text, decoded.encoding)
        assert encodings.decode(again, encoding=decoded.encoding).text.decode("utf-8") == text
    else:
        assert 0 <= decoded.fault < len(raw)
        assert "\\x" in text


def test_bytes_that_do_not_fit_are_kept_as_escapes():
    batch = pgn.read(
        '[Event "测试杯"]\n[Red "甲乙'.encode() + b'\xff"]\n\n' + "1. 炮二平五 马８进７ *".encode()
    )
    assert batch.encoding == ["utf-8"]
    assert batch.tags[0]["Red"] == "甲乙\\xff"
    (finding,) = batch.findings
    assert (finding.code, finding.game, finding.line, finding.byte) == ("mixed-encoding", 0, 2, 32)
    assert batch.tokens(0) == ["炮二平五", "马８进７"]


def test_an_explicit_encoding_is_honoured():
    data = '[Event "Trận đấu"]\n\n1. 炮二平五 *'.encode()
    assert pgn.read(data, encoding="gbk").encoding == ["gb18030"]
    assert pgn.read(data, encoding="latin-1").encoding == ["iso8859-1"]
    assert pgn.read(data, encoding="utf8").tokens(0) == ["炮二平五"]
    with pytest.raises(LookupError):
        pgn.read(data, encoding="no-such-encoding")
    with pytest.raises(LookupError):
        pgn.read(data, encoding="base64")


@pytest.mark.parametrize("codec", ["utf-16", "utf-32"])
def test_marked_wide_text(codec):
    batch = pgn.read('[Event "赛"]\n\n1. 炮二平五 *'.encode(codec))
    assert (batch.encoding, batch.tags[0], batch.tokens(0)) == ([codec], {"Event": "赛"}, ["炮二平五"])


UNMARKED = {
    "English": '[Event "x"]\r\n[Result "1-0"]\r\n\r\n1. C2=5 H8+7 1-0\r\n',
    "Chinese": '[Event "一一一一"]\n[Red "胡荣华"]\n\n' + "1. 车一平二 {一开最一开最} 车１平２\n" * 100,
    "mostly comments": "1. 炮二平五 {" + "当头炮是最常见的开局方法之一，" * 4 + "} 马8进7\n\n" * 3 + "*",
    "moves": "1. 炮二平五 马8进7 2. 马二进三",
}


@pytest.mark.parametrize("text", UNMARKED.values(), ids=UNMARKED)
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(text, codec, tmp_path):
    data = text.encode(codec)
    batch, plain = pgn.read(data), pgn.read(text.encode())
    assert batch.encoding == [codec] * len(plain)
    assert [batch.record(i).tokens for i in range(len(batch))] == [
        plain.record(i).tokens for i in range(len(plain))
    ]
    assert [f.code for f in batch.findings] == [f.code for f in plain.findings]
    assert [data[f.byte : f.byte + 2] for f in batch.findings] == [
        text.encode()[f.byte : f.byte + 1].decode().encode(codec) for f in plain.findings
    ]
    assert containers.sniff(data, "games.txt") == containers.sniff(text.encode(), "games.txt")
    (tmp_path / "games.txt").write_bytes(data)
    assert [cut.last for cut in pgn.split(tmp_path / "games.txt", 1)] == [len(data)]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_may_begin_with_a_line_of_chinese_alone(codec):
    text = '象棋名手对局选集（第一卷）：五羊杯·广州\n[Event "一"]\n\n1. 炮二平五 马8进7 *\n'
    batch = containers.read(data := text.encode(codec))
    assert (containers.sniff(data), batch.encoding) == ("pgn", [codec])
    assert batch.record(0).tokens == ["炮二平五", "马8进7"]
    assert encodings.evident("象棋名手对局选集（第一卷）".encode("gb18030") + text.encode(codec)) is None


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"1.\0 h3e3 h10g8\0 2. h1g3 *", id="NULs here and there"),
        pytest.param(b"\0" * 500, id="nothing but NULs"),
        pytest.param(b"".join(bytes([c, 0, 0, 0]) for c in b"a list of numbers"), id="numbers of four bytes"),
        pytest.param(bytes(range(256)) * 4, id="all bytes"),
        pytest.param("1. h3e3 h10g8".encode("utf-16-le") + b" 1. h3e3 h10g8 2. h1g3 *", id="ASCII, too"),
        pytest.param(
            "".join(chr(c) for c in range(1, 100)).encode("utf-16-le"), id="characters that no text has"
        ),
    ],
)
def test_other_nuls_do_not_make_it_utf16(data):
    assert encodings.evident(data) is None


@pytest.mark.parametrize("first", ["gb18030", "big5", "utf-8"])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_behind_another_text_is_read(first, codec, tmp_path):
    one = '[Event "一"]\n\n1. 炮二平五 馬二進三 *\n\n'
    other = '[Event "二"]\n[Red "胡荣华"]\n\n1. 马二进三 *\n\n'
    data = one.encode(first) * 3 + (other * 6).encode(codec) + b'[Event "x"]\n\n1. a1a2 *\n\n' * 2
    batch = pgn.read(data)
    games = [batch.record(i) for i in range(len(batch))]
    assert [game.tokens[-1] for game in games] == [*["馬二進三"] * 3, *["马二进三"] * 6, *["a1a2"] * 2]
    assert [game.line for game in games] == [1, 5, 9, *range(13, 43, 5), 43, 47]
    assert [game.index for game in games] == list(range(11))
    mixed = [finding.byte for finding in batch.findings if finding.code == "mixed-encoding"]
    assert mixed[0] == 3 * len(one.encode(first)) and len(mixed) == 2
    (path := tmp_path / "games.pgn").write_bytes(data)
    assert [game.tokens for game in pgn.games(path)] == [game.tokens for game in games]
    pieces = [pgn.read(path, cut=cut) for cut in pgn.split(path, 1)]
    assert [i for piece in pieces for i in piece.index] == list(range(11))
    assert [line for piece in pieces for line in piece.line] == [game.line for game in games]


def test_truncated_utf16_is_a_finding():
    batch = pgn.read('[Event "赛"]\n\n1. 炮二平五 *'.encode("utf-16")[:-1])
    assert batch.tokens(0)[:1] == ["炮二平五"]
    assert batch.findings[0].code == "mixed-encoding"


def test_games_of_different_encodings_in_one_file():
    texts = [
        '[Event "测试"]\n\n1. 炮二平五 *\n\n',
        '[Event "測試"]\n\n1. 馬二進三 *\n\n',
        '[Event "x"]\n\n1. a1a2 *\n\n',
    ]
    data = texts[0].encode("gb18030") + texts[1].encode("big5") + texts[0].encode() + texts[2].encode()
    batch = pgn.read(data)
    assert batch.encoding == ["gb18030", "big5", "utf-8", "ascii"]
    assert [batch.tokens(i) for i in range(4)] == [["炮二平五"], ["馬二進三"], ["炮二平五"], ["a1a2"]]
    assert [data[batch.offset[i] : batch.offset[i] + 8] for i in range(4)] == [b'[Event "'] * 4


def test_second_bytes_that_look_like_brackets():
    # In Big5 the second byte of these is one of [ \ ] { | }
    text = (
        '[Event "功許蓋"]\n[Red "育歿"]\n\n1. 炮二平五 {功蓋許育盜} 馬８進７\n[Event "功"]\n\n1. 馬二進三 *\n'
    )
    raw = text.encode("big5")
    assert any(b"\\" in c.encode("big5") or b"}" in c.encode("big5") for c in text if c > "\x7f")
    batch = pgn.read(raw)
    assert [batch.tokens(i) for i in range(len(batch))] == [["炮二平五", "馬８進７"], ["馬二進三"]]
    assert batch.tags[0] == {"Event": "功許蓋", "Red": "育歿"}
    assert batch.record(0).comments == {1: ["功蓋許育盜"]}


CORPUS = {
    "ccpd-big5": {"big5"},
    "eleeye": {"gb18030"},
    "cchess-tests": {"gb18030", "utf-8"},
    "hbsxcjp-01": {"gb18030"},
    "wukong-xqdb": {"ascii", "utf-8"},
    "vschess": {"utf-8"},
    "xiang.js": {"utf-8"},
    "elephantchess": {"ascii"},
}


@pytest.mark.parametrize("folder", CORPUS)
def test_corpus(folder):
    seen = set()
    for path in sorted(shared(f"corpus/{folder}").rglob("*")):
        if path.suffix.lower() in (".pgn", ".pgn_iccs", ".pgn_zh", ".pgn_cc", ".txt"):
            raw = path.read_bytes()
            decoded = encodings.decode(raw)
            assert decoded.fault is None, path
            seen.add(decoded.encoding)
            seen.update(encodings.decode(game).encoding for game in raw.split(b"\n\n") if len(game) > 40)
    assert seen - {"ascii"} == CORPUS[folder] - {"ascii"}


@pytest.mark.parametrize(
    "written, given, found",
    [
        ("utf-8", "gbk", "utf-8"),
        ("utf-8", "latin-1", "utf-8"),
        ("utf-8-sig", "big5", "utf-8"),
        ("utf-16", "gb18030", "utf-16"),
        ("gb18030", "utf-8", "gb18030"),
        ("utf-8", "utf-8", None),
        ("utf-8-sig", "utf-8", None),
        ("utf-8", "utf-8-sig", None),
        ("utf-16", "utf-16-le", None),
        ("gb18030", "gb2312", None),
        ("gb18030", "cp936", None),
    ],
)
def test_a_given_encoding_that_the_bytes_plainly_are_not_in_is_told(written, given, found):
    text = '[Event "象棋比赛"]\n\n1. 炮二平五 马8进7 *\n'.encode(written)
    assert encodings.belied(text, given) == found
    assert encodings.belied(b"1. h3e3 *", given) is None
    told = [
        finding
        for finding in containers.read(text, encoding=given).findings
        if finding.code == "other-encoding"
    ]
    assert [finding.suggestion for finding in told] == ([f"--encoding {found}"] if found else [])


TEXTS = {
    "pgn": '[Event "测试"]\n[Red "胡荣华"]\n[Black "许银川"]\n\n1. 炮二平五 马8进7 2. 马二进三 1-0\n\n',
    "wxf_text": "FORMAT WXF\nRED 胡荣华\nBLACK 许银川\nEVENT 全国象棋个人赛决赛\nSTART{\n1. C2.5 h8+7\n}END\n",
    "json_games": '{"red": "胡荣华", "black": "许银川", "event": "全国象棋个人赛决赛", "moves": ["h2e2", "h9g7"]}\n',
}


@pytest.mark.parametrize("container", TEXTS)
@pytest.mark.parametrize("second", ["utf-8", "utf-8-sig", "gb18030", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("first", ["utf-16-le", "utf-16"])
def test_another_encoding_after_utf16(container, first, second):
    if (first, second) == ("utf-16-le", "utf-16"):
        pytest.skip("the same but for a mark")
    front, text = (TEXTS[container] * 3).encode(first), TEXTS[container]
    data = front + (text * 3).encode(second)
    batch = containers.read(data, name=container)
    assert batch.tags.told("Red") == ["胡荣华"] * 6
    assert [batch.tokens(i) for i in range(6)] == [batch.tokens(0)] * 6
    assert list(batch.index) == list(range(6))
    if second == first:
        assert "mixed-encoding" not in [finding.code for finding in batch.findings]
        return
    (finding,) = [f for f in batch.findings if f.code == "mixed-encoding"]
    assert (finding.byte, finding.line) == (len(front), 1 + 3 * text.count("\n"))
    assert batch.line[3] == finding.line
    assert batch.offset[3] - finding.byte in (0, 2, 3)
    assert len(data) - batch.end[5] <= (2 if container == "json_games" else 0)


@pytest.mark.parametrize("container", TEXTS)
@pytest.mark.parametrize("first", ["utf-8-sig", "utf-16", "gb18030"])
def test_marks_between_files_are_no_text(container, first):
    text = TEXTS[container]
    second = "utf-8-sig" if first == "gb18030" and container != "json_games" else first
    batch = containers.read(text.encode(first) + text.encode(second) * 2, name=container)
    assert batch.tags.told("Red") == ["胡荣华"] * 3
    assert not batch.findings


def test_a_list_of_moves_in_another_encoding_after_utf16():
    front = ("甲;h2e2,h9g7\n" * 3).encode("utf-16")
    batch = containers.read(front + b"B;h2e2,h9g7\n" * 6, name="move_lists")
    assert batch.tags.told("Title") == ["甲"] * 3 + ["B"] * 6
    assert [batch.tokens(i) for i in range(9)] == [["h2e2", "h9g7"]] * 9
    assert [(finding.code, finding.byte) for finding in batch.findings] == [("mixed-encoding", len(front))]


def test_a_lost_byte_in_utf16_costs_what_is_around_it():
    text = TEXTS["pgn"] * 20
    data = text.encode("utf-16-le")
    cut = data.index("[Event".encode("utf-16-le"), len(data) // 2)
    batch = pgn.read(data[:cut] + data[cut + 1 :])
    assert len(batch) >= 19
    assert [f.byte - cut for f in batch.findings if f.code == "mixed-encoding"] == [1]


def test_what_is_neither_after_utf16_is_an_error():
    front = (TEXTS["pgn"] * 3).encode("utf-16-le")
    batch = pgn.read(front + bytes(range(256)) * 20)
    assert [batch.tokens(i) for i in range(3)] == [["炮二平五", "马8进7", "马二进三"]] * 3
    assert {"mixed-encoding", "binary-data"} <= {f.code for f in batch.findings}
    assert min(f.byte for f in batch.findings if f.code == "binary-data") >= len(front)
