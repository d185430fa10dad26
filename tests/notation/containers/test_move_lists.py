"""Bare lists of moves: which there are, one record a line or one in a file, each move in its place."""

import random

import pytest

from notation import containers
from notation.containers import move_lists, unknown
from pipeline import check
from tests.corpus import ROOT, shared

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
MATE = "2b1C1b2/3PP4/3k5/9/9/9/9/9/9/5K3"
THREE = ["h2e2", "h9g7", "h0g2"]


def read(text, name="x.txt"):
    """(title, FEN, moves) of every record of ``text``, which has to be recognised."""
    data = text.encode()
    assert containers.sniff(data, name) == "move_lists"
    batch = containers.read(data)
    records = map(batch.record, range(len(batch)))
    return [(record.tags.get("Title", ""), record.fen, record.tokens) for record in records]


@pytest.mark.parametrize(
    "text, expected",
    [
        pytest.param("h2e2,h9g7,h0g2\n", [("", None, THREE)], id="commas"),
        pytest.param("h2e2, h9g7, h0g2\n", [("", None, THREE)], id="commas and blanks"),
        pytest.param("h2e2;h9g7;h0g2\n", [("", None, THREE)], id="semicolons"),
        pytest.param(
            "炮二平五，马8进7、马二进三\n", [("", None, ["炮二平五", "马8进7", "马二进三"])], id="wide commas"
        ),
        pytest.param("1. h2e2,h9g7 2. h0g2,1-0\n", [("", None, THREE)], id="numbers and a result"),
        pytest.param("1. h2e2, h9g7\n2. h0g2\n", [("", None, THREE)], id="a number that goes on"),
        pytest.param("h2e2,h9g7,\nh0g2\n", [("", None, THREE)], id="a comma that goes on"),
        pytest.param(
            "iaxe;h2e2,h9g7,h0g2\nb;b2e2,b9c7\n",
            [("iaxe", None, THREE), ("b", None, ["b2e2", "b9c7"])],
            id="name; moves",
        ),
        pytest.param(
            "id;moves\na;h2e2,h9g7,h0g2\nb;\n",
            [("a", None, THREE), ("b", None, [])],
            id="a head line, a record without moves",
        ),
        pytest.param(
            "a;h2e2,h9g7,h0g2\nb;b2e2,nonsense,b9c7\n",
            [("a", None, THREE), ("b", None, ["b2e2", "nonsense", "b9c7"])],
            id="a word that is no move",
        ),
        pytest.param(
            f"杀法|{MATE} w|f0e0\n双象|{MATE} w - - 0 1\n",
            [("杀法", f"{MATE} w", ["f0e0"]), ("双象", f"{MATE} w - - 0 1", [])],
            id="title|FEN|moves",
        ),
        pytest.param("h2e2h9g7h0g2\n", [("", None, THREE)], id="run together"),
        pytest.param(
            "H2E2H9G7H0G2\nb2e2h9g7\n",
            [("", None, ["H2E2", "H9G7", "H0G2"]), ("", None, ["b2e2", "h9g7"])],
            id="a game a line, capitals",
        ),
        pytest.param("a|h2e2h9g7h0g2\n", [("a", None, THREE)], id="a name, and run together"),
        pytest.param("h2e2h9g7h0\n", [("", None, ["h2e2", "h9g7", "h0"])], id="run together, cut short"),
        pytest.param(f"h2e2h9g7h0g2\n{START}w--01\n", [("", f"{START}w--01", THREE)], id="the FEN below"),
        pytest.param(f"h2e2\n{START}w\n", [("", f"{START}w", ["h2e2"])], id="one move, the FEN below"),
        pytest.param(
            f"{START} w\n炮二平五\n马8进7  \n",
            [("", f"{START} w", ["炮二平五", "马8进7"])],
            id="FEN, a move a line",
        ),
        pytest.param(
            f"{START} w\nh2e2 h9g7 ; fine, b9c7\nh0g2\n", [("", f"{START} w", THREE)], id="FEN, a remark"
        ),
        pytest.param(f"{START} w\nh2e2,h9g7\nh0g2\n", [("", f"{START} w", THREE)], id="FEN, commas"),
        pytest.param(f"{START} w\nh2e2h9g7\nh0g2\n", [("", f"{START} w", THREE)], id="FEN, run together"),
        pytest.param(
            f"{START} b\n1. ... h9g7 {{x, y}} 2. h0g2 *\n\n{START} w\nh2e2\n",
            [("", f"{START} b", ["h9g7", "h0g2"]), ("", f"{START} w", ["h2e2"])],
            id="FENs with movetext",
        ),
        pytest.param("\ufeff\r\na|h2e2 h9g7 h0g2\r\n", [("a", None, THREE)], id="a mark and CR LF"),
    ],
)
def test_lists_are_read(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    "text, kind",
    [
        ("h2e2 h9g7\n", "pgn"),
        ('[FEN "x"]\n\nh2e2,h9g7\n', "pgn"),
        (f'{START} w\n[Event "x"]\n\nh2e2\n', "pgn"),
        ("Hello; world, this is; prose.\n", "unknown"),
        ("usr/local/share/lib/foo/bar\n", "unknown"),
        ("date,move,id\n1,h2e2,x\n2,h9g7,y\n", "unknown"),
        ('{"a": "h2e2,h9g7"}', "unknown"),
        ("Some words ahead.\n1. h2e2 h9g7\n", None),
    ],
)
def test_other_text_is_not_taken_for_a_list(text, kind):
    assert containers.sniff(text.encode(), "x.txt") == kind


def test_moves_stand_in_their_places():
    batch = containers.read(f"\n名|{MATE} w|f0e0, d8e8\nh2e2h9g7\n".encode())
    places = list(zip(batch.token_line, batch.token_column, strict=True))
    assert places == [(2, 38), (2, 44), (3, 1), (3, 5)]
    assert (list(batch.line), list(batch.offset), list(batch.end)) == ([2, 3], [1, 51], [51, 60])


def test_findings_stand_in_their_places():
    batch = containers.read(b"a;h2e2,h9g7\nwords\nb;\n")
    told = [(found.code, found.game, found.line, found.column, found.byte) for found in batch.findings]
    assert told == [("empty-game", 1, 3, 1, 18), ("not-a-record", None, 2, 1, 12)]


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "utf-16"])
def test_encodings(encoding):
    batch = containers.read("殺法,炮二平五,象3進5\n局;炮二平五,象3進5\n局;炮二平五,象3進5\n".encode(encoding))
    assert batch.tokens(1) == ["炮二平五", "象3進5"] and batch.encoding[1].startswith(encoding[:4])


def test_pieces_hold_the_same_records_as_the_whole():
    lists = "".join(f"名{n};h2e2,h9g7,h0g{n % 3}\n\n" for n in range(50))
    text = f"{lists}some words\nlast;h2e2,b9c7\n".encode()
    whole = move_lists.read(text)
    for target in (1, 100, 700):
        cuts = list(move_lists.split(text, target))
        assert cuts[0].first == 0 and cuts[-1].final and cuts[-1].last == len(text)
        batches = [move_lists.read(text[cut.first : cut.last], cut=cut) for cut in cuts]
        assert [cut.games for cut in cuts[:-1]] == [len(batch) for batch in batches[:-1]]
        for name in ("offset", "end", "line", "index", "token_line", "token_column"):
            assert [n for batch in batches for n in getattr(batch, name)] == list(getattr(whole, name))
        assert [found.line for batch in batches for found in batch.findings] == [101]


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "it is empty"),
        ("shopping list: tea, rice", "it seems to be text in which no move follows another"),
        ("7242796770626225", "it seems to be digits run together, as DhtmlXQ writes moves"),
        ("1 11 25 32 1 2 1 2", "it seems to be a list of numbers"),
        ("a,b,c\n1,2,3\n", "it seems to be a table (CSV)"),
        ("<games><move>h2e2</move></games>", "it seems to be XML or HTML"),
        ('{"tree": []}', "it seems to be JSON of another kind than is read"),
        (
            "".join(f"  {n}7747炮二平五\n" for n in range(9)),
            "it seems to be an opening book of numbered lines",
        ),
    ],
)
def test_text_without_moves_comes_to_one_finding_that_says_what_it_is(text, said):
    assert unknown.recognises(text.encode(), "x.txt")
    (found,) = containers.read(text.encode()).findings
    assert found.code == "no-games"
    assert found.message().startswith(f"no games found: {said}") and "没有棋谱:" in found.message("zh")


@pytest.mark.parametrize("bad", [b"\xff\xfe\xfd", "中".encode() + b"\xff"])
def test_bytes_that_do_not_fit_move_no_place(bad):
    data = b"".join(b"%d %s;h2e2,h9g7\n" % (k, bad) for k in range(100, 160))
    whole, parts = move_lists.read(data), [*containers.batches(data, 50, name="move_lists")]
    assert [data[start : start + 3] for start in whole.offset] == [b"%d" % k for k in range(100, 160)]
    assert [place for part in parts for place in part.offset] == [*whole.offset]


def test_broken_lists_break_nothing():
    for data in (
        b"a;h2e2,h9g7\n\xff\xfe;h2e2,\x00\n",
        b"h2e2h9g7" * 5000,
        b";;;\n|||\na;h2e2,h9g7\n",
        b"h2e2,h9g7\r\r\n",
    ):
        assert len(move_lists.read(data)) >= 1


# -- tables ------------------------------------------------------------------------------------------


def table(text):
    data = text.encode()
    assert containers.sniff(data, "games.csv") == "move_lists"
    batch = containers.read(data)
    return batch, [batch.record(k) for k in range(len(batch))]


def test_a_table_with_a_row_for_each_game():
    batch, (one, two, three) = table(
        "\ufeffEvent,Red,Black,Game Result,Result,Start FEN,Moves\r\n"
        '杯赛,"甲, 队",乙,x,RED_WINS,,"h2e2,h9g7 h0g2"\r\n'
        f'"say ""so""",,,,黑胜,{MATE} w,1. f0e0 {{good}} (1. f0f1) d8e8\r\n'
        "\r\n"
        ",,,,draw,,h2e2h9g7\r\n"
    )
    assert batch.findings == []
    assert one.tags == {"Event": "杯赛", "Red": "甲, 队", "Black": "乙", "Result": "1-0"}
    assert (two.tags["Event"], two.fen, two.tags["Result"]) == ('say "so"', f"{MATE} w", "黑胜")
    assert [one.tokens, two.tokens, three.tokens] == [THREE, ["f0e0", "d8e8"], ["h2e2", "h9g7"]]
    assert two.comments == {1: ["good"]} and two.variations[0].moves == ["f0f1"]
    assert [*batch.line] == [2, 3, 5] and [*zip(batch.token_line, batch.token_column, strict=True)][:2] == [
        (2, 26),
        (2, 31),
    ]


def test_a_table_with_a_row_for_each_move():
    batch, (one, two) = table(
        '"time","move_index","move","game_id","outcome"\n'
        '"1","0","h2e2","a","BLACK_WINS"\n"2","1","h9g7","a","BLACK_WINS"\n"3","0","b2e2","b","DRAW"\n"x"\n'
    )
    assert one.tags == {"Title": "a", "Result": "0-1"} and two.tags == {"Title": "b", "Result": "1/2-1/2"}
    assert (one.tokens, two.tokens) == (["h2e2", "h9g7"], ["b2e2"])
    assert [*zip(batch.token_line, batch.token_column, strict=True)] == [(2, 10), (3, 10), (4, 10)]
    assert [(found.code, found.line) for found in batch.findings] == [("not-a-record", 5)]


@pytest.mark.parametrize(
    "text, tokens",
    [
        pytest.param(
            "ply;move\n1;h2e2\n2;h9g7\n1;b2e2\n", [["h2e2", "h9g7"], ["b2e2"]], id="plies begin anew"
        ),
        pytest.param("红方\t着法\n甲\t炮二平五 马8进7\n", [["炮二平五", "马8进7"]], id="Chinese names, tabs"),
        pytest.param(
            'id,moves\n1,"h2e2\nh9g7"\n2,b2e2\n', [["h2e2", "h9g7"], ["b2e2"]], id="a cell of two lines"
        ),
        pytest.param(f"fen,move\n{MATE} w,f0e0\n", [["f0e0"]], id="a position and its move"),
        pytest.param(
            'id,moves\n"1,h2e2 h9g7\n2,b2e2 h9g7\n', [["h2e2", "h9g7"], ["b2e2", "h9g7"]], id="a stray quote"
        ),
        pytest.param(
            "moves,red\nh2e2 h9g7,a\nwords,b\n", [["h2e2", "h9g7"], ["words"]], id="a cell without moves"
        ),
    ],
)
def test_tables_are_read(text, tokens):
    assert [record.tokens for record in table(text)[1]] == tokens


def test_a_cell_of_two_lines_is_one_tag():
    batch, (one, two) = table(f'red,fen,moves\n"a\nb","{MATE}\n  w",f0e0 d8e8\nc,,"h2e2\nh9g7"\n')
    assert (one.tags["Red"], one.fen, two.tags) == ("a b", f"{MATE} w", {"Red": "c"})
    assert batch.tag_place(0, "FEN") == (2, 1, 14)
    assert [*zip(batch.token_line, batch.token_column, strict=True)] == [(4, 6), (4, 11), (5, 5), (6, 1)]


def test_pieces_of_a_table_hold_the_same_records_as_the_whole():
    rows = "".join(f'{k // 3},{k % 3},"h2e2"\n' for k in range(60))
    text = f"game,ply,move\n{rows}".encode()
    whole = move_lists.read(text)
    assert len(whole) == 20
    for target in (1, 100):
        batches = [*containers.batches(text, target, name="move_lists")]
        assert len(batches) > 4
        for name in ("offset", "end", "line", "index", "token_line", "token_column"):
            assert [n for batch in batches for n in getattr(batch, name)] == list(getattr(whole, name))
        assert [tag for batch in batches for tag in batch.tags.told("Title")] == whole.tags.told("Title")


def test_the_sample_table():
    checked = [*check.check([ROOT / "data" / "formats" / "games.csv"], rules="xiangqi")]
    assert [one.ruled.tags.get("Event") for one in checked] == ["样本", "杀局"]
    assert [one.ruled.claim for one in checked] == ["unverifiable", "agrees"]
    assert not any(one.findings for one in checked)


def test_broken_tables_break_nothing():
    rng = random.Random(7)
    whole = b'id,fen,moves\n1,,"h2e2 h9g7"\n2,"%s w","f0e0 ""x"""\n' % MATE.encode()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 8)):
            data[rng.randrange(13, len(data))] = rng.choice(b'",\n; \xffh2e2\x00')
        batch = move_lists.read(bytes(data))
        assert all(finding.message() and finding.message("zh") for finding in batch.findings)


@pytest.mark.skipif(not shared().exists(), reason="the shared corpus is not here")
def test_the_table_of_the_corpus_is_read_and_legal():
    checked = [*check.check([shared() / "corpus" / "elephantchess" / "csv"], rules="xiangqi")]
    assert len(checked) == 16 and not any(one.findings for one in checked)
    assert sum(len(one.ruled.moves) for one in checked) == 652
    assert checked[0].ruled.tags["Title"] == "BhBxaEr3QaEp" and checked[0].ruled.claim == "agrees"


@pytest.mark.parametrize(
    "text",
    [
        "ply,move\n" + "1" * 5000 + ",h2e2\n" + "2" * 5000 + ",h9g7\n3,h0g2\n",
        "rnbakabnr/" + "9" * 5000 + "/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\nh2e2 h9g7\n",
    ],
    ids=["ply", "fen"],
)
def test_numbers_of_thousands_of_digits_are_no_numbers(text):
    data = text.encode()
    name = containers.sniff(data) or "pgn"
    (cut,) = containers.container(name).split(data, 1 << 20, encoding=None)
    assert cut.games in (-1, len(containers.read_cut(name, data, cut)))
