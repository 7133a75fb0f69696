"""A server whose pages arrive in pieces, as over a slow line: the next one comes when a test says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Semaphore, Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class InPieces(ThreadingHTTPServer):
    """Passes on what a server answers; its pages stop before every mark until `next_piece` is released."""

    def __init__(self, server: str, marks: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind, self.marks = server, re.compile(b"(?=%b)" % marks)
        self.next_piece = Semaphore(0)
        self.url = f"http://127.0.0.1:{self.server_port}"


@contextmanager
def in_pieces(server: str, marks: bytes) -> Iterator[InPieces]:
    """Put such a server before another one."""
    with InPieces(server, marks) as slow:
        Thread(target=slow.serve_forever, args=(0.01,), daemon=True).start()
        yield slow
        slow.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: InPieces

    def do_GET(self) -> None:
        kept = {name: self.headers[name] for name in ("Accept", "Cookie") if name in self.headers}
        try:
            with urlopen(Request(self.server.behind + self.path, headers=kept)) as answer:
                kind, body = answer.headers["Content-Type"], answer.read()
        except HTTPError as error:  # such as a socket, which is not opened here
            with error:
                self.send_error(error.code)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        first, *others = self.server.marks.split(body) if kind.startswith("text/html") else [body]
        self.wfile.write(first)
        for piece in others:
            self.server.next_piece.acquire(timeout=90)
            self.wfile.write(piece)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass
