"""``caipan study`` and ``caipan show`` from outside."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from pipeline.cli import main, study
from pipeline.studies import PICKS

REPOSITORY = Path(__file__).resolve().parents[3]
ATOMIC = REPOSITORY / "data" / "variants" / "atomic.pgn"
BROKEN = REPOSITORY / "data" / "faults" / "broken.pgn"


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize("form", ["html", "pgn", "md", "json"])
def test_every_form_is_written(tmp_path, form):
    out = tmp_path / f"twelve.{form}"
    done = run("study", ATOMIC, "--rules", "atomic", "--out", out)
    assert done.exit_code == 0, done.output
    assert out.stat().st_size > 2000 and f"in {out}" in done.output


def made(tmp_path, *words):
    out = tmp_path / "study.json"
    done = run("study", *words, "--out", out)
    assert done.exit_code == 0, done.output
    return json.loads(out.read_text())["games"]


def test_a_game_that_cannot_start_makes_no_film(tmp_path):
    out = tmp_path / "film.gif"
    done = run("study", BROKEN, "--game", "5", "--out", out)  # Black has no general
    assert done.exit_code == 1 and not out.exists()
    assert done.output == "Error: the start of the game cannot be played, so there is nothing to film\n"


def test_games_by_number_keep_their_order(tmp_path):
    games = made(tmp_path, ATOMIC, "--rules", "atomic", "--game", "3,1-2")
    assert [game["number"] for game in games] == [3, 1, 2]


def test_games_are_numbered_over_all_files(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    for name in "abc":
        write(folder / f"{name}.pgn", ('[Result "*"]', "1. h3e3 *"))
    assert [game["number"] for game in made(tmp_path, folder)] == [1, 2, 3]
    (third,) = made(tmp_path, folder, "--game", "3")
    assert third["number"] == 3 and third["source"].endswith("c.pgn")


@pytest.mark.parametrize("pick", sorted(PICKS))
def test_picks_are_ordered_by_their_rule(tmp_path, pick):
    out = tmp_path / "study.json"
    done = run("study", ATOMIC, "--rules", "atomic", "--pick", pick, "--out", out)
    if done.exit_code:
        assert f"--pick {pick}: of 6 games, none is won by the weaker side" in done.output
        return
    games = json.loads(out.read_text())["games"]
    plies = [game["lines"][0]["plies"] for game in games]
    blasts = [sum(bool(ply["explosion"]) for ply in line) for line in plies]
    if pick == "explosions":
        assert blasts == sorted(blasts, reverse=True)
    elif pick == "longest":
        assert [len(line) for line in plies] == sorted(map(len, plies), reverse=True)
    elif pick == "shortest-mate":
        assert [game["end"] for game in games] == sorted(game["end"] for game in games)


def test_the_choices_offered_are_those_there_are():
    assert sorted(PICKS) == study.PICKS


def write(path, *games):
    path.write_text("\n".join(f'[Event "x"]\n{tags}\n\n{moves}\n' for tags, moves in games))
    return path


def test_changed_games_are_those_the_rules_end_otherwise(tmp_path):
    cycle = "h1g3 h10g8 g3h1 g8h10 " * 2
    path = write(
        tmp_path / "m.pgn",
        ('[Result "1-0"]', f"{cycle} 1-0"),
        ('[Result "1/2-1/2"]', f"{cycle} 1/2-1/2"),
        ('[Result "1-0"]', "1. h3e3 a10a9 1-0"),
    )
    assert [game["number"] for game in made(tmp_path, path, "--pick", "changed")] == [1]


def test_upsets_go_by_rating_and_else_by_score(tmp_path):
    path = write(
        tmp_path / "m.pgn",
        ('[Red "A"]\n[Black "B"]\n[RedElo "2500"]\n[BlackElo "2300"]\n[Result "0-1"]', "1. h3e3 0-1"),
        ('[Red "A"]\n[Black "B"]\n[RedElo "2500"]\n[BlackElo "2300"]\n[Result "1-0"]', "1. h3e3 1-0"),
        ('[Red "C"]\n[Black "D"]\n[Result "1-0"]', "1. h3e3 1-0"),
        ('[Red "C"]\n[Black "D"]\n[Result "1-0"]', "1. b3e3 1-0"),
        ('[Red "C"]\n[Black "D"]\n[Result "0-1"]', "1. h1g3 0-1"),
    )
    assert [game["number"] for game in made(tmp_path, path, "--pick", "upsets")] == [1, 5]


def test_broken_records_make_a_study_of_what_there_is(tmp_path):
    games = made(tmp_path, BROKEN)
    assert len(games) == 6
    assert games[0]["findings"][0]["code"] == "illegal-move" and games[0]["lines"][0]["unread"]
    done = run("study", BROKEN, "--out", tmp_path / "broken.html")
    assert done.exit_code == 0
    assert done.stderr == "4 of 6 games cannot be played to the end; the study says why\n"


def test_another_variant_is_said_once_with_the_rules_to_use(tmp_path):
    done = run("study", "data/paired/atomic.pgn", "--out", tmp_path / "x.json")
    first, second = done.stderr.splitlines()
    assert first == (
        "40 of 40 games name the variant atomicxiangqi, which is another than xiangqi: use --rules atomic"
    )
    assert second.endswith(" of 40 games cannot be played to the end; the study says why")
    assert (
        run("study", "data/paired/atomic.pgn", "--rules", "atomic", "--out", tmp_path / "x.json").stderr == ""
    )


@pytest.mark.parametrize(
    "words, code, said",
    [
        pytest.param(["--out", "x.txt"], 2, "the ending is none of", id="unknown form"),
        pytest.param(["--out", "x.html", "--game", "900"], 1, "no game 900; there are", id="no such game"),
        pytest.param(
            ["--out", "x.html", "--game", "5-3"], 2, "'5-3' is not a number or a span", id="no span"
        ),
        pytest.param(
            ["--out", "x.html", "--pick", "changed"],
            1,
            "Error: --pick changed: of 6 games, none is ruled otherwise than its record says",
            id="nothing picked",
        ),
        pytest.param(["--out", "x.html", "--game", "a-b"], 2, "is not a number or a span", id="no number"),
        pytest.param(["--out", "x.html", "--engine", "/no/engine"], 1, "/no/engine", id="no engine"),
        pytest.param(["--out", "x.html", "--rules", "xianqi"], 2, "did you mean 'xiangqi'", id="no rule set"),
    ],
)
def test_what_is_asked_wrongly_is_one_clean_line(tmp_path, monkeypatch, words, code, said):
    monkeypatch.chdir(tmp_path)
    done = run("study", BROKEN, *words)
    assert done.exit_code == code and said in done.output and "Traceback" not in done.output
    assert list(tmp_path.iterdir()) == []


# -- caipan show ---------------------------------------------------------------------------------------------

CHECK = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1"


def test_show_draws_the_board():
    lines = run("show", "3k5/4a4/9/9/9/4r4/9/9/9/R3K4 w", "--letters").output.splitlines()
    assert lines[0].split() == list("abcdefghi")
    assert lines[1].startswith("10   ┌───┬───┬── k ──┬")
    assert "e5" in lines[-1] and lines[-1].startswith("Red to move, in check from")
    assert run("show", CHECK, "--letters", "--flip").output.splitlines()[0].split() == list("ihgfedcba")


def test_show_knows_every_board():
    assert "Black holds nothing" in run("show", "--rules", "fortress").output
    assert "r  n  b  q  i" in run("show", "--rules", "six-fortresses", "--letters").output
    assert "楚 河" in run("show").output


def test_show_has_colours_when_asked():
    assert "\x1b[" in run("show", "--color").output
    assert "\x1b[" not in run("show", "--no-color").output


def test_show_writes_a_picture(tmp_path):
    out = tmp_path / "board.svg"
    assert run("show", CHECK, "--svg", out).exit_code == 0
    ElementTree.fromstring(out.read_text())


def test_show_refuses_what_is_no_position():
    done = run("show", "9/9 w")
    assert done.exit_code == 2 and "Traceback" not in done.output


def test_what_has_no_record_is_told_by_its_format(tmp_path):
    (tmp_path / "x.html").write_bytes(b"<html>")
    done = run("study", tmp_path / "x.html", "--out", tmp_path / "out.html")
    assert (done.exit_code, done.stderr) == (
        1,
        f"Error: {tmp_path}/x.html: HTML is not read; save its games as PGN first\n",
    )
