"""The memory of one process through which many games go, one after another.

    python -m tests.bench.endurance [--games 20000]

On an empty SQLite, under uvicorn. A game is started over REST, moved in and given up over a socket of its own, and
every twentieth player is new. Prints what memory the process has to itself, in MB, after each thousand.
"""

from __future__ import annotations

import json
import os
import re
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.journeys.conftest import Server, uvicorn
from tests.processes import UNLIMITED, cpu_seconds, newcomers_database

GAMES, BETWEEN_LINES = 20_000, 1000
AT_ONCE, GAMES_EACH, DRAWS = 6, 20, 3


def main(games: int) -> None:
    with (
        TemporaryDirectory() as folder,
        newcomers_database(Path(folder)) as environment,
        Server(environment | UNLIMITED, uvicorn).running() as server,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        crowd = [Guest(server) for _ in range(AT_ONCE)]
        shares = [range(number, BETWEEN_LINES, AT_ONCE) for number in range(AT_ONCE)]
        for played in range(BETWEEN_LINES, games + 1, BETWEEN_LINES):
            list(pool.map(Guest.play_all, crowd, shares))
            process = server.process.pid
            print(
                f"{played:6} games: {own_megabytes(process):.1f} MB, "
                f"{cpu_seconds(process):.0f} s of processor time, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


class Guest:
    """A player who is somebody else after some games."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._games = 0

    def play_all(self, games: range) -> None:
        for _ in games:
            if self._games % GAMES_EACH == 0:
                self._token = self._server.post("/api/guests/", {})["token"]
            self._games += 1
            self._play()

    def _play(self) -> None:
        started = self._server.post("/api/games/", {"kind": "practice", "rules": "standard"}, self._token)
        address = f"{self._server.url.replace('http', 'ws', 1)}/ws/games/{started['id']}/"
        with connect(address, additional_headers={"Authorization": f"Bearer {self._token}"}) as socket:
            version = version_of(socket)
            for _ in range(DRAWS):
                socket.send(json.dumps({"type": "play", "id": 1, "version": version, "move": "D"}))
                version = version_of(socket)
            socket.send(json.dumps({"type": "resign", "id": 2, "version": version}))
            version_of(socket)


def version_of(socket: ClientConnection) -> int:
    """Return the version of the game in the next answer; a notice that it cannot be won any more is none."""
    message: dict[str, Any] = json.loads(socket.recv())
    return version_of(socket) if message["type"] == "unwinnable" else int(message["version"])


def own_megabytes(process: int) -> float:
    """Return the memory of a process that it shares with no other."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(map(int, re.findall(r"^Private_(?:Clean|Dirty):\s+(\d+)", rollup, re.MULTILINE))) / 1000


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    main(parser.parse_args().games)
