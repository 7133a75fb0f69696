"""Players who play on while nodes are killed and stopped, connections cut, and networks divided."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from signal import SIGCONT, SIGSTOP, SIGTERM
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from tests.chaos.crowd import Crowd
from tests.chaos.databases import Databases
from tests.chaos.freezing import frozen_log
from tests.clocks import CACHE_SECONDS, clock_in
from tests.forwarder import Forwarder
from tests.journeys.conftest import Server, daphne, uvicorn
from tests.processes import LAST_WORDS, PROJECT, UNLIMITED
from tests.with_servers import Ended

PLAYERS = 20
MOVES_BETWEEN = 15  # acknowledged moves, of all players together, from one fault to the next
HISTORY = PROJECT / "var/storm/history.jsonl"
KILL_EVERY = 10  # faults, for each node
LONGEST_SECONDS = 2.0  # that a node is stopped, or a network divided
DATABASE, REDIS = "divided from the database", "divided from Redis"
DISK, CLOCK, FAILOVER = "disk full", "clock jumped", "database failed over"
DAY_SECONDS = 86400.0
TOLERATED_SECONDS = 1.9  # by which a clock may be wrong while its node goes on


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
    refused_on_full_disk: int
    databases_stopped: int  # for want of space


class Storm:
    """Breaks something whenever so many moves more were acknowledged. The same seed makes the same choices.

    With `databases`, whose address is that of the environment, they break too, and nodes have clocks that are set.
    Kinds of faults are drawn, unless `only` names one; nodes are killed in any case.
    """

    def __init__(
        self,
        environment: dict[str, str],
        faults: int,
        seed: int,
        progress: Callable[[str], None],
        databases: Databases | None = None,
        only: str | None = None,
    ) -> None:
        self._environment = environment | UNLIMITED
        self._most, self._progress = faults, progress
        self._chance = Random(seed)
        self._crowd = Crowd(PLAYERS, self._chance, has_many_devices=True)
        self._faults, self._slowest = Counter[str](), dict[str, float]()
        self._databases, self._only = databases, only
        self._lines: dict[str, list[Forwarder]] = {}  # to what is behind the nodes, by the kind of fault
        self._nodes: list[Server] = []
        self._clocks: list[Path] = []  # of the nodes
        self._starting: set[asyncio.Task[None]] = set()

    async def run(self) -> Figures:
        """Have all play through the storm and then end their games. Raises `AssertionError` if anything went wrong."""
        # Calls over REST wait in threads, and while the database is away each of them waits long.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2 * PLAYERS))
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
        async with AsyncExitStack() as kept:
            environment = {**self._environment, **await self._addresses(kept)}
            # One process alone has no line to others: two need Redis.
            commands = [daphne, uvicorn] if environment.get("REDIS_URL") else [daphne]
            clocks: list[dict[str, str]] = [{} for _ in commands]
            if self._databases is not None:
                folder = Path(kept.enter_context(TemporaryDirectory(prefix="pyramid-")))
                self._clocks = [folder / command.__name__ for command in commands]
                clocks = [clock_in(clock, is_read_at_once=False) for clock in self._clocks]
                for clock in self._clocks:
                    _set_clock(clock, 0)
            self._nodes = [
                Server(environment | clock, command) for command, clock in zip(commands, clocks, strict=True)
            ]
            try:
                for node in self._nodes:
                    await asyncio.to_thread(node.start)
                yield
            except BaseException:
                sys.stdout.writelines(node.output[-LAST_WORDS:] for node in self._nodes)
                raise
            finally:
                await asyncio.gather(*self._starting, return_exceptions=True)
                for node in self._nodes:
                    await asyncio.to_thread(node.close)

    async def _addresses(self, kept: AsyncExitStack) -> dict[str, str]:
        """Return the addresses of lines to database and Redis, which can be divided."""
        addresses = {}
        for name, kind in (("DATABASE_URL", DATABASE), ("REDIS_URL", REDIS)):
            url = self._environment.get(name, "")
            if kind == DATABASE and self._databases is not None:
                first, second = self._databases.sockets
                one = await kept.enter_async_context(Forwarder([first], "127.0.0.2"))
                other = await kept.enter_async_context(Forwarder([second], "127.0.0.3", one.port))
                self._lines[kind] = [one, other]
                there = urlsplit(url)._replace(netloc=f"pyramid@{one.host},{other.host}:{one.port}")
                addresses[name] = there.geturl()
            elif (backend := _address_of(url)) is not None:
                line = await kept.enter_async_context(Forwarder([backend]))
                self._lines[kind] = [line]
                addresses[name] = line.instead_of(url)
        return addresses

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
            refused_on_full_disk=sum(game.refused_on_full_disk for game in games),
            databases_stopped=self._databases.stops if self._databases else 0,
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
        kinds = ["connection cut", "node stopped", "divided from players", *self._lines]
        if self._databases is not None:
            kinds += [CLOCK, DISK, FAILOVER]
        kind = self._only or self._chance.choice(kinds)
        seconds, breaks = self._chance.uniform(0, LONGEST_SECONDS), self._chance.random() < 0.5
        match kind:
            case "connection cut":
                self._line.cut(self._chance)
            case "node stopped":
                await self._stop(self._chance.choice(self._nodes), seconds)
            case "clock jumped":
                await self._set_a_clock(seconds)
            case "disk full":
                await self._fill_disk(seconds)
            case "database failed over":
                await self._fail_over(seconds)
            case _:
                lines = self._lines.get(kind, [self._line])
                await asyncio.gather(*(line.divide(seconds, breaks=breaks) for line in lines))
        return kind

    async def _set_a_clock(self, seconds: float) -> None:
        """Have the clock of a node wrong for a while, by little or much, in either direction."""
        await asyncio.gather(*self._starting)
        clock, most = self._chance.choice(self._clocks), self._chance.choice([TOLERATED_SECONDS, DAY_SECONDS])
        _set_clock(clock, self._chance.uniform(-most, most))
        await asyncio.sleep(CACHE_SECONDS + seconds)
        _set_clock(clock, 0)

    async def _fill_disk(self, seconds: float) -> None:
        assert self._databases is not None
        await asyncio.to_thread(self._databases.fill_disk)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self._databases.make_space)

    async def _fail_over(self, seconds: float) -> None:
        """Lose the primary, have the standby take over, and make another standby while all play on."""
        assert self._databases is not None
        await asyncio.to_thread(self._databases.lose_primary)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self._databases.promote)
        await asyncio.to_thread(self._databases.make_standby)

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
        self._starting = {asyncio.create_task(self._start_again(node))}

    async def _start_again(self, node: Server) -> None:
        """Start a node as often as it ends, like a supervisor: it does so if it does not reach the database."""
        while True:
            with suppress(Ended):
                await asyncio.to_thread(node.start)
                return

    def _kill_while_nothing_is_durable(self, node: Server) -> None:
        """Hold the log up for some turns of the node first: whatever it acknowledged in them would be lost."""
        with frozen_log(self._environment["DATABASE_URL"]):
            for _ in range(5):
                node.get("/health/live")
            node.kill()


def _set_clock(clock: Path, seconds: float) -> None:
    """Set a clock that many seconds ahead; a process never reads half of it."""
    written = clock.with_suffix(".new")
    written.write_text(f"{seconds:+.3f}")
    written.replace(clock)


def _address_of(url: str) -> int | str | None:
    """Return the port of a server, the path of PostgreSQL's socket in a folder, or None for a file."""
    parts = urlsplit(url)
    folder = unquote(parts.netloc.rpartition("@")[2])
    return f"{folder}/.s.PGSQL.5432" if folder.startswith("/") else parts.port
