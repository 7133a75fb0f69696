"""The copies of boards in Redis, where there is one."""

from __future__ import annotations

import logging
from datetime import datetime

from django.conf import settings
from django.db.models import Q
from redis import RedisError

from leaderboards.models import Board
from leaderboards.ranking import replica

logger = logging.getLogger(__name__)


def follow_changes(board: Board) -> None:
    """Bring a board's copy up to date; if Redis does not answer, ranks come from SQL until a later call."""
    if settings.REDIS_URL:
        try:
            replica.catch_up(board)
        except RedisError as error:
            logger.warning("the copy of %s stays behind: %s", board, error)


def check_replicas(now: datetime) -> list[Board]:
    """Compare every copy with the database, repair those that are wrong, and return these."""
    wrong = []
    for board in Board.objects.iterator() if settings.REDIS_URL else ():
        if not replica.is_true(board):
            logger.error("the copy of %s was wrong and is loaded anew", board)
            replica.rebuild(board)
            wrong.append(board)
        replica.catch_up(board)
    return wrong


def rebuild_replicas(slugs: list[str]) -> int:
    """Load the copies of these boards anew, of all boards if none is named, and return how many there were."""
    boards = list(Board.objects.filter(Q(slug__in=slugs) if slugs else Q()))
    for board in boards:
        replica.rebuild(board)
    return len(boards)
