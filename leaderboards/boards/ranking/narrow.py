"""Ranks in a view that is narrowed to some players: beyond its top, all places are read and counted in memory."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, QuerySet, Window

from leaderboards.boards.models import Entry
from leaderboards.boards.ranking.view import POSITION, Place, Position, SortKey, Standings, View, numbered

Found = Sequence[tuple[Any, ...]]


def top(view: View, limit: int) -> Standings:
    found = view.rows(_first, limit=limit)
    return Standings(found[0][-1] if found else 0, _numbered([row[:-1] for row in found], 0, limit))


def places_of(view: View, positions: Sequence[Position]) -> Standings:
    found = _read(view)
    return Standings(
        len(found), [place for position in positions for place in _numbered(found, _index(found, position), 1)]
    )


def around(view: View, position: Position, limit: int) -> Standings:
    found = _read(view)
    return Standings(len(found), _numbered(found, max(0, _index(found, position) - limit // 2), limit))


def _first(entries: QuerySet[Entry], limit: int) -> QuerySet[Entry, Any]:
    """Return the query for the positions of the first entries, each with the number of all entries."""
    return entries.values_list(*POSITION, Window(Count("*")))[:limit]


def _all(entries: QuerySet[Entry]) -> QuerySet[Entry, Any]:
    return entries.values_list(*POSITION)


def _read(view: View) -> Found:
    return view.rows(_all)


def _index(found: Found, position: Position) -> int:
    return bisect_left(found, (*position.sort_key, position.entry))


def _numbered(found: Found, first: int, limit: int) -> list[Place]:
    page = [Position(SortKey(key, entered), entry) for key, entered, entry in found[first : first + limit]]
    return numbered(page, first + 1, bisect_left(found, (page[0].sort_key.key,)) + 1) if page else []
