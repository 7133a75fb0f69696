"""Ranks by SQL, exact for every view. Counting takes time proportional to the entries ahead; paging does not."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from leaderboards.boards.models import Entry
from leaderboards.boards.ranking.view import POSITION, Place, Position, SortKey, Standings, View, ahead_of, numbered
from leaderboards.boards.statements import INTEGER, rows_as_table, rows_as_text

# Each entry of the view is counted once, in the interval of keys it belongs to, however many ranks are requested.
COUNT_AHEAD = """SELECT
(SELECT count(*) FROM ({entries}) AS seen),
(SELECT count(*) FROM ({entries}) AS seen WHERE seen.key >= asked.low AND seen.key < asked.high),
(SELECT count(*) FROM ({entries}) AS seen WHERE seen.key = asked.high AND seen.entered_at_version < asked.entered)
FROM {rows} AS asked ORDER BY asked.high, asked.entered"""


def top(view: View, limit: int) -> Standings:
    places = numbered(_positions(view.entries()[:limit]), 1, 1)
    # A page that is not full is the whole view, which then need not be counted.
    return Standings(len(places) if len(places) < limit else view.entries().count(), places)


def places_of(view: View, positions: Sequence[Position]) -> Standings:
    """Return the places in the order of the positions. Takes no longer than for the lowest one alone."""
    # From each key to the next: added up, the counts in these intervals are the numbers of entries ahead.
    keys = sorted({sort_key for sort_key, _ in positions})
    lows = [0, *(sort_key.key for sort_key in keys)]
    rows = [(low, *sort_key) for low, sort_key in zip(lows, keys, strict=False)]
    if not rows:
        return Standings(view.entries().count(), [])
    (total, *_), between, tied = zip(*_counted(view, rows), strict=True)
    ahead = dict(zip(keys, zip(accumulate(between), tied, strict=True), strict=True))
    return Standings(
        total,
        [Place(1 + sum(ahead[sort_key]), 1 + ahead[sort_key][0], sort_key, entry) for sort_key, entry in positions],
    )


def around(view: View, position: Position, limit: int) -> Standings:
    sort_key = position.sort_key
    ahead = _positions(view.entries().filter(ahead_of(sort_key)).reverse()[: limit // 2])[::-1]
    following = view.entries().exclude(ahead_of(sort_key)).filter(key__gte=sort_key.key)
    page = ahead + _positions(following[: limit - len(ahead)])
    total, [first] = places_of(view, page[:1])
    return Standings(total, numbered(page, first.place, first.rank))


def after(view: View, last: Place, limit: int) -> list[Place]:
    """Return the places that follow a place; the cost does not depend on its depth."""
    key, entered = last.sort_key
    # The first condition is redundant, but it bounds the range that is read from the index.
    following = view.entries().filter(Q(key__gte=key) & (Q(key__gt=key) | Q(entered_at_version__gt=entered)))
    # Begin with the last place, so that a tie that spans two pages keeps its rank.
    page = [Position(last.sort_key, last.entry), *_positions(following[:limit])]
    return numbered(page, last.place, last.rank)[1:]


def _counted(view: View, rows: Sequence[Sequence[int]]) -> list[tuple[int, int, int]]:
    """Return for each row (low, high, entered) the numbers of all entries, of those from low to high, and of ties."""
    entries, parameters = view.sql(_sort_keys)
    table = rows_as_table({"low": INTEGER, "high": INTEGER, "entered": INTEGER})
    with connection.cursor() as cursor:
        cursor.execute(COUNT_AHEAD.format(entries=entries, rows=table), [*parameters * 3, rows_as_text(rows)])
        counted: list[tuple[int, int, int]] = cursor.fetchall()
    return counted


def _sort_keys(entries: QuerySet[Entry]) -> QuerySet[Entry, Any]:
    return entries.order_by().values("key", "entered_at_version")


def _positions(entries: QuerySet[Entry]) -> list[Position]:
    return [Position(SortKey(key, entered), pk) for key, entered, pk in entries.values_list(*POSITION)]
