"""Cutting a file into shards: whatever the cut, the same games, places and faults as in the whole file."""

import dataclasses
import math
from array import array

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import shared
from notation import encoding as encodings
from notation.containers import pgn
from notation.containers.cut import Pages
from notation.record import RecordBatch


def told(batch: RecordBatch) -> list[dict]:
    """All that a batch says, game by game, in a form that does not depend on the batch."""
    games = []
    for i in range(len(batch)):
        tokens = range(batch.first_token[i], batch.first_token[i + 1])

        def column(name, tokens=tokens):
            return [None if x != x else x for x in (getattr(batch, name)[t] for t in tokens)]

        games.append(
            {
                name: getattr(batch, name)[i]
                for name in ("offset", "end", "line", "index", "terminator", "encoding")
            }
            | {name: getattr(batch, name)[i] for name in ("variations", "rank_base")}
            | {
                name: column(name)
                for name in ("evaluation", "mate", "depth", "seconds", "nag", "token_line", "token_column")
            }
            | {"tokens": batch.tokens(i), "tags": batch.tags[i], "record": batch.record(i)}
            | {"comments": [batch.comments[c] if c >= 0 else None for c in column("comment")]}
            | {"findings": [dataclasses.replace(f, game=None) for f in batch.findings if f.game == i]}
        )
    return games


def in_pieces(data: bytes, target: int, **options) -> list[dict]:
    games, place, line, index = [], 0, None, 0
    for cut in pgn.split(data, target, **options):
        assert cut.first == place and cut.index == index
        assert cut.last - cut.first >= min(target, 1) or cut.final
        batch = pgn.read(cut.of(data), cut=cut, **options)
        assert cut.games in (len(batch), -1)
        games += told(batch)
        # Where its games begin is found again in the piece alone.
        assert told(pgn.read(cut.of(data), cut=dataclasses.replace(cut, starts=None), **options)) == told(
            batch
        )
        place, index, line = cut.last, cut.index + len(batch), cut.final
    assert place == len(data) and line is True
    return games


def check(data: bytes, targets=(1, 100, 1000, 10_000, 1 << 30), **options) -> RecordBatch:
    batch = pgn.read(data, **options)
    whole = told(batch)
    for target in targets:
        assert in_pieces(data, target, **options) == whole
    return batch


PIECES = [
    '[Event "a"]\n[Red "甲"]\n\n1. a1a2 b1b2 2. c1c2 1-0\n\n',
    '[Event "b"]\n\n[Site "s"]\n\n\n1. 炮二平五 {当头炮\n} 马８进７ *\n\n',
    '[Event "c"]\n1. a1a2 {open\n\n',
    '[Event "d"]\n1. a1a2 (1. b1b2\n\n',
    '[FEN "x"]\n\n',
    '[Event "e"]\n[FEN "y"]\n\n',
    "1. h2e2 h9g7 1-0\n",
    "1. h2e2 h9g7 2. h0g2\n\n",
    "1. h2e2 1-0 1. b2e2 0-1 1. c1c2\n",
    '[Event "f\n1. a1a2 *\n',
    '[Event "g"]\n[Date "1.\n2"]\n{[Event "z"]\n} 1. a1a2 *\n',
    "====\n欢迎访问\n",
    "\n",
    "% escape\n",
    "words and words\n",
    "{",
    "}\n",
    "(",
    '[Event "h"] [Site "i"] 1. a1a2\r\n\r\n',
    '"]\n',
    "\r",
    "\ufeff",
]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(["utf-8", "gb18030", "big5"])
)
def test_pieces_in_any_order(text, encoding):
    check(text.encode(encoding, "replace"), targets=(1, 60, 300))


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([p.encode() for p in PIECES] + ["\x00", b"\xff\xfe", b"\x81"]).map(
            lambda p: p if isinstance(p, bytes) else p.encode()
        )
        | st.binary(max_size=6),
        max_size=12,
    ).map(b"".join)
)
def test_pieces_with_rubbish_between(data):
    check(data, targets=(1, 60))


GOOD = '[Event "good"]\n[Red "甲"]\n[Result "1-0"]\n\n1. 炮二平五 {当头炮} 马8进7 2. h1g3 1-0\n'


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([p.encode() for p in PIECES]) | st.binary(max_size=30) | st.just(b"\0" * 300),
        max_size=8,
    ).map(b"".join),
    st.sampled_from(["\n\n", "\r\n\r\n", "\n \t\n"]),
)
def test_a_good_game_after_anything_is_read(rubbish, gap):
    batch = pgn.read(rubbish + gap.encode() + GOOD.encode() + b'\n[Event "after"]\n\n*\n')
    games = [
        i for i in range(len(batch)) if batch.tags[i].get("Red") == "甲" and batch.tokens(i)[-1:] == ["h1g3"]
    ]
    assert games
    assert batch.tokens(games[-1]) == ["炮二平五", "马8进7", "h1g3"]
    assert batch.record(games[-1]).comments[1] == ["当头炮"]
    assert batch.tags[len(batch) - 1] == {"Event": "after"}


@settings(deadline=None)
@given(st.data())
def test_a_damaged_game_does_not_touch_its_neighbours(data):
    whole = GOOD.replace("good", "damaged").encode()
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        where = data.draw(st.integers(0, len(damaged) - 1))
        damaged[where : where + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        damaged = damaged or bytearray(b" ")
    batch = pgn.read(GOOD.encode() + b"\n" + bytes(damaged) + b"\n\n" + GOOD.encode())
    for i in (0, len(batch) - 1):
        assert batch.tokens(i) == ["炮二平五", "马8进7", "h1g3"]
        assert batch.tags[i]["Event"] in ("good", "damaged")


@pytest.mark.parametrize("name", ["xiangqi.pgn", "xiangqi_zh.pgn", "fortress.pgn"])
def test_matches(name):
    data = shared(f"matches/{name}").read_bytes()
    check(data[:400_000], targets=(1, 5_000, 77_777))


def test_corpus_in_one_file_of_each_encoding():
    names = sorted(p for p in shared("corpus").rglob("*") if p.suffix.lower() == ".pgn")
    files = [p.read_bytes() for p in names]
    by_encoding: dict[str, list[bytes]] = {}
    for data in files:
        by_encoding.setdefault(encodings.file_hint(data), []).append(data)
    assert set(by_encoding) == {"utf-8", "gb18030", "big5"}
    for name, parts in by_encoding.items():
        batch = check(b"\n\n".join(parts), targets=(1, 50_000))
        assert len(batch) == sum(len(pgn.read(part)) for part in parts)
        assert {e for e in batch.encoding} <= {name, "ascii"}
    mixed = check(b"\n\n".join(files), targets=(20_000,))
    assert len(mixed) == sum(len(pgn.read(part)) for part in files)
    assert {"utf-8", "gb18030", "big5"} <= set(mixed.encoding)


def test_a_file_gives_the_same_as_its_bytes(tmp_path):
    data = b"".join(p.encode() for p in PIECES) * 50
    path = tmp_path / "a.pgn"
    path.write_bytes(data)
    cuts = list(pgn.split(path, 1000))
    assert cuts == list(pgn.split(data, 1000)) and len(cuts) > 1
    whole = pgn.read(path)
    assert [r.tokens for r in pgn.games(path)] == [whole.tokens(i) for i in range(len(whole))]
    assert [game for cut in cuts for game in told(pgn.read(path, cut=cut))] == told(whole)


def test_windows_do_not_show(monkeypatch, tmp_path):
    data = b"".join(p.encode() for p in PIECES) * 200
    path = tmp_path / "games.pgn"
    path.write_bytes(data)
    monkeypatch.setattr("notation.containers.cut.AT_ONCE", 2000)
    cuts = list(pgn.split(data, 500))
    for window in (1, 17, 1000):
        monkeypatch.setattr(pgn, "WINDOW", window)
        assert list(pgn.split(data, 500)) == cuts
        assert list(pgn.split(path, 500)) == cuts


@pytest.mark.parametrize("end", ["\r", "\n"])
def test_a_line_longer_than_what_is_read_ahead(monkeypatch, tmp_path, end):
    monkeypatch.setattr("notation.containers.cut.AT_ONCE", 1000)
    monkeypatch.setattr(pgn, "WINDOW", 1000)
    long = "1. " + "h3e3 h10g8 " * 3000 + "*"
    games = [f'[Event "{i}"]{end}{end}{long if i % 3 else "1. h3e3 *"}{end}{end}' for i in range(12)]
    path = tmp_path / "games.pgn"
    path.write_text("".join(games), newline="")
    cuts = list(pgn.split(path, 1))
    assert cuts == list(pgn.split(path.read_bytes(), 1)) and len(cuts) == 12


TAGS = b"".join(b'[T%05d "v"]\n' % i for i in range(9000))
AHEAD = {
    "a block of tags": b'[Event "x"]\n\n' + TAGS + b'[Event "y"]\n\n1. h2e2 *\n\n',
    "a block with blanks": b'[Event "x"]\n\n'
    + TAGS.replace(b"\n", b"\n \t")
    + b'[Event "y"]\n\n1. h2e2 *\n\n',
    "tags in one line": b'[Event "x"]' + TAGS.replace(b"\n", b" ") + b'[Event "y"]\n\n1. h2e2 *\n\n',
    "an open tag": b'[Event "abc\n' + b"x" * 5000 + b"\n" + b"y" * 9000 + b'"]\n[Site "s"]\n\n1. h2e2 *\n\n',
    "an open tag of one line": b'[Event "abc\n' + b"y" * 9000 + b'"]\n[Site "s"]\n\n1. h2e2 *\n\n',
    "a tag in a comment": b'1. h2e2 {\n[Event "z"]\n' + b" " * 9000 + b'[Event "w"]\n\n1. h2e2 *\n\n',
    "blanks": b" " * 9000 + b"\n" * 9000,
}


@pytest.mark.parametrize("text", AHEAD.values(), ids=AHEAD)
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_what_a_game_start_is_told_by_is_read(monkeypatch, tmp_path, text, end):
    game = b'[Event "a"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n\n'
    path = tmp_path / "games.pgn"
    monkeypatch.setattr(pgn, "WINDOW", 1000)
    for size in (500, 1000, 4099):
        monkeypatch.setattr("notation.containers.cut.AT_ONCE", size)
        for shift in range(0, 60, 7):
            data = (game * 20 + b" " * shift + b"\n\n" + text + game * 30).replace(b"\n", end)
            path.write_bytes(data)
            assert list(pgn.split(path, 1)) == list(pgn.split(data, 1))


@pytest.mark.parametrize("end", [b"\r", b""])
def test_a_file_without_lf_is_looked_at_once(monkeypatch, tmp_path, end):
    reads = []
    read_to = Pages.read_to
    monkeypatch.setattr(Pages, "read_to", lambda pages, stop: reads.append(stop) or read_to(pages, stop))
    monkeypatch.setattr("notation.containers.cut.AT_ONCE", 1000)
    path = tmp_path / "games.pgn"
    path.write_bytes(b"1. h2e2 h9g7 2. h0g2 1-0" + end * 2 + b" " * 20 * (not end))
    path.write_bytes(path.read_bytes() * 2000)
    assert list(pgn.split(path, 5000)) == list(pgn.split(path.read_bytes(), 5000))
    assert len(reads) <= path.stat().st_size / 1000 + 2


@pytest.mark.parametrize(
    "text", ['[Event "{}"]\n\n1. h3e3 *\n\n', "1. h3e3 h10g8 2. h1g3\n\n", " \n1. h3e3 *\n"]
)
def test_marked_files_one_after_the_other(text):
    parts = [text.replace("{}", name) for name in "abc"]
    batch = check("".join(f"\ufeff{part}" for part in parts).encode(), targets=(1, 30))
    assert [batch.record(i).tokens for i in range(len(batch))] == [pgn.read(text.encode()).tokens(0)] * 3
    assert [batch.tags[i] for i in range(3)] == [pgn.read(part.encode()).tags[0] for part in parts]
    assert {finding.code for finding in batch.findings} <= {"missing-terminator"}


@pytest.mark.parametrize("name", ["gb18030", "big5", "utf-8", "ascii"])
@pytest.mark.parametrize("gap", ["\n\n", "\n", "\r\n", "\n \t"])
def test_a_mark_belongs_to_no_game(name, gap):
    text = "1. h3e3 {x} h10g8 *" if name == "ascii" else '[Event "測試"]\n\n1. 炮二平五 馬８進７ *'
    marked = "\ufeff%a remark\n" + '\ufeff[Event "賽"]\n\n1. 炮二平五 *\n'
    data = (text + gap).encode(name) + marked.encode() * 3
    batch = check(data, targets=(1, 60))
    assert batch.encoding == [name] + ["utf-8"] * 3
    assert (batch.tokens(0), batch.findings) == (pgn.read(text.encode(name)).tokens(0), [])


def test_utf16_is_one_piece():
    text = '[Event "赛"]\n\n1. 炮二平五 马８进７ 1-0\n\n[Event "二"]\n\n1. 兵七进一 ) *\n'
    data = text.encode("utf-16")
    (cut,) = pgn.split(data, 1)
    batch = pgn.read(data)
    assert cut.final and len(batch) == 2
    assert batch.encoding == ["utf-16", "utf-16"]
    start = batch.offset[1]
    assert data[start : batch.end[1]].decode("utf-16-le").startswith('[Event "二"]')
    (finding,) = batch.findings
    assert data[finding.byte : finding.byte + 2].decode("utf-16-le") == ")"


def test_nothing_is_nan_by_mistake():
    assert all(math.isnan(x) for x in pgn.read(b"1. a1a2 b1b2 *").evaluation)


def test_bytes_that_are_not_those_of_the_cut_are_refused():
    data = GOOD.encode() * 3
    first, *_ = pgn.split(data, 1)
    with pytest.raises(ValueError, match="was the source changed"):
        pgn.read(first.of(data)[:-1], cut=first)
    outside = dataclasses.replace(first, last=None, starts=(array("q", [0, 10_000]), array("q", [1, 2])))
    with pytest.raises(ValueError, match="outside of the text"):
        pgn.read(first.of(data), cut=outside)


LINES = [
    '[Event "x"]',
    "1. 炮二平五 馬8進7",
    "words and more words",
    "\ufeff2. h3e3",
    "",
    "{",
    "*",
    "1-0 (",
    "[Site y]",
]


@given(st.lists(st.sampled_from(LINES), max_size=8), st.sampled_from(["utf-8", "big5hkscs", "gb18030"]))
def test_a_cut_counts_the_games_that_reading_finds(lines, encoding):
    data = "\n".join(lines).encode(encoding, "ignore")
    for size in (1, 1 << 20):
        for cut in pgn.split(data, size):
            assert cut.games == len(pgn.read(cut.of(data), cut=cut))
