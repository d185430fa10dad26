"""Whole runs: the same bytes whatever happens on the way."""

import json
import multiprocessing
import subprocess
import sys

import joblib
import polars
import pyarrow.parquet as pq
import pytest

from pipeline import manifest, run, shards, stages
from tests.conftest import shared
from tests.pipeline import archives

BROKEN = b"PAR1\0" + bytes(range(1, 64))  # what a writer that was killed leaves: no footer


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr(shards, "SMALLEST", 600)
    monkeypatch.setattr(shards, "LARGEST", 600)


@pytest.fixture
def archive(tmp_path, small_shards):
    return archives.write_archive(tmp_path / "archive", files=8, games=5)


def adjudicate(archive, out, **options):
    return run.adjudicate([archive], rules="xiangqi", out=out, **{"jobs": 1, **options})


def contents(out):
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def clean_run(archive, tmp_path):
    adjudicate(archive, tmp_path / "clean")
    return contents(tmp_path / "clean")


def test_three_tables_that_join(archive, tmp_path):
    out = tmp_path / "out"
    summary = adjudicate(archive, out)
    games = polars.read_parquet(out / "games")
    moves = polars.read_parquet(out / "moves")
    assert (summary.games, summary.plies) == (40, 80) == (len(games), len(moves))
    assert games["record"].to_list() == list(range(40))
    assert games["event"].to_list() == [f"game {n}" for n in range(40)]
    assert moves["record"].to_list() == [n // 2 for n in range(80)]
    assert moves.join(games, on=["record", "game_id"])["ply"].to_list() == [1, 2] * 40
    assert games["duplicate_of"].to_list() == [None] * 7 + [n % 7 for n in range(7, 40)]
    assert summary.duplicates == 33
    assert len(list((out / "games").iterdir())) == 8
    assert not list(out.rglob(".*"))


def test_the_same_games_in_three_notations_give_the_same_moves(tmp_path):
    names = ["xiangqi.pgn", "xiangqi_wxf.pgn", "xiangqi_zh.pgn"]
    paths = [shared(f"matches/{name}") for name in names]
    summary = run.adjudicate(paths, rules="xiangqi", out=tmp_path / "out", jobs=1)
    assert (summary.games, summary.plies, summary.duplicates) == (1200, 3 * 54334, 800)
    moves = polars.read_parquet(tmp_path / "out" / "moves").drop("token")
    first, *others = [
        moves.filter(polars.col("record").is_between(400 * n, 400 * n + 399)).drop("record") for n in range(3)
    ]
    assert all(other.equals(first) for other in others)


def test_nothing_is_imported_to_find_out_a_type(archive, tmp_path):
    """Where pyarrow is told no type of Python values, it imports pandas, if there is one, and dateutil."""
    command = f"""
import sys
from pathlib import Path
from pipeline import run
run.adjudicate([{str(archive)!r}], rules="xiangqi", out=Path({str(tmp_path / "out")!r}), jobs=1)
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", command], stdout=subprocess.PIPE, text=True, check=True)
    assert not {"pandas", "dateutil"} & set(done.stdout.split())


@pytest.mark.parametrize("jobs", [2, 5])
def test_the_number_of_workers_does_not_show(archive, tmp_path, clean_run, jobs):
    adjudicate(archive, tmp_path / "out", jobs=jobs)
    assert contents(tmp_path / "out") == clean_run


def test_workers_do_not_hang_after_a_data_frame_was_built(archive, tmp_path, clean_run):
    polars.DataFrame({"a": range(1000)}).group_by("a").len()
    for attempt in range(3):
        adjudicate(archive, tmp_path / f"out{attempt}", jobs=4)
        assert contents(tmp_path / f"out{attempt}") == clean_run


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading", "sequential"])
def test_a_backend_of_joblib_that_somebody_has_chosen_does_not_show(archive, tmp_path, clean_run, backend):
    with joblib.parallel_config(backend):
        adjudicate(archive, tmp_path / "out", jobs=2)
    assert contents(tmp_path / "out") == clean_run


def test_a_run_in_a_process_that_may_have_none_of_its_own(archive, tmp_path, clean_run, monkeypatch):
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    adjudicate(archive, tmp_path / "out", jobs=2)
    assert contents(tmp_path / "out") == clean_run


def test_a_killed_worker_costs_only_its_file(archive, tmp_path, clean_run):
    out = tmp_path / "out"
    with pytest.raises(run.RunFailed, match=r"1 of 8 shards.*\n.*/file5.pgn.*killed"):
        adjudicate(archive, out, jobs=4, stage=archives.killing)
    assert {path.name for path in (out / "games").iterdir()} == {
        f"part-0000{n}.parquet" for n in (0, 1, 2, 3, 5, 6, 7)
    }
    assert sum(pq.read_metadata(path).num_rows for path in (out / "games").iterdir()) == 35
    before = (out / "moves" / "part-00003.parquet").stat().st_mtime_ns
    adjudicate(archive, out, jobs=4)
    assert contents(out) == clean_run
    assert (out / "moves" / "part-00003.parquet").stat().st_mtime_ns == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_shard_is_named_and_the_rest_is_done(archive, tmp_path, clean_run, jobs):
    out = tmp_path / "out"
    with pytest.raises(run.RunFailed, match=r"file5.pgn.*ValueError: cannot happen"):
        adjudicate(archive, out, jobs=jobs, stage=archives.failing)
    assert len(list((out / "games").iterdir())) == 7
    adjudicate(archive, out)
    assert contents(out) == clean_run


def test_files_that_change_during_a_run_need_another_run(archive, tmp_path, monkeypatch):
    file = archive / "file5.pgn"

    def stage(shard, options):
        file.write_bytes(file.read_bytes() + b"\n")
        return stages.adjudicate(shard, options)

    with pytest.raises(run.RunFailed, match=r"of 8 shards failed; files were changed meanwhile: .* --force"):
        adjudicate(archive, tmp_path / "out", stage=stage)
    with pytest.raises(manifest.OtherRun):
        adjudicate(archive, tmp_path / "out")
    adjudicate(archive, tmp_path / "out", force=True)


def test_a_stopped_run_goes_on_where_it_was(archive, tmp_path, clean_run):
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        adjudicate(archive, out, stage=archives.stopping)
    before = (out / "moves" / "part-00000.parquet").stat().st_mtime_ns
    (out / run.WORKING).mkdir()  # as a run leaves it that was killed
    (out / run.WORKING / "123").write_text("3")
    adjudicate(archive, out)
    assert contents(out) == clean_run
    assert (out / "moves" / "part-00000.parquet").stat().st_mtime_ns == before


def test_a_run_that_was_stopped_while_it_was_planned_goes_on(archive, tmp_path, clean_run, monkeypatch):
    out = tmp_path / "out"
    cut = shards._cut

    def stopped(source, *more):
        if source.path.name == "file6.pgn":
            raise KeyboardInterrupt
        return cut(source, *more)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(shards, "_cut", stopped)
        adjudicate(archive, out, jobs=2)
    assert json.loads((out / "manifest.json").read_text())["inputs"] is None
    with pytest.raises(manifest.OtherRun, match="differs in rules"):
        run.adjudicate([archive], rules="atomic", out=out)
    adjudicate(archive, out, jobs=2)
    assert contents(out) == clean_run


@pytest.mark.parametrize("table", ["games", "moves", "findings"])
def test_a_broken_part_is_made_again(archive, tmp_path, clean_run, table):
    out = tmp_path / "out"
    adjudicate(archive, out)
    (out / table / "part-00003.parquet").write_bytes(BROKEN)
    (out / table / "part-00077.parquet").write_bytes(BROKEN)
    (out / table / ".part-00004.parquet.123.tmp").write_bytes(BROKEN)
    adjudicate(archive, out)
    assert contents(out) == clean_run


def test_a_lost_manifest_is_not_guessed_at(archive, tmp_path):
    out = tmp_path / "out"
    adjudicate(archive, out)
    (out / "manifest.json").write_text("{")
    with pytest.raises(manifest.OtherRun, match="holds no run"):
        adjudicate(archive, out)


@pytest.mark.parametrize(
    "change, named",
    [
        pytest.param({"rules": "xiangqi-60"}, "rules, book", id="other rules"),
        pytest.param({"book": "none"}, "book", id="other book"),
        pytest.param({"settings": {"no_capture_limit": 50}}, "rules, options", id="other setting"),
        pytest.param({"encoding": "gb18030"}, "options", id="other encoding"),
    ],
)
def test_a_folder_with_another_run_is_refused(archive, tmp_path, change, named):
    out = tmp_path / "out"
    adjudicate(archive, out)
    before = contents(out)
    with pytest.raises(manifest.OtherRun, match=f"differs in {named}: .*--force"):
        run.adjudicate([archive], **{"rules": "xiangqi", "out": out, "jobs": 1, **change})
    assert contents(out) == before
    run.adjudicate([archive], **{"rules": "xiangqi", "out": out, "jobs": 1, "force": True, **change})


def test_changed_input_is_another_run_and_the_files_are_named(archive, tmp_path):
    out = tmp_path / "out"
    adjudicate(archive, out)
    (archive / "file2.pgn").write_text(archives.game(99))
    with pytest.raises(manifest.OtherRun, match=r"of other records \(1 changed: \S+/file2.pgn\): choose"):
        adjudicate(archive, out)
    (archive / "file1.pgn").rename(archive / "file1a.pgn")
    for name in "abcd":
        (archive / f"new{name}.pgn").write_text(archives.game(7))
    told = (
        r"\(5 new: \S+/file1a.pgn, \S+/newa.pgn, \S+/newb.pgn, …; 1 gone: \S+/file1.pgn; 1 changed: \S+/file2.pgn\);"
        " it differs in book, too"
    )
    with pytest.raises(manifest.OtherRun, match=told):
        run.adjudicate([archive], rules="xiangqi", out=out, jobs=1, book="none")


def test_a_folder_with_other_things_is_left_alone(archive, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("irreplaceable")
    with pytest.raises(manifest.OtherRun, match="not empty"):
        adjudicate(archive, out)
    adjudicate(archive, out, force=True)
    assert (out / "thesis.txt").read_text() == "irreplaceable"


def test_files_without_games_are_counted(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in {"empty.pgn": "", "blank.pgn": "\n \n\n", "one.pgn": archives.game(0)}.items():
        (folder / name).write_text(text)
    summary = run.adjudicate([folder], rules="xiangqi", out=tmp_path / "out", jobs=1)
    assert [name.rpartition("/")[2] for name in summary.without_games] == ["blank.pgn", "empty.pgn"]
    assert summary.findings["no-games"] == 2
    assert not summary.sound


def test_trouble_with_files_is_in_the_findings_table(tmp_path):
    archives.write_archive(tmp_path / "in", files=1, games=1)
    (tmp_path / "in" / "gone.pgn").symlink_to(tmp_path / "nowhere")
    summary = run.adjudicate([tmp_path / "in"], rules="xiangqi", out=tmp_path / "out", jobs=1)
    findings = polars.read_parquet(tmp_path / "out" / "findings")
    assert findings.filter(polars.col("code") == "unreadable-file")["source"].to_list() == [
        (tmp_path / "in" / "gone.pgn").as_posix()
    ]
    assert not summary.sound


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_breaks_planning_off_is_raised(archive, tmp_path, monkeypatch, jobs):
    def lack(*_, **__):
        raise MemoryError

    with monkeypatch.context() as patch, pytest.raises(MemoryError):
        patch.setattr(shards, "_digest", lack)
        adjudicate(archive, tmp_path / "out", jobs=jobs)
    assert adjudicate(archive, tmp_path / "out", jobs=jobs).games
