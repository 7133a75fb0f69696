from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.processes import MANAGE, free_port, own_database, serving


class Server:
    """The real server in a process of its own, which can be killed and started again on the same database."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.port = free_port()
        self._environment = environment
        self._running = ExitStack()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [*MANAGE, "serve", "--port", str(self.port), "--no-worker"]
        self._process = self._running.enter_context(serving(command, self.port, self._environment))

    def kill(self) -> None:
        """End the process as a power cut would."""
        self.stop(signal.SIGKILL)

    def stop(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self._process.send_signal(number)
        return self._process.wait(timeout=20)

    def close(self) -> None:
        self._running.close()

    def get(self, path: str, token: str = "") -> Any:
        return self._call(Request(self.url + path), token)

    def post(self, path: str, body: object, token: str = "") -> Any:
        request = Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return self._call(request, token)

    def _call(self, request: Request, token: str) -> Any:
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urlopen(request, timeout=10) as answer:
            return json.load(answer)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with own_database(tmp_path) as environment:
        server = Server(environment)
        server.start()
        yield server
        server.close()
