"""DhtmlXQ: records in tags, in text and in pages, with branches, comments and start positions; bare digits."""

import gzip
import zipfile

import pytest
from click.testing import CliRunner

from adjudicator import adjudicate
from conftest import REPOSITORY, shared
from notation import containers
from notation.containers import dhtmlxq, digits, pgn
from notation.record import Variation
from pipeline import run
from pipeline.cli import main
from pipeline.convert import convert

FORMATS = REPOSITORY / "data" / "formats"
SAMPLES = [FORMATS / "forum.txt", FORMATS / "page.htm"]
FOUR = ["h3e3", "h10g8", "h1g3", "i10h10"]
MAIN = "7747706279678070"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
OTHER_ORDER = "8979695949392919097717866646260600102030405060708012720323436383"
PROBLEM = "0599999949" + "99" * 11 + "9933999951" + "99" * 4 + "50" + "99" * 6


def tag(name, value):
    return f"[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]"


def read(text, **how):
    """The records of ``text``, which has to be recognised, and the codes of the findings."""
    data = text if isinstance(text, bytes) else text.encode()
    assert containers.sniff(data, "x.pgn") == "dhtmlxq"
    batch = containers.read(data, **how)
    return [batch.record(i) for i in range(len(batch))], [finding.code for finding in batch.findings]


def one(text, **how):
    (record,), codes = read(text, **how)
    assert not codes
    return record


# -- where records are ---------------------------------------------------------------------------------------

WHOLE = tag("title", "甲 &amp; 乙") + tag("movelist", MAIN)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"[DhtmlXQ]{WHOLE}[/DhtmlXQ]", id="in a wrapper, run together"),
        pytest.param(f"[DhtmlXQ]\r\n{WHOLE}\r\n[/DhtmlXQ]\r\n", id="lines"),
        pytest.param(f"[DhtmlXQiFrame]{WHOLE}[/DhtmlXQiFrame]", id="the other wrapper"),
        pytest.param(f"[dhtmlxq]{WHOLE.replace('DhtmlXQ', 'dhtmlxq')}[/dhtmlxq]", id="small letters"),
        pytest.param(WHOLE.replace("][", "]<br>\n["), id="no wrapper, line breaks of HTML"),
        pytest.param(f"<html><body>{WHOLE.replace('][', ']&nbsp;[')}</body></html>", id="a page"),
        pytest.param(f"昨天的对局\n{WHOLE}\n请指教", id="words around it"),
        pytest.param(f"\ufeff{WHOLE}", id="a mark"),
        pytest.param(WHOLE.replace("7062", "70<br>6 2&nbsp;\n"), id="gaps between digits"),
        pytest.param(WHOLE + tag("movelist", MAIN), id="the moves are shown again"),
        pytest.param(f"[DhtmlXQ]{WHOLE}[/DhtmlXQ]" * 2, id="all is shown again"),
        pytest.param(tag("movelist", " ") + WHOLE.replace("][", "] ["), id="an empty list of moves first"),
        pytest.param(
            f"[DhtmlXQ]{tag('title', '甲 & 乙')}[/DhtmlXQ]{tag('movelist', MAIN)}", id="moves outside"
        ),
    ],
)
def test_a_record_wherever_it_stands(text):
    record = one(text)
    assert record.tags == {"Title": "甲 & 乙"}
    assert (record.tokens, record.fen) == (FOUR, None)


@pytest.mark.parametrize(
    "text, kind",
    [
        pytest.param("<html><p>7747706279678070</p></html>", "foreign", id="a page without tags"),
        pytest.param('[Event "x"]\n\n1. C2=5 {[DhtmlXQ_movelist]7747} *', "pgn", id="tags in a comment"),
        pytest.param("The tag `[DhtmlXQ_movelist]` has moves.", "unknown", id="words on the format"),
        pytest.param("s = '[DhtmlXQ_movelist]' + moves", "unknown", id="a program"),
        pytest.param("CCBridge Record\0[DhtmlXQ_movelist]7747", "ccbridge", id="another format"),
        pytest.param("31415926535897932384626433832795", "unknown", id="a long number"),
        pytest.param("2001 2002 2003 2004\n2005 2006 2007 2008", "unknown", id="years"),
        pytest.param("7747706279678070" * 2, "unknown", id="moves that come again"),
        pytest.param("774770627967", "unknown", id="three moves"),
        pytest.param("77477062796780", "unknown", id="half a move"),
        pytest.param("7747706279678095", "unknown", id="off the board"),
    ],
)
def test_what_is_no_record(text, kind):
    assert containers.sniff(text.encode(), "x.txt") == kind


def test_records_one_after_the_other():
    games = [
        f"[DhtmlXQ]{tag('ver', 1)}{tag('movelist', '7747')}",
        f"[DhtmlXQ]{tag('ver', 1)}{tag('movelist', '7747')}{tag('date', 2001)}",
        tag("ver", 1) + tag("title", "乙") + tag("movelist", ""),
        tag("title", "丙") + tag("movelist", MAIN),
    ]
    text = "<br>\n".join(games)
    records, codes = read(text)
    assert [record.tokens for record in records] == [FOUR[:1], FOUR[:1], [], FOUR]
    assert [record.line for record in records] == [1, 2, 3, 4] and not codes
    data = text.encode()
    for record in records:
        assert data[record.offset :].startswith(b"[DhtmlXQ_")


def test_a_record_that_says_less_than_another_is_one_of_its_own():
    records, _ = read(f"[DhtmlXQ]{WHOLE}{tag('comment1', '词')}[DhtmlXQ]{WHOLE}")
    assert [record.comments for record in records] == [{1: ["词"]}, {}]


def test_pieces_hold_the_same_records_as_the_whole():
    games = [
        f"<p>[DhtmlXQ]{tag('title', '局' + 'x' * n)}\r\n{tag('movelist', MAIN)}{tag('move_7_1_1', 7747)}\n</p>".encode()
        for n in (0, 1, 1, 2, 300)
    ]
    games[3] = games[3].decode().encode("gb18030")
    data = b"".join(games) + games[0] + games[1].strip() + games[0] + games[2]
    whole = dhtmlxq.read(data)
    assert len(whole) == 8 and whole.encoding[:4] == ["utf-8", "utf-8", "gb18030", "utf-8"]

    def findings(batch):
        return [(found.code, found.line, found.column, found.byte) for found in batch.findings]

    for target in (1, 200, 500):
        cuts = list(dhtmlxq.split(data, target))
        assert cuts[0].first == 0 and cuts[-1].final and cuts[-1].last == len(data)
        parts = [dhtmlxq.read(data[cut.first : cut.last], cut=cut) for cut in cuts]
        assert [cut.games for cut in cuts[:-1]] == [len(part) for part in parts[:-1]]
        for name in ("offset", "end", "line", "index", "token_line", "token_column", "encoding"):
            assert [n for part in parts for n in getattr(part, name)] == list(getattr(whole, name))
        assert [found for part in parts for found in findings(part)] == findings(whole)


# -- the start position ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "binit, moves, fen",
    [
        pytest.param("", "7747", None, id="empty"),
        pytest.param(digits.USUAL.decode(), "7747", None, id="the usual start"),
        pytest.param(OTHER_ORDER, "7747", None, id="in the other order"),
        pytest.param(OTHER_ORDER, "7062", f"{START} b - - 0 1", id="Black moves first"),
        pytest.param("", "7062", f"{START} b - - 0 1", id="Black moves first, nothing else said"),
        pytest.param(PROBLEM, "5152", "5c3/5k3/9/3n5/9/R8/9/9/9/4K4 b - - 0 1", id="a problem"),
        pytest.param(PROBLEM, "", "5c3/5k3/9/3n5/9/R8/9/9/9/4K4", id="without moves"),
        pytest.param(PROBLEM, "8888", "5c3/5k3/9/3n5/9/R8/9/9/9/4K4", id="no piece there"),
        pytest.param("<br>05 " + PROBLEM[2:], "0515", "5c3/5k3/9/3n5/9/R8/9/9/9/4K4 w - - 0 1", id="gaps"),
    ],
)
def test_start(binit, moves, fen):
    record = one(tag("binit", binit) + tag("movelist", moves))
    assert record.fen == record.tags.get("FEN") == fen


@pytest.mark.parametrize(
    "binit, said, column",
    [
        pytest.param(PROBLEM[:-2], "62 digits, not 64", 16, id="a piece is missing"),
        pytest.param(PROBLEM[:-1], "63 digits, not 64", 16, id="half a point"),
        pytest.param("05<br>93" + PROBLEM[4:], "93 is no point of the board", 22, id="off the board"),
        pytest.param(
            PROBLEM[:16] + "05" + PROBLEM[18:], "R and R stand on one point, a5", 32, id="two on one point"
        ),
        pytest.param("05x?x?" + PROBLEM[6:], "x? is no point of the board", 18, id="no digits"),
    ],
)
def test_faults_of_a_start_have_their_place_and_the_game_is_kept(binit, said, column):
    (game,) = adjudicate(("[DhtmlXQ]\n" + tag("binit", binit) + tag("movelist", "5152")).encode())
    (finding,) = [finding for finding in game.findings if finding.code in ("bad-setup", "piece-on-piece")]
    assert said in finding.message()
    assert (finding.line, finding.column, finding.byte) == (2, column, column + 9)
    assert game.record.tokens == ["f9f8"]


# -- moves ---------------------------------------------------------------------------------------------------------


def test_moves_have_their_places():
    batch = dhtmlxq.read(f"{tag('title', '炮')}\n\n<p>{tag('movelist', '7747<br>70 62')}</p>".encode())
    assert batch.tokens(0) == FOUR[:2]
    assert list(zip(batch.token_line, batch.token_column, strict=True)) == [(3, 22), (3, 30)]


def test_ranks_count_from_1():
    """Both of 炮八进四 and its rival with ranks from 0 are legal, and no rank shows which is meant."""
    record = one(tag("movelist", "1713"))
    assert record.tokens == ["b3b7"]
    (game,) = adjudicate(tag("movelist", "1713").encode())
    assert [ply.move for ply in game.moves] == ["b3b7"] and not game.findings
    assert list(dhtmlxq.read(tag("movelist", "1713").encode()).rank_base) == [1]


@pytest.mark.parametrize(
    "moves, tokens, bad, column",
    [
        pytest.param("7747706", ["h3e3", "706"], "706", 23, id="odd digits at the end"),
        pytest.param("7747x7062", ["h3e3", "x", "h10g8"], "x", 23, id="no digit inside"),
        pytest.param("77477炮62", ["h3e3", "7", "炮", "62"], "7", 23, id="no digit in a move"),
        pytest.param("77479999", ["h3e3", "9999"], "9999", 23, id="off the board"),
        pytest.param("7747&amp;", ["h3e3", "&amp;"], "&amp;", 23, id="an entity"),
    ],
)
def test_what_is_no_move_is_told_with_its_place(moves, tokens, bad, column):
    (game,) = adjudicate(tag("movelist", moves).encode())
    assert game.record.tokens == tokens and len(game.moves) == 1
    (finding,) = game.findings
    assert (finding.code, finding.ply, finding.text) == ("unreadable-token", 2, bad)
    assert (finding.line, finding.column) == (1, column)


def test_length():
    assert one(tag("length", 4) + tag("movelist", MAIN)).tags["PlyCount"] == "4"
    batch = containers.read((tag("movelist", MAIN) + "\n" + tag("length", 40)).encode())
    (finding,) = batch.findings
    assert (finding.code, finding.line, finding.column) == ("ply-count", 2, 1)
    assert finding.message() == "PlyCount says 40, the record holds 4"


# -- branches and comments -----------------------------------------------------------------------------------------


def test_branches_and_comments():
    record, problem = read((FORMATS / "forum.txt").read_bytes())[0]
    assert record.tokens == [*FOUR, "i1h1", "g7g6"]
    inner = Variation(3, ["b1c3"])
    assert record.variations == [Variation(2, ["b10c8", "h1g3"], {2: ["亦可"]}, variations=[inner])]
    assert record.comments == {0: ["开局举例\n共六着"], 2: ["正着"]}
    assert problem.fen == "4k4/1R7/9/9/9/R8/9/9/9/5K3 b - - 0 1"


def test_what_is_no_move_in_a_branch_is_told():
    batch = containers.read((tag("movelist", MAIN) + "\n" + tag("move_0_2_1", "102279")).encode())
    (finding,) = batch.findings
    assert (finding.code, finding.ply, finding.text) == ("unreadable-token", 3, "79")
    assert (finding.line, finding.column) == (2, 25)
    assert batch.record(0).variations == [Variation(2, ["b10c8", "79"])]


def test_a_parent_may_come_after_its_branches():
    record = one(tag("move_2_3_1", "1927") + tag("move_0_2_2", "10227967") + tag("movelist", MAIN))
    assert record.variations == [Variation(2, ["b10c8", "h1g3"], variations=[Variation(3, ["b1c3"])])]


@pytest.mark.parametrize(
    "tags, text, why",
    [
        pytest.param({"move_5_1_1": 1747}, "move_5_1_1", "line 5 is not in the game", id="no such parent"),
        pytest.param({"move_1_1_1": 1747}, "move_1_1_1", "line 1 is not in the game", id="a loop"),
        pytest.param({"move_0_5_1": 1747}, "move_0_5_1", "line 0 has no ply 5", id="beyond the parent"),
        pytest.param({"move_0_0_1": 1747}, "move_0_0_1", "line 0 has no ply 0", id="ply 0"),
        pytest.param(
            {"move_0_1_1": 1747, "move_0_2_1": 1022},
            "move_0_2_1",
            "number 1 is taken",
            id="its number is taken",
        ),
        pytest.param(
            {"comment7_2": "词"}, "comment7_2", "there is no such line", id="a comment on no branch"
        ),
    ],
)
def test_what_has_no_place_in_the_game_is_told(tags, text, why):
    batch = containers.read(
        "\n".join([tag("movelist", MAIN), *(tag(*item) for item in tags.items())]).encode()
    )
    (finding,) = batch.findings
    assert (finding.code, finding.text, finding.line) == ("bad-branch", text, 1 + len(tags))
    assert finding.message() == f"{text} has no place in the game: {why}"
    assert batch.tokens(0) == FOUR


def test_a_comment_beyond_the_moves_stands_at_the_last():
    text = (
        tag("movelist", MAIN)
        + tag("comment9", "完||<br>")
        + tag("move_0_2_1", "1022")
        + tag("comment1_0", "前")
    )
    record = one(text)
    assert record.comments == {4: ["完"]} and record.variations[0].comments == {1: ["前"]}


# -- tags and encodings -----------------------------------------------------------------------------------------


def test_tags():
    said = {
        "red": "湖北 甲",
        "redname": "甲",
        "redteam": "湖北",
        "black": "乙",
        "place": "a%2Db",
        "round": "第1轮",
        "gametype": "慢棋&mdash;超时",
        "remark": "100% of <b>",
        "refer": "http%3A//example.org/%0D%0Ahttp%3A//example.org/b",
        "author": "%u68CB%20%D0%D6",
        "viewurl": "?owner=m&copy=1",
        "group": "",
        "binit": "",
    }
    record = one("".join(tag(*item) for item in said.items()) + tag("movelist", MAIN))
    assert record.tags == {
        "Red": "甲",
        "RedTeam": "湖北",
        "Black": "乙",
        "Site": "a-b",
        "Round": "第1轮",
        "Gametype": "慢棋—超时",
        "Remark": "100% of <b>",
        "Refer": "http://example.org/ http://example.org/b",
        "Author": "棋 兄",
        "Viewurl": "?owner=m&copy=1",
    }


@pytest.mark.parametrize(
    "result, claimed",
    [
        ("W", "red"),
        ("L", "black"),
        ("D", "draw"),
        ("红胜", "red"),
        ("黑勝", "black"),
        ("和棋", "draw"),
        ("", None),
    ],
)
def test_results(result, claimed):
    (game,) = adjudicate((tag("movelist", MAIN) + tag("result", result)).encode())
    assert game.claimed == claimed


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "big5", "utf-16", "utf-16-le"])
def test_encodings(encoding):
    page = '<html><meta http-equiv="content-type" content="text/html; charset=gb2312">\n\n{}</html>'
    text = page.format(tag("title", "象棋勝負：紅先炮馬") + tag("result", "和局") + tag("movelist", MAIN))
    data = text.encode(encoding)
    record = one(data)
    assert record.tags["Title"] == "象棋勝負：紅先炮馬"
    assert record.encoding.startswith(encoding) and (record.line, record.tokens) == (3, FOUR)
    assert data[record.offset :].startswith("[DhtmlXQ_title".encode(encoding.replace("16", "16-le")[:9]))
    assert one(data, encoding=encoding).tags["Title"] == record.tags["Title"]


def test_bytes_that_do_not_fit_are_told():
    data = ("\n[DhtmlXQ]" + tag("title", "红方胜@") + tag("movelist", MAIN)).encode().replace(b"@", b"\xff")
    batch = containers.read(data)
    (finding,) = batch.findings
    assert (finding.code, finding.game, finding.line) == ("mixed-encoding", 0, 2)
    assert data[finding.byte] == 0xFF and batch.tokens(0) == FOUR


# -- bare digits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [MAIN, f"\ufeff\n{MAIN}\n", MAIN + "\r\n89796364", f"{MAIN}8979"])
def test_bare_digits(text):
    record = one(text)
    assert record.tokens[:4] == FOUR
    assert text.encode()[record.offset :].startswith(b"7747")
    assert [batch.tokens(0) for batch in containers.batches(text.encode(), 1)] == [record.tokens]


# -- hostile input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, codes",
    [
        pytest.param(f"[DhtmlXQ_title]甲{tag('movelist', MAIN)}", ["unclosed-tag"], id="not closed"),
        pytest.param(
            f"[DhtmlXQ_title]甲\n词\n{tag('movelist', MAIN)}", ["unclosed-tag"], id="nor on its line"
        ),
        pytest.param(f"{tag('title', '甲')}[DhtmlXQ_movelist]{MAIN}", ["truncated-file"], id="cut short"),
        pytest.param(
            f"[DhtmlXQ_title]甲{tag('movelist', MAIN)}[/DhtmlXQ_title]", ["unclosed-tag"], id="nested"
        ),
        pytest.param(f"{tag('title', '甲' + chr(0))}{tag('movelist', MAIN)}", [], id="NULs"),
    ],
)
def test_broken_tags(text, codes):
    (record,), found = read(text)
    assert (record.tags, record.tokens, found) == ({"Title": "甲"}, FOUR, codes)


@pytest.mark.parametrize(
    "text, games, codes",
    [
        pytest.param("[DhtmlXQ_a]" * 50_000, 1, {"unclosed-tag"}, id="tags that are never closed"),
        pytest.param("[DhtmlXQ]" * 50_000, 0, {"no-games"}, id="wrappers"),
        pytest.param(tag("title", "<" * 1_000_000), 1, set(), id="a long value"),
        pytest.param(tag("title", "%41" * 300_000), 1, set(), id="a long value with escapes"),
        pytest.param(tag("movelist", "7 " * 100_000), 1, set(), id="gaps"),
        pytest.param(tag("movelist", "\0" * 1_000_000), 1, set(), id="no moves"),
        pytest.param(
            tag("movelist", MAIN) + "".join(tag(f"move_{n}_1_{n + 1}", "7747") for n in range(100_000)),
            1,
            set(),
            id="a deep tree",
        ),
        pytest.param(
            tag("movelist", MAIN) + "".join(tag(f"move_{n}_1_{n}", "7747") for n in range(1, 100_000)),
            1,
            {"bad-branch", "and-more"},
            id="loops",
        ),
    ],
)
def test_hostile_input_is_bounded(text, games, codes):
    batch = dhtmlxq.read(text.encode())
    assert len(batch) == games
    assert {finding.code for finding in batch.findings} == codes and len(batch.findings) < 50


def test_any_end_of_a_record_is_read():
    data = (FORMATS / "forum.txt").read_bytes()
    for stop in range(0, len(data), 7):
        for piece in (data[:stop], data[stop:]):
            dhtmlxq.read(piece)
            list(dhtmlxq.split(piece, 1))


# -- from end to end -------------------------------------------------------------------------------------------


def test_commands(tmp_path):
    said = CliRunner().invoke(main, ["check", *map(str, SAMPLES)], catch_exceptions=False)
    assert said.output.endswith("3 games, 0 findings\n") and "checkmate, at ply 2" in said.output
    out = tmp_path / "forum.pgn"
    done = convert(FORMATS / "forum.txt", out, "wxf")
    assert (done.games, done.moves, done.kept) == (2, 11, 0)
    assert "1. C2.5 H8+7 {正着} ( 1... H2+3 {亦可} 2. H2+3 ( 2. H8+7 ) ) 2. H2+3" in out.read_text("utf-8")
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        for path in SAMPLES:
            archive.write(path, path.name)
    (tmp_path / "page.gz").write_bytes(gzip.compress((FORMATS / "page.htm").read_bytes()))
    paths = [tmp_path / name for name in ("pages.zip", "page.gz")]
    summary = run.adjudicate(paths, rules="xiangqi", out=tmp_path / "run", jobs=1)
    assert (summary.games, summary.plies) == (4, 88)


def test_the_sample_page_is_the_sample_game():
    (game,) = adjudicate(FORMATS / "page.htm")
    first = pgn.read((REPOSITORY / "data" / "matches" / "uci.pgn").read_bytes()).tokens(0)
    assert [ply.move for ply in game.moves] == first[:40]
    assert game.record.tags["Title"] == "甲引擎 和 乙引擎" and game.record.encoding == "utf-8"


# -- real records ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path, games, plies, variations",
    [
        ("wukong-xqdb/games_html", 10, 929, 0),
        ("mistboard-dpxq", 2, 72, 0),
        ("vschess/demo-6-dhtmlxq-variations.ubb", 1, 39, 15),
        ("vschess/demo-9-dhtmlxq-full.ubb", 1, 79, 0),
        ("elephantchess/ubb", 1, 114, 0),
    ],
)
def test_corpus(path, games, plies, variations, tmp_path):
    path = shared("corpus") / path
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    assert all(containers.sniff(file.read_bytes(), file.name) == "dhtmlxq" for file in files)
    found = [game for file in files for game in adjudicate(file)]
    assert not [finding for game in found for finding in game.findings]
    assert len(found) == games and sum(len(game.moves) for game in found) == plies
    assert sum(len(game.record.tokens) for game in found) == plies
    assert sum(game.record.variation_count() for game in found) == variations
    assert sum(convert(file, tmp_path / "x.pgn", "wxf").kept for file in files) == 0


def test_four_forms_of_the_same_games():
    """The coordinates of one game have e6e7 for a move of the soldier behind it, which the other forms agree on."""
    folder = shared("corpus/wukong-xqdb")
    games = {
        tuple(ply.move for ply in game.moves)
        for file in (folder / "games_html").iterdir()
        for game in adjudicate(file)
    }
    assert len(games) == 10
    slips = []
    for file in sorted((folder / "games_pgn").iterdir()):
        others = {tuple(ply.move for ply in game.moves) for game in adjudicate(file)}
        assert len(others) == 10
        for game, other in zip(sorted(games - others), sorted(others - games), strict=True):
            slips += [
                (file.name[:8], len(game), *ply) for ply in zip(game, other, strict=True) if ply[0] != ply[1]
            ]
    assert slips == [("bulk_gam", 76, "e4e5", "e6e7")]
