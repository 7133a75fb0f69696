"""Notices of decisions on the sockets of the players concerned."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from games.kit.pubsub import Message, pubsub
from games.kit.sockets.connection import Connection
from games.kit.wire import write
from games.models import Player
from leaderboards.live import messages
from leaderboards.review.notices import TOPIC

Listeners = defaultdict[int, set[Connection]]

_listening: WeakKeyDictionary[asyncio.AbstractEventLoop, Listeners] = WeakKeyDictionary()


@contextmanager
def hearing_notices(player: Player | None, connection: Connection) -> Iterator[None]:
    """Announce notices on a player's socket while the block runs."""
    if player is None:
        yield
        return
    listeners = _listeners()
    listeners[player.pk].add(connection)
    try:
        yield
    finally:
        listeners[player.pk].discard(connection)
        if not listeners[player.pk]:
            del listeners[player.pk]


def _listeners() -> Listeners:
    """Return the sockets of the running event loop by player, subscribed to notices."""
    loop = asyncio.get_running_loop()
    if loop not in _listening:
        listeners = _listening[loop] = defaultdict(set)

        def hear(notice: Message) -> None:
            text = write(messages.Notice(notice["kind"]))
            for player in listeners.keys() & set(notice["players"]):
                for connection in listeners[player]:
                    connection.post(text, lambda: text)

        pubsub().subscribe(TOPIC, hear)
    return _listening[loop]
