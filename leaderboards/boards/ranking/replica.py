"""Keep the replicas in Redis in step with the database, the source of truth: a replica can be discarded at any time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from secrets import token_hex

from django.db.models import Q, QuerySet

from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking import redis
from leaderboards.boards.ranking.redis import NotThisVersion, Replacement
from leaderboards.boards.ranking.view import View

CHUNK = 5000
MOST_BEHIND = 10_000  # versions; further behind, a full load is cheaper


def follow(replacements: Sequence[Replacement]) -> None:
    """Apply changes to the replicas, except to those that are already at a later version.

    A missing replica is not loaded here, where a player waits, but by the worker.
    """
    done = redis.replace(replacements)
    for replacement, is_done in zip(replacements, done, strict=True):
        if not is_done:
            _follow_or_want(replacement.board)


def catch_up(board: Board) -> None:
    """Bring the replica to the current version: by applying the changes if they are few, or else by a full load."""
    if not _follow_changes(board):
        rebuild(board)


def rebuild(board: Board) -> None:
    """Load the whole replica from the database."""
    version = Board.objects.get(pk=board.pk).version
    redis.load(board, version, _chunks(_members(View(board, version).entries())), token_hex(8))


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


def _follow_or_want(board: Board) -> None:
    if not _follow_changes(board):
        redis.want(board)


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
    # Rows that came and went between the two versions are in neither list: the replica never had them.
    listed = Entry.objects.filter(board=board, listed=True)
    gone = listed.filter(valid_to__gt=held, valid_to__lte=present, valid_from__lte=held)
    come = listed.filter(Q(valid_to=None) | Q(valid_to__gt=present), valid_from__gt=held, valid_from__lte=present)
    return _members_at_once(gone), _members_at_once(come)


def _members_at_once(entries: QuerySet[Entry]) -> list[bytes]:
    return [redis.member(*row) for row in entries.values_list("key", "entered_at_version", "pk")]


def _members(entries: QuerySet[Entry]) -> Iterator[bytes]:
    for row in entries.values_list("key", "entered_at_version", "pk").iterator(CHUNK):
        yield redis.member(*row)


def _replicated(view: View) -> Iterator[bytes]:
    place = 1
    while page := redis.stretch(view, place, CHUNK):
        yield from (redis.member(*found.sort_key, found.entry) for found in page)
        place += len(page)


def _chunks(members: Iterator[bytes]) -> Iterator[list[bytes]]:
    while chunk := list(islice(members, CHUNK)):
        yield chunk
