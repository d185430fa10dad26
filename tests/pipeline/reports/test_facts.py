"""Which records count, how they ended, which are pairs, and what they are worth."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import polars as pl
import pytest

pytest.importorskip("scipy", reason="reports need the extra caipan[report]")

from runs_made import OPEN, facts, make_run, record

from pipeline.reports import matches
from pipeline.reports.facts import Facts, explained, judged, once
from pipeline.reports.report import report

GAME = {
    "record": 7,
    "game_id": 99,
    "plies_replayed": 40,
    "result": "*",
    "reason": None,
    "end_ply": None,
    "claimed": "red",
    "claim": "unverifiable",
    "termination": None,
    "duplicate_of": None,
    "other_variant": None,
}


def verdict(min_plies=2, copies=False, **fields):
    """Outcome, reason and exclusion of one game."""
    kinds = {
        "record": pl.UInt32,
        "game_id": pl.UInt64,
        "plies_replayed": pl.UInt32,
        "end_ply": pl.UInt32,
        "duplicate_of": pl.UInt32,
    }
    kinds |= dict.fromkeys(
        ("result", "reason", "claimed", "claim", "termination", "other_variant"), pl.String
    )
    row = pl.LazyFrame([GAME | fields], schema=kinds)
    last = pl.LazyFrame(schema={"record": pl.UInt32, "comment": pl.String, "thrice": pl.UInt32})
    found = explained(judged(row, min_plies, copies).collect(), last)
    return found.select("outcome", "reason", "plies", "excluded").row(0)


@pytest.mark.parametrize(
    "fields, wanted",
    [
        pytest.param({}, ("red", "unstated", 40, None), id="as claimed"),
        pytest.param({"claimed": "*"}, (None, None, 40, "unfinished"), id="unfinished"),
        pytest.param({"claimed": None}, (None, None, 40, "unfinished"), id="nothing claimed"),
        pytest.param({"claimed": "conflicting"}, (None, None, 40, "conflicting"), id="two claims"),
        pytest.param({"plies_replayed": 0}, ("red", "unstated", 0, "no-move"), id="no move"),
        pytest.param({"plies_replayed": 1}, ("red", "unstated", 1, "one-side"), id="one move"),
        pytest.param(
            {"plies_replayed": 1, "min_plies": 1}, ("red", "unstated", 1, None), id="one move will do"
        ),
        pytest.param(
            {"plies_replayed": 9, "min_plies": 10}, ("red", "unstated", 9, "too-short"), id="too short"
        ),
        pytest.param({"claim": "illegal-move"}, ("red", "unstated", 40, "illegal-move"), id="illegal move"),
        pytest.param(
            {"claim": "illegal-move", "result": "red", "reason": "stalemate", "end_ply": 38},
            ("red", "stalemate", 38, None),
            id="an illegal move after the rules ended the game",
        ),
        pytest.param(
            {"other_variant": "Atomic"}, ("red", "unstated", 40, "other-variant"), id="another variant"
        ),
        pytest.param({"claimed": "draw"}, ("draw", "unstated", 40, None), id="draw claimed"),
        pytest.param(
            {"result": "black", "reason": "checkmate", "end_ply": 1, "plies_replayed": 1},
            ("black", "checkmate", 1, None),
            id="mate on the first ply",
        ),
        pytest.param(
            {"result": "draw", "reason": "repetition", "end_ply": 30},
            ("draw", "repetition", 30, None),
            id="played on after the end: the ruling stands, and its ply",
        ),
        pytest.param({"termination": "Time forfeit"}, ("red", "time", 40, None), id="time"),
        pytest.param({"termination": "White resigns"}, ("red", "resignation", 40, None), id="resignation"),
        pytest.param({"termination": "认输"}, ("red", "resignation", 40, None), id="resignation, in Chinese"),
        pytest.param({"termination": "adjudication"}, ("red", "adjudication", 40, None), id="adjudication"),
        pytest.param({"termination": "Black timed out"}, ("red", "time", 40, None), id="timed out"),
        pytest.param({"termination": "draw agreed"}, ("red", "agreement", 40, None), id="agreement"),
        pytest.param({"termination": "ply limit"}, ("red", "length", 40, None), id="a limit on its length"),
        pytest.param(
            {"termination": "repetition"}, ("red", "claimed-repetition", 40, None), id="not on this board"
        ),
        pytest.param({"termination": "normal"}, ("red", "unstated", 40, None), id="normal says nothing"),
    ],
)
def test_records_that_count(fields, wanted):
    assert verdict(**fields) == wanted


def test_copies_are_left_out_and_named(tmp_path):
    text = record(red="A") + record(red="C") + record("b3e3 b10c8 b1c3 a10b10")
    found = facts(make_run(tmp_path, text))
    assert found.games["record"].to_list() == [0, 2]
    assert found.records["excluded"].to_list() == [None, "duplicate", None]
    assert facts(tmp_path / "run", copies=True).games.height == 3


def test_a_copy_counts_where_no_earlier_one_does(tmp_path):
    """The first record breaks off without a result; of the two that have one the first counts."""
    text = record(result="*") + record(red="C") + record(red="D", result="0-1")
    found = facts(make_run(tmp_path, text))
    assert found.records["excluded"].to_list() == ["unfinished", None, "duplicate"]
    assert facts(tmp_path / "run", copies=True).records["excluded"].to_list() == ["unfinished", None, None]


def test_a_copy_of_a_record_that_is_left_out_is_not_left_out_twice(tmp_path):
    text = record(result="*") * 2 + record("b3e3", result="*") * 2
    found = facts(make_run(tmp_path, text))
    assert found.records["excluded"].to_list() == ["unfinished", "duplicate", "one-side", "duplicate"]


def test_copies_of_a_game_that_goes_on_illegally_after_its_end_count_once(tmp_path):
    text = record("h1g3 h10g8 g3h1 g8h10 " * 2 + "a1a9", result="1-0") * 3
    found = facts(make_run(tmp_path, text))
    assert found.records["duplicate_of"].to_list() == [None, None, None]
    assert found.records["excluded"].to_list() == [None, "duplicate", "duplicate"]


def test_a_record_of_another_variant_is_no_game_of_this_one(tmp_path):
    """A name that nobody knows may be a site's own word for the game: its record counts, with a finding."""
    text = (
        record(Variant="Atomic") + record(Variant="xiangqi", red="C") + record("c4c5 c7c6", variant="Blitz")
    )
    found = facts(make_run(tmp_path, text))
    assert found.records["excluded"].to_list() == ["other-variant", None, None]
    codes = pl.read_parquet(found.run / "findings" / "*.parquet").select(
        "record", pl.col("code").cast(pl.String)
    )
    assert codes.rows() == [(0, "other-variant"), (2, "unknown-variant")]


def test_records_that_stop_are_no_copies_of_each_other(tmp_path):
    """Two share their legal moves and stop at different illegal ones; a third is those moves alone."""
    text = record(f"{OPEN} a1a9") + record(f"{OPEN} a1b9") + record(OPEN) + record(OPEN)
    found = facts(make_run(tmp_path, text))
    assert found.records["duplicate_of"].to_list() == [None, None, None, 2]
    assert found.records["excluded"].to_list() == ["illegal-move", "illegal-move", None, "duplicate"]


def test_what_goes_on_illegally_after_its_end_counts_as_in_a_match(tmp_path):
    """The third occurrence of the start draws at ply 8; of two records that go on illegally one went on legally first.
    `rescore` counts the same games with the same results."""
    drawn = "h1g3 h10g8 g3h1 g8h10 " * 2
    text = record(f"{drawn} a1a9", result="1-0") + record(f"{drawn} b1c3 b10c8 a1a9", result="1-0", red="C")
    run = make_run(tmp_path, text + record(f"{OPEN} a1a9", red="D"))
    played = facts(run).played
    assert played.select("record", "outcome", "plies").rows() == [(0, "draw", 8), (1, "draw", 8)]
    ruled = matches.games([run], "site").filter(pl.col("ruled").is_not_null())
    assert ruled.select("record", "ruled", "ply").rows() == played.select("record", "outcome", "plies").rows()


def test_reasons_are_read_from_the_last_comment_where_no_tag_has_one(tmp_path):
    """`rescore` reads the same."""
    said = ["{book} {adjudicated by the GUI}", "{a draw after 60 moves without a capture, 60 moves rule}", ""]
    text = "".join(record(f"{OPEN} c4c5 {words}", red=name) for name, words in zip("ABC", said, strict=True))
    text += record(f"{OPEN} c4c5 {{ply limit}}", red="D", Termination="adjudication")
    text += record(f"{'h1g3 h10g8 g3h1 g8h10 ' * 2}", red="E")
    run = make_run(tmp_path, text, book="none")
    found = facts(run, copies=True).records["reason"].to_list()
    assert found == ["adjudication", "claimed-no-capture", "unstated", "length", "claimed-repetition"]
    theirs = matches.games([run], "none", copies=True)["stated"].to_list()
    assert [reason.removeprefix("claimed-") for reason in found] == theirs


def test_games_weigh_what_is_their_own(tmp_path):
    """Four plies, of which two games share two: each has two positions of its own and half of two."""
    text = record(OPEN) + record("h3e3 h10g8 b1c3 c7c6") + record("c4c5 c7c6 b1c3 b10c8")
    games = facts(make_run(tmp_path, text)).games
    assert games["weight"].to_list() == pytest.approx([0.75, 0.75, 1.0])


def test_pairs_are_games_with_colours_exchanged(tmp_path):
    other = "h3e3 h10g8 b1c3 c7c6"
    text = record(red="A", black="B", Round="1") + record(other, red="B", black="A", Round="1")
    text += record("c4c5 c7c6 b1c3 b10c8", red="A", black="B", Round="2")
    assert facts(make_run(tmp_path, text)).games["pair"].to_list() == [0, 0, None]


def test_what_threads_ask_for_atonce_is_found_outonce():
    asked, ready = [], Barrier(4)

    class Question:
        @once
        def answer(self):
            asked.append(self)
            sleep(0.05)
            return len(asked)

    question = Question()
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(lambda: ready.wait() >= 0 and question.answer) for _ in range(4)]
    assert {answer.result() for answer in answers} == {1}
    assert Question().answer == 2


def test_a_report_reads_the_plies_twice(tmp_path, monkeypatch):
    """Those that weigh and pair all games, and those of the games that are looked at; those with comments and those
    after which a position has stood three times are two more, narrow reads."""
    read, scan = [], Facts.scan
    monkeypatch.setattr(Facts, "scan", lambda self, table: read.append(table) or scan(self, table))
    report([make_run(tmp_path, record())])
    assert read.count("moves") == 4


def test_plies_after_the_end_are_not_counted(tmp_path):
    """The third occurrence of the start draws at ply 8; the record goes on."""
    text = record("h1g3 h10g8 g3h1 g8h10 " * 2 + "b1c3 b10c8", result="1/2-1/2")
    found = facts(make_run(tmp_path, text))
    assert found.games.select("plies", "plies_replayed", "reason").row(0) == (8, 10, "repetition")
    assert found.few(pl.lit(True))["ply"].max() == 8
