"""Where entries stand: ranks, pages and neighbours, from SQL.

Every answer is about the version of the board that the caller holds, so that the questions of one request agree
whatever arrives meanwhile. Equal keys share a rank (1, 2, 2, 4) and list by who was committed first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Q, QuerySet

from leaderboards.models import Board, Entry


class Ranked(NamedTuple):
    """An entry with its rank, from 1."""

    rank: int
    entry: Entry


def count(board: Board) -> int:
    """Return how many entries the board has."""
    return _entries(board).count()


def rank_of(entry: Entry, board: Board) -> int:
    """Return one more than the number of better entries."""
    return _entries(board).filter(key__lt=entry.key).count() + 1


def entry_of(handle: str, board: Board) -> Entry | None:
    """Return a player's entry, or None without one."""
    return _entries(board).filter(player__username=handle).first()


def top(board: Board, limit: int) -> list[Ranked]:
    """Return the first entries of the board."""
    return _numbered(_entries(board)[:limit], first_place=1, first_rank=1)


def around(entry: Entry, board: Board, limit: int) -> list[Ranked]:
    """Return up to `limit` entries with this one in their middle, or as near to it as the top of the board allows."""
    ahead = Q(key__lt=entry.key) | Q(key=entry.key, since__lt=entry.since)
    entries = _entries(board)
    before = list(entries.filter(ahead, key__lte=entry.key).order_by("-key", "-since")[: limit // 2])[::-1]
    after = entries.filter(~ahead, key__gte=entry.key)[: limit - len(before)]
    page = [*before, *after]
    place = entries.filter(ahead, key__lte=entry.key).count() - len(before) + 1
    return _numbered(page, place, rank_of(page[0], board))


def _entries(board: Board) -> QuerySet[Entry]:
    """Return the board's entries in order, each with what a row shows of it."""
    entries = Entry.objects.filter(board_id=board.pk, since__lte=board.version)
    return entries.order_by("key", "since").select_related("player", "game")


def _numbered(page: Iterable[Entry], first_place: int, first_rank: int) -> list[Ranked]:
    rows: list[Ranked] = []
    for place, entry in enumerate(page, first_place):
        tied = rows and rows[-1].entry.key == entry.key
        rank = rows[-1].rank if tied else place if rows else first_rank
        rows.append(Ranked(rank, entry))
    return rows
