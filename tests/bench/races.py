"""Many races at once on one process: how often everyone hears of the others, and what other players notice.

Everyone in a race has two sockets, one that shows the race and one on which they play. The waits of another player are
taken alone and during the races, in the same run.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import NamedTuple

from tests.bench.live import draw, game_server
from tests.bench.sockets import Endpoint, Socket, closed_loop, opened
from tests.bench.table import Row
from tests.processes import cpu_seconds, run

ROOMS, RACERS = 100, 50
THINKING_SECONDS = 4.0  # of a racer before a move
MEASURED_SECONDS = 30.0
OTHER_MOVES, OTHER_PAUSE = 200, 0.1
FILES = 65_536


class Course(NamedTuple):
    """The sockets of races by their paths, those of their games, and that of another player."""

    races: list[Endpoint]
    games: list[Endpoint]
    other: Endpoint


class Heard(NamedTuple):
    """Waits in seconds of the other player, alone and during the races, and what went on meanwhile."""

    alone: list[float]
    meanwhile: list[float]
    standings: float  # a second, of the room that heard most
    moves: float  # a second
    cpu: float  # seconds a second


class Counting(Socket):
    """A socket that only counts what it hears."""

    heard = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.heard += len(self._texts)
        self._texts.clear()


def rows() -> Iterator[Row]:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard) if hard > 0 else FILES, hard))
    with game_server("uvicorn") as (pid, port, environment):
        heard = asyncio.run(_race(pid, _course(port, environment)))
        what = f"races: {ROOMS} rooms x {RACERS} racers"
        yield Row(f"{what}: moves", heard.moves, "/s")
        yield Row(f"{what}: standings in a room, at most", heard.standings, "/s")
        yield Row(f"{what}: server CPU", 100 * heard.cpu, "%")
        for name, waits in (("alone", heard.alone), (f"during {ROOMS} races", heard.meanwhile)):
            cuts = quantiles(waits, n=100)
            yield Row(f"races: another player answered, {name}: median", cuts[49] * 1e3, "ms")
            yield Row(f"races: another player answered, {name}: p95", cuts[94] * 1e3, "ms")


def _course(port: int, environment: dict[str, str]) -> Course:
    seed = [sys.executable, "-m", "tests.bench.races_seed", str(ROOMS), str(RACERS)]
    seeded = run(seed, {**environment, "DJANGO_SETTINGS_MODULE": "pyramid_server.settings"}, timeout=900)
    assert seeded.returncode == 0, seeded.stderr
    *racers, (_, path, token) = (line.split() for line in seeded.stdout.splitlines())
    return Course(
        [Endpoint(port, race, own) for race, _, own in racers],
        [Endpoint(port, game, own) for _, game, own in racers],
        Endpoint(port, path, token),
    )


async def _race(pid: int, course: Course) -> Heard:
    everyone = os.sched_getaffinity(0)
    os.sched_setaffinity(0, everyone - {0} or everyone)
    [other] = await opened([course.other])
    alone, last = await closed_loop(other, draw, await other.text(), OTHER_MOVES, pause=OTHER_PAUSE)
    watching, playing = await _watching(course.races), await opened(course.games)
    chance, moved = Random(1), [0]
    greetings = [await socket.text() for socket in playing]  # until all games are loaded
    racers = [
        asyncio.create_task(_play(socket, state, Random(chance.random()), moved))
        for socket, state in zip(playing, greetings, strict=True)
    ]
    await asyncio.sleep(THINKING_SECONDS)
    before, moves, cpu, begun = [socket.heard for socket in watching], moved[0], cpu_seconds(pid), perf_counter()
    count = round(MEASURED_SECONDS / OTHER_PAUSE)
    meanwhile, _ = await closed_loop(other, draw, last, count, pause=OTHER_PAUSE)
    seconds = perf_counter() - begun
    heard = max(socket.heard - earlier for socket, earlier in zip(watching, before, strict=True))
    found = Heard(alone, meanwhile, heard / seconds, (moved[0] - moves) / seconds, (cpu_seconds(pid) - cpu) / seconds)
    for task in racers:
        task.cancel()
    for socket in (other, *watching, *playing):
        socket.hang_up()
    while (used := cpu_seconds(pid)) > cpu:  # until the server has taken leave of everyone
        cpu = used
        await asyncio.sleep(1)
    return found


async def _watching(endpoints: list[Endpoint]) -> list[Counting]:
    loop, sockets = asyncio.get_running_loop(), []
    for endpoint in endpoints:
        _, socket = await loop.create_connection(partial(Counting, endpoint), "127.0.0.1", endpoint.port)
        await socket.is_open
        sockets.append(socket)
    return sockets


async def _play(socket: Socket, last: bytes, chance: Random, moved: list[int]) -> None:
    while True:
        await asyncio.sleep(chance.uniform(0, 2 * THINKING_SECONDS))
        socket.say(draw(last))
        last = await socket.text()
        moved[0] += 1
