"""The report for people: every finding and ruling, where it is, in two languages."""

import re
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator import Ruleset
from notation.finding import Finding
from pipeline import check
from pipeline.cli import main

REPOSITORY = Path(__file__).resolve().parents[2]

BROKEN = """\
[Event "Broken"]
[Red "A"]
[Black "B"]
[Result "1-0"]

1. C2=5 H8+7 2. R1+9 H2+3 1-0

[Event "Whole"]
[Result "*"]

1. C2=5 H8+7 *
"""

# Black checks on every move of the cycle; Red goes on after the third occurrence.
PERPETUAL = """\
[FEN "3k5/9/9/9/9/9/9/r8/9/5K3 b - - 0 1"]
[Result "*"]

1... a3f3 2. f1e1 f3e3 3. e1f1 e3f3 4. f1e1 f3e3 5. e1f1 e3f3 6. f1e1 f3e3 7. e1f1 *
"""


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.pgn"
    path.write_text(BROKEN)
    return path


def checked(path, *arguments):
    return CliRunner().invoke(main, ["check", str(path), *arguments])


def test_an_illegal_move_is_shown_with_its_place_and_what_was_possible(broken):
    result = checked(broken)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == f"{broken}:1  game 1  Broken, A – B"
    assert lines[1].startswith("  ply 3, line 6:17, error illegal-move: R1+9 is illegal: ")
    assert lines[2].strip().startswith("possible: i1i2")
    assert "  2 of 4 plies replayed" in lines
    assert f"{broken}:8  game 2  Whole" in lines
    assert lines[-1] == "2 games, 1 finding"


def test_strict_fails_on_an_error_only(broken, tmp_path):
    assert checked(broken, "--strict").exit_code == 1
    whole = tmp_path / "whole.pgn"
    whole.write_text(BROKEN[BROKEN.index('[Event "Whole"]') :])
    assert checked(whole, "--strict").exit_code == 0


@pytest.mark.parametrize(
    "severity, counts", [("error", (4, 0, 0)), ("warning", (4, 3, 0)), ("note", (4, 3, 1))]
)
def test_findings_are_shown_that_are_as_grave_as_asked(tmp_path, severity, counts):
    path = tmp_path / "broken.pgn"
    path.write_bytes((REPOSITORY / "data" / "faults" / "broken.pgn").read_bytes())
    (tmp_path / "notes.txt").write_text("tea, rice")
    result = checked(tmp_path, "--severity", severity)
    shown = [result.stdout.count(f", {grave} ") for grave in ("error", "warning", "note")]
    assert tuple(shown) == counts
    aside = severity == "note"
    assert ("1 left aside" in result.stdout) == aside
    assert result.stdout.splitlines()[-1] == f"6 games, {sum(counts) + aside} findings"
    assert f"{path}:8  game 2" in result.stdout  # whatever is shown of it
    quiet = checked(path, "--quiet", "--severity", severity)
    assert quiet.stdout.count("  game ") == {"error": 4}.get(severity, 6)


def test_strict_heeds_what_is_not_shown(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('[Result "1-0"]\n\n1. C2=5 H8+7 0-1\n')
    assert checked(path, "--severity", "error").stdout.endswith("1 game, 0 findings\n")
    assert checked(path, "--severity", "error", "--strict").exit_code == 1
    assert checked(path, "--severity", "fatal").exit_code == 2


def test_quiet_shows_records_with_findings_only(broken):
    result = checked(broken, "--quiet")
    assert "game 1" in result.stdout
    assert "game 2" not in result.stdout


def test_quiet_leaves_out_notes(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(
        '[Event "a note"]\n\n1. C2=5\n\n[Event "a warning and a note"]\n[Result "1-0"]\n\n1. C2=5 {0-1\n'
    )
    (tmp_path / "notes.txt").write_text("tea, rice")
    quiet = checked(tmp_path, "--quiet").stdout
    assert "a note\n" not in quiet.replace("a warning and a note", "") and "unclosed-comment" in quiet
    assert "missing-terminator" not in quiet and "1 left aside" in quiet
    assert "missing-terminator" in checked(path, "--quiet", "--severity", "note").stdout


def test_games_are_chosen_by_their_numbers(broken, tmp_path):
    """Numbers count over all files; those that are shown, and the lines, are the file's."""
    whole = checked(broken).stdout
    (second,) = (f"{broken}:8{text}" for text in whole.split(f"{broken}:8")[1:])
    assert checked(broken, "--game", "2").stdout == second.replace("2 games, 1 finding", "1 game, 0 findings")
    assert checked(broken, "--game", "2", "--strict").exit_code == 0
    assert checked(broken, "--game", "2", "--game", "1").stdout == whole
    (tmp_path / "more.pgn").write_text(BROKEN)
    third = checked(tmp_path, "--game", "3").stdout
    assert third.startswith(f"{tmp_path / 'more.pgn'}:1  game 1") and third.endswith("1 game, 1 finding\n")
    for number in ("0", "5"):
        done = checked(tmp_path, "--game", number)
        assert done.exit_code == 1 and f"no game {number}; there are 4" in done.stderr
    assert checked(tmp_path, "--game", "x").exit_code == 2


def test_chinese_says_the_same(broken):
    result = checked(broken, "--lang", "zh")
    lines = result.stdout.splitlines()
    assert lines[1].startswith("  第 3 着, 第 6:17 行, 错误 illegal-move: R1+9 不合法:")
    assert lines[-1] == "2 局,1 条发现"


WHITE = {"SetUp": "1", "FEN": Ruleset.load("xiangqi").start}
"""A start with Red to move, told: a record may not just be read with Black to move."""


@pytest.mark.parametrize(
    "moves, tags, said",
    [
        pytest.param("h10g8", WHITE, "h10g8 在轮到黑方走时合法,整份棋谱亦然", id="the other side, all of it"),
        pytest.param(
            "h10g8 h3e3 z9z9", WHITE, "h10g8 在轮到黑方走时合法;如此可走 3 着中的 2 着", id="the other side"
        ),
        pytest.param("h3e3 h10g8", {"Variant": "Atomic"}, "--rules atomic", id="another variant"),
        pytest.param("h3e3", {"Variant": "fortress"}, "--rules fortress 或 fortress-river", id="one of two"),
    ],
)
def test_suggestions_are_in_chinese(tmp_path, moves, tags, said):
    path = tmp_path / "one.pgn"
    path.write_text(
        "".join(f'[{key} "{value}"]\n' for key, value in {"Event": "x", **tags}.items()) + f"\n{moves} *\n"
    )
    (line,) = [
        line for line in checked(path, "--lang", "zh").stdout.splitlines() if line.startswith("      可能是:")
    ]
    assert line.removeprefix("      可能是:").startswith(said)
    assert not re.search(r"\b(is|legal|or|the)\b", line)


def test_other_rules_are_suggested_in_chinese():
    path = Path(__file__).parents[2] / "data" / "faults" / "fortress.pgn"
    said = checked(path, "--lang", "zh", "--rules", "atomic").stdout
    assert "可能是:整份棋谱在规则 fortress 或 fortress-river 下合法" in said


def test_a_ruling_says_why_and_where(tmp_path):
    path = tmp_path / "perpetual.pgn"
    path.write_text(PERPETUAL)
    (record,) = check.check([path], rules="xiangqi", book="site")
    report = "\n".join(check.report(record))
    assert record.ruled.result == "red"
    assert record.ruled.claim == "played-on"
    assert "third occurrence of the position" in report
    assert "Black alone checked on every move and loses" in report
    (record,) = check.check([path], rules="xiangqi", book="none")
    assert record.ruled.result == "*"


def test_an_unreadable_record_fails_at_its_token(tmp_path):
    path = tmp_path / "rubbish.txt"
    path.write_text("0. Z9 c6 1. d4 d5 2. ??? e5")
    result = checked(path, "--strict")
    assert result.exit_code == 1
    assert "line 1:4, error unreadable-token: Z9" in result.stdout


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_word_of_the_report_is_known_in_both_languages(language):
    assert set(check._WORDS["en"]) <= set(check._WORDS[language])
    assert set(check.CLAIMS) <= set(check._WORDS["zh"])


def test_findings_stand_in_the_order_of_their_places(tmp_path):
    """The move that cannot be played stands before the end of the line, which the reader finds first."""
    path = tmp_path / "games.pgn"
    path.write_text("1. C2=5 H8+7 2. H2+4\n", encoding="utf-8")
    (found,) = check.check([path], rules="xiangqi")
    assert [(f.code, f.line, f.column) for f in found.findings] == [
        ("illegal-move", 1, 17),
        ("missing-terminator", 1, 21),
    ]


def test_graver_findings_come_first_at_one_place():
    note, error = Finding("missing-terminator", ply=3, line=1), Finding("illegal-move", ply=3, line=1)
    assert sorted([note, error], key=lambda finding: finding.place) == [error, note]
    assert sorted([error, Finding("bad-tag", line=9)], key=lambda finding: finding.place)[1] == error


@pytest.mark.parametrize(
    "lang, said", [("en", "byte {} unpacked, warning"), ("zh", "解压后第 {} 字节, 警告")]
)
def test_a_byte_that_is_not_one_of_the_file_is_told_as_such(tmp_path, lang, said):
    whole = (REPOSITORY / "data/formats/library.cbl").read_bytes()
    path = tmp_path / "library.cbl"
    path.write_bytes(whole[:-40])
    left = len(zlib.decompressobj().decompress(whole[20:-40]))
    assert f"  {said.format(left)} truncated-file" in checked(path, "--lang", lang).stdout


def test_a_byte_that_does_not_fit_is_written_as_one(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_bytes('[Event "杯赛"]\n\n1. C2=5 {'.encode() + b"\xc4} *\n")
    said = checked(path).stdout
    assert "mixed-encoding" in said and "read: \\xc4\n" in said


def test_a_point_whose_rank_counts_from_0_is_told_both_ways(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("1. H2-E2 H9-G7 2. A8-A9 *\n", encoding="utf-8")
    assert "no piece stands on a9 (written a8)" in checked(path).stdout
    assert "a9(原写 a8) 上没有棋子" in checked(path, "--lang", "zh").stdout
