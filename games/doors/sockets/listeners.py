"""Listeners, such as open sockets, for messages that name the players whom they concern."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import Message, pubsub

Listener = TypeVar("Listener")


class Listeners(Generic[Listener]):
    """The listeners of players to one topic, in each event loop.

    `tell` is called in the loop of a listener for each message whose `players`, primary keys, include its player.
    """

    def __init__(self, topic: str, tell: Callable[[Listener, Message], None]) -> None:
        self._topic, self._tell = topic, tell
        self._here = PerLoop(self._subscribed)

    @contextmanager
    def hearing(self, player: int, listener: Listener) -> Iterator[None]:
        """Pass a player's messages to a listener while the block runs."""
        listeners = self._here()
        listeners[player].add(listener)
        try:
            yield
        finally:
            listeners[player].discard(listener)
            if not listeners[player]:
                del listeners[player]

    def _subscribed(self) -> defaultdict[int, set[Listener]]:
        """Return listeners by player, subscribed to the topic in the running event loop."""
        listeners: defaultdict[int, set[Listener]] = defaultdict(set)

        def receive(message: Message) -> None:
            for player in listeners.keys() & set(message["players"]):
                for listener in listeners[player]:
                    self._tell(listener, message)

        pubsub().subscribe(self._topic, receive)
        return listeners
