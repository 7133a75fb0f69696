"""Keeping Redis a true copy. The database is the truth: the copy follows its versions, and can be thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from secrets import token_hex

from django.db.models import Q, QuerySet

from leaderboards.models import Board, Entry
from leaderboards.ranking import redis
from leaderboards.ranking.redis import NotThisVersion
from leaderboards.ranking.view import View

CHUNK = 5000
MOST_BEHIND = 10_000  # versions; further behind, loading anew is cheaper


def catch_up(board: Board) -> None:
    """Bring the copy to the present version: by what has changed if it is near, and anew if it is not."""
    while True:
        held = redis.held_version(board)
        present = Board.objects.get(pk=board.pk).version
        if held == present:
            return
        if held == 0 or not 0 < present - held <= MOST_BEHIND:
            rebuild(board)
        elif redis.replace(board, (held, present), *_changes(board, held, present)):
            return


def rebuild(board: Board) -> None:
    """Load the copy anew from the database."""
    version = Board.objects.get(pk=board.pk).version
    redis.load(board, version, _chunks(_members(View(board, version).entries())), token_hex(8))


def is_true(board: Board) -> bool:
    """Tell whether the copy is what the database says of its version. Writes meanwhile do not matter."""
    held = redis.held_version(board)
    if held > Board.objects.get(pk=board.pk).version:
        return False
    view = View(board, held)
    try:
        pairs = zip_longest(_members(view.entries()), _copied(view))
        return all(true == copied for true, copied in pairs)
    except NotThisVersion:
        return True  # the copy has moved on; the next check sees the new version


def _changes(board: Board, held: int, present: int) -> tuple[list[bytes], list[bytes]]:
    listed = Entry.objects.filter(board=board, listed=True)
    gone = listed.filter(valid_to__gt=held, valid_to__lte=present, valid_from__lte=held)
    come = listed.filter(Q(valid_to=None) | Q(valid_to__gt=present), valid_from__gt=held, valid_from__lte=present)
    return _members_at_once(gone), _members_at_once(come)


def _members_at_once(entries: QuerySet[Entry]) -> list[bytes]:
    return [redis.member(*row) for row in entries.values_list("key", "entered_at_version", "pk")]


def _members(entries: QuerySet[Entry]) -> Iterator[bytes]:
    for row in entries.values_list("key", "entered_at_version", "pk").iterator(CHUNK):
        yield redis.member(*row)


def _copied(view: View) -> Iterator[bytes]:
    place = 1
    while page := redis.stretch(view, place, CHUNK):
        yield from (redis.member(*found.sort_key, found.entry) for found in page)
        place += len(page)


def _chunks(members: Iterator[bytes]) -> Iterator[list[bytes]]:
    while chunk := list(islice(members, CHUNK)):
        yield chunk
