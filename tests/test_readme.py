"""The README's examples run and print what it says. ``python -m tests.test_readme`` renews their output."""

import doctest
import re
import shlex
import shutil
import subprocess
import tomllib
from itertools import chain, pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator import Ruleset
from pipeline.cli import main
from serving import server

REPOSITORY = Path(__file__).resolve().parents[1]
README = REPOSITORY / "README.md"
CURL = re.compile(r"```console\n\$ curl ([^\n]*)\n(.*?)```", re.S)
SERVER = "http://127.0.0.1:8000"
EXAMPLE = re.compile(r"```console\n\$ caipan ([^\n]*)\n(.*?)```", re.S)


def run(command: str, out: Path) -> str:
    """What ``caipan command`` prints, from the repository's folder, with its tables in ``out``."""
    words = [str(out) if word == "rulings" else word for word in shlex.split(command)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return result.stdout.replace(str(out), "rulings")


@pytest.mark.parametrize("command, said", CURL.findall(README.read_text(encoding="utf-8")))
def test_requests_get_what_the_readme_says(command, said):
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    with server() as (_, client):
        words = shlex.split(command.replace(SERVER, str(client.base_url).rstrip("/")))
        done = subprocess.run(
            ["curl", "--noproxy", "*", *words], cwd=REPOSITORY, capture_output=True, text=True
        )
    assert done.stdout == said


@pytest.mark.parametrize("command, said", EXAMPLE.findall(README.read_text(encoding="utf-8")))
def test_commands_print_what_the_readme_says(command, said, tmp_path, monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    assert run(command, tmp_path / "rulings") == said


def test_commands_name_files_that_are_here_or_that_an_earlier_one_writes():
    text = README.read_text(encoding="utf-8")
    commands = re.findall(r"^(?:\$ )?(caipan .*)$|`(caipan [^`]*)`|&& \S*/(caipan .*)$", text, re.M)
    written: set[str] = set()
    named = 0
    for command in filter(None, chain.from_iterable(commands)):
        words = shlex.split(command)
        for option, word in pairwise(words):
            if option in ("--out", "--tables"):
                written.add(word)
            elif "/" in word or "." in word or word in written:
                named += 1
                assert word in written or (REPOSITORY / word).exists(), command
    assert named > 20


def test_a_command_that_needs_an_extra_says_so_before_its_example():
    text = README.read_text(encoding="utf-8")
    for command, extra in (("rescore", "statistics"), ("report", "report"), ("serve", "service")):
        section = next(
            part for part in text.split("\n## ") if re.search(rf"^(\$ )?caipan {command} ", part, re.M)
        )
        example = re.search(rf"^(\$ )?caipan {command} ", section, re.M)
        assert f"pip install -e '.[{extra}]'" in section[: example.start()]


def test_python_examples_give_what_the_readme_says(monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed


def test_the_rule_file_shown_is_the_one_that_runs():
    text = README.read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", text, re.S)
    assert tomllib.loads(shown) == tomllib.loads(
        (REPOSITORY / "data/rules/open-soldiers.toml").read_text(encoding="utf-8")
    )


def test_every_rule_set_is_mentioned():
    assert all(f"`{name}`" in README.read_text(encoding="utf-8") for name in Ruleset.ids())


def test_every_command_is_mentioned():
    text = README.read_text(encoding="utf-8")
    assert all(f"caipan {name}" in text for name in main.list_commands(None))


if __name__ == "__main__":
    import os
    import tempfile

    os.chdir(REPOSITORY)
    with tempfile.TemporaryDirectory() as folder:
        text = README.read_text(encoding="utf-8")
        for number, example in enumerate(list(EXAMPLE.finditer(text))):
            said = run(example[1], Path(folder) / str(number))
            text = text.replace(example[0], f"```console\n$ caipan {example[1]}\n{said}```")
    README.write_text(text, encoding="utf-8")
