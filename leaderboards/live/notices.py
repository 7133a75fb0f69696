"""Notifications about decisions, announced on the sockets of boards to the players concerned."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from games.kit.pubsub import Message
from games.kit.sockets.connection import Connection
from games.kit.sockets.listeners import Listeners
from games.kit.wire import write
from games.models import Player
from games.services.notifications import TOPIC
from leaderboards.live import messages
from leaderboards.review.notices import ABOUT_DECISIONS


def hearing_notices(player: Player | None, connection: Connection) -> AbstractContextManager[None]:
    """Announce a player's notifications about decisions on a socket while the block runs."""
    return nullcontext() if player is None else _listeners.hearing(player.pk, connection)


def _announce(connection: Connection, heard: Message) -> None:
    if heard.get("kind") in ABOUT_DECISIONS:
        text = write(messages.Notice(heard["kind"]))
        connection.post(text, lambda: text)


_listeners: Listeners[Connection] = Listeners(TOPIC, _announce)
