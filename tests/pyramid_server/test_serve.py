"""The start of everything, as a real process."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import create_server
from urllib.request import Request, urlopen

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings
from websockets.sync.client import connect
from websockets.typing import Origin

from pyramid_server.management.commands import serve as serve_command
from tests.processes import MANAGE, children, free_port, run, runs, serving


def serve(port: int, *options: str) -> list[str]:
    return [*MANAGE, "serve", "--port", str(port), *options]


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 120
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.25)
    return condition()


def test_it_serves_says_where_and_ends_with_its_worker_on_ctrl_c(own_environment: dict[str, str]) -> None:
    port = free_port()
    with serving(serve(port), port, own_environment) as server:
        [worker] = children(server.pid)
        assert server.stop(signal.SIGINT) == 0
    output = server.output
    assert not runs(worker)
    assert f"http://127.0.0.1:{port}/" in output
    assert "Traceback" not in output
    assert len(output.splitlines()) < 10


def test_it_serves_at_once_and_the_worker_chooses_the_deals_that_need_a_search_and_ends_with_it(
    own_environment: dict[str, str],
) -> None:
    port = free_port()
    settings = {"PYRAMID_DAILY_RULE_SETS": "standard,giza", "PYRAMID_ANONYMOUS_REQUESTS_PER_MINUTE": "100000"}

    def today() -> set[str]:
        with urlopen(f"http://127.0.0.1:{port}/api/daily/") as answer:
            return {daily["rules"] for daily in json.load(answer)["dailies"]}

    with serving(serve(port), port, own_environment | settings) as server:
        [worker] = children(server.pid)
        assert "standard" in today()
        with urlopen(f"http://127.0.0.1:{port}/tlog/checkpoint") as checkpoint:
            assert b"/tlog/" in checkpoint.readline(), "the log is signed before the worker has compiled its solver"
        assert eventually(lambda: today() == {"standard", "giza"})
        assert server.stop(signal.SIGTERM) == 0
    assert not runs(worker)
    assert "Choosing 4 daily deals ..." in server.output
    assert "Traceback" not in server.output


def test_a_worker_that_dies_is_started_again_and_none_outlives_a_server_that_is_killed(
    own_environment: dict[str, str],
) -> None:
    port = free_port()
    with serving(serve(port), port, own_environment) as server:
        [worker] = children(server.pid)
        os.kill(worker, signal.SIGKILL)
        assert eventually(lambda: bool(set(children(server.pid)) - {worker}))
        [another] = set(children(server.pid)) - {worker}
        server.process.kill()
        try:
            assert eventually(lambda: not runs(another))
        finally:
            with suppress(ProcessLookupError):
                os.kill(another, signal.SIGKILL)


def refusal_of(*options: str) -> str:
    """Return the one sentence with which a server ends before it has begun."""
    with pytest.raises(SystemExit) as ended:
        call_command("serve", *options)
    sentence = str(ended.value.code)
    assert "\n" not in sentence
    return sentence


def test_a_busy_port_is_one_sentence() -> None:
    with create_server(("127.0.0.1", 0)) as busy:
        assert "Address already in use" in refusal_of("--port", str(busy.getsockname()[1]))


@pytest.mark.parametrize("port", ["0", "65536", "http"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match="a port is a number from 1 to 65535"):
        call_command("serve", "--port", port)


def test_a_host_that_is_not_this_machine_is_one_sentence() -> None:
    assert refusal_of("--host", "192.0.2.1").startswith("Cannot listen on 192.0.2.1 port 8000")


def test_a_folder_that_takes_no_files_is_one_sentence(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    def full() -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    settings.STATIC_ROOT = "/srv/var/static"
    monkeypatch.setattr(serve_command, "collect_own_files", full)
    with pytest.raises(SystemExit) as ended:
        serve_command.collect_or_exit()
    assert ended.value.code == "The files of the pages cannot be kept in /srv/var/static: Read-only file system"


def test_a_database_that_cannot_be_opened_is_one_sentence(own_environment: dict[str, str]) -> None:
    environment = own_environment | {"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}
    result = run(serve(free_port()), environment)
    assert result.returncode == 1
    assert "The database cannot be used" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_page_in_a_sandbox_may_open_sockets_and_mallory_says_neither_where_the_site_begins_nor_what_they_speak(
    own_environment: dict[str, str],
) -> None:
    port = free_port()
    board = f"ws://127.0.0.1:{port}/ws/boards/all-time.standard.open.fastest/"
    with serving(serve(port, "--no-worker"), port, own_environment) as server:
        assert children(server.pid) == []
        with connect(board, origin=Origin("null")) as socket:
            assert json.loads(socket.recv())["type"] == "table"
        address = f"http://127.0.0.1:{port}/.well-known/oauth-authorization-server"
        with urlopen(Request(address, headers={"Daphne-Root-Path": "@mallory.example"})) as answer:
            assert json.load(answer)["token_endpoint"] == f"http://127.0.0.1:{port}/oauth/token/"
        lies = {"Daphne-Root-Path": "/ws", "Sec-WebSocket-Protocol": "\xff"}
        with connect(board, additional_headers=lies) as socket:
            assert json.loads(socket.recv())["type"] == "table"
        server.stop(signal.SIGTERM)
        assert "Traceback" not in server.output


def test_a_worker_ends_with_its_server_while_it_compiles_the_solver(
    own_environment: dict[str, str], tmp_path: Path
) -> None:
    cold = own_environment | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [*MANAGE, "worker", "--stop-with-parent"]
    worker = subprocess.run(command, env=cold, stdin=subprocess.DEVNULL, check=False)
    assert worker.returncode == -signal.SIGTERM  # and not after the compilation, of its own accord
