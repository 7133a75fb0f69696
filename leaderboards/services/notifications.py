"""Who hears that boards have new versions: their copies in Redis, and those who watch them in whatever process."""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis import RedisError

from leaderboards.models import Board
from leaderboards.services.replicas import follow_changes

logger = logging.getLogger(__name__)


def publish(boards: list[Board]) -> None:
    """Tell of versions that are committed. If that is lost, listeners find out later, with all that they missed."""
    for board in boards:
        follow_changes(board)
    try:
        async_to_sync(_tell_watchers)(boards)
    except (RedisError, OSError) as error:
        logger.warning("watchers of boards hear of it later: %s", error)


def group_of(slug: str) -> str:
    """Return the name of the group in the channel layer that listens to a board."""
    return f"board.{slug}"


async def _tell_watchers(boards: list[Board]) -> None:
    layer = get_channel_layer()
    for board in boards:
        await layer.group_send(group_of(board.slug), {"type": "board.changed", "version": board.version})
