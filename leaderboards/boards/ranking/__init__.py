"""Rank entries. Two engines share one interface: SQL answers every view, Redis is fast for current boards.

Both engines answer for exactly the version in the view, so that all answers within a request agree whatever is
entered in the meantime.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from redis import RedisError

from games.play.events import Placement
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking import redis, sql
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
    if redis.is_available() and view.is_whole and view.board.pk:
        try:
            return question(redis)
        except NotThisVersion:
            pass  # the view is of an older version, or the replica has not caught up yet
        except RedisError as error:
            redis.has_failed("ranks come from SQL", error)
    return question(sql)


class Listing(NamedTuple):
    """A ranked row, and the game for which it was looked up."""

    game: str
    board: Board
    entry: Entry


def placements(listings: Iterable[Listing]) -> dict[str, list[Placement]]:
    """Return the placements by game; each board is queried once."""
    by_board: dict[int, list[Listing]] = {}
    for listing in listings:
        by_board.setdefault(listing.board.pk, []).append(listing)
    found: dict[str, list[Placement]] = {}
    for group in by_board.values():
        board = group[0].board
        positions = [position_of(listing.entry) for listing in group]
        standings = places_of(View(board, board.version), positions)
        for listing, place in zip(group, standings.places, strict=True):
            found.setdefault(listing.game, []).append(Placement(board.slug, place.rank, standings.total))
    return found
