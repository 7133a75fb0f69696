"""Notices of decisions on the sockets of the players concerned."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from games.kit.pubsub import Message
from games.kit.sockets.connection import Connection
from games.kit.sockets.listeners import Listeners
from games.kit.wire import write
from games.models import Player
from leaderboards.live import messages
from leaderboards.review.notices import TOPIC


def hearing_notices(player: Player | None, connection: Connection) -> AbstractContextManager[None]:
    """Announce notices on a player's socket while the block runs."""
    return nullcontext() if player is None else _listeners.hearing(player.pk, connection)


def _announce(connection: Connection, notice: Message) -> None:
    text = write(messages.Notice(notice["kind"]))
    connection.post(text, lambda: text)


_listeners: Listeners[Connection] = Listeners(TOPIC, _announce)
