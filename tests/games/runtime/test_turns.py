"""A player who comes alone begins at once; a crowd begins a few at a time, and fewer while the loop is busy."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from games.runtime.turns import Turns

HOUR = 3600.0


async def test_who_comes_alone_does_not_wait_and_a_crowd_waits_for_the_next_pause() -> None:
    turns = Turns(2, 2, HOUR)
    for _ in range(2):
        await turns.take()
    third = asyncio.create_task(turns.take())
    await asyncio.sleep(0)
    assert not third.done()
    third.cancel()


async def test_a_crowd_takes_its_turns_in_order_and_those_who_have_left_take_none() -> None:
    turns, begun = Turns(2, 2, 0.001), list[int]()

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


async def test_more_begin_after_each_pause_that_ends_in_time_and_half_as_many_after_a_late_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    turns = Turns(2, 4, 1.0)
    crowd = [asyncio.create_task(turns.take()) for _ in range(40)]

    async def begun_after(pause: float) -> int:
        nonlocal now
        before, now = sum(task.done() for task in crowd), now + pause
        for _ in range(3):  # the timer, the turns, the tasks
            await asyncio.sleep(0)
        return sum(task.done() for task in crowd) - before

    assert [await begun_after(pause) for pause in (0.0, 1.0, 1.4, 1.0, 1.0, 1.6, 1.0)] == [2, 3, 4, 4, 4, 2, 3]
    for task in crowd:
        task.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
