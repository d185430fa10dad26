"""Boards as pictures."""

from xml.etree import ElementTree

import pytest

from adjudicator import Position, Ruleset
from adjudicator.drawing import FACES, ground

SVG = "{http://www.w3.org/2000/svg}"


def pieces(picture: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    groups = (group for group in root.iter(f"{SVG}g") if group.get("class", "").startswith("piece"))
    return sorted(group.find(f"{SVG}text").text for group in groups)


@pytest.mark.parametrize("rules", Ruleset.ids())
@pytest.mark.parametrize("flipped", [False, True])
def test_every_man_is_drawn_with_its_own_face(rules, flipped):
    position = Position(rules=rules)
    letters = sorted(sign.upper() for sign in str(position).split("\n   ")[0] if sign.isalpha())
    assert pieces(position.svg(letters=True, flipped=flipped)) == letters
    assert len(pieces(position.svg())) == len(letters)


def test_every_kind_of_every_rule_set_has_a_face():
    for rules in map(Ruleset.load, Ruleset.ids()):
        for piece in rules.pieces:
            assert piece.name in FACES and len(FACES[piece.name]) == 2


def test_boards_have_what_players_know():
    xiangqi, chess = ground(Ruleset.load("xiangqi")), ground(Ruleset.load("six-fortresses"))
    assert "楚河" in xiangqi and "漢界" in xiangqi and 'class="dark"' not in xiangqi
    assert chess.count('class="dark"') == 41 and chess.count('class="light"') == 40 and "楚河" not in chess


def test_checks_moves_and_reserves_are_drawn():
    position = Position("3k5/9/9/9/3R5/9/9/9/9/4K4 b - - 0 1")
    picture = position.svg(last="a6d6")
    assert picture.count('class="check"') == 1 and 'class="origin"' in picture and 'class="target"' in picture
    assert 'class="check"' not in position.svg(checks=False)
    held = Position("rnceakq/pp1p1pp/7/7/7/7/PP1P1PP/QKAECNR[RPPn] w", rules="fortress")
    assert len(pieces(held.svg())) == len(pieces(Position(rules="fortress").svg())) + 3


def test_files_are_named_as_the_players_count():
    picture = Position().svg(names="files")
    assert ">九<" in picture and ">a<" not in picture
    assert ">a<" not in Position().svg(names="nothing")


def test_titles_are_text():
    with pytest.raises(ValueError, match="not a coordinate move"):
        Position().svg(last="C2.5")
    ElementTree.fromstring(Position().svg())
