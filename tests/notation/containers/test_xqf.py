"""XQF: what a file holds, in every version, and what is made of damaged ones. The files are written here."""

from __future__ import annotations

import random
import re
import struct
from dataclasses import dataclass, field

import pytest

from adjudicator import adjudicate
from notation import containers
from notation.record import Variation
from pipeline import check, run
from tests.corpus import ROOT, shared

PLACES = [
    *(0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83),
    *(9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86),
]
"""Of the usual start: a number for each piece, ten times its file and its rank, both from 0."""
SIGNATURE = b"[(C) Copyright Mr. Dong Shiwei.]"
VERSIONS = (10, 11, 12, 16, 18)


@dataclass
class Node:
    """A move with what follows it: the first goes on, the others stand instead of it."""

    move: str = ""
    says: bytes = b""
    then: list[Node] = field(default_factory=list)


def line(*moves):
    """Moves one after the other."""
    top = Node(moves[0])
    node = top
    for move in moves[1:]:
        node.then = [Node(move)]
        node = node.then[0]
    return top


def square(text):
    return (ord(text[0]) - 97) * 10 + int(text[1:]) - 1


def written(top, version=18, places=PLACES, texts=(), black=False, result=0, seed=1):
    """An XQF file of ``version`` with the tree below ``top``, its keys by chance; ``texts`` by their places."""
    keyed, turned = version > 10, version > 11
    rng = random.Random(seed)
    head = bytearray(1024)
    head[:3] = b"XQ" + bytes([version])
    place = origin = target = length = 0
    stream = bytes(32)
    if keyed:
        head[3:16] = bytes(rng.randrange(256) for _ in range(13))
        total, first, second, third = head[12:16]
        place = (54 * first * first + 221) * first & 255
        origin = (54 * second * second + 221) * place & 255
        target = (54 * third * third + 221) * origin & 255
        length = (total * 256 + first) % 32000 + 767
        four = [head[12 + k] & head[3] | head[8 + k] for k in range(4)]
        stream = bytes(SIGNATURE[k] & four[k % 4] for k in range(32))
    for number in range(32):
        piece = (place + 1 + number) % 32 if turned else number
        head[16 + number] = (places[piece] + place) & 255
    head[50], head[51] = black, result
    for at, text in texts:
        head[at : at + 1 + len(text)] = bytes([len(text)]) + text
    body = bytearray()

    def put(node, others):
        at, to = map(square, re.findall(r"[a-i]\d+", node.move)) if node.move else (0, 0)
        sign = (0x80 if node.then else 0) | (0x40 if others else 0) | (0x20 if node.says else 0)
        if not keyed:
            sign = (0xF0 if node.then else 0) | (0x0F if others else 0)
        body.extend([(at + 24 + origin) & 255, (to + 32 + target) & 255, sign, 0])
        if node.says or not keyed:
            body.extend(struct.pack("<I", len(node.says) + length) + node.says)
        for k, child in enumerate(node.then):
            put(child, k + 1 < len(node.then))

    put(top, False)
    return bytes(head) + bytes((byte + stream[k % 32]) & 255 for k, byte in enumerate(body))


def read(data, **options):
    assert containers.sniff(data[:4096]) == "xqf"
    batch = containers.read(data, **options)
    assert len(batch) == 1
    return batch, batch.record(0)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", range(5))
def test_a_tree_with_comments_in_every_version(version, seed):
    second = Node("h10g8", "应着".encode("gb18030"))
    first = Node("h3e3", "中炮\r\n开局".encode("gb18030"), [second, line("b8e8", "e3e7")])
    top = Node("", "两种应法".encode("gb18030"), [first, line("c1e3", "b10c8")])
    texts = [(80, "试局".encode("gb18030")), (304, "红方".encode("gb18030")), (320, b"Black"), (208, b"Cup")]
    batch, record = read(written(top, version, texts=texts, result=2, seed=seed))
    assert batch.findings == [] and record.encoding == "gb18030"
    assert record.tags == {
        **{"Event": "Cup", "Red": "红方", "Black": "Black", "Title": "试局"},
        "Result": "0-1",
    }
    assert record.fen is None and record.tokens == ["h3e3", "h10g8"]
    assert record.comments == {0: ["两种应法"], 1: ["中炮\n开局"], 2: ["应着"]}
    assert record.variations == [Variation(2, ["b8e8", "e3e7"]), Variation(1, ["c1e3", "b10c8"])]
    (game,) = adjudicate([record])
    assert [ply.move for ply in game.moves] == ["h3e3", "h10g8"] and not game.findings


def test_variations_hang_on_the_line_that_they_leave():
    reply = Node("b10c8", b"", [Node("b1c3"), Node("h1g3", b"", [Node("g7g6"), Node("c7c6")])])
    top = Node("", b"", [Node("h3e3", b"", [Node("h10g8"), reply, Node("i10i9")]), Node("b3e3")])
    _, record = read(written(top))
    deepest = Variation(4, ["c7c6"])
    middle = Variation(3, ["h1g3", "g7g6"], variations=[deepest])
    assert record.tokens == ["h3e3", "h10g8"]
    assert record.variations == [
        Variation(2, ["b10c8", "b1c3"], variations=[middle]),
        Variation(2, ["i10i9"]),
        Variation(1, ["b3e3"]),
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_position_and_who_moves_first(version):
    places = [255] * 32
    places[4], places[20], places[16], places[0] = square("e1"), square("d10"), square("a2"), square("a1")
    for top, black, side in [
        (Node("", b"", [line("a2a1", "e1d1")]), False, "b"),  # the move says it, whatever the header does
        (Node("", b"", [line("a1a2")]), True, "w"),
        (Node(), True, "b"),
        (Node(), False, "w"),
    ]:
        _, record = read(written(top, version, places, black=black))
        assert record.fen == f"3k5/9/9/9/9/9/9/9/r8/R3K4 {side} - - 0 1"


def test_the_usual_start_needs_no_fen_but_black_to_move_does():
    assert read(written(Node("", b"", [Node("h3e3")])))[1].fen is None
    assert read(written(Node("", b"", [Node("h10g8")])))[1].fen.split()[1] == "b"


def test_coordinates_are_never_ambiguous():
    # d8e9 … with ranks from 0 these would be moves, too; the format counts them from 1.
    batch, record = read(written(Node("", b"", [line("h3e3", "h8e8")])))
    assert list(batch.rank_base) == [1]
    (game,) = adjudicate([record])
    assert [ply.move for ply in game.moves] == ["h3e3", "h8e8"]


@pytest.mark.parametrize(
    "encoding, text", [("gb18030", "车马炮"), ("big5", "車馬砲將士象"), ("utf-8", "Trận đấu hay")]
)
def test_texts_are_in_one_encoding_which_is_found_or_given(encoding, text):
    data = written(Node("", text.encode(encoding)), 18, texts=[(80, text.encode(encoding))])
    for given in (None, encoding):
        batch, record = read(data, encoding=given)
        assert (record.tags["Title"], record.comments[0], batch.encoding[0]) == (text, [text], encoding)
        assert batch.findings == []


def test_text_that_does_not_fit_is_told_and_kept():
    data = written(Node("", "车马".encode("gb18030")[:-1]), 10)
    batch, record = read(data, encoding="gb18030")
    (finding,) = batch.findings
    assert (finding.code, finding.ply, finding.byte) == ("mixed-encoding", 0, 1024 + 8 + 2)
    assert record.comments[0] == ["车\\xc2"]


# -- damage ------------------------------------------------------------------------------------------


def faults(batch):
    return [(finding.code, finding.ply) for finding in batch.findings]


def test_a_length_that_the_file_does_not_have():
    data = bytearray(written(Node("", b"", [Node("h3e3", b"", [Node("h10g8", b"abc")])]), 10))
    data[1044:1048] = b"\xf0\xff\xff\xff"
    batch, record = read(bytes(data))
    (finding,) = batch.findings
    assert (finding.code, finding.ply, finding.byte) == ("bad-length", 2, 1044)
    assert finding.details == {"length": 0xFFFFFFF0, "left": 3}
    assert record.tokens == ["h3e3", "h10g8"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_that_is_cut_keeps_what_is_before(version):
    whole = written(Node("", b"says", [line("h3e3", "h10g8", "h1g3")]), version)
    for stop in range(3, len(whole)):
        batch, record = read(whole[:stop].ljust(64, b"\0") if stop < 64 else whole[:stop])
        assert ["h3e3", "h10g8", "h1g3"][: len(record.tokens)] == record.tokens
        assert {code for code, _ in faults(batch)} & {"truncated-file", "bad-length"}, stop


def test_any_bytes_are_read():
    rng = random.Random(7)
    whole = written(Node("", b"says", [line("h3e3", "h10g8", "h1g3")]))
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 40)):
            data[rng.randrange(2, len(data))] = rng.randrange(256)
        data[60] = 0
        _, record = read(bytes(data))
        (game,) = adjudicate([record])
        assert len(game.moves) <= len(record.tokens)
        for finding in game.findings:
            assert finding.message() and finding.message("zh")


def test_two_pieces_on_one_point():
    places = [*PLACES]
    places[1] = places[0]
    batch, record = read(written(Node(), places=places, version=10))
    (finding,) = batch.findings
    assert (finding.code, finding.text, finding.details) == (
        "piece-on-piece",
        "N",
        {"square": "a1", "on": "R"},
    )
    assert record.fen.endswith("/N1BAKABNR w - - 0 1")


def test_a_move_off_the_board_is_no_move():
    data = bytearray(written(Node("", b"", [line("h3e3", "h10g8")]), 10))
    data[1024 + 16] = 24 + 95
    _, record = read(bytes(data))
    (game,) = adjudicate([record])
    assert record.tokens[1] == "?9.5g8" and game.findings[0].code == "unreadable-token"


def test_a_tree_of_very_many_branches():
    top = Node("", b"", [Node("h3e3", b"", [Node("h10g8") for _ in range(50_000)])])
    batch, record = read(written(top, 16))
    assert len(record.variations) == batch.variations[0] == 49_999


def test_findings_have_the_byte_of_their_move_and_no_line(tmp_path):
    path = tmp_path / "a.xqf"
    path.write_bytes(written(Node("", b"", [Node("h3e3", b"says", [line("h10h9", "h1g3")])]), 18))
    (one,) = check.check([path], rules="xiangqi")
    (finding,) = one.findings
    assert (finding.code, finding.line, finding.column, finding.byte) == ("illegal-move", None, None, 1040)
    said = check.report(one)
    assert said[0].startswith(f"{path}  game 1") and said[1].startswith(
        "  ply 2, byte 1040, error illegal-move"
    )


# -- where it is used --------------------------------------------------------------------------------


def test_the_sample():
    record = containers.read(ROOT / "data" / "formats" / "variations.xqf").record(0)
    assert (record.tags["Title"], record.tags["Red"], record.tags["Black"]) == ("中炮与飞相", "红方", "黑方")
    assert len(record.tokens) == 6 and record.variation_count() == 2 and record.comments[1] == ["中炮。"]


def test_a_folder_of_files_is_adjudicated(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.XQF").write_bytes(written(Node("", b"", [line("h3e3", "h10g8")]), seed=number))
    summary = run.adjudicate([tmp_path], rules="xiangqi", out=tmp_path / "run")
    assert (summary.games, summary.plies, summary.findings.total()) == (3, 6, 0)


@pytest.mark.skipif(not shared().exists(), reason="the shared corpus is not here")
def test_the_corpus_is_read_and_legal():
    """218 files of five collections, in versions 10, 12, 16 and 18, of which three are trees of a megabyte."""
    files = [
        path
        for path in sorted((shared() / "corpus").rglob("*"))
        if path.suffix.lower() == ".xqf" and path.is_file()
    ]
    assert len(files) > 200
    for path in files:
        checked = [*check.check([path], rules="xiangqi")]
        codes = {finding.code for one in checked for finding in one.findings if finding.severity == "error"}
        assert not codes, path
