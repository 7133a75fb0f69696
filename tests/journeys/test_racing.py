"""Two people race each other from a link, over real sockets; and the race ends properly even if someone disappears."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from tests.journeys.conftest import Server
from tests.journeys.nodes import at, hear, move
from tests.processes import own_database


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with own_database(tmp_path) as environment, Server(environment | {"PYRAMID_HOURLY_RACE": "no"}).running() as server:
        yield server


async def room(socket: ClientConnection, state: str) -> Any:
    """Return the race as soon as it is in a state; once it runs, with the game."""
    while True:
        race = (await hear(socket, "room"))["race"]
        if race["state"] == state and (state != "running" or race["game"]):
            return race


async def test_two_people_race_from_a_link(server: Server) -> None:
    def post(path: str, body: object, token: str = "") -> Any:
        return server.post(path, body, token)

    alice, bob = [post("/api/guests/", {"display_name": name})["token"] for name in ("Alice", "Bob")]
    race = post("/api/races/", {"rules": "standard", "countdown_s": 0}, alice)
    post(f"/api/races/{race['id']}/join/", {"invite": race["invite"]}, bob)
    async with at(server.port, f"/ws/races/{race['id']}/", alice) as host:
        async with at(server.port, f"/ws/races/{race['id']}/", bob) as guest:
            await host.send('{"type": "start", "id": 1}')
            games = [(await room(socket, "running"))["game"] for socket in (host, guest)]
            async with at(server.port, f"/ws/games/{games[1]}/", bob) as playing:
                await hear(playing, "state")
                await move(playing, 0, "D")
                told = await hear(host, "standings")
                assert [(row["display_name"], row["moves"]) for row in told["racers"]] == [("Bob", 1)]
        await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    async with at(server.port, f"/ws/races/{race['id']}/", alice) as host:
        assert {row["display_name"]: row["moves"] for row in (await room(host, "running"))["racers"]} == {
            "Alice": 0,
            "Bob": 1,
        }
        async with at(server.port, f"/ws/races/{race['id']}/", bob) as guest:
            for socket in (host, guest):
                await socket.send('{"type": "leave", "id": 2}')
            ended = await room(host, "ended")
    assert [row["result"] for row in ended["racers"]] == ["resigned", "resigned"]
    records = [server.get(f"/api/games/{row['game']}/record/")["record"] for row in ended["racers"]]
    assert sorted(record.count("@") for record in records) == [0, 1]
