"""The WXF text format and the front that tells formats apart."""

import pytest

from adjudicator import adjudicate
from conftest import shared
from notation import containers
from notation.containers import pgn, wxf_text

CLUB = """\
FORMAT  WXF
GAME    PlayerA (2700) vs PlayerB (2590)
TIME    14:12 ; 7:32
RESULT  1-0 (resign:PlayerB ::table)
RED     PlayerA ; 2700 ;;
BLACK   PlayerB ; 2590 ;;
DATE    2019-09-18 23:53:50 CDT
EVENT   Club Game ; 25m/300s/30s

START{
1.  C2.5   h8+7   2.  H2+3   p3+1   3.  R1.2   r9.8
4.  P3+1   h2+3   }END
"""
ENGINE = """\
FORMAT  \tWXF
GAME    \n\
RED     \tFirst;;;
BLACK   \tSecond;;;
/*Time control G5 inc.
20 seconds.*/

START{
 1.  C2.4  C2.5 /* a reply; so far */     !!2.  H8+7!  H2+3
 3.  R9.8  \n\
}END
"""


@pytest.mark.parametrize(
    "head, name, kind",
    [
        pytest.param(CLUB, "", "wxf_text", id="the FORMAT line"),
        pytest.param(CLUB, "club.pgn", "wxf_text", id="content before name"),
        pytest.param("RED A;;;\nBLACK B;;;\nSTART{\n", "x.wxf", "wxf_text", id="no FORMAT line"),
        pytest.param("﻿" + CLUB, "", "wxf_text", id="byte-order mark"),
        pytest.param('\n[Event "x"]\n', "x.txt", "pgn", id="a tag pair"),
        pytest.param("1. C2=5 h8+7\n", "list.wxf", "pgn", id="a bare list of WXF moves"),
        pytest.param("1.  C2.5   h8+7   2.  H2+3", "", "pgn", id="several a line"),
        pytest.param("  1. 炮二平五 马8进7\n", "", "pgn", id="a bare list of Chinese moves"),
        pytest.param("h3e3 h10g8\n", "", "pgn", id="bare coordinates"),
        pytest.param("c4d2\n3k5/9/9/9/9/9/9/2N6/9/4K4w\n", "", "move_lists", id="one move, then a position"),
        pytest.param("???", "broken.PGN", "pgn", id="only the name"),
        pytest.param("shopping list: tea, rice", "notes.txt", "unknown", id="words"),
        pytest.param("", "notes.txt", "unknown", id="nothing"),
        pytest.param("XQ\n\0\0\0", "x.pgn", "xqf", id="bytes of another format"),
        pytest.param("PAR1\0", "x.pgn", "foreign", id="a format that is not read"),
    ],
)
def test_sniff(head, name, kind):
    assert containers.sniff(head.encode(), name) == kind


def test_sniff_reads_wide_text_and_legacy_encodings():
    assert containers.sniff(CLUB.encode("utf-16"), "") == "wxf_text"
    assert containers.sniff("1. 炮二平五".encode("utf-16"), "") == "pgn"
    assert containers.sniff("  1. 炮二平五".encode("gb18030"), "") == "pgn"
    assert containers.sniff("  1. 炮二平五 馬８進７".encode("big5"), "") == "pgn"


def test_every_container_is_complete():
    for name in containers.CONTAINERS:
        module = containers.container(name)
        assert all(callable(getattr(module, part)) for part in ("split", "read"))
    with pytest.raises(LookupError):
        containers.container("tarot")


def test_header_and_moves():
    batch = wxf_text.read(CLUB.encode())
    assert len(batch) == 1
    assert batch.tags[0] == {
        "Format": "WXF",
        "Title": "PlayerA (2700) vs PlayerB (2590)",
        "RedTime": "14:12",
        "BlackTime": "7:32",
        "Result": "1-0",
        "Termination": "resign:PlayerB ::table",
        "Red": "PlayerA",
        "RedElo": "2700",
        "Black": "PlayerB",
        "BlackElo": "2590",
        "Date": "2019-09-18 23:53:50 CDT",
        "Event": "Club Game",
        "TimeControl": "25m/300s/30s",
    }
    assert batch.tokens(0) == ["C2.5", "h8+7", "H2+3", "p3+1", "R1.2", "r9.8", "P3+1", "h2+3"]
    assert list(batch.token_line) == [11] * 6 + [12] * 2
    assert list(batch.token_column)[:3] == [5, 12, 23]
    assert batch.findings == []
    assert (batch.offset[0], batch.end[0]) == (0, len(CLUB))


def test_remarks_and_annotations():
    batch = wxf_text.read(ENGINE.encode())
    record = batch.record(0)
    assert record.tokens == ["C2.4", "C2.5", "H8+7", "H2+3", "R9.8"]
    assert record.comments == {0: ["Time control G5 inc. 20 seconds."], 2: ["a reply; so far"]}
    assert record.nags == {2: [3], 3: [1]}, "signs before a number belong to the ply before"
    assert record.tags["Red"] == "First" and "RedElo" not in record.tags
    assert batch.findings == []


def test_games_one_after_the_other_and_shards():
    text = (CLUB + "\n" + ENGINE + CLUB.replace("\n", "\r\n")).encode()
    whole = wxf_text.read(text)
    assert len(whole) == 3
    assert [whole.tokens(i)[-1] for i in range(3)] == ["h2+3", "R9.8", "h2+3"]
    assert list(whole.index) == [0, 1, 2]
    shards = list(wxf_text.split(text, 1))
    assert [shard.games for shard in shards] == [1, 1, 1]
    assert shards[0].first == 0 and shards[-1].last == len(text)
    cut = list(containers.batches(text, 1))
    for name in ("offset", "end", "line", "index", "token_line", "token_column"):
        assert [x for batch in cut for x in getattr(batch, name)] == list(getattr(whole, name)), name


def everything(batches):
    names = ("offset", "end", "line", "index", "encoding", "token_line", "token_column")
    games = {name: [value for batch in batches for value in getattr(batch, name)] for name in names}
    said = [(batch.tags[i], batch.tokens(i)) for batch in batches for i in range(len(batch))]
    found = [
        (fault.code, fault.line, fault.column, fault.byte, fault.text)
        for batch in batches
        for fault in batch.findings
    ]
    return games, said, found


def test_a_record_has_its_own_encoding_wherever_the_file_is_cut():
    named = CLUB.replace("PlayerA", "红方车马炮胜").replace("p3+1", "卒３进１")
    parts = [CLUB.encode(), named.encode(), named.encode("gb18030"), CLUB.encode()]
    for i, text in enumerate(parts):
        parts[i] = text.replace(b"Club Game", b"Club \xff Game") if i % 2 else text
    data = b"".join(parts)
    whole = wxf_text.read(data)
    assert whole.encoding[:3] == ["ascii", "utf-8", "gb18030"]
    assert [whole.tags[i]["Red"] for i in (1, 2)] == ["红方车马炮胜"] * 2
    assert list(whole.offset) == [sum(map(len, parts[:i])) for i in range(4)]
    misfits = [finding for finding in whole.findings if finding.code == "mixed-encoding"]
    assert [(fault.game, fault.line, fault.text) for fault in misfits] == [(1, 20, r"\xff"), (3, 44, r"\xff")]
    assert [data[fault.byte] for fault in misfits] == [0xFF, 0xFF]
    for target in (1, 500, 1 << 20):
        assert everything(list(containers.batches(data, target))) == everything([whole])


@pytest.mark.parametrize("encoding", ["gbk", "utf-16"])
def test_an_encoding_that_is_given_is_that_of_every_record(encoding):
    data = (CLUB + CLUB.replace("PlayerA", "红方")).encode(encoding)
    batch = wxf_text.read(data, encoding=encoding)
    assert batch.encoding == [{"gbk": "gb18030"}.get(encoding, encoding)] * 2
    assert batch.tags[1]["Red"] == "红方"
    assert (batch.end[0], batch.end[1]) == (batch.offset[1], len(data))


@pytest.mark.parametrize(
    "text, codes",
    [
        pytest.param("FORMAT WXF\nRED a\n", ["truncated-file"], id="no moves"),
        pytest.param("FORMAT WXF\nSTART{\n1. C2.5 h8", ["truncated-file"], id="cut within the moves"),
        pytest.param("FORMAT WXF\n?what is this\nSTART{\n}END\n", ["bad-tag"], id="a line that is no key"),
        pytest.param("FORMAT WXF\nRED a\nRED b\nSTART{\n}END\n", ["duplicate-tag"], id="a key twice"),
        pytest.param("FORMAT WXF\nSTART{\n}END\nbye\n", ["text-after-end"], id="words at the end"),
        pytest.param("hello\nFORMAT WXF\nSTART{\n}END\n", ["text-before-game"], id="words at the front"),
        pytest.param("hello\n", ["no-games"], id="something else"),
    ],
)
def test_faults_are_findings(text, codes):
    batch = wxf_text.read(text.encode())
    assert [finding.code for finding in batch.findings] == codes
    assert all(finding.line for finding in batch.findings)


def test_an_unclosed_game_does_not_swallow_the_next():
    batch = wxf_text.read((CLUB.replace("}END", "") + CLUB).encode())
    assert [len(batch.tokens(i)) for i in range(len(batch))] == [8, 8]
    (finding,) = batch.findings
    assert (finding.code, finding.game, finding.line) == ("truncated-file", 0, 12)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(encoding):
    text = CLUB.replace("PlayerA", "胡荣华").replace("p3+1", "Z9")
    (game,) = adjudicate(text.encode(encoding))
    assert game.tags["Red"] == "胡荣华"
    assert [(f.code, f.line, f.column, f.ply) for f in game.findings] == [("unreadable-token", 11, 30, 4)]


@pytest.mark.parametrize(
    "text", [CLUB, ENGINE, "START{\n1. C2.5 }END\n", "words\nFORMAT WXF\n?x\n"], ids=range(4)
)
def test_a_mark_at_the_front_does_not_matter(text):
    plain, batch = wxf_text.read(text.encode()), wxf_text.read(text.encode("utf-8-sig"))
    assert [batch.record(i).tags for i in range(len(batch))] == [
        plain.record(i).tags for i in range(len(plain))
    ]
    assert [start - 3 for start in batch.offset] == list(plain.offset)
    assert [(f.code, f.line, f.column, f.text) for f in batch.findings] == [
        (f.code, f.line, f.column, f.text) for f in plain.findings
    ]


def test_any_beginning_of_a_file_is_read():
    text = (ENGINE + CLUB).encode()
    for stop in range(len(text)):
        wxf_text.read(text[:stop])
        pgn.read(text[:stop])


def test_files_of_the_corpus():
    root = shared("corpus")
    plies = {
        "elephantchess/wxf/game1.wxf": 138,
        "elephantchess/wxf/game2.wxf": 101,
        "elephantchess/wxf/game5.wxf": 122,
        "elephantchess/wxf/no_tag_game1.wxf": 94,
        "elephantchess/wxf/no_tag_game2.wxf": 100,
        "xiangqi-setup/demo-with-history-playok.wxf": 54,
        "xiangqi-setup/initial.wxf": 0,
    }
    for name, count in plies.items():
        (game,) = adjudicate(root / name)
        assert len(game.moves) == len(game.record.tokens) == count, name
        assert not [finding for finding in game.findings if finding.severity == "error"]
