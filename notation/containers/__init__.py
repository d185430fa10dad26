"""Record formats: one module each, and one front that finds out by content which module a file is for.

    containers.sniff(head, "club.wxf")          # "wxf_text"
    batch = containers.read("club.wxf")         # RecordBatch
    for batch in containers.batches("games.pgn", 1 << 22): ...   # a large file, some megabytes at a time

A further format is one more file here with the two functions of `Container`, and its sign in `signs.SIGNS`; one that is
no text is in `BINARY`, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol, cast

from notation import encoding as encodings
from notation.containers import foreign
from notation.containers.cut import HEAD_BYTES, PAGE_BYTES, WHOLE, Cut
from notation.containers.signs import SIGNS
from notation.finding import Finding

if TYPE_CHECKING:
    from notation.record import RecordBatch

CONTAINERS: Final = tuple(SIGNS)
"""The formats, by the names of their modules; ``foreign`` knows those that are not read, ``unknown`` text
without moves."""

BINARY: Final = ("xqf", "cbl", "ccbridge")
"""The formats that are no text: of those an encoding is asked for the texts in them alone."""

FALLBACK: Final = "pgn"
"""Reads what no format recognises: it takes any text, and says what is wrong with the rest."""

WITHOUT_GAMES: Final = "unknown"
"""The format of text that is known to hold no record."""


class Container(Protocol):
    """What the module of a format offers."""

    def split(self, source: bytes | str | Path, target_bytes: int, *, encoding: str | None) -> Iterator[Cut]:
        """Cut ``source`` at record starts into pieces of ``target_bytes`` or a little more, which tile it."""
        ...

    def read(self, source: bytes | str | Path, *, encoding: str | None, cut: Cut = ...) -> RecordBatch:
        """Read every record of a cut: ``source`` is its bytes, or the path of the file."""
        ...


def container(name: str) -> Container:
    """The module of the format ``name``. Raises LookupError for an unknown one."""
    if name not in CONTAINERS:
        raise LookupError(f"no record format {name!r}; there are {', '.join(CONTAINERS)}")
    return cast(Container, import_module(f"notation.containers.{name}"))


def enough(head: bytes) -> int:
    """How many bytes of a file that begins with ``head``, `HEAD_BYTES` or all of it, tell what it is."""
    return PAGE_BYTES if foreign.is_page(head[:HEAD_BYTES]) else HEAD_BYTES


def head_of(file: IO[bytes]) -> bytes:
    """The beginning of ``file`` that `sniff` asks for."""
    head = file.read(HEAD_BYTES)
    return head + file.read(enough(head) - HEAD_BYTES)


def sniff(head: bytes, name: str = "") -> str | None:
    """The format that ``head`` is in, the beginning of a file called ``name`` (`head_of`); None for none we know."""
    return next((kind for kind, recognises in SIGNS.items() if recognises(head, name)), None)


def why_not(head: bytes) -> tuple[str, str]:
    """Why a file that begins with ``head`` and is of no format here is not read unasked, in English and Chinese."""
    from notation.containers import unknown

    if b"\0" in encodings.legible(head):
        return "it does not look like game records", "不像棋谱"
    if unknown.recognises(head, ""):
        return unknown.why(head)
    return (
        "it does not begin with moves or tags, though there are moves in it; named by itself it is read",
        "开头不是着法或标签,但文中有着法;单独指明则读取",
    )


def read(source: bytes | str | Path, *, name: str | None = None, encoding: str | None = None) -> RecordBatch:
    """Read every record of ``source``, bytes or a path, in the format ``name`` or else the one it is found to be in.

    What no format recognises is read as PGN. Raises OSError for a path that cannot be read, LookupError for
    an unknown format or encoding.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    name = name or _kind(data[: enough(data)], source)
    return read_cut(name, data, WHOLE, encoding)


def read_cut(name: str, data: bytes, cut: Cut, encoding: str | None = None) -> RecordBatch:
    """The records of a ``cut`` in the format ``name``, whose bytes are ``data``; an ``encoding`` that the front of the
    source plainly is not in is told."""
    batch = container(name).read(data, encoding=encoding, cut=cut)
    if encoding and cut.first == 0 and name not in BINARY and (found := encodings.belied(data, encoding)):
        details = {"found": found, "given": encoding}
        batch.findings.insert(
            0, Finding("other-encoding", suggestion=f"--encoding {found}", details=details, line=1, byte=0)
        )
    return batch


def batches(
    source: bytes | str | Path, target_bytes: int, *, name: str | None = None, encoding: str | None = None
) -> Iterator[RecordBatch]:
    """The records of ``source`` as `read` gives them, about ``target_bytes`` of a file at a time."""
    if isinstance(source, bytes):
        name = name or _kind(source[: enough(source)], source)
    else:
        with open(source, "rb") as file:
            name = name or _kind(head_of(file), source)
    module = container(name)
    for cut in module.split(source, target_bytes, encoding=encoding):
        yield read_cut(name, cut.of(source), cut, encoding)


def _kind(head: bytes, source: bytes | str | Path) -> str:
    return sniff(head, "" if isinstance(source, bytes) else Path(source).name) or FALLBACK
