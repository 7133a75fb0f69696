"""Ranks in a view that is narrowed to some players: all of its places are read at once, and counted in memory."""

from bisect import bisect_left
from collections.abc import Sequence

from leaderboards.boards.ranking.view import Place, Position, SortKey, Standings, View, numbered

Found = list[tuple[int, int, int]]


def top(view: View, limit: int) -> Standings:
    found = _read(view)
    return Standings(len(found), _numbered(found, 0, limit))


def places_of(view: View, positions: Sequence[Position]) -> Standings:
    found = _read(view)
    return Standings(
        len(found), [place for position in positions for place in _numbered(found, _index(found, position), 1)]
    )


def around(view: View, position: Position, limit: int) -> Standings:
    found = _read(view)
    return Standings(len(found), _numbered(found, max(0, _index(found, position) - limit // 2), limit))


def _read(view: View) -> Found:
    """Return the key, the version of entering and the primary key of each entry, in order."""
    return list(view.entries().values_list("key", "entered_at_version", "pk"))


def _index(found: Found, position: Position) -> int:
    return bisect_left(found, (*position.sort_key, position.entry))


def _numbered(found: Found, first: int, limit: int) -> list[Place]:
    page = [Position(SortKey(key, entered), entry) for key, entered, entry in found[first : first + limit]]
    return numbered(page, first + 1, bisect_left(found, (page[0].sort_key.key,)) + 1) if page else []
