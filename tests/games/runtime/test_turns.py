"""A player who comes alone begins at once; a crowd begins a few at a time, and a busy loop makes the pauses longer."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from games.runtime.turns import Turns

HOUR = 3600.0


async def test_who_comes_alone_does_not_wait_and_a_crowd_waits_for_the_next_pause() -> None:
    turns = Turns(2, HOUR)
    for _ in range(2):
        await turns.take()
    third = asyncio.create_task(turns.take())
    await asyncio.sleep(0)
    assert not third.done()
    third.cancel()


async def test_a_crowd_takes_its_turns_in_order_and_those_who_have_left_take_none() -> None:
    turns, begun = Turns(2, 0.001), list[int]()

    async def begin(number: int) -> None:
        await turns.take()
        begun.append(number)

    crowd = [asyncio.create_task(begin(number)) for number in range(9)]
    await asyncio.sleep(0)
    assert begun == [0, 1]
    crowd[3].cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*crowd)
    await asyncio.gather(*crowd, return_exceptions=True)
    assert begun == [0, 1, 2, 4, 5, 6, 7, 8]
    await asyncio.sleep(0.01)
    await asyncio.wait_for(turns.take(), 10)
