"""The application: which address asks for which errand, and who may ask."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

import anyio.to_thread
import click
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pipeline import __version__
from pipeline.service import asked, errands, pages, problems, workers
from pipeline.service.errands import ANSWER, PAGE, RECORDS, WRITTEN, Answer, Errand, Trouble
from pipeline.service.faults import faults, results
from pipeline.service.guard import Guard
from pipeline.service.refusal import Refusal
from pipeline.service.runs import DONE, PATIENCE, Run, Runs
from pipeline.service.workers import Busy, Workers

KEEP = 600.0
"""Seconds for which an answer is kept that a page leads to."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server takes on: bytes of one request (``body``), seconds (``timeout``), bytes of memory (``memory``)
    and number (``requests``) of the errands at work, and how many more may wait; how many ``runs`` are worked at once,
    each with ``jobs`` processes, and how many may wait in the ``queue``."""

    body: int = 64 << 20
    timeout: float = 30.0
    memory: int = 2 << 30
    requests: int = 2
    waiting: int = 32
    runs: int = 1
    jobs: int | None = None
    queue: int = 20


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address: what ``errand`` does for it, whether that is about ``records`` that are sent, and in which ``forms``
    it answers. ``arguments`` go before those in the path; whoever asks on the page of a run goes ``back`` to it."""

    method: str
    path: str
    errand: click.Command
    records: bool = False
    forms: tuple[str, ...] = ("json",)
    arguments: tuple[str, ...] = ()
    back: bool = False


ENDPOINTS = (
    Endpoint("GET", "/v1/rules", errands.all_rules, forms=("json", "text")),
    Endpoint("GET", "/v1/rules/{rules}", errands.one_ruleset, forms=("json", "text")),
    Endpoint("GET", "/v1/books", errands.all_books, forms=("json", "text")),
    Endpoint("GET", "/v1/books/{book}", errands.one_book, forms=("json", "text")),
    Endpoint("POST", "/v1/check", errands.checked, records=True, forms=("json", "text", "html")),
    Endpoint("POST", "/v1/convert", errands.converted, records=True, forms=("text", "json", "html")),
    Endpoint("POST", "/v1/study", errands.studied, records=True),
    Endpoint("GET", "/v1/position", errands.position),
    Endpoint("GET", "/v1/position.svg", errands.picture),
    Endpoint("GET", "/v1/runs/{run}/tables.zip", errands.tables),
    Endpoint("GET", "/v1/runs/{run}/report.html", errands.reported, arguments=("html",)),
    Endpoint("GET", "/v1/runs/{run}/report.md", errands.reported, arguments=("md",)),
    Endpoint("POST", "/v1/runs/{run}/rule", errands.ruled, back=True),
)


def app(data: Path, limits: Limits | None = None, hosts: Collection[str] = ()) -> Starlette:
    """The service, which keeps what it has to in the folder ``data``; ``hosts`` are further names that it goes by."""
    limits = limits or Limits()
    desk = Desk(data, limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await desk.begin()
        yield
        await desk.end()

    routes = [
        Route("/", _front),
        Route("/page.css", _own("page.css", "text/css")),
        Route("/page.js", _own("page.js", "text/javascript")),
        Route("/v1/health", _health),
        *(Route(one.path, desk.endpoint(one), methods=[one.method]) for one in ENDPOINTS),
        Route(f"{WRITTEN}/{{name}}", desk.written),
        Route("/v1/runs", desk.all_runs),
        Route("/v1/runs", desk.new_run, methods=["POST"]),
        Route("/v1/runs/{run}", desk.one_run),
        Route("/v1/runs/{run}", desk.remove_run, methods=["DELETE"]),
        Route("/v1/runs/{run}/remove", desk.remove_run, methods=["POST"]),
        Route("/v1/runs/{run}/tables/{path:path}", desk.table),
    ]
    service = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, hosts=hosts, most=limits.body)],
        exception_handlers={
            HTTPException: problems.told,
            ClientDisconnect: problems.unheard,
            OSError: problems.failed,
            Exception: problems.failed,
        },
    )
    service.state.desk = desk
    return service


async def _front(request: Request) -> Response:
    """The page on which a record is sent."""
    return HTMLResponse(pages.front(asked.language(request)), headers=pages.POLICY)


def _own(name: str, media: str) -> Callable[[Request], Awaitable[Response]]:
    """A file that the pages need."""

    async def handed(request: Request) -> Response:
        return Response(pages.file(name), media_type=media, headers={"Cache-Control": "no-cache"})

    return handed


async def _health(request: Request) -> Response:
    """Whether it is there, and which caipan it is."""
    return JSONResponse({"status": "ok", "caipan": __version__})


@dataclass(slots=True)
class Desk:
    """Takes requests and hands out answers; what a request needs is in a folder of its own until it is answered."""

    data: Path
    limits: Limits
    workers: Workers = field(init=False)
    runs: Runs = field(init=False)
    _ending: asyncio.Event = field(default_factory=asyncio.Event)
    _loop: asyncio.AbstractEventLoop | None = None
    _written: dict[str, Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limits = self.limits
        self.runs = Runs(self.data / "runs", limits.runs, limits.queue, limits.jobs)
        self.workers = Workers(limits.requests, limits.waiting, limits.timeout, limits.memory)

    @property
    def open(self) -> Path:
        """Where the folders of requests are."""
        return self.data / "requests"

    async def begin(self) -> None:
        """Get ready, and take up the runs of an earlier server."""
        self._clear()
        self._loop = asyncio.get_running_loop()
        await anyio.to_thread.run_sync(workers.start)
        self.runs.start()

    def end_soon(self) -> None:
        """Stop what is being answered if it takes longer than `PATIENCE`; for a handler of signals."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._loop.call_later, PATIENCE, self._ending.set)

    async def end(self) -> None:
        await self.runs.stop()
        self._clear()

    def _clear(self) -> None:
        """Remove what requests have left that were never answered."""
        shutil.rmtree(self.open, ignore_errors=True)

    def endpoint(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """What answers a request to ``endpoint``."""

        async def handled(request: Request) -> Response:
            folder = self._folder()
            try:
                if endpoint.records:
                    given, fields = await asked.sent(request, folder, self.limits.body)
                else:
                    given, fields = Errand(folder), await asked.filled_in(request)
                given = replace(given, form=asked.form(request, endpoint.forms))
                arguments = asked.arguments(endpoint.errand, request.query_params.multi_items(), fields)
                path = dict(request.path_params)
                if run := path.pop("run", ""):
                    given = self._finished(run, given)
                arguments += ["--", *endpoint.arguments, *path.values()]
                if given.form == "html":
                    arguments = [f"--lang={asked.language(request)}", *arguments]
                done = await self.do(request, given, endpoint.errand, arguments)
                if endpoint.back and (page := _page_at(request, f"/v1/runs/{run}", _rulings(folder))):
                    shutil.rmtree(folder)
                    return page
                return self._page_before(folder, done) if done.later else Handed(folder, done)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise

        handled.__doc__ = endpoint.errand.help
        return handled

    def _page_before(self, folder: Path, done: Answer) -> Response:
        """The page that an errand has left in its ``folder``; the answer is kept there for `KEEP`."""
        page = HTMLResponse((folder / PAGE).read_bytes(), headers=pages.POLICY)
        self._written[folder.name] = done

        def forget() -> None:
            del self._written[folder.name]
            shutil.rmtree(folder, ignore_errors=True)

        asyncio.get_running_loop().call_later(KEEP, forget)
        return page

    async def written(self, request: Request) -> Response:
        """Records rewritten to which a page has led, for ten minutes."""
        name = request.path_params["name"]
        done = self._written.get(name)
        if done is None:
            raise Refusal(404, "the file is not kept any more; write it again", "文件已不再保留，请重新改写")
        return FileResponse(
            self.open / name / ANSWER, media_type=done.media, filename=done.name, headers=done.headers
        )

    # -- runs ----------------------------------------------------------------------------------------

    async def new_run(self, request: Request) -> Response:
        """Queue a run over what is sent."""
        folder = self._folder()
        try:
            self.runs.check_room()
            given, fields = await asked.sent(request, folder, self.limits.body)
            arguments = asked.arguments(errands.planned, request.query_params.multi_items(), fields)
            await self.do(request, given, errands.planned, arguments)
            head = json.loads((folder / ANSWER).read_bytes())
            run = self.runs.add(given, arguments, head)
        except Busy:
            raise Refusal(
                503, "too many runs are waiting; ask again later", "等待中的批量裁定太多，请稍后再试"
            ) from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        place = f"/v1/runs/{run.id}"
        return _page_at(request, place) or JSONResponse(run.told(), 202, {"Location": place})

    async def all_runs(self, request: Request) -> Response:
        """All runs, the newest first."""
        if _wants_page(request):
            return HTMLResponse(pages.runs(asked.language(request), self.runs), headers=pages.POLICY)
        return JSONResponse({"runs": [run.told() for run in self.runs]})

    async def one_run(self, request: Request) -> Response:
        """How far a run has come, and what it came to."""
        run = self._run(request.path_params["run"])
        if _wants_page(request):
            tables = run.tables()
            found = await anyio.to_thread.run_sync(faults, tables, pages.MOST_FOUND)
            ruled = [
                (path, await anyio.to_thread.run_sync(results, tables[path]))
                for path in request.query_params.getlist("ruled")
                if path.startswith("rulings/") and path in tables
            ]
            return HTMLResponse(pages.run(asked.language(request), run, found, ruled), headers=pages.POLICY)
        return JSONResponse(run.told())

    async def remove_run(self, request: Request) -> Response:
        """Stop a run and remove it, with its tables."""
        await self.runs.remove(self._run(request.path_params["run"]))
        return _page_at(request, "/v1/runs") or Response(status_code=204)

    async def table(self, request: Request) -> Response:
        """One file of the tables of a run."""
        run = self._run(request.path_params["run"])
        self._finished(run.id, run.errand())
        path = request.path_params["path"]
        file = run.tables().get(path)
        if file is None:
            raise Refusal(404, f"the run has no table {path[:100]!r}", f"此批量裁定没有表格 {path[:100]!r}")
        media = "application/json" if file.suffix == ".json" else "application/vnd.apache.parquet"
        return FileResponse(file, media_type=media, filename=file.name)

    def _run(self, name: str) -> Run:
        run = self.runs.get(name)
        if run is None:
            raise Refusal(404, f"there is no run {name[:100]!r}", f"没有批量裁定 {name[:100]!r}")
        return run

    def _finished(self, name: str, given: Errand) -> Errand:
        """``given``, about the run called ``name``, which must have been finished."""
        run = self._run(name)
        if run.state != DONE:
            why = f": {run.detail}" if run.detail else ""
            raise Refusal(
                409,
                f"the run {run.id} is {run.state}{why}; it has no tables yet",
                f"批量裁定 {run.id} 尚未完成，还没有表格{why}",
            )
        return replace(given, record=run.record, run=run.folder)

    # -- errands -------------------------------------------------------------------------------------

    def _folder(self) -> Path:
        self.open.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=self.open))
        (folder / RECORDS).mkdir()
        return folder

    async def do(
        self, request: Request, given: Errand, errand: click.Command, arguments: list[str]
    ) -> Answer:
        """Have an errand done, for as long as somebody waits for it. Raises HTTPException for what is in its way."""
        work = asyncio.ensure_future(self.workers.do(given, str(errand.name), arguments))
        left = asyncio.ensure_future(asked.gone(request))
        ending = asyncio.ensure_future(self._ending.wait())
        try:
            await asyncio.wait((work, left, ending), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise Refusal(
                    503, "stopped: nobody waits for it, or the server ends", "已停止：服务器即将关闭"
                )
            done = work.result()
        except Busy:
            raise Refusal(
                503, "too many requests are waiting; ask again later", "等待中的请求太多，请稍后再试"
            ) from None
        finally:
            for task in (work, left, ending):
                task.cancel()
            await asyncio.wait((work, left, ending))
        if isinstance(done, Trouble):
            raise Refusal(done.status, done.detail, done.chinese or done.detail)
        return done


def _wants_page(request: Request) -> bool:
    return asked.form(request, ("json", "html")) == "html"


def _page_at(request: Request, place: str, more: str = "") -> Response | None:
    """Where the reader of a page goes on after what a form has done; None for whoever reads no page."""
    if not _wants_page(request):
        return None
    return RedirectResponse(f"{place}?lang={asked.language(request)}{more}", 303)


def _rulings(folder: Path) -> str:
    """How the page of a run is asked for the rulings that an errand has told in ``folder``."""
    made = json.loads((folder / ANSWER).read_bytes())["rulings"]
    return "".join(f"&ruled={quote(one['path'], safe='')}" for one in made) + "#ruled"


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
