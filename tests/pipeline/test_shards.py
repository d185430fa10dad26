"""Cutting a run into shards."""

import errno
import gzip
import io
import os
import zipfile

import polars
import pytest

from notation.containers import cut, pgn
from pipeline import run, shards, sources


def game(number: int, moves: int = 20) -> str:
    return f'[Event "game {number}"]\n[Result "*"]\n\n' + "h3e3 h10g8 " * (moves // 2) + "*\n\n"


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(shards, "SMALLEST", 1000)
    monkeypatch.setattr(shards, "LARGEST", 1000)
    monkeypatch.setattr(shards, "FEW", 1000)


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


def damaged(path, kind, at):
    """A zip archive with two members, the first of which is not what it was ``at`` a text."""
    text = "".join(game(i) for i in range(2000))
    with zipfile.ZipFile(path, "w", kind) as archive:
        archive.writestr("a.pgn", text)
        archive.writestr("b.pgn", game(1))
        size = archive.getinfo("a.pgn").compress_size
    data = bytearray(path.read_bytes())
    data[35 + size * at // 100] ^= 255
    path.write_bytes(data)
    return text


@pytest.mark.parametrize("at", [60, 99])
@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_of_a_damaged_member_what_comes_before_is_read(tmp_path, kind, at):
    text = damaged(path := tmp_path / "games.zip", kind, at)
    plan = planned(path)
    assert [source.member for source in plan.sources] == ["a.pgn", "b.pgn"]
    (finding,) = plan.findings
    assert (finding.code, finding.source) == ("unreadable-file", f"{path.as_posix()}/a.pgn")
    assert f"{finding.byte} bytes before are read" in finding.message()
    assert finding.byte > len(text) * 0.5
    run.adjudicate([path], rules="xiangqi", out=tmp_path / "out", jobs=1)
    games = polars.read_parquet(tmp_path / "out" / "games" / "*.parquet").sort("record")
    sound = 20 * at - 100
    assert games["event"].to_list()[:sound] == [f"game {i}" for i in range(sound)]
    assert games["source"].to_list()[-1] == f"{path.as_posix()}/b.pgn"


def test_a_small_member_with_another_sum_is_read(tmp_path):
    with zipfile.ZipFile(path := tmp_path / "games.zip", "w") as archive:
        archive.writestr("a.pgn", game(1))
    path.write_bytes(path.read_bytes().replace(b"h10g8", b"h10i8", 1))
    plan = planned(path)
    assert len(plan.shards[0].pieces[0].read()) == 1
    assert [finding.code for finding in plan.findings] == ["unreadable-file"]


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_that_is_damaged_from_the_start_is_a_finding(tmp_path, kind):
    damaged(path := tmp_path / "games.zip", kind, 3)
    listing = sources.find([path])
    assert [source.member for source in listing.sources] == ["b.pgn"]
    assert [finding.code for finding in listing.findings] == ["unreadable-file"]


def test_small_files_are_read_once_to_be_planned(tmp_path, monkeypatch):
    for number in range(5):
        (tmp_path / f"{number}.pgn").write_text(game(number))
    listing = sources.find([tmp_path])
    opened = []
    opener = io.open
    monkeypatch.setattr(io, "open", lambda *given, **more: opened.append(given[0]) or opener(*given, **more))
    plan = shards.plan(listing.sources)
    assert [piece.games for piece in plan.shards[0].pieces] == [1] * 5
    assert len(opened) == 5


def test_what_goes_wrong_with_one_source_costs_no_other(tmp_path, monkeypatch):
    for name in ("a.pgn", "b.pgn", "c.pgn"):
        (tmp_path / name).write_text(game(1))
    split = pgn.split

    def failing(source, *more, **options):
        if failing.calls:
            failing.calls -= 1
            raise ValueError("cannot happen")
        return split(source, *more, **options)

    failing.calls = 1
    monkeypatch.setattr(pgn, "split", failing)
    plan = planned(tmp_path)
    assert [source.path.name for source in plan.sources] == ["b.pgn", "c.pgn"]
    (finding,) = plan.findings
    assert (finding.code, finding.source) == ("unreadable-file", f"{tmp_path}/a.pgn")
    assert "ValueError: cannot happen" in finding.message()


def test_a_full_disk_is_no_fault_of_a_file(tmp_path, monkeypatch):
    with gzip.open(tmp_path / "games.pgn.gz", "wb") as file:
        file.write(game(1).encode())

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sources.Source, "unpack", full)
    with pytest.raises(OSError, match="No space left"):
        planned(tmp_path)
