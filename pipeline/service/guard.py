"""What is looked at before any request is: who is meant, who asks, and how much is sent."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pipeline.service.problems import problem
from pipeline.service.refusal import Refusal

READING = ("GET", "HEAD", "OPTIONS")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
"""What every answer says to browsers, unless it says otherwise itself."""

BARE = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of what is no page of ours."""


class Guard:
    """Lets a request through to ``app`` if it names this server (an address, "localhost" or one of ``hosts``: no other
    name that somebody has made lead here), if one that changes something comes from no page of another server, and if
    it has at most ``most`` bytes.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], most: int):
        self.app = app
        self.hosts = {"localhost", *(host.lower() for host in hosts)}
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in {**HEADERS, "Content-Security-Policy": BARE}.items():
                    headers.setdefault(name, value)
            await send(message)

        count = 0

        async def received() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count > self.most:
                chinese = f"发送的内容超过 {self.most} 字节；上限由 --max-body 设定"
                raise Refusal(413, self._too_large(), chinese)
            return message

        if refusal := self._refusal(scope["method"], Headers(scope=scope)):
            await problem(*refusal)(scope, receive, sent)
        else:
            await self.app(scope, received, sent)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """The status and reason with which a request is sent away; None: it is not."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, f"this server is not called {host[:200]!r}; --allow-host names it"
        if method not in READING and not _from_ourselves(headers, host):
            return 403, "a page of another server may not ask for this"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.most:
            return 413, self._too_large()
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self.hosts or _is_address(name)

    def _too_large(self) -> str:
        return f"more than {self.most} bytes are sent; --max-body sets the limit"


def _from_ourselves(headers: Headers, host: str) -> bool:
    """Whether no page asks, or one of this server: browsers say which, others say nothing."""
    if site := headers.get("sec-fetch-site"):
        return site in ("none", "same-origin")
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
