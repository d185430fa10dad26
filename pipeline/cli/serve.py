"""``caipan serve``."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import click

from pipeline.cli.options import clean_errors, jobs_option, need


@click.command("serve")
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 is any that is free.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name that requests may call this server by, besides localhost and addresses. May be repeated.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for runs, which outlive the server there [default: a temporary one].",
)
@click.option(
    "--max-body",
    type=click.IntRange(1),
    default=64,
    show_default=True,
    metavar="MB",
    help="Refuse requests that send more.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Stop what is answered at once when it takes longer; a run may take its time.",
)
@click.option(
    "--memory",
    type=click.IntRange(64),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Memory that may be taken by a request that is answered at once.",
)
@click.option(
    "--requests",
    type=click.IntRange(1),
    metavar="N",
    help="So many requests are worked on at once; others wait [default: one per processor].",
)
@click.option(
    "--runs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="So many runs are worked on at once; others wait.",
)
@click.option(
    "--queue",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="N",
    help="So many runs may wait; more are refused.",
)
@jobs_option
@clean_errors
def command(host, port, hosts, data, max_body, timeout, memory, requests, runs, queue, jobs):
    """Serve what the commands do over HTTP, and a page to do it on.

    Ctrl-C stops it. It knows no users: whoever reaches it may ask, and sees all runs. So it listens on this machine
    alone, unless --host says otherwise.

    \b
        caipan serve
        caipan serve --port 8080 --data service/ --max-body 256
    """
    for package in ("starlette", "uvicorn", "python_multipart"):
        need(package)
    from pipeline import interrupts
    from pipeline.run import locked
    from pipeline.service.app import Limits, app
    from pipeline.service.server import listen, serve

    limits = Limits(
        body=max_body << 20,
        timeout=timeout,
        memory=memory << 20,
        requests=requests or os.cpu_count() or 1,
        runs=runs,
        jobs=jobs,
        queue=queue,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # when uvicorn has ended what it is at
    with (
        nullcontext(data) if data else tempfile.TemporaryDirectory(prefix="caipan-") as folder,
        locked(Path(folder)),
        listen(host, port) as listening,
    ):
        address, number, *_ = listening.getsockname()
        shown = f"[{address}]" if ":" in address else address
        service = app(Path(folder).resolve(), limits, [host, *hosts])
        click.echo(f"caipan listens on http://{shown}:{number}/")
        sys.stdout.flush()
        with interrupts.kept():  # a Ctrl-C that came while all this was loaded is heard here
            serve(service, listening)
