from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.processes import MANAGE, UVICORN, Served, free_port, own_database, serving

Command = Callable[[int], list[str]]  # of a server that listens on a port


def daphne(port: int) -> list[str]:
    """Return the command of one machine's server, as `make run` starts it."""
    return [*MANAGE, "serve", "--port", str(port), "--no-worker"]


def uvicorn(port: int) -> list[str]:
    """Return the command of the container with a single process. It does not migrate."""
    return [*UVICORN, str(port), "pyramid_server.asgi:application"]


def uvicorn_workers(port: int) -> list[str]:
    """Return the command of the container. It does not migrate."""
    return [*uvicorn(port), "--workers=2"]


class Server:
    """The real server in a separate process, which can be killed and restarted on the same database."""

    def __init__(self, environment: dict[str, str], command: Command = daphne) -> None:
        self.port = free_port()
        self._processes: list[Served] = []
        self.command = command
        self.environment = environment
        self._running = ExitStack()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def running(self) -> Iterator[Server]:
        """Start, and end whatever runs afterwards."""
        with self._running:
            self.start()
            yield self

    def start(self, *, is_cold: bool = False) -> None:
        serving_it = serving(self.command(self.port), self.port, self.environment, is_cold=is_cold)
        self._processes.append(self._running.enter_context(serving_it))

    @property
    def process(self) -> subprocess.Popen[bytes]:
        return self._processes[-1].process

    @property
    def output(self) -> str:
        """All that its processes have said."""
        return "".join(process.output for process in self._processes)

    def kill(self) -> None:
        """End the process as a power cut would."""
        self.stop(signal.SIGKILL)

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def stop(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        return self._processes[-1].stop(number)

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
        with urlopen(request, timeout=180) as answer:
            return json.load(answer)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with own_database(tmp_path) as environment, Server(environment).running() as server:
        yield server
