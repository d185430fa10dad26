"""Cutting a run into shards."""

import os
import zipfile

import pytest

from notation.containers import cut, pgn
from pipeline import shards, sources


def game(number: int, moves: int = 20) -> str:
    return f'[Event "game {number}"]\n[Result "*"]\n\n' + "h3e3 h10g8 " * (moves // 2) + "*\n\n"


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(shards, "SMALLEST", 1000)
    monkeypatch.setattr(shards, "LARGEST", 1000)


def planned(*paths):
    return shards.plan(sources.find(paths).sources)


def test_a_large_file_is_cut_between_games(tmp_path, small):
    path = tmp_path / "games.pgn"
    path.write_text("".join(game(i) for i in range(30)))
    plan = planned(path)
    assert len(plan.shards) > 3
    pieces = [piece for shard in plan.shards for piece in shard.pieces]
    assert pieces[0].cut.first == 0
    assert pieces[-1].cut.last == path.stat().st_size
    text = path.read_bytes()
    first = 0
    for shard, before, piece in zip(plan.shards, [None, *pieces], pieces, strict=False):
        begin = piece.cut.first
        assert before is None or begin == before.cut.last
        assert shard.record == piece.cut.index == first
        assert text[begin:].startswith(f'[Event "game {first}"]'.encode())
        assert piece.cut.line == 1 + text[:begin].count(b"\n")
        first += piece.games
    assert first == 30


def test_a_file_that_was_changed_meanwhile_is_not_read(tmp_path, small):
    path = tmp_path / "games.pgn"
    path.write_text("".join(game(i) for i in range(30)))
    (first, *_) = planned(path).shards
    assert len(first.pieces[0].read()) == first.games
    path.write_text("".join(game(i) for i in range(29, -1, -1)))
    os.utime(path, ns=(0, 0))
    with pytest.raises(OSError, match=r"games\.pgn was changed meanwhile"):
        first.pieces[0].read()


def test_a_file_that_is_cut_short_while_it_is_planned_is_a_finding(tmp_path, small, monkeypatch):
    monkeypatch.setattr(cut, "AT_ONCE", 1000)
    monkeypatch.setattr(pgn, "WINDOW", 1000)
    path = tmp_path / "games.pgn"
    path.write_text("".join(game(i) for i in range(3000)))
    plan = shards.Plan(sources.find([path]).sources)
    next(iter(plan))
    os.truncate(path, 20_000)
    plan.finish()
    (finding,) = plan.findings
    assert (finding.code, finding.source) == ("unreadable-file", path.as_posix())
    assert "cut short" in finding.message()


def test_small_files_share_a_shard(tmp_path, small):
    for number in range(40):
        (tmp_path / f"{number:02}.pgn").write_text(game(number))
    plan = planned(tmp_path)
    assert 5 < len(plan.shards) < 20
    assert [shard.record for shard in plan.shards] == [
        sum(shard.games for shard in plan.shards[:i]) for i in range(len(plan.shards))
    ]
    assert sum(len(shard.pieces) for shard in plan.shards) == 40


def test_a_source_without_games_keeps_its_place(tmp_path):
    for name, text in {
        "empty.pgn": "",
        "blank.pgn": "\n \n\n",
        "notes.txt": "shopping list: tea, rice",
    }.items():
        (tmp_path / name).write_text(text)
    plan = planned(tmp_path / "empty.pgn", tmp_path / "blank.pgn", tmp_path / "notes.txt")
    assert plan.games == {(tmp_path / name).as_posix(): 0 for name in ("empty.pgn", "blank.pgn", "notes.txt")}


def test_a_damaged_member_is_a_finding(tmp_path):
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.pgn", "".join(game(i) for i in range(2000)))
        archive.writestr("b.pgn", game(1))
    data = bytearray(path.read_bytes())
    data[data.find(b"game 1500")] ^= 1
    path.write_bytes(data)
    plan = planned(path)
    assert [source.member for source in plan.sources] == ["b.pgn"]
    (finding,) = plan.findings
    assert finding.code == "unreadable-file"
    assert finding.source.endswith("a.pgn")
