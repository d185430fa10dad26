"""A text by its lines, and where in the source each of them stands."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from notation import encoding as encodings
from notation.containers.cut import Cut
from notation.finding import Finding


class Lines:
    """The lines of ``data``: ``rows`` without their breaks, and the byte at which each starts (``start``, one more
    than rows)."""

    def __init__(self, data: bytes, encoding: str):
        decoded = encodings.decode(data, encoding=encoding)
        self.encoding, self.fault = decoded.encoding, decoded.fault
        self.plain = encoding in ("ascii", "utf-8")
        self.data = data
        self.rows: list[str] = []
        self.start = array("Q", [0])
        narrow = encodings.encode("\n", encoding) == b"\n"
        # Of a byte that does not fit there is more in the text than in the source.
        lines = data.splitlines(keepends=True) if decoded.fault is not None and narrow else []
        for raw in lines or decoded.text.splitlines(keepends=True):
            line = (encodings.decode(raw, encoding=encoding).text if lines else raw).decode(
                "utf-8", "replace"
            )
            self.rows.append(line.rstrip("\r\n").replace("\ufeff", " "))
            self.start.append(self.start[-1] + (len(raw) if self.plain or lines else self.width(line)))

    def width(self, text: str) -> int:
        """How many bytes ``text`` takes in the source."""
        return len(encodings.encode(text, "utf-8" if self.plain else self.encoding, "replace"))

    def byte(self, line: int, column: int) -> int:
        """The byte at ``column`` (from 0) of ``line``."""
        return self.start[line] + self.width(self.rows[line][:column])

    def misfit(self, cut: Cut) -> Finding:
        """That a byte, the one of ``fault``, does not fit the encoding; the text is that of a ``cut``."""
        fault = self.fault or 0
        line = cut.line + max(0, bisect_right(self.start, fault) - 1)
        details = {"encoding": self.encoding}
        raw = encodings.escaped(self.data[fault : fault + 1])
        return Finding("mixed-encoding", text=raw, details=details, line=line, byte=cut.first + fault)
