"""Where entries stand. One interface, two engines: SQL, exact for every view, and Redis, fast for present boards.

Every answer is about the version in the view, from whichever engine, so that the questions of one request agree
whatever arrives meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from redis import RedisError

from leaderboards.ranking import redis, sql
from leaderboards.ranking.redis import NotThisVersion
from leaderboards.ranking.view import Place, Position, Standings, View

Answer = TypeVar("Answer")


class Ranking(Protocol):
    """What an engine answers about a view."""

    def count(self, view: View) -> int:
        """Return how many entries there are."""

    def top(self, view: View, limit: int) -> Standings:
        """Return the first places."""

    def places_of(self, view: View, positions: Sequence[Position]) -> Standings:
        """Return the places of entries that are in the view, in the order of the positions."""

    def around(self, view: View, position: Position, limit: int) -> Standings:
        """Return up to `limit` places, that of the entry in their middle or as near to it as the top allows."""


def count(view: View) -> int:
    return _ask(view, lambda engine: engine.count(view))


def top(view: View, limit: int) -> Standings:
    return _ask(view, lambda engine: engine.top(view, limit))


def places_of(view: View, positions: Sequence[Position]) -> Standings:
    return _ask(view, lambda engine: engine.places_of(view, positions))


def around(view: View, position: Position, limit: int) -> Standings:
    return _ask(view, lambda engine: engine.around(view, position, limit))


def after(view: View, last: Place, limit: int) -> list[Place]:
    """Return the places that follow one; a version of long ago is as good as the present one."""
    return sql.after(view, last, limit)


def _ask(view: View, question: Callable[[Ranking], Answer]) -> Answer:
    if redis.is_available() and view.is_whole and view.board.pk:
        try:
            return question(redis)
        except NotThisVersion:
            pass  # an older version was asked for, or the replica is about to follow
        except RedisError as error:
            redis.has_failed("ranks come from SQL", error)
    return question(sql)
