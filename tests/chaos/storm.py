"""Players who play on while nodes are killed and stopped, connections cut, and networks divided."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from signal import SIGCONT, SIGSTOP, SIGTERM
from time import monotonic
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from tests.chaos.crowd import Crowd
from tests.chaos.freezing import frozen_log
from tests.forwarder import Forwarder
from tests.journeys.conftest import Server, daphne, uvicorn
from tests.processes import PROJECT, UNLIMITED

PLAYERS = 20
MOVES_BETWEEN = 15  # acknowledged moves, of all players together, from one fault to the next
HISTORY = PROJECT / "var/storm/history.jsonl"
KILL_EVERY = 10  # faults, for each node
LONGEST_SECONDS = 2.0  # that a node is stopped, or a network divided
BACKENDS = {"DATABASE_URL": "divided from the database", "REDIS_URL": "divided from Redis"}


class Figures(NamedTuple):
    """The counts of what happened; `slowest` is how many seconds the next moves after a kind of fault took at most."""

    faults: Counter[str]
    slowest: dict[str, float]
    games: int
    moves: int
    connections: int
    over_rest: int
    takeovers: int
    watched: int
    races: int


class Storm:
    """Breaks something whenever so many moves more were acknowledged. The same seed makes the same choices."""

    def __init__(self, environment: dict[str, str], faults: int, seed: int, progress: Callable[[str], None]) -> None:
        self._environment = environment | UNLIMITED
        self._most, self._progress = faults, progress
        self._chance = Random(seed)
        self._crowd = Crowd(PLAYERS, self._chance, has_many_devices=True)
        self._faults, self._slowest = Counter[str](), dict[str, float]()
        self._backends: dict[str, Forwarder] = {}  # by the kind of fault
        self._nodes: list[Server] = []
        self._starting: set[asyncio.Task[None]] = set()

    async def run(self) -> Figures:
        """Have all play through the storm and then end their games. Raises `AssertionError` if anything went wrong."""
        async with self._running_nodes():
            async with Forwarder([node.port for node in self._nodes]) as self._line, asyncio.TaskGroup() as tasks:
                tasks.create_task(self._crowd.play(self._line.url))
                tasks.create_task(self._break_things())
            self._crowd.check(self._environment, self._most, HISTORY)
            for node in self._nodes:
                await asyncio.to_thread(node.stop, SIGTERM)
                assert "Traceback" not in node.output, node.output
        return self._figures()

    @asynccontextmanager
    async def _running_nodes(self) -> AsyncIterator[None]:
        """Start the nodes, with a line to each of their backends that can be divided."""
        async with AsyncExitStack() as lines:
            environment = self._environment.copy()
            for name, kind in BACKENDS.items():
                if (backend := _address_of(environment.get(name, ""))) is not None:
                    line = self._backends[kind] = await lines.enter_async_context(Forwarder([backend]))
                    environment[name] = line.instead_of(environment[name])
            # One process alone has no line to others: two need Redis.
            commands = [daphne, uvicorn] if environment.get("REDIS_URL") else [daphne]
            self._nodes = [Server(environment, command) for command in commands]
            try:
                for node in self._nodes:
                    await asyncio.to_thread(node.start)
                yield
            finally:
                await asyncio.gather(*self._starting, return_exceptions=True)
                for node in self._nodes:
                    await asyncio.to_thread(node.close)

    def _figures(self) -> Figures:
        games = self._crowd.games
        return Figures(
            faults=self._faults,
            slowest=self._slowest,
            games=len(games),
            moves=self._crowd.moves,
            connections=sum(game.connections for game in games),
            over_rest=sum(game.rest_actions for game in games),
            takeovers=sum(game.takeovers for game in games),
            watched=self._crowd.watched,
            races=self._crowd.races,
        )

    async def _break_things(self) -> None:
        await self._crowd.more_moves(MOVES_BETWEEN)
        for number in range(1, self._most + 1):
            begun = monotonic()
            kind = await self._break(number)
            self._faults[kind] += 1
            self._crowd.history.add("storm", "ok", "fault", kind)
            await self._crowd.more_moves(MOVES_BETWEEN)
            self._slowest[kind] = max(self._slowest.get(kind, 0), monotonic() - begun)
            self._progress(f"{number} of {self._most} faults, {self._crowd.moves} moves")
        await asyncio.gather(*self._starting)
        self._crowd.go_home()

    async def _break(self, number: int) -> str:
        """Do what is next, and return its kind."""
        if number % (KILL_EVERY // len(self._nodes)) == 0:
            await self._kill()
            return "node killed"
        kind = self._chance.choice(["connection cut", "node stopped", "divided from players", *self._backends])
        seconds, breaks = self._chance.uniform(0, LONGEST_SECONDS), self._chance.random() < 0.5
        match kind:
            case "connection cut":
                self._line.cut(self._chance)
            case "node stopped":
                await self._stop(self._chance.choice(self._nodes), seconds)
            case _:
                await self._backends.get(kind, self._line).divide(seconds, breaks=breaks)
        return kind

    async def _stop(self, node: Server, seconds: float) -> None:
        await asyncio.gather(*self._starting)
        node.send(SIGSTOP)
        await asyncio.sleep(seconds)
        node.send(SIGCONT)

    async def _kill(self) -> None:
        """Kill the node that was not killed last, and start it again while the others go on."""
        node = self._nodes[self._faults["node killed"] % len(self._nodes)]
        await asyncio.gather(*self._starting)
        await asyncio.to_thread(self._kill_while_nothing_is_durable, node)
        self._starting = {asyncio.create_task(asyncio.to_thread(node.start))}

    def _kill_while_nothing_is_durable(self, node: Server) -> None:
        """Hold the log up for some turns of the node first: whatever it acknowledged in them would be lost."""
        with frozen_log(self._environment["DATABASE_URL"]):
            for _ in range(5):
                node.get("/health/live")
            node.kill()


def _address_of(url: str) -> int | str | None:
    """Return the port of a server, the path of PostgreSQL's socket in a folder, or None for a file."""
    parts = urlsplit(url)
    folder = unquote(parts.netloc.rpartition("@")[2])
    return f"{folder}/.s.PGSQL.5432" if folder.startswith("/") else parts.port
