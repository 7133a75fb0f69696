"""Players who play on while nodes are killed and connections cut."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from signal import SIGTERM
from typing import NamedTuple

from tests.chaos.crowd import Crowd
from tests.chaos.freezing import frozen_log
from tests.forwarder import Forwarder
from tests.journeys.conftest import Server, daphne, uvicorn
from tests.processes import PROJECT, UNLIMITED

PLAYERS = 20
MOVES_BETWEEN = 15  # acknowledged moves, of all players together, from one event to the next
HISTORY = PROJECT / "var/storm/history.jsonl"
KILL_EVERY = 10  # events, for each node


class Figures(NamedTuple):
    """The counts of what happened."""

    games: int
    moves: int
    cuts: int
    kills: int
    connections: int
    over_rest: int
    takeovers: int
    watched: int
    races: int


class Storm:
    """Breaks something whenever so many moves more were acknowledged. The same seed makes the same choices."""

    def __init__(self, environment: dict[str, str], events: int, seed: int, progress: Callable[[str], None]) -> None:
        self._environment = environment | UNLIMITED
        self._events, self._progress = events, progress
        self._chance = Random(seed)
        self._crowd = Crowd(PLAYERS, self._chance, has_many_devices=True)
        self._kills = 0
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
                tasks.create_task(self._crowd.play(self._line.url))
                tasks.create_task(self._break_things())
            self._crowd.check(self._environment, self._events, HISTORY)
            for node in self._nodes:
                await asyncio.to_thread(node.stop, SIGTERM)
                assert "Traceback" not in node.output, node.output
        finally:
            await asyncio.gather(*self._starting, return_exceptions=True)
            for node in self._nodes:
                await asyncio.to_thread(node.close)
        return self._figures()

    def _figures(self) -> Figures:
        games = self._crowd.games
        return Figures(
            games=len(games),
            moves=self._crowd.moves,
            cuts=self._events - self._kills,
            kills=self._kills,
            connections=sum(game.connections for game in games),
            over_rest=sum(game.rest_actions for game in games),
            takeovers=sum(game.takeovers for game in games),
            watched=self._crowd.watched,
            races=self._crowd.races,
        )

    async def _break_things(self) -> None:
        for number in range(1, self._events + 1):
            await self._crowd.more_moves(MOVES_BETWEEN)
            if number % (KILL_EVERY // len(self._nodes)) == 0:
                await self._kill()
            else:
                self._line.cut(self._chance)
                self._crowd.history.add("storm", "ok", "fault", "cut")
            self._progress(f"{number} of {self._events} events, {self._crowd.moves} moves")
        await asyncio.gather(*self._starting)
        self._crowd.go_home()

    async def _kill(self) -> None:
        """Kill the node that was not killed last, and start it again while the others go on."""
        node = self._nodes[self._kills % len(self._nodes)]
        self._kills += 1
        await asyncio.gather(*self._starting)
        await asyncio.to_thread(self._kill_while_nothing_is_durable, node)
        self._crowd.history.add("storm", "ok", "fault", "kill")
        self._starting = {asyncio.create_task(asyncio.to_thread(node.start))}

    def _kill_while_nothing_is_durable(self, node: Server) -> None:
        """Hold the log up for some turns of the node first: whatever it acknowledged in them would be lost."""
        with frozen_log(self._environment["DATABASE_URL"]):
            for _ in range(5):
                node.get("/health/live")
            node.kill()
