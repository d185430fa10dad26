"""What could not be done, as RFC 9457 has it: problem+json, with the words of the command line."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from pipeline.service import asked, pages
from pipeline.service.refusal import Refusal

MEDIA = "application/problem+json"
AGAIN = {"Retry-After": "5"}
"""Of what may be asked for again, after so many seconds."""


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """``status`` and why; one that passes says when to ask again."""
    said: dict[str, Any] = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    return JSONResponse(
        said | {"detail": detail},
        status,
        {**(AGAIN if status == 503 else {}), **(headers or {})},
        MEDIA,
    )


async def told(request: Request, error: Exception) -> Response:
    """An HTTPException as a problem, or as a page for those who look at one."""
    assert isinstance(error, HTTPException)
    if asked.form(request, ("json", "html")) == "html":
        language = asked.language(request)
        page = pages.trouble(language, _chinese(error) if language == "zh" else error.detail)
        return HTMLResponse(page, error.status_code, {**pages.POLICY, **(error.headers or {})})
    return problem(error.status_code, error.detail, dict(error.headers or {}))


def _chinese(error: HTTPException) -> str:
    """What ``error`` says in Chinese; what commands say, they say in English."""
    if isinstance(error, Refusal):
        return error.chinese
    return _PHRASES.get(error.detail, error.detail)


_PHRASES = {"Not Found": "没有这个网页", "Method Not Allowed": "这个网址不接受这种请求"}


async def failed(request: Request, error: Exception) -> Response:
    """What nobody expects, a full disk say, as a problem that tells nothing of this machine."""
    why = error.strerror if isinstance(error, OSError) else None
    return problem(500, why or f"caipan could not do it: {type(error).__name__}")


async def unheard(request: Request, error: Exception) -> Response:
    """What is said to a client that has gone before all was sent, and to nobody else."""
    return problem(400, "the request broke off")
