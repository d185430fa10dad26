"""The opening book of CCBridge as text: its trees, and what is made of lines that are none."""

from __future__ import annotations

import random

import pytest

from adjudicator import adjudicate
from notation import containers
from notation.record import Variation
from pipeline import check
from tests.corpus import ROOT, shared

BOOK = """\
    17747炮二平五
    27242炮８平５    顺炮。||对攻。
    37967马二进三
    27062马８进７屏风马
    37967马二进三
    16947相三进五    飞相局。
    22324卒３进１
"""


def read(data, **options):
    data = data.encode() if isinstance(data, str) else data
    assert containers.sniff(data, "book.txt") == "open_book"
    batch = containers.read(data, **options)
    return batch, [batch.record(k) for k in range(len(batch))]


def faults(batch):
    return [(finding.code, finding.game, finding.line, finding.byte) for finding in batch.findings]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_trees_with_comments_and_variations(encoding, ends):
    batch, (one, two) = read(BOOK.replace("\n", ends).encode(encoding))
    assert batch.findings == [] and {*batch.encoding, one.encoding} == {encoding.removesuffix("-sig")}
    assert (one.tokens, one.comments) == (["h3e3", "h8e8", "h1g3"], {2: ["顺炮。\n对攻。"]})
    assert one.variations == [Variation(2, ["h10g8", "h1g3"], comments={2: ["屏风马"]})]
    assert (two.tokens, two.comments, two.fen) == (["g1e3", "c7c6"], {1: ["飞相局。"]}, None)
    assert [one.line, two.line] == [1, 6] and [*batch.token_line] == [1, 2, 3, 6, 7]
    assert [*batch.token_column][1:] == [6] * 4
    assert not any(game.findings for game in adjudicate([one, two]))


def test_lines_that_are_none_are_told_and_cost_no_other_tree():
    text = BOOK + "words\n    17747炮二平五\n    37967马二进三\n    47062马８进７\n    16947相三进五\n"
    batch, records = read(text)
    places = [
        text.encode().index(line.encode()) for line in ("    37967马二进三\n    4", "words", "    47062")
    ]
    assert [record.tokens for record in records[2:]] == [["h3e3"], ["g1e3"]]
    assert faults(batch) == [
        ("move-number", 2, 10, places[0]),
        ("not-a-record", None, 8, places[1]),
        ("not-a-record", None, 11, places[2]),
    ]


def test_pieces_hold_the_same_trees_as_the_whole():
    data = (BOOK * 20).encode("gb18030")
    whole = containers.read(data)
    parts = [*containers.batches(data, 300)]
    assert len(parts) > 9 and sum(map(len, parts)) == len(whole) == 40
    for name in ("offset", "end", "line", "index", "token_line", "token_column", "encoding"):
        assert [*getattr(whole, name)] == [value for part in parts for value in getattr(part, name)]


def test_any_text_is_read():
    rng = random.Random(7)
    for _ in range(200):
        data = bytearray(BOOK.encode("gb18030"))
        for _ in range(rng.randrange(1, 12)):
            data[rng.randrange(60, len(data))] = rng.choice(b"\n 1972\xff" + bytes([rng.randrange(256)]))
        batch = containers.read(bytes(data), name="open_book")
        for game in adjudicate([batch.record(k) for k in range(len(batch))]):
            assert all(finding.message() and finding.message("zh") for finding in game.findings)


def test_the_sample():
    checked = [*check.check([ROOT / "data" / "formats" / "book.txt"], rules="xiangqi")]
    assert [len(one.ruled.moves) for one in checked] == [3, 2] and not any(one.findings for one in checked)


@pytest.mark.skipif(not shared().exists(), reason="the shared corpus is not here")
def test_the_corpus_is_read_and_legal():
    checked = [*check.check([shared() / "corpus" / "ccbridge1-openbook"], rules="xiangqi")]
    assert len(checked) == 130 and not any(one.findings for one in checked)
    assert sum(one.ruled.record.variation_count() for one in checked) == 151
