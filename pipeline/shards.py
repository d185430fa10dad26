"""A run is a list of shards: pieces of sources, about as much text each, cut the same whatever the machine.

Large files are cut at record boundaries; small ones share a shard. Every piece knows the line, the record
of its source and the record of the run it starts with, so shards can be worked in any order.
"""

from __future__ import annotations

import hashlib
import mmap
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from notation.containers import pgn
from notation.finding import Finding
from pipeline.sources import Source

SMALLEST, LARGEST, PARTS = 256 << 10, 4 << 20, 32
"""Bytes of text in a shard: enough for `PARTS` shards, but within these bounds."""

CONTAINERS = {"pgn": pgn}
"""Record formats: modules with ``split`` and ``read``."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes ``begin`` to ``end`` of a source; ``line`` and ``game`` are those it starts with there."""

    source: Source
    begin: int
    end: int
    line: int
    game: int
    games: int


@dataclass(frozen=True, slots=True)
class Shard:
    """Work for one stage: ``record`` is the ordinal in the run of its first record."""

    number: int
    record: int
    pieces: tuple[Piece, ...]

    @property
    def size(self) -> int:
        return sum(piece.end - piece.begin for piece in self.pieces)

    @property
    def games(self) -> int:
        return sum(piece.games for piece in self.pieces)

    @property
    def names(self) -> list[str]:
        """The sources it reads."""
        return list(dict.fromkeys(piece.source.name for piece in self.pieces))


@dataclass(frozen=True, slots=True)
class Plan:
    """All the work of a run. ``digests`` has the SHA-256 of every source; ``findings`` those that failed."""

    shards: list[Shard]
    sources: list[Source]
    digests: list[str]
    findings: list[Finding]

    @property
    def games(self) -> dict[str, int]:
        """Records found in each source."""
        counts = {source.name: 0 for source in self.sources}
        for shard in self.shards:
            for piece in shard.pieces:
                counts[piece.source.name] += piece.games
        return counts


def plan(sources: Iterable[Source]) -> Plan:
    """Cut ``sources`` into shards; reads every source once, to hash it and to find its records."""
    sources = list(sources)
    size = min(max(sum(source.size for source in sources) // PARTS, SMALLEST), LARGEST)
    pieces: list[Piece] = []
    readable: list[Source] = []
    digests: list[str] = []
    findings: list[Finding] = []
    for source in sources:
        hashed = hashlib.sha256()
        cut: list[Piece] = []
        try:
            with _mapped(source) as data:
                for s in CONTAINERS[source.container].split(data, size):
                    hashed.update(data[s.begin : s.end])
                    cut.append(Piece(source, s.begin, s.end, s.line, s.game, s.games))
                    _forget(data)
        except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            details = {"why": str(error)}
            findings.append(Finding("unreadable-file", text=source.name, details=details, source=source.name))
            continue
        pieces += cut
        readable.append(source)
        digests.append(hashed.hexdigest())
    return Plan(list(_bundle(pieces, size)), readable, digests, findings)


def _bundle(pieces: Iterable[Piece], size: int) -> Iterator[Shard]:
    """Shards of consecutive pieces, each at most ``size`` bytes unless one piece alone is larger."""
    number = record = 0
    bundle: list[Piece] = []
    filled = 0
    for piece in pieces:
        if bundle and filled + piece.end - piece.begin > size:
            shard = Shard(number, record, tuple(bundle))
            yield shard
            number, record = number + 1, record + shard.games
            bundle, filled = [], 0
        bundle.append(piece)
        filled += piece.end - piece.begin
    if bundle:
        yield Shard(number, record, tuple(bundle))


@contextmanager
def _mapped(source: Source) -> Iterator[bytes | mmap.mmap]:
    """The whole source as a buffer that the system, not this process, keeps in memory."""
    if source.size == 0:
        yield b""
    elif source.member is None:
        with source.open() as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data
    else:
        with source.open() as packed, tempfile.TemporaryFile() as file:
            while chunk := packed.read(1 << 20):
                file.write(chunk)
            file.flush()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield data


def _forget(data: bytes | mmap.mmap) -> None:
    """Let go of the pages read so far: the system has them, and they would count as this process's memory."""
    if isinstance(data, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        data.madvise(mmap.MADV_DONTNEED)
