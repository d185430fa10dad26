"""From paths to sources: order, what is left aside, what is refused and named."""

import gzip
import io
import os
import sys
import tempfile
import zipfile

import polars
import pytest

from notation import containers
from pipeline import run, shards, sources

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


ASIDE = (
    "left aside: it seems to be text in which no move follows another; what is read is PGN, WXF text, JSON, DhtmlXQ,"
    " and lists of moves such as h2e2 h9g7, a game a line"
)


def aside(listing, folder):
    """What is said of each file left aside."""
    assert {finding.code for finding in listing.findings} <= {"left-aside"}
    return {f.source.removeprefix(f"{folder.as_posix()}/"): f.message() for f in listing.findings}


def test_a_folder_is_read_in_the_order_of_its_names(folder):
    listing = sources.find([folder])
    assert names(listing, folder) == ["a.pgn", "b.pgn", "sub/c.PGN", "sub/d.txt"]
    assert aside(listing, folder) == {
        "README.md": ASIDE,
        "image.png": "left aside: it does not look like game records",
    }


def test_arguments_keep_their_order_and_count_once(folder):
    listing = sources.find([folder / "b.pgn", folder, folder / "a.pgn"])
    assert names(listing, folder) == ["b.pgn", "a.pgn", "sub/c.PGN", "sub/d.txt"]


def test_a_file_named_outright_is_read_whatever_it_looks_like(folder):
    assert names(sources.find([folder / "README.md"]), folder) == ["README.md"]


@pytest.mark.parametrize(
    "text",
    ["a;h2e2,h9g7\n", "h2e2h9g7\n", "shopping list: tea, rice", "1 11 25 32\n", "a,b,c\n1,h2e2,h9g7\n", ""],
)
def test_a_text_gets_the_same_answer_in_a_folder_and_by_name(tmp_path, text):
    file = tmp_path / "games.txt"
    file.write_text(text)
    by_name, in_folder = sources.find([file]), sources.find([tmp_path])
    plan = shards.plan(by_name.sources)
    if in_folder.sources:
        assert in_folder.sources == by_name.sources and sum(plan.games.values()) == 1
    else:
        (why,) = (finding.details["why"] for finding in in_folder.findings)
        (told,) = (finding for piece in plan.shards[0].pieces for finding in piece.read().findings)
        assert told.message() == f"no games found: {why}"


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
    (finding,) = troubles(sources.find([folder]))
    assert finding.code == "unreadable-file"
    assert finding.source == (folder / "gone.pgn").as_posix()
    assert "No such file" in finding.message()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_named(folder):
    (folder / "a.pgn").chmod(0)
    (finding,) = troubles(sources.find([folder]))
    assert "Permission denied" in finding.message()


def test_a_special_file_is_named_and_not_opened(folder):
    os.mkfifo(folder / "pipe.pgn")
    (finding,) = troubles(sources.find([folder]))
    assert "not a regular file" in finding.message()


def troubles(listing):
    return [finding for finding in listing.findings if finding.code != "left-aside"]


# -- runs ------------------------------------------------------------------------------------------


def test_a_run_in_a_folder_is_left_aside(folder):
    """The command can be given again where its run is in the folder that it reads."""
    for games in (4, 4):
        assert run.adjudicate([folder], rules="xiangqi", out=folder / "sub" / "run", jobs=1).games == games
    listing = sources.find([folder])
    assert aside(listing, folder)["sub/run"] == "left aside: a run of caipan"
    assert names(listing, folder) == ["a.pgn", "b.pgn", "sub/c.PGN", "sub/d.txt"]
    (folder / "manifest.pgn").write_bytes((folder / "sub" / "run" / "manifest.json").read_bytes())
    assert "manifest.json is not read" in aside(sources.find([folder]), folder)["manifest.pgn"]


def test_a_run_is_no_records(folder):
    run.adjudicate([folder], rules="xiangqi", out=folder / "run", jobs=1)
    with pytest.raises(sources.NoSuchPath, match="run is a run of caipan: give the records"):
        sources.find([folder / "run"])
    assert "run" in aside(sources.find([f"{folder}/*"]), folder)


# -- foreign formats -------------------------------------------------------------------------------

FOREIGN = {
    "7z": b"7z\xbc\xaf\x27\x1c",
    "HTML": b"\xef\xbb\xbf\n<!DOCTYPE html><title>1. C2=5</title>",
    "tar": b"games.pgn".ljust(257, b"\0") + b"ustar\x0000",
    "Parquet": b"PAR1",
}


@pytest.mark.parametrize("form", FOREIGN)
def test_a_known_format_that_is_not_read_has_one_finding_that_names_it(tmp_path, form):
    path = tmp_path / "games.pgn"
    path.write_bytes(FOREIGN[form])
    listing = sources.find([path])
    (finding,) = [*listing.findings, *listing.barren({})]
    assert (finding.code, finding.severity, finding.source) == ("foreign-format", "error", path.as_posix())
    form = form.partition(",")[0]
    assert finding.message().startswith(f"{form} is not read; ")
    assert f" {form} " in finding.message("zh")
    assert aside(sources.find([tmp_path]), tmp_path) == {"games.pgn": f"left aside: {finding.message()}"}
    (found,) = containers.read(path).findings
    assert found.message() == finding.message()
    assert [len(batch) for batch in containers.batches(path, 1 << 20)] == [0]


def test_a_page_that_shows_a_game_is_read(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(f"<html>\n<pre>\n{GAME}</pre>")
    assert names(sources.find([tmp_path]), tmp_path) == ["page.html"]


SHOWN = "<script>var x = '[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]'</script>"


@pytest.mark.parametrize(
    "front", ["<!DOCTYPE html>", '<?xml version="1.0"?>\n<!-- a --> <!-- b -->\n<HTML lang="zh">']
)
def test_a_game_far_down_in_a_page_is_found(tmp_path, front):
    text = (front + "<p>象棋</p>\n" * 20_000 + SHOWN).encode()
    (tmp_path / "a.html").write_bytes(text)
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(text, mtime=0))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("c.html", text)
    listing = sources.find([tmp_path])
    assert [source.container for source in listing.sources] == ["dhtmlxq"] * 3
    assert [len(containers.read(path)) for path in (text, tmp_path / "a.html")] == [1, 1]
    assert [len(batch) for batch in containers.batches(tmp_path / "a.html", 1 << 22)] == [1]


def test_a_page_is_not_looked_through_without_end(tmp_path):
    (tmp_path / "a.html").write_text("<html>" + "\n" * (5 << 20) + SHOWN)
    (tmp_path / "b.html").write_text("<!-- -->" * (1 << 18) + "<p>")
    assert {*aside(sources.find([tmp_path]), tmp_path)} == {"a.html", "b.html"}


# -- what came to no record ------------------------------------------------------------------------


def test_a_path_that_comes_to_no_record_is_named(folder, tmp_path):
    (folder / "empty").mkdir()
    (folder / "words").mkdir()
    (folder / "words" / "a.txt").write_text("tea, rice")
    given = [folder / "empty", folder / "words", folder / "sub", folder / "words", folder / "README.md"]
    listing = sources.find(given)
    barren = listing.barren({(folder / "sub" / "c.PGN").as_posix(): 1})
    assert [finding.source for finding in barren] == [
        (folder / name).as_posix() for name in ("empty", "words")
    ]
    assert {(finding.code, finding.severity) for finding in barren} == {("no-games", "warning")}


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
    assert aside(listing, tmp_path) == {"games.zip/notes.txt": ASIDE}


def test_a_member_that_swells_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "RATIO_FLOOR", 1000)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.pgn", b"\n" * 1_000_000)
    (finding,) = sources.find([path]).findings
    assert finding.code == "refused-member"
    assert "1000000 bytes" in finding.message()


def test_an_archive_within_an_archive_is_named(tmp_path, hostile_zip):
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.write(hostile_zip, "inner.zip")
        archive.writestr("inner.gz", gzip.compress(GAME.encode()))
    listing = sources.find([tmp_path / "outer.zip"])
    assert aside(listing, tmp_path) == {
        f"outer.zip/inner.{kind}": f"left aside: {name} in an archive is not read; unpack it first"
        for kind, name in (("zip", "zip"), ("gz", "gzip"))
    }
    assert [finding.source for finding in listing.barren({})] == [(tmp_path / "outer.zip").as_posix()]


def test_a_file_packed_by_gzip_is_read_like_the_file(tmp_path):
    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(GAME.encode() * 500) + gzip.compress(GAME.encode() * 500))
    (tmp_path / "notes.txt.gz").write_bytes(gzip.compress(b"tea, rice"))
    (tmp_path / "games.tar.gz").write_bytes(gzip.compress(b"games.pgn".ljust(257, b"\0") + b"ustar\x0000"))
    listing = sources.find([tmp_path])
    (source,) = listing.sources
    assert (source.name, source.container) == (path.as_posix(), "pgn")
    assert source.read(len(GAME) * 600, len(GAME) * 601).decode() == GAME
    tar = "left aside: tar is not read; unpack it first"
    assert aside(listing, tmp_path) == {"games.tar.gz": tar, "notes.txt.gz": ASIDE}
    assert [len(sources.find([tmp_path / name]).sources) for name in ("notes.txt.gz", "games.tar.gz")] == [
        1,
        0,
    ]


def test_a_run_over_a_packed_file_is_that_over_the_file(tmp_path):
    tables = []
    for name, data in (("plain", GAME.encode() * 50), ("packed", gzip.compress(GAME.encode() * 50))):
        (tmp_path / "games.pgn").write_bytes(data)
        run.adjudicate([tmp_path / "games.pgn"], rules="xiangqi", out=tmp_path / name, jobs=1)
        tables.append(
            [polars.read_parquet(tmp_path / name / table) for table in ("games", "moves", "findings")]
        )
    assert all(one.equals(other) for one, other in zip(*tables, strict=True))
    assert len(tables[0][0]) == 50


@pytest.mark.parametrize("damage", ["head", "body", "end", "rubbish after"])
def test_a_damaged_packed_file_is_a_finding(tmp_path, damage):
    path, other = tmp_path / "games.pgn.gz", tmp_path / "other.pgn"
    other.write_text(GAME)
    text = "".join(GAME.replace("one", str(number * number)) for number in range(20_000)).encode()
    data = bytearray(gzip.compress(text))
    if damage == "rubbish after":
        data += b"rubbish"
    elif damage == "body":
        data[len(data) // 2] ^= 255
    else:
        del data[12 if damage == "head" else -20 :]
    path.write_bytes(data)
    summary = run.adjudicate([tmp_path], rules="xiangqi", out=tmp_path / "out", jobs=1)
    (finding,) = summary.troubles
    assert (finding.code, finding.source) == ("unreadable-file", path.as_posix())
    if damage == "head":
        assert (summary.games, finding.byte) == (1, None)
        return
    assert finding.byte > len(text) * (0.4 if damage == "body" else 0.9)
    assert f"{finding.byte} bytes before are read" in finding.message()
    games = polars.read_parquet(tmp_path / "out" / "games" / "*.parquet").sort("record")
    sound = 9_000 if damage == "body" else summary.games - 2
    assert games["event"].to_list()[:sound] == [str(number * number) for number in range(sound)]


@pytest.mark.parametrize("end", ["trailer", "sum", "rubbish"])
def test_a_small_packed_file_with_a_damaged_end_is_read(tmp_path, end):
    data = gzip.compress(GAME.encode())
    data = {"trailer": data[:-4], "sum": data[:-8] + b"abcd" + data[-4:], "rubbish": data + b"rubbish"}[end]
    (tmp_path / "games.pgn.gz").write_bytes(data)
    plan = shards.plan(sources.find([tmp_path]).sources)
    (finding,) = plan.findings
    assert (finding.code, finding.byte) == ("unreadable-file", len(GAME))
    assert sum(plan.games.values()) == 1
    assert len(plan.shards[0].pieces[0].read()) == 1


def test_a_packed_file_that_swells_is_a_finding(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "RATIO_FLOOR", 1000)
    path = tmp_path / "bomb.pgn.gz"
    path.write_bytes(gzip.compress(b"\n" * 1_000_000))
    (finding,) = shards.plan(sources.find([path]).sources).findings
    assert finding.code == "unreadable-file"
    assert f"unpacks to more than {250 * path.stat().st_size} bytes" in finding.message()


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


# -- standard input --------------------------------------------------------------------------------


@pytest.fixture
def piped(monkeypatch):
    """Gives bytes to standard input."""

    def give(data):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def test_a_dash_is_standard_input(piped, folder):
    piped(GAME.encode() * 3)
    listing = sources.find([folder / "a.pgn", "-", folder / "b.pgn", "-"])
    assert names(listing, folder) == ["a.pgn", "-", "b.pgn"]
    assert listing.given["-"] == [listing.sources[1]]
    assert listing.sources[1].read() == GAME.encode() * 3
    assert names(sources.find(["-"]), folder) == ["-"]  # as often as it is asked for


@pytest.mark.parametrize("form", ["zip", "gzip"])
def test_what_is_piped_in_may_be_packed(piped, form):
    data = io.BytesIO(gzip.compress(GAME.encode()) if form == "gzip" else b"")
    if form == "zip":
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr("a.pgn", GAME)
    piped(data.getvalue())
    (source,) = sources.find(["-"]).sources
    assert (source.name, source.read()) == ("-/a.pgn" if form == "zip" else "-", GAME.encode())


def test_nothing_piped_in_is_told(piped):
    piped(b"")
    listing = sources.find(["-"])
    assert [finding.code for finding in shards.plan(listing.sources).shards[0].pieces[0].read().findings] == [
        "no-games"
    ]


def test_a_file_called_dash_has_another_path(piped, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "-").write_text(GAME)
    piped(GAME.encode() * 2)
    assert [source.size for source in sources.find(["./-", "-"]).sources] == [len(GAME), 2 * len(GAME)]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere files that can be opened anew have names")
@pytest.mark.parametrize("form", ["piped", "gzip", "zip"])
def test_what_is_unpacked_or_piped_in_has_no_name_that_could_be_left(tmp_path, piped, monkeypatch, form):
    (place := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    path = tmp_path / "games"
    if form == "gzip":
        path.write_bytes(gzip.compress(GAME.encode()))
    elif form == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.pgn", GAME)
    piped(GAME.encode())
    (source,) = sources.find(["-" if form == "piped" else path]).sources
    monkeypatch.setattr(shards, "FEW", 0)
    with shards._unpacked(source) as (there, _):
        assert there.read_bytes() == GAME.encode()
        assert [*place.iterdir()] == []


def test_workers_read_what_is_piped_in(tmp_path, piped, monkeypatch):
    monkeypatch.setattr(shards, "SMALLEST", 600)
    monkeypatch.setattr(shards, "LARGEST", 600)
    piped(GAME.encode() * 100)
    assert run.adjudicate(["-"], rules="xiangqi", out=tmp_path / "out", jobs=2).games == 100


def test_the_directory_of_an_archive_is_read_once_for_all_members(tmp_path, monkeypatch):
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(20):
            archive.writestr(f"{number}.pgn", GAME)
    opened = []
    whole = zipfile.ZipFile
    monkeypatch.setattr(zipfile, "ZipFile", lambda *given: opened.append(given) or whole(*given))
    listing = sources.find([path])
    assert [source.read() for source in listing.sources] == [GAME.encode()] * 20
    assert len(opened) == 2  # once to list the members, once to read them


@pytest.mark.parametrize("encoding", ["gbk", "big5", "utf-8"])
def test_names_of_members_are_read_in_the_code_page_they_are_in(tmp_path, encoding):
    name = "象棋比賽/決賽第一局.pgn" if encoding == "big5" else "比赛对局/省赛第一局.pgn"
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x" * len(name.encode(encoding)), GAME)
    raw = path.read_bytes().replace(b"x" * len(name.encode(encoding)), name.encode(encoding))
    path.write_bytes(raw)
    (source,) = sources.find([path]).sources
    assert source.name == f"{path}/{name}"
    assert source.read() == GAME.encode()


def test_an_archive_whose_directory_is_that_of_another_in_it_is_said_to_be_cut(tmp_path):
    inner, outer = tmp_path / "inner.zip", tmp_path / "outer.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("a.pgn", GAME)
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("first.pgn", GAME)
        archive.write(inner, "inner.zip")
        archive.writestr("last.pgn", GAME)
    data = outer.read_bytes()
    outer.write_bytes(data[: data.index(b"last.pgn")])
    listing = sources.find([outer])
    assert [source.name for source in listing.sources] == [f"{outer}/a.pgn"]
    (finding,) = listing.findings
    assert (finding.code, finding.source) == ("unreadable-file", outer.as_posix())
    assert "was it cut short?" in finding.message()
