"""What a durable move costs the server: processor time of its process while sockets play in a closed loop."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect

from tests.load.bench import Row
from tests.processes import MANAGE, free_port, own_database, serving

SOCKETS = 20
MOVES_A_SOCKET = 200


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as environment:
        port = free_port()
        limits = {"PYRAMID_MESSAGES_PER_SECOND": "10000", "PYRAMID_GUESTS_PER_HOUR": "100000"}
        command = [*MANAGE, "serve", "--port", str(port), "--no-worker"]
        with serving(command, port, {**environment, **limits}) as server:
            sockets = [new_game(port) for _ in range(SOCKETS)]
            cpu, begun = cpu_seconds(server.pid), monotonic()
            moves = asyncio.run(play_all(sockets))
            cpu, wall = cpu_seconds(server.pid) - cpu, monotonic() - begun
    database = environment["DATABASE_URL"].partition(":")[0]
    yield Row(f"live: server CPU per durable move, {SOCKETS} sockets, daphne, {database}", cpu / moves * 1e6, "us")
    yield Row(f"live: durable moves, {SOCKETS} sockets, daphne, {database}", moves / wall, "moves/s")


def cpu_seconds(process: int) -> float:
    """Return the processor time a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    user, system = int(fields[11]), int(fields[12])
    return (user + system) / os.sysconf("SC_CLK_TCK")


def post(port: int, path: str, body: object, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
    with urlopen(request) as answer:
        return json.load(answer)


def new_game(port: int) -> tuple[str, str]:
    """Return the address of a ranked attempt, which has no notices, and the token of its player."""
    token = post(port, "/api/guests/", {})["token"]
    game = post(port, "/api/games/", {"kind": "daily", "rules": "standard"}, token)
    return f"ws://127.0.0.1:{port}{game['socket']}", token


async def play_all(sockets: list[tuple[str, str]]) -> int:
    return sum(await asyncio.gather(*(play(address, token) for address, token in sockets)))


async def play(address: str, token: str) -> int:
    """Draw and take turns over the waste, waiting for each answer; return the number of moves."""
    async with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        told = json.loads(await socket.recv())
        for number in range(MOVES_A_SOCKET):
            move = "D" if "D" in told["legal"] else "R"
            await socket.send(json.dumps({"type": "play", "id": number, "version": told["version"], "move": move}))
            told = json.loads(await socket.recv())
            assert told["type"] == "played", told
    return MOVES_A_SOCKET
