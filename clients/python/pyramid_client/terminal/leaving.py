"""Leave screens and connections without waiting for a server that does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from rich.text import Text
from textual.screen import Screen
from textual.widgets import Static

SECONDS = 0.5

# Those that still close; the event loop itself would not keep them.
closing: set[asyncio.Task[None]] = set()


def put(screen: Screen[None], name: str, text: str | Text) -> None:
    """Show a text as it is in its place: names of players may look like markup.

    What is still answered while a screen is left has no place any more.
    """
    for place in screen.query(f"#{name}").results(Static):
        place.update(Text(text) if isinstance(text, str) else text)


async def leave(*closes: Callable[[], Awaitable[None]]) -> None:
    """Close connections, for half a second; the rest of it goes on behind the next screen."""
    for close in closes:
        task = asyncio.ensure_future(_closed(close))
        closing.add(task)
        task.add_done_callback(closing.discard)
    if closing:
        await asyncio.wait(closing, timeout=SECONDS)


async def _closed(close: Callable[[], Awaitable[None]]) -> None:
    await close()
