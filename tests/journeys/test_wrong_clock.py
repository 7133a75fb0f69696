"""Two nodes behind the proxy, one of which has its clock set by hours while it serves."""

from __future__ import annotations

import asyncio
import json
import signal
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from websockets.asyncio.client import connect

from tests.clocks import LIBRARY, clock_in
from tests.compose import NODES, Proxy, command_of_node, needs_nginx, settings_of
from tests.journeys.conftest import Server
from tests.journeys.nodes import hear, nodes_behind_proxy
from tests.processes import PROJECT, UNLIMITED, free_port, kind_of_process, own_database
from tests.with_servers import started, wait_for

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers"),
    pytest.mark.skipif(LIBRARY is None, reason="sets the clock of one process (apt-get install libfaketime)"),
    needs_nginx,
]
METRICS_TOKEN = "of-the-test-" * 5
GAME = {"kind": "practice", "rules": "standard"}


class Pair(NamedTuple):
    """A node whose clock can be set, and a healthy one, behind a proxy."""

    proxy: Proxy
    astray: Server
    healthy: Server
    offset: Path

    def set_clock(self, seconds: int) -> None:
        """Set the clock of one node while it runs, and wait until its readiness says so."""
        self.offset.write_text(f"{seconds:+d}")
        wait_for(self.astray.process, lambda: self._require_ready(is_ready=not seconds), AssertionError)

    def require_difference(self, seconds: int) -> None:
        """Wait until a heartbeat has measured by how much the clocks differ."""

        def look() -> None:
            assert self._difference() == pytest.approx(seconds, abs=5)

        wait_for(self.astray.process, look, AssertionError)

    def _require_ready(self, *, is_ready: bool) -> None:
        status, body = ask(f"{self.astray.url}/health/ready")
        assert (status, json.loads(body)["clock"]) == ((200, "ok") if is_ready else (503, "failing"))

    def _difference(self) -> float:
        """Return the metric that the alert looks at."""
        headers = {"Authorization": f"Bearer {METRICS_TOKEN}", "X-Forwarded-Proto": "https"}
        _, text = ask(f"{self.astray.url}/metrics", headers=headers)
        [line] = [line for line in text.splitlines() if line.startswith("pyramid_clock_difference_seconds")]
        return float(line.split()[1])


def ask(url: str, body: object = None, headers: dict[str, str] | None = None) -> tuple[int, str]:
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json", **(headers or {})})
    try:
        answer: HTTPResponse = urlopen(request, timeout=180)
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()
    with answer:
        return answer.status, answer.read().decode()


@contextmanager
def running_pair(folder: Path) -> Iterator[Pair]:
    offset = folder / "offset"
    offset.write_text("+0")
    with own_database(folder) as database:
        environment = settings_of(NODES[0]) | database | UNLIMITED | {"PYRAMID_METRICS_TOKEN": METRICS_TOKEN}
        with nodes_behind_proxy([environment | clock_in(offset), environment]) as (proxy, [astray, healthy]):
            yield Pair(proxy, astray, healthy, offset)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """The last test kills the node that is astray, to read what it wrote."""
    with running_pair(tmp_path_factory.mktemp("pair")) as pair:
        yield pair


async def test_a_socket_that_is_open_when_the_clock_is_set_hears_nothing_more_by_it(pair: Pair) -> None:
    token = json.loads((await asyncio.to_thread(ask, f"{pair.proxy.https}/api/guests/", {}))[1])["token"]
    signed_in = {"Authorization": f"Bearer {token}"}
    _, game = await asyncio.to_thread(ask, f"{pair.proxy.https}/api/games/", GAME, signed_in)
    address = f"ws://127.0.0.1:{pair.astray.port}{json.loads(game)['socket']}"
    async with connect(address, additional_headers=signed_in, proxy=None) as socket:
        await hear(socket, "state")
        pair.offset.write_text("+7200")
        await socket.send(json.dumps({"type": "play", "id": 1, "version": 0, "move": "D"}))
        await socket.wait_closed()
    assert socket.close_code == 1013
    path = f"/api/games/{json.loads(game)['id']}/state/"
    proxied = signed_in | {"X-Forwarded-Proto": "https"}
    _, state = await asyncio.to_thread(ask, pair.healthy.url + path, None, proxied)
    assert json.loads(state)["version"] == 0
    await asyncio.to_thread(pair.set_clock, 0)


async def test_players_reach_the_other_node_while_a_clock_is_hours_ahead_or_behind(pair: Pair) -> None:
    trusted = ssl.create_default_context(cafile=pair.proxy.certificate)
    for seconds in (7200, -7200):
        await asyncio.to_thread(pair.set_clock, seconds)
        await asyncio.to_thread(pair.require_difference, 7200)
        for path, body in (("/api/daily/", None), ("/", None), ("/api/guests/", {})):
            status, text = ask(pair.astray.url + path, body)
            assert (status, json.loads(text)["code"]) == (502, "unavailable")
        for _ in range(10):
            status, guest = ask(f"{pair.proxy.https}/api/guests/", {})
            assert status == 201
            signed_in = {"Authorization": f"Bearer {json.loads(guest)['token']}"}
            status, game = ask(f"{pair.proxy.https}/api/games/", GAME, signed_in)
            assert status == 201
            address = pair.proxy.https.replace("https", "wss") + json.loads(game)["socket"]
            async with connect(address, additional_headers=signed_in, ssl=trusted, proxy=None) as socket:
                assert (await hear(socket, "state"))["type"] == "state"
        await asyncio.to_thread(pair.set_clock, 0)
    await asyncio.to_thread(pair.astray.kill)
    assert "the clock is +7" in pair.astray.output


def test_a_node_that_starts_while_postgresql_is_away_opens_nothing_before_it_has_compared_its_clock(
    tmp_path: Path,
) -> None:
    offset, way, port = tmp_path / "offset", tmp_path / "way", free_port()
    offset.write_text("+7200")
    with own_database(tmp_path) as database:
        real = urlsplit(database["DATABASE_URL"])
        away = {"DATABASE_URL": real._replace(netloc=f"{real.username}@{quote(str(way), safe='')}").geturl()}
        environment = settings_of(NODES[0]) | database | UNLIMITED | clock_in(offset) | away
        command, options = command_of_node(port), {"env": environment, "cwd": PROJECT}
        with started(command, signal.SIGTERM, kind_of_process(command), **options) as node:
            wait_for(node, lambda: urlopen(f"http://127.0.0.1:{port}/health/live").close(), OSError)
            answers = [ask_by_proxy(port, "/api/daily/")]
            way.symlink_to(unquote(real.hostname or ""))
            while verdicts_of(port)["database"] != "ok":
                answers.append(ask_by_proxy(port, "/api/daily/"))
            answers += [ask_by_proxy(port, "/api/daily/") for _ in range(200)]
            assert {status for status, _ in answers} == {502}
            assert (json.loads(answers[0][1])["message"]).startswith("the clock of this server is not compared yet")
            assert verdicts_of(port)["clock"] == "failing"
            offset.write_text("+0")
            wait_for(node, lambda: require_served(port), AssertionError)


def ask_by_proxy(port: int, path: str) -> tuple[int, str]:
    return ask(f"http://127.0.0.1:{port}{path}", headers={"X-Forwarded-Proto": "https"})


def verdicts_of(port: int) -> dict[str, str]:
    verdicts: dict[str, str] = json.loads(ask_by_proxy(port, "/health/ready")[1])
    return verdicts


def require_served(port: int) -> None:
    assert ask_by_proxy(port, "/api/daily/")[0] == 200
