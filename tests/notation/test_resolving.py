"""Reported notation bugs on a board: which move a token names, with an independent engine's legal moves."""

import json

import pytest

from notation import parse
from notation.descriptor import Said
from tests.conftest import shared
from tests.notation.board import Board

AREAS = ("notation-wxf", "notation-chinese", "notation-coord")


def cases(kind):
    """The collected bug cases about notation with input of ``kind``, each with its board."""
    pyffish = pytest.importorskip("pyffish")
    for line in shared("cases/bug_cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["area"] in AREAS and case["input"]["kind"] == kind:
            fen = case["input"]["fen"]
            yield case, Board(fen, pyffish.legal_moves("xiangqi", fen, []))


def from_rank_0(packed):
    said = Said.unpack(packed)
    return said._replace(from_rank=said.from_rank + 1, to_rank=said.to_rank + 1).pack()


def test_tokens_name_the_moves_that_the_reports_ask_for():
    seen = 0
    for case, board in cases("fen_tokens"):
        for token, expected in case["expected"].get("tokens", {}).items():
            wanted = {expected["move"]} if "move" in expected else set(expected["candidates"])
            assert board.resolve(parse(token)) == wanted, (case["id"], token)
            seen += 1
    assert seen > 35


def test_a_declared_dialect_settles_a_pair_of_digits():
    for case, board in cases("fen_tokens"):
        for token, expected in case["expected"].get("tokens", {}).items():
            if "wxf-official" in expected:
                assert board.resolve(parse(token), place_then_file=False) == {expected["wxf-official"]}
            if "place-then-file" in expected:
                assert board.resolve(parse(token), place_then_file=True) == {expected["place-then-file"]}


def test_a_coordinate_may_be_legal_in_both_rank_bases():
    for case, board in cases("fen_tokens"):
        error = case["expected"].get("error", {})
        if error.get("kind") == "ambiguous-coordinate-base":
            packed = parse(*case["input"]["tokens"])
            assert board.resolve(packed) == {error["candidates"]["ranks-1-10"]}
            assert board.resolve(from_rank_0(packed)) == {error["candidates"]["ranks-0-9"]}
