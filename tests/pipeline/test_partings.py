"""The same games under two rule sets: where they part, what becomes illegal, which results change."""

import csv
import json
import re
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from pipeline import partings, run
from pipeline.cli import main

REPOSITORY = Path(__file__).resolve().parents[2]
VARIANTS = REPOSITORY / "data" / "variants"

CHECKS = ["a2d2", *["d10e10", "d2e2", "e10d10", "e2d2"] * 2, "d10e10", "d2e2"]
PERPETUAL = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1"
QUIET = ["a2a3", "d10d9", "a3a2", "d9d10"]


def record(moves, fen=None, red="A"):
    head = f'[Red "{red}"]\n' + (f'[SetUp "1"]\n[FEN "{fen}"]\n' if fen else "")
    return f"{head}\n{' '.join(moves)} *\n\n"


@pytest.fixture
def compared(tmp_path):
    def compare(text, *rules):
        (tmp_path / "games.pgn").write_text(text, encoding="utf-8")
        return partings.compare([tmp_path / "games.pgn"], rules, jobs=1)[0]

    return compare


@pytest.mark.parametrize(
    "moves, fen, rules, ply, kind, what",
    [
        pytest.param(["h3e3", "h10g8"], None, ("xiangqi", "xiangqi-60"), None, None, None, id="never"),
        pytest.param(["h3e3", "castles"], None, ("xiangqi", "atomic"), None, None, None, id="unreadable under both"),
        pytest.param(
            ["h1g3", "h10g8", "h3h5"], None, ("xiangqi", "jump-cannon"),
            3, "illegal", "h3h5 is illegal: there is no screen to jump over (under jump-cannon)",
            id="a cannon that must jump",
        ),
        pytest.param(
            ["h1g3", "h10g8", "h3h5"], None, ("jump-cannon", "xiangqi"),
            3, "illegal", "h3h5 is illegal: there is no screen to jump over (under jump-cannon)",
            id="and the other way round",
        ),
        pytest.param(
            ["a2a10"], "r2k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1", ("xiangqi", "atomic"),
            1, "fact", "cleared: xiangqi none, atomic a10=r; check: xiangqi yes, atomic no",
            id="an explosion",
        ),
        pytest.param(
            ["a2a10"], "r2k5/9/9/9/9/p8/9/9/C8/5K3 w - - 0 1", ("xiangqi", "atomic"),
            1, "fact", "cleared: xiangqi none, atomic a10=r",
            id="a cannon's shot",
        ),
        pytest.param(
            ["e2e9"], "4k4/4a4/9/9/9/9/9/9/4R4/5K3 w - - 0 1", ("xiangqi", "atomic"),
            1, "ending", "xiangqi goes on, atomic red (general-gone)",
            id="a blast that takes the general",
        ),
        pytest.param(
            CHECKS, PERPETUAL, ("xiangqi", "xiangqi-60"),
            9, "ending", "xiangqi black (perpetual-check), xiangqi-60 draw (repetition)",
            id="another law of repetition",
        ),
        pytest.param(
            ["b2c2"], None, ("fortress", "fortress-river"),
            1, "illegal",
            "b2c2 is illegal: it may not step sideways before the river is crossed (under fortress-river)",
            id="a soldier that has not crossed",
        ),
        pytest.param(
            ["h3e3", "h10g8"], None, ("xiangqi", "fortress"),
            0, "start", "the start position is another, or can be played under one only",
            id="another board",
        ),
    ],
)  # fmt: skip
def test_where_games_part(compared, moves, fen, rules, ply, kind, what):
    [row] = compared(record(moves, fen), *rules).table.to_dicts()
    assert (row["ply"], row["kind"], row["what"]) == (ply, kind, what)


def test_a_game_that_parted_goes_on_to_a_move_that_is_illegal(compared):
    """The capture explodes at ply 1 under atomic; the chariot that is gone moves again at ply 3."""
    found = compared(
        record(["a2a10", "d10d9", "a10b10"], "r2k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1"), "xiangqi", "atomic"
    )
    [row] = found.table.to_dicts()
    assert (row["ply"], row["kind"]) == (1, "fact")
    assert (row["illegal_ply"], row["illegal_under"]) == (3, "atomic")
    assert "no piece stands on a10" in row["why"]
    assert "  atomic: no piece stands on …" in "\n".join(partings.report(found))


def test_what_is_written_after_the_end_is_no_illegal_move(compared):
    """The blast takes the general at ply 1; under xiangqi he takes the chariot, and Red moves on."""
    moves = ["e2e9", "e10e9", "f1f2"]
    found = compared(record(moves, "4k4/4a4/9/9/9/9/9/9/4R4/5K3 w - - 0 1"), "xiangqi", "atomic")
    [row] = found.table.to_dicts()
    assert (row["ply"], row["kind"], row["illegal_ply"], row["illegal_under"]) == (1, "ending", None, None)


@pytest.mark.parametrize(
    "rules", [("xiangqi", "atomic"), ("xiangqi", "xiangqi-60"), ("fortress", "fortress-river")]
)
@pytest.mark.parametrize("name", ["atomic.pgn", "fortress.pgn", "jump-cannon.pgn"])
def test_results_are_those_of_either_run(tmp_path, name, rules):
    found, _ = partings.compare([VARIANTS / name], rules, jobs=1)
    for which in rules:
        run.adjudicate([VARIANTS / name], rules=which, out=tmp_path / which, jobs=1)
        games = pl.read_parquet(tmp_path / which / "games" / "*.parquet").sort("record")
        told = found.table.select(
            pl.col(f"result_{which}"), pl.col(f"reason_{which}"), pl.col(f"end_ply_{which}")
        )
        assert told.rows() == games.select(pl.col("result", "reason").cast(pl.String), "end_ply").rows()
    # games part where a result or the number of plies differs, and nowhere after their end
    differs = found.table.filter(pl.col(f"result_{rules[0]}") != pl.col(f"result_{rules[1]}"))
    assert differs["kind"].null_count() == 0


def test_parts_of_a_run_are_put_together_in_order(tmp_path, monkeypatch):
    from pipeline import shards

    text = record(["h3e3", "h10g8"]) + record(["h3h5"]) + record(["c4c5"])
    (tmp_path / "games.pgn").write_text(text * 40)
    whole, _ = partings.compare([tmp_path], ["xiangqi", "jump-cannon"], jobs=1)
    monkeypatch.setattr(shards, "SMALLEST", 512)
    cut, _ = partings.compare([tmp_path], ["xiangqi", "jump-cannon"], jobs=1)
    assert cut.table.equals(whole.table)
    assert cut.table["kind"].to_list() == ["illegal", "illegal", None] * 40


# -- the command -------------------------------------------------------------------------------------


def caipan(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "atomic"
    run.adjudicate([VARIANTS / "atomic.pgn"], rules="atomic", out=out, jobs=1)
    return out


BOTH = ["--rules", "atomic", "--rules", "xiangqi"]


@pytest.mark.parametrize(
    "words, said",
    [
        (["{games}"], "not both"),
        (["{games}", *BOTH, "--book", "site"], "not both"),
        (["{games}", "--rules", "atomic"], "give two different rule sets"),
        (["{games}", "--rules", "atomic", "--rules", "atomic"], "give two different rule sets"),
        (["{games}", *BOTH, "--rules", "fortress"], "give two different rule sets"),
        (["{games}", "--rules", "atomic", "--rules", "xianqi"], "xiangqi"),
        (["{run}", *BOTH], "is a run of caipan: give the records that it was made from"),
        (["{games}", "--book", "site", "--book", "axf"], "no run of caipan here"),
        (["{run}", "{run}", "--book", "site", "--book", "axf"], "one finished run"),
        (["{run}", "--book", "site", "--book", "axf", "--out", "x.csv"], "no --out"),
        (["{games}", *BOTH, "--out", "x.xls"], "the ending is none of"),
        (["nowhere.pgn", *BOTH], "no such file"),
    ],
)
def test_what_is_asked_wrongly_is_one_clean_line(finished, words, said):
    result = caipan("compare", *(word.format(games=VARIANTS / "atomic.pgn", run=finished) for word in words))
    assert result.exit_code == 2
    assert said in result.stderr.replace("\n", " ")


def test_the_report_sums_up(tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text(
        record(["h3h5"]) + record(["h1g3", "h10g8", "h3h6"]) + record(["h3e3"]) + record(["c4c5"])
    )
    said = caipan("compare", games, "--rules", "xiangqi", "--rules", "jump-cannon", "--list", "1").stdout
    assert "4 games: 3 part, 0 have another result" in said
    assert "  a move is illegal under jump-cannon      3          1       1     3" in said
    assert "  jump-cannon: there is no screen to jump over      3" in said
    assert said.endswith("… 2 more: --list N shows them, the tables of --out have them all\n")


def test_every_form_has_every_game(tmp_path):
    for form in ("parquet", "csv", "json", "md"):
        assert (
            caipan("compare", VARIANTS / "atomic.pgn", *BOTH, "--out", tmp_path / f"out.{form}").exit_code
            == 0
        )
    table = pl.read_parquet(tmp_path / "out.parquet")
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        assert [row["kind"] or None for row in csv.DictReader(file)] == table["kind"].to_list()
    assert [row["ply"] for row in json.loads((tmp_path / "out.json").read_text())] == table["ply"].to_list()
    assert "## where games part" in (tmp_path / "out.md").read_text()
    lines = caipan("compare", VARIANTS / "atomic.pgn", *BOTH, "--json").stdout.splitlines()
    assert [json.loads(line)["record"] for line in lines] == table.filter(pl.col("kind").is_not_null())[
        "record"
    ].to_list()


def test_workers_and_files_without_games(tmp_path):
    (tmp_path / "empty.pgn").write_text("")
    words = ["compare", tmp_path / "empty.pgn", VARIANTS / "atomic.pgn", *BOTH]
    one, two = caipan(*words, "--jobs", "1"), caipan(*words, "--jobs", "2")
    assert one.stdout == two.stdout
    assert "no games found" in one.stderr


def test_games_are_chosen_by_their_numbers(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.pgn").write_text(record(["h3h5"]) * 2)
    words = ["compare", tmp_path, "--rules", "xiangqi", "--rules", "jump-cannon", "--game"]
    told = caipan(*words, "2-3").stdout
    assert "2 games: 2 part" in told
    assert f"{tmp_path / 'a.pgn'}:5  game 2" in told and f"{tmp_path / 'b.pgn'}:1  game 1" in told
    assert (one := caipan(*words, "5")).exit_code == 1 and "no game 5; there are 4" in one.stderr


def test_an_archive_without_games_is_said_to_be_one(tmp_path):
    (tmp_path / "empty.pgn").write_text("")
    result = caipan("compare", tmp_path / "empty.pgn", *BOTH)
    assert result.exit_code == 0
    assert "0 games: 0 part, 0 have another result" in result.stdout


def test_a_folder_without_records_has_no_games(tmp_path):
    assert "0 games: 0 part" in caipan("compare", tmp_path, *BOTH).stdout


def test_names_do_not_steer_the_terminal(tmp_path):
    (tmp_path / "games.pgn").write_text(record(["h3h5"], red="\x1b[31m\u202e<b>"), encoding="utf-8")
    out = tmp_path / "out.md"
    result = caipan(
        "compare", tmp_path / "games.pgn", "--rules", "xiangqi", "--rules", "jump-cannon", "--out", out
    )
    assert not set("\x1b\u202e") & set(result.stdout)
    assert r"\<b\>" in out.read_text(encoding="utf-8")


def test_what_parts_games_is_told_in_chinese_where_it_is_asked_for(tmp_path):
    out = tmp_path / "out.md"
    result = caipan(
        "compare",
        VARIANTS / "atomic.pgn",
        *BOTH,
        "--lang",
        "zh",
        "--list",
        50,
        "--out",
        out,
        "--out",
        tmp_path / "o.json",
    )
    assert result.exit_code == 0, result.output
    for said in (result.stdout, out.read_text("utf-8")):
        assert "分道之处" in said and "红胜（将死）" in said and "炸去：" in said
        assert not re.search(r"[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}", said.replace(str(tmp_path), "")), said
        assert not re.search(r"\b(open|draw|yes|none|goes|games?|ply)\b", said)
