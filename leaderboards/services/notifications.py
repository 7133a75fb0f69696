"""Who hears that boards have new versions: their replicas in Redis, and those who watch them in whatever process."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from games.kit.pubsub import pubsub
from leaderboards.services.replicas import follow
from leaderboards.services.revision import BoardChange

TOPIC = "boards"


def publish(changes: Sequence[BoardChange]) -> None:
    """Tell of new versions as soon as they are committed.

    If that is lost, listeners find out later, with all that they missed.
    """
    if changes:
        transaction.on_commit(lambda: _publish(changes), robust=True)


def _publish(changes: Sequence[BoardChange]) -> None:
    follow(changes)
    for change in changes:
        pubsub().publish(TOPIC, {"board": change.board.slug, "version": change.board.version})
