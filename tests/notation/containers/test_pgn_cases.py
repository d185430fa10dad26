"""Reported troubles of other tools, on the level of records: as many tokens as moves, and so on."""

import base64
import json

import pytest

from conftest import REPOSITORY, shared
from notation.containers import pgn

AREAS = {"container", "notation-wxf", "notation-chinese", "notation-coord", "cli"}
HOSTILE = REPOSITORY / "data" / "hostile"


def cases() -> list[dict]:
    return [json.loads(line) for line in shared("cases/bug_cases.jsonl").read_text("utf-8").splitlines()]


def test_move_texts_have_as_many_tokens_as_moves():
    seen = 0
    for case in cases():
        given, expected = case["input"], case["expected"]
        moves = expected.get("moves")
        name = given.get("filename", "x.pgn")
        if case["area"] not in AREAS or not isinstance(moves, list) or not name.endswith((".pgn", ".zip")):
            continue
        if given["kind"] == "text" and not given["text"].lstrip().startswith("[DhtmlXQ]"):
            data = given["text"].encode()
        elif given["kind"] == "bytes_base64":
            data = base64.b64decode(given["base64"])
        else:
            continue
        batch = pgn.read(data)
        seen += 1
        assert len(batch) == 1, case["id"]
        assert len(batch.tokens(0)) == len(moves), case["id"]
        tags = batch.tags[0]
        assert {k: tags[k] for k in expected.get("tags", {})} == expected.get("tags", {}), case["id"]
        assert pgn.read(pgn.write(batch.record(0)).encode()).record(0).tokens == batch.tokens(0)
    assert seen >= 10


def test_games_under_different_rules_in_one_file():
    batch = pgn.read(
        b'[FEN "rnceakq/pp1p1pp/7/7/7/7/PP1P1PP/QKAECNR w - - 0 1"]\n[SetUp "1"]\n'
        b'[Variant "Fortress Xiangqi"]\n'
        b'[Result "*"]\n\n1. d1b3 c8c6 *\n\n'
        b'[Event "no variant tag"]\n[Result "*"]\n\n1. C2=5 N@e5 2. H2+3 *\n'
    )
    assert [batch.tokens(i) for i in range(2)] == [["d1b3", "c8c6"], ["C2=5", "N@e5", "H2+3"]]
    assert batch.tags[0]["Variant"] == "Fortress Xiangqi"
    assert batch.token_line[batch.first_token[1] + 1] == 11


def test_an_engines_game_keeps_its_scores():
    batch = pgn.read(
        b'[Event "Computer Chess Game"]\n[White "Engine A"]\n[Black "Engine B"]\n[Result "*"]\n'
        b'[Variant "xiangqi"]\n'
        b'[Annotator "5. +0.02   1... -0.27"]\n\n1. Cbe2 {+0.38/19} Hc7 {-0.27/28 29} 2. Hc2 Rb9 3. Rb0 c5 '
        b"{+0.00/29 32}\n4. g4 Ch3 5. Hg2 {+0.02/11 10} Hg7 *\n"
    )
    scores = {
        k + 1: (round(e, 2), d)
        for k, (e, d) in enumerate(zip(batch.evaluation, batch.depth, strict=True))
        if e == e
    }
    assert scores == {1: (0.38, 19), 2: (-0.27, 28), 6: (0.0, 29), 9: (0.02, 11)}
    assert batch.record(0).comments[2] == ["-0.27/28 29"]


# Games that follow a broken one in data/hostile, and must be read whatever goes before.
EXPECTED = {
    "unclosed-comment.pgn": (2, {"unclosed-comment", "missing-terminator"}),
    "unclosed-variation.pgn": (2, {"unclosed-variation"}),
    "unclosed-tag.pgn": (2, {"bad-tag"}),
    "bare-quotes-big5.pgn": (2, set()),
    "mixed-encodings.pgn": (3, set()),
    "damaged-bytes.pgn": (2, {"mixed-encoding"}),
    "binary-tail.pgn": (1, {"binary-data", "missing-terminator"}),
    "gaps-and-glue.pgn": (4, {"text-after-end", "empty-game", "missing-terminator"}),
    "not-a-record.txt": (0, {"no-games"}),
    "blank.pgn": (0, {"no-games"}),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_hostile_samples(name):
    batch = pgn.read(HOSTILE / name)
    games, codes = EXPECTED[name]
    assert len(batch) == games
    assert {finding.code for finding in batch.findings} - {"truncated-file"} == codes
    if games > 1:
        assert batch.tokens(games - 1) == ["C2=5", "H8+7", "H2+3"]
        assert batch.record(games - 1).terminator == "1-0"


def test_every_hostile_sample_is_expected():
    assert {path.name for path in HOSTILE.iterdir()} - {"README.md"} == set(EXPECTED)
