"""PostgreSQL or Redis is away for a while: what docs/failures.md says about it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from signal import SIGCONT, SIGKILL, SIGQUIT, SIGSTOP, SIGTERM, Signals
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import psycopg
import pytest
from django.conf import settings
from websockets.asyncio.client import ClientConnection

from tests.journeys.conftest import Server
from tests.journeys.nodes import SUPERSEDED, TRY_AGAIN_LATER, Nodes, at, hear, move, running_nodes
from tests.processes import UNLIMITED, children, make_tables
from tests.with_servers import Service, Services, postgresql_folder, running_services

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers"),
]
ALL_WELL = {"database": "ok", "migrations": "ok", "redis": "ok"}
QUICK_HEARTBEATS = UNLIMITED | {"PYRAMID_HEARTBEAT_SECONDS": "1"}
# Nobody waits for longer than two seconds; this is how long a busy machine may take for them.
GIVE_UP_SECONDS = 15
APART_MS = 100  # two nodes have read the database's clock within the uncertainty of a busy machine
LOCKED_SECONDS = 10  # more than it takes to find that a server is gone


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    """A PostgreSQL and a Redis of these tests' own: nobody else misses them."""
    programs = postgresql_folder()
    assert programs is not None
    with running_services(programs) as services:
        make_tables(services.postgresql.url)
        yield services


@pytest.fixture(scope="module")
def nodes(services: Services) -> Iterator[Nodes]:
    """Two nodes for the tests in which PostgreSQL is away: the last one stops them and reads what they wrote."""
    with running_nodes(services.environment() | QUICK_HEARTBEATS) as nodes:
        yield nodes


@pytest.fixture
def own_nodes(services: Services) -> Iterator[Nodes]:
    with running_nodes(services.environment() | QUICK_HEARTBEATS) as nodes:
        yield nodes


@contextmanager
def frozen(service: Service) -> Iterator[None]:
    """Stop all processes of a service where they are: the kernel goes on to take connections for them."""
    processes = [service.pid, *children(service.pid)]
    try:
        for process in processes:
            os.kill(process, SIGSTOP)
        yield
    finally:
        for process in processes:
            os.kill(process, SIGCONT)


@asynccontextmanager
async def away(service: Service, number: Signals) -> AsyncIterator[None]:
    """Stop a service with a signal, and start it again after the block."""
    await asyncio.to_thread(service.stop, number)
    try:
        yield
    finally:
        await asyncio.to_thread(service.start)


class WatchedGame:
    """A practice game of alice, which bob watches at another node. She draws a card, takes that back, and so on."""

    def __init__(self, path: str, token: str, player: ClientConnection, watcher: ClientConnection) -> None:
        self.path, self.token = path, token
        self.player, self.watcher = player, watcher
        self.version = 0  # that was acknowledged

    @property
    def id(self) -> str:
        return self.path.split("/")[-2]

    async def ask(self) -> Any:
        """Return what alice is answered to her next move."""
        answer = await move(self.player, self.version, action_at(self.version))
        if answer["type"] == "played":
            self.version += 1
            assert answer["version"] == self.version
        return answer

    async def ask_until_refused(self) -> Any:
        while (answer := await self.ask())["type"] == "played":
            pass
        return answer

    async def play(self) -> Any:
        """Have alice make a move; return what shows it to bob: `played` at once, or `state` after a look at the log."""
        played = await self.ask()
        assert played["type"] == "played", played
        shown = await self.shown()
        assert shown["type"] == "state" or shown == played | {"id": None}
        return shown

    async def play_until_live(self) -> None:
        """Have alice play until bob is shown a move at once."""
        while (await self.play())["type"] == "state":
            pass

    async def shown(self) -> Any:
        """Return the message that shows bob the current version."""
        while (message := await hear(self.watcher, "played", "state"))["version"] < self.version:
            pass
        assert message["version"] == self.version
        return message


@asynccontextmanager
async def watched_game(nodes: Nodes, hers: Server, his: Server) -> AsyncIterator[WatchedGame]:
    """Start a game that alice plays at her node and bob watches at his."""
    alice, bob = await nodes.guest(), await nodes.guest()
    path = await nodes.practice_game(alice)
    async with at(hers.port, path, alice) as player:
        await hear(player, "state")
        async with at(his.port, path, bob) as watcher:
            await hear(watcher, "state")
            yield WatchedGame(path, alice, player, watcher)


def action_at(version: int) -> str:
    return "U" if version % 2 else "D"


def logged(services: Services, game: str) -> list[tuple[int, str]]:
    """Return a game's log in the order in which it was written."""
    with psycopg.connect(services.postgresql.url) as connection:
        return connection.execute(
            "SELECT version, action FROM games_move WHERE game_id = %s ORDER BY id", [game]
        ).fetchall()


async def close_code(port: int, path: str, token: str) -> int | None:
    """Return the code with which a new socket is closed."""
    async with at(port, path, token) as socket:
        await socket.wait_closed()
        return socket.close_code


async def refusal(call: Callable[..., object], *arguments: object) -> tuple[int, str]:
    """Return status and code of a request that is refused."""
    with pytest.raises(HTTPError) as refused:
        await asyncio.to_thread(call, *arguments)
    with refused.value as answer:
        return answer.code, json.load(answer)["code"]


async def ready(node: Server) -> Any:
    """Return what a node that is ready says of what it needs; one that is not raises `HTTPError`."""
    told = await asyncio.to_thread(node.get, "/health/ready")
    return {name: told[name] for name in ALL_WELL}


async def test_alice_plays_on_and_bob_sees_it_while_redis_is_away_and_live_again_afterwards(
    services: Services, own_nodes: Nodes
) -> None:
    nodes = own_nodes
    async with (
        AsyncExitStack() as devices,
        watched_game(nodes, nodes.one, nodes.other) as game,
        watched_game(nodes, nodes.other, nodes.one) as back,
    ):
        await asyncio.gather(game.play_until_live(), back.play_until_live())
        path = await nodes.practice_game(back.token)
        phone = await devices.enter_async_context(at(nodes.one.port, path, back.token))
        await hear(phone, "state")
        async with away(services.redis, SIGKILL):
            for shown in await asyncio.gather(game.play(), back.play()):
                assert shown["type"] == "played"
            for node in nodes.one, nodes.other:
                assert await ready(node) == ALL_WELL | {"redis": "failing"}
                async with at(node.port, await nodes.practice_game(game.token), game.token) as socket:
                    await hear(socket, "state")
                    assert (await move(socket, 0, "D"))["type"] == "played"
            await play_at_two_nodes(game, nodes.other)
            tablet = await devices.enter_async_context(at(nodes.other.port, path, back.token))
            await hear(tablet, "state")
        await hear(phone, "superseded")
        assert (await move(tablet, 0, "D"))["type"] == "played"
        await asyncio.gather(game.play_until_live(), back.play_until_live())
        assert await ready(nodes.one) == await ready(nodes.other) == ALL_WELL
        async with at(nodes.other.port, game.path, game.token) as laptop:
            assert (await hear(laptop, "state"))["version"] == game.version
            await hear(game.player, "superseded")
            await game.player.wait_closed()
            assert game.player.close_code == SUPERSEDED
            assert (await move(laptop, game.version, action_at(game.version)))["type"] == "played"
    for node in nodes.one, nodes.other:
        await asyncio.to_thread(node.stop, SIGTERM)
        assert "Traceback" not in node.output, node.output
        assert node.output.count("no live broadcast") == 1, node.output
        assert node.output.count("live broadcast works again") == 1, node.output


async def play_at_two_nodes(game: WatchedGame, other: Server) -> None:
    """Play with a second device that the first one is not told of. The second at a version gets the state."""
    if not game.version % 2:
        await game.ask()
    async with at(other.port, game.path, game.token) as laptop:
        assert (await hear(laptop, "state"))["version"] == game.version
        assert (await move(laptop, game.version, "U"))["type"] == "played"
        assert (await move(game.player, game.version, "D"))["code"] == "stale_version"
        game.version = (await hear(game.player, "state"))["version"]
        assert (await game.ask())["type"] == "played"


async def guest_as_soon_as_possible(nodes: Nodes) -> None:
    """Become a guest at a node that asks Redis again only after a pause."""
    async with asyncio.timeout(60):
        while True:
            try:
                await nodes.guest()
                return
            except HTTPError as refused:
                refused.close()  # or its socket is found open when another test runs
            await asyncio.sleep(0.2)


async def test_nodes_that_start_while_redis_is_away_use_it_as_soon_as_it_is_back(services: Services) -> None:
    environment = services.environment() | UNLIMITED | {"PYRAMID_GUESTS_PER_HOUR": "2"}
    async with AsyncExitStack() as stack:
        async with away(services.redis, SIGTERM):
            nodes = stack.enter_context(running_nodes(environment))
            game = await stack.enter_async_context(watched_game(nodes, nodes.one, nodes.other))
            assert (await game.play())["type"] == "played"
            # The two players of the game are all that this node takes, counting by itself.
            assert await refusal(nodes.one.post, "/api/guests/", {}) == (429, "too_many_requests")
        await game.play_until_live()
        await guest_as_soon_as_possible(nodes)
        await nodes.guest()
        assert await refusal(nodes.other.post, "/api/guests/", {}) == (429, "too_many_requests")


async def test_moves_are_refused_while_postgresql_is_away_and_each_counts_once_when_it_is_back(
    services: Services, nodes: Nodes
) -> None:
    async with watched_game(nodes, nodes.one, nodes.other) as game, watched_game(nodes, nodes.other, nodes.one) as idle:
        await game.play()
        playing = asyncio.create_task(game.ask_until_refused())
        async with away(services.postgresql, SIGQUIT):
            refused = await playing
            assert (refused["type"], refused["code"]) == ("refused", "unavailable")
            again, *codes = await asyncio.gather(
                game.ask(),
                close_code(nodes.one.port, game.path, game.token),
                close_code(nodes.other.port, game.path, game.token),
            )
            assert (again["type"], again["code"]) == ("refused", "unavailable")
            assert codes == [TRY_AGAIN_LATER, TRY_AGAIN_LATER]
        assert await clock_at_socket(idle) <= await clock_of_database(idle, nodes.one) + APART_MS
        for _ in range(5):
            await game.play()
        assert logged(services, game.id) == [(version + 1, action_at(version)) for version in range(game.version)]


async def clock_at_socket(game: WatchedGame) -> int:
    await game.player.send(json.dumps({"type": "ping", "id": 1}))
    elapsed_ms: int = (await hear(game.player, "pong"))["elapsed_ms"]
    return elapsed_ms


async def clock_of_database(game: WatchedGame, node: Server) -> int:
    """Return the time on a game's clock as a node sees it that has not seen the game before."""
    state = await asyncio.to_thread(node.get, f"/api/games/{game.id}/state/", game.token)
    elapsed_ms: int = state["elapsed_ms"]
    return elapsed_ms


async def test_moves_over_rest_are_refused_while_postgresql_is_away_and_each_counts_once_when_it_is_back(
    services: Services, nodes: Nodes
) -> None:
    alice = await nodes.guest()
    game = (await nodes.practice_game(alice)).split("/")[-2]
    actions = f"/api/games/{game}/actions/"

    async def take(node: Server, version: int) -> Any:
        return await asyncio.to_thread(node.post, actions, {"action": "D", "version": version}, alice)

    await asyncio.to_thread(nodes.one.get, f"/api/games/{game}/state/", alice)
    await take(nodes.one, 0)
    await take(nodes.other, 1)
    async with away(services.postgresql, SIGQUIT):
        body = {"action": "D", "version": 2}
        refusals = await asyncio.gather(
            *(refusal(node.post, actions, body, alice) for node in (nodes.one, nodes.other)),
            *(refusal(node.post, "/api/guests/", {}) for node in (nodes.one, nodes.other)),
        )
        assert refusals == [(503, "unavailable")] * 4
    played = await take(nodes.one, 2)
    assert played["version"] == 3
    assert await take(nodes.other, 2) == played
    assert logged(services, game) == [(1, "D"), (2, "D"), (3, "D")]


def status_of(node: Server, path: str) -> int:
    """Return the status of an answer, which must come soon."""
    try:
        with urlopen(node.url + path, timeout=GIVE_UP_SECONDS) as answer:
            return int(answer.status)
    except HTTPError as refused:
        refused.close()
        return refused.code
    except URLError as lost:
        raise AssertionError(f"{node.process.args!r} ends with {node.process.poll()}: {node.output}") from lost


async def until(node: Server, paths: Sequence[str], status: int) -> None:
    """Ask until all are answered with a status; what a node found out is kept for a second."""
    async with asyncio.timeout(60):
        while True:
            if {await asyncio.to_thread(status_of, node, path) for path in paths} == {status}:
                return
            await asyncio.sleep(0.1)


async def test_a_statement_under_way_waits_for_a_lock_and_not_for_a_postgresql_that_freezes_meanwhile(
    services: Services, nodes: Nodes
) -> None:
    with psycopg.connect(services.postgresql.url) as mallory:
        mallory.execute("LOCK TABLE games_player IN EXCLUSIVE MODE")
        asked = [asyncio.create_task(refusal(node.post, "/api/guests/", {})) for node in (nodes.one, nodes.other)]
        done, _ = await asyncio.wait(asked, timeout=LOCKED_SECONDS)
        assert not done
        with frozen(services.postgresql):
            began = monotonic()
            assert await asyncio.gather(*asked) == [(503, "unavailable")] * 2
            assert monotonic() - began < GIVE_UP_SECONDS


async def test_nobody_waits_long_for_a_postgresql_that_is_frozen_and_all_is_well_when_it_goes_on(
    services: Services, nodes: Nodes
) -> None:
    paths = ["/days/", "/api/boards/", "/health/ready"]
    for node in nodes.one, nodes.other:
        await until(node, paths, 200)
    with frozen(services.postgresql):
        for node in nodes.one, nodes.other:
            await until(node, ["/health/ready"], 503)
            at_once = [asyncio.to_thread(status_of, node, path) for path in paths * 4]
            assert await asyncio.gather(*at_once) == [503] * len(paths) * 4
            assert status_of(node, "/health/live") == 200
    for node in nodes.one, nodes.other:
        await until(node, paths, 200)
        await asyncio.to_thread(node.stop, SIGTERM)
        assert "Traceback" not in node.output, node.output
