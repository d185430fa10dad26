"""Sources in UTF-16 or UTF-32, in which ASCII is not ASCII, and the other texts that may stand in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from notation import encoding as encodings
from notation.containers.cut import Cut
from notation.finding import Finding
from notation.record import RecordBatch

_BREAK = re.compile("\r\n?|\n")


def read(
    source: bytes | str | Path,
    encoding: str | None,
    cut: Cut,
    one: Callable[[bytes, str | None, Cut], RecordBatch],
    *,
    anywhere: bool = False,
) -> RecordBatch:
    """Every record of a ``cut`` of ``source``, its bytes or the path of the file, in the encodings that it shows.

    ``one`` reads a text in an encoding: the one that is given or, where UTF-16 or UTF-32 is evident, that. Where on
    such a text follows one in another encoding, or in the other order of bytes, or such a text on another, that is a
    finding, and it is read by itself: in a whole source, and ``anywhere`` if the cut says no ``starts``. Raises
    LookupError for an unknown encoding, OSError when the file cannot be read, ValueError when the bytes are not those
    of the cut.
    """
    data = cut.checked(source if isinstance(source, bytes) else cut.of(source))
    if encoding is not None:
        return one(data, encodings.known(encoding), cut)
    whole = cut.starts is None if anywhere else not cut.first and cut.hint is None
    if not whole or b"\0" not in data:
        return one(data, None, cut)
    texts = encodings.stretches(data)
    if [text.encoding for text in texts] == [None]:
        return one(data, None, cut)
    parts: list[RecordBatch] = []
    line, index, known = cut.line, cut.index, ""
    for start, stop, name in texts:
        raw, first = data[start:stop], cut.first + start
        hint = None if name else cut.hint
        last = cut.final and stop == len(data)
        part = one(raw, name, Cut(first, first + len(raw), line, index, hint=hint, final=last))
        if parts:
            part.findings[:0] = _turns(data, start, first, known, name, line, part)
        parts.append(part)
        known = name or (part.encoding[-1] if len(part) else "ascii")
        line += len(_BREAK.findall(raw.decode(name or "latin-1", "replace")))
        index += len(part)
    if len(parts) == 1:
        return parts[0]
    batch = RecordBatch.joined(parts)
    if len(batch):
        batch.findings = [finding for finding in batch.findings if finding.code != "no-games"]
    return batch


def _turns(
    data: bytes, start: int, first: int, known: str, name: str | None, line: int, part: RecordBatch
) -> list[Finding]:
    """What is said of the place ``start`` in ``data``, ``first`` in the source, at which another text than one in the
    encoding ``known`` begins."""
    details = {"encoding": known}
    told = [
        Finding(
            "mixed-encoding",
            text=encodings.escaped(data[start : start + 1]),
            line=line,
            byte=first,
            details=details,
        )
    ]
    nul = data.find(0, start)
    if name is None and nul >= 0 and all(finding.code != "binary-data" for finding in part.findings):
        told.append(replace(told[0], code="binary-data", text=None, byte=first - start + nul, details={}))
    return told
