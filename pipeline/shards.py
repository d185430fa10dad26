"""A run is a list of shards: pieces of sources, about as much text each, cut the same whatever the machine.

Large files are cut at record boundaries; small ones share a shard. Every piece knows the line, the record
of its source and the record of the run it starts with, so shards can be worked in any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from notation import containers
from notation.containers.cut import Cut
from notation.finding import Finding
from notation.record import RecordBatch
from pipeline.sources import Source, temporary, unreadable

SMALLEST, LARGEST, PARTS = 1 << 20, 8 << 20, 4
"""Bytes of text in a shard: enough for `PARTS` shards, but within these bounds."""

FEW = SMALLEST
"""Sources of up to so many bytes are read into memory, and once, to be planned."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A ``cut`` of a source, with so many ``games``."""

    source: Source
    cut: Cut
    games: int

    @property
    def size(self) -> int:
        """In bytes."""
        return (self.cut.last or 0) - self.cut.first

    def read(self, encoding: str | None = None) -> RecordBatch:
        """The records of this piece, their places those of the whole source; raises as `Source.read` does."""
        data = self.source.read(self.cut.first, self.cut.last)
        batch = containers.read_cut(self.source.container, data, self.cut, encoding)
        for finding in batch.findings:
            finding.source = self.source.name
        return batch


@dataclass(frozen=True, slots=True)
class Shard:
    """Work for one stage: ``record`` is the ordinal in the run of its first record."""

    number: int
    record: int
    pieces: tuple[Piece, ...]

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)

    @property
    def games(self) -> int:
        return sum(piece.games for piece in self.pieces)

    @property
    def names(self) -> list[str]:
        """The sources it reads."""
        return list(dict.fromkeys(piece.source.name for piece in self.pieces))


class Plan:
    """All the work of a run. Iterating gives its shards, and cuts them as it goes; the other attributes are whole
    when all shards have been given (`finish`). What breaks it off is raised whenever more is asked for.

    ``sources`` are those that could be read, ``digests`` has the SHA-256 of each ("" where reading broke off),
    ``findings`` tells of those that failed.
    """

    def __init__(self, sources: Iterable[Source], encoding: str | None = None):
        given = list(sources)
        self.size = sum(source.size for source in given)
        """Bytes of text, by what the file system says."""
        self.shard_size = min(max(self.size // PARTS, SMALLEST), LARGEST)
        self.shards: list[Shard] = []
        self.sources: list[Source] = []
        self.digests: list[str] = []
        self.findings: list[Finding] = []
        self._cutting = _shards(self._pieces(given, encoding), self.shard_size)
        self._broken: Exception | None = None

    def __iter__(self) -> Iterator[Shard]:
        yield from self.shards
        if self._broken:
            raise self._broken
        try:
            for shard in self._cutting:
                self.shards.append(shard)
                yield shard
        except Exception as error:
            self._broken = error
            raise

    def finish(self) -> None:
        for _ in self:
            pass

    @property
    def games(self) -> dict[str, int]:
        """Records found in each source."""
        counts = {source.name: 0 for source in self.sources}
        for shard in self.shards:
            for piece in shard.pieces:
                counts[piece.source.name] += piece.games
        return counts

    def _pieces(self, sources: list[Source], encoding: str | None) -> Iterator[Piece]:
        # One processor hashes while another looks for game starts.
        with ThreadPoolExecutor(1) as beside:
            for source in sources:
                begun, digest = False, ""
                try:
                    with _unpacked(source) as (given, fault):
                        hashed = None if isinstance(given, bytes) else beside.submit(_digest, given)
                        for piece in _cut(source, given, self.shard_size, encoding):
                            begun = True
                            yield piece
                        digest = hashed.result() if hashed else _digest(given)
                        self.findings += fault
                except Exception as error:  # whatever it was, it is about this source, and the others go on
                    self.findings.append(unreadable(source.name, error))
                    if not begun:
                        continue
                self.sources.append(source)
                self.digests.append(digest)


def plan(sources: Iterable[Source], encoding: str | None = None) -> Plan:
    """Cut ``sources`` into shards; reads every source once, to hash it and to find its records."""
    whole = Plan(sources, encoding)
    whole.finish()
    return whole


def _digest(given: bytes | Path) -> str:
    if isinstance(given, bytes):
        return hashlib.sha256(given).hexdigest()
    with given.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cut(source: Source, given: bytes | Path, size: int, encoding: str | None) -> Iterator[Piece]:
    """The pieces of ``source``, whose bytes are ``given``, or in the file there."""
    for cut in containers.container(source.container).split(given, size, encoding=encoding):
        piece = Piece(source, cut, cut.games)
        if cut.games < 0:
            piece = replace(piece, games=len(piece.read(encoding)))
        yield piece


def _shards(pieces: Iterable[Piece], size: int) -> Iterator[Shard]:
    """Shards of consecutive pieces, each at most ``size`` bytes unless one piece alone is larger."""
    record = 0
    for number, bundle in enumerate(_bundles(pieces, size)):
        shard = Shard(number, record, tuple(bundle))
        yield shard
        record += shard.games


def _bundles(pieces: Iterable[Piece], size: int) -> Iterator[list[Piece]]:
    bundle: list[Piece] = []
    filled = 0
    for piece in pieces:
        if bundle and filled + piece.size > size:
            yield bundle
            bundle, filled = [], 0
        bundle.append(piece)
        filled += piece.size
        if filled > size:  # and not when the next piece has been cut, too: workers wait
            yield bundle
            bundle, filled = [], 0
    if bundle:
        yield bundle


@contextmanager
def _unpacked(source: Source) -> Iterator[tuple[bytes | Path, list[Finding]]]:
    """The bytes of ``source`` where they are few, else a file with them, its own or a temporary one where it is packed;
    and what damage it has."""
    few = source.size <= FEW
    if source.stored:
        yield source.path.read_bytes() if few else source.path, []
        return
    file, path = temporary()
    with file:
        fault = source.unpack(file)
        file.flush()
        yield path.read_bytes() if few else path, [fault] if fault else []
