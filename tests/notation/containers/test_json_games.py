"""JSON records: games in documents and in lines, event logs, and what is broken in them."""

import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudicator import adjudicate
from conftest import shared
from notation import containers
from notation.containers import json_games

STUDY = """\
{
 "name": "Two games",
 "variant": "atomic-xiangqi",
 "games": [
  {"red": "Ann", "black": {"name": "贝蒂", "nameEn": "Betty", "federation": "North"}, "result": "½-½",
   "intro": "A quiet one.", "moves": ["h3e3", "h10g8"], "notes": {"2": {"glyph": "!?", "text": "why not"}}},
  {"moves": [
    {"from": "h1", "to": "g3"},
    {"to": "h8", "from": "i10"}], "winner": "black", "reason": "resignation"}
 ]
}
"""
CUP = {
    "name": "Cup",
    "location": "Hall",
    "rounds": [
        {"name": "Round one", "date": "2026-01-01", "games": [{"red": "A", "moves": ["h3e3"]}]},
        {"round": 2, "games": [{"red": "B", "event": "Play-off", "moves": ["c4c5"]}, {"moves": ["g4g5"]}]},
    ],
    "variant": "xiangqi",
}
BROADCAST = {
    "tour": {"slug": "t", "name": "Tour"},
    "round": {"id": "r1", "name": "Men 1"},
    "boards": [{"boardNumber": 3, "moves": [], "result": "*"}],
}


def read(source):
    return containers.read(source.encode() if isinstance(source, str) else json.dumps(source).encode())


def found(batch):
    return [(finding.code, finding.game, finding.line, finding.column) for finding in batch.findings]


def event(kind, room="r", **said):
    return json.dumps({"type": kind, "at": 1767225600000, "roomId": room, **said}) + "\n"


def played(color, move, room="r"):
    return event("move-played", room, color=color, move=move)


def step(start, to):
    return {"from": start, "to": to}


# -- games -------------------------------------------------------------------------------------------------


def test_a_study():
    batch = read(STUDY)
    assert [batch.tokens(game) for game in range(2)] == [["h3e3", "h10g8"], ["h1g3", "i10h8"]]
    assert batch.tags[0] == {
        "Red": "Ann",
        "Black": "贝蒂",
        "BlackEn": "Betty",
        "BlackTeam": "North",
        "Result": "½-½",
        "Event": "Two games",
        "Variant": "atomic-xiangqi",
    }
    assert batch.tags[1]["Result"] == "0-1" and batch.tags[1]["Termination"] == "resignation"
    record = batch.record(0)
    assert (record.comments, record.nags) == ({0: ["A quiet one."], 2: ["why not"]}, {2: [5]})
    assert list(batch.line) == [5, 7]
    assert list(zip(batch.token_line, batch.token_column, strict=True)) == [(6, 39), (6, 47), (8, 5), (9, 5)]
    text = STUDY.encode()
    assert [text[a:b] for a, b in zip(batch.offset, batch.end, strict=True)][1].startswith(b'{"moves": [\n')
    assert not batch.findings


def test_a_tournament_tells_its_games_event_round_and_variant():
    batch = read(CUP)
    told = [
        [batch.tags[game].get(tag) for tag in ("Event", "Round", "Date", "Site", "Variant")]
        for game in range(3)
    ]
    assert told == [
        ["Cup", "Round one", "2026-01-01", "Hall", "xiangqi"],
        ["Play-off", "2", None, "Hall", "xiangqi"],
        ["Cup", "2", None, "Hall", "xiangqi"],
    ]


def test_a_broadcast_tells_its_boards_tour_and_round():
    batch = read(BROADCAST)
    assert batch.tags[0] == {"Board": "3", "Result": "*", "Event": "Tour", "Round": "Men 1"}


@pytest.mark.parametrize(
    "move, token",
    [
        pytest.param("h3e3", "h3e3", id="text"),
        pytest.param("炮二平五", "炮二平五", id="Chinese"),
        pytest.param("C2 = 5", "C2=5", id="blanks"),
        pytest.param({"from": "a8", "to": "a9", "promotion": "queen"}, "a8a9q", id="promotion"),
        pytest.param({"from": "a8", "to": "a9", "promotion": "N"}, "a8a9n", id="promotion by letter"),
        pytest.param({"drop": "chariot", "to": "d4"}, "R@d4", id="drop"),
        pytest.param({"drop": "treasure", "to": "e7"}, "T@e7", id="drop of a treasure"),
        pytest.param({"drop": "imposter", "to": "e5"}, "I@e5", id="drop of an imposter"),
        pytest.param({"drop": "r", "to": "d4"}, "R@d4", id="drop by letter"),
        pytest.param({"drop": "车", "to": "d4"}, "R@d4", id="drop, Chinese"),
        pytest.param({"drop": "", "from": "a4", "to": "a5", "promotion": ""}, "a4a5", id="blank drop"),
        pytest.param({"drop": "chariot", "from": "", "to": "d4"}, "R@d4", id="drop, blank origin"),
        pytest.param({"uci": "h3e3", "san": "Ce3"}, "h3e3", id="text in a member"),
        pytest.param({"ply": 1, "move": {"from": "h3", "to": "e3"}}, "h3e3", id="move in a member"),
    ],
)
def test_moves_are_read(move, token):
    batch = read({"moves": [move]})
    assert (batch.tokens(0), batch.findings) == ([token], [])


@pytest.mark.parametrize(
    "move, missing",
    [
        pytest.param({"to": "d4"}, "from", id="no origin"),
        pytest.param({"from": "d4"}, "to", id="no target"),
        pytest.param({"drop": "chariot"}, "to", id="no target of a drop"),
        pytest.param({"from": "", "to": "a5"}, "from", id="blank origin"),
        pytest.param({"from": "a4", "to": " "}, "to", id="blank target"),
        pytest.param({"drop": "dragon", "to": "d4"}, "drop", id="no piece"),
        pytest.param({"drop": True, "to": "d4"}, "drop", id="true for a piece"),
        pytest.param({}, "from, to", id="nothing"),
        pytest.param(None, "from, to", id="null"),
        pytest.param(7, "from, to", id="number"),
        pytest.param(["a1", "a2"], "from, to", id="list"),
        pytest.param({"move": {"move": {"from": "a1", "to": "a2"}}}, "from, to", id="too deep"),
    ],
)
def test_moves_without_their_members_are_told_and_keep_their_ply(move, missing):
    (game,) = adjudicate(json.dumps({"moves": ["h3e3", move, "h1g3"]}).encode())
    fields, unread = game.findings
    assert (fields.code, fields.details["missing"], fields.ply) == ("move-fields", missing, 2)
    assert (unread.code, unread.ply) == ("unreadable-token", 2)
    assert (fields.line, fields.column) == (unread.line, unread.column) == (1, 20)
    assert (len(game.moves), len(game.record.tokens)) == (1, 3)


@pytest.mark.parametrize("inner", [False, True], ids=["move", "move in a member"])
@pytest.mark.parametrize(
    ("drop", "start"),
    [("chariot", "a4"), (True, "a4"), (1, "a4"), (["chariot"], "a4"), ({"x": 1}, "a4"), ("chariot", ["a4"])],
)
def test_a_drop_that_comes_from_a_point_is_told_and_not_guessed_at(inner, drop, start):
    move = {"drop": drop, "from": start, "to": "d4"}
    (game,) = adjudicate(json.dumps({"moves": ["h3e3", {"move": move} if inner else move]}).encode())
    both, unread = game.findings
    assert (both.code, both.severity, both.ply) == ("drop-with-from", "warning", 2)
    assert (unread.code, unread.ply) == ("unreadable-token", 2)
    assert (len(game.moves), len(game.record.tokens)) == (1, 2)


@pytest.mark.parametrize("drop", [None, False, 0, "", " ", []])
def test_a_drop_of_nothing_is_none(drop):
    batch = read({"moves": [{"drop": drop, "from": "h3", "to": "e3"}]})
    assert (batch.tokens(0), batch.findings) == (["h3e3"], [])


def test_moves_in_one_string_are_movetext():
    batch = read({"moves": "1. h3e3 {good} h10g8 (1... h8e8) 2. h1g3 1-0"})
    record = batch.record(0)
    assert record.tokens == ["h3e3", "h10g8", "h1g3"]
    assert (record.comments, record.variations[0].moves, record.terminator) == (
        {1: ["good"]},
        ["h8e8"],
        "1-0",
    )


@pytest.mark.parametrize(
    "said, tags",
    [
        ({"result": "red"}, {"Result": "1-0"}),
        ({"result": "draw", "winner": None}, {"Result": "1/2-1/2"}),
        ({"result": "1-0", "winner": "black"}, {"Result": "1-0"}),
        ({"winner": "white"}, {"Result": "1-0"}),
        ({"winner": "katago"}, {}),
        ({"startedAt": 1767225600000}, {"Date": "2026.01.01"}),
        ({"timeControl": {"initialMs": 300000, "incrementMs": 5000}}, {"TimeControl": "300+5"}),
        ({"timeControl": {"daysPerMove": 1, "initialMs": 86400000}}, {"TimeControl": "1/86400"}),
        ({"players": {"red": "A", "black": {"name": "B"}}}, {"Red": "A", "Black": "B"}),
        ({"start_fen": "4k4/9 w"}, {"FEN": "4k4/9 w"}),
        ({"engineNodes": 5000, "rated": True}, {"EngineNodes": "5000", "Rated": "true"}),
        ({"red": "\ud800x"}, {"Red": "?x"}),
    ],
)
def test_members_become_tags(said, tags):
    assert read({**said, "moves": ["h3e3"]}).tags[0] == tags


# -- logs ----------------------------------------------------------------------------------------------------

OPENED = event(
    "room-created", gameSpecId="xiangqi", rated=True, timeControl={"initialMs": 60000, "incrementMs": 0}
)


def test_tags_stand_in_the_order_of_the_members():
    """No two runs may differ: what is said twice, and where a tag stands, goes by the file alone."""
    members = {
        "stage": "1",
        "venue": "2",
        "hall": "3",
        "table": "4",
        "arbiter": "5",
        "pace": "6",
        "seed": "7",
    }
    batch = read(event("room-created", **members, gameSpecId="fortress-xiangqi"))
    named = [name.capitalize() for name in members]
    assert list(batch.tags[0]) == ["Room", "Date", "Variant", *named]
    for first, second in (("red", "white"), ("white", "red")):
        batch = read({"players": {first: "A", "black": "B", second: "C"}, "moves": []})
        assert batch.tags[0] == {"Red": "A", "Black": "B"}


def test_a_log():
    log = OPENED + event("seat-assigned", clientId="ann", seat="red") + event("clock-started", clock={})
    log += played("red", step("h3", "e3")) + played("black", step("h10", "g8"))
    batch = read(log + event("seat-resigned", color="black"))
    assert batch.tokens(0) == ["h3e3", "h10g8"]
    assert batch.tags[0] == {
        "Room": "r",
        "Date": "2026.01.01",
        "Variant": "xiangqi",
        "Rated": "true",
        "TimeControl": "60",
        "Red": "ann",
        "Result": "1-0",
        "Termination": "resignation",
    }
    assert list(batch.token_line) == [4, 5]
    assert not batch.findings


@pytest.mark.parametrize(
    "last, result, why",
    [
        (event("clock-expired", color="red", clock={}), "0-1", "time forfeit"),
        (event("seat-forfeited", color="black"), "1-0", "abandoned"),
        (event("game-adjudicated", winner=None, reason="repetition"), "1/2-1/2", "repetition"),
        (event("game-adjudicated", winner="black", reason="repetition"), "0-1", "repetition"),
        (event("game-aborted", reason="no-show"), "*", "no-show"),
    ],
)
def test_how_a_log_ends(last, result, why):
    tags = read(OPENED + played("red", step("h3", "e3")) + last).tags[0]
    assert (tags["Result"], tags["Termination"]) == (result, why)


def test_an_event_that_holds_another_has_its_own_place():
    inner = event("move-played", "a", color="red", move="h3e3").strip()
    for first, gap in (("", ""), ("", "\n"), ("\n", ""), ("\n", "\n")):
        text = f'[{first}"赤", {{"type": "odd", "roomId": "b",{gap} "held": {inner}}}]'
        odd = next(fault for fault in read("\ufeff" + text).findings if fault.code == "unknown-event")
        assert (odd.line, odd.column) == (1 + len(first), 1 + text.index("{") - len(first and "[\n"))


def test_rooms_may_be_mixed():
    log = OPENED + event("room-created", "s", variant="atomic-xiangqi")
    log += played("red", step("h3", "e3")) + played("red", step("c4", "c5"), "s")
    log += played("black", step("h10", "g8")) + event("seat-resigned", "s", color="red")
    batch = read(log)
    assert [batch.tokens(game) for game in range(2)] == [["h3e3", "h10g8"], ["c4c5"]]
    assert [batch.tags[game]["Room"] for game in range(2)] == ["r", "s"]


def test_a_room_that_is_opened_again_is_another_record():
    log = OPENED + played("red", step("h3", "e3"))
    batch = read(log + log + played("black", step("h10", "g8")))
    assert [batch.tokens(game) for game in range(2)] == [["h3e3"], ["h3e3", "h10g8"]]
    assert [shard.games for shard in json_games.split((log + log).encode(), 1)] == [1, 1]


def test_a_log_may_be_an_array():
    log = OPENED + played("red", {"drop": "chariot", "to": "d4"})
    batch = read([json.loads(line) for line in log.splitlines()])
    assert batch.tokens(0) == ["R@d4"]


def test_what_is_odd_in_a_log_is_told_and_skipped():
    log = OPENED + played("red", step("h3", "e3")) + played("red", step("h3", "e3")) + event("dance")
    log += played("black", step("h10", "g8")) + event("seat-resigned", color="red")
    batch = read(log + played("red", step("h1", "g3")) + played("red", step("c4", "c5"), "other"))
    assert [batch.tokens(game) for game in range(2)] == [["h3e3", "h10g8"], ["c4c5"]]
    assert found(batch) == [
        ("event-refused", 0, 3, 1),
        ("unknown-event", 0, 4, 1),
        ("event-refused", 0, 7, 1),
        ("log-without-start", 1, 8, 1),
    ]
    assert [batch.findings[n].details["why"] for n in (0, 2)] == [
        "Red moved twice in a row",
        "the game had ended",
    ]


def test_a_broken_move_of_a_log_keeps_its_ply():
    log = OPENED + played("red", step("h3", "e3")).replace('"to"', "to") + event("move-played", color="black")
    batch = read(log + played("red", step("h1", "g3")))
    assert len(batch.tokens(0)) == 3 and batch.tokens(0)[2] == "h1g3"
    assert [finding.code for finding in batch.findings] == ["malformed-json", "move-fields"]


# -- what is broken --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, games, faults",
    [
        pytest.param(
            '{"moves": ["h3e3" "h10g8"]}', [["h3e3", "h10g8"]], [("malformed-json", 0, 1, 18)], id="no comma"
        ),
        pytest.param(
            '{"moves": ["h3e3",]}', [["h3e3"]], [("malformed-json", 0, 1, 18)], id="a comma too many"
        ),
        pytest.param(
            '{"moves": ["h3e3", {"from": "a1", "to": }, "h1g3"], "red": "A"}',
            [["h3e3", "from:a1,to:", "h1g3"]],
            [("malformed-json", 0, 1, 41)],
            id="a broken move",
        ),
        pytest.param(
            '{"games": [{"red": "A" "moves": ["h3e3"]},\n {"moves": ["c4c5"]}]}',
            [["h3e3"], ["c4c5"]],
            [("malformed-json", 0, 1, 23)],
            id="the next game is whole",
        ),
        pytest.param(
            '{"games": [{"moves": ["c4c5"]}, {"moves": ["h3e3", "h10g8"',
            [["c4c5"], ["h3e3", "h10g8"]],
            [("malformed-json", 1, 1, 59), ("truncated-file", None, 1, 59)],
            id="cut short",
        ),
        pytest.param(
            '{"moves": ["c4c5"]}\n{"moves": ["h3e3", "h1\n{"moves": ["g4g5"]}\n',
            [["c4c5"], ["h3e3", "h1"], ["g4g5"]],
            [("malformed-json", 1, 2, 20)],
            id="a line cut short",
        ),
        pytest.param(
            '{"moves": ["c4c5"]}\nnot JSON\n{"about": "us"}\n{"moves": ["g4g5"]}\n',
            [["c4c5"], ["g4g5"]],
            [("malformed-json", None, 2, 1), ("not-a-record", None, 3, 1)],
            id="lines of other things",
        ),
        pytest.param(
            '{"moves": ["c4c5"\n{"moves": ["h3e3"]}\n{"moves": ["g4g5"]}\n',
            [["c4c5"], ["h3e3"], ["g4g5"]],
            [("malformed-json", 0, 1, 18)],
            id="the first line is broken",
        ),
        pytest.param(
            '{"games": [{"red": "A"}, {"moves": {"f": 27}}, {"moves": []}]}',
            [[], [], []],
            [("no-move-list", 0, 1, 12), ("no-move-list", 1, 1, 26)],
            id="no list of moves",
        ),
        pytest.param(
            '{"moves": ["c4c5"], "moves": ["g4g5"]}',
            [["c4c5"]],
            [("duplicate-tag", 0, 1, 30)],
            id="two lists",
        ),
        pytest.param(
            '{"moves": ["c4c5"], "red": tru}', [["c4c5"]], [("malformed-json", 0, 1, 28)], id="no value"
        ),
        pytest.param(
            '{"moves": ["c4c5"], red: "A"}', [["c4c5"]], [("malformed-json", 0, 1, 21)], id="no name"
        ),
        pytest.param(
            '{"moves": ["c4c5"}', [["c4c5"]], [("malformed-json", 0, 1, 18)], id="the wrong bracket"
        ),
        pytest.param('{"moves": []', [[]], [("malformed-json", 0, 1, 13), ("truncated-file", None, 1, 13)]),
        pytest.param('{"games": []}', [], [("no-games", None, 1, 1)], id="no games"),
        pytest.param("", [], [("no-games", None, 1, 1)], id="nothing"),
    ],
)
def test_faults_have_a_place_and_lose_no_record(text, games, faults):
    batch = containers.read(text.encode(), name="json_games")
    assert [batch.tokens(game) for game in range(len(batch))] == games
    assert found(batch) == faults


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"moves": ["c4c5"], "x": ' + "[" * 50_000 + "]" * 50_000 + "}", id="deep"),
        pytest.param('{"moves": ["c4c5", ' + "{" * 50_000, id="deep and cut"),
        pytest.param('{"moves": ["c4c5"], "n": ' + "9" * 5_000 + "}", id="a long number"),
        pytest.param("[" * 50_000 + '{"moves": ["c4c5"]}', id="deep around"),
        pytest.param('{"games":[' * 20_000 + '{"moves": ["c4c5"]}', id="deep in lists"),
    ],
)
def test_depth_and_length_are_no_trouble(text):
    batch = containers.read(text.encode(), name="json_games")
    assert len(batch) == 1 and batch.tokens(0)[0] == "c4c5"


def test_a_flood_of_brackets_is_told_a_hundred_times():
    batch = containers.read(b"[}" * 5_000, name="json_games")
    assert len(batch.findings) == json_games.MOST_FAULTS + 1


# -- encodings, shards, the front ---------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gb18030"])
def test_encodings(encoding):
    text = '{"red": "红方车马炮", "moves": ["炮二平五", "马8进7", "xx"]}'
    (game,) = adjudicate(text.encode(encoding))
    assert game.tags["Red"] == "红方车马炮"
    assert [ply.move for ply in game.moves] == ["h3e3", "h10g8"]
    (finding,) = game.findings
    assert (finding.code, finding.line, finding.column) == ("unreadable-token", 1, 44)


@pytest.mark.parametrize(
    "encoding, given, found",
    [
        pytest.param("utf-8", None, ["ascii", "utf-8", "ascii"], id="found"),
        pytest.param("utf-8", "utf-8", ["utf-8"] * 3, id="given"),
        pytest.param("gb18030", None, ["ascii", "gb18030", "ascii"], id="two bytes a character"),
        pytest.param("utf-16", None, ["utf-16"] * 3, id="wide"),
    ],
)
def test_a_record_has_its_own_encoding(encoding, given, found):
    text = '{"red": "A", "moves": []}\n{"red": "红方车马炮", "moves": []}\n{"red": "B", "moves": []}\n'
    batch = json_games.read(text.encode(encoding), encoding=given)
    assert batch.encoding == found


def test_bytes_that_do_not_fit_belong_to_their_record_and_move_no_other():
    lines = ['{"red": "A", "moves": []}', '{"red": "�", "moves": ["xx�"]}', '{"red": "�B", "moves": []}']
    data = "\n".join(lines).encode().replace("�".encode(), b"\xff")
    batch = json_games.read(data)
    assert [data[start : start + 7] for start in batch.offset] == [b'{"red":'] * 3
    assert batch.encoding == ["ascii", "utf-8", "utf-8"]
    assert [(line, column) for line, column, _, _ in misfits(batch)] == [(2, 10), (3, 10)]
    assert [data[byte] for _, _, byte, _ in misfits(batch)] == [0xFF, 0xFF]
    assert [finding.game for finding in batch.findings if finding.code == "mixed-encoding"] == [1, 2]
    moves = next(finding for finding in batch.findings if (finding.text or "").startswith('"xx'))
    assert data[moves.byte :].startswith(b"\xff")


def mixed_log(rooms):
    logs = [
        event("room-created", f"r{n}", gameSpecId="xiangqi")
        + played("red", step("h3", "e3"), f"r{n}")
        + played("black", step("h10", "g8"), f"r{n}")
        for n in range(rooms)
    ]
    rng = random.Random(1)
    text = ""
    for at in range(0, rooms, 3):
        group = [log.splitlines(keepends=True) for log in logs[at : at + 3]]
        while any(group):
            text += rng.choice([lines for lines in group if lines]).pop(0)
    return text


SOURCES = {
    "a document in one line": json.dumps(CUP),
    "a document with indents": json.dumps(CUP, indent=1),
    "a study": STUDY,
    "lines": "".join(json.dumps({"red": f"赤{n}", "moves": ["h3e3"] * (n % 3)}) + "\n" for n in range(9)),
    "lines of which one is not ASCII": '{"moves": []}\n{"red": "赤", "moves": []}\n{"moves": []}\n',
    "mixed rooms": mixed_log(10),
    "mixed rooms in an array": json.dumps([json.loads(line) for line in mixed_log(7).splitlines()]),
    "broken lines": '{"moves": ["c4c5"]}\n{"moves": [\n{"moves": ["g4g5"]}\n{]\n{"moves": ["g4g5"]}\n',
}


def contents(batch):
    games = [
        (
            *(getattr(batch, name)[i] for name in ("offset", "end", "line", "index", "encoding", "tags")),
            batch.tokens(i),
        )
        for i in range(len(batch))
    ]
    places = list(zip(batch.token_line, batch.token_column, strict=True))
    return games, places, [(f.code, f.line, f.column, f.byte) for f in batch.findings]


@pytest.mark.parametrize("target", [1, 150, 400, 1 << 20])
@pytest.mark.parametrize("name", SOURCES)
def test_shards_hold_the_games_of_the_whole(name, target):
    data = SOURCES[name].encode()
    shards = list(json_games.split(data, target))
    assert b"".join(data[shard.first : shard.last] for shard in shards) == data
    batches = list(containers.batches(data, target))
    assert [shard.games for shard in shards] == [len(batch) for batch in batches]
    if target == 1 and "mixed" not in name:
        assert len(shards) == len(containers.read(data))
    joined = [[], [], []]
    for batch in batches:
        for part, more in zip(joined, contents(batch), strict=True):
            part += more
    whole = contents(containers.read(data))
    assert joined[:2] == list(whole[:2])
    assert sorted(joined[2]) == sorted(whole[2])


@given(
    st.sampled_from(sorted(SOURCES)),
    st.integers(0, 900),
    st.integers(0, 12) | st.integers(-900, 900),
    st.sampled_from([b"", b"\xff", b"\xe8\xb5", *(sign.encode() for sign in '"{}[],:\\\n x')]),
)
@example("mixed rooms in an array", 606, -604, b"")  # an event holds the one that opens its room again
@example("mixed rooms in an array", 698, -1, b"\n")
@example("lines", 20, 1, b"\xff")
def test_damaged_text_is_read_and_cut_alike(name, at, gone, sign):
    text = SOURCES[name].encode()
    data = text[:at] + sign + text[max(0, at + gone) :]
    whole = containers.read(data, name="json_games")
    assert len(whole.token) == len(whole.token_line) == len(whole.token_column)
    lines = data.count(b"\n") + 1
    assert all(1 <= finding.line <= lines for finding in whole.findings if finding.line)
    parts = list(containers.batches(data, 1, name="json_games"))
    counts = [shard.games for shard in json_games.split(data, 1)]
    assert counts in ([len(part) for part in parts], [-1]), "what is not UTF-8 is not cut"
    assert [game for part in parts for game in contents(part)[0]] == contents(whole)[0]
    assert sorted(misfits(*parts)) == sorted(misfits(whole))


def misfits(*batches):
    return [
        (fault.line, fault.column, fault.byte, fault.text)
        for batch in batches
        for fault in batch.findings
        if fault.code == "mixed-encoding"
    ]


@pytest.mark.parametrize(
    "head, kind",
    [
        pytest.param(STUDY, "json_games", id="a study"),
        pytest.param(OPENED, "json_games", id="a log"),
        pytest.param("﻿" + STUDY, "json_games", id="byte-order mark"),
        pytest.param('{"dependencies": {"a": "1"}}', "unknown", id="other JSON"),
        pytest.param('{"moves": {"f": 27, "n": {}}}', "unknown", id="a tree of moves"),
        pytest.param('[Event "x"]\n\n1. h3e3 {"moves": []} *', "pgn", id="PGN"),
    ],
)
def test_sniff(head, kind):
    assert containers.sniff(head.encode(), "x.json") == kind


def test_the_broadcast_of_the_corpus_ends_in_mate():
    (game,) = adjudicate(shared("corpus/mistboard-broadcast/checkmate.json"))
    assert (len(game.moves), game.result, game.reason, game.claim) == (43, "red", "checkmate", "agrees")
    assert game.tags["Red"] == "周雨霏" and not game.findings
