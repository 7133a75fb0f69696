"""An HTTP server that somebody else runs: what it answers, when, and what has arrived there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import NamedTuple


class Arrived(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


class Listener(ThreadingHTTPServer):
    """Answers with `status`, after `released`, and keeps what arrived."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.arrived: list[Arrived] = []
        self.status, self.released = 204, Event()
        self.released.set()
        self.port = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook?for=us"


@contextmanager
def listening() -> Iterator[Listener]:
    with Listener() as listener:
        serving = Thread(target=listener.serve_forever, args=(0.01,))
        serving.start()
        yield listener
        listener.released.set()
        listener.shutdown()
        serving.join()


class _Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.arrived.append(Arrived(self.path, dict(self.headers), body))
        self.server.released.wait(30)
        self.send_response(self.server.status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass
