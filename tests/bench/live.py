"""The cost of a durable move for the server, beside servers that only echo, in the same run.

The server has one core, its clients and its database the others. Processor time is the server's own.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from tests.bench.sockets import Ask, Endpoint, Socket, closed_loop, opened
from tests.bench.table import Row
from tests.processes import MANAGE, UNLIMITED, UVICORN, cpu_seconds, free_port, own_database, serving
from tests.processes import run as run_command

MESSAGES = 20_000
WARM_UP = 20
IDLE_SOCKETS = 5_000
WATCHERS, WATCHED_MOVES, THINKING_SECONDS = 1_000, 100, 0.1
DAPHNE = [sys.executable, "-m", "daphne", "-v0", "--no-server-name", "-p"]
ECHO_ENVIRONMENT = {**os.environ, "REDIS_URL": "", "DJANGO_SETTINGS_MODULE": "pyramid_server.settings"}
ECHO = b"the text of an ordinary message, as long as a move: " + b"x" * 20


class Measured(NamedTuple):
    """Processor microseconds a message, messages a second, and how long answers took, in milliseconds."""

    cpu_us: float
    per_second: float
    p50_ms: float
    p99_ms: float


def rows() -> Iterator[Row]:
    for server in ("uvicorn", "daphne"):
        for name in ("asgi_echo", "channels_echo"):
            yield from written(f"{name.replace('_', ' ')}, {server}, 50 sockets", echo(server, name, 50))
        for count in (50, 500):
            yield from written(f"durable moves, {server}, {database()}, {count} sockets", moves(server, count))
    yield from watched()
    yield from memory()


def written(what: str, measured: Measured) -> Iterator[Row]:
    yield Row(f"live: {what}: server CPU", measured.cpu_us, "us")
    yield Row(f"live: {what}: messages", measured.per_second, "/s")
    yield Row(f"live: {what}: answered, median", measured.p50_ms, "ms")
    yield Row(f"live: {what}: answered, p99", measured.p99_ms, "ms")


def database() -> str:
    return os.environ.get("DATABASE_URL", "sqlite").partition(":")[0]


def command(server: str, application: str, port: int) -> list[str]:
    """Return the command that serves an application on a dedicated core."""
    parts = [*UVICORN, str(port), application] if server == "uvicorn" else [*DAPHNE, str(port), application]
    return ["taskset", "--cpu-list", "0", *parts]


def echo(server: str, name: str, count: int) -> Measured:
    port = free_port()
    with serving(command(server, f"tests.bench.echoes:{name}", port), port, ECHO_ENVIRONMENT) as process:
        return measured(process.pid, [Endpoint(port, "/", "")] * count, lambda last: ECHO, is_greeted=False)


def moves(server: str, count: int) -> Measured:
    with game_server(server) as (pid, port, environment):
        return measured(pid, new_games(port, environment, count), draw, is_greeted=True)


def memory() -> Iterator[Row]:
    """Measure what an idle socket with its game keeps in memory, and one that only echoes."""
    with game_server("uvicorn") as (pid, port, environment):
        games = new_games(port, environment, IDLE_SOCKETS)
        yield Row(
            f"live: {IDLE_SOCKETS} idle sockets with games, uvicorn: each",
            asyncio.run(idle_kilobytes(pid, games, is_greeted=True)),
            "KB",
        )
    port = free_port()
    with serving(command("uvicorn", "tests.bench.echoes:asgi_echo", port), port, ECHO_ENVIRONMENT) as process:
        sockets = [Endpoint(port, "/", "")] * IDLE_SOCKETS
        bare = asyncio.run(idle_kilobytes(process.pid, sockets, is_greeted=False))
        yield Row(f"live: {IDLE_SOCKETS} idle bare sockets, uvicorn: each", bare, "KB")


@contextmanager
def game_server(server: str) -> Iterator[tuple[int, int, dict[str, str]]]:
    """Serve games on a new database; yield the process, its port and its environment."""
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as own:
        environment = own | UNLIMITED
        assert run_command([*MANAGE, "worker", "--once"], environment).returncode == 0
        port = free_port()
        with serving(command(server, "pyramid_server.asgi:application", port), port, environment) as process:
            yield process.pid, port, environment


def measured(pid: int, endpoints: list[Endpoint], ask: Ask, *, is_greeted: bool) -> Measured:
    """Have all sockets ask in a closed loop and watch the process that answers."""
    everyone = os.sched_getaffinity(0)
    os.sched_setaffinity(0, everyone - {0} or everyone)
    try:
        return asyncio.run(_measured(pid, endpoints, ask, is_greeted=is_greeted))
    finally:
        os.sched_setaffinity(0, everyone)


async def _measured(pid: int, endpoints: list[Endpoint], ask: Ask, *, is_greeted: bool) -> Measured:
    sockets = await opened(endpoints)
    first = [await socket.text() if is_greeted else b"" for socket in sockets]
    pairs = zip(sockets, first, strict=True)
    warm = await asyncio.gather(*(closed_loop(socket, ask, last, WARM_UP) for socket, last in pairs))
    cpu, begun = cpu_seconds(pid), perf_counter()
    pairs = zip(sockets, (last for _, last in warm), strict=True)
    loops = await asyncio.gather(*(closed_loop(socket, ask, last, MESSAGES // len(sockets)) for socket, last in pairs))
    cpu, wall = cpu_seconds(pid) - cpu, perf_counter() - begun
    for socket in sockets:
        socket.hang_up()
    times = sorted(chain.from_iterable(taken for taken, _ in loops))
    total = len(times)
    return Measured(cpu / total * 1e6, total / wall, times[total // 2] * 1e3, times[total * 99 // 100] * 1e3)


def draw(last: bytes) -> bytes:
    """Draw, or turn the waste over where nothing is left to draw."""
    version = last.partition(b'"version":')[2].partition(b",")[0]
    assert last.startswith((b'{"type":"played"', b'{"type":"state"')), last
    can_draw = b'"D"' in last.partition(b'"legal":')[2]
    return b'{"type":"play","id":1,"version":%s,"move":"%s"}' % (version, b"D" if can_draw else b"R")


async def idle_kilobytes(pid: int, endpoints: list[Endpoint], *, is_greeted: bool) -> float:
    """Open sockets and return by how much each has made the server's process larger; the first hundred are warm-up."""
    few, before = await opened(endpoints[:100]), 0
    many: list[Socket] = []
    for endpoint in endpoints[100:]:
        if not many:
            before = resident_kilobytes(pid)
        [socket] = await opened([endpoint])
        if is_greeted:
            assert (await socket.text()).startswith(b'{"type":"state"')
        many.append(socket)
    each = (resident_kilobytes(pid) - before) / len(many)
    for socket in few + many:
        socket.hang_up()
    return each


def resident_kilobytes(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def new_games(port: int, environment: dict[str, str], count: int, *, and_watcher: bool = False) -> list[Endpoint]:
    """Start ranked attempts, which have no notices, each of another guest; one more guest may watch them."""
    seed = [sys.executable, "-m", "tests.bench.live_seed", str(count)]
    made = run_command(seed, environment | {"DJANGO_SETTINGS_MODULE": "pyramid_server.settings"}, timeout=600)
    assert made.returncode == 0, made.stderr
    return [Endpoint(port, *line.split()) for line in made.stdout.splitlines()][: count + and_watcher]


def watched() -> Iterator[Row]:
    """Measure how long a player waits for an answer, alone and with many who watch."""
    with game_server("uvicorn") as (_, port, environment):
        [game, watcher] = new_games(port, environment, 1, and_watcher=True)
        alone, with_watchers = asyncio.run(_waits(game, game._replace(token=watcher.token)))
    yield Row("live: answered, one player alone, uvicorn: median", alone * 1e3, "ms")
    yield Row(f"live: answered, {WATCHERS} watchers, uvicorn: median", with_watchers * 1e3, "ms")


async def _waits(game: Endpoint, watch: Endpoint) -> tuple[float, float]:
    [player] = await opened([game])
    alone, last = await closed_loop(player, draw, await player.text(), WATCHED_MOVES, pause=THINKING_SECONDS)
    watchers = await opened([watch] * WATCHERS)
    for watcher in watchers:
        await watcher.text()
    with_watchers, last = await closed_loop(player, draw, last, WATCHED_MOVES, pause=THINKING_SECONDS)
    await asyncio.sleep(1)
    told = [watcher.unread for watcher in watchers]
    assert told == [WATCHED_MOVES] * WATCHERS, told
    for socket in (player, *watchers):
        socket.hang_up()
    return median(alone), median(with_watchers)
