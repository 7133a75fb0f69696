"""Players in a rush, over real sockets: they start at the same time, play a little, and end at the same time."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Coroutine, Iterable
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from tests.bench.sockets import Endpoint, HungUp, Socket, opened
from tests.moves import takes_from_pyramid

DAY = "/ws/daily/standard/"
LONGEST_LINE = 60
AT_ONCE = 64
TIMEOUT_SECONDS = 600

Done = TypeVar("Done")


class Seat(NamedTuple):
    """An open socket, the last message on it, and how often its player had been asked to come later."""

    socket: Socket
    last: bytes
    asked_to_wait: int = 0

    @property
    def version(self) -> int:
        return int(self.last.partition(b'"version":')[2].partition(b",")[0])

    @property
    def game(self) -> str:
        return str(json.loads(self.last)["game"])


async def start_all(
    ports: list[int], tokens: list[str], within_seconds: float, two_devices: int
) -> tuple[list[Seat], list[float]]:
    """Have all start, or go on, at random moments; return all seats and how long each player waited.

    Every so many have two devices, nobody if it is 0.

    Raises `AssertionError` for a player who was refused, or has two games.
    """

    async def start(number: int) -> tuple[list[Seat], float]:
        await asyncio.sleep(random.random() * within_seconds)
        asked = perf_counter()
        devices = [
            ports[(number + other) % len(ports)] for other in range(1 + (two_devices > 0 and number % two_devices == 0))
        ]
        seats = await asyncio.gather(*(_take_seat(port, tokens[number]) for port in devices))
        found = [seat for seat in seats if seat is not None]
        assert len({seat.game for seat in found}) == 1, f"of {len(devices)} devices {len(found)} were let in"
        return found, perf_counter() - asked

    started = await _all(start(number) for number in range(len(tokens)))
    return [seat for found, _ in started for seat in found], [waited for _, waited in started]


async def play_until_they_have_a_rank(port: int, tokens: list[str]) -> list[Seat]:
    """Have all go on at one process, some at a time, until a card of their pyramid is removed."""
    places = asyncio.Semaphore(AT_ONCE)

    async def play(token: str) -> Seat:
        async with places:
            seat = await _take_seat(port, token)
            assert seat is not None
            for _ in range(LONGEST_LINE):
                legal = json.loads(seat.last)["legal"]
                pair = next(filter(takes_from_pyramid, legal), None)
                move = {"type": "play", "id": 1, "version": seat.version, "move": pair or legal[-1]}
                seat.socket.say(json.dumps(move).encode())
                seat = Seat(seat.socket, await seat.socket.text())
                if pair:
                    return seat
        raise AssertionError("no pair could be removed")

    return await _all(play(token) for token in tokens)


async def end_all(seats: list[Seat], per_second: float, at_half: Callable[[], None]) -> tuple[float, list[float]]:
    """Have all give up, so many a second; return the seconds until all have ranks, and how long each waited."""

    async def end(number: int, seat: Seat) -> float:
        await asyncio.sleep(number / per_second)
        if number == len(seats) // 2:
            await asyncio.to_thread(at_half)
        asked = perf_counter()
        seat.socket.say(b'{"type":"resign","id":2,"version":%d}' % seat.version)
        while not (told := await seat.socket.text()).startswith(b'{"type":"placed"'):
            assert not told.startswith(b'{"type":"refused"'), told
        return perf_counter() - asked

    begun = perf_counter()
    waited = await _all(end(number, seat) for number, seat in enumerate(seats))
    return perf_counter() - begun, waited


async def leave(seats: Iterable[Seat]) -> None:
    """Hang up, and let the loop close what is left."""
    for seat in seats:
        seat.socket.hang_up()
    await asyncio.sleep(0.1)


async def _take_seat(port: int, token: str, asked_to_wait: int = 0) -> Seat | None:
    """Open today's attempt; None if another device of the player took it over before its state arrived here.

    A player who is asked to come later does so.
    """
    [socket] = await opened([Endpoint(port, DAY, token)])
    try:
        state = await socket.text()
    except HungUp as refusal:
        if not refusal.asked:
            raise
        await asyncio.sleep(refusal.asked)
        return await _take_seat(port, token, asked_to_wait + 1)
    if state.startswith(b'{"type":"superseded"'):
        socket.hang_up()
        return None
    assert state.startswith(b'{"type":"state"'), state
    return Seat(socket, state, asked_to_wait)


async def _all(work: Iterable[Coroutine[Any, Any, Done]]) -> list[Done]:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        return await asyncio.gather(*work)
