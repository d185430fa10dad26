"""CBL, the older libraries of CCBridge: what they hold, and what is made of damaged ones. They are written here."""

from __future__ import annotations

import random
import struct
import zlib

import pytest

from adjudicator import adjudicate
from notation import containers
from notation.record import Variation
from pipeline import run
from tests.corpus import ROOT, shared

USUAL = bytes.fromhex("1a2a3a4a5a6a7a8a9a2888173757779711213141516171819123831434547494")
DATE = b"2001-2-18 12:30:17 "


def text(words, encoding="gb18030"):
    said = words.encode(encoding)
    return struct.pack("<I", len(said)) + said


def square(name):
    return (ord(name[0]) - 97) << 4 | 10 - int(name[1:])


def game(*moves, squares=USUAL, tags=(), result=1, says="", encoding="gb18030", red_first=True, count=None):
    """A record; ``moves`` are (ply, from, to, comment)."""
    told = dict(tags)
    body = squares + struct.pack("<I", 1) + text(told.get("Event", ""), encoding) + struct.pack("<I", 1)
    for name in ("Title", "Subtitle", "?", "Site", "Date", "Red", "Black"):
        body += text(told.get(name, ""), encoding)
    body += struct.pack("<I", result)
    for name in ("Annotator", "?", "Author", "?"):
        body += text(told.get(name, ""), encoding)
    body += text(says, encoding) + bytes([red_first]) + DATE * 2
    body += struct.pack("<I", len(moves) if count is None else count)
    for ply, origin, target, _ in moves:
        body += struct.pack("<HBBH", ply, square(origin), square(target), 0)
    for *_, comment in moves:
        body += comment.encode(encoding) + b"\r\n"
    return struct.pack("<I", len(body) + 4) + body


def library(*games, title="书", count=None):
    head = text(title) + text("") * 2 + text("作者") + text("") + DATE * 2
    inside = head + struct.pack("<I", len(games) if count is None else count) + text("") + b"".join(games)
    return b"CCBridge" + struct.pack("<III", 21, 3, len(inside)) + zlib.compress(inside)


ONE = game((1, "h3", "e3", "中炮"), (2, "h10", "g8", ""))


def read(data, **options):
    assert containers.sniff(data[:4096]) == "cbl"
    batch = containers.read(data, **options)
    return batch, [batch.record(k) for k in range(len(batch))]


def codes(batch):
    return [(finding.code, finding.game, finding.ply) for finding in batch.findings]


def test_records_with_tags_comments_and_variations():
    first = game(
        *[(1, "h3", "e3", "中炮||开局"), (2, "h10", "g8", ""), (3, "h1", "g3", "")],
        *[(2, "b10", "c8", "应着"), (3, "b1", "c3", ""), (1, "c1", "e3", "飞相")],
        tags={
            "Event": "五羊杯",
            "Title": "局",
            "Red": "红方",
            "Black": "黑方",
            "Site": "广州",
            "Annotator": "评者",
        },
        result=3,
        says="总评",
    )
    batch, (one, two) = read(library(first, game((1, "b3", "e3", ""), result=4)))
    assert batch.findings == [] and batch.encoding == ["gb18030", "gb18030"]
    assert one.tags == {
        **{
            "Event": "五羊杯",
            "Title": "局",
            "Red": "红方",
            "Black": "黑方",
            "Site": "广州",
            "Annotator": "评者",
        },
        **{"Source": "书", "Result": "1/2-1/2"},
    }
    assert one.fen is None and one.tokens == ["h3e3", "h10g8", "h1g3"]
    assert one.comments == {0: ["总评"], 1: ["中炮\n开局"]}
    assert one.variations == [
        Variation(2, ["b10c8", "b1c3"], comments={2: ["应着"]}),
        Variation(1, ["c1e3"], comments={1: ["飞相"]}),
    ]
    assert (two.tokens, two.tags["Result"], two.index) == (["b3e3"], "*", 1)
    assert not any(ruled.findings for ruled in adjudicate([one, two]))


def test_positions_and_who_moves_first():
    squares = bytearray(32)
    for place, name in ((0, "a1"), (4, "e1"), (16, "a2"), (20, "d10")):
        squares[place] = (ord(name[0]) - 96) << 4 | 11 - int(name[1:])
    drawn = {"squares": bytes(squares)}
    moved = game((1, "a2", "a1", ""), **drawn)  # the move says it, whatever the header does
    _, records = read(library(moved, game(**drawn), game(**drawn, red_first=False)))
    board = "3k5/9/9/9/9/9/9/9/r8/R3K4"
    assert [record.fen for record in records] == [f"{board} {side} - - 0 1" for side in "bwb"]


def test_each_record_is_in_its_own_encoding():
    games = [game(tags={"Title": "車馬砲將"}, encoding=name) for name in ("big5", "gb18030")]
    batch, records = read(library(*games))
    assert batch.encoding == ["big5", "gb18030"] and batch.findings == []
    assert [record.tags["Title"] for record in records] == ["車馬砲將"] * 2
    assert read(library(games[0]), encoding="big5")[1][0].tags["Title"] == "車馬砲將"


# -- damage ------------------------------------------------------------------------------------------


def test_a_broken_record_does_not_cost_the_next():
    broken = game((1, "h3", "e3", ""), count=1 << 30)
    leaping = game((1, "h3", "e3", ""), (4, "h1", "g3", ""))
    batch, records = read(library(ONE, broken, leaping, ONE))
    assert [record.tokens for record in records] == [["h3e3", "h10g8"], ["h3e3"], ["h3e3"], ["h3e3", "h10g8"]]
    assert codes(batch) == [("truncated-file", 1, None), ("move-number", 2, 2)]


def test_fewer_records_than_announced():
    batch, records = read(library(ONE, ONE, count=5))
    assert len(records) == 2 and codes(batch) == [("truncated-file", None, None)]


def test_a_file_that_is_cut_keeps_what_is_before():
    whole = library(*[ONE] * 40)
    for stop in range(12, len(whole)):
        batch, records = read(whole[:stop])
        assert codes(batch)[0] == ("truncated-file", None, None)
        assert all(record.tokens == ["h3e3", "h10g8"] for record in records[:-1])
    assert len(read(whole[:-2])[1]) >= 39


def test_any_bytes_are_read():
    rng = random.Random(7)
    inside = zlib.decompress(library(ONE, ONE, ONE)[20:])
    for _ in range(300):
        data = bytearray(inside)
        for _ in range(rng.randrange(1, 12)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        head = b"CCBridge" + struct.pack("<III", 21, 3, len(data))
        _, records = read(head + zlib.compress(bytes(data)))
        for ruled in adjudicate(records):
            assert all(finding.message() and finding.message("zh") for finding in ruled.findings)


def test_what_unpacks_to_very_much_is_not_unpacked_whole(monkeypatch):
    monkeypatch.setattr("notation.containers.cbl.LARGEST", 1 << 20)
    data = library(ONE)[:20] + zlib.compress(bytes(64 << 20))
    batch, records = read(data)
    assert len(records) == 0 and codes(batch) == [("truncated-file", None, None)]


def test_records_and_moves_have_their_bytes_in_what_is_unpacked():
    wrong = game((1, "h3", "e3", ""), (2, "h10", "h9", ""))
    data = library(ONE, wrong)
    batch, records = read(data)
    inside = zlib.decompress(data[20:])
    assert list(batch.line) == [0, 0] and list(batch.end) == [inside.rindex(wrong), len(inside)]
    assert [inside[record.offset :][: len(ONE)] for record in records] == [ONE, wrong]
    _, ruled = adjudicate(data)
    (finding,) = ruled.findings
    assert (finding.line, finding.byte) == (None, len(inside) - 10)
    assert struct.unpack("<HBB", inside[finding.byte :][:4]) == (2, square("h10"), square("h9"))


# -- where it is used --------------------------------------------------------------------------------


def test_the_sample():
    _, records = read((ROOT / "data" / "formats" / "library.cbl").read_bytes())
    assert [record.tags["Title"] for record in records] == ["中炮", "飞相局"]


def test_a_library_is_adjudicated(tmp_path):
    (tmp_path / "a.CBL").write_bytes(library(*[ONE] * 3))
    summary = run.adjudicate([tmp_path], rules="xiangqi", out=tmp_path / "run")
    assert (summary.games, summary.plies, dict(summary.findings)) == (3, 6, {})


@pytest.mark.skipif(not shared().exists(), reason="the shared corpus is not here")
def test_the_corpus_is_read():
    """53 libraries of 6,475 records; twelve of these really have a move that is illegal."""
    folder = shared() / "corpus" / "ccbridge1-cbl"
    with run.temporary([folder], rules="xiangqi") as summary:
        assert summary.games == 6475 and summary.plies > 410_000
        assert (summary.findings["illegal-move"], summary.severities["error"]) == (12, 13)
