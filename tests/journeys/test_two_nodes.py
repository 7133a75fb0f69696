"""Two processes behind one address, on one PostgreSQL and one Redis."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from django.conf import settings
from websockets.exceptions import ConnectionClosed

from tests.forwarder import Forwarder
from tests.journeys.nodes import SUPERSEDED, Nodes, at, draw, hear, running_nodes
from tests.processes import own_database

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers"),
]


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[Nodes]:
    with own_database(tmp_path) as environment:
        async with running_nodes(environment) as nodes:
            yield nodes


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


async def test_bob_sees_at_the_other_node_what_alice_plays(nodes: Nodes) -> None:
    token = await nodes.guest()
    path = await nodes.practice_game(token)
    async with at(nodes.one.port, path, token) as alice:
        await hear(alice, "state")
        async with at(nodes.other.port, path, await nodes.guest()) as bob:
            assert (await hear(bob, "state"))["version"] == 0
            version = 0
            # The other node's interest takes a moment to arrive; a move before that is shown by a state.
            while True:
                played = await draw(alice, version)
                version += 1
                shown = json.loads(await asyncio.wait_for(bob.recv(), 20))
                assert shown["version"] == version
                if shown["type"] == "played":
                    break
            assert shown == played | {"id": None}
