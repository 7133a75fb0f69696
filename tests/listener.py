"""An HTTP server that somebody else runs: what it answers, when, and what has arrived there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_server
from threading import Event, Thread
from typing import NamedTuple


class Arrived(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


class Listener(ThreadingHTTPServer):
    """Answers with `status` and `headers`, after `released`, and keeps what arrived; then it `has_some`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.arrived: list[Arrived] = []
        self.headers = {"Location": "/elsewhere"}
        self.status, self.released, self.has_some = 204, Event(), Event()
        self.released.set()
        self.port = self.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.origin}/hook?for=us"


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
        self.server.has_some.set()
        self.server.released.wait(30)
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def answering_oddly(line: bytes) -> Iterator[str]:
    """Answer one request with a line that need not be HTTP, and yield the address to ask."""
    with create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection = server.accept()[0]
            connection.recv(65536)
            connection.sendall(line + b"\r\n\r\n")
            connection.close()

        answering = Thread(target=answer, daemon=True)
        answering.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        answering.join()
