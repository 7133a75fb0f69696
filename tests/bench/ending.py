"""The time that players wait for their moves while games of others end, a hundred a second, with all their boards."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import chain

from tests.bench.live import database, draw, game_server
from tests.bench.player_day import DAY, first_moves, guest, some_at_once
from tests.bench.sockets import Endpoint, Socket, closed_loop, opened
from tests.bench.table import Row

MOVING, MOVES, ENDING, ENDS_PER_SECOND = 50, 800, 500, 100


def rows() -> Iterator[Row]:
    with game_server("uvicorn") as (_, port, _):
        alone, meanwhile, ends = asyncio.run(_waits(port))
    for what, waits in (("nothing else happens", alone), (f"{ends:.0f} games a second end", meanwhile)):
        for share in (50, 99):
            wait = sorted(waits)[len(waits) * share // 100] * 1e3
            yield Row(f"ending: {database()}: moves of {MOVING} while {what}: p{share}", wait, "ms")


async def _waits(port: int) -> tuple[list[float], list[float], float]:
    """Return how long moves took in seconds, before and while games ended, and how many ended a second."""
    tokens = await some_at_once(lambda made: made, [asyncio.to_thread(guest, port) for _ in range(MOVING + ENDING)])
    sockets = await opened([Endpoint(port, DAY, token) for token in tokens])
    playing = [(socket, await first_moves(socket)) for socket in sockets]
    moving, ending = playing[:MOVING], playing[MOVING:]
    alone = await asyncio.gather(*(closed_loop(socket, draw, last, MOVES) for socket, last in moving))
    loop = asyncio.get_running_loop()
    begun = loop.time()
    ends = asyncio.gather(*(_end(socket, last, begun + n / ENDS_PER_SECOND) for n, (socket, last) in enumerate(ending)))
    moves = [
        asyncio.create_task(_until(ends, socket, last)) for (socket, _), (_, last) in zip(moving, alone, strict=True)
    ]
    await ends
    per_second = len(ending) / (loop.time() - begun)
    meanwhile = await asyncio.gather(*moves)
    for socket in sockets:
        socket.hang_up()
    return list(chain.from_iterable(taken for taken, _ in alone)), list(chain.from_iterable(meanwhile)), per_second


async def _until(done: asyncio.Future[list[None]], socket: Socket, last: bytes) -> list[float]:
    taken: list[float] = []
    while not done.done() and len(taken) < MOVES:
        wait, last = await closed_loop(socket, draw, last, 1)
        taken += wait
    return taken


async def _end(socket: Socket, last: bytes, at: float) -> None:
    await asyncio.sleep(at - asyncio.get_running_loop().time())
    socket.say(b'{"type":"resign","id":1,"version":%s}' % last.partition(b'"version":')[2].partition(b",")[0])
    while b'"placed"' not in await socket.text():
        pass
