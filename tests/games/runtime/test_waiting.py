from __future__ import annotations

import asyncio

import pytest

from games.runtime.waiting import is_set_within


@pytest.mark.parametrize("steps", range(5))
async def test_a_task_that_waits_in_a_loop_can_be_cancelled_at_the_moment_of_the_event(steps: int) -> None:
    event = asyncio.Event()

    async def wait_again_and_again() -> None:
        while True:
            await is_set_within(event, 3600)
            event.clear()

    task = asyncio.create_task(wait_again_and_again())
    await asyncio.sleep(0)
    event.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    for _ in range(10):
        await asyncio.sleep(0)
    assert task.cancelled()


async def test_an_event_is_not_waited_for_longer_than_asked() -> None:
    event = asyncio.Event()
    assert await is_set_within(event, 0) is False
    event.set()
    assert await is_set_within(event, 3600) is True
