"""Keep the replicas of boards in Redis, if there is one, in step with the database, the source of truth.

A replica can be discarded at any time.
"""

import logging
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from secrets import token_hex

from django.conf import settings
from django.db import DatabaseError
from django.db.models import QuerySet

from games.runtime.outages import tell
from games.runtime.redis_client import REDIS_ERRORS
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking import redis
from leaderboards.boards.ranking.redis import NotThisVersion, Replacement
from leaderboards.boards.ranking.view import View, changed
from leaderboards.boards.revision import BoardChange

logger = logging.getLogger(__name__)

CHUNK = 5000
MOST_BEHIND = 10_000  # versions; further behind, a full load is cheaper


def follow(changes: Sequence[BoardChange]) -> None:
    """Apply changes to the replicas, except to those that are already at a later version.

    A missing replica is not loaded here, where a player waits, but by the worker. If Redis does not answer, ranks come
    from SQL until a later change, and so they do for a replica that is behind because the database does not.
    """
    if changes and redis.is_available():
        try:
            done = redis.replace([_replacement(change) for change in changes])
            for change, is_done in zip(changes, done, strict=True):
                if not is_done and not _follow_changes(change.board):
                    redis.want(change.board)
        except REDIS_ERRORS as error:
            redis.has_failed("replicas of boards stay behind", error)
        except DatabaseError as error:  # the changes are committed: their watchers have to hear of them all the same
            tell(logger, "replicas", "replicas of boards stay behind", error)


def load_wanted() -> list[Board]:
    """Load the replicas that were found missing or behind, and return their boards."""
    boards = list(Board.objects.filter(pk__in=redis.take(redis.WANTED))) if settings.REDIS_URL else []
    for board in boards:
        catch_up(board)
    return boards


def check_replicas() -> list[Board]:
    """Compare replicas that have changed since the last check with the database; repair and return wrong ones."""
    unchecked = list(Board.objects.filter(pk__in=redis.take(redis.CHANGED))) if settings.REDIS_URL else []
    wrong = []
    try:
        while unchecked:
            board = unchecked[-1]
            if not is_true(board):
                logger.error("the replica of %s was wrong and is loaded again", board)
                rebuild(board)
                wrong.append(board)
            unchecked.pop()
    finally:
        redis.put_back(redis.CHANGED, unchecked)  # after an error, for the next check
    return wrong


def catch_up(board: Board) -> None:
    """Bring the replica to the current version: by applying the changes if they are few, or else by a full load."""
    if not _follow_changes(board):
        rebuild(board)


def rebuild(board: Board) -> None:
    """Load the whole replica from the database."""
    version = Board.objects.get(pk=board.pk).version
    members = _members(View(board, version).entries())
    redis.load(board, version, iter(lambda: list(islice(members, CHUNK)), []), token_hex(8))


def is_true(board: Board) -> bool:
    """Return True if the replica equals its version in the database. Concurrent writes do not matter."""
    held = redis.held_version(board)
    if held > Board.objects.get(pk=board.pk).version:
        return False
    view = View(board, held)
    try:
        pairs = zip_longest(_members(view.entries()), _replicated(view))
        return all(true == replicated for true, replicated in pairs)
    except NotThisVersion:
        return True  # the replica has moved on; the next check sees the new version


def _replacement(change: BoardChange) -> Replacement:
    gone, come = (
        [redis.member(entry.key, entry.entered_at_version, entry.pk) for entry in entries]
        for entries in (change.gone, change.come)
    )
    return Replacement(change.board, (change.before, change.board.version), gone, come)


def _follow_changes(board: Board) -> bool:
    """Apply the changes since the version of the replica. Return False if there are too many, or no replica."""
    while True:
        held, present = redis.held_version(board), Board.objects.get(pk=board.pk).version
        if held == present:
            return True
        if held == 0 or not 0 < present - held <= MOST_BEHIND:
            return False
        if all(redis.replace([Replacement(board, (held, present), *_changes(board, held, present))])):
            return True
        # Another process has changed the replica in the meantime: look at its new version.


def _changes(board: Board, held: int, present: int) -> tuple[list[bytes], list[bytes]]:
    gone, come = changed(board, held, present)
    return list(_members(gone)), list(_members(come))


def _members(entries: QuerySet[Entry]) -> Iterator[bytes]:
    for row in entries.values_list("key", "entered_at_version", "pk").iterator(CHUNK):
        yield redis.member(*row)


def _replicated(view: View) -> Iterator[bytes]:
    place = 1
    while page := redis.stretch(view, place, CHUNK):
        yield from (redis.member(*found.sort_key, found.entry) for found in page)
        place += len(page)
