"""Why a request is refused, for people of both languages."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class Refusal(HTTPException):
    """What the service itself says of ``status``: ``detail`` in English, which problems have, and ``chinese``."""

    def __init__(self, status: int, detail: str, chinese: str):
        super().__init__(status, detail)
        self.chinese = chinese
