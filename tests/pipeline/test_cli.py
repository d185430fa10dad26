"""The command: help, exit codes, what goes where."""

import errno
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import polars
import pyarrow
import pytest
from click.testing import CliRunner

from adjudicator import RuleBook, Ruleset, RulesetError
from notation.containers import cut
from pipeline import cli, shards, sources, store
from pipeline.cli import COMMANDS, main
from pipeline.cli.adjudicate import Progress
from pipeline.cli.options import check_ending
from tests.pipeline import archives

REPOSITORY = Path(__file__).resolve().parents[2]
GAMES = REPOSITORY / "data" / "matches" / "uci.pgn"


def caipan(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def commands(group=main, path=()):
    """Every command with its path, sub-commands too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


@pytest.fixture
def archive(tmp_path):
    return archives.write_archive(tmp_path / "archive", files=2, games=5)


# -- help ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path, command", list(commands()), ids=lambda value: " ".join(value) if type(value) is tuple else ""
)
def test_every_command_has_help_with_an_example(path, command):
    result = caipan(*path, "--help")
    assert result.exit_code == 0
    assert f"caipan {' '.join(path)}" in result.output
    undocumented = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert not undocumented


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_their_help_says(name):
    command = main.get_command(click.Context(main), name)
    assert command.help.startswith(COMMANDS[name].rstrip("."))


OF_THEIR_OWN = {"--book", "--engine", "--out", "--rules", "--set", "--title"}
"""Options that ask each command for something else."""


def test_what_several_commands_ask_has_one_name_and_one_help():
    asked = {
        (option.opts[0], option.help)
        for _, command in commands()
        for option in command.params
        if option.opts[0].startswith("--")
    }
    shared = [(name, help) for name, help in asked if name not in OF_THEIR_OWN]
    assert len({name for name, _ in shared}) == len({help for _, help in shared}) == len(shared)


def test_help_imports_no_engine():
    code = (
        "import sys; from pipeline import cli; cli.main(['-h'], standalone_mode=False); print(*sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True
    ).stdout
    assert "adjudicate" in output
    heavy = {"polars", "pyarrow", "joblib", "adjudicator", "numpy", "pipeline.run"}
    assert not heavy & set(output.splitlines()[-1].split())


# -- exit codes ------------------------------------------------------------------------------------


def test_adjudicate_writes_tables_and_a_summary(archive, tmp_path):
    out = tmp_path / "out"
    result = caipan("adjudicate", archive, "--rules", "xiangqi", "--out", out, "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert re.search(r"^ *10  games$", result.stdout, re.M)
    assert re.search(r"^ *20  plies$", result.stdout, re.M)
    assert result.stdout.endswith(f"tables in {out}\n")
    assert len(polars.read_parquet(out / "games")) == 10


@pytest.mark.parametrize(
    "arguments, said",
    [
        pytest.param(["absent.pgn"], "no such file", id="no such file"),
        pytest.param(["--rules", "xiangqu"], "did you mean 'xiangqi'?", id="no such rules"),
        pytest.param(["--book", "sight"], "did you mean 'site'?", id="no such book"),
        pytest.param(["--set", "no_capture_limit"], "KEY=VALUE", id="a setting without value"),
        pytest.param(["--set", "no_capture=1"], "no option 'no_capture'", id="no such setting"),
        pytest.param(
            ["--set", "no_capture_limit=sixty"],
            "Error: option ending.no_capture_limit: must be",
            id="no number",
        ),
        pytest.param(["--set", "fold=x"], "Error: option fold: must be", id="no number for the book"),
        pytest.param(
            ["--handicap", "banana"],
            "Invalid value for '--handicap': 'banana' is no word of a handicap",
            id="no handicap",
        ),
        pytest.param(["--encoding", "utf-88"], "no encoding called utf-88", id="no such encoding"),
        pytest.param(["--jobs", "0"], "0 is not in the range", id="no workers"),
    ],
)
def test_asked_wrongly_is_exit_2(archive, tmp_path, arguments, said):
    result = caipan("adjudicate", archive, "--out", tmp_path / "out", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


def test_a_file_and_the_options_over_it_are_blamed_each_for_its_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('id = "mine"\nextends = "xiangqi"\n[ending]\nstalemate = "drawn"\n')
    with pytest.raises(RulesetError) as caught:
        Ruleset.load(path, {"no_capture_limit": -1})
    told = [fault.partition(" must")[0].partition(" 'drawn'")[0] for fault in caught.value.faults]
    assert sorted(told) == ["mine.toml: ending.stalemate:", "option ending.no_capture_limit:"]


def test_a_pipeline_of_commands(tmp_path):
    """What is piped in is read by every command, by its workers too, and leaves no file behind."""

    def piped(*arguments, times=1):
        command = [sys.executable, "-m", "pipeline", *map(str, arguments)]
        environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(REPOSITORY)}
        data = GAMES.read_bytes() * times
        done = subprocess.run(command, input=data, env=environment, capture_output=True, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
        return done.stdout.decode()

    of_file, of_pipe = caipan("check", GAMES).stdout, piped("check", "-")
    assert of_pipe == of_file.replace(str(GAMES), "-") and "-:" in of_pipe
    piped("convert", "-", "--to", "wxf", "--out", "out.pgn")
    piped("convert", "-", "--to", "wxf", "--out", "out.pgn")  # over a file that is there
    piped("study", "-", "--out", "out.html")
    piped("adjudicate", "-", "--out", "out", "--jobs", 2, times=300)
    piped("adjudicate", "-", "--out", "out", times=300)
    assert set(polars.read_parquet(tmp_path / "out" / "games")["source"]) == {"-"}
    assert {path.name for path in tmp_path.iterdir()} == {"out", "out.pgn", "out.html"}


def test_a_summary_says_what_records_of_another_game_are_read_with(tmp_path):
    path = tmp_path / "mixed.pgn"
    texts = {"atomicxiangqi": 2, "jumpcannonxiangqi": 1, "xiangqi": 1}
    path.write_text("".join(f'[Variant "{name}"]\n\n1. h3e3 *\n\n' * times for name, times in texts.items()))
    done = CliRunner().invoke(main, ["adjudicate", str(path), "--out", str(tmp_path / "run")])
    told = [line for line in done.output.splitlines() if "another game" in line]
    assert told == [
        "2 records name another game: use --rules atomic",
        "1 record names another game: use --rules jump-cannon or jump-cannon-modern",
    ]


def test_a_summary_names_who_ruled_and_counts_the_recorded_results_that_the_rules_contradict(tmp_path):
    law = (REPOSITORY / "data" / "law" / "chases.pgn").read_text()
    records = tmp_path / "more.pgn"
    records.write_text(f"{law}\n{law.replace('h3i3 1/2-1/2', 'h3i3 i8h8 1/2-1/2')}")
    said = caipan("adjudicate", records, "--book", "axf", "--out", tmp_path / "out").stdout
    assert "results under xiangqi, book axf:\n" in said
    assert (
        " 4  recorded results that the rules contradict: 3 at the last ply, 1 in a record played on past the end"
        in said
    )
    assert "contradict:" not in caipan("adjudicate", GAMES, "--out", tmp_path / "fine").stdout


def test_another_run_in_the_folder_is_exit_2(archive, tmp_path):
    arguments = ["adjudicate", archive, "--out", tmp_path / "out", "--jobs", 1]
    assert caipan(*arguments).exit_code == 0
    result = caipan(*arguments, "--book", "none")
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert caipan(*arguments, "--book", "none", "--force").exit_code == 0


@pytest.mark.parametrize("command", ["adjudicate", "check"])
def test_strict_fails_on_files_without_games(tmp_path, command):
    for name, text in {
        "empty.pgn": "",
        "blank.pgn": "\n \n\n",
        "notes.txt": "shopping list: tea, rice",
    }.items():
        (tmp_path / name).write_text(text)
    files = [tmp_path / name for name in ("empty.pgn", "blank.pgn", "notes.txt")]
    arguments = [command, *files, *(["--out", tmp_path / "out"] if command == "adjudicate" else [])]
    result = caipan(*arguments)
    assert result.exit_code == 0
    for path in files:
        assert sum(str(path) in line for line in result.stdout.splitlines()) == 1
    assert len(re.findall(r"no games found", result.stdout)) == 3
    assert caipan(*arguments, "--strict").exit_code == 1


@pytest.mark.parametrize("command", ["adjudicate", "check"])
def test_files_left_aside_are_told_and_a_path_without_games_fails_strict(archive, tmp_path, command):
    folder = tmp_path / "words"
    folder.mkdir()
    for name in "abcde":
        (folder / name).write_text("shopping list: tea, rice")

    def asked(*paths):
        out = tmp_path / f"run-{'-'.join(path.name for path in paths)}"
        return caipan(command, *paths, "--strict", *(["--out", out] if command == "adjudicate" else []))

    result = asked(folder)
    assert result.exit_code == 1
    names = ", ".join(f"{folder}/{name}" for name in "abc")
    assert f"5 left aside: {names} (it seems to be text in which no move follows another; " in result.stdout
    assert ") and 2 more\n" in result.stdout
    assert len(re.findall("no games found", result.stdout)) == 1
    (archive / "a").write_text("shopping list: tea, rice")
    result = asked(archive)
    assert (result.exit_code, f"1 left aside: {archive}/a (it seems" in result.stdout) == (0, True)
    assert asked(archive, folder).exit_code == 1
    if command == "adjudicate":
        found = polars.read_parquet(tmp_path / "run-archive-words" / "findings")
        left = found.filter(polars.col("code").cast(polars.String) == "left-aside")
        assert sorted(map(str, left["source"])) == sorted(
            [f"{archive}/a", *(f"{folder}/{n}" for n in "abcde")]
        )


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        MemoryError(),
        RuntimeError("can't start new thread"),
        pyarrow.ArrowException("Unknown error: Failed to launch worker thread: try again"),
        pyarrow.ArrowMemoryError("malloc of size 151040 failed"),
    ],
    ids=["the system", "python", "threads", "threads of Arrow", "arrow"],
)
@pytest.mark.parametrize(
    "command, where", [("adjudicate", "pages"), ("adjudicate", "join"), ("check", "open")]
)
def test_too_little_memory_is_said_and_no_fault_of_a_file(
    archive, tmp_path, monkeypatch, command, where, error
):
    def lack(*_, **__):
        raise error

    options = ["--out", tmp_path / "out", "--jobs", "1"] if command == "adjudicate" else []
    with monkeypatch.context() as patch:
        patch.setattr(shards, "FEW", 0)
        patch.setattr(
            *{"pages": (cut.mmap, "mmap"), "join": (store, "mark_duplicates"), "open": (Path, "open")}[where],
            lack,
        )
        result = caipan(command, archive, *options)
    assert (result.exit_code, result.stdout) == (1, "")
    more = "; the same command goes on from here" if command == "adjudicate" else ""
    why = str(error) or "MemoryError"
    assert result.stderr == f"Error: this process is given too little memory ({why}){more}\n"
    if where == "join":
        assert any((tmp_path / "out" / "games").iterdir())
    assert caipan(command, archive, *options).exit_code == 0


# -- the process -----------------------------------------------------------------------------------


def start(arguments, cwd, **options):
    """The command in a process of its own, as the installed script starts it: its folder is not the cwd."""
    script = f"import sys; sys.path[0] = {str(REPOSITORY)!r}; from pipeline.__main__ import main; main()"
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's background does not
    return subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-c",
            f"{heed}; import sys; sys.path.insert(0, {str(REPOSITORY)!r}); {script}",
            *arguments,
        ],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_modules_in_the_working_directory_are_not_ours(archive, tmp_path):
    folder = tmp_path / "cwd"
    folder.mkdir()
    for name in ("signal.py", "random.py"):
        (folder / name).write_text('raise SystemExit("shadowed")')
    process = start(["adjudicate", str(archive), "--out", str(tmp_path / "out"), "--jobs", "4"], folder)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stderr
    assert "10  games" in stdout
    assert "shadowed" not in stderr


@pytest.mark.parametrize("early", [True, False], ids=["while modules are loaded", "at work"])
@pytest.mark.parametrize("command", ["adjudicate", "check", "compare"])
def test_ctrl_c_says_the_same_wherever_it_comes(archive, tmp_path, monkeypatch, command, early):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(*((cli.importlib, "import_module") if early else (sources, "find")), stop)
    options = {
        "adjudicate": ["--out", tmp_path / "out"],
        "compare": ["--rules", "xiangqi", "--rules", "atomic"],
    }
    result = caipan(command, archive, *options.get(command, []))
    more = "; the same command goes on from here" if command == "adjudicate" else ""
    assert (result.exit_code, result.stderr) == (130, f"Error: stopped{more}\n")


@pytest.mark.parametrize(
    "jobs, number, code", [("1", signal.SIGINT, 130), ("2", signal.SIGINT, 130), ("2", signal.SIGTERM, 143)]
)
def test_a_stopped_run_is_one_to_go_on_with(tmp_path, jobs, number, code):
    big = archives.write_archive(tmp_path / "archive", files=40, games=1500)
    out = tmp_path / "out"
    arguments = ["adjudicate", str(big), "--out", str(out), "--jobs", jobs]
    process = start(arguments, tmp_path, start_new_session=True)
    until = time.monotonic() + 60
    while not any(out.glob("games/*.parquet")) and time.monotonic() < until:
        time.sleep(0.02)
    for _ in range(3):
        os.killpg(process.pid, number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == code, stderr
    assert stderr.strip().splitlines()[-1] == "Error: stopped; the same command goes on from here"
    assert "Traceback" not in stderr
    parts = len(list(out.glob("games/*.parquet")))
    process = start(arguments, tmp_path)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    assert "60,000  games" in stdout
    assert len(list(out.glob("games/*.parquet"))) > parts


def test_workers_end_with_a_killed_parent(tmp_path):
    big = archives.write_archive(tmp_path / "archive", files=40, games=1500)
    out = tmp_path / "out"
    arguments = ["adjudicate", str(big), "--out", str(out), "--jobs", "2"]
    process = start(arguments, tmp_path)
    until = time.monotonic() + 60
    while not any(out.glob("games/*.parquet")) and time.monotonic() < until:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    folder = os.open(out, os.O_RDONLY)
    while time.monotonic() < until:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            time.sleep(0.02)
    else:
        pytest.fail("a worker still holds the folder")
    os.close(folder)
    process = start(arguments, tmp_path)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    assert "60,000  games" in stdout


# -- progress ----------------------------------------------------------------------------------------


class Screen:
    def __init__(self, terminal):
        self.terminal = terminal
        self.text = ""

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_a_terminal_gets_a_bar():
    screen = Screen(terminal=True)
    progress = Progress(screen)
    progress(1000, 1000, 50)
    progress.close()
    assert re.fullmatch(r"\r\[#{30}\] 100%  [\d,]+ games/s  0:00 left\x1b\[K\n", screen.text)


def test_a_log_gets_plain_lines_now_and_then():
    screen = Screen(terminal=False)
    progress = Progress(screen, every=0.0)
    progress(250, 1000, 5)
    assert re.fullmatch(r" 25%  [\d,]+ games/s\n", screen.text)
    quiet = Screen(terminal=False)
    Progress(quiet)(250, 1000, 5)
    assert quiet.text == ""


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_the_time_left_is_told_when_it_can_be(workers):
    """80 pieces of some 10 s each by so many workers, which take 20 s to start."""
    ends = sorted(
        20 + worker + sum(7 + (worker + 3 * piece) % 7 for piece in range(number + 1))
        for worker in range(workers)
        for number in range(80 // workers)
    )
    now = 0.0
    screen = Screen(terminal=False)
    progress = Progress(screen, every=0.0, clock=lambda: now)
    for done, now in enumerate(ends, 1):
        screen.text = ""
        progress(done, 80, done)
        told = re.search(r"(\d+):(\d\d) left", screen.text)
        assert bool(told) == (done >= 8)
        if told:
            left = int(told[1]) * 60 + int(told[2])
            assert left == pytest.approx(ends[-1] - now, rel=0.3, abs=15), done


# -- rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", Ruleset.ids())
def test_a_rule_set_is_shown_whole_with_its_sources(name, tmp_path):
    shown = caipan("rules", "show", name).output
    rules, path = Ruleset.load(name), tmp_path / "shown.toml"
    path.write_text(shown, encoding="utf-8")
    assert Ruleset.load(path).fingerprint == rules.fingerprint
    sources = [line for line in shown.splitlines() if line.startswith("# ")][1:]
    assert [line.split()[1] for line in sources] == [source[0] for source in Ruleset.sources(name)]
    assert f"# {name} ({rules.data['date']}): {rules.data['source']}" == sources[0]


@pytest.mark.parametrize("name", RuleBook.ids())
def test_a_rule_book_is_shown_whole_with_its_sources(name, tmp_path):
    result = caipan("rules", "show", name)
    book, path = RuleBook.load(name), tmp_path / "shown.toml"
    path.write_text(result.output, encoding="utf-8")
    assert RuleBook.load(path) == book
    sources = [line for line in result.output.splitlines() if line.startswith("# ")]
    assert f"# {name} ({book.date}): {book.source}" == sources[0]
    assert [line.split()[1] for line in sources] == [source[0] for source in RuleBook.sources(name)]


def test_a_rule_book_is_shown_with_what_its_options_mean():
    lines = caipan("rules", "show", "wxf").output.splitlines()
    assert [line.split()[1] for line in lines[:3]] == ["wxf", "axf", "site"]
    assert "fold = 3 # the occurrence that rules; 0: none does; the start position counts as one" in lines
    assert (
        "precedence = [] # tests on one ply, the first that hits rules; empty: as the rule set says" in lines
    )
    assert 'general = "never" # a general\'s attack is no chase' in lines


def test_rule_sets_and_rule_books_are_listed():
    listed = [line.split()[0] for line in caipan("rules").output.splitlines() if line]
    assert listed == ["Rule", *Ruleset.ids(), "Rule", *RuleBook.ids()]


def test_a_file_is_shown_as_what_it_is(tmp_path):
    for name, text in (
        ("book", 'id = "mine"\nextends = "axf"\nfold = 5\n'),
        ("broken book", 'id = "mine"\nextends = "axf"\nfold = 1\n'),
        ("rules", 'id = "mine"\nextends = "xiangqi"\ntitle = "m"\nsource = "m"\ndate = "2026"\n'),
        ("broken rules", 'id = "mine"\nextends = "xiangqi"\nfold = 1\n'),
    ):
        (tmp_path / f"{name}.toml").write_text(text)
    shown = {path.stem: caipan("rules", "show", path) for path in tmp_path.iterdir()}
    assert "fold = 5 # " in shown["book"].output
    assert shown["broken book"].exit_code == 2 and "fold: 1 is not 0" in shown["broken book"].output
    assert shown["rules"].output.startswith("# fingerprint")
    assert shown["broken rules"].exit_code == 2 and "fold: unknown key" in shown["broken rules"].output
    assert "(did you mean 'axf'?)" in caipan("rules", "show", "afx").stderr


def test_every_fault_of_a_rule_file_is_told(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'id = "mine"\nextends = "xiangqi"\ntitel = "Mine"\n[pieces.horse]\nmoves = [{ step = "up" }]\n'
    )
    result = caipan("check", path, "--rules", path)
    assert result.exit_code == 2
    assert "mine.toml: titel: unknown key (did you mean 'title'?)" in result.output
    assert "mine.toml: pieces.horse.moves[0].step: 'up' is not one of" in result.output


# -- perft -----------------------------------------------------------------------------------------


def test_perft_counts_from_the_start_and_from_a_position():
    assert caipan("perft", 2).output == "1920\n"
    assert caipan("perft", 0).output == "1\n"
    result = caipan("perft", 1, "3k5/9/9/9/9/9/9/9/9/R3K4 w", "--rules", "xiangqi-60")
    assert (result.exit_code, result.output) == (0, "14\n")  # the chariot has 12, the general 2


def test_perft_divides_by_first_move():
    *lines, total = caipan("perft", 2, "--divide", "--rules", "fortress").output.split("\n")[:-1]
    counts = dict(line.split(": ") for line in lines)
    assert list(counts) == sorted(counts) and len(counts) == int(
        caipan("perft", 1, "--rules", "fortress").output
    )
    assert sum(map(int, counts.values())) == int(total)


def test_a_position_that_cannot_be_played_is_asked_wrongly():
    for command in (["perft", 1], ["show"]):
        result = caipan(*command, "9/9/9/9/9/9/9/9/9/4K4 w")
        assert result.exit_code == 2 and "Black has no general" in result.output


@pytest.mark.parametrize(
    "name, command",
    [
        pytest.param("games.pgn", ["convert", "{}", "--to", "wxf", "--out", "{}"], id="convert"),
        pytest.param("games.pgn", ["study", "{}", "--out", "{}"], id="study"),
        pytest.param("games.json", ["rescore", "{}", "--out", "{}"], id="rescore"),
        pytest.param(
            "games.md",
            ["compare", "{}", "--rules", "xiangqi", "--rules", "xiangqi-60", "--out", "{}"],
            id="compare",
        ),
    ],
)
def test_nothing_is_written_over_what_is_read(tmp_path, name, command):
    records = tmp_path / name
    records.write_bytes((REPOSITORY / "data" / "matches" / "uci.pgn").read_bytes())
    before = records.read_bytes()
    result = caipan(*(word.format(records) for word in command))
    assert (result.exit_code, records.read_bytes()) == (2, before)
    assert "name another file" in result.output


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["rescore", "run", "--out", "run/games/part-00000.parquet"], id="rescore over a table"),
        pytest.param(["rescore", "run", "--out", "run/manifest.json"], id="rescore over the manifest"),
        pytest.param(["report", "run", "--tables", "run/games"], id="tables of a report among tables"),
        pytest.param(["report", "run", "--tables", "games"], id="by another name"),
        pytest.param(["report", "run", "--out", "run/moves/new/report.md"], id="report"),
        pytest.param(["study", GAMES, "--out", "run/conduct/a.html"], id="study of other records"),
        pytest.param(["convert", GAMES, "--to", "wxf", "--out", "run/findings/a.pgn"], id="convert"),
        pytest.param(
            ["compare", GAMES, *["--rules", "xiangqi"] * 2, "--out", "run/rulings/axf.parquet"], id="compare"
        ),
        pytest.param(["show", "--svg", "run/games/board.svg"], id="show"),
    ],
)
def test_nothing_is_written_among_what_a_run_keeps(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    Path("one.pgn").write_text(ONE.format(""))
    assert caipan("adjudicate", "one.pgn", "--out", "run", "--jobs", 1).exit_code == 0
    Path("games").symlink_to("run/games")
    before = {path: path.is_file() and path.read_bytes() for path in Path().rglob("*")}
    result = caipan(*command)
    assert result.exit_code == 2 and "name another place" in result.output
    assert {path: path.is_file() and path.read_bytes() for path in Path().rglob("*")} == before


def test_other_files_may_stand_beside_a_run(tmp_path):
    records = tmp_path / "games" / "one.pgn"
    records.parent.mkdir()
    records.write_text(ONE.format(""))
    assert caipan("adjudicate", records, "--out", tmp_path / "run", "--jobs", 1).exit_code == 0
    for out in ("run/beside.pgn", "games/two.pgn"):
        assert caipan("convert", records, "--to", "wxf", "--out", tmp_path / out).exit_code == 0


ONE = '[Red "A"]\n[Black "B"]\n[Result "1-0"]\n\nh3e3 {} 1-0\n\n'


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["adjudicate", "one.pgn", "--out", "out"], id="adjudicate"),
        pytest.param(["check", "one.pgn"], id="check"),
        pytest.param(["convert", "one.pgn", "--to", "wxf", "--out", "out.pgn"], id="convert"),
        pytest.param(["rule", "run", "--book", "axf"], id="rule"),
        pytest.param(["compare", "run", "--book", "site", "--book", "axf"], id="compare books"),
        pytest.param(["compare", "one.pgn", "--rules", "xiangqi", "--rules", "atomic"], id="compare rules"),
        pytest.param(["rescore", "one.pgn", "--min-plies", 1], id="rescore"),
        pytest.param(["report", "run", "--min-plies", 1, "--out", "out.md"], id="report"),
        pytest.param(["study", "one.pgn", "--out", "out.md"], id="study"),
    ],
)
@pytest.mark.parametrize("second", ["", "h10h9"], ids=["one ply", "a move that stays as written"])
def test_one_of_a_kind_is_counted_in_the_singular(tmp_path, monkeypatch, command, second):
    if command[0] in ("rescore", "report"):
        pytest.importorskip("scipy", reason="needs the extra caipan[statistics]")
    monkeypatch.chdir(tmp_path)
    Path("one.pgn").write_text(ONE.format(second))
    assert caipan("adjudicate", "one.pgn", "--out", "run", "--jobs", 1).exit_code == 0
    result = caipan(*command)
    assert result.exit_code == bool(second and command[0] in ("convert", "report")), result.output
    said = result.output
    if Path("out.md").exists():
        said += Path("out.md").read_text("utf-8")
    assert re.search(r"\b1 +(game|ply|move|record|of 2 plies)\b", said)
    assert not re.search(r"\b1 +(games|plies|moves|records|findings|results|pairs|tables|files)\b", said)
    assert not re.search(r"\b1 (have|are|part|stay)\b", said)


def test_many_are_counted_in_the_plural(archive):
    assert caipan("check", archive).output.splitlines()[-1] == "10 games, 0 findings"


@pytest.mark.parametrize(
    "command, names",
    [
        pytest.param(["study", GAMES, "--game", 1], ["a.html", "b.html", "c.pgn"], id="study"),
        pytest.param(["rescore", GAMES], ["a.csv", "b.parquet", "c.json", "d.md"], id="rescore"),
        pytest.param(
            ["compare", GAMES, "--rules", "xiangqi", "--rules", "xiangqi-60"],
            ["a.csv", "b.parquet", "c.json", "d.md"],
            id="compare",
        ),
        pytest.param(["report", "run"], ["a.md", "b.md"], id="report"),
    ],
)
def test_every_file_asked_for_is_written(tmp_path, monkeypatch, command, names):
    if command[0] in ("rescore", "report"):
        pytest.importorskip("scipy", reason="needs the extra caipan[statistics]")
    monkeypatch.chdir(tmp_path)
    if command[0] == "report":
        assert caipan("adjudicate", GAMES, "--out", "run", "--jobs", 1).exit_code == 0
    result = caipan(*command, *(word for name in names for word in ("--out", name)))
    assert result.exit_code == 0, result.output
    assert {path.name for path in tmp_path.iterdir()} - {"run"} == set(names)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["adjudicate", GAMES], id="adjudicate"),
        pytest.param(["convert", GAMES, "--to", "wxf"], id="convert"),
    ],
)
def test_a_second_place_for_what_is_written_once_is_refused(tmp_path, command):
    result = caipan(*command, "--out", tmp_path / "one", "--out", tmp_path / "two")
    assert result.exit_code == 2 and "Invalid value for '--out': given more than once" in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name, form",
    [
        pytest.param("page.html", "html", id="html"),
        pytest.param("PAGE.HTM", "html", id="html in three letters"),
        pytest.param("a.pgn.md", "md", id="the last ending counts"),
        pytest.param("games.xls", None, id="unknown"),
        pytest.param("html", None, id="none"),
    ],
)
def test_the_ending_of_a_file_names_its_form(name, form):
    if form is not None:
        assert check_ending(Path(name), ("html", "md")) == form
    else:
        with pytest.raises(click.UsageError, match=rf"--out {name}: the ending is none of .html, .md"):
            check_ending(Path(name), ("html", "md"))


@pytest.mark.parametrize(
    "package, extra, command",
    [
        pytest.param("scipy", "statistics", ["rescore", GAMES], id="rescore"),
        pytest.param("scipy", "statistics", ["report", "."], id="report"),
        pytest.param("matplotlib", "report", ["report", ".", "--out", "a.html"], id="a page of a report"),
        pytest.param("starlette", "service", ["serve"], id="a server"),
        pytest.param("PIL", "film", ["study", GAMES, "--out", "a.gif"], id="a film of a study"),
    ],
)
def test_a_package_that_is_missing_is_told_with_the_extra_that_brings_it(tmp_path, package, extra, command):
    code = f"import sys; sys.modules[{package!r}] = None; from pipeline.cli import main; main()"
    process = subprocess.run(
        [sys.executable, "-c", code, *map(str, command)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 1
    assert process.stderr == f"Error: this needs {package}: pip install -e '.[{extra}]'\n"


@pytest.mark.parametrize(
    "origin, said",
    [
        (None, "'caipan[film]'"),
        ({"url": "file:///a/clone", "dir_info": {}}, "'.[film]'"),
        (
            {"url": "https://host/caipan.git", "vcs_info": {"vcs": "git", "commit_id": "0"}},
            "'caipan[film] @ git+https://host/caipan.git'",
        ),
    ],
)
def test_an_extra_comes_from_where_caipan_has_come(monkeypatch, tmp_path, origin, said):
    from pipeline.cli import options

    class Installed:
        def read_text(self, name):
            return json.dumps(origin) if origin else None

    monkeypatch.setattr(options, "__file__", str(tmp_path / "pipeline" / "cli" / "options.py"))
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Installed())
    assert options._requirement("film") == said


def test_a_reader_that_has_seen_enough_gets_no_word():
    command = [sys.executable, "-m", "pipeline", "check", str(REPOSITORY / "data" / "matches")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=REPOSITORY) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
