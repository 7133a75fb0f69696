"""The cost of a player's day here and on Colyseus, by turns, on the same PostgreSQL: `make bench-beside`.

Both have one process on one core. tests/bench/colyseus has the game for the other server; npm installs that, with the
versions of the file there, in `var/colyseus`.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import mean
from typing import Any

import msgspec

from tests.bench.live import game_server
from tests.bench.player_day import EARLIER, OURS, PLAYERS, Day, days
from tests.bench.sockets import BINARY, Endpoint, Socket, opened
from tests.processes import PROJECT, free_port, own_database, serving

PROGRAM, INSTALLED = Path(__file__).with_name("colyseus"), PROJECT / "var" / "colyseus"
ROUNDS = 2
JOINED, MESSAGE, STATE, PATCH = 10, 13, 14, 15  # the first byte of a frame
NEEDS_SERVERS = "Run it as `make bench-beside`: both servers need a PostgreSQL that waits for the disk."
NEEDS_NODE = "Node and npm are needed for Colyseus (on Debian and Ubuntu: apt-get install nodejs npm)."
NOT_INSTALLED = "npm could not install Colyseus from tests/bench/colyseus/package-lock.json: {error}"


class Missing(Exception):
    """Something that the comparison needs; the text says how to get it."""


class RoomSocket(Socket):
    """A connection to a room of Colyseus. Patches of the state, which come every 50 ms, are read and dropped."""

    kind = BINARY

    async def text(self) -> bytes:
        while (frame := await super().text())[0] == PATCH:
            pass
        return frame


def main() -> None:
    try:
        install()
    except Missing as missing:
        sys.exit(str(missing))
    servers = {"this server": (ours, OURS), "Colyseus": (colyseus, COLYSEUS)}
    totals: dict[str, list[float]] = {name: [] for name in servers}
    for number in range(1, ROUNDS + 1):
        for name, (server, day) in servers.items():
            with server() as (pid, port):
                asyncio.run(days(pid, port, [], EARLIER, day=day))
                steps = asyncio.run(days(pid, port, [], PLAYERS, day=day))
            totals[name].append(sum(steps.values()) / PLAYERS * 1e3)
            parts = ", ".join(f"{step} {seconds / PLAYERS * 1e3:.2f}" for step, seconds in steps.items())
            print(f"{number}, load {os.getloadavg()[0]:.1f}: {name}: {totals[name][-1]:.2f} ms ({parts})", flush=True)
    here, there = (mean(totals[name]) for name in servers)
    print(f"processor time of a player's day: {here:.2f} ms here, {there:.2f} on Colyseus: {here / there:.2f}")


def install() -> None:
    """Install Colyseus where it is not yet. Raises `Missing`."""
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise Missing(NEEDS_SERVERS)
    if not (shutil.which("node") and shutil.which("npm")):
        raise Missing(NEEDS_NODE)
    is_new = not INSTALLED.exists()
    shutil.copytree(PROGRAM, INSTALLED, dirs_exist_ok=True)
    if is_new or not (INSTALLED / "node_modules" / ".package-lock.json").exists():
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Missing(NOT_INSTALLED.format(error=done.stderr.strip() or done.returncode))


@contextmanager
def ours() -> Iterator[tuple[int, int]]:
    with game_server("uvicorn") as (pid, port, _):
        yield pid, port


@contextmanager
def colyseus() -> Iterator[tuple[int, int]]:
    """Serve the other game on an empty database; yield its process and port."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder), is_empty=True) as environment:
        node = ["taskset", "--cpu-list", "0", "node", str(INSTALLED / "server.mjs"), str(port)]
        environment |= {"NODE_ENV": "production"}
        with serving([*node, environment["DATABASE_URL"]], port, environment) as process:
            yield process.pid, port


def _account(port: int) -> str:
    return str(_posted(port, "/accounts/", {"Content-Type": "application/json"}, {"display_name": "Player"})["token"])


async def _start(port: int, token: str) -> tuple[Socket, bytes]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    seat = await asyncio.to_thread(_posted, port, "/matchmake/create/day", headers, {})
    path = f"/{seat['room']['processId']}/{seat['room']['roomId']}?sessionId={seat['sessionId']}"
    [socket] = await opened([Endpoint(port, path, token)], RoomSocket)
    await _until(socket, JOINED)
    socket.say(bytes((JOINED,)))
    return socket, await _until(socket, STATE)


def _move(last: bytes) -> bytes:
    return _message("play")


async def _end(socket: Socket, last: bytes) -> None:
    socket.say(_message("resign"))
    while b"placed" not in await _until(socket, MESSAGE):
        pass


def _message(name: str) -> bytes:
    return bytes((MESSAGE,)) + msgspec.msgpack.encode(name) + msgspec.msgpack.encode({})


async def _until(socket: Socket, kind: int) -> bytes:
    while (frame := await socket.text())[0] != kind:
        pass
    return frame


def _posted(port: int, path: str, headers: dict[str, str], body: dict[str, str]) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("POST", path, json.dumps(body), headers)
    answer: dict[str, Any] = json.load(connection.getresponse())
    connection.close()
    return answer


COLYSEUS = Day(_account, _start, _move, _end)

if __name__ == "__main__":
    main()
