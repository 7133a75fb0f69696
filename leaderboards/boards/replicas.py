"""Maintain the replicas of boards in Redis, if there is one."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q
from redis import RedisError

from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking import redis, replica
from leaderboards.boards.ranking.redis import Replacement
from leaderboards.boards.revision import BoardChange

logger = logging.getLogger(__name__)


def follow(changes: Sequence[BoardChange]) -> None:
    """Apply changes to the replicas. If Redis does not answer, ranks come from SQL until a later change."""
    if changes and redis.is_available():
        try:
            replica.follow([_replacement(change) for change in changes])
        except RedisError as error:
            redis.has_failed("replicas of boards stay behind", error)


def load_wanted() -> list[Board]:
    """Load the replicas that were found missing or behind, and return their boards."""
    boards = list(Board.objects.filter(pk__in=redis.take(redis.WANTED))) if settings.REDIS_URL else []
    for board in boards:
        replica.catch_up(board)
    return boards


def check_replicas() -> list[Board]:
    """Compare replicas that have changed since the last check with the database; repair and return wrong ones."""
    unchecked = list(Board.objects.filter(pk__in=redis.take(redis.CHANGED))) if settings.REDIS_URL else []
    wrong = []
    try:
        while unchecked:
            board = unchecked[-1]
            if not replica.is_true(board):
                logger.error("the replica of %s was wrong and is loaded again", board)
                replica.rebuild(board)
                wrong.append(board)
            unchecked.pop()
    finally:
        redis.put_back(redis.CHANGED, unchecked)  # after an error, for the next check
    return wrong


def rebuild_replicas(slugs: list[str]) -> int:
    """Reload the replicas of these boards, or of all boards if none is named, and return how many."""
    boards = list(Board.objects.filter(Q(slug__in=slugs) if slugs else Q()))
    for board in boards:
        replica.rebuild(board)
    return len(boards)


def _replacement(change: BoardChange) -> Replacement:
    versions = change.before, change.board.version
    return Replacement(change.board, versions, _members(change.gone), _members(change.come))


def _members(entries: Sequence[Entry]) -> list[bytes]:
    return [redis.member(entry.key, entry.entered_at_version, entry.pk) for entry in entries]
