"""The rush at midnight, many ends at once, and many games whose time runs out together: `make rush`.

Everyone starts today's attempt over a socket, some on two devices at the same moment, and plays until a card is gone.
Then all processes are gone, and everyone comes back at once to a new one, which knows nothing of them.
Some give up, so many a second; the others stay until `finish_by`, when the worker expires them. Then each player has
one attempt, and each attempt its places on all boards, whichever way they are asked for.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from time import perf_counter, process_time
from typing import NamedTuple

from tests.bench.rush_players import Seat, end_all, leave, play_until_they_have_a_rank, start_all
from tests.bench.table import Row, written
from tests.processes import UVICORN, cpu_seconds, free_port, serving


class Scale(NamedTuple):
    """The number of starts and their seconds, and the number of players who give up, and their rate per second."""

    players: int = 10_000
    within_seconds: float = 60
    ends: int = 2000
    ends_per_second: float = 500
    two_devices: int = 20  # every so many have a second device
    processes: int = 2


class Node(NamedTuple):
    """A server process."""

    pid: int
    port: int


def rush(scale: Scale, at_half: Callable[[], None] = lambda: None, **environment: str) -> Iterator[Row]:
    """Rush on the database of this process, check, and yield what was seen.

    `at_half` is called when half of those who give up have begun to. Raises `AssertionError` for whatever went wrong.
    """
    from tests.bench import rush_crowd  # noqa: PLC0415  models exist only after the setup

    daily = rush_crowd.todays_deal()
    tokens = rush_crowd.crowd(scale.players)
    with running_nodes(scale.processes, rush_crowd.environment() | environment) as nodes:
        yield from asyncio.run(_start(nodes, tokens, scale))
    with running_nodes(1, rush_crowd.environment() | environment) as [node]:
        yield from asyncio.run(_come_back(node, tokens, scale, at_half))
        rush_crowd.require_one_attempt_each(daily, scale.players)
    begun, processor = perf_counter(), process_time()
    expired = rush_crowd.expire(daily)
    seconds, processor = perf_counter() - begun, process_time() - processor
    assert expired == scale.players - scale.ends
    boards = rush_crowd.require_agreement(daily, scale.players)
    yield Row(f"rush: {expired:,} games expire and are on {boards} boards", seconds, "s")
    yield Row("rush: a game that expires, CPU of the worker", processor / max(1, expired) * 1e3, "ms")


@contextmanager
def running_nodes(number: int, environment: dict[str, str]) -> Iterator[list[Node]]:
    """Start so many server processes beside each other on one database. Raises `AssertionError` for a traceback."""
    ports = [free_port() for _ in range(number)]
    commands = ([*UVICORN, str(port), "pyramid_server.asgi:application"] for port in ports)
    with ExitStack() as stack, ThreadPoolExecutor(number) as pool:
        servers = [serving(command, port, environment) for command, port in zip(commands, ports, strict=True)]
        started = [pool.submit(stack.enter_context, server) for server in servers]
        try:
            yield [Node(server.result().pid, port) for server, port in zip(started, ports, strict=True)]
        finally:
            stack.close()
            output = "".join(server.result().output for server in started)
            sys.stderr.write(output[-5000:])
            assert "Traceback" not in output, output[-5000:]


async def _start(nodes: list[Node], tokens: list[str], scale: Scale) -> list[Row]:
    started, rows = await _open_games(nodes, tokens, "starts", scale.within_seconds, scale.two_devices)
    seats = await play_until_they_have_a_rank(nodes[0].port, tokens)
    await leave((*started, *seats))
    return rows


async def _come_back(node: Node, tokens: list[str], scale: Scale, at_half: Callable[[], None]) -> list[Row]:
    seats, rows = await _open_games([node], tokens, "returns", scale.within_seconds / 10, two_devices=0)
    rows += await _end(node, seats[: scale.ends], scale, at_half)
    await leave(seats)
    return rows


async def _open_games(
    nodes: list[Node], tokens: list[str], what: str, within_seconds: float, two_devices: int
) -> tuple[list[Seat], list[Row]]:
    before, begun = _cpu(nodes), perf_counter()
    seats, waits = await start_all([node.port for node in nodes], tokens, within_seconds, two_devices)
    seconds, processor = perf_counter() - begun, _cpu(nodes) - before
    count = f"rush: {len(tokens):,} {what} on {len(nodes)} process{'es' * (len(nodes) > 1)}"
    return seats, [
        Row(f"{count}, until all had their state", seconds, "s"),
        Row(f"{count}: CPU each", processor / len(tokens) * 1e3, "ms"),
        Row(f"{count}: asked to come later, times", sum(seat.asked_to_wait for seat in seats), ""),
        *_waits(f"{count}: the state, waited", waits),
    ]


async def _end(node: Node, seats: list[Seat], scale: Scale, at_half: Callable[[], None]) -> list[Row]:
    before = cpu_seconds(node.pid)
    seconds, waits = await end_all(seats, scale.ends_per_second, at_half)
    processor = cpu_seconds(node.pid) - before
    count = f"rush: {len(seats):,} ends on one process, {scale.ends_per_second:g} a second begin"
    return [
        Row(f"{count}: ends a second", len(seats) / seconds, "/s"),
        Row(f"{count}: CPU each", processor / len(seats) * 1e3, "ms"),
        *_waits(f"{count}: the ranks, waited", waits),
    ]


def _waits(what: str, waits: list[float]) -> Iterator[Row]:
    waits = sorted(waits)
    for name, share in (("median", 0.5), ("p99", 0.99)):
        yield Row(f"{what}: {name}", waits[int(share * len(waits))] * 1e3, "ms")


def _cpu(nodes: list[Node]) -> float:
    return sum(cpu_seconds(node.pid) for node in nodes)


def main() -> None:
    """Rush as the environment says: RUSH_PLAYERS, RUSH_SECONDS, RUSH_ENDS, RUSH_ENDS_PER_SECOND."""
    import django  # noqa: PLC0415  nothing of it may be imported before the settings are known

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    default = Scale()
    scale = Scale(
        players=int(os.environ.get("RUSH_PLAYERS") or default.players),
        within_seconds=float(os.environ.get("RUSH_SECONDS") or default.within_seconds),
        ends=int(os.environ.get("RUSH_ENDS") or default.ends),
        ends_per_second=float(os.environ.get("RUSH_ENDS_PER_SECOND") or default.ends_per_second),
    )
    print(scale, flush=True)
    for row in rush(scale):
        print(f"{row.what:<84} {written(row.figure):>10} {row.unit}", flush=True)
    print("every start once, every score once; list, rank, neighbours and number agree on every board")


if __name__ == "__main__":
    main()
