"""Records in another notation: the same games, everything but the moves as it was."""

import gzip
import random
import subprocess
import sys
from functools import cache

import pytest
from click.testing import CliRunner

from adjudicator import Position, Ruleset, adjudicate
from adjudicator.moves import move_points
from notation.containers import pgn
from pipeline.cli import main
from pipeline.cli.convert import NOTATIONS
from pipeline.convert import WORDS, convert
from tests.conftest import REPOSITORY, shared

RECORD = """\
[Event "Notes"]
[Red "Player A"]
[Black "Player B"]
[Result "*"]

{before} 1. C2=5 {[%eval 0.2]} {second} 1... H8+7 $6 (1... H2+3 $1 {inside} 2. H2+3 (2. H8+7 R1=2)) 2. H2+3 R9=8 *
"""

NESTED = '[Event "deep"]\n[Result "*"]\n\n1. C2=5 ' + "( 1. H2+3 ( 1. C2=5 " * 150 + ")" * 300 + " *\n"


def converted(text, notation, tmp_path, **options):
    source, out = tmp_path / "in.pgn", tmp_path / "out.pgn"
    source.write_text(text)
    done = convert(source, out, notation, **options)
    return done, list(pgn.games(out))


@pytest.mark.parametrize(
    "notation, first, branch, inner",
    [
        pytest.param("uci", ["h3e3", "h10g8", "h1g3", "i10h10"], ["b10c8", "h1g3"], ["b1c3", "a10b10"]),
        pytest.param("iccs", ["H2-E2", "H9-G7", "H0-G2", "I9-H9"], ["B9-C7", "H0-G2"], ["B0-C2", "A9-B9"]),
        pytest.param(
            "chinese",
            ["炮二平五", "马8进7", "马二进三", "车9平8"],
            ["马2进3", "马二进三"],
            ["马八进七", "车1平2"],
        ),
        pytest.param("wxf", ["C2.5", "H8+7", "H2+3", "R9.8"], ["H2+3", "H2+3"], ["H8+7", "R1.2"]),
    ],
)
def test_main_line_and_variations_are_rewritten(tmp_path, notation, first, branch, inner):
    done, (record,) = converted(RECORD, notation, tmp_path)
    assert record.tokens == first
    (line,) = record.variations
    assert (line.from_ply, line.moves) == (2, branch)
    assert [(deeper.from_ply, deeper.moves) for deeper in line.variations] == [(3, inner)]
    assert (done.games, done.moves, done.kept) == (1, 8, 0)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_rest_of_the_record_stays(tmp_path, notation):
    _, (record,) = converted(RECORD, notation, tmp_path)
    _, (was,) = tmp_path, list(pgn.games(tmp_path / "in.pgn"))
    assert {k: v for k, v in record.tags.items() if k != "Format"} == was.tags
    assert (record.comments, record.nags, record.terminator) == (was.comments, was.nags, was.terminator)
    assert (record.variations[0].comments, record.variations[0].nags) == ({2: ["inside"]}, {2: [1]})


@pytest.mark.parametrize("notation", NOTATIONS)
def test_there_and_back_gives_the_same_games(tmp_path, notation):
    source = shared("matches/xiangqi.pgn")
    part = tmp_path / "part.pgn"
    part.write_text("[Event".join(source.read_text().split("[Event")[:21]))
    convert(part, tmp_path / "out.pgn", notation)
    before, after = list(adjudicate(part)), list(adjudicate(tmp_path / "out.pgn"))
    assert [game.game_id for game in after] == [game.game_id for game in before]
    assert [len(game.moves) for game in after] == [len(game.record.tokens) for game in before]
    assert [game.record.comments for game in after] == [game.record.comments for game in before]


@cache
def random_games(rules, games=6, plies=120):
    """Legal games of ``rules`` in coordinates as one PGN text; captures, drops and promotions are played gladly."""
    rng = random.Random(rules)
    text = ""
    for number in range(games):
        position, moves = Position(None, rules), []
        while len(moves) < plies and (legal := position.legal_moves()):
            lively = [m for m in legal if "@" in m or m[-1].isalpha() or position.piece_at(move_points(m)[1])]
            moves.append(rng.choice(lively if lively and rng.random() < 0.4 else legal))
            position.push(moves[-1])
        text += f'[Event "{number}"]\n[Result "*"]\n\n{" ".join(moves)} *\n\n'
    return text


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("rules", Ruleset.ids())
def test_games_of_every_rule_set_go_there_and_back(tmp_path, rules, notation):
    text = random_games(rules)
    done, _ = converted(text, notation, tmp_path, rules=rules)
    games, after = list(adjudicate(text, rules)), list(adjudicate(tmp_path / "out.pgn", rules))
    assert [game.game_id for game in after] == [game.game_id for game in games]
    assert [len(game.moves) for game in after] == [len(game.record.tokens) for game in games]
    assert not [f for game in after for f in game.findings if f.severity == "error"]
    assert done.moves + done.coordinates == sum(len(game.moves) for game in games) > 100 and not done.kept
    words = {ply.move for game in games for ply in game.moves} & {
        token for game in after for token in game.record.tokens
    }
    if notation in WORDS:
        # Only moves that no xiangqi piece could make stay without words.
        assert (
            bool(done.findings) == bool(words) == (rules in ("fortress", "fortress-river", "six-fortresses"))
        )
        assert sum(f.details["count"] for f in done.findings) == done.coordinates >= len(words)
    elif notation != "uci":
        assert not done.findings and all("@" in move for move in words)


def test_moves_without_words_are_told(tmp_path):
    fen = "5k1/7/7/7/7/3P3/7/K6[Rp] w - - 0 1"
    text = f'[FEN "{fen}"]\n[Result "*"]\n\n1. R@d4 P@d5 2. d3d2 *\n'
    text = text.replace("d3d2", "d4d5")
    source, out = tmp_path / "in.pgn", tmp_path / "out.pgn"
    source.write_text(text)
    words = ["convert", str(source), "--to", "wxf", "--out", str(out), "--rules", "fortress"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0
    said = f"{source}:1: wxf has no words for 2 moves, which are written as coordinates: R@d4, P@d5\n"
    assert result.stderr == said
    (record,) = pgn.games(out)
    assert record.tokens == ["R@d4", "P@d5", "R4+1"]
    assert result.stdout == f"1 game, 1 move rewritten, 2 written as coordinates in {out}\n"


def test_moves_that_cannot_be_read_stay_as_written(tmp_path):
    done, (record,) = converted('[Result "*"]\n\n1. C2=5 H8+7 2. R1+9 H2+3 *\n', "uci", tmp_path)
    assert record.tokens == ["h3e3", "h10g8", "R1+9", "H2+3"]
    assert (done.moves, done.kept) == (2, 2)


def test_a_record_without_a_position_stays_as_it_is(tmp_path):
    done, (record,) = converted('[FEN "rubbish"]\n[Result "*"]\n\n1. C2=5 *\n', "uci", tmp_path)
    assert record.tokens == ["C2=5"]
    assert done.kept == 1


def test_deep_nesting_is_no_trouble(tmp_path):
    _, (record,) = converted(NESTED, "uci", tmp_path)
    assert record.variation_depth() == 300
    assert record.variations[0].moves == ["h1g3"]


def test_ranks_from_0_are_read_as_such_in_variations_too(tmp_path):
    text = '[Format "ICCS"]\n[Result "*"]\n\n1. H2-E2 (1. C3-C4 C6-C5) 1... H9-G7 *\n'
    _, (record,) = converted(text, "uci", tmp_path)
    assert record.tokens == ["h3e3", "h10g8"]
    assert record.variations[0].moves == ["c4c5", "c7c6"]
    assert "Format" not in record.tags


def test_the_command(tmp_path):
    source, out = tmp_path / "in.pgn", tmp_path / "out.pgn"
    source.write_text(RECORD)
    result = CliRunner().invoke(main, ["convert", str(source), "--to", "chinese", "--out", str(out)])
    assert result.exit_code == 0
    assert result.stdout == f"1 game, 8 moves rewritten in {out}\n"
    assert "炮二平五" in out.read_text()


def asked(source, *words):
    out = source.with_name("out.pgn")
    return CliRunner().invoke(main, ["convert", str(source), "--out", str(out), *words]), out


def test_moves_that_stay_are_told_as_check_tells_them(tmp_path):
    path = tmp_path / "atomic.pgn"
    path.write_text(
        "".join(pgn.write([record]) + "\n" for record in list(pgn.games(shared("matches/atomic.pgn")))[:30])
    )
    result, out = asked(path, "--to", "wxf")
    assert result.exit_code == 1
    lines = result.stderr.splitlines()
    assert lines[0] == f"{path}:23"
    assert lines[1].startswith("  ply ") and "error illegal-move: " in lines[1]
    assert "      perhaps: the whole record is legal under the rules atomic" in lines
    assert sum(line.startswith(f"{path}:") for line in lines) == 10
    assert lines[-1].endswith(" could not be read or played and stay as written")
    assert len(list(pgn.games(out))) == 30
    assert asked(path, "--to", "wxf", "--rules", "atomic")[0].exit_code == 0


def test_a_variation_that_cannot_be_read_is_told(tmp_path):
    path = tmp_path / "in.pgn"
    path.write_text('[Result "*"]\n\n1. C2=5 (1. C2=4 H8+7 2. R1+9) 1... H8+7 *\n')
    result, _ = asked(path, "--to", "uci")
    assert result.exit_code == 1
    assert (
        "  ply 3, warning stays-as-written: R1+9 and what follows it in its variation stay" in result.stderr
    )
    assert result.stderr.endswith("1 move in 1 game could not be read or played and stays as written\n")


@pytest.mark.parametrize(
    "text, why",
    [
        pytest.param("", "no games found: it is empty", id="nothing"),
        pytest.param("<html>", "HTML is not read; save its games as PGN first", id="another format"),
    ],
)
def test_what_has_no_record_is_an_error_and_no_file(tmp_path, text, why):
    path = tmp_path / "x.txt"
    path.write_text(text)
    result, out = asked(path, "--to", "wxf")
    assert (result.exit_code, result.stderr) == (1, f"Error: {path}: {why}\n")
    assert not out.exists()


def test_standard_output_takes_the_records_and_nothing_else(tmp_path):
    path = tmp_path / "in.pgn"
    path.write_text(RECORD)
    result = CliRunner().invoke(main, ["convert", str(path), "--to", "uci", "--out", "-"])
    assert result.exit_code == 0
    assert pgn.read(result.stdout.encode()).tokens(0)[0] == "h3e3"
    assert result.stdout.rstrip().endswith("*") and "rewritten on standard output" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["in.pgn"]
    path.write_text("tea, rice")
    result = CliRunner().invoke(main, ["convert", str(path), "--to", "uci", "--out", "-"])
    assert (result.exit_code, result.stdout) == (1, "")


def test_a_name_that_ends_in_gz_is_packed(tmp_path):
    path = tmp_path / "in.pgn"
    path.write_text(RECORD)
    plain, packed = tmp_path / "out.pgn", tmp_path / "out.pgn.gz"
    convert(path, plain, "uci")
    convert(path, packed, "uci")
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    before = packed.read_bytes()
    convert(path, packed, "uci")
    assert packed.read_bytes() == before


@pytest.mark.parametrize("name", ["out.zip", "out.pgn.xz", "out.BZ2"])
def test_other_packed_forms_are_refused(tmp_path, name):
    path = tmp_path / "in.pgn"
    path.write_text(RECORD)
    result = CliRunner().invoke(main, ["convert", str(path), "--to", "uci", "--out", str(tmp_path / name)])
    assert result.exit_code == 2 and "is not written; .pgn and .pgn.gz are" in result.stderr
    assert not (tmp_path / name).exists()


def test_records_of_several_files_say_which(tmp_path):
    """Also those that cannot be played; what an earlier conversion said stays, and one file says nothing."""
    folder, out, again = tmp_path / "games", tmp_path / "all.pgn", tmp_path / "again.pgn"
    folder.mkdir()
    for name, text in (("a.pgn", RECORD), ("b.pgn", '[FEN "9/9 w"]\n\n1. h3e3 *\n')):
        (folder / name).write_text(text)
    convert(folder, out, "uci")
    named = [record.tags["SourceFile"] for record in pgn.games(out)]
    assert named == [str(folder / "a.pgn"), str(folder / "b.pgn")]
    convert(out, again, "wxf")
    assert [record.tags["SourceFile"] for record in pgn.games(again)] == named
    convert(folder / "a.pgn", out, "uci")
    assert "SourceFile" not in out.read_text()


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_is_no_file_to_write(tmp_path, there):
    path, out = tmp_path / "in.pgn", tmp_path / "out"
    path.write_text(RECORD)
    if there:
        out.mkdir()
    given = str(out) if there else f"{out}/"
    result = CliRunner().invoke(main, ["convert", str(path), "--to", "uci", "--out", given])
    assert result.exit_code == 2
    assert f"{given} is a folder; name a file, e.g. {out}/NAME" in result.stderr
    assert out.exists() == there


def test_standard_input_from_the_file_to_write_is_refused(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("1. h3e3 *\n")
    command = [sys.executable, "-m", "pipeline", "convert", "-", "--to", "wxf", "--out", path]
    with path.open() as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True, cwd=REPOSITORY)
    assert (done.returncode, path.read_text()) == (2, "1. h3e3 *\n")
    assert "name another file" in done.stderr
