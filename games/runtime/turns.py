"""Turns: those who come in a crowd begin a few at a time, and what else the event loop has to do goes on in between."""

import asyncio
from collections import deque


class Turns:
    """Lets `at_once` begin, and the next ones after a pause. Who comes alone need not wait.

    A loop that is busy takes longer over its pauses, so a crowd slows down by itself.
    """

    def __init__(self, at_once: int, pause_seconds: float) -> None:
        self._at_once, self._pause_seconds = at_once, pause_seconds
        self._free = at_once
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Wait for a turn."""
        if not self.take_at_once():
            await self.queue()

    def take_at_once(self) -> bool:
        """Take a turn if one is free."""
        if self._free == self._at_once:
            asyncio.get_running_loop().call_later(self._pause_seconds, self._go_on)
        is_free = self._free > 0
        self._free -= is_free
        return is_free

    def queue(self) -> asyncio.Future[None]:
        """Return the turn after those that others wait for."""
        self._waiting.append(turn := asyncio.get_running_loop().create_future())
        return turn

    def _go_on(self) -> None:
        self._free = self._at_once
        while self._free and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # its task was cancelled
                turn.set_result(None)
                self._free -= 1
        if self._free < self._at_once:
            asyncio.get_running_loop().call_later(self._pause_seconds, self._go_on)
