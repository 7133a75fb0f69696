"""The cost of a removal in a storm for the server, over REST and over its socket, beside an action of a game over REST.

All are measured in the same run.

Processor time is that of the server's one process. `python -m tests.with_servers --fsync python -m tests.bench storm`
measures on PostgreSQL.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from typing import Any

from websockets.sync.client import ClientConnection, connect

from games.puzzles.clearing import removals, without
from games.puzzles.packing import RULES
from games.rules import Position
from games.solver.verdict import verdict
from tests.bench.live import database, game_server
from tests.bench.player_day import guest
from tests.bench.table import Row
from tests.processes import cpu_seconds

PLAYERS, STEPS, WARM_UP = 8, 120, 20

Json = dict[str, Any]


class Player:
    """A guest with a connection that stays open."""

    def __init__(self, port: int) -> None:
        self._port, self._token = port, guest(port)
        self._connection = HTTPConnection("127.0.0.1", port)
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"}

    def ask(self, method: str, path: str, body: Json | None = None) -> Any:
        self._connection.request(method, path, json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status in (200, 201), text
        return json.loads(text)

    def open_run(self, run: str) -> ClientConnection:
        address = f"ws://127.0.0.1:{self._port}/ws/runs/{run}/"
        return connect(address, additional_headers={"Authorization": f"Bearer {self._token}"})


def rows() -> Iterator[Row]:
    with game_server("uvicorn") as (pid, port, _):
        storm, game = cost(pid, port, removals_of_a_storm), cost(pid, port, draws_of_a_game)
        live = cost(pid, port, removals_over_the_socket)
    yield Row(f"storm: {database()}: a removal: server CPU", storm, "ms")
    yield Row(f"storm: {database()}: a removal over the socket: server CPU", live, "ms")
    yield Row(f"storm: {database()}: an action of a game: server CPU", game, "ms")
    yield Row(f"storm: {database()}: a removal beside an action", storm / game, "times")


def cost(pid: int, port: int, play: Callable[[Player], Iterator[None]]) -> float:
    """Return the processor milliseconds of a step."""

    def go_on(playing: Iterator[None], steps: int) -> None:
        for _ in range(steps):
            next(playing)

    playing = [play(Player(port)) for _ in range(PLAYERS)]
    with ThreadPoolExecutor(PLAYERS) as threads:
        list(threads.map(go_on, playing, [WARM_UP] * PLAYERS))
        before = cpu_seconds(pid)
        list(threads.map(go_on, playing, [STEPS] * PLAYERS))
        return (cpu_seconds(pid) - before) / (PLAYERS * STEPS) * 1e3


def removals_of_a_storm(player: Player) -> Iterator[None]:
    """Make the removals that keep the win, one after another."""
    run = player.ask("POST", "/api/puzzles/runs/", {"kind": "storm"})
    while True:
        run = player.ask("POST", f"/api/puzzles/runs/{run['id']}/removals/", right_removal(run["shown"]))["run"]
        yield


def removals_over_the_socket(player: Player) -> Iterator[None]:
    """Make the removals that keep the win, over the socket of a run."""
    run = player.ask("POST", "/api/puzzles/runs/", {"kind": "storm"})
    with player.open_run(run["id"]) as socket:
        run = json.loads(socket.recv())["run"]
        for number in count():
            socket.send(json.dumps({"type": "remove", "id": number, **right_removal(run["shown"])}))
            run = json.loads(socket.recv())["run"]
            yield


def right_removal(shown: Json) -> Json:
    """Return the removal that keeps the win in the puzzle that a run shows, after those so far."""
    position = Position.from_text(shown["position"], RULES)
    right = next(move for move in removals(position) if verdict(without(position, move)))
    return {"number": shown["number"], "moves": [*shown["removed"], right.text]}


def draws_of_a_game(player: Player) -> Iterator[None]:
    """Draw, and turn the waste over where nothing is left to draw."""
    game = player.ask("POST", "/api/games/", {"kind": "daily", "rules": RULES.slug})["id"]
    player.ask("GET", f"/api/games/{game}/state/")
    for version in count():
        action = "R" if version % (RULES.stock_size + 1) == RULES.stock_size else "D"
        player.ask("POST", f"/api/games/{game}/actions/", {"version": version, "action": action})
        yield
