"""Turns: those who come in a crowd begin a few at a time, and what else the event loop has to do goes on in between."""

import asyncio
from collections import deque


class Turns:
    """Lets a few begin, and the next ones after a pause. Who comes alone need not wait.

    `fewest` begin at first, and one more after each pause that the loop ends in time, until they are `most`. After one
    that it ends late, half as many: what they do is heavier than it seemed, or others need the processor.
    """

    def __init__(self, fewest: int, most: int, pause_seconds: float) -> None:
        self._fewest, self._most, self._pause_seconds = fewest, most, pause_seconds
        self._at_once = self._free = fewest
        self._is_pausing = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Wait for a turn."""
        if not self.take_at_once():
            await self.queue()

    def take_at_once(self) -> bool:
        """Take a turn if one is free."""
        if not self._is_pausing:
            self._pause()
        is_free = self._free > 0
        self._free -= is_free
        return is_free

    def queue(self) -> asyncio.Future[None]:
        """Return the turn after those that others wait for."""
        self._waiting.append(turn := asyncio.get_running_loop().create_future())
        return turn

    def _pause(self) -> None:
        self._is_pausing = True
        loop = asyncio.get_running_loop()
        loop.call_at(due := loop.time() + self._pause_seconds, self._go_on, due)

    def _go_on(self, due: float) -> None:
        is_late = asyncio.get_running_loop().time() - due > self._pause_seconds / 2
        others = self._at_once // 2 if is_late else self._at_once + 1
        self._free = self._at_once = min(max(self._fewest, others), self._most) if self._waiting else self._fewest
        while self._free and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # its task was cancelled
                turn.set_result(None)
                self._free -= 1
        self._is_pausing = False
        if self._free < self._at_once:
            self._pause()
