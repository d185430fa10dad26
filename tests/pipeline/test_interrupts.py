"""Ctrl-C and SIGTERM wherever they arrive: the run stops, says nothing else, and goes on with the same bytes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from notation.containers import _pgn
from pipeline import forked, interrupts, run, shards
from tests.pipeline import archives

REPOSITORY = Path(__file__).resolve().parents[2]

STOPPED = """
import signal, sys
from pathlib import Path
from pipeline import run, shards
from tests.pipeline import archives
signal.signal(signal.SIGINT, signal.default_int_handler)
shards.SMALLEST = shards.LARGEST = 600
try:
    run.adjudicate(
        sys.argv[1:2], rules="xiangqi", out=Path(sys.argv[2]), jobs=2, stage=archives.interrupting
    )
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.fixture(autouse=True)
def as_python_has_it():
    """A suite that runs in the background of a shell ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "SMALLEST", 600)
    monkeypatch.setattr(shards, "LARGEST", 600)
    return archives.write_archive(tmp_path / "archive", files=8, games=5)


def adjudicate(archive, out, **options):
    run.adjudicate([archive], rules="xiangqi", out=out, **{"jobs": 1, **options})
    return {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_one_that_python_swallows_stops_the_run(archive, tmp_path, capsys):
    with pytest.raises(KeyboardInterrupt):
        adjudicate(archive, tmp_path / "out", stage=archives.swallowing)
    assert len(list((tmp_path / "out" / "games").iterdir())) == 3
    assert capsys.readouterr().err == ""
    assert adjudicate(archive, tmp_path / "out") == adjudicate(archive, tmp_path / "clean")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_that_python_swallows_while_workers_are_at_work_stops_the_run(archive, tmp_path, capsys):
    with pytest.raises(KeyboardInterrupt):
        adjudicate(archive, tmp_path / "out", jobs=2, progress=lambda *_: archives.Deaf())
    assert capsys.readouterr().err == ""
    assert adjudicate(archive, tmp_path / "out") == adjudicate(archive, tmp_path / "clean")


def test_workers_leave_it_to_the_parent(archive, tmp_path, capfd):
    disturbed = adjudicate(archive, tmp_path / "out", jobs=2, stage=archives.interrupted)
    assert disturbed == adjudicate(archive, tmp_path / "clean")
    assert capfd.readouterr().err == ""


def test_one_to_the_whole_group_ends_workers_in_the_middle_of_a_shard(archive, tmp_path):
    command = [sys.executable, "-c", STOPPED, str(archive), str(tmp_path / "out")]
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, start_new_session=True
    )
    assert (done.stdout, done.stderr, done.returncode) == ("stopped\n", "", 0)
    assert adjudicate(archive, tmp_path / "out") == adjudicate(archive, tmp_path / "clean")


def test_one_while_workers_are_started_waits_until_they_are(archive, tmp_path, monkeypatch, capfd):
    start = multiprocessing.context.ForkProcess._Popen

    def interrupted(process):
        signal.raise_signal(signal.SIGINT)
        return start(process)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(multiprocessing.context.ForkProcess, "_Popen", staticmethod(interrupted))
        adjudicate(archive, tmp_path / "out", jobs=2)
    assert not multiprocessing.active_children()
    assert capfd.readouterr().err == ""
    assert adjudicate(archive, tmp_path / "out", jobs=2) == adjudicate(archive, tmp_path / "clean")


def test_a_new_process_holds_it_off_until_it_has_begun(monkeypatch):
    held = []
    backend = forked.Forked()
    start = multiprocessing.context.ForkProcess._Popen

    def watched(process):
        held.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        return start(process)

    monkeypatch.setattr(multiprocessing.context.ForkProcess, "_Popen", staticmethod(watched))
    backend.configure(2)
    backend.abort_everything()
    assert held == [True, True]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")
@pytest.mark.parametrize("end", ["aborted", "killed"])
def test_workers_end_while_more_is_written_to_them_than_a_pipe_holds(end):
    program = f"""
import os, signal, time
from concurrent.futures import wait
from functools import partial
from pipeline import forked
backend = forked.Forked()
backend.configure(2)
busy = [backend.submit(partial(time.sleep, 600), print) for _ in range(2)]
more = [backend.submit(partial(len, bytes(1 << 20)), print) for _ in range(20)]
time.sleep(1)
if {end!r} == "killed":
    os.kill(next(iter(backend._pool._processes)), signal.SIGKILL)
    wait(busy + more)
backend.abort_everything()
"""
    subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=True, timeout=60, cwd=REPOSITORY
    )


def test_one_that_another_thread_takes_while_it_is_held_off_is_kept():
    with pytest.raises(KeyboardInterrupt), interrupts.kept() as check:
        with interrupts.held():
            thread = threading.Thread(
                target=lambda: (
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT}),
                    signal.raise_signal(signal.SIGINT),
                )
            )
            thread.start()
            thread.join()
        check()


AGAIN = """
import atexit, signal, sys
from pipeline import __main__, sources
again = getattr(signal, sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)
def find(paths):
    try:
        signal.raise_signal(again)
    finally:
        signal.raise_signal(again)
sources.find = find
atexit.register(signal.raise_signal, again)
sys.argv[1:] = ["adjudicate", "games.pgn", "--out", sys.argv[2]]
__main__.main()
"""


@pytest.mark.parametrize("name, code", [("SIGINT", 130), ("SIGTERM", 143)])
def test_more_than_one_say_no_more_than_one(tmp_path, name, code):
    command = [sys.executable, "-c", AGAIN, name, str(tmp_path / "out")]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.returncode) == ("Error: stopped; the same command goes on from here\n", code)


EARLY = """
import signal, sys
from pipeline import __main__, cli
signal.signal(signal.SIGINT, signal.default_int_handler)
begin = cli.main.make_context
def beginning(*arguments, **options):
    signal.raise_signal(signal.SIGINT)
    return begin(*arguments, **options)
cli.main.make_context = beginning
sys.argv[1:] = ["check", "games.pgn"]
__main__.main()
"""


def test_one_before_the_command_begins_stops_it_there():
    command = [sys.executable, "-c", EARLY]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.returncode) == ("Error: stopped\n", 130)


def test_one_while_game_starts_are_looked_for_stops_the_plan(capfd):
    def more(stop):
        raise KeyboardInterrupt

    splitter = _pgn.Splitter(bytes(1 << 20), more)
    with pytest.raises(KeyboardInterrupt):
        splitter.advance(1 << 20)
    assert capfd.readouterr().err == ""


def test_a_worker_leaves_ctrl_c_to_the_parent_and_ends_by_sigterm():
    backend = forked.Forked()
    backend.configure(2)
    assert backend.submit(archives.heeded, print).result() == (signal.SIG_IGN, signal.SIG_DFL, set())
    one = next(iter(backend._pool._processes.values()))
    os.kill(one.pid, signal.SIGTERM)
    one.join(timeout=30)
    assert one.exitcode == -signal.SIGTERM
    backend.abort_everything()


def test_another_handler_is_left_alone():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        with interrupts.kept() as check:
            signal.raise_signal(signal.SIGINT)
            check()
        assert heard == [1]
    finally:
        signal.signal(signal.SIGINT, before)
