"""Where entries stand. One interface, two engines: SQL, exact for every view, and Redis, fast for present boards.

Every answer is about the version in the view, from whichever engine, so that the questions of one request agree
whatever arrives meanwhile.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol, TypeVar

from django.conf import settings
from redis import RedisError

from leaderboards.ranking import redis, sql
from leaderboards.ranking.redis import NotThisVersion
from leaderboards.ranking.view import Place, SortKey, View

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class Ranking(Protocol):
    """What an engine answers about a view."""

    def count(self, view: View) -> int:
        """Return how many entries there are."""

    def top(self, view: View, limit: int) -> list[Place]:
        """Return the first places."""

    def place_of(self, view: View, sort_key: SortKey, entry: int) -> Place:
        """Return the place of an entry that is in the view."""

    def around(self, view: View, sort_key: SortKey, entry: int, limit: int) -> list[Place]:
        """Return up to `limit` places, that of the entry in their middle or as near to it as the top allows."""


def count(view: View) -> int:
    return _ask(view, lambda engine: engine.count(view))


def top(view: View, limit: int) -> list[Place]:
    return _ask(view, lambda engine: engine.top(view, limit))


def place_of(view: View, sort_key: SortKey, entry: int) -> Place:
    return _ask(view, lambda engine: engine.place_of(view, sort_key, entry))


def around(view: View, sort_key: SortKey, entry: int, limit: int) -> list[Place]:
    return _ask(view, lambda engine: engine.around(view, sort_key, entry, limit))


def after(view: View, last: Place, limit: int) -> list[Place]:
    """Return the places that follow one; a version of long ago is as good as the present one."""
    return sql.after(view, last, limit)


def _ask(view: View, question: Callable[[Ranking], Answer]) -> Answer:
    if settings.REDIS_URL and view.is_whole and view.board.pk:
        try:
            return question(redis)
        except NotThisVersion:
            pass  # an older version was asked for, or the copy is about to follow
        except RedisError as error:
            logger.warning("ranks come from SQL, because Redis does not answer: %s", error)
    return question(sql)
