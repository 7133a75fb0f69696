"""Notify of new versions of boards: their replicas in Redis, and their watchers in all processes."""

from collections.abc import Sequence

from django.db import transaction

from games.runtime.pubsub import pubsub
from leaderboards.boards.ranking.replica import follow
from leaderboards.boards.revision import BoardChange

TOPIC = "boards"
MOST_NAMED = 100


def publish(changes: Sequence[BoardChange]) -> None:
    """Publish new versions as soon as they are committed.

    If a notice is lost, subscribers find out later and catch up.
    """
    if changes:
        transaction.on_commit(lambda: _publish(changes), robust=True)


def _publish(changes: Sequence[BoardChange]) -> None:
    follow(changes)
    for change in changes:
        players = {entry.player_id for entry in (*change.gone, *change.come)}
        named = sorted(players) if len(players) <= MOST_NAMED else None  # None: any of them may have changed
        pubsub().publish(TOPIC, {"board": change.board.slug, "version": change.board.version, "players": named})
