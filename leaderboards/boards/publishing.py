"""Notify of new versions of boards: their replicas in Redis, and their watchers in all processes."""

from collections.abc import Sequence

from django.db import transaction

from games.runtime.pubsub import pubsub
from leaderboards.boards.ranking.replica import follow
from leaderboards.boards.revision import BoardChange

TOPIC = "boards"


def publish(changes: Sequence[BoardChange]) -> None:
    """Publish new versions as soon as they are committed.

    If a notice is lost, subscribers find out later and catch up.
    """
    if changes:
        transaction.on_commit(lambda: _publish(changes), robust=True)


def _publish(changes: Sequence[BoardChange]) -> None:
    follow(changes)
    for change in changes:
        pubsub().publish(TOPIC, {"board": change.board.slug, "version": change.board.version})
