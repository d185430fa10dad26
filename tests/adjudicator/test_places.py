"""What is wrong with a start position, a handicap or a variant's name is found where it is written."""

import pytest

from adjudicator import adjudicate

BARE = "9/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"


@pytest.mark.parametrize(
    "text, places",
    [
        pytest.param(f'[Event "é"]\n[FEN "{BARE}"]\n\nh3e3 *\n', [("missing-general", 2, 1, 13)], id="PGN"),
        pytest.param(
            f'[Event "é"]\r\n[fen "{BARE}"]\r\n\r\nh3e3 *\r\n', [("missing-general", 2, 1, 14)], id="CR LF"
        ),
        pytest.param(f'[Event "é"] [FEN "{BARE}"]\n\n*\n', [("missing-general", 1, 13, 13)], id="one line"),
        pytest.param(
            f'[Event "a"]\n\n1. h3e3 *\n\n[Event "b"]\n[FEN "{BARE}"]\n\n*\n',
            [("missing-general", 6, 1, 36)],
            id="a second game",
        ),
        pytest.param(
            '[Event "a"]\n[Variant "Atomic"]\n[Handicap "left wing"]\n\nh3e3 *\n',
            [("handicap-unreadable", 3, 1, 31), ("other-variant", 2, 1, 12)],
            id="other tags",
        ),
        pytest.param(
            f"FORMAT WXF\nRED é\nFEN {BARE}\nSTART{{\n1. C2.5\n}}END\n",
            [("missing-general", 3, 1, 18)],
            id="WXF text",
        ),
        pytest.param(
            f'{{"red":"é",\n "fen": "{BARE}", "moves": []}}', [("missing-general", 2, 9, 21)], id="JSON"
        ),
        pytest.param(f"é|{BARE}|h3e3\n", [("missing-general", 1, 3, 3)], id="a list of moves"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_faults_of_the_start_stand_where_it_is_written(text, places, encoding):
    told = [
        (finding.code, finding.line, finding.column, finding.byte)
        for game in adjudicate(text.encode(encoding), rules="xiangqi")
        for finding in game.findings
        if finding.severity != "note"
    ]
    wide = [
        (code, line, column, 2 + 2 * len(text.encode()[:byte].decode()))
        for code, line, column, byte in places
    ]
    assert told == (places if encoding == "utf-8" else wide)
