"""Archives made for the tests, and stages that misbehave in them (workers import this module)."""

import os
import signal
from pathlib import Path

from pipeline import stages

OPENINGS = ["h3e3 h10g8", "b3e3 b10c8", "h1g3 h10g8", "c4c5 g7g6", "g4g5 c7c6", "c1e3 c10e8", "d1e2 d10e9"]


def game(number: int, moves: str | None = None) -> str:
    """A short game; every seventh has the same moves."""
    text = moves or OPENINGS[number % len(OPENINGS)]
    return f'[Event "game {number}"]\n[Red "r{number}"]\n[Black "b"]\n[Result "*"]\n\n1. {text} *\n\n'


def write_archive(folder: Path, files: int, games: int) -> Path:
    """``files`` files of ``games`` games each in ``folder``; the fifth is called file5.pgn."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        text = "".join(game(number * games + i) for i in range(games))
        (folder / f"file{number + 1}.pgn").write_text(text)
    return folder


def killing(shard, options):
    """Takes its process down over file5.pgn."""
    if any(name.endswith("file5.pgn") for name in shard.names):
        os.kill(os.getpid(), signal.SIGKILL)
    return stages.adjudicate(shard, options)


def failing(shard, options):
    """Raises over file5.pgn."""
    if any(name.endswith("file5.pgn") for name in shard.names):
        raise ValueError("cannot happen")
    return stages.adjudicate(shard, options)


def stopping(shard, options):
    """What Ctrl-C does at the third shard."""
    if shard.number == 2:
        raise KeyboardInterrupt
    return stages.adjudicate(shard, options)


def swallowing(shard, options):
    """Ctrl-C at the third shard, where Python can only swallow it."""
    if shard.number == 2:
        Deaf()
    return stages.adjudicate(shard, options)


class Deaf:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)


def interrupted(shard, options):
    """A worker that gets Ctrl-C itself."""
    os.kill(os.getpid(), signal.SIGINT)
    return stages.adjudicate(shard, options)


def interrupting(shard, options):
    """Ctrl-C to the parent and all its workers at the third shard, and a shard that never ends."""
    if shard.number == 2:
        os.killpg(os.getpgid(0), signal.SIGINT)
        signal.pause()
    return stages.adjudicate(shard, options)


def heeded():
    """What a process does about Ctrl-C and SIGTERM, and what it holds off."""
    waiting = signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {signal.SIGINT, signal.SIGTERM}
    return signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), waiting
