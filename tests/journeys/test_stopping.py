"""A server is stopped while clients play: for a new version, say."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import ClassVar
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from websockets.asyncio.client import connect

from games.doors.sockets import connection
from games.doors.sockets.close_codes import CloseCode
from pyramid_server.stopping import MAIL_SECONDS, close_players_first
from tests.chaos.crowd import Crowd
from tests.compose import COMMAND_OF_IMAGE, NODES, OURS
from tests.journeys.conftest import Server, daphne, uvicorn_workers
from tests.processes import MANAGE, PROJECT, UNLIMITED, own_database, run

CLIENTS = 10
# The container on PostgreSQL and Redis, the server of one machine on SQLite.
AS_DEPLOYED = uvicorn_workers if settings.REDIS_URL else daphne
RESTARTING = 1012


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    with own_database(tmp_path) as own:
        run([*MANAGE, "make_dailies", "--days", "2"], own).check_returncode()
        yield own | UNLIMITED


async def test_a_server_that_is_stopped_tells_its_clients_and_they_go_on_at_the_next_one(
    environment: dict[str, str],
) -> None:
    server, crowd = Server(environment, AS_DEPLOYED), Crowd(CLIENTS, Random(1))
    await asyncio.to_thread(server.start)
    board = f"{server.url.replace('http', 'ws')}/ws/boards/all-time.standard.open.fastest/"
    try:
        async with asyncio.TaskGroup() as tasks, connect(board) as watcher:
            tasks.create_task(crowd.play(server.url))
            await crowd.more_moves(20 * CLIENTS)
            exit_code = await asyncio.to_thread(server.stop, signal.SIGTERM)
            await watcher.wait_closed()
            playing = [game for game in crowd.games if game.connections and game.result == "*"]
            await asyncio.to_thread(server.start)
            await crowd.more_moves(5 * CLIENTS)
            crowd.go_home()
    finally:
        await asyncio.to_thread(server.close)
    assert exit_code == 0
    # A client that has heard of the end of its game has closed its socket itself.
    told = [game.close_codes for game in playing if game.close_codes]
    assert told
    assert all(codes == [RESTARTING] for codes in told), told
    assert "Traceback" not in server.output, server.output
    crowd.check(environment)


class SlowMailServer(StreamRequestHandler):
    """Answers a second late, and then takes what it is given."""

    is_asked: ClassVar = threading.Event()
    mails: ClassVar[list[str]] = []

    def handle(self) -> None:
        self.is_asked.set()
        time.sleep(1)
        self.wfile.write(b"220 mail\r\n")
        text: list[str] | None = None
        for line in map(bytes.decode, self.rfile):
            if text is not None:
                text.append(line)
                if line != ".\r\n":
                    continue
                self.mails.append("".join(text))
            text = [] if line == "data\r\n" else None
            self.wfile.write(b"354 go on\r\n" if text is not None else b"250 yes\r\n")


def test_the_mail_for_which_carol_has_just_asked_is_sent_although_the_server_is_stopped(
    environment: dict[str, str],
) -> None:
    of_players = "from games.players.models import Player"
    carol = f"{of_players}; Player.objects.create_user('carol', 'carol@example.com', 'secret')"
    run([*MANAGE, "shell", "--command", carol], environment).check_returncode()
    with ThreadingTCPServer(("127.0.0.1", 0), SlowMailServer) as mail_server:
        threading.Thread(target=mail_server.serve_forever).start()
        mail = {"PYRAMID_MAIL": f"smtp://127.0.0.1:{mail_server.server_address[1]}", "PYRAMID_PUBLIC_URL": "http://x"}
        with Server(environment | mail, AS_DEPLOYED).running() as server:
            reset = f"{server.url}/api/password-reset/"
            json = {"Content-Type": "application/json"}
            with urlopen(Request(reset, b'{"email": "carol@example.com"}', json)):
                assert SlowMailServer.is_asked.wait(180)
            server.stop(signal.SIGTERM)
        mail_server.shutdown()
    (sent,) = SlowMailServer.mails
    assert "carol" in sent


NEVER_ANSWERING = """
import asyncio, sys
import django
from django.core.management import call_command
django.setup()
from pyramid_server import daphne_server
async def never(code):
    await asyncio.Event().wait()
daphne_server.end_all, daphne_server.CLOSING_SECONDS = never, 0.01
call_command("serve", "--port", sys.argv[1], "--no-worker")
"""


async def test_clients_hear_of_the_end_of_a_server_that_does_not_answer_in_time(environment: dict[str, str]) -> None:
    settings_module = {"DJANGO_SETTINGS_MODULE": "pyramid_server.settings"}
    server = Server(environment | settings_module, lambda port: [sys.executable, "-c", NEVER_ANSWERING, str(port)])
    try:
        await asyncio.to_thread(server.start)
        address = f"{server.url.replace('http', 'ws')}/ws/boards/all-time.standard.open.fastest/"
        async with connect(address) as watcher:
            assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
            await watcher.wait_closed()
    finally:
        await asyncio.to_thread(server.close)
    assert watcher.close_code == RESTARTING
    assert "Sockets are closed without an answer: TimeoutError" in server.output


STUCK = """
import threading
from pyramid_server import daphne_server
waiting = threading.Event()
def wait_forever():
    waiting.set()
    threading.Event().wait()
threading.Thread(target=wait_forever, name="a request that is never answered").start()
waiting.wait()
daphne_server.CLOSING_SECONDS = daphne_server.LEAVING_SECONDS = 0.01
daphne_server._leave_in_any_case()
"""


def test_a_server_that_is_stopped_ends_even_if_a_thread_never_does_and_says_where_it_waits(tmp_path: Path) -> None:
    with own_database(tmp_path) as own:
        ended = run([*MANAGE, "shell", "--no-imports", "--command", STUCK], own)
    assert ended.returncode == 1
    assert "in wait_forever" in ended.stderr


def test_servers_end_within_the_time_that_units_and_containers_give_them() -> None:
    unit = (PROJECT / "pyramid_server/deployment/pyramid-web@.service").read_text()
    (given,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    for command in (unit, " ".join(COMMAND_OF_IMAGE)):
        (graceful,) = re.findall(r"--timeout-graceful-shutdown=(\d+)", command)
        assert int(graceful) + MAIL_SECONDS + 5 <= int(given)
    assert {OURS[node]["stop_grace_period"] for node in NODES} == {f"{given}s"}


def test_sockets_that_play_are_closed_before_those_that_watch_and_come_back_before_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[bool] = []

    class Fake:
        def __init__(self, *, plays: bool) -> None:
            self.plays = plays

        def end_from_thread(self, code: CloseCode, wait_seconds: float) -> None:
            assert (code, wait_seconds) == (CloseCode.RESTARTING, len(closed) / connection.BACK_PER_SECOND)
            closed.append(self.plays)

    monkeypatch.setattr(connection, "open_connections", {Fake(plays=number % 3 == 0) for number in range(30)})
    told: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    try:
        close_players_first()
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (closed, told) == ([True] * 10 + [False] * 20, [signal.SIGTERM])
