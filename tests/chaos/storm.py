"""Players who play on while nodes are killed and connections cut, and what has to hold afterwards."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from signal import SIGTERM
from typing import Any, NamedTuple

from tests.chaos.freezing import frozen_log
from tests.chaos.player import ScriptedGame, new_game
from tests.forwarder import Forwarder
from tests.journeys.conftest import Server, daphne, uvicorn
from tests.load.live import UNLIMITED
from tests.processes import run

PLAYERS = 20
MOVES_BETWEEN = 15  # acknowledged moves, of all players together, from one event to the next
KILL_EVERY = 10  # events, for each node


class Figures(NamedTuple):
    """What happened."""

    games: int
    moves: int
    cuts: int
    kills: int
    connections: int


class Storm:
    """Breaks something whenever so many moves more were acknowledged. The same seed makes the same choices."""

    def __init__(self, environment: dict[str, str], events: int, seed: int, progress: Callable[[str], None]) -> None:
        self._environment = environment | UNLIMITED
        self._events, self._progress = events, progress
        self._chance = Random(seed)
        self._moves = self._kills = 0
        self._moved = asyncio.Event()
        self._over = asyncio.Event()
        self._games: list[ScriptedGame] = []
        self._starting: set[asyncio.Task[None]] = set()
        # One process alone has no line to others: two need Redis.
        commands = [daphne, uvicorn] if environment.get("REDIS_URL") else [daphne]
        self._nodes = [Server(self._environment, command) for command in commands]

    async def run(self) -> Figures:
        """Have all play through the storm and then end their games. Raises `AssertionError` if anything went wrong."""
        try:
            for node in self._nodes:
                await asyncio.to_thread(node.start)
            async with Forwarder([node.port for node in self._nodes]) as self._line, asyncio.TaskGroup() as tasks:
                for _ in range(PLAYERS):
                    tasks.create_task(self._play(Random(self._chance.random())))
                tasks.create_task(self._break_things())
            check(self._games, kept_games(self._environment))
            for node in self._nodes:
                await asyncio.to_thread(node.stop, SIGTERM)
                assert "Traceback" not in node.output, node.output
        finally:
            await asyncio.gather(*self._starting, return_exceptions=True)
            for node in self._nodes:
                await asyncio.to_thread(node.close)
        connections = sum(game.connections for game in self._games)
        return Figures(len(self._games), self._moves, self._events - self._kills, self._kills, connections)

    async def _play(self, chance: Random) -> None:
        """Play one game after the other, and end the last one when the storm is over."""
        while not self._over.is_set():
            game = ScriptedGame(await new_game(self._line.port), chance, self._count)
            self._games.append(game)
            await game.play(self._over.is_set)
            if self._over.is_set():
                await game.end()

    def _count(self) -> None:
        self._moves += 1
        self._moved.set()

    async def _break_things(self) -> None:
        for number in range(1, self._events + 1):
            await self._more_moves(MOVES_BETWEEN)
            if number % (KILL_EVERY // len(self._nodes)) == 0:
                await self._kill()
            else:
                self._line.cut(self._chance)
            self._progress(f"{number} of {self._events} events, {self._moves} moves, {len(self._games)} games")
        await asyncio.gather(*self._starting)
        self._over.set()

    async def _more_moves(self, count: int) -> None:
        until = self._moves + count
        while self._moves < until:
            self._moved.clear()
            await self._moved.wait()

    async def _kill(self) -> None:
        """Kill the node that was not killed last, and start it again while the others go on."""
        node = self._nodes[self._kills % len(self._nodes)]
        self._kills += 1
        await asyncio.gather(*self._starting)
        await asyncio.to_thread(self._kill_while_nothing_is_durable, node)
        self._starting = {asyncio.create_task(asyncio.to_thread(node.start))}

    def _kill_while_nothing_is_durable(self, node: Server) -> None:
        """Hold the log up for some turns of the node first: whatever it acknowledged in them would be lost."""
        with frozen_log(self._environment["DATABASE_URL"]):
            for _ in range(5):
                node.get("/health/live")
            node.kill()


def kept_games(environment: dict[str, str]) -> dict[str, Any]:
    """Read every game from the database, by its identifier."""
    answer = run([sys.executable, "-m", "tests.chaos.logs"], environment)
    assert answer.returncode == 0, answer.stderr
    games: dict[str, Any] = json.loads(answer.stdout)
    return games


def check(games: Sequence[ScriptedGame], kept: dict[str, Any]) -> None:
    """Require that the log of every game is what was acknowledged, no more and no less, and that it has ended."""
    for game in games:
        log = [[number, move] for number, move in enumerate(game.acknowledged, 1)]
        assert kept[game.id] == {
            "log": log,
            "status": game.result,
            "replayed": len(log),
            "result": game.result,
        }, game.id
