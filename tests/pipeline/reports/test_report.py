"""The command, its page, Markdown and tables: several runs, empty and damaged ones, hostile names."""

import json
import multiprocessing
import os
import random
import re
import struct
import subprocess
import sys
import time
from functools import partial
from html import unescape

import polars as pl
import pytest
from click.testing import CliRunner

pytest.importorskip("scipy", reason="reports need the extra caipan[report]")
pytest.importorskip("matplotlib", reason="reports need the extra caipan[report]")

from runs_made import OPEN, REPOSITORY, make_run, record, sample_run

from adjudicator import Game, Ruleset
from adjudicator.variants import known_as
from pipeline.cli import main
from pipeline.reports import artist, charts, markdown, page
from pipeline.reports.report import report
from pipeline.reports.words import LANGUAGES, Words, _pairs, shown

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
RTL = "\u202eevil\u202d \u2067x"


@pytest.fixture(scope="module")
def atomic(tmp_path_factory):
    return sample_run(tmp_path_factory.mktemp("atomic"), "atomic")


@pytest.fixture(scope="module")
def fortress(tmp_path_factory):
    return sample_run(tmp_path_factory.mktemp("fortress"), "fortress")


def caipan(*words):
    return CliRunner().invoke(main, ["report", *map(str, words)])


def cells(row):
    """The cells of a line of a Markdown table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


# -- what it writes ----------------------------------------------------------------------------------


def test_page_markdown_and_tables_say_the_same(atomic, tmp_path):
    done = caipan(
        atomic, "--out", tmp_path / "r.html", "--out", tmp_path / "r.md", "--tables", tmp_path / "t"
    )
    assert done.exit_code == 0, done.output
    html, text = (tmp_path / "r.html").read_text("utf-8"), (tmp_path / "r.md").read_text("utf-8")
    made = report([atomic])
    (section,) = made.sections
    assert [figure.name for figure in section.figures] == list(dict.fromkeys(f.name for f in section.figures))
    for figure in section.figures:
        assert f'<figure id="atomic-{figure.name}"' in html
        assert figure.finding.replace("-", "\\-") in text or figure.finding in text.replace("\\", "")
        table = pl.read_parquet(tmp_path / "t" / f"{figure.name}.parquet")
        assert table.equals(figure.frame)
    assert {path.stem for path in (tmp_path / "t").iterdir()} == {"games", *(f.name for f in section.figures)}


def test_every_share_stands_with_its_n_and_interval(atomic, fortress):
    """A share in a table has an interval that holds it, and a number of games beside it."""
    for section in report([atomic, fortress]).sections:
        for figure in section.figures:
            for column in figure.columns:
                if column.kind == "share":
                    frame = figure.frame if column.name in figure.frame.columns else figure.shown
                    low, value, high = (
                        frame[f"{column.name}{end}"].fill_nan(None) for end in ("_low", "", "_high")
                    )
                    assert "n" in frame.columns, (figure.name, column.name)
                    assert ((low <= value + 1e-12) & (value <= high + 1e-12)).all(), (
                        figure.name,
                        column.name,
                    )


def test_games_named_are_listed_and_games_of_the_tables_are_those_behind_the_figures(atomic, tmp_path):
    done = caipan(atomic, "--out", tmp_path / "r.html", "--tables", tmp_path / "t", "--format", "csv")
    assert done.exit_code == 0, done.output
    html = (tmp_path / "r.html").read_text("utf-8")
    targets = set(re.findall(r'href="#([^"]+)"', html))
    assert targets <= set(re.findall(r'\bid="([^"]+)"', html))
    assert any(target.startswith("atomic-game-") for target in targets)
    games = pl.read_csv(tmp_path / "t" / "games.csv")
    counted = games.filter(pl.col("excluded").is_null())
    results = pl.read_csv(tmp_path / "t" / "results.csv")
    usual = counted["start_fen"] == Ruleset.load("atomic").start
    assert set(results["start"]) == {"book", "set"}
    for row in results.to_dicts():
        behind = counted.filter((pl.col("outcome") == row["outcome"]) & (usual == (row["start"] == "book")))
        assert row["won"] == behind.height
        assert row["games"] == " ".join(map(str, behind["record"].head(5)))
    for name in ("openings", "pairings"):
        table = pl.read_csv(tmp_path / "t" / f"{name}.csv")
        group = name.removesuffix("s")
        sizes = dict(counted[group].value_counts().rows())
        assert sizes == dict(table.select(group, "played").rows())


def test_the_same_run_gives_the_same_bytes(atomic, tmp_path):
    command = [sys.executable, "-m", "pipeline", "report", str(atomic), "--tables", "t"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        subprocess.run(
            [*command, "--out", "r.html", "--out", "r.md"],
            cwd=tmp_path / name,
            env={"PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": {"one": "1", "two": "2"}[name]},
            stdout=subprocess.DEVNULL,
            check=True,
        )
    files = sorted(
        path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()
    )
    assert len(files) > 20
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes(), path


@pytest.mark.parametrize("start", multiprocessing.get_all_start_methods())
def test_an_artist_draws_what_is_drawn_here(atomic, monkeypatch, start):
    here = page.html(report([atomic]))
    monkeypatch.setattr(artist, "_START", start)
    with artist.Artist() as drawing:
        made = report([atomic], artist=drawing)
        monkeypatch.setattr("pipeline.reports.charts._finish", None)  # nothing is drawn here now
        assert page.html(made) == here
    assert not drawing._process.is_alive()


def killed(drawing):
    drawing._process.kill()
    drawing._process.join()


def dies_while_it_sends(theirs, ours):
    ours.close()
    theirs.recv()
    os.write(theirs.fileno(), struct.pack("!i", 100_000) + b"half")  # the length of a message, and some of it


def refuse(process):
    raise OSError("no more processes")


@pytest.mark.parametrize(
    "patched, patch, then",
    [
        pytest.param(None, None, killed, id="killed"),
        pytest.param(
            "pipeline.reports.artist._draw", dies_while_it_sends, None, id="killed while it sends a chart"
        ),
        pytest.param("multiprocessing.process.BaseProcess.start", refuse, None, id="refused"),
    ],
)
def test_what_no_artist_draws_is_drawn_here(atomic, monkeypatch, patched, patch, then):
    here = page.html(report([atomic]))
    if patched:
        monkeypatch.setattr(patched, patch)
    with artist.Artist() as drawing:
        if then:
            then(drawing)
        assert page.html(report([atomic], artist=drawing)) == here


def report_of(run, out):
    with artist.Artist() as drawing:
        out.write_text(page.html(report([run], artist=drawing)), encoding="utf-8")


def test_a_daemon_has_no_artist_and_makes_reports_all_the_same(atomic, tmp_path):
    out = tmp_path / "r.html"
    daemon = multiprocessing.get_context("spawn").Process(target=report_of, args=(atomic, out), daemon=True)
    daemon.start()
    daemon.join()
    assert out.read_text("utf-8") == page.html(report([atomic]))


def test_names_in_a_chart_stand_as_they_are():
    labels = [
        "Pikafish 2023.0305 – Fairy 14.00125",
        "#040404",
        ' id="text_1"',
        "font-family: abc; x",
        "<!-- -->",
    ]
    marks = [charts.Mark(0.5, 0.25, 0.75, 10)] * len(labels)
    drawn = charts.dots(marks, labels=labels, words=Words(), label="Share")
    assert [
        text for text in map(unescape, re.findall(r">([^<>]+)</text>", drawn)) if text in labels
    ] == labels


def test_what_is_wrong_with_a_chart_is_raised_where_it_is_fetched():
    with artist.Artist() as drawing:
        bad = drawing.draw(partial(int, "x"))
        with pytest.raises(ValueError, match="invalid literal"):
            bad()


def test_leaving_an_artist_waits_for_no_chart():
    begun = time.monotonic()
    with artist.Artist() as drawing:
        drawing.draw(partial(time.sleep, 60))
        drawing.draw(partial(time.sleep, 60))
    assert time.monotonic() - begun < 30


def test_rule_sets_are_never_mixed(atomic, fortress):
    """A section each; what is said of both together knows no seats."""
    both = report([atomic, fortress])
    assert [section.name for section in both.sections] == ["atomic", "fortress"]
    for section, run in zip(both.sections, (atomic, fortress), strict=True):
        (alone,) = report([run]).sections
        assert [figure.finding for figure in section.figures] == [figure.finding for figure in alone.figures]
    assert not {"red", "black"} & set(both.across.frame.columns)
    assert both.across.rows[-1]["n"] == sum(section.facts.games.height for section in both.sections)
    assert report([atomic]).across is None


def test_one_run_twice_keeps_its_sections_apart(atomic):
    html = page.html(report([atomic, atomic]))
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids)) and '<section id="run-2">' in html


def test_runs_of_one_rule_set_are_called_by_their_folders(tmp_path):
    """What they have in common is no name for one of them, and a number is no rule set."""
    runs = []
    for name in ("may", "June cup", "other"):
        (tmp_path / name).mkdir()
        made = make_run(tmp_path / name, record(), "atomic" if name == "other" else "xiangqi")
        runs.append(made.rename(tmp_path / name / name))
    both = report(runs)
    assert [section.name for section in both.sections] == ["may", "June-cup", "atomic"]
    headings = [section.heading for section in both.sections]
    assert headings == ["Xiangqi – may", "Xiangqi – June-cup", Ruleset.load("atomic").title]
    assert both.title.startswith("3 runs")
    assert both.across.columns[0].label == "Run"
    assert [row["run"] for row in both.across.rows] == ["may", "June-cup", "atomic", "together"]
    html, text = page.html(both), markdown.markdown(both)
    assert all(f"<h2>{heading}</h2>" in html for heading in headings)
    assert "Xiangqi – June" in text and "xiangqi-2" not in html


# -- words -------------------------------------------------------------------------------------------


def test_both_languages_have_every_word():
    for key, pair in _pairs().items():
        assert len(pair) == len(LANGUAGES) and all(pair), key
        places = [sorted(set(re.findall(r"{(\w+)}", text))) for text in pair]
        assert places[0] == places[1], key
        assert not re.search(r"[\u4e00-\u9fff}][,:;()]", re.sub("`.*?`", "", pair[1])), (
            key
        )  # signs as wide as its own


def test_notes_say_which_n_intervals_are_for():
    of_all = {"running-note", "variety-note"}  # and these of every game that is there
    of_points = {"points-note"}  # of what happens at points, which games hold together
    for key, pair in _pairs().items():
        if "Wilson" in pair[0] and key not in of_all | of_points:
            assert ("effective n" in pair[0], "有效局数" in pair[1]) == (True, True), key


def test_a_chinese_report_has_no_english_sentence(atomic):
    made = report([atomic], language="zh")
    text = markdown.markdown(made)
    for figure in made.sections[0].figures:
        assert re.search(r"[\u4e00-\u9fff]", figure.finding)
    assert not re.search(
        r"\b(games|the|of|Red|Black|Draw)\b", text.partition("caipan study")[0].partition("\n")[2]
    )
    assert '<html lang="zh-Hans">' in page.html(made)


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_a_chinese_title_has_the_rule_sets_chinese_name(rules, tmp_path):
    made = report([make_run(tmp_path, "", rules)], language="zh")
    name = made.title.removesuffix("：对局数据说明了什么")
    assert name == Ruleset.load(rules).chinese_title and not re.search("[A-Za-z]", name)
    assert rules in known_as(name)


# -- few games, none, and damage ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, counted",
    [
        pytest.param("", 0, id="no records"),
        pytest.param(record(result="*"), 0, id="no results"),
        pytest.param(record("", result="1-0"), 0, id="no moves"),
        pytest.param(record(), 1, id="one game"),
        pytest.param(record(result="1/2-1/2"), 1, id="one draw"),
        pytest.param(record(f"{OPEN} z9z9"), 0, id="unreadable"),
        pytest.param(record() + record("b3e3 b10c8 b1c3 a10b10", result="0-1"), 2, id="two games"),
    ],
)
def test_few_games(tmp_path, text, counted):
    run = make_run(tmp_path, text)
    done = caipan(run, "--out", tmp_path / "r.html", "--out", tmp_path / "r.md", "--tables", tmp_path / "t")
    assert done.exit_code == (0 if counted else 1), done.output
    html = (tmp_path / "r.html").read_text("utf-8")
    assert not re.search(r"\bnan\b|\binf\b|None", re.sub(r"<style>.*?</style>", "", html, flags=re.S))
    assert report([run]).sections[0].facts.games.height == counted


@pytest.mark.parametrize(
    "text, said",
    [
        pytest.param(
            "", "The run holds no records: give `caipan adjudicate` files with games.", id="no records"
        ),
        pytest.param(record(result="*"), "1 record: unfinished – add a Result tag", id="no result"),
        pytest.param(record(""), "1 record: no move", id="no move"),
        pytest.param(
            record("h3e3"), "1 record: second side never moved – give a smaller `--min-plies`", id="one move"
        ),
        pytest.param(
            record(f"{OPEN} z9z9"), "1 record: a move cannot be read – see `caipan check`", id="unreadable"
        ),
        pytest.param(
            record("h3e3 a1a9", Result="0-1"), "stopped by an illegal move – see `caipan check`", id="illegal"
        ),
        pytest.param(
            record(Result="0-1"), "1 record: two results are claimed – add a Result tag", id="two results"
        ),
        pytest.param(
            record(result="*") + record("c4c5 c7c6", result="*"), "2 records: unfinished", id="two of them"
        ),
        pytest.param(
            record(Variant="atomic"),
            "1 record: names another variant – give the `--rules`",
            id="another variant",
        ),
    ],
)
def test_a_run_without_a_game_that_counts_says_why_and_what_to_do(tmp_path, text, said):
    run = make_run(tmp_path, text)
    done = caipan(run, "--out", tmp_path / "r.html", "--out", tmp_path / "r.md")
    assert done.exit_code == 1
    assert said in done.output and said in (tmp_path / "r.md").read_text("utf-8")
    assert re.sub("`(.*?)`", r"<code>\1</code>", said) in (tmp_path / "r.html").read_text("utf-8")
    assert ("No game counts here" in done.output) == bool(text)
    (other := tmp_path / "other").mkdir()
    assert caipan(run, make_run(other, record())).exit_code == 0


def test_records_left_out_are_listed_with_the_reason(tmp_path):
    run = make_run(tmp_path, record() + record("h3e3") + record(result="*", red="C") + record(red="D"))
    (section,) = report([run]).sections
    rows = {row["why"]: (row["records"], row["games"]) for row in section.figures[-1].rows}
    assert rows == {"one-side": (1, [1]), "unfinished": (1, [2]), "duplicate": (1, [3])}
    (section,) = report([run], min_plies=5).sections
    rows = {row["why"]: row["records"] for row in section.figures[-1].rows}
    assert rows == {"one-side": 1, "too-short": 1, "duplicate": 2}
    assert caipan(run, "--min-plies", 5, "--copies", "--out", tmp_path / "r.md").exit_code == 1
    assert "| fewer than 5 plies | 3 |" in (tmp_path / "r.md").read_text("utf-8")


@pytest.mark.parametrize("table", ["games", "moves"])
@pytest.mark.parametrize("damage", ["missing", "cut", "noise"])
def test_a_damaged_run_is_told_of_in_a_line(tmp_path, table, damage):
    run = make_run(tmp_path, record() + record("b3e3 b10c8"))
    part = run / table / "part-00000.parquet"
    data = part.read_bytes()
    part.unlink()
    if damage != "missing":
        part.write_bytes(data[: len(data) // 2] if damage == "cut" else b"noise" * 100)
    done = caipan(run, "--out", tmp_path / "r.html")
    assert done.exit_code == 2 and "Traceback" not in done.output
    assert f"{run}: a table cannot be read" in done.output
    assert not (tmp_path / "r.html").exists()


def test_no_run_and_a_stopped_run_are_told_of(tmp_path):
    (tmp_path / "empty").mkdir()
    assert "no run of caipan here" in caipan(tmp_path / "empty").output
    run = make_run(tmp_path, record())
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "parts": {}}))
    done = caipan(run)
    assert done.exit_code == 2 and "the run was stopped" in done.output


def test_asked_wrongly(atomic, tmp_path):
    done = caipan(atomic, "--out", tmp_path / "r.pdf")
    assert done.exit_code == 2 and "the ending is none of .html, .md" in done.output


def test_without_matplotlib_what_has_no_charts_works(atomic, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert caipan(atomic, "--out", tmp_path / "r.html").exit_code == 1
    assert caipan(atomic, "--out", tmp_path / "r.md", "--tables", tmp_path / "t").exit_code == 0


# -- names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, wanted",
    [
        pytest.param("测试者甲", "测试者甲", id="Chinese"),
        pytest.param("Nguyễn B", "Nguyễn B", id="Vietnamese"),
        pytest.param(RTL, "evil x", id="direction marks"),
        pytest.param("a\x00b\x1b[31m", "ab[31m", id="control characters"),
        pytest.param(" a \n\t b ", "a b", id="white space"),
        pytest.param("x" * 10_000, "x" * 39 + "…", id="10 kB"),
        pytest.param("", "?", id="none"),
        pytest.param("\u200b\u200b", "?", id="nothing visible"),
    ],
)
def test_names_as_shown(name, wanted):
    assert shown(name) == wanted


def test_hostile_names_are_text_in_markdown(tmp_path):
    names = [HOSTILE, RTL, "x" * 10_000, "[link](http://x) | `code` ![i](j) *b*", "$math$ & <b>"]
    run = make_run(
        tmp_path, "".join(record(red=name.replace('"', ""), black=f"b{k}") for k, name in enumerate(names))
    )
    text = markdown.markdown(report([run], copies=True, title=HOSTILE))
    assert not re.search(r"(?<!\\)<(script|img|b>)", text)
    assert not re.search(r"(?<!\\)!?\[link|(?<!\\)\]\(http", text)
    assert "\u202e" not in text and "x" * 100 not in text
    table = text.partition("| Players |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(table) == len(names) and {len(cells(row)) for row in table} == {5}


# -- every rule set ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", Ruleset.ids())
def test_every_rule_set_has_a_report(rules, tmp_path):
    """Games by chance, so that a new rule set is tested by existing."""
    text = ""
    for seed in range(4):
        dice, game = random.Random(f"{rules} {seed}"), Game(rules=rules)
        while len(game.moves) < 50 and (legal := game.position.legal_moves()):
            game.push(dice.choice(legal))
        text += record(" ".join(game.moves), red=f"r{seed}", result=("1-0", "0-1", "1/2-1/2", "1-0")[seed])
    made = report([make_run(tmp_path, text, rules)])
    (section,) = made.sections
    assert section.facts.games.height == 4
    names = {figure.name for figure in section.figures}
    assert {
        "first_move",
        "results",
        "reasons",
        "lengths",
        "running",
        "mobility",
        "material",
        "rules",
    } <= names
    assert ("drops" in names) <= bool(section.facts.rules.reserves)
    assert ("explosions" in names) <= section.facts.rules.explodes
    html = page.html(made)
    assert f'<section id="{rules}">' in html and html.count("<figure ") == len(names)


def test_ratings_are_read_from_the_tags(tmp_path):
    games = "".join(
        record(moves, RedElo=str(red), BlackElo=" 2000 ", result=result)
        for moves, red, result in (
            ("h3e3 h10g8", 2300, "1-0"),
            ("b3e3 b10c8", 2200, "1-0"),
            ("c4c5 c7c6", 2040, "0-1"),
            ("g4g5 g7g6", 1700, "0-1"),
            ("c1e3 c10e8", "?", "1-0"),
        )
    )
    (section,) = report([make_run(tmp_path, games)]).sections
    (figure,) = (figure for figure in section.figures if figure.name == "ratings")
    assert [(row["rating"], row["red"], row["black"]) for row in figure.rows] == [
        ("200 or more below", 0, 1),
        ("within 50", 0, 1),
        ("50 to 200 above", 1, 0),
        ("200 or more above", 1, 0),
    ]


def test_options_that_a_run_was_made_with_are_told(tmp_path):
    run = make_run(tmp_path, record(), settings={"no_capture_limit": 60})
    assert caipan(run, "--out", tmp_path / "r.html", "--out", tmp_path / "r.md").exit_code == 0
    assert "(no_capture_limit = 60, " in (tmp_path / "r.html").read_text("utf-8")
    assert "(no\\_capture\\_limit = 60, " in (tmp_path / "r.md").read_text("utf-8")
