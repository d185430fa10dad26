"""Faults that users of public xiangqi software reported: each row of tests/data/oracle/bug_cases holds here.

A row is input and expected outcome; ``CHECKS`` has the check for each row by its number. The rows' words for
a finding are older than ours: ``CODES`` translates them.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner, Result

from adjudicator import Adjudication, AmbiguousMove, Game, InvalidFen, Position, adjudicate
from notation import containers
from notation.containers import pgn
from notation.record import GameRecord, Variation
from pipeline.check import Checked
from pipeline.cli import main
from pipeline.reports.words import Words
from pipeline.studies import match
from reference.oracle import rows

AREAS = (
    "notation-wxf",
    "notation-chinese",
    "notation-coord",
    "container",
    "rules",
    "repetition",
    "variant",
    "cli",
    "report",
)
CODES = {
    "file-count": "fen-file-count",
    "illegal-piece-in-hand": "fen-illegal-hand",
    "illegal-piece-location": "piece-location",
    "not-a-fen": "fen-not-a-fen",
    "rank-count": "fen-rank-count",
    "unclosed-hand": "fen-unclosed-hand",
}
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

Row = dict[str, Any]
CHECKS: dict[str, Callable[[Row], None]] = {}


def checks(*numbers: int) -> Callable[[Callable[[Row], None]], Callable[[Row], None]]:
    """Say that a function is the check of these rows."""

    def register(check: Callable[[Row], None]) -> Callable[[Row], None]:
        for number in numbers:
            CHECKS[f"BUG-{number:03}"] = check
        return check

    return register


ROWS = {row["id"]: row for row in rows("bug_cases") if row["area"] in AREAS}


def test_every_row_has_a_check():
    assert sorted(ROWS) == sorted(CHECKS)


@pytest.mark.parametrize("name", ROWS)
def test_bug(name):
    CHECKS[name](ROWS[name])


# -- moves on a board ----------------------------------------------------------------------------------------


@checks(1, 2, 3, 4, 7, 8, 17)
def tokens_on_a_board(row: Row) -> None:
    fen = row["input"]["fen"]
    for token, wanted in row["expected"]["tokens"].items():
        position = Position(fen)
        (game,) = adjudicate([GameRecord(fen=fen, tokens=[token], tags={"FEN": fen})])
        codes = [finding.code for finding in game.findings]
        if "move" in wanted:
            assert position.parse(token) == wanted["move"], token
            assert [ply.move for ply in game.moves] == [wanted["move"]], token
            assert codes == [], token
        else:
            with pytest.raises(AmbiguousMove) as caught:
                position.parse(token)
            assert sorted(caught.value.candidates) == sorted(wanted["candidates"]), token
            assert codes == [wanted["error"]], token
            assert sorted(game.findings[0].candidates) == sorted(wanted["candidates"]), token


@checks(12)
def a_coordinate_move_under_both_numberings(row: Row) -> None:
    fen, (token,) = row["input"]["fen"], row["input"]["tokens"]
    error = row["expected"]["error"]
    (game,) = adjudicate([GameRecord(fen=fen, tokens=[token])])
    (finding,) = game.findings
    assert finding.code == error["kind"] and finding.ply == error["at_ply"]
    assert sorted(finding.candidates) == sorted(error["candidates"].values())
    (game,) = adjudicate([GameRecord(fen=fen, tokens=[token], tags={"Format": "ICCS"})])
    assert [ply.move for ply in game.moves] == [error["candidates"]["ranks-0-9"]] and not game.findings
    assert Position(fen).parse(token, "uci") == error["candidates"]["ranks-1-10"]
    assert Position(fen).parse(token, "iccs") == error["candidates"]["ranks-0-9"]


@checks(15)
def an_ambiguity_that_stays_open(row: Row) -> None:
    expected = row["expected"]
    (game,) = adjudicate(row["input"]["text"])
    (wanted,) = expected["ambiguous_tokens"]
    first, second = (finding for finding in game.findings if finding.candidates)
    assert (first.code, first.ply, first.text) == ("ambiguous-move", wanted["ply"], wanted["token"])
    assert sorted(first.candidates) == sorted(wanted["candidates"])
    # The other cannon goes there later: once the first is chosen, nothing is left open.
    assert (second.code, second.ply) == ("ambiguity-settled", 14)
    assert [ply.move for ply in game.moves] in expected["consistent_lines"]
    finals = {_final(START, line) for line in expected["consistent_lines"]}
    assert {game.final_fen} == finals


@checks(16)
def more_written_than_needed(row: Row) -> None:
    (game,) = adjudicate(row["input"]["text"])
    assert [ply.move for ply in game.moves] == row["expected"]["moves"]
    (finding,) = game.findings
    assert finding.code == "over-disambiguated" and finding.details["plies"] == "1, 2, 3"


# -- records -------------------------------------------------------------------------------------------------


@checks(5, 6, 9, 10, 11, 13, 14, 18, 19, 20, 21, 22, 24, 25, 27, 29)
def a_record_is_read(row: Row) -> None:
    expected = row["expected"]
    (game,) = adjudicate(_content(row))
    assert [ply.move for ply in game.moves] == expected["moves"]
    assert len(game.record.tokens) == len(expected["moves"])
    assert not [f for f in game.findings if f.severity == "error"]
    for name, value in expected.get("tags", {}).items():
        assert game.tags[name] == value
    if "result" in expected:
        assert game.tags["Result"] == expected["result"]
    if "start_fen" in expected:
        assert game.start_fen == expected["start_fen"]
    if "encoding" in expected:
        assert game.record.encoding == expected["encoding"]
    for comment in expected.get("comments", ()):
        texts = comment.get("texts") or [comment["text"]]
        assert game.record.comments[comment["after_ply"]] == texts
    for ply, nags in expected.get("nags", {}).items():
        assert game.record.nags[int(ply)] == nags
    if "variations" in expected:
        assert len(game.record.variations) == len(expected["variations"])
        for line, wanted in zip(game.record.variations, expected["variations"], strict=True):
            _check_variation(game, line, wanted)
    for ply, text in expected.get("evals", {}).items():
        _check_evaluation(game, int(ply), text)
    if "issue" in expected:
        _check_issue(game, expected["issue"])


def _check_variation(game: Adjudication, line: Variation, wanted: Row) -> None:
    position = Position(game.start_fen)
    for ply in game.moves[: line.from_ply - 1]:
        position.push(ply.move)
    moves = []
    for token in line.moves:
        moves.append(position.parse(token))
        position.push(moves[-1])
    assert (line.from_ply, moves) == (wanted["from_ply"], wanted["moves"])
    assert line.nags == {int(ply): nags for ply, nags in wanted.get("nags", {}).items()}
    assert [text for texts in line.comments.values() for text in texts] == wanted.get("comments", [])


def _check_evaluation(game: Adjudication, ply: int, text: str) -> None:
    score, _, depth = text.partition("/")
    batch, token = game._batch, game._batch.first_token[game._game] + ply - 1
    assert batch.evaluation[token] == pytest.approx(float(score))
    assert batch.depth[token] == int(depth)


def _check_issue(game: Adjudication, issue: Row) -> None:
    (finding,) = (f for f in game.findings if f.code == issue["kind"])
    for name in ("tag", "terminator"):
        if name in issue:
            assert finding.details[name] == issue[name]
    if "line" in issue:
        assert finding.line == issue["line"]


@checks(23)
def a_tree_survives_writing(row: Row) -> None:
    expected = row["expected"]
    (game,) = adjudicate(row["input"]["text"])
    assert [ply.move for ply in game.moves] == expected["moves"]
    for line, wanted in zip(game.record.variations, expected["variations"], strict=True):
        _check_variation(game, line, wanted)
    text = pgn.write(game.record)
    (again,) = adjudicate(text)
    assert again.record.tokens == game.record.tokens
    assert again.record.variations == game.record.variations
    assert "1..." in text
    assert pgn.write(again.record) == text


@checks(26)
def positions_without_moves_are_games(row: Row) -> None:
    expected = row["expected"]
    games = list(adjudicate(row["input"]["text"]))
    assert [[ply.move for ply in game.moves] for game in games] == expected["moves_per_game"]
    fens = [line.split('"')[1] for line in row["input"]["text"].splitlines() if line.startswith("[FEN")]
    assert [game.start_fen for game in games] == fens
    for number, game in enumerate(games, 1):
        wanted = {issue["kind"] for issue in expected["issues"] if issue["game"] == number}
        assert {f.code for f in game.findings} - {"empty-game", "opponent-in-check"} == wanted


@checks(28)
def long_and_deep_records(row: Row) -> None:
    cycle = ["H0-G2", "H9-G7", "G2-H0", "G7-H9"] * 1500
    text = " ".join(f"{1 + i // 2}. {move}" if i % 2 == 0 else move for i, move in enumerate(cycle))
    (game,) = adjudicate(f'[Format "ICCS"]\n\n{text} *\n')
    assert len(game.moves) == row["expected"]["a"]["plies"]
    levels = "".join("( 1. H2+3 " if k % 2 else "( 1. C2=5 " for k in range(1, 301))
    (game,) = adjudicate(f"1. C2=5 {levels}{') ' * 300}*\n")
    assert [ply.move for ply in game.moves] == ["h3e3"]
    assert game.record.variation_depth() == row["expected"]["b"]["variation_depth"]
    assert not [f for f in game.findings if f.severity != "note"]


@checks(30)
def drops_in_a_game_without_them(row: Row) -> None:
    expected = row["expected"]["games"]
    game, _ = adjudicate(row["input"]["text"], "fortress")
    assert [ply.move for ply in game.moves] == expected[0]["moves"]
    _, game = adjudicate(row["input"]["text"], "xiangqi")
    wanted = expected[1]["error"]
    (finding,) = (f for f in game.findings if f.severity == "error")
    assert finding.code == wanted["kind"] and finding.ply == wanted["at_ply"]
    assert (finding.text, finding.line) == (wanted["token"], wanted["line"])
    assert [ply.move for ply in game.moves] == ["h3e3"]


# -- rules ---------------------------------------------------------------------------------------------------


def _file(row: Row) -> GameRecord:
    batch = containers.read(base64.b64decode(row["input"]["base64"]))
    assert not batch.findings
    return batch.record(0)


@checks(33)
def a_tree_that_branches_at_the_first_move(row: Row) -> None:
    record, expected = _file(row), row["expected"]
    assert record.tokens == expected["mainline"] and record.comments[0] == [expected["root_comment"]]
    lines = [record.tokens, *(variation.moves for variation in record.variations)]
    assert lines == expected["lines"] and all(variation.from_ply == 1 for variation in record.variations)


@checks(34)
def text_in_another_encoding_than_the_usual(row: Row) -> None:
    record, expected = _file(row), row["expected"]
    assert (record.tokens, record.tags["Title"]) == (expected["moves"], expected["title"])
    comments = [{"after_ply": ply, "text": text} for ply, (text,) in record.comments.items()]
    assert comments == expected["comments"] and record.encoding == "utf-8"


@checks(36)
def check_is_not_mate(row: Row) -> None:
    position = Position(row["input"]["fen"])
    position.push(*row["input"]["moves"])
    assert position.is_check() and not position.is_checkmate()
    assert position.legal_moves() == row["expected"]["legal_replies"]
    assert _play(row).result == "*"


@checks(37)
def no_legal_move_loses(row: Row) -> None:
    game = _play(row)
    assert (game.result, game.reason) == (row["expected"]["winner"], row["expected"]["reason"])
    assert game.ply == len(row["input"]["moves"])


@checks(38, 39)
def legal_moves_of_positions(row: Row) -> None:
    positions = [Position(fen) for fen in row["input"]["fens"]]
    assert [position.legal_moves() for position in positions] == row["expected"]["legal_moves"]
    if "in_check" in row["expected"]:
        assert [position.is_check() for position in positions] == row["expected"]["in_check"]


@checks(40, 41, 42)
def faults_of_positions(row: Row) -> None:
    expected = row["expected"]
    results = expected.get("results") or [expected]
    for fen, result in zip(row["input"]["fens"], results, strict=True):
        try:
            faults = Position(fen).faults
        except InvalidFen as error:
            faults = error.faults
        (game,) = adjudicate([GameRecord(fen=fen)])
        assert [f.code for f in game.findings if f.code != "empty-game"] == [f.code for f in faults], fen
        if "error" not in result:
            assert faults == [], fen
            continue
        wanted = dict(result["error"])
        kind = wanted.pop("kind")
        (fault,) = (fault for fault in faults if fault.code == CODES.get(kind, kind))
        for name, value in wanted.items():
            assert fault.details[name] == value, (fen, name)


@checks(43)
def a_record_that_goes_on_past_its_end(row: Row) -> None:
    game = _play(row, "xiangqi-60")
    assert len(game.moves) == row["expected"]["plies"]
    assert (game.reason, game.ply) == ("no-capture", row["expected"]["note_event"]["at_ply"])
    assert game.claim == "played-on" and game.claimed == "red"
    assert ("played-on", game.ply) in [(f.code, f.ply) for f in game.findings]


# -- repetition ----------------------------------------------------------------------------------------------


@checks(44)
def pieces_that_trade_places(row: Row) -> None:
    expected = row["expected"]
    game = _play(row, book="site-draw")
    assert game.result == "*"
    assert game.moves[-1].occurrence == expected["occurrences_of_final_position"]
    starts = Position().key
    assert (
        sum(ply.position_key == starts for ply in game.moves) + 1 == expected["occurrences_of_start_position"]
    )
    further = {
        **row,
        "input": {**row["input"], "moves": row["input"]["moves"] + expected["continuation"]["moves"]},
    }
    game = _play(further, book="site-draw")
    assert (game.reason, game.ply) == ("repetition", 18)


@checks(45)
def the_start_position_counts(row: Row) -> None:
    game = _play(row, book="site-draw")
    assert (game.result, game.reason, game.ply) == ("draw", "repetition", row["expected"]["at_ply"])
    assert list(game.ruling.occurrences) == row["expected"]["occurrence_plies"]


@checks(46)
def the_order_within_a_reserve_is_nothing(row: Row) -> None:
    first, second = (Position(fen, "fortress") for fen in row["input"]["fens"])
    assert (first.key == second.key) is row["expected"]["same_position"]


@checks(47, 50)
def perpetual_check(row: Row) -> None:
    for book in ("site", "axf"):
        _perpetual_check(row, _play(row, book=book))


def _perpetual_check(row: Row, game: Adjudication) -> None:
    expected = row["expected"]
    assert (game.result, game.ply) == (expected["winner"], expected["at_ply"])
    assert game.reason == ("mutual-perpetual-check" if game.result == "draw" else "perpetual-check")
    if game.result != "draw":
        loser = "red" if game.result == "black" else "black"
        assert set(game.ruling.conduct[loser]) == {"check"}


@checks(48, 49, 51)
def perpetual_chase(row: Row) -> None:
    items, results = (
        row["input"].get("items", [row["input"]]),
        row["expected"].get("results", [row["expected"]]),
    )
    for item, expected in zip(items, results, strict=True):
        game = _play({**row, "input": item}, book="axf")
        assert (game.result, game.ply) == (expected["winner"], expected["at_ply"]), game.ruling.explain()
        assert game.reason == ("repetition" if game.result == "draw" else "perpetual-chase")
        assert not game.ruling.disputed


@checks(52)
def a_contested_chase_is_told_as_such(row: Row) -> None:
    expected = row["expected"]
    game = _play(row, book="axf")
    ruling = game.ruling
    assert ruling.ply == expected["at_ply"]
    assert ruling.disputed
    said = {ruling.result, *(other["result"] for other in ruling.others)}
    assert said == {possible["winner"] for possible in expected["possible"]}
    assert "Disputed" in ruling.explain() and ruling.book.title in ("Asian Xiangqi Federation",)


# -- the command ---------------------------------------------------------------------------------------------


@checks(73)
def an_unreadable_file_is_an_error(row: Row) -> None:
    wanted = row["expected"]["error"]
    (game,) = adjudicate(row["input"]["text"])
    (finding,) = (f for f in game.findings if f.severity == "error")
    assert (finding.code, finding.text) == (wanted["kind"], wanted["token"])
    assert (finding.line, finding.column) == (wanted["line"], wanted["column"])
    with _files({"moves.txt": row["input"]["text"]}) as check:
        assert check("moves.txt").exit_code == 0
        result = check("--strict", "moves.txt")
        assert result.exit_code == 1
        assert "line 1:4, error unreadable-token: Z9" in result.output


@checks(74)
def files_without_games_are_told(row: Row) -> None:
    files = {file["name"]: file["text"] for file in row["input"]["files"]}
    with _files(files) as check:
        result = check(*files)
        assert result.exit_code == 0
        assert result.output.count("no games found") == len(files)
        assert "0 games" in result.output
        assert check("--strict", *files).exit_code == 1


# -- reports -------------------------------------------------------------------------------------------------


@checks(68)
def seats_of_different_games_are_not_added_up(row: Row) -> None:
    balance, report = _reports()
    games: dict[str, list[str]] = {}
    for game in row["input"]["rows"]:
        games.setdefault(game["ruleset"], []).append(CLAIMED[game["result"]])
    frames = {
        rules: pl.DataFrame(
            {"record": range(len(found)), "outcome": found, "weight": [1.0] * len(found), "start": "usual"}
        )
        for rules, found in games.items()
    }
    for rules, wanted in row["expected"]["per_ruleset"].items():
        rows = balance.results(frames[rules], Words()).rows
        won = {line["outcome"]: line["won"] for line in rows}
        assert won == {"red": wanted["first"], "black": wanted["second"], "draw": wanted["draw"]}
    across = report.across(frames, Words())
    assert across.rows[-1]["decisive"] == row["expected"]["across"]["decisive"]
    assert across.rows[-1]["draw"] == row["expected"]["across"]["draw"]
    assert not {"red", "black"} & {column.name for column in across.columns}


@checks(69)
def records_without_a_game_are_left_out_and_listed(row: Row) -> None:
    _reports()
    from pipeline.reports.facts import judged

    games = pl.LazyFrame(
        {
            "record": [game["id"] for game in row["input"]["rows"]],
            "plies_replayed": [game["plies"] for game in row["input"]["rows"]],
            "claimed": [CLAIMED[game["result"]] for game in row["input"]["rows"]],
            "result": "*",
            "claim": "unverifiable",
        }
    ).with_columns(
        pl.lit(None, pl.String).alias("reason"),
        pl.lit(None, pl.String).alias("termination"),
        pl.lit(None, pl.UInt32).alias("end_ply"),
        pl.lit(None, pl.UInt32).alias("duplicate_of"),
        pl.lit(None, pl.UInt64).alias("game_id"),
        pl.lit(None, pl.String).alias("other_variant"),
    )
    found = judged(games).collect()
    assert found.filter(pl.col("excluded").is_null())["record"].to_list() == row["expected"]["counted"]
    words = Words()
    why = {
        game["record"]: words(f"excluded-{game['excluded']}") for game in found.to_dicts() if game["excluded"]
    }
    assert why == {game["id"]: game["why"] for game in row["expected"]["excluded"]}
    assert judged(games, min_plies=41).collect()["excluded"].to_list()[3] == "too-short"


@checks(70)
def no_verdict_from_a_handful_of_games(row: Row) -> None:
    balance, _ = _reports()
    for game in row["input"]["rows"]:
        outcomes = ["red"] * game["first"] + ["black"] * game["second"] + ["draw"] * game["draw"]
        games = pl.DataFrame(
            {"outcome": outcomes, "weight": [1.0] * len(outcomes), "start": "usual"}
        ).with_columns(first_won=balance.red_won())
        red = balance.first_share(games)
        wanted = row["expected"]["wilson95"][game["ruleset"]]
        assert (red.low, red.high) == pytest.approx(wanted, abs=row["expected"]["tolerance"])
        said = balance.advantage(games, Words())
        assert said.endswith(row["expected"]["wording"][game["ruleset"]])
        assert f"n = {len(outcomes)}" in said


@checks(71)
def names_are_shown_as_they_are(row: Row) -> None:
    """In the page's text; `test_report_browser` sees that a browser draws them."""
    _reports()
    from pipeline.reports.words import shown

    (game,) = row["input"]["rows"]
    assert (shown(game["red"]), shown(game["black"])) == (game["red"], game["black"])


@checks(72)
def numbers_go_on_from_the_start_position(row: Row) -> None:
    fen = row["input"]["fen"]
    record = GameRecord(fen=fen, tags={"FEN": fen, "SetUp": "1"}, tokens=row["input"]["moves"])
    (ruled,) = adjudicate([record])
    shown_game = match.study_of([(1, Checked("made.pgn", game=1, ruled=ruled))], match.Wishes())["games"][0]
    plies = shown_game["lines"][0]["plies"]
    assert [f"{ply['label']} " for ply in plies] == row["expected"]["numbering"]
    assert [ply["move"] for ply in plies] == row["input"]["moves"]
    assert len(plies) == row["expected"]["moves"]


@checks(31)
def the_main_line_is_the_one_labelled_so(row: Row) -> None:
    expected = row["expected"]
    (game,) = adjudicate(_content(row))
    assert [ply.move for ply in game.moves] == game.record.tokens == expected["moves"]
    (line,) = game.record.variations
    assert [{"from_ply": line.from_ply, "moves": line.moves}] == expected["variations"]
    assert game.record.tags["Title"] == "试局" and not game.findings


@checks(32)
def a_composition_says_by_its_first_move_who_is_to_move(row: Row) -> None:
    expected = row["expected"]
    (game,) = adjudicate(_content(row))
    assert game.start_fen == game.record.fen == expected["start_fen"]
    assert game.moves[0].side == expected["first_mover"]
    assert [ply.move for ply in game.moves] == expected["moves"]
    assert not game.findings


# -- variants ------------------------------------------------------------------------------------------------


@checks(53, 54)
def what_a_capture_removes(row: Row) -> None:
    expected = row["expected"]
    game = _play(row, "atomic")
    (ply,) = game.moves
    cleared = {entry.partition("=")[0] for entry in ply.explosion}
    assert cleared == {point for point in expected["removed"] if point != "capturer"}
    assert game.final_fen.split()[0] == expected["board_after"]
    position = Position(game.final_fen, "atomic")
    assert all(position.piece_at(point) for point in expected["kept"])
    assert position.piece_at(ply.to) is None and position.piece_at(ply.start) is None


@checks(55)
def a_blast_wins_even_in_check(row: Row) -> None:
    expected, fen = row["expected"], row["input"]["fen"]
    position = Position(fen, "atomic")
    legal = position.legal_moves()
    assert position.is_check() == expected["in_check"]
    assert set(expected["must_include"]) <= set(legal) and not set(expected["must_exclude"]) & set(legal)
    ((move, after),) = expected["after"].items()
    (game,) = adjudicate([GameRecord(fen=fen, tokens=[move])], "atomic")
    assert (game.result, game.reason) == (after["winner"], "general-gone")
    (game,) = adjudicate([GameRecord(fen=fen, tokens=expected["must_exclude"])], "atomic")
    assert game.findings[0].code == "blast-own-general"


@checks(56)
def moves_are_written_on_the_board_after_the_blast(row: Row) -> None:
    for rules, texts in (("atomic", "chess_style"), ("xiangqi", "standard_xiangqi_would_say")):
        position = Position(row["input"]["fen"], rules)
        written = []
        for move in row["input"]["moves"]:
            written.append(position.write(move, "algebraic"))
            position.push(move)
        assert written == row["expected"][texts]


@checks(57)
def a_threat_of_a_blast_on_every_move_loses(row: Row) -> None:
    game = _play(row, "atomic")
    assert (game.result, game.reason, game.ply) == (
        row["expected"]["winner"],
        "perpetual-check",
        row["expected"]["at_ply"],
    )
    assert [ply.check for ply in game.moves if ply.side == "black"] == [False] * 4
    assert [ply.wide_check for ply in game.moves] == [False, True] * 4


@checks(58)
def a_record_of_an_earlier_revision(row: Row) -> None:
    expected = row["expected"]
    items = zip(row["input"]["items"], expected["results"], expected["legal_soldier_moves"], strict=True)
    for item, result, legal in items:
        (game,) = adjudicate([GameRecord(fen=item["fen"], tokens=item["moves"])], "fortress-river")
        soldier = item["moves"][0][:2]
        moves = Position(item["fen"], "fortress-river").legal_moves()
        assert [move for move in moves if move.startswith(soldier)] == sorted(legal)
        if "error" in result:
            (finding,) = game.findings
            assert (finding.code, finding.ply) == (result["error"]["kind"], result["error"]["at_ply"])
            assert "the whole record is legal under the rules fortress" in finding.suggestion
        else:
            assert not game.findings and len(game.moves) == 1


@checks(59)
def drops_and_steps_of_the_treasure(row: Row) -> None:
    tokens = row["expected"]["tokens"]
    assert list(tokens) == row["input"]["tokens"]
    for token, wanted in tokens.items():
        (game,) = adjudicate([GameRecord(fen=row["input"]["fen"], tokens=[token])], "fortress-river")
        if wanted.get("ok"):
            assert len(game.moves) == 1 and not game.findings, token
        else:
            assert [finding.code for finding in game.findings] == [wanted["error"]], token
        if "same_as" in wanted:
            position = Position(row["input"]["fen"], "fortress-river")
            assert position.parse(token) == position.parse(wanted["same_as"])
    (game,) = adjudicate([GameRecord(fen=row["input"]["fen"], tokens=["p@d6"])], "fortress-river")
    assert "Red holds no soldier; Black does" in game.findings[0].message()


@checks(60)
def reserves_of_a_position(row: Row) -> None:
    for fen, result in zip(row["input"]["fens"], row["expected"]["results"], strict=True):
        if "error" in result:
            with pytest.raises(InvalidFen) as caught:
                Position(fen, "fortress")
            (fault,) = caught.value.faults
            assert fault.code == CODES[result["error"]["kind"]]
            assert fault.details.get("piece") == result["error"].get("piece")
            continue
        same = row["input"]["fens"][result["same_as"]] if "same_as" in result else fen
        position = Position(fen, "fortress")
        assert not position.faults and position.key == Position(same, "fortress").key
        if "hands" in result:
            held = {side: hand for side, hand in position.reserves().items() if hand}
            assert held == result["hands"]


# -- helpers -------------------------------------------------------------------------------------------------


@contextmanager
def _files(files: dict[str, str]) -> Iterator[Callable[..., Result]]:
    """``caipan check`` in a folder with these files."""
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text)

        def check(*args: str) -> Result:
            paths = [str(Path(folder, arg)) if arg in files else arg for arg in args]
            return CliRunner().invoke(main, ["check", *paths], catch_exceptions=False)

        yield check


CLAIMED = {"1-0": "red", "0-1": "black", "1/2-1/2": "draw", "*": "*"}


def _reports() -> tuple[Any, Any]:
    """The modules that say who wins, which need an extra."""
    pytest.importorskip("scipy", reason="reports need the extra caipan[report]")
    pytest.importorskip("matplotlib", reason="reports need the extra caipan[report]")
    from pipeline.reports import balance, report

    return balance, report


def _content(row: Row) -> bytes:
    source = row["input"]
    return base64.b64decode(source["base64"]) if "base64" in source else source["text"].encode()


def _play(row: Row, rules: str = "xiangqi", book: str | None = None) -> Adjudication:
    fen, tags = row["input"]["fen"], row["input"].get("tags", {})
    record = GameRecord(fen=fen, tokens=row["input"]["moves"], tags=tags)
    (game,) = adjudicate([record], rules, book)
    assert [ply.move for ply in game.moves] == row["input"]["moves"]
    return game


def _final(fen: str, moves: list[str]) -> str:
    game = Game(fen)
    for move in moves:
        game.push(move)
    return game.fen()
