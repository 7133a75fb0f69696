"""Groups of entrants, each in a process of its own: the waits of some are not made longer by the event loop of all."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tests.bench.cup_entrants import Entrant, Pace, Seen

MEASURED = 10  # one of so many entrants is
MOST_BYTES = 2**24  # of an order
NICE = 10  # of all others: people have machines of their own, and do not take the servers' cores


class Order(NamedTuple):
    """The cup that a group plays, or today's deal; it begins within so many seconds."""

    tokens: Sequence[str]
    ports: Sequence[int]
    pace: Pace
    cup: str = ""
    enter_within_s: float = 0.0
    niceness: int = 0


class Group:
    """A process that plays an order until it is done, or ended."""

    def __init__(self, process: Process, *, is_measured: bool) -> None:
        self._process, self._is_measured = process, is_measured

    @classmethod
    async def start(cls, order: Order, *, is_measured: bool) -> Group:
        from tests.processes import PROJECT  # noqa: PLC0415  what it loads takes longer than all that a group loads

        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, stdin=PIPE, stdout=PIPE, cwd=PROJECT
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(order).encode() + b"\n")
        await process.stdin.drain()
        return cls(process, is_measured=is_measured)

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def seen(self) -> Seen:
        """Wait for the end, and return what was seen, with waits only if they are measured."""
        assert self._process.stdout is not None
        told = await self._process.stdout.read()
        assert await self._process.wait() == 0, "entrants have failed, see above"
        seen = Seen.of(json.loads(told))
        if not self._is_measured:
            seen.waits.clear()
        return seen

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()


async def started(order: Order) -> list[Group]:
    """Start two groups, of which the smaller one is measured."""
    measured = order._replace(tokens=order.tokens[::MEASURED])
    others = order._replace(tokens=sorted({*order.tokens} - {*measured.tokens}), niceness=NICE)
    return [await Group.start(measured, is_measured=True), await Group.start(others, is_measured=False)]


async def seen_by(groups: Iterable[Group]) -> Seen:
    """Wait for all groups, and return what they have seen together."""
    together = Seen()
    for seen in await asyncio.gather(*(group.seen() for group in groups)):
        together.add(seen)
    return together


async def _carry_out() -> Seen:
    orders = await _pipe()
    order = Order(*json.loads(await orders.readline()))
    os.nice(order.niceness)
    seen = Seen()
    entrants = [Entrant(token, order.ports, Pace(*order.pace), seen) for token in order.tokens]
    await _until_ended(orders, asyncio.gather(*(_take_part(entrant, order) for entrant in entrants)))
    return seen


async def _pipe() -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=MOST_BYTES)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def _until_ended(orders: asyncio.StreamReader, playing: asyncio.Future[Any]) -> None:
    ended = asyncio.create_task(orders.read())
    await asyncio.wait([playing, ended], return_when=asyncio.FIRST_COMPLETED)
    if playing.done():  # in a cup only if something went wrong
        await playing
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


async def _take_part(entrant: Entrant, order: Order) -> None:
    await asyncio.sleep(random.random() * order.enter_within_s)
    if not order.cup:
        await entrant.play_daily()
        return
    await entrant.qualify(order.cup)
    await entrant.play_matches()


if __name__ == "__main__":
    print(json.dumps(vars(asyncio.run(_carry_out()))))
