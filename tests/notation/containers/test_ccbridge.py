"""CBR and CBL of CCBridge 3: what they hold, and what is made of damaged ones. They are written here."""

from __future__ import annotations

import gzip
import random
import re
import struct

import pytest

from adjudicator import adjudicate
from notation import containers
from notation.containers.ccbridge import BOARD, FIRST_MOVER, INDEX, LIBRARY, RECORD, RESULT, SLOT, TREE
from notation.record import Variation
from pipeline import check, run
from tests.corpus import ROOT, shared

PIECES = {
    letter: side + k for side, word in ((0x11, "RNBAKCP"), (0x21, "rnbakcp")) for k, letter in enumerate(word)
}
USUAL = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
PLACES = {
    "Title": 180,
    "Event": 692,
    "Round": 756,
    "Date": 884,
    "Site": 948,
    "Red": 1076,
    "Black": 1300,
    "Author": 1780,
}
LINE = [(0, "", ""), (0, "h3e3", "中炮\r\n开局"), (1, "h10g8", "")]
MEMORY = random.Random(3).randbytes(TREE)


def square(name, older=False):
    file, row = ord(name[0]) - 97, 10 - int(name[1:])
    return file << 4 | row if older else 9 * row + file


def tree(nodes, older=False):
    """The nodes of a tree; each is (signs without that of the comment, move, comment)."""
    body = b""
    for signs, move, comment in nodes:
        squares = [square(name, older) for name in re.findall(r"[a-i]\d+", move)] or [0, 0]
        body += bytes([signs | 4 * bool(comment), 0, *squares])
        if comment:
            said = comment.encode("utf-16-le")
            body += struct.pack("<I", len(said)) + said
    return body


def board(fen):
    rows = (re.sub(r"\d", lambda gap: "." * int(gap[0]), row) for row in fen.split("/"))
    return bytes(PIECES.get(letter, 0) for row in rows for letter in row)


def record(nodes=LINE, fen=USUAL, tags=(), result=1, black=False, version=2, memory=MEMORY):
    """A record; between its fields stands what ``memory`` held."""
    head = bytearray(memory)
    head[:20] = RECORD + bytes([0, 0, 0, version])
    told = dict(tags)
    for begin in [*range(180, 308, 128), *range(564, 1908, 32), 2080]:
        head[begin : begin + 2] = b"\0\0"
    for name, words in told.items():
        text = words.encode("utf-16-le") + b"\0\0"
        head[PLACES[name] : PLACES[name] + len(text)] = text
    head[RESULT], head[FIRST_MOVER] = result, 1 + black
    head[BOARD : BOARD + 94] = board(fen) + b"\xff" * 4
    return bytes(head[:TREE]) + tree(nodes, version == 1)


def older(*args, **options):
    """A record of version 1: without the first 128 bytes of fields, referee and recorder."""
    data = record(*args, version=1, **options)
    return data[:52] + data[180:1524] + data[1652:]


def library(*records, name="书", slots=None, listed=None, rest=b""):
    """A library: an index of ``listed`` records (slot, slots taken), then the records, each from a slot on."""
    places, body = [], b""
    for one in records:
        places.append((len(body) // SLOT, -(-len(one) // SLOT)))
        body += one.ljust(-(-len(one) // SLOT) * SLOT, b"\0")
    slots = len(records) + 1 if slots is None else slots
    head = LIBRARY + bytes(44) + struct.pack("<I", slots) + name.encode("utf-16-le")
    index = b""
    for number, (slot, count) in enumerate(places if listed is None else listed):
        title = f"第{number + 1}局".encode("utf-16-le")
        index += struct.pack("<5I80s128s48x", 7, slot, count, 2500, 0, b"", title)
    return head.ljust(INDEX, b"\0") + index.ljust(276 * slots, b"\0") + body + rest


def read(data, **options):
    assert containers.sniff(data[:4096]) == "ccbridge"
    batch = containers.read(data, **options)
    return batch, [batch.record(k) for k in range(len(batch))]


def faults(batch):
    return [(finding.code, finding.game, finding.ply, finding.byte) for finding in batch.findings]


TAGS = {"Title": "试局", "Event": "杯赛", "Round": "3", "Red": "红方", "Black": "Ký", "Author": "作者"}
NODES = [
    *[(0, "", "两种应法"), (2, "h3e3", "中炮"), (2, "h10g8", ""), (1, "h1g3", "")],
    *[(2, "b10c8", "应着"), (1, "b1c3", ""), (1, "b8e8", ""), (1, "c1e3", "飞相")],
]


@pytest.mark.parametrize("write", [record, older])
def test_a_record_with_tags_comments_and_variations(write):
    batch, (one,) = read(write(NODES, tags=TAGS, result=3), encoding="gb18030")
    assert batch.findings == [] and batch.encoding == ["utf-16-le"]
    assert one.tags == TAGS | {"Result": "1/2-1/2"}
    assert one.fen is None and one.tokens == ["h3e3", "h10g8", "h1g3"]
    assert one.comments == {0: ["两种应法"], 1: ["中炮"]}
    assert one.variations == [
        Variation(2, ["b10c8", "b1c3"], comments={2: ["应着"]}),
        Variation(2, ["b8e8"]),
        Variation(1, ["c1e3"], comments={1: ["飞相"]}),
    ]
    (game,) = adjudicate([one])
    assert len(game.moves) == 3 and not game.findings


def test_positions_and_who_moves_first():
    fen = "3k5/9/9/9/9/9/9/9/r8/R3K4"
    for nodes, black, side in [
        ([(0, "", ""), (1, "a2a1", "")], False, "b"),  # the move says it, whatever the header does
        ([(0, "", ""), (1, "a1a2", "")], True, "w"),
        ([(1, "", "")], True, "b"),
        ([(1, "", "")], False, "w"),
    ]:
        batch, (one,) = read(record(nodes, fen, black=black))
        assert batch.findings == [] and one.fen == f"{fen} {side} - - 0 1"


def test_a_library_whose_records_take_several_slots():
    long = record([(0, "", "说" * 2500), (1, "b3e3", "")], result=4)
    batch, records = read(library(record(tags={"Title": "甲"}), long, older()))
    assert batch.findings == []
    assert [one.tokens for one in records] == [["h3e3", "h10g8"], ["b3e3"], ["h3e3", "h10g8"]]
    assert [one.tags.get("Title") for one in records] == ["甲", None, None]
    assert {one.tags["Source"] for one in records} == {"书"} and records[1].tags["Result"] == "*"
    assert [one.offset for one in records] == [INDEX + 4 * 276 + slot * SLOT for slot in (0, 1, 3)]


def test_a_library_is_cut_between_records():
    data = library(
        *[record(tags={"Round": str(k)}) for k in range(20)], slots=22, listed=[(k, 1) for k in range(22)]
    )
    whole = containers.read(data)
    parts = [*containers.batches(data, 3 * SLOT)]
    assert len(parts) > 6 and sum(map(len, parts)) == 20
    for name in ("offset", "end", "line", "index", "token_byte"):
        assert [*getattr(whole, name)] == [value for part in parts for value in getattr(part, name)]
    assert [whole.record(k) for k in range(20)] == [
        part.record(k) for part in parts for k in range(len(part))
    ]
    assert faults(whole) == [found for part in parts for found in faults(part)] != []


# -- damage ------------------------------------------------------------------------------------------


def test_what_the_index_lists_and_is_not_there_is_told():
    data = library(record(), record(), listed=[(0, 1), (1, 1), (2, 1)])
    batch, records = read(data)
    (finding,) = batch.findings
    assert len(records) == 2 and (finding.code, finding.byte) == ("missing-record", INDEX + 2 * 276)
    place = INDEX + 3 * 276 + 2 * SLOT
    assert finding.message() == f"the library's index lists 第3局, but no record begins at byte {place}"


@pytest.mark.parametrize("slots", [0, 7, 1 << 31, (1 << 32) - 1])
def test_a_library_with_a_wrong_number_of_slots(slots):
    data = bytearray(library(record(), record()))
    data[60:64] = struct.pack("<I", slots)
    batch, records = read(bytes(data))
    assert [one.tokens for one in records] == [["h3e3", "h10g8"]] * 2 and batch.findings == []


def test_a_library_without_records():
    for data in (library(), LIBRARY):
        batch, records = read(data)
        assert (records, faults(batch)) == ([], [("no-games", None, None, 0)])


def test_bytes_that_are_lost_cost_no_further_record():
    data = library(record(), record(), record())
    place = INDEX + 4 * 276 + SLOT + 3000
    batch, records = read(data[:place] + data[place + 11 :])
    assert [one.tokens for one in records] == [["h3e3", "h10g8"]] * 3
    assert faults(batch) == [("missing-record", None, None, INDEX + 2 * 276)]


def test_what_memory_held_is_no_record():
    memory = MEMORY[:320] + RECORD + MEMORY[336:]
    _, records = read(library(record(memory=memory), record(memory=memory)))
    assert len(records) == 2


@pytest.mark.parametrize("write", [record, older])
def test_a_record_that_is_cut_keeps_what_is_before(write):
    whole = write(NODES)
    for stop in range(64, len(whole)):
        batch, (one,) = read(whole[:stop])
        assert ["h3e3", "h10g8", "h1g3"][: len(one.tokens)] == one.tokens
        assert {code for code, *_ in faults(batch)} & {"truncated-file", "bad-length"}, stop


def test_a_length_that_the_record_does_not_have():
    data = bytearray(record([(0, "", ""), (0, "h3e3", ""), (1, "h10g8", "ab")]))
    data[TREE + 12 : TREE + 16] = b"\xf0\xff\xff\xff"
    batch, (one,) = read(bytes(data))
    assert one.tokens == ["h3e3", "h10g8"] and faults(batch) == [("bad-length", 0, 2, TREE + 12)]
    assert batch.findings[0].details == {"length": 0xFFFFFFF0, "left": 4}


@pytest.mark.parametrize("node", [bytes(4), b"\x40\0\x46\x43"])
def test_a_tree_that_does_not_end(node):
    batch, (one,) = read(record(LINE[:2]) + node * 400)
    assert one.tokens == ["h3e3"] and faults(batch)[0] == ("not-moves", 0, 2, TREE + 24)


def test_a_tree_of_very_many_branches(monkeypatch):
    nodes = [(0, "", ""), (0, "h3e3", ""), *[(3, "h10g8", "")] * 20_000, (1, "b10c8", "")]
    batch, (one,) = read(record(nodes))
    assert len(one.variations) == 20_000 and batch.findings == []
    monkeypatch.setattr("notation.containers.drafts.MOST_MOVES", 1000)
    batch, (one,) = read(record(nodes))
    assert len(one.variations) == 997 and [code for code, *_ in faults(batch)] == ["long-game"]


def test_what_is_no_piece_and_what_is_no_version():
    data = bytearray(record([(1, "", "")]))
    data[BOARD + 40] = 0x1F
    batch, (one,) = read(bytes(data))
    assert one.fen is None and faults(batch) == [("bad-setup", 0, 0, BOARD + 40)]
    assert batch.findings[0].message() == "the start position cannot be read: 0x1f on e6 is no piece"
    data[19] = 3
    batch, (one,) = read(bytes(data))
    assert (one.tokens, one.fen, faults(batch)) == ([], None, [("foreign-format", 0, None, 19)])
    assert batch.findings[0].message().startswith("CBR 3 is not read; ")
    assert read(record(version=3))[1][0].tokens == ["h3e3", "h10g8"]  # its board is where it was


def test_any_bytes_are_read():
    rng = random.Random(7)
    whole = library(record(NODES, tags=TAGS), older(NODES), record())
    for _ in range(150):
        data = bytearray(whole)
        begin = rng.choice((16, INDEX, INDEX + 4 * 276, len(data) - SLOT))
        for _ in range(rng.randrange(1, 60)):
            data[rng.randrange(begin, min(begin + 3 * SLOT, len(data)))] = rng.randrange(256)
        stop = rng.choice((len(data), rng.randrange(100, len(data))))
        _, records = read(bytes(data[:stop]))
        for ruled in adjudicate(records):
            assert all(finding.message() and finding.message("zh") for finding in ruled.findings)


# -- where it is used --------------------------------------------------------------------------------


def test_findings_name_the_byte_of_the_move(tmp_path):
    path = tmp_path / "a.cbl"
    path.write_bytes(library(record(), record([(0, "", ""), (1, "h3h9", "")])))
    _, one = check.check([path], rules="xiangqi")
    said = check.report(one)
    place = INDEX + 3 * 276 + SLOT + TREE + 4
    assert said[0] == f"{path}  game 2" and said[1].startswith(f"  ply 1, byte {place}, error illegal-move")


def test_the_samples():
    folder = ROOT / "data" / "formats"
    (one,) = read((folder / "record.cbr").read_bytes())[1]
    assert one.tags["Title"] == "中炮与飞相" and one.variation_count() == 2 and one.comments[1] == ["中炮。"]
    _, records = read(gzip.decompress((folder / "games.cbl.gz").read_bytes()))
    assert [record.tags["Title"] for record in records] == ["中炮", "飞相局"]


def test_libraries_and_records_are_adjudicated(tmp_path):
    (tmp_path / "a.CBL").write_bytes(library(*[record()] * 3))
    (tmp_path / "b.cbr").write_bytes(record())
    summary = run.adjudicate([tmp_path], rules="xiangqi", out=tmp_path / "run")
    assert (summary.games, summary.plies, dict(summary.findings)) == (4, 8, {})


@pytest.mark.skipif(not shared().exists(), reason="the shared corpus is not here")
def test_the_corpus_is_read_and_legal():
    """A library of 93 games of a championship, and a record of twelve lines with comments."""
    files = [
        path for path in (shared() / "corpus" / "cchess-tests").iterdir() if path.suffix in (".CBL", ".cbr")
    ]
    checked = [*check.check(files, rules="xiangqi")]
    assert len(checked) == 94 and not any(one.findings for one in checked)
    assert sum(len(one.ruled.moves) for one in checked) == 7341
    (record,) = (one.ruled.record for one in checked if one.source.endswith(".cbr"))
    assert record.variation_count() == 11


@pytest.mark.skipif(not shared().exists(), reason="the shared corpus is not here")
def test_the_corpus_is_read_as_cchess_reads_it():
    oracle = pytest.importorskip("cchess.read_cbr")
    folder = shared() / "corpus" / "cchess-tests"
    (path,) = folder.glob("*.CBL")
    batch, theirs = containers.read(path), oracle.read_from_cbl(str(path))["games"]
    assert len(batch) == len(theirs) == 93
    for number, game in enumerate(theirs):
        assert lines(batch.record(number)) == {*map(tuple, game.dump_iccs_moves())}
        said = batch.record(number).tags
        assert [said[name.capitalize()] for name in ("event", "red", "black", "result")] == [
            game.info[name] for name in ("event", "red", "black", "result")
        ]
    record = containers.read(folder / "test.cbr").record(0)
    theirs = {*map(tuple, oracle.read_from_cbr(str(folder / "test.cbr")).dump_iccs_moves())}
    assert lines(record) == theirs and len(theirs) == 12


def lines(record):
    """The main line and every variation from the start on, with ranks from 0."""
    found, rest = set(), [([], 1, record.tokens, record.variations)]
    while rest:
        before, ply, moves, variations = rest.pop()
        line = [*before[: ply - 1], *moves]
        found.add(tuple(re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), move) for move in line))
        rest += [(line, inner.from_ply, inner.moves, inner.variations) for inner in variations]
    return found


def test_records_one_after_another_are_all_planned():
    data = (ROOT / "data" / "formats" / "record.cbr").read_bytes()
    for twice in (data * 2, data + RECORD):
        (cut,) = containers.container("ccbridge").split(twice, 1 << 20, encoding=None)
        assert cut.games == len(containers.read_cut("ccbridge", twice, cut))
