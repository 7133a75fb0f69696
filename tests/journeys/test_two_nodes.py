"""Two processes behind one address, on one PostgreSQL and one Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from django.conf import settings
from pyramid_client import Client
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from games.keys.sockets import KEYS_SECONDS
from tests.forwarder import Forwarder
from tests.journeys.nodes import NOT_SIGNED_IN, SUPERSEDED, TOO_MANY_MESSAGES, Nodes, at, draw, hear, running_nodes
from tests.processes import MANAGE, own_database, run
from tests.visitor import allow, signed_in

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers"),
]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """Two nodes for all tests: starting them takes longer than any test here."""
    with (
        own_database(tmp_path_factory.mktemp("nodes")) as environment,
        running_nodes(environment | {"PYRAMID_GUESTS_PER_HOUR": "1000"}) as nodes,
    ):
        yield nodes


UPGRADE = (
    b"Upgrade: websocket",
    b"Connection: Upgrade",
    b"Sec-WebSocket-Version: 13",
    b"Sec-WebSocket-Key: " + b"A" * 22 + b"==",
)


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
@pytest.mark.parametrize(
    ("target", "headers", "status"),
    [
        (b"/api/rules/?" + b"x" * 8100, (), b"200"),
        (b"/api/rules/?" + b"x" * 9_000, (), b"414"),
        (b"/api/rules/?" + b"x" * 20_000, (), b"414"),
        (b"/" + b"x" * 1_000_000, (), b"414"),
        (b"/ws/games/26b7f3kq2m8p1xz/?ticket=" + b"x" * 20_000, UPGRADE, b"414"),
        (b"/api/rules/", (b"X: " + b"x" * 16_000,), b"200"),
        (b"/api/rules/", (b"X: " + b"x" * 20_000,), b"431"),
        (b"/api/rules/", (b"X: " + b"x" * 1_000_000,), b"431"),
        (b"/api/rules/", (b"X: " + b"x" * 100,) * 300, b"431"),
    ],
)
async def test_a_request_that_is_too_long_is_answered(
    nodes: Nodes, server: str, target: bytes, headers: tuple[bytes, ...], status: bytes
) -> None:
    port = (nodes.one if server == "daphne" else nodes.other).port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"\r\n".join([b"GET %s HTTP/1.1" % target, b"Host: localhost", *headers, b"Connection: close", b"", b""])
    )
    async with asyncio.timeout(30):
        answer = await reader.read()
    writer.close()
    assert answer.split()[:2] == [b"HTTP/1.1", status]
    assert answer.count(b"HTTP/1.1 ") == 1
    code = {b"414": b"address_too_long", b"431": b"headers_too_large"}.get(status, b"")
    assert code in answer


async def test_alice_goes_on_at_the_other_node_when_hers_is_killed(nodes: Nodes) -> None:
    token = await nodes.guest()
    path = await nodes.practice_game(token)
    async with Forwarder([nodes.one.port, nodes.other.port]) as line:
        async with at(line.port, path, token) as alice:
            await hear(alice, "state")
            seen = [await draw(alice, version) for version in range(3)]
            await asyncio.to_thread(nodes.one.kill)
            with pytest.raises(ConnectionClosed):
                await hear(alice, "never")
        async with at(line.port, path, token) as alice:
            state = await hear(alice, "state")
            waste = state["position"].split(" ")[1].split("|")[0]
            assert (state["version"], waste) == (3, "".join(card for played in seen for card in played["revealed"]))
            assert (await draw(alice, 3))["version"] == 4
    await asyncio.to_thread(nodes.one.start)


async def test_a_second_device_at_the_other_node_takes_the_game_over(nodes: Nodes) -> None:
    token = await nodes.guest()
    path = await nodes.practice_game(token)
    async with at(nodes.one.port, path, token) as phone:
        await hear(phone, "state")
        await draw(phone, 0)
        async with at(nodes.other.port, path, token) as laptop:
            assert (await hear(laptop, "state"))["version"] == 1
            assert await hear(phone, "superseded") == {"type": "superseded"}
            with pytest.raises(ConnectionClosed) as closed:
                await hear(phone, "never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == SUPERSEDED
            assert (await draw(laptop, 1))["version"] == 2


async def test_watchers_at_both_nodes_see_what_alice_plays(nodes: Nodes) -> None:
    token = await nodes.guest()
    path = await nodes.practice_game(token)
    async with at(nodes.one.port, path, token) as alice:
        await hear(alice, "state")
        near, far = [at(node.port, path, await nodes.guest()) for node in (nodes.one, nodes.other)]
        async with near as bob, far as carol:
            for watcher in (bob, carol):
                assert (await hear(watcher, "state"))["version"] == 0
            for version in range(5):
                played = await draw(alice, version)
                for watcher in (bob, carol):
                    assert await hear(watcher, "played") == played | {"id": None}


async def test_a_move_over_rest_at_one_node_is_heard_at_the_other(nodes: Nodes) -> None:
    token = await nodes.guest()
    path = await nodes.practice_game(token)
    actions = path.replace("/ws/", "/api/") + "actions/"
    async with at(nodes.one.port, path, token) as alice:
        await hear(alice, "state")
        command = {"version": 0, "action": "D"}
        answer = await asyncio.to_thread(nodes.other.post, actions, command, token)
        heard = await hear(alice, "played")
        assert (heard["version"], heard["revealed"]) == (1, answer["revealed"])
        assert (await draw(alice, 1))["version"] == 2
        again = await asyncio.to_thread(nodes.other.post, actions, {"version": 1, "action": "D"}, token)
        assert again["version"] == 2


async def code_of_close(socket: ClientConnection) -> int | None:
    """Wait until a socket is closed, which has to happen before its node would look at the key again by itself."""
    async with asyncio.timeout(KEYS_SECONDS / 2):
        await socket.wait_closed()
    return socket.close_code


async def test_signing_out_at_one_node_closes_the_socket_at_the_other(nodes: Nodes) -> None:
    token = await nodes.guest()
    async with at(nodes.one.port, await nodes.practice_game(token), token) as alice:
        await hear(alice, "state")
        await asyncio.to_thread(nodes.other.post, "/api/sign-out/", {}, token)
        assert await code_of_close(alice) == NOT_SIGNED_IN


async def test_what_an_app_may_do_ends_at_one_node_and_its_socket_closes_at_the_other(nodes: Nodes) -> None:
    gina = {"handle": "gina", "password": "correct horse battery"}
    await asyncio.to_thread(nodes.one.post, "/api/register/", gina)
    command = [*MANAGE, "register_app", "gina", "A terminal"]
    app, program = run(command, nodes.one.environment).stdout.strip(), Client(nodes.one.url)

    def show(address: str, code: str) -> None:
        allow(nodes.other.url, **gina, code=code)

    await asyncio.to_thread(program.sign_in, app, ["read", "play"], show)
    visitor = await asyncio.to_thread(signed_in, nodes.other.url, **gina)
    async with at(nodes.one.port, await nodes.practice_game(program.token), program.token) as socket:
        await hear(socket, "state")
        await asyncio.to_thread(visitor.send, "/account/apps/", revoke=app)
        assert await code_of_close(socket) == NOT_SIGNED_IN


async def flood_with_pings(socket: ClientConnection) -> None:
    for _ in range(2_000):
        await socket.ping()
    await hear(socket, "never")


@pytest.mark.parametrize("which", ["one", "other"])
async def test_a_flood_of_pings_closes_the_socket(nodes: Nodes, which: str) -> None:
    """Daphne is one of the nodes, uvicorn the other; both answer pings by themselves.

    A line on which more arrives after it was closed is reset, which may overtake the reason: then it is tried again.
    """
    token = await nodes.guest()
    game, reasons = await nodes.practice_game(token), list[int | None]()
    while not any(reasons) and len(reasons) < 3:
        async with at(getattr(nodes, which).port, game, token) as alice:
            await hear(alice, "state")
            with pytest.raises(ConnectionClosed) as closed:
                await flood_with_pings(alice)
            reasons.append(closed.value.rcvd.code if closed.value.rcvd else None)
    assert reasons[-1] == TOO_MANY_MESSAGES
