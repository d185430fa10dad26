"""The application behind a socket, until it is told to stop."""

from __future__ import annotations

import socket
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette

_LOGGED: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "uvicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "uvicorn.access": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
"""A line for every request and for what went wrong, on stderr."""

MOST_CONNECTIONS = 512


class _Server(uvicorn.Server):
    def __init__(self, service: Starlette):
        super().__init__(
            uvicorn.Config(
                service,
                log_config=_LOGGED,
                server_header=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_graceful_shutdown=10,
                lifespan="on",
            )
        )
        self._service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._service.state.desk.end_soon()
        super().handle_exit(sig, frame)


def serve(service: Starlette, listening: socket.socket) -> None:
    """Answer what comes to ``listening`` until Ctrl-C (KeyboardInterrupt) or SIGTERM, which its old handler then gets.

    What is being answered then has a few seconds; runs stop where they are.
    """
    _Server(service).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket at ``host``, an address or name, and ``port``, 0 for any that is free. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=128)
