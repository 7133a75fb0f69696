"""Ranks in a view that is narrowed to some players: the database numbers all its entries and returns those wanted."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import Rank, RowNumber

from leaderboards.boards.models import Entry
from leaderboards.boards.ranking.view import POSITION, Place, Position, SortKey, Standings, View, ahead_of, numbered

PLACE = "place", "rank", *POSITION


def top(view: View, limit: int) -> Standings:
    found = view.rows(_first, limit=limit)
    page = [Position(SortKey(key, entered), entry) for key, entered, entry, _ in found]
    return Standings(found[0][-1] if found else 0, numbered(page, 1, 1))


def places_of(view: View, positions: Sequence[Position]) -> Standings:
    total, places = _standings(view, view.rows(_chosen, [position.entry for position in positions]))
    by_entry = {place.entry: place for place in places}
    return Standings(total, [by_entry[position.entry] for position in positions])


def around(view: View, position: Position, limit: int) -> Standings:
    return _standings(view, view.rows(_around, *position.sort_key, limit=limit))


def _first(entries: QuerySet[Entry], limit: int) -> QuerySet[Entry, Any]:
    """Return the query for the positions of the first entries, each with the number of all entries."""
    return entries.values_list(*POSITION, Window(Count("*")))[:limit]


def _chosen(entries: QuerySet[Entry], chosen: Sequence[int]) -> QuerySet[Entry, Any]:
    # Without the first condition, which none meets, only the chosen ones would be numbered.
    return _numbered(entries).filter(Q(place=0) | Q(pk__in=chosen))


def _around(entries: QuerySet[Entry], key: int, entered: int, limit: int) -> QuerySet[Entry, Any]:
    """Return the query for the entries around a position, or for the first ones if it is too near to the top."""
    ahead = Window(Count("pk", filter=ahead_of(SortKey(key, entered))))
    first = F("ahead") - limit // 2
    until_last = Q(place__lte=limit) | Q(place__lte=first + limit)
    return _numbered(entries.annotate(ahead=ahead)).filter(until_last, place__gt=first)


def _numbered(entries: QuerySet[Entry]) -> QuerySet[Any, Any]:
    """Return the query for the number of all entries, and for the place, rank and position of each."""
    place = Window(RowNumber(), order_by=("key", "entered_at_version"))
    rank = Window(Rank(), order_by="key")
    return entries.annotate(total=Window(Count("*")), place=place, rank=rank).values_list("total", *PLACE)


def _standings(view: View, rows: Sequence[tuple[int, ...]]) -> Standings:
    places = [Place(place, rank, SortKey(key, entered), entry) for _, place, rank, key, entered, entry in rows]
    return Standings(rows[0][0] if rows else view.entries().count(), places)
