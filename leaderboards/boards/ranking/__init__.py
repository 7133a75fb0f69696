"""Rank entries. Three engines share one interface.

SQL answers every view, Redis is fast for current boards, and in a view narrowed to some players one statement numbers
all entries. All of them answer for exactly the version in the view, so that all answers within a request agree whatever
is entered in the meantime.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from games.play.scores import Placement
from games.runtime.redis_client import REDIS_ERRORS
from leaderboards.boards.models import Entry
from leaderboards.boards.ranking import narrow, redis, sql
from leaderboards.boards.ranking.redis import NotThisVersion
from leaderboards.boards.ranking.view import Place, Position, Standings, View, position_of

Answer = TypeVar("Answer")


class Ranking(Protocol):
    """The questions about a view that an engine answers."""

    def top(self, view: View, limit: int) -> Standings:
        """Return the first places."""

    def places_of(self, view: View, positions: Sequence[Position]) -> Standings:
        """Return the places of entries that are in the view, in the order of the positions."""

    def around(self, view: View, position: Position, limit: int) -> Standings:
        """Return up to `limit` places with the entry in the middle, or as near to it as the top allows."""


def top(view: View, limit: int) -> Standings:
    return _ask(view, lambda engine: engine.top(view, limit))


def places_of(view: View, positions: Sequence[Position]) -> Standings:
    return _ask(view, lambda engine: engine.places_of(view, positions))


def around(view: View, position: Position, limit: int) -> Standings:
    return _ask(view, lambda engine: engine.around(view, position, limit))


def after(view: View, last: Place, limit: int) -> list[Place]:
    """Return the places that follow a place; old versions cost no more than the current one."""
    return sql.after(view, last, limit)


def _ask(view: View, question: Callable[[Ranking], Answer]) -> Answer:
    if view.among is not None:
        return question(narrow)
    if redis.is_available() and view.is_whole and view.board.pk:
        try:
            return question(redis)
        except NotThisVersion:
            pass  # the view is of an older version, or the replica has not caught up yet
        except REDIS_ERRORS as error:
            redis.has_failed("ranks come from SQL", error)
    return question(sql)


def rank_if_listed(entry: Entry) -> int:
    """Return the rank that a held or disqualified row would have on its board."""
    ahead = View(entry.board, entry.board.version).entries().filter(key__lt=entry.key)
    return 1 + ahead.exclude(player=entry.player_id).count()


def placements(entries: Sequence[Entry]) -> list[Placement]:
    """Return the placements of ranked rows, in their order, at the version of their boards. Each is asked once."""
    by_board: dict[int, list[int]] = {}
    for index, entry in enumerate(entries):
        by_board.setdefault(entry.board_id, []).append(index)
    found: dict[int, Placement] = {}
    for indices in by_board.values():
        board = entries[indices[0]].board
        standings = places_of(View(board, board.version), [position_of(entries[index]) for index in indices])
        for index, place in zip(indices, standings.places, strict=True):
            found[index] = Placement(board.slug, place.rank, standings.total)
    return [found[index] for index in range(len(entries))]
