"""Wait for an event, but not forever."""

import asyncio


async def is_set_within(event: asyncio.Event, seconds: float) -> bool:
    """Wait until an event is set, and return True, or False if that takes longer.

    `asyncio.wait_for` would do, but before Python 3.12 it forgets that its task is cancelled if the event is set at the
    same moment: a task that waits in a loop then never ends.
    """
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
