"""From paths to sources: order, what is left aside, what is refused and named."""

import os
import zipfile

import polars
import pytest

from pipeline import run, sources

GAME = '[Event "one"]\n[Result "*"]\n\n1. h3e3 *\n'


@pytest.fixture
def hostile_zip(tmp_path):
    path = tmp_path / "members.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../../escaped.pgn", "ok.pgn", "/abs.pgn", "..\\up.pgn", "C:\\x.pgn"):
            archive.writestr(name, GAME)
    return path


@pytest.fixture
def folder(tmp_path):
    for name in ("b.pgn", "a.pgn", "sub/c.PGN", "sub/d.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(GAME)
    (tmp_path / "README.md").write_text("shopping list: tea, rice")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0\0[Event \n")
    return tmp_path


def names(listing, folder):
    return [source.name.removeprefix(f"{folder.as_posix()}/") for source in listing.sources]


def test_a_folder_is_read_in_the_order_of_its_names(folder):
    listing = sources.find([folder])
    assert names(listing, folder) == ["a.pgn", "b.pgn", "sub/c.PGN", "sub/d.txt"]
    assert [name.rpartition("/")[2] for name in listing.skipped] == ["README.md", "image.png"]


def test_arguments_keep_their_order_and_count_once(folder):
    listing = sources.find([folder / "b.pgn", folder, folder / "a.pgn"])
    assert names(listing, folder) == ["b.pgn", "a.pgn", "sub/c.PGN", "sub/d.txt"]


def test_a_file_named_outright_is_read_whatever_it_looks_like(folder):
    assert names(sources.find([folder / "README.md"]), folder) == ["README.md"]


def test_a_pattern_is_expanded_in_order(folder):
    assert names(sources.find([str(folder / "**/*.[pP]*")]), folder)[:2] == ["a.pgn", "b.pgn"]


@pytest.mark.parametrize("name", ["absent.pgn", "*.xyz"])
def test_a_path_to_nothing_is_an_error(folder, name):
    with pytest.raises(sources.NoSuchPath, match="no such file"):
        sources.find([str(folder / name)])


def test_a_loop_of_links_ends(folder):
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "again.pgn").symlink_to(folder / "a.pgn")
    assert names(sources.find([folder]), folder) == ["a.pgn", "b.pgn", "sub/c.PGN", "sub/d.txt"]


def test_a_dangling_link_is_named(folder):
    (folder / "gone.pgn").symlink_to(folder / "nowhere")
    (finding,) = sources.find([folder]).findings
    assert finding.code == "unreadable-file"
    assert finding.source == (folder / "gone.pgn").as_posix()
    assert "No such file" in finding.message()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_named(folder):
    (folder / "a.pgn").chmod(0)
    (finding,) = sources.find([folder]).findings
    assert "Permission denied" in finding.message()


def test_a_special_file_is_named_and_not_opened(folder):
    os.mkfifo(folder / "pipe.pgn")
    (finding,) = sources.find([folder]).findings
    assert "not a regular file" in finding.message()


# -- archives --------------------------------------------------------------------------------------


def test_members_that_lead_out_of_an_archive_are_refused_by_name(hostile_zip):
    listing = sources.find([hostile_zip])
    assert [source.member for source in listing.sources] == ["ok.pgn"]
    assert {finding.code for finding in listing.findings} == {"refused-member"}
    assert [f.text for f in listing.findings] == ["../../escaped.pgn", "/abs.pgn", "..\\up.pgn", "C:\\x.pgn"]
    assert list(hostile_zip.parent.iterdir()) == [hostile_zip]


def test_a_member_is_read_from_any_offset(tmp_path):
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deep/games.pgn", GAME * 1000)
        archive.writestr("notes.txt", "nothing")
    listing = sources.find([path])
    (source,) = listing.sources
    assert source.name == f"{path.as_posix()}/deep/games.pgn"
    assert source.read(len(GAME) * 500, len(GAME) * 501).decode() == GAME
    assert listing.skipped == [f"{path.as_posix()}/notes.txt"]


def test_a_member_that_swells_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "RATIO_FLOOR", 1000)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.pgn", b"\n" * 1_000_000)
    (finding,) = sources.find([path]).findings
    assert finding.code == "refused-member"
    assert "1000000 bytes" in finding.message()


def test_a_broken_archive_is_named(hostile_zip):
    hostile_zip.write_bytes(hostile_zip.read_bytes()[:200])
    (finding,) = sources.find([hostile_zip]).findings
    assert finding.code == "unreadable-file"


def test_of_members_with_one_name_the_last_is_read_and_the_others_are_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as archive:
        archive.writestr("a.pgn", GAME)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.pgn", GAME * 2)
    listing = sources.find([tmp_path])
    assert [source.size for source in listing.sources] == [2 * len(GAME)]
    assert [finding.code for finding in listing.findings] == ["refused-member"]
    assert listing.findings[0].details["why"] == "a later member has the same name"


def test_a_name_that_is_no_utf8_is_written_so_that_it_can_be_read(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff\xe9.pgn")
    try:
        path.write_text(GAME)
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    (tmp_path / os.fsdecode(b"\xfe.pgn")).symlink_to(tmp_path / "nowhere")
    summary = run.adjudicate([tmp_path], rules="xiangqi", out=tmp_path / "out", jobs=1)
    games, findings = (polars.read_parquet(tmp_path / "out" / table) for table in ("games", "findings"))
    assert games["source"].to_list() == [f"{tmp_path.as_posix()}/\\xff\\xe9.pgn"]
    assert findings["source"].to_list() == [f"{tmp_path.as_posix()}/\\xfe.pgn"]
    assert summary.games == 1
