from __future__ import annotations

import asyncio
import gc

from games.runtime.per_loop import PerLoop

ATTEMPTS = 3


def test_each_event_loop_has_one_object_even_if_that_is_empty() -> None:
    lists: PerLoop[list[str]] = PerLoop(list)

    async def get() -> tuple[list[str], list[str]]:
        return lists(), lists()

    first, again = asyncio.run(get())
    other, _ = asyncio.run(get())
    assert first is again
    assert first is not other


def test_the_object_is_dropped_with_its_event_loop() -> None:
    lists: PerLoop[list[str]] = PerLoop(list)

    async def get() -> int:
        lists()
        return len(lists.items())

    assert asyncio.run(get()) == 1
    for _ in range(ATTEMPTS):
        gc.collect()  # at once, without a word, if another thread is collecting
    assert lists.items() == []
