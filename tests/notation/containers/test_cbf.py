"""CBF, the XML of CCBridge: what it holds, and what is made of XML that is broken or hostile."""

from __future__ import annotations

import random

import pytest

from adjudicator import adjudicate
from notation import containers
from notation.record import Variation
from pipeline import check
from tests.corpus import ROOT, shared

HEAD = "<Head><Name>试局</Name><Contest>杯赛</Contest><Red>红方</Red><Black />{more}</Head>"
MOVES = """
  <Move value="00-00"><![CDATA[说明 <一>]]></Move>
  <Move value="77-47">中炮&amp;</Move>
  <Move value="70-62" end="1" />
"""


def written(moves=MOVES, more="", declaration='<?xml version="1.0" encoding="UTF-8"?>\n'):
    inside = f"{HEAD.format(more=more)}<MoveList>{moves}</MoveList>"
    return f'{declaration}<ChineseChessRecord Version="1.0">{inside}</ChineseChessRecord>\n'


def read(text, encoding="utf-8", **options):
    data = text if isinstance(text, bytes) else text.encode(encoding)
    assert containers.sniff(data[:4096]) == "cbf"
    batch = containers.read(data, **options)
    (record,) = (batch.record(k) for k in range(len(batch)))
    return batch, record


def faults(batch):
    return [(finding.code, finding.line, finding.column) for finding in batch.findings]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_record_in_its_encoding_whatever_it_declares(encoding):
    batch, record = read(written(more="<RecordResult>2</RecordResult>"), encoding)
    assert batch.findings == []
    assert record.tags == {"Title": "试局", "Event": "杯赛", "Red": "红方", "Result": "0-1"}
    assert (record.tokens, record.comments) == (["h3e3", "h10g8"], {0: ["说明 <一>"], 1: ["中炮&"]})
    assert (record.fen, record.line, [*batch.token_line], [*batch.token_column]) == (None, 1, [4, 5], [3, 3])
    (game,) = adjudicate([record])
    assert len(game.moves) == 2 and not game.findings


def test_variations_stand_where_a_line_ends():
    moves = [
        ("00-00", ""),
        ("77-47", "option"),
        ("70-62", "option"),
        ("79-67", "end"),
        ("10-22", ""),
        ("19-27", "end"),
    ]
    moves += [("29-47", "end")]
    _, record = read(
        written(
            "".join(
                f'<Move value="{move}" {sign and sign + "=" + chr(34) + "1" + chr(34)}/>'
                for move, sign in moves
            )
        )
    )
    assert record.tokens == ["h3e3", "h10g8", "h1g3"]
    assert record.variations == [Variation(2, ["b10c8", "b1c3"]), Variation(1, ["c1e3"])]


def test_a_position_and_moves_without_one_before_the_first():
    fen = "3k5/9/9/9/9/9/9/9/r8/R3K4 b - - 0 1"
    batch, record = read(written('<Move value="08-09" end="1"/>', f"<FEN>{fen}</FEN>"))
    assert (record.fen, record.tokens) == (fen, ["a2a1"])
    line, column, byte = batch.tag_place(0, "FEN")
    text = written('<Move value="08-09" end="1"/>', f"<FEN>{fen}</FEN>")
    assert text.encode()[byte:].startswith(b"<FEN>") and text.split("\n")[line - 1][column - 1 :].startswith(
        "<FEN>"
    )


# -- damage ------------------------------------------------------------------------------------------


def test_broken_xml_keeps_the_moves_before_it_and_tells_its_line():
    batch, record = read(written().replace('<Move value="70', '<Move <value="70'))
    assert (record.tokens, record.tags["Red"]) == (["h3e3"], "红方")
    assert faults(batch) == [("malformed-xml", 5, 9)]
    assert batch.findings[0].message() == "not XML from here on: not well-formed (invalid token)"
    batch, record = read(written().replace("</Move>\n  <Move", "</Mov>\n  <Move"))
    assert record.comments[0] == ["说明 <一>"] and faults(batch)[0][:2] == ("malformed-xml", 3)


def test_a_place_is_that_of_the_source_in_its_encoding():
    data = written().replace('<Move value="70', '<Move <value="70').encode("gb18030")
    batch, _ = read(data)
    assert data[batch.findings[0].byte :].startswith(b'<value="70')


def test_a_file_that_is_cut_keeps_what_is_before():
    whole = written().encode()
    for stop in range(len(written("").split("<Head")[0]), len(whole) - 2):
        batch, record = read(whole[:stop])
        assert ["h3e3", "h10g8"][: len(record.tokens)] == record.tokens
        assert {code for code, *_ in faults(batch)} & {"truncated-file", "mixed-encoding"}, stop


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param('<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">', id="one that swells"),
        pytest.param('<!ENTITY a SYSTEM "file:///etc/passwd">', id="one from elsewhere"),
        pytest.param('<!ENTITY % a "x"> %a;', id="one of the declaration"),
    ],
)
def test_entities_are_refused(declared):
    text = written(declaration=f"<!DOCTYPE ChineseChessRecord [\n{declared}]>\n", more="<Site>&b;</Site>")
    batch, record = read(text)
    assert (record.tokens, faults(batch)[0][:2]) == ([], ("malformed-xml", 2))
    assert batch.findings[0].message() == "not XML from here on: it declares entities"


def test_elements_nested_without_end_are_refused():
    batch, record = read(written(MOVES + "<a>" * 100_000))
    assert record.tokens == ["h3e3", "h10g8"] and [code for code, *_ in faults(batch)] == ["malformed-xml"]


def test_what_is_no_move_is_kept_as_written():
    _, record = read(written('<Move value="00-00"/><Move value="77-47"/><Move value="97-x"/><Move/>'))
    assert record.tokens == ["h3e3", "97-x", ""]
    (game,) = adjudicate([record])
    assert [finding.code for finding in game.findings] == ["unreadable-token"]


def test_moves_after_the_last_line_are_told():
    batch, record = read(written(MOVES + '\n<Move value="79-67"/>'))
    assert record.tokens == ["h3e3", "h10g8"] and faults(batch) == [("not-moves", 7, 1)]


def test_a_tree_of_very_many_moves_is_read_up_to_a_number(monkeypatch):
    for module in ("cbf", "drafts"):
        monkeypatch.setattr(f"notation.containers.{module}.MOST_MOVES", 100)
    batch, record = read(written('<Move value="77-47"/>' * 1000))
    assert len(record.tokens) == 99 and [code for code, *_ in faults(batch)] == ["long-game"]


def test_any_text_is_read():
    rng = random.Random(7)
    whole = written().encode()
    begin = whole.index(b"<Head")
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 12)):
            data[rng.randrange(begin, len(data))] = rng.choice(
                b"<>&\"'/=0 \xff\x00a" + bytes([rng.randrange(256)])
            )
        _, record = read(bytes(data))
        (game,) = adjudicate([record])
        assert all(finding.message() and finding.message("zh") for finding in game.findings)


# -- where it is used --------------------------------------------------------------------------------


def test_the_sample():
    (one,) = check.check([ROOT / "data" / "formats" / "comments.cbf"], rules="xiangqi")
    assert one.ruled.tags["Title"] == "中炮" and len(one.ruled.moves) == 4 and not one.findings
    assert one.ruled.record.variation_count() == 1


@pytest.mark.skipif(not shared().exists(), reason="the shared corpus is not here")
def test_the_corpus_is_read_and_legal():
    (one,) = check.check([shared() / "corpus" / "cchess-tests" / "test.cbf"], rules="xiangqi")
    assert len(one.ruled.moves) == 50 and len(one.ruled.record.comments) == 8 and not one.findings
