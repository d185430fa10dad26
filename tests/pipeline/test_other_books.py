"""A stored run ruled under other books: the same rulings as adjudicating anew, and the comparison of books."""

import json
import re
import shutil

import polars as pl
import pytest
from click.testing import CliRunner

from adjudicator import RuleBook
from law.lines import DIAGRAMS, vectors
from pipeline import check, comparison, rulings, run
from pipeline.cli import main
from reference.oracle import rows

BOOKS = [name for name in RuleBook.ids() if not RuleBook.load(name).needs]
RULINGS = ["record", "result", "reason", "end_ply", "cycle", "claim", "disputed"]


def pgn(games):
    """Records of (fen, moves, result)."""
    return "".join(
        f'[Event "{number}"]\n[FEN "{fen}"]\n[Result "{result}"]\n\n{" ".join(moves)} {result}\n\n'
        for number, (fen, moves, result) in enumerate(games)
    )


def adjudicated(folder, out, rules, book=None):
    run.adjudicate([folder], rules=rules, book=book, out=out, jobs=1, force=True)
    return out


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """A folder with the vectors' lines, in two files, and a run over it."""
    folder = tmp_path_factory.mktemp("lines")
    games = [(row["fen"], row["moves"], "1-0") for row in vectors()]
    (folder / "one.pgn").write_text(pgn(games[:100]))
    (folder / "two.pgn").write_text(pgn(games[100:]))
    return folder, adjudicated(folder, tmp_path_factory.mktemp("out") / "run", "xiangqi")


def told(path, columns=RULINGS):
    frame = pl.read_parquet(path, columns=columns)
    return frame.with_columns(pl.col(pl.Categorical).cast(pl.String)).sort("record").to_dicts()


@pytest.mark.parametrize("book", BOOKS)
def test_rulings_are_those_of_adjudicating_anew(lines, tmp_path, book):
    folder, out = lines
    ruled = rulings.rule(out, book)
    anew = adjudicated(folder, tmp_path / "anew", "xiangqi", book)
    assert told(ruled.out) == told(anew / "games" / "part-*.parquet")
    assert ruled.games == len(vectors())


@pytest.mark.parametrize("rules", ["atomic", "fortress", "jump-cannon"])
@pytest.mark.parametrize("book", ["site", "site-draw", "none", "axf"])
def test_other_rule_sets_are_ruled_alike(tmp_path, rules, book):
    # The engine's jump-cannon does not forbid a third creation; our replay stops there, whatever the book.
    games = [
        (row["start_fen"], [move.replace("N@", "H@").replace("Q@", "T@") for move in row["moves"]], "*")
        for row in rows("annotated_games")
        if row["ruleset"] == rules
    ]
    if rules == "atomic":  # over before its first move
        games.append(("4r4/9/9/9/9/9/9/9/9/4K4 b - - 0 40", [], "1-0"))
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "games.pgn").write_text(pgn(games))
    out = adjudicated(folder, tmp_path / "run", rules)
    ruled = rulings.rule(out, book)
    assert told(ruled.out) == told(
        adjudicated(folder, tmp_path / "anew", rules, book) / "games" / "part-*.parquet"
    )


def test_a_fold_of_which_nothing_is_stored(lines, tmp_path):
    folder, out = lines
    ruled = rulings.rule(out, "axf", {"fold": 2})
    assert ruled.out.name == "axf+fold=2.parquet"
    run.adjudicate([folder], rules="xiangqi", book="axf", settings={"fold": 2}, out=tmp_path / "anew", jobs=1)
    assert told(ruled.out) == told(tmp_path / "anew" / "games" / "part-*.parquet")


def test_losses_and_disputed_rulings_tell_their_reasons(lines):
    ruled = rulings.rule(lines[1], "axf")
    columns = [*RULINGS, "occurrences", "red", "black", "clauses", "explanation", "explanation_zh", "details"]
    rows_ = told(ruled.out, columns)
    lost = [row for row in rows_ if row["reason"] == "perpetual-chase"]
    assert lost and all(row["explanation"] and row["explanation_zh"] and row["clauses"] for row in lost)
    row = rows_[len(vectors()) - len(DIAGRAMS)]  # D105
    assert (row["result"], row["disputed"], row["occurrences"]) == ("black", "draw", [0, 4, 8])
    assert row["red"] == ["chase"] * 4
    details = json.loads(row["details"])
    assert details["acts"][0]["threats"] == [
        {"attacker": "chariot d2", "target": "horse c2", "standing": "unprotected", "uncovered": False}
    ]
    assert details["others"][0]["result"] == "draw"
    plain = [row for row in rows_ if row["reason"] == "repetition" and not row["disputed"]]
    assert plain and not any(row["explanation"] for row in plain)
    told_all = told(rulings.rule(lines[1], "axf", reasons=True).out, columns)
    assert all(row["explanation"] for row in told_all if row["reason"] == "repetition")


def test_books_are_compared(lines):
    found = comparison.compare(lines[1], ["site", "axf", "cxa"])
    assert found.games == len(vectors())
    changed = found.changed.to_dicts()
    assert all(len({row["result_site"], row["result_axf"], row["result_cxa"]}) > 1 for row in changed)
    report = comparison.report(found)
    assert any("site draw (repetition) → axf black (perpetual-chase)" in line for line in report)


def test_a_comparison_gives_reasons_in_the_words_of_check(lines):
    folder, out = lines
    found = comparison.compare(out, ["site", "axf", "cxa"])
    rows = comparison.told(found)
    assert len(rows) == found.changed.height > 0
    for book in found.books:
        checked = [record.ruled for record in check.check([folder], rules="xiangqi", book=book)]
        for row in rows:
            ruled = checked[row["record"]]
            if ruled.result == "*":
                assert not any("wins" in why for why in row[f"why_{book}"])
            else:
                assert row[f"why_{book}"][0] == ruled.ruling.explain()
    words = comparison.report(found, 1)
    assert f"    {rows[0]['why_site'][0]}" in words and not any("*" in line for line in words)


# Both sides shuffle to the third occurrence after ply 8; nothing is captured.
SHUFFLE = ["h1g3", "h10g8", "g3h1", "g8h10"] * 2
HOUSE = 'id = "house"\nextends = "site"\ntitle = "House"\nsource = "club"\ndate = "2026"\n'
OWN = "the book's own, before the 6 of the rule set mine"


@pytest.mark.parametrize(
    "limit, house, said",
    [
        (6, "fold = 0\n[limit]\nplies = 9", f"the limit of 9 plies without a capture is not reached ({OWN})"),
        (6, "fold = 0\n[limit]\nplies = 0", "no number of plies without a capture draws"),
        (0, "fold = 0", "no repetition is ruled on"),
        (0, "fold = 5", "a repetition is ruled on when the position stands 5 times"),
    ],
)
def test_a_comparison_says_which_rule_does_not_bind(tmp_path, limit, house, said):
    (tmp_path / "house.toml").write_text(HOUSE + house + "\n")
    rules = 'id = "mine"\nextends = "xiangqi"\ntitle = "M"\nsource = "we"\ndate = "2026"\n'
    (tmp_path / "mine.toml").write_text(f"{rules}[ending]\nno_capture_limit = {limit}\n")
    (tmp_path / "games.pgn").write_text(f'[Result "*"]\n\n{" ".join(SHUFFLE)} *\n')
    out = adjudicated(tmp_path / "games.pgn", tmp_path / "run", str(tmp_path / "mine.toml"))
    found = comparison.compare(out, ["site", str(tmp_path / "house.toml")])
    assert [row["why_house"] for row in comparison.told(found)] == [[said]]
    report = comparison.report(found)
    assert "  house open" in report and f"    {said}" in report
    limits = {9: f"  house after 9 plies ({OWN})", 0: "  house none"}
    told = [line for plies, line in limits.items() if house.endswith(f"plies = {plies}")]
    assert report[report.index("draws without a capture:") + 2 :] == told if limit else told == []


def test_of_two_rules_on_one_ply_the_first_test_rules(tmp_path):
    """After the ninth ply the position stands for the third time, and the clock runs out."""
    for name, order in (("one", '"repetition", "no-capture"'), ("two", '"no-capture", "repetition"')):
        text = f'precedence = ["general", "mate", {order}]\n[limit]\nplies = 9\n'
        (tmp_path / f"{name}.toml").write_text(HOUSE.replace("house", name) + text)
    moves = ["a2d2", *["d10e10", "d2e2", "e10d10", "e2d2"] * 2]
    (tmp_path / "games.pgn").write_text(pgn([("3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1", moves, "*")]))
    out = adjudicated(tmp_path / "games.pgn", tmp_path / "run", "xiangqi")
    [row] = comparison.told(
        comparison.compare(out, [str(tmp_path / f"{name}.toml") for name in ("one", "two")])
    )
    assert (row["result_one"], row["result_two"]) == ("black", "draw")
    assert row["why_one"][1:] == ["repetition is tested before captures"]
    assert row["why_two"][1:] == ["captures are tested before repetition"]


def test_a_comparison_of_some_games_keeps_their_numbers(lines):
    words = ["compare", str(lines[1]), "--book", "site", "--book", "axf", "--list", "1000"]
    whole = CliRunner().invoke(main, words).stdout.splitlines()
    heads = [line for line in whole if "  game " in line]
    record = comparison.compare(lines[1], ["site", "axf"]).changed["record"].to_list()
    one = (
        CliRunner().invoke(main, [*words, "--game", str(record[0] + 1), "--game", str(record[-1] + 1)]).stdout
    )
    assert [line for line in one.splitlines() if "  game " in line] == [heads[0], heads[-1]]
    assert "\n2 games, 2 with different results\n" in one
    none = CliRunner().invoke(main, [*words, "--game", "100000"])
    assert none.exit_code == 1 and f"no game 100000; there are {len(vectors())}" in none.stderr


def test_so_many_games_of_a_comparison_are_listed_as_asked(lines):
    words = ["compare", str(lines[1]), "--book", "site", "--book", "axf", "--list"]
    few, all_ = (CliRunner().invoke(main, [*words, number]).stdout for number in ("3", "1000"))
    assert few.count("  game ") == 3
    more = all_.count("  game ") - 3
    assert more > 0 and f"\n… {more} more: --list N shows them, --json has them all\n" in few
    assert few.splitlines()[-3:] == all_.splitlines()[-3:]


def test_a_comparison_rules_what_it_lacks_and_keeps_what_it_has(lines):
    out = lines[1]
    path = rulings.rule(out, "wxf").out
    before = path.stat().st_mtime_ns
    assert rulings.ruled(out, "wxf").stat().st_mtime_ns == before
    path.write_bytes(b"not a table")
    assert told(rulings.ruled(out, "wxf"))


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["rule", "{run}", "--book", "afx"], "did you mean 'axf'"),
        (["rule", "{run}", "--book", "axf", "--set", "chase.target=all"], "did you mean 'chase.targets'"),
        (
            ["rule", "{run}", "--book", "axf", "--set", "no_capture_limit=60"],
            "the run's own --set counts: adjudicate again with --set no_capture_limit=60,"
            " or set the book's limit, --set limit.plies=60",
        ),
        (
            ["rule", "{run}", "--book", "axf", "--set", "ending.stalemate=draw"],
            "adjudicate again with --set ending.stalemate=draw ",
        ),
        (["rule", "{empty}", "--book", "axf"], "no run of caipan here"),
        (["compare", "{run}", "--book", "axf"], "at least two different books"),
    ],
)
def test_what_is_asked_wrongly_is_said_in_a_line(lines, tmp_path, arguments, said):
    words = [word.format(run=lines[1], empty=tmp_path) for word in arguments]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert said in result.output.replace("\n", " ")


def test_a_run_without_games_has_none_to_compare(tmp_path):
    (tmp_path / "records").mkdir()
    run.adjudicate([tmp_path / "records"], rules="xiangqi", out=tmp_path / "out", jobs=1)
    assert comparison.compare(tmp_path / "out", ["site", "axf"]).games == 0


def _copy(run, to):
    shutil.copytree(run, to, ignore=shutil.ignore_patterns(rulings.FOLDER))
    return to


@pytest.mark.parametrize("table", ["games", "moves", "conduct"])
@pytest.mark.parametrize("content", [None, b"", b"hi", b"PAR1 and no more"])
def test_a_damaged_run_is_told_in_a_line(lines, tmp_path, table, content):
    run = _copy(lines[1], tmp_path / "run")
    path = next((run / table).glob("*.parquet"))
    path.unlink() if content is None else path.write_bytes(content)
    for words in (
        ["rule", str(run), "--book", "axf"],
        ["compare", str(run), "--book", "axf", "--book", "cxa"],
    ):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 2
        assert "missing or damaged" in result.output.replace("\n", " ")


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda head: [], "no run of caipan here"),
        (lambda head: head | {"parts": 5}, "no run of caipan here"),
        (lambda head: head | {"schema": head["schema"] - 1}, "another version of caipan"),
        (lambda head: head | {"shards": head["shards"] + 1}, "the run was stopped"),
        (lambda head: head | {"rules": head["rules"] | {"fingerprint": "old"}}, "xiangqi is not as it was"),
    ],
)
def test_a_run_that_is_not_this_one_is_refused(lines, tmp_path, change, said):
    run = _copy(lines[1], tmp_path / "run")
    path = run / "manifest.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(rulings.NoRun, match=said):
        rulings.rule(run, "axf")


def test_a_book_of_ones_own_is_ruled_by_and_compared(lines, tmp_path):
    house = tmp_path / "house.toml"
    text = 'id = "house"\nextends = "axf"\ntitle = "House"\nsource = "club"\ndate = "2026"\n'
    house.write_text(text)
    run = lines[1]
    assert rulings.rule(run, str(house)).out.name == "house.parquet"
    found = comparison.compare(run, ["axf", str(house)])
    assert [*found.books] == ["axf", "house"] and not found.changed.height
    # Another book by the same name is not taken for what was ruled before.
    house.write_text(text + "perpetual_check = 'draw'\n[levels]\nchase = 0\n")
    assert comparison.compare(run, ["axf", str(house)]).changed.height


def test_the_commands(lines):
    result = CliRunner().invoke(main, ["rule", str(lines[1]), "--book", "axf", "--book", "site"])
    assert result.exit_code == 0
    assert "black (perpetual-chase)" in result.stdout and "disputed" in result.stdout
    result = CliRunner().invoke(main, ["compare", str(lines[1]), "--book", "site", "--book", "axf", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout.splitlines()[0])["result_site"]


def test_a_limit_that_the_run_sets_stands_under_other_books(lines, tmp_path):
    folder, _ = lines
    out = tmp_path / "run"
    run.adjudicate([folder], rules="xiangqi", out=out, settings={"no_capture_limit": 8}, jobs=1)
    anew = tmp_path / "anew"
    run.adjudicate([folder], rules="xiangqi", out=anew, settings={"limit.plies": 8}, book="axf", jobs=1)
    path = rulings.rule(out, "axf").out
    assert told(path) == told(anew / "games" / "part-*.parquet")
    assert told(path) != told(rulings.rule(out, "axf", {"limit.plies": 100}).out)


def test_a_book_that_says_nothing_under_the_rules_is_refused_by_every_command(lines, tmp_path):
    folder, out = lines
    for words in (
        ["adjudicate", folder, "--out", tmp_path / "other"],
        ["check", folder],
        ["rescore", folder],
        ["rescore", out],
        ["rule", out],
        ["compare", out, "--book", "site"],
        ["study", folder, "--out", tmp_path / "study.html"],
    ):
        done = CliRunner().invoke(main, [*map(str, words), "--book", "forbid-third"])
        assert done.exit_code == 2, words
        assert "add --set legality.creations=2, or choose another book" in done.stderr


def test_a_comparison_is_in_chinese_where_it_is_asked_for(lines):
    books = [word for book in ("site", "axf", "cxa", "none") for word in ("--book", book)]
    done = CliRunner().invoke(main, ["compare", str(lines[1]), *books, "--lang", "zh", "--list", "1000"])
    assert done.exit_code == 0, done.output
    for said in ("不裁重复局面", "有争议：和棋", "和棋（重复局面） → axf 红胜（长捉）", "局结果不同"):
        assert said in done.stdout
    assert not re.search(r"[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}|\bopen\b|\bdraw\b", done.stdout)
    told = CliRunner().invoke(main, ["compare", str(lines[1]), *books, "--lang", "zh", "--json"]).stdout
    assert "步步捉" in json.loads(told.splitlines()[0])["why_axf"][0]
