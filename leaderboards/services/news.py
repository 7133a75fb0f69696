"""Who hears that boards have new versions: their copies in Redis, and those who watch them in whatever process."""

from __future__ import annotations

from games.kit.pubsub import pubsub
from leaderboards.models import Board
from leaderboards.services.replication import follow_changes

TOPIC = "boards"


def announce(boards: list[Board]) -> None:
    """Tell of versions that are committed. If that is lost, listeners find out later, with all that they missed."""
    for board in boards:
        follow_changes(board)
    for board in boards:
        pubsub().publish(TOPIC, {"board": board.slug, "version": board.version})
