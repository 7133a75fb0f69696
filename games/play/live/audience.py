"""The subscribers of a game, and sending to them without delaying players."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

POSTED_TOGETHER = 50  # in one iteration of the event loop


class Subscriber(Protocol):
    """A socket that receives everything that happens in a game."""

    def post(self, text: str, instead: Callable[[], str]) -> None:
        """Queue a text; if the queue is full, it is replaced by what `instead` returns."""


class Audience(set[Subscriber]):
    """The subscribers of a game."""

    __slots__ = ("_unposted",)

    def __init__(self) -> None:
        super().__init__()
        self._unposted: deque[tuple[str, Subscriber, Callable[[], str]]] | None = None  # most games never need one

    def post(self, text: str, instead: Callable[[], str], *, but: Subscriber | None = None) -> None:
        """Queue a text for all subscribers but one; a full queue is replaced by what `instead` returns."""
        waiting = [(text, subscriber, instead) for subscriber in self if subscriber is not but]
        if self._unposted is not None:
            self._unposted.extend(waiting)
        elif waiting:
            self._unposted = deque(waiting)
            self._post_some(self._unposted)

    def _post_some(self, unposted: deque[tuple[str, Subscriber, Callable[[], str]]]) -> None:
        """Post to a few subscribers at a time, in order, so that players are answered in between."""
        for _ in range(min(POSTED_TOGETHER, len(unposted))):
            text, subscriber, instead = unposted.popleft()
            subscriber.post(text, instead)
        if unposted:
            asyncio.get_running_loop().call_soon(self._post_some, unposted)
        else:
            self._unposted = None
