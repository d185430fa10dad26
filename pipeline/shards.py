"""A run is a list of shards: pieces of sources, about as much text each, cut the same whatever the machine.

Large files are cut at record boundaries; small ones share a shard. Every piece knows the line, the record
of its source and the record of the run it starts with, so shards can be worked in any order.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from notation import containers
from notation.finding import Finding
from notation.record import RecordBatch
from pipeline.sources import Source

SMALLEST, LARGEST, PARTS = 1 << 20, 4 << 20, 8
"""Bytes of text in a shard: enough for `PARTS` shards, but within these bounds."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes ``begin`` to ``end`` of a source; ``line`` and ``game`` are those it starts with there.

    ``hint`` is what the format's reader is to know of the source as a whole, and ``final`` whether it ends here.
    """

    source: Source
    begin: int
    end: int
    line: int
    game: int
    games: int
    hint: str
    final: bool

    def read(self, encoding: str | None = None) -> RecordBatch:
        """The records of this piece, their places those of the whole source."""
        batch = containers.container(self.source.container).read(
            self.source.read(self.begin, self.end),
            encoding=encoding,
            hint=self.hint,
            first_line=self.line,
            first_index=self.game,
            base_offset=self.begin,
            final=self.final,
        )
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
        return sum(piece.end - piece.begin for piece in self.pieces)

    @property
    def games(self) -> int:
        return sum(piece.games for piece in self.pieces)

    @property
    def names(self) -> list[str]:
        """The sources it reads."""
        return list(dict.fromkeys(piece.source.name for piece in self.pieces))


class Plan:
    """All the work of a run. Iterating gives its shards, and cuts them as it goes; the other attributes are whole
    when all shards have been given (`finish`).

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
        self._cutting = _bundle(self._pieces(given, encoding), self.shard_size)

    def __iter__(self) -> Iterator[Shard]:
        yield from self.shards
        for shard in self._cutting:
            self.shards.append(shard)
            yield shard

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
                    with _on_disk(source) as path:
                        hashed = beside.submit(_digest, path)
                        for piece in _cut(source, path, self.shard_size, encoding):
                            begun = True
                            yield piece
                        digest = hashed.result()
                except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
                    details = {"why": str(error)}
                    self.findings.append(
                        Finding("unreadable-file", text=source.name, details=details, source=source.name)
                    )
                    if not begun:
                        continue
                self.sources.append(source)
                self.digests.append(digest)


def plan(sources: Iterable[Source], encoding: str | None = None) -> Plan:
    """Cut ``sources`` into shards; reads every source once, to hash it and to find its records."""
    whole = Plan(sources, encoding)
    whole.finish()
    return whole


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cut(source: Source, path: Path, size: int, encoding: str | None) -> Iterator[Piece]:
    """The pieces of ``source``, whose bytes are in the file at ``path``."""
    for s in containers.container(source.container).split(path, size, encoding=encoding):
        piece = Piece(source, s.first, s.last, s.line, s.index, s.games, s.hint, s.final)
        if piece.games < 0 or (piece.games == 1 and piece.begin == 0 and piece.final):
            # Only reading tells whether a text without a second game is one at all.
            piece = replace(piece, games=len(piece.read(encoding)))
        yield piece


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
def _on_disk(source: Source) -> Iterator[Path]:
    """A file with the bytes of ``source``: its own, or a temporary one for a member of an archive."""
    if source.member is None:
        yield source.path
        return
    with source.open() as packed, tempfile.NamedTemporaryFile(prefix="caipan-") as file:
        shutil.copyfileobj(packed, file)
        file.flush()
        yield Path(file.name)
