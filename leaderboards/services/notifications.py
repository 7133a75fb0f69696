"""Who hears that boards have new versions: their replicas in Redis, and those who watch them in whatever process."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis import RedisError

from leaderboards.services.replicas import follow
from leaderboards.services.revision import BoardChange

logger = logging.getLogger(__name__)


def publish(changes: Sequence[BoardChange]) -> None:
    """Tell of new versions as soon as they are committed.

    If that is lost, listeners find out later, with all that they missed.
    """
    if changes:
        transaction.on_commit(lambda: _publish(changes), robust=True)


def _publish(changes: Sequence[BoardChange]) -> None:
    follow(changes)
    try:
        async_to_sync(_tell_watchers)(changes)
    except (RedisError, OSError) as error:
        logger.warning("watchers of boards hear of it later: %s", error)


def group_of(slug: str) -> str:
    """Return the name of the group in the channel layer that listens to a board."""
    return f"board.{slug}"


async def _tell_watchers(changes: Sequence[BoardChange]) -> None:
    layer = get_channel_layer()
    for change in changes:
        await layer.group_send(group_of(change.board.slug), {"type": "board.changed", "version": change.board.version})
