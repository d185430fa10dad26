"""The layout of descriptors, bit by bit: the compiled board reads the same bits."""

import pytest

from notation import descriptor, parse
from notation.descriptor import Said


@pytest.mark.parametrize(
    "token, bits",
    [
        pytest.param("C2.5", 2 | 2 << 3 | 0 << 7 | 0 << 11 | 5 << 15 | 3 << 24, id="file, traverse, file"),
        pytest.param("R--1", 2 | 7 << 7 | 2 << 11 | 1 << 15 | 18 << 24, id="rear, backward"),
        pytest.param("13=4", 2 | 1 << 3 | 11 << 7 | 4 << 15 | 3 << 19, id="pair of digits"),
        pytest.param("++.4", 2 | 9 << 7 | 4 << 15, id="no piece is a soldier"),
        pytest.param("前车进3", 2 | 6 << 7 | 1 << 11 | 3 << 15 | 1 << 23 | 18 << 24, id="words"),
        pytest.param("三兵平四", 2 | 3 << 7 | 4 << 15 | 1 << 23 | 16 << 24, id="third soldier"),
        pytest.param("a0i10", 1 | 1 << 3 | 1 << 7 | 9 << 11 | 11 << 15, id="ranks as written, plus one"),
        pytest.param(
            "a8xa9q", 1 | 1 << 3 | 9 << 7 | 1 << 11 | 10 << 15 | 17 << 19 | 1 << 29, id="promotion, capture"
        ),
        pytest.param("Cbe3+", 3 | 2 << 3 | 5 << 11 | 4 << 15 | 3 << 24 | 1 << 30, id="algebraic, check"),
        pytest.param("c4", 3 | 3 << 11 | 5 << 15, id="algebraic, no letter"),
        pytest.param("R@d4", 4 | 4 << 11 | 5 << 15 | 18 << 24, id="drop"),
        pytest.param("?", 0, id="nothing"),
    ],
)
def test_the_layout(token, bits):
    assert parse(token) == bits


@pytest.mark.parametrize(
    "said, packed",
    [
        pytest.param(
            Said(descriptor.COORDINATE, "", 7, 2, 4, 2, capture=True),
            descriptor.coordinate(7, 2, 4, 2, capture=True),
            id="coordinate",
        ),
        pytest.param(
            Said(descriptor.ALGEBRAIC, "A", -1, 10, 4, 9, "Q"),
            descriptor.algebraic("A", 4, 9, from_rank=10, promotion="Q"),
            id="algebraic",
        ),
        pytest.param(
            Said(descriptor.RELATIVE, "P", number=3, marker=descriptor.PAIR, action=1, target=1, second=9),
            descriptor.relative("P", 3, descriptor.FORWARD, 1, descriptor.PAIR, 9),
            id="relative",
        ),
        pytest.param(
            Said(descriptor.DROP, "P", to_file=3, to_rank=0), descriptor.drop("P", 3, 0), id="drop on rank 0"
        ),
        pytest.param(Said(descriptor.NONE), 0, id="nothing"),
    ],
)
def test_said_is_the_same_by_name(said, packed):
    assert said.pack() == packed
    assert Said.unpack(packed) == said
    assert descriptor.kind(packed) == said.kind
    assert descriptor.piece(packed) == said.piece
