"""Records with one thing wrong each: the finding is of its own kind and names the rule.

The records are in ``data/faults``, a file for each rule set; their tags Fault and Says tell the code of the finding and
a part of its message.
"""

from pathlib import Path

import pytest

from adjudicator import IllegalMove, InvalidFen, Position, adjudicate
from conftest import REPOSITORY

FILES = sorted(path for path in (REPOSITORY / "data" / "faults").glob("*.pgn") if path.stem != "broken")
RECORDS = [(path.stem, game) for path in FILES for game in adjudicate(path, path.stem)]


def about(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize(
    "rules, game", RECORDS, ids=[f"{rules}: {game.tags['Event']}" for rules, game in RECORDS]
)
def test_the_fault_is_named(rules, game):
    errors = [finding for finding in game.findings if finding.severity == "error"]
    assert [finding.code for finding in errors] == [game.tags["Fault"]]
    (finding,) = errors
    assert game.tags["Says"] in finding.message()
    assert finding.message("zh") and "?" not in finding.message("zh")
    if finding.ply:
        assert len(game.moves) == finding.ply - 1
        assert finding.text == game.record.tokens[finding.ply - 1] and finding.column
        assert game.claim == "illegal-move"
    else:
        assert finding.text == game.record.fen


@pytest.mark.parametrize(
    "rules, game", RECORDS, ids=[f"{rules}: {game.tags['Event']}" for rules, game in RECORDS]
)
def test_a_position_in_hand_says_the_same(rules, game):
    (finding,) = (finding for finding in game.findings if finding.severity == "error")
    if finding.ply == 0 and game.start_fen is None:
        with pytest.raises(InvalidFen) as unplayable:
            Position(game.record.fen, rules)
        assert finding.code in [fault.code for fault in unplayable.value.faults]
        return
    position = Position(game.record.fen, rules)
    if finding.ply == 0:
        assert finding.code in [fault.code for fault in position.faults]
        return
    for token in game.record.tokens[: finding.ply - 1]:
        position.push(token)
    with pytest.raises(IllegalMove) as illegal:
        position.push(game.record.tokens[finding.ply - 1])
    if finding.code not in ("third-creation", "drop-in-non-drop-ruleset"):
        assert game.tags["Says"] in str(illegal.value)


def test_every_kind_of_fault_has_a_record():
    codes = {game.tags["Fault"] for _, game in RECORDS}
    assert codes >= {
        "blast-own-general",
        "drop-beside-fortress",
        "drop-in-non-drop-ruleset",
        "drop-on-occupied",
        "drop-outside-region",
        "fen-illegal-hand",
        "general-captures",
        "king-not-placed",
        "king-on-attacked",
        "not-in-hand",
        "promotion-impossible",
        "promotion-missing",
        "reserve-not-won",
        "third-creation",
        "too-many-in-all",
    }


@pytest.mark.parametrize(
    "rules, fen, move",
    [
        pytest.param("fortress", "5k1/7/7/7/3P3/7/7/K6[R] w - - 0 1", "R@d4", id="a drop"),
        pytest.param("fortress", "5k1/7/7/7/3P3/7/7/K6[R] w - - 0 1", "d4d4", id="a move"),
        pytest.param("six-fortresses", "4k4/9/9/9/9/P8/9/9/4K4 w - - 0 1", "a4a4", id="nine ranks"),
    ],
)
def test_small_boards_count_their_ranks_from_1(rules, fen, move):
    """With ranks from 0, which ten ranks were given one digit by, each of these would be legal."""
    (game,) = adjudicate(f'[FEN "{fen}"]\n\n1. {move} *\n'.encode(), rules)
    assert not game.moves and game.findings[0].severity == "error"
