"""Whatever fails in a real process is one line of its log, as JSON, and without a secret."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from signal import SIGTERM
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.journeys.conftest import Server, daphne, uvicorn
from tests.journeys.nodes import TRY_AGAIN_LATER, at
from tests.processes import own_database, run

FAULTY = [sys.executable, "-m", "tests.journeys.faulty"]
AS_JSON = {"PYRAMID_LOG_FORMAT": "JSON"}
GAME = "2ekhgkpcm83byqh"
NOT_FOUND = 4404
READINESS = "pyramid_server.health"
EVENT = re.compile(r"\d{4}-\d\d-\d\d [^\n]*")
GREETING = re.compile(r"Preparing |Choosing |Pyramid |  (play|API|admin|stop) ")
ALWAYS = {"a thread fails", "a warning", "a destructor fails", "logs has no text", "a surrogate"}
OF_SERVER = {"a view fails", "behind the view fails", "a socket fails", "a lost task fails", "updates fails"}


def faulty_daphne(port: int) -> list[str]:
    return [*FAULTY, "serve", "--port", str(port), "--no-worker"]


def faulty_uvicorn(port: int) -> list[str]:
    return [*uvicorn(port)[:-1], "tests.journeys.faulty:application"]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    with own_database(tmp_path) as environment:
        yield environment


@pytest.mark.parametrize("command", [faulty_daphne, faulty_uvicorn])
@pytest.mark.parametrize("form", [{}, AS_JSON], ids=["by default", "as JSON"])
async def test_a_fault_of_a_server_is_told_once_and_with_its_request(
    environment: dict[str, str], command: Callable[[int], list[str]], form: dict[str, str]
) -> None:
    with Server(environment | form, command).running() as server:
        await asyncio.to_thread(use, server)
        token = (await asyncio.to_thread(server.post, "/api/guests/", {}))["token"]
        for path in (f"/ws/games/{GAME}/", "/ws/me/"):
            assert await close_code(server, path, token) == TRY_AGAIN_LATER
        await asyncio.to_thread(server.stop, SIGTERM)
    faults = ALWAYS | OF_SERVER | ({"the reactor fails"} if command is faulty_daphne else set())
    lines = told_once(faults, server.output, is_json=bool(form))
    if form:
        assert lines["a view fails"]["route"] == "api/rules/"
        assert lines["a socket fails"]["game"] == GAME
        assert all(lines[fault]["request"] for fault in ("a view fails", "behind the view fails", "a socket fails"))


@pytest.mark.parametrize("command", [daphne, uvicorn])
async def test_what_strangers_ask_for_in_vain_is_not_in_the_log(
    environment: dict[str, str], command: Callable[[int], list[str]]
) -> None:
    with Server(environment, command).running() as server:
        token = (await asyncio.to_thread(server.post, "/api/guests/", {}))["token"]
        with pytest.raises(InvalidStatus):
            await close_code(server, "/ws/nowhere/", token)
        assert await close_code(server, "/ws/races/2evnowhere/", token) == NOT_FOUND
        await asyncio.to_thread(send_endless_forms, server)
        await asyncio.to_thread(server.stop, SIGTERM)
    assert not [line for line in server.output.splitlines() if not (GREETING.match(line) or READINESS in line)]


def test_a_fault_of_the_worker_is_told_once_and_an_outage_without_repetitions(environment: dict[str, str]) -> None:
    ended = run([*FAULTY, "worker", "--once"], environment | AS_JSON, timeout=300)
    assert ended.returncode == 1
    lines = told_once(ALWAYS | {"a task fails", "task_without_a_database"}, ended.stderr)
    attempt = 'connection to server at "127.0.0.1", port 1 failed: Connection refused'
    assert lines["task_without_a_database"]["message"] == f"task task_without_a_database failed: {attempt}"
    assert "exception" not in lines["task_without_a_database"]


def test_the_exception_that_ends_a_process_is_told_once(environment: dict[str, str]) -> None:
    ended = run(FAULTY, environment | AS_JSON, is_cold=True)
    assert ended.returncode == 1
    told_once(ALWAYS | {"the process fails"}, ended.stderr)


def use(server: Server) -> None:
    for path in ("/api/rules/", "/api/nowhere/"):
        with pytest.raises(HTTPError) as failed:
            server.get(path)
        with failed.value as answer:
            assert (answer.code, json.load(answer)["code"]) == (500, "server_error")


def send_endless_forms(server: Server) -> None:
    fields = b"&".join([b"handle=mallory"] * 1001)
    file = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n\r\n'
    for body, kind in (
        (fields, "application/x-www-form-urlencoded"),
        (file * 101 + b"--x--\r\n", "multipart/form-data; boundary=x"),
    ):
        headers = {"Content-Type": kind, "Cookie": f"csrftoken={'x' * 32}"}
        with pytest.raises(HTTPError) as refused:
            urlopen(Request(f"{server.url}/account/sign-in/", body, headers))
        with refused.value as answer:
            assert answer.code == 400


async def close_code(server: Server, path: str, token: str) -> int | None:
    async with at(server.port, path, token) as socket:
        with suppress(ConnectionClosed):
            async for _ in socket:
                pass
        return socket.close_code


def told_once(faults: set[str], output: str, *, is_json: bool = True) -> dict[str, Any]:
    """Return the event about each fault, of which there must be one; all but greetings must be events."""
    assert "hunter2" not in output
    log = "\n".join(line for line in output.splitlines() if not GREETING.match(line))
    events: list[Any] = [json.loads(line) for line in log.splitlines()] if is_json else re.split(r"\n(?=\d{4}-)", log)
    found = {fault: [event for event in events if fault in str(event)] for fault in faults}
    assert {fault: len(about) for fault, about in found.items()} == dict.fromkeys(faults, 1)
    assert all(event["message"].count("Traceback") == 0 for event in events if is_json)
    assert all(is_json or EVENT.match(event) for event in events)
    return {fault: about for fault, (about,) in found.items()}
