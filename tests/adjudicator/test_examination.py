"""What is wrong with a rule file: each fault with its file and key, all of them at once, and never a crash."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator import Game, Position, RuleBook, Ruleset, RulesetError
from adjudicator.examination import examine

HEAD = """
id = "mine"
extends = "{base}"
title = "Mine"
source = "a test"
date = "2026-11-30"
"""


def faults(tmp_path, text, base="xiangqi"):
    path = tmp_path / "mine.toml"
    path.write_text(HEAD.format(base=base) + text, encoding="utf-8")
    try:
        Ruleset.load(path)
    except RulesetError as error:
        return list(error.faults)
    return []


LEAPS = (
    ", ".join(f"{{ leap = [{a}, {b}] }}" for a in range(1, 4) for b in range(a + 1, 5)) + ", { ride = 'any' }"
)
STEPPING_AWAY = "moves = [{ step = 'sideways', from = 'far' }]"


@pytest.mark.parametrize(
    "text, expected",
    [
        # -- keys and words
        pytest.param("[bord]\n", "bord: unknown key (did you mean 'board'?)", id="unknown section"),
        pytest.param("game = 3\n", "game: must be text, not 3", id="number for a game"),
        pytest.param(
            "base = 'no'\n", "base: must be true or false, not 'no'", id="text for whether it is a base"
        ),
        pytest.param(
            "[pieces.horse]\nleter = 'N'\n",
            "pieces.horse.leter: unknown key (did you mean 'letter'?)",
            id="unknown key of a piece",
        ),
        pytest.param(
            "[pieces.horse]\nmoves = [{ leap = [1, 2], legs = 'straight' }]\n",
            "pieces.horse.moves[0].legs: unknown key (did you mean 'leg'?)",
            id="unknown key of a motion",
        ),
        pytest.param(
            "[regions]\npalace = 'd1-f3'\n",
            'regions.palace: must be a list of spans such as "d1-f3"',
            id="one text for a list",
        ),
        pytest.param(
            "[regions]\npalace = ['f3-d1']\n",
            "regions.palace: 'f3-d1' is empty (did you mean 'd1-f3'?)",
            id="span backwards",
        ),
        pytest.param(
            "[regions]\npalace = ['d0-f3']\n",
            "regions.palace: 'd0-f3' is not on the board, which ends at i10",
            id="span off the board",
        ),
        pytest.param(
            "[pieces.horse]\nmoves = 'anywhere'\n",
            "pieces.horse.moves: must be a list, not 'anywhere'",
            id="text for a list",
        ),
        pytest.param(
            "[pieces.horse]\nmoves = ['leap']\n",
            "pieces.horse.moves[0]: must be a table, not 'leap'",
            id="text for a motion",
        ),
        pytest.param(
            "[pieces]\nhorse = 3\n", "pieces.horse: must be a table, not 3", id="a number for a piece"
        ),
        pytest.param(
            "[ending]\nno_capture_limit = -60\n",
            "ending.no_capture_limit: must not be negative, as -60 is",
            id="negative clock",
        ),
        pytest.param(
            "[ending]\nno_capture_limit = 1.5\n",
            "ending.no_capture_limit: must be a whole number, not 1.5",
            id="clock of a half",
        ),
        pytest.param(
            "[repetition]\nbook = 'wfx'\n",
            "repetition.book: no rule book 'wfx' (did you mean 'wxf'?)",
            id="unknown book",
        ),
        pytest.param(
            "[pieces.horse]\nmoves = [{ leap = [0, 0] }]\n",
            "pieces.horse.moves[0].leap: [0, 0] is not a pair",
            id="leap on the spot",
        ),
        pytest.param(
            "[pieces.horse]\nmoves = [{ leap = [1, 2], leg = 'midpoint' }]\n",
            "pieces.horse.moves[0].leg: a leap of [1, 2] has no point in its middle",
            id="leg of another leap",
        ),
        pytest.param(
            "[pieces.horse]\nmoves = [{ leap = [2, 2], leg = 'straight' }]\n",
            "pieces.horse.moves[0].leg: a leap of [2, 2] has no straight first step",
            id="leg of a slanted leap",
        ),
        pytest.param(
            "[pieces.soldier]\nmoves = [{ step = 'forward', leg = 'straight' }]\n",
            "pieces.soldier.moves[0].leg: does not go with step",
            id="leg of a step",
        ),
        pytest.param(
            "[pieces.horse]\nfen = 'r'\n",
            "pieces.chariot: the letter R is already that of the horse",
            id="one letter for two",
        ),
        # -- references
        pytest.param(
            "[pieces.advisor]\nmoves = [{ step = 'diagonal', within = 'palce' }]\n",
            "pieces.advisor.moves[0].within: no region 'palce' (did you mean 'palace'?)",
            id="unknown region",
        ),
        pytest.param(
            "[pieces.soldier]\npromotes = { in = 'beyond', to = ['hrose'] }\n",
            "pieces.soldier.promotes.to: no piece 'hrose' (did you mean 'horse'?)",
            id="promotion to an unknown piece",
        ),
        pytest.param(
            "[pieces.soldier]\npromotes = { in = 'beyond', to = [] }\n",
            "pieces.soldier.promotes.to: must name between 1 and 8 pieces",
            id="promotion to nothing",
        ),
        pytest.param(
            "[pieces.soldier]\nprize = { won = [['queen']], given = [[]] }\n",
            "pieces.soldier.prize.won: no piece 'queen'",
            id="reserve of an unknown piece",
        ),
        pytest.param(
            "[pieces.soldier]\nprize = { won = [['horse']], given = [[]] }\n",
            "pieces.soldier.prize.won: a horse enters a reserve but cannot be dropped",
            id="reserve of a piece without drops",
        ),
        pytest.param(
            "[board]\nstart = '4k4/9/9/9/9/9/9/9/9/3K5[Q] w'\n",
            "board.start: Q in reserve is not the letter of a piece",
            id="an unknown piece in the start's reserve",
        ),
        pytest.param(
            "[board]\nstart = '4k4/9/9/9/9/9/9/9/9/3K5[H] w'\n",
            "board.start: H in reserve is a horse, which cannot be dropped",
            id="a reserve in a game without",
        ),
        pytest.param(
            "[board]\nstart = '4k4/9/9/9/4X4/9/9/9/9/3K5 w'\n",
            "board.start: X is not the letter of a piece",
            id="an unknown piece in the start",
        ),
        pytest.param(
            "[board]\nstart = '4k4/9/9/9/9/9/9/9/3K5 w'\n",
            "board.start: the FEN has 9 ranks, not 10",
            id="a start of another size",
        ),
        pytest.param(
            "[handicap]\ngiven = 'left charoit'\n",
            "handicap.given: 'charoit' is no word of a handicap (did you mean 'chariot'?)",
            id="handicap misspelt",
        ),
        pytest.param(
            "[handicap]\nprotects = [{ lacking = 'a2', iron = 'b1' }]\n",
            "handicap.protects[0].lacking: a2: no piece of Red's starts there",
            id="a handicap of nothing",
        ),
        pytest.param(
            "[handicap]\nprotects = [{ lacking = 'a1', iron = 'k1' }]\n",
            "handicap.protects[0].iron: 'k1' is no point of the board",
            id="iron off the board",
        ),
        pytest.param(
            "[handicap]\nprotects = [{ lacking = 'a1', iron = 'b1', unless = 'mate' }]\n",
            "handicap.protects[0].unless: 'mate' is not one of check",
            id="an unknown exception",
        ),
        # -- contradictions
        pytest.param(
            "[capture]\nreach = 'orthogonal'\n",
            'capture.reach: needs capture.effect = "explode"',
            id="reach without explosion",
        ),
        pytest.param(
            "[capture]\nspares = ['soldier']\n",
            'capture.spares: needs capture.effect = "explode"',
            id="spared by nothing",
        ),
        pytest.param(
            "[capture]\nreserve = true\n",
            "pieces.horse: is captured into a reserve (capture.reserve) but has no drop",
            id="a reserve without drops",
        ),
        pytest.param(
            "[pieces.horse]\ndrop_shuns = 'cannon'\n",
            "pieces.horse.drop_shuns: needs drop",
            id="shuns without drop",
        ),
        pytest.param(
            "[pieces.general]\ndrop = 'palace'\n",
            "pieces.general.drop: a general that is needed is never in reserve",
            id="a needed general in reserve",
        ),
        pytest.param(
            "[pieces.horse]\nroyal = true\n",
            "pieces: general and horse are royal; one kind can be",
            id="two royal kinds",
        ),
        pytest.param("[pieces.general]\nroyal = false\n", "pieces: no piece is royal", id="no royal piece"),
        pytest.param(
            "[board]\nstart = '9/9/9/9/9/9/9/9/9/3K5 w'\n",
            "board.start: Black has no general; or say generals.needed = false",
            id="no general at the start",
        ),
        pytest.param(
            "[board]\nstart = '3kk4/9/9/9/9/9/9/9/9/3K5 w'\n",
            "board.start: Black has 2 of the piece general",
            id="two generals",
        ),
        # -- what nothing can reach
        pytest.param(
            f"[regions]\nfar = ['a10-a10']\n[pieces.advisor]\n{STEPPING_AWAY}\n",
            "pieces.advisor.moves[0]: can never be made: region 'far' is out of its reach",
            id="a motion out of reach",
        ),
        pytest.param(
            "[pieces.general]\nmoves = [{ step = 'orthogonal', within = 'beyond' }]\n",
            "pieces.general: starts on e1 (as its owner sees it), outside region beyond",
            id="starts outside its region",
        ),
        pytest.param(
            "[pieces.advisor]\npromotes = { in = 'beyond', to = ['horse'] }\n",
            "pieces.advisor.promotes.in: region 'beyond' is out of its reach",
            id="promotion out of reach",
        ),
        pytest.param(
            "[pieces.horse]\nmoves = [{ leap = [9, 9] }]\n",
            "pieces.horse.moves[0]: can never be made: it leads nowhere",
            id="a leap beyond every edge",
        ),
        pytest.param(
            "[pieces.queen]\nletter = 'Q'\nfen = 'q'\nmoves = [{ ride = 'any' }]\n",
            "pieces.queen: comes on the board in no way",
            id="a piece that never appears",
        ),
        pytest.param(
            "[regions]\nplace = ['d1-f3']\n",
            "regions.place: no rule uses it (did you mean 'palace'?)",
            id="a region that no rule uses",
        ),
        # -- what the kernel has no room for
        pytest.param(
            f"[pieces.chariot]\nmoves = [{LEAPS}]\n",
            "moves from one point; the kernel knows 64",
            id="too many moves",
        ),
    ],
)
def test_each_fault_has_its_own_words(tmp_path, text, expected):
    found = faults(tmp_path, text)
    assert any(fault.startswith("mine.toml: ") and expected in fault for fault in found), found


def test_faults_of_one_piece_stand_in_the_order_of_the_file(tmp_path):
    letters = "QWUYXDF"
    pieces = (f"[pieces.{name}]\nsynonyms = {list(letters)}\n" for name in ("horse", "soldier"))
    found = [fault for fault in faults(tmp_path, "".join(pieces)) if "is already that of" in fault]
    assert [fault.partition("the letter ")[2][0] for fault in found] == [*letters]


def test_a_file_without_faults_has_none(tmp_path):
    assert faults(tmp_path, "") == []
    assert faults(tmp_path, "", "six-fortresses") == []


def test_a_smaller_board_says_which_regions_do_not_fit(tmp_path):
    found = faults(tmp_path, "[board]\nfiles = 7\nranks = 8\nstart = '3k3/7/7/7/7/7/7/2K4 w'\n")
    assert {"regions.home", "regions.beyond"} <= {fault.split(": ")[1] for fault in found}


@pytest.mark.parametrize(
    "text, told",
    [
        pytest.param(
            "[pieces.jumper]\nmoves = [{ step = 'sidewards' }]\n",
            {"letter", "fen", "moves[0].step"},
            id="no letter",
        ),
        pytest.param(
            "[pieces.jumper]\nletter = 'j'\ndrop = 'riverside'\n", {"fen", "moves", "drop", ""}, id="no moves"
        ),
        pytest.param(
            "[pieces.horse]\npromotes = { in = 'far' }\n", {"promotes.in", "promotes.to"}, id="no kind"
        ),
        pytest.param(
            "[pieces.horse]\npromotes = { to = ['x'] }\n", {"promotes.in", "promotes.to"}, id="no zone"
        ),
        pytest.param(
            "[pieces.horse]\nprize = { won = [['x']] }\n", {"prize.won", "prize.given"}, id="no loss"
        ),
    ],
)
def test_what_is_missing_hides_no_other_fault_of_a_piece(tmp_path, text, told):
    found = [fault.split(": ")[1] for fault in faults(tmp_path, text)]
    piece = text.split("]")[0].strip("[")
    assert {name.removeprefix(piece).removeprefix(".") for name in found if name.startswith(piece)} == told


@pytest.mark.parametrize(
    "date, good",
    {
        "2026": True,
        "2006-08": True,
        "2024-02-29": True,
        "2026-02-29": False,
        "2026-13": False,
        "2026-1-1": False,
        "30.11.2026": False,
        "yesterday": False,
        "２０２６": False,
        "0000": False,
    }.items(),
)
def test_a_date_is_one_of_the_calendar(tmp_path, date, good):
    (tmp_path / "mine.toml").write_text(HEAD.format(base="xiangqi").replace("2026-11-30", date), "utf-8")
    (tmp_path / "book.toml").write_text(f'id = "mine"\nextends = "site"\ndate = "{date}"\n', "utf-8")
    for load, name in ((Ruleset.load, "mine"), (RuleBook.load, "book")):
        if good:
            load(tmp_path / f"{name}.toml")
            continue
        with pytest.raises(RulesetError) as caught:
            load(tmp_path / f"{name}.toml")
        (fault,) = caught.value.faults
        assert "date: " in fault and "is no date such as 2026, 2026-11 or 2026-11-30" in fault


def test_faults_of_every_kind_are_told_at_once(tmp_path):
    text = """
    [regions]
    far = ["a10-a10"]
    plaace = ["d1-f3"]
    [capture]
    spares = ["soldeir"]
    reach = "orthogonal"
    [ending]
    no_capture_limt = 60
    [pieces.soldier]
    promotes = { in = "beyond", to = ["queen"] }
    [pieces.advisor]
    moves = [{ step = "sideways", from = "far" }]
    [pieces.elephant]
    moves = [{ leap = [2, 2], leg = "midpoint", within = "beyond" }]
    [board]
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAXABNR w"
    """
    found = faults(tmp_path, "\n".join(line.strip() for line in text.splitlines()))
    assert {fault.split(": ")[1] for fault in found} >= {
        "regions.plaace",
        "capture.spares",
        "capture.reach",
        "ending.no_capture_limt",
        "pieces.soldier.promotes.to",
        "pieces.advisor.moves[0]",
        "pieces.elephant",
        "board.start",
    }, found


# -- never a crash ----------------------------------------------------------------------------------------------

ROOTS = {name: json.loads(json.dumps(Ruleset.load(name).data)) for name in Ruleset.ids()}
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats(allow_nan=False)
    | st.sampled_from(
        ["", "a", "K", "palace", "horse", "general", "d1-f3", "a1", "any", "capture", "4k4/9 w", "ß²"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["step", "in", "to", "x"]), inner)
    ),
    max_leaves=4,
)


def places(value, path=()):
    """Every key and index in ``value``."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


@st.composite
def broken(draw):
    """The data of a rule set with one to three places put wrong: replaced, left out, or a copy of another."""
    data = copy.deepcopy(ROOTS[draw(st.sampled_from(sorted(ROOTS)))])
    for _ in range(draw(st.integers(1, 3))):
        everywhere = list(places(data))
        *path, last = draw(st.sampled_from(everywhere))
        holder = data
        for key in path:
            holder = holder[key]
        how = draw(st.sampled_from(["junk", "gone", "copy"]))
        if how == "gone":
            del holder[last]
        elif how == "copy":
            *there, end = draw(st.sampled_from(everywhere))
            value = ROOTS["xiangqi"]
            for key in (*there, end):
                usable = isinstance(value, dict) and key in value
                value = value[key] if usable else value
            holder[last] = copy.deepcopy(value)
        else:
            holder[last] = draw(JUNK)
    return data


@given(broken())
def test_broken_data_is_examined_and_what_passes_plays(data):
    found = examine(data, "broken", data, [])
    assert all(fault.startswith("broken.toml: ") for fault in found)
    if not found:
        game = Game(rules=Ruleset(data["id"], data))
        for _ in range(4):
            if moves := game.position.legal_moves():
                game.push(moves[0])
        assert Position(game.fen(), game.rules).perft(1) == len(game.position.legal_moves())
