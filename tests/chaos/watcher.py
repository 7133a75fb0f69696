"""Another guest who sees a game to its end, whatever happens to the connection."""

from __future__ import annotations

import asyncio

from tests.chaos.device import BROKEN, Told, connected
from tests.chaos.rest import PAUSE_SECONDS, new_guest


async def watch(url: str, path: str, told: Told) -> str:
    """Watch a game that has begun, and return its result. Raises `AssertionError` if something was left out."""
    guest = await new_guest(url)
    while True:
        try:
            async with connected(guest, path, told) as device:
                while True:
                    message = await device.receive()
                    assert message["type"] in {"state", "played", "unwinnable", "finished"}, message
                    assert message.get("id") is None, message
                    if message["type"] == "finished":
                        result: str = message["result"]
                        return result
        except BROKEN:
            await asyncio.sleep(PAUSE_SECONDS)
