"""A request as an errand: its options as a command has them, and what it sends as a file."""

from __future__ import annotations

import re
import shutil
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

import anyio.to_thread
import click
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from pipeline.service.errands import ERRANDS, FORMS, RECORDS, Errand
from pipeline.service.refusal import Refusal

UNNAMED = "record"
"""What is sent without a name is called."""
LONGEST_NAME = 50

Fields = Sequence[tuple[str, str]]
NO_FIELDS: Fields = ()

_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
_OWN = {"rules": "rule set", "book": "rule book"}
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
_OURS = ("name", "lang")
"""What is asked of the server itself: how what is sent is called, and the language of its pages."""


def form(request: Request, forms: Iterable[str] = FORMS) -> str:
    """Which of ``forms`` is wanted by ``Accept``, the first where nothing else is."""
    forms = tuple(forms)
    ranges = []
    for part in request.headers.get("accept", "*/*").split(","):
        media, *parameters = (text.strip().lower() for text in part.split(";"))
        weights = [text[2:] for text in parameters if text.startswith("q=")]
        try:
            ranges.append((-float(weights[0] if weights else 1), media))
        except ValueError:
            continue
    for weight, media in sorted(ranges, key=lambda found: found[0]):
        for name in forms:
            own = FORMS[name].partition(";")[0]
            if weight and media in (own, "*/*", f"{own.partition('/')[0]}/*"):
                return name
    return forms[0]


def language(request: Request) -> str:
    """In which language a page is wanted, "en" or "zh": by ``lang``, or by what the browser asks for."""
    wanted = [request.query_params.get("lang", ""), *request.headers.get("accept-language", "").split(",")]
    known = (tag.strip().lower()[:2] for tag in wanted)
    return next((tag for tag in known if tag in ("en", "zh")), "en")


def arguments(command: click.Command, query: Fields, fields: Fields = NO_FIELDS) -> list[str]:
    """The options of a query and of a form as ``command`` takes them.

    A page has one form for all that can be done with a record: of its ``fields`` those that only other errands know are
    passed over. Raises HTTPException for what cannot be an option; which options there are, the command knows.
    """
    known = {name for other in ERRANDS.values() for name in options_of(other)}
    options = options_of(command)
    given = [
        *query,
        *((key, value) for key, value in fields if value and (key in options or key not in known)),
    ]
    found = []
    for key, value in given:
        if key in _OURS and key not in options:
            continue
        if not re.fullmatch(r"[a-z][a-z-]*", key):
            raise HTTPException(422, f"No such option: {key[:100]!r}")
        option = options.get(key)
        if option and option.is_flag:
            if value.lower() not in (*_YES, *_NO, ""):
                raise HTTPException(
                    422, f"Invalid value for '--{key}': {value[:100]!r} is neither yes nor no"
                )
            if value.lower() not in _NO:
                found.append(f"--{key}")
        else:
            found.append(f"--{key}={value}")
    return found


def options_of(command: click.Command) -> dict[str, click.Option]:
    """The options of ``command`` by the names that they have in a query."""
    return {
        param.opts[0].removeprefix("--"): param for param in command.params if isinstance(param, click.Option)
    }


async def gone(request: Request) -> None:
    """Wait until whoever asked is there no more; all that was sent must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def filled_in(request: Request) -> Fields:
    """The fields of a form that sends no record."""
    if request.method != "POST" or not request.headers.get("content-type", "").startswith(_FORMS):
        return NO_FIELDS
    async with request.form(max_files=0, max_fields=100) as parts:
        return [(key, value) for key, value in parts.multi_items() if isinstance(value, str)]


async def sent(request: Request, folder: Path, most: int) -> tuple[Errand, Fields]:
    """What a request sends, in ``folder``, and the fields of its form.

    Bytes are one file, whatever type they are said to be of, called by the parameter ``name``. A form has the file in
    the part ``file`` or its text in the field ``text``, and rules of one's own in the parts ``rules`` and ``book``; of
    ``most`` bytes. Raises HTTPException.
    """
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise HTTPException(415, "Content-Encoding: send the file as it is; one packed by gzip is read")
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media.startswith("multipart/") and media != "multipart/form-data":
        raise HTTPException(415, f"{media} is not read: send the bytes of one file, or multipart/form-data")
    if media == "multipart/form-data":
        return await _of_form(request, folder, most)
    name = plain_name(request.query_params.get("name", ""))
    size = 0
    with (folder / RECORDS / name).open("wb") as file:
        async for part in request.stream():
            size += file.write(part)
    if not size:
        raise Refusal(
            422,
            "no record is sent: it is the body of the request, or the part 'file' of a form",
            "没有收到棋谱：棋谱是请求的正文，或表单的 file 部分",
        )
    return Errand(
        folder,
        name,
    ), NO_FIELDS


async def _of_form(request: Request, folder: Path, most: int) -> tuple[Errand, Fields]:
    fields: list[tuple[str, str]] = []
    own: dict[str, str] = {}
    record, pasted = "", False
    async with request.form(max_files=8, max_fields=100, max_part_size=most) as parts:
        for key, value in parts.multi_items():
            if isinstance(value, UploadFile):
                if not value.filename and not value.size:  # a file that nobody has chosen
                    continue
                name = plain_name(value.filename or "")
                if key in _OWN:
                    own[key] = await _own(value, key, name, folder)
                elif key == "file" and (pasted or not record):
                    record, pasted = name, False
                    path = folder / RECORDS / name
                    await anyio.to_thread.run_sync(_copy, value, path)
                else:
                    raise Refusal(
                        422,
                        f"the form has one file, in the part 'file', not {key[:100]!r}",
                        f"表单只有一个文件，在 file 部分，而非 {key[:100]!r}",
                    )
            elif key == "text":
                if value.strip() and not record:
                    record, pasted = UNNAMED, True
                    (folder / RECORDS / record).write_bytes(value.encode("utf-8", "replace"))
            else:
                fields.append((key, value))
    if not record:
        raise Refusal(
            422,
            "no record is sent: it is the part 'file' of the form, or its field 'text'",
            "没有收到棋谱：请在 text 栏粘贴棋谱，或在 file 栏选择文件",
        )
    return Errand(folder, record, own, pasted), fields


def _copy(value: UploadFile, path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(value.file, file)


async def _own(value: UploadFile, key: str, name: str, folder: Path) -> str:
    """A rule file that comes along: where it is, seen from the records."""
    text = await value.read()
    try:
        parent = tomllib.loads(text.decode("utf-8-sig")).get("extends")
    except ValueError:
        parent = None  # whoever loads it says what is wrong with it
    if isinstance(parent, str) and parent.endswith(".toml"):
        why = (
            f"{name}: extends: a {_OWN[key]} that is sent extends one that comes with caipan, not {parent!r}"
        )
        raise Refusal(422, why, f"{name}：extends：自定规则只能基于 caipan 自带的规则，而非 {parent!r}")
    path = folder / key / (name if name.endswith(".toml") else f"{name}.toml")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text)
    return f"../{key}/{path.name}"


def plain_name(name: str) -> str:
    """``name`` of a file as it may stand here: its last part, without signs that cannot be seen, and not too long."""
    name = re.split(r"[/\\]", name)[-1]
    name = "".join(sign for sign in name if unicodedata.category(sign)[0] != "C").strip().lstrip(".-")
    if len(name) > LONGEST_NAME:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem[:39]}{dot}{ending[:10]}" if dot else name[:LONGEST_NAME]
    return name or UNNAMED
