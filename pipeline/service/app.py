"""The application: which address asks for which errand, and who may ask."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio.to_thread
import click
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pipeline import __version__
from pipeline.service import asked, errands, problems, workers
from pipeline.service.errands import ANSWER, RECORDS, Answer, Errand, Trouble
from pipeline.service.guard import Guard
from pipeline.service.workers import Busy, Workers


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server takes on: bytes of one request (``body``), seconds (``timeout``), bytes of memory (``memory``)
    and number (``requests``) of the errands at work, and how many more may wait."""

    body: int = 64 << 20
    timeout: float = 30.0
    memory: int = 2 << 30
    requests: int = 2
    waiting: int = 32


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address: what ``errand`` does for it, whether that is about ``records`` that are sent, and in which ``forms``
    it answers."""

    method: str
    path: str
    errand: click.Command
    records: bool = False
    forms: tuple[str, ...] = ("json",)


ENDPOINTS = (
    Endpoint("GET", "/v1/rules", errands.all_rules, forms=("json", "text")),
    Endpoint("GET", "/v1/rules/{rules}", errands.one_ruleset, forms=("json", "text")),
    Endpoint("GET", "/v1/books", errands.all_books, forms=("json", "text")),
    Endpoint("GET", "/v1/books/{book}", errands.one_book, forms=("json", "text")),
    Endpoint("POST", "/v1/check", errands.checked, records=True, forms=("json", "text")),
    Endpoint("POST", "/v1/convert", errands.converted, records=True, forms=("text", "json")),
    Endpoint("POST", "/v1/study", errands.studied, records=True),
    Endpoint("GET", "/v1/position", errands.position),
    Endpoint("GET", "/v1/position.svg", errands.picture),
)


def app(data: Path, limits: Limits | None = None, hosts: Collection[str] = ()) -> Starlette:
    """The service, which keeps what it has to in the folder ``data``; ``hosts`` are further names that it goes by."""
    limits = limits or Limits()
    desk = Desk(data, limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        desk.clear()
        await anyio.to_thread.run_sync(workers.start)
        yield
        desk.clear()

    routes = [
        Route("/v1/health", _health),
        *(Route(one.path, desk.endpoint(one), methods=[one.method]) for one in ENDPOINTS),
    ]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, hosts=hosts, most=limits.body)],
        exception_handlers={HTTPException: problems.told},
    )


async def _health(request: Request) -> Response:
    """Whether it is there, and which caipan it is."""
    return JSONResponse({"status": "ok", "caipan": __version__})


@dataclass(slots=True)
class Desk:
    """Takes requests and hands out answers; what a request needs is in a folder of its own until it is answered."""

    data: Path
    limits: Limits
    workers: Workers = field(init=False)

    def __post_init__(self) -> None:
        limits = self.limits
        self.workers = Workers(limits.requests, limits.waiting, limits.timeout, limits.memory)

    @property
    def open(self) -> Path:
        """Where the folders of requests are."""
        return self.data / "requests"

    def clear(self) -> None:
        """Remove what requests have left that were never answered."""
        shutil.rmtree(self.open, ignore_errors=True)

    def endpoint(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """What answers a request to ``endpoint``."""

        async def handled(request: Request) -> Response:
            folder = self._folder()
            try:
                given, fields = Errand(folder), asked.NO_FIELDS
                if endpoint.records:
                    given, fields = await asked.sent(request, folder, self.limits.body)
                given = replace(given, form=asked.form(request, endpoint.forms))
                arguments = asked.arguments(endpoint.errand, request.query_params.multi_items(), fields)
                arguments += ["--", *request.path_params.values()]
                return Handed(folder, await self.do(given, endpoint.errand, arguments))
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise

        return handled

    def _folder(self) -> Path:
        self.open.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=self.open))
        (folder / RECORDS).mkdir()
        return folder

    async def do(self, given: Errand, errand: click.Command, arguments: list[str]) -> Answer:
        """Have an errand done. Raises HTTPException for what is in its way."""
        try:
            done = await self.workers.do(given, str(errand.name), arguments)
        except Busy:
            raise HTTPException(503, "too many requests are waiting; ask again later") from None
        if isinstance(done, Trouble):
            raise HTTPException(done.status, done.detail)
        return done


class Handed(FileResponse):
    """The answer that an errand has left in its ``folder``, which is gone when the answer has been given."""

    def __init__(self, folder: Path, answer: Answer):
        super().__init__(
            folder / ANSWER, media_type=answer.media, filename=answer.name or None, headers=answer.headers
        )
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
