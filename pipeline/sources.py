"""From the paths a person gives to an ordered list of sources: files, packed by gzip or not, and members of zip
archives.

The order is that of the arguments, and within a folder or pattern that of the names, so that the same
input gives the same run everywhere. What cannot be read is named in a `Finding`, never dropped.
"""

from __future__ import annotations

import copy
import errno
import glob
import gzip
import os
import re
import shutil
import sys
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BufferedIOBase
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any, Final, cast

from notation import containers
from notation import encoding as encodings
from notation.containers import foreign
from notation.finding import Finding
from pipeline import manifest

try:
    from lzma import LZMAError
except ImportError:  # a Python that was built without
    LZMAError = zipfile.BadZipFile  # type: ignore[misc, assignment]

STANDARD_INPUT: Final = "-"
"""The path that stands for what is piped into the command, and its name in findings."""

MEMBER_LIMIT = 2 << 30
"""Largest zip member or gzip file read, in bytes unpacked."""
RATIO_LIMIT = 250
"""What unpacks to more than this many times its packed size is refused, from `RATIO_FLOOR` on."""
RATIO_FLOOR = 64 << 20

DAMAGE = (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error, LZMAError)
"""What reading a file or unpacking it may raise."""


def lacks_memory(error: Exception) -> bool:
    """Whether ``error`` tells of this process, and not of what it reads: there is no more memory, or no thread."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    return isinstance(error, MemoryError) or bool(re.search("(start|launch).* thread", str(error)))


def lacks_room(error: Exception) -> bool:
    """Whether ``error`` tells of a full disk, or of too many open files: what is unpacked goes to a temporary one."""
    return isinstance(error, OSError) and error.errno in _ROOM


_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE)


@dataclass(frozen=True, slots=True)
class Source:
    """One stream of records: a file, which gzip may have ``packed``, or ``member`` of the zip archive at ``path``.

    ``size`` in bytes, unpacked, as far as the file says; ``modified`` is when it last was, in nanoseconds. ``title`` is
    what people call the file, where that is not its path, and ``label`` the member, where that is not its name.
    """

    path: Path
    member: str | None
    size: int
    container: str
    modified: int
    packed: bool = False
    title: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        """What people read: ``games.pgn``, ``games.zip/1999/final.pgn``."""
        file = self.title or _readable(self.path)
        return f"{file}/{self.label or self.member}" if self.member else file

    @property
    def stored(self) -> bool:
        """Whether its bytes stand in a file as they are."""
        return self.member is None and not self.packed

    def open(self) -> BufferedIOBase:
        if self.packed:
            return cast(BufferedIOBase, gzip.open(self.path))
        if self.member is None:
            return self.path.open("rb")
        archive = self._archive()
        return _opened(archive, archive.getinfo(self.member))

    def _archive(self) -> zipfile.ZipFile:
        return _archive(self.path, self.modified, os.getpid())

    def parts(self) -> Iterator[bytes]:
        """Its bytes from the first on, a part at a time, always the same; what is packed, as far as it unpacks.

        Raises one of `DAMAGE` where it does not.
        """
        yield from _parts(self.open())

    def head(self) -> bytes:
        """What `containers.sniff` likes to see of it. Raises one of `DAMAGE` when nothing can be read."""
        return _head(self.parts())

    def read(self, begin: int = 0, end: int | None = None) -> bytes:
        """The bytes from ``begin`` to ``end``; what is packed is unpacked up to there.

        Raises OSError when the file is no longer what it was when it was found.
        """
        if not self.changed():
            data = self._stored(begin, end) if self.stored else self._unpacked(begin, end)
            if end is None or len(data) == end - begin:
                return data
        raise OSError(f"{self.name} was changed meanwhile")

    def _stored(self, begin: int, end: int | None) -> bytes:
        with self.path.open("rb") as file:
            file.seek(begin)
            return file.read(-1 if end is None else end - begin)

    def _unpacked(self, begin: int, end: int | None) -> bytes:
        data, place = bytearray(), 0
        for part in self.parts():
            data += part[max(0, begin - place) : None if end is None else max(0, end - place)]
            place += len(part)
            if end is not None and place >= end:
                break
        return bytes(data)

    def _proven(self) -> Iterator[bytes]:
        """All `parts`, and at the end the checksum; gzip looks at its own."""
        checksum = 0
        for part in self.parts():
            checksum = zlib.crc32(part, checksum)
            yield part
        if self.member is not None and checksum != self._archive().getinfo(self.member).CRC:
            raise zipfile.BadZipFile("CRC check failed")

    def changed(self) -> bool:
        """Whether the file is no longer the one that was found."""
        try:
            return self.path.stat().st_mtime_ns != self.modified
        except OSError:
            return True

    def unpack(self, file: IO[bytes]) -> Finding | None:
        """Write all of it to ``file``, which is packed, or what comes before some damage, of which a finding tells.

        Raises one of `DAMAGE` where there is no such thing, and where it comes to more than it may.
        """
        limit, size, parts = _limit(self.path.stat().st_size), 0, self._proven()
        while True:
            try:
                part = next(parts, b"")
            except DAMAGE as error:
                if not size:
                    raise
                finding = unreadable(self.name, error)
                why = finding.details["why"]
                finding.details = {
                    "why": f"{why}; the {size} bytes before are read",
                    "why_zh": f"{why};此前的 {size} 字节已读取",
                }
                finding.byte = size
                return finding
            if not part:
                return None
            size += len(part)
            if size > limit:
                raise OSError(f"unpacks to more than {limit} bytes")
            file.write(part)


_AT_ONCE: Final = 1 << 13  # bytes; so many before some damage may be lost


def _parts(file: BufferedIOBase) -> Iterator[bytes]:
    with file:
        while part := file.read1(_AT_ONCE):
            yield part


def _head(parts: Iterable[bytes]) -> bytes:
    head = b""
    try:
        for part in parts:
            head += part
            if len(head) >= containers.enough(head):
                break
    except DAMAGE as error:
        if not head or lacks_memory(error):
            raise
    return head[: containers.enough(head)]


@lru_cache(maxsize=1)
def _archive(path: Path, modified: int, process: int) -> zipfile.ZipFile:
    """The archive at ``path``, whose directory is read once and not for every member; each ``process`` has its own,
    since a place in an open file is shared with those that are forked."""
    return zipfile.ZipFile(path)


def _opened(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> BufferedIOBase:
    """What ``member`` holds, whatever its checksum: zipfile would keep the end of one that is damaged to itself."""
    unchecked = copy.copy(member)
    del unchecked.CRC
    return cast(BufferedIOBase, archive.open(unchecked))


@dataclass(slots=True)
class Listing:
    """What the paths came to: sources to read, and findings about what is not."""

    sources: list[Source] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    given: dict[str, list[Source]] = field(default_factory=dict)
    """The sources under each path that a person gave; one that holds something met before is left out."""
    met_again: int = 0
    """How often a file or folder was met that had been met before."""

    def barren(self, games: Mapping[str, int]) -> list[Finding]:
        """A ``no-games`` for each path given that came to no record and of which no finding tells; ``games`` are the
        records in each source, by name."""
        told = {finding.source for finding in self.findings}
        return [
            Finding("no-games", source=name)
            for name, found in self.given.items()
            if not any(source.name == name or games.get(source.name) for source in found) and name not in told
        ]


class NoSuchPath(ValueError):
    """A path or pattern that names nothing, or a run where records are asked for."""


def find(paths: Iterable[Path | str]) -> Listing:
    """Every source under ``paths``: files, folders (searched whole), zip archives, glob patterns, `STANDARD_INPUT`.

    A file named outright is read whatever it looks like; files met in folders and archives must look like
    records, and folders that hold a run are left aside. Raises `NoSuchPath` for a path that matches nothing, and for
    a run.
    """
    listing = Listing()
    seen: set[tuple[int, int]] = set()
    for given in paths:
        first, met = len(listing.sources), listing.met_again
        if str(given) == STANDARD_INPUT:
            _add(_standard_input(), listing, seen, named=True, title=STANDARD_INPUT)
            listing.given.setdefault(STANDARD_INPUT, listing.sources[first:])
            continue
        if manifest.holds_run(Path(given)):
            raise NoSuchPath(f"{given} is a run of caipan: give the records that it was made from")
        for path in _expand(str(given)):
            if path.is_dir():
                for inner in _walk(path, seen, listing):
                    _add(inner, listing, seen, named=False)
            else:
                _add(path, listing, seen, named=True)
        if listing.met_again == met:
            listing.given[_readable(Path(given))] = listing.sources[first:]
    return listing


def _expand(given: str) -> list[Path]:
    path = Path(given)
    if path.exists() or path.is_symlink():
        return [path]
    found = sorted(glob.glob(given, recursive=True)) if glob.has_magic(given) else []
    if not found:
        raise NoSuchPath(f"{given}: no such file, folder or pattern")
    return [Path(name) for name in found]


def _walk(folder: Path, seen: set[tuple[int, int]], listing: Listing) -> Iterator[Path]:
    """Files under ``folder`` in the order of their names; a folder reached twice is entered once."""
    try:
        status = folder.stat()
        entries = sorted(folder.iterdir())
    except OSError as error:
        listing.findings.append(unreadable(_readable(folder), error))
        return
    if (status.st_dev, status.st_ino) in seen:
        listing.met_again += 1
        return
    seen.add((status.st_dev, status.st_ino))
    if manifest.holds_run(folder):
        listing.findings.append(_aside(_readable(folder), "a run of caipan", "裁决的结果"))
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _walk(entry, seen, listing)
        else:
            yield entry


def temporary() -> tuple[IO[bytes], Path]:
    """A file to write, and the path at which it is read: gone when it is closed, or with this process, however it
    ends."""
    if not os.path.isdir("/proc/self/fd"):
        named = tempfile.NamedTemporaryFile(prefix="caipan-")  # noqa: SIM115 (who asks for it closes it)
        return cast(IO[bytes], named), Path(named.name)
    file = tempfile.TemporaryFile()  # noqa: SIM115
    return file, Path(f"/proc/{os.getpid()}/fd/{file.fileno()}")  # workers read it, too


_kept: weakref.WeakKeyDictionary[IO[bytes], Path] = weakref.WeakKeyDictionary()


def _standard_input() -> Path:
    """A `temporary` file with what comes in, which can be read once."""
    if sys.stdin is None:
        raise OSError("there is no standard input")
    stream: Any = sys.stdin.buffer
    if stream not in _kept:
        file, path = temporary()
        shutil.copyfileobj(stream, file)
        file.flush()
        weakref.finalize(stream, file.close)
        _kept[stream] = path
    return _kept[stream]


def _add(path: Path, listing: Listing, seen: set[tuple[int, int]], named: bool, title: str = "") -> None:
    source = Source(path, None, 0, containers.FALLBACK, 0, title=title)
    try:
        status = path.stat()
        if not path.is_file():
            raise OSError("not a regular file")
        with path.open("rb") as file:
            head = containers.head_of(file)
    except OSError as error:
        listing.findings.append(unreadable(source.name, error))
        return
    if (status.st_dev, status.st_ino) in seen:
        listing.met_again += 1
        return
    seen.add((status.st_dev, status.st_ino))
    source = replace(source, size=status.st_size, modified=status.st_mtime_ns)
    if head.startswith((b"PK\3\4", b"PK\5\6")):
        _add_members(source, listing)
        return
    if head.startswith(b"\x1f\x8b\x08"):
        try:
            source = replace(source, size=_unpacked_size(path), packed=True)
            head = source.head()
        except DAMAGE as error:
            listing.findings.append(unreadable(source.name, error))
            return
    _add_source(source, head, listing, named)


def _unpacked_size(path: Path) -> int:
    """What the end of a gzip file says of its size, which holds for one that was packed in one go."""
    with path.open("rb") as file:
        packed = file.seek(0, os.SEEK_END)
        file.seek(max(0, packed - 4))
        return max(packed, int.from_bytes(file.read(4), "little"))


def _add_source(source: Source, head: bytes, listing: Listing, named: bool) -> None:
    """``source``, which begins with ``head``, or a finding that says why it is not read."""
    if strange := foreign.finding(head):
        if named:
            strange.source = source.name
        else:
            strange = _aside(source.name, strange.message(), strange.message("zh"))
        listing.findings.append(strange)
        return
    name = source.path.stem if source.packed else source.path.name
    container = containers.sniff(head, source.member or name)
    if named or container not in (None, containers.WITHOUT_GAMES):
        listing.sources.append(replace(source, container=container or containers.FALLBACK))
    else:
        listing.findings.append(_aside(source.name, *containers.why_not(head)))


def _add_members(source: Source, listing: Listing) -> None:
    try:
        with zipfile.ZipFile(source.path) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    label = _label(info)
                    member = replace(source, member=info.filename, size=info.file_size, label=label)
                    _add_member(member, archive, info, listing)
            if min((info.header_offset for info in archive.infolist()), default=0):
                why = "its directory lacks what stands first in it; was it cut short?"
                listing.findings.append(unreadable(source.name, zipfile.BadZipFile(why)))
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        listing.findings.append(unreadable(source.name, error))


def _add_member(source: Source, archive: zipfile.ZipFile, info: zipfile.ZipInfo, listing: Listing) -> None:
    why = _refusal(info)
    if archive.getinfo(info.filename) is not info:
        why = "a later member has the same name"
    if why:
        listing.findings.append(
            Finding("refused-member", text=info.filename, details={"why": why}, source=source.name)
        )
        return
    try:
        head = _head(_parts(_opened(archive, info)))
    except DAMAGE as error:
        listing.findings.append(unreadable(source.name, error))
        return
    _add_source(source, head, listing, named=False)


def _label(info: zipfile.ZipInfo) -> str:
    """What people call a member. A name that is not marked as UTF-8 is in the code page of the machine that packed it,
    which zipfile takes to be the first PC's."""
    if info.flag_bits & _UTF8_NAME or info.filename.isascii():
        return info.filename
    return encodings.decode(info.filename.encode("cp437")).text.decode()


_UTF8_NAME: Final = 0x800
"""The flag of a member whose name is in UTF-8."""


def _refusal(info: zipfile.ZipInfo) -> str | None:
    name = info.filename
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor:
        return "absolute path"
    if ".." in PurePosixPath(name.replace("\\", "/")).parts:
        return "path leads out of the archive"
    if info.file_size > MEMBER_LIMIT:
        return f"unpacks to {info.file_size} bytes, more than {MEMBER_LIMIT}"
    if info.file_size > _limit(info.compress_size):
        return f"unpacks to {info.file_size} bytes from {info.compress_size}"
    return None


def _limit(packed: int) -> int:
    """The most bytes that so many may unpack to."""
    return min(MEMBER_LIMIT, max(RATIO_FLOOR, RATIO_LIMIT * packed))


def _readable(path: Path) -> str:
    """``path`` as people read it; bytes in it that are no UTF-8 are written as ``\\xff``."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _aside(name: str, why: str, why_zh: str) -> Finding:
    return Finding("left-aside", details={"why": why, "why_zh": why_zh}, source=name)


def unreadable(name: str, error: Exception) -> Finding:
    """The finding that ``error``, mostly one of `DAMAGE`, makes of the file ``name``; raises it where it is none of the
    file's, but of the machine's."""
    if lacks_memory(error) or lacks_room(error):
        raise error
    why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
    if not isinstance(error, DAMAGE):
        why = f"{type(error).__name__}: {why}"
    return Finding("unreadable-file", text=name, details={"why": why}, source=name)
