"""Sums of points: update the rows of a week and a month after a change of one day."""

from collections.abc import Callable, Collection
from functools import cached_property

from games.rules import RULE_SETS
from leaderboards.boards import points
from leaderboards.boards.catalog import FEWEST_MOVES, TABLES, NamedBoards
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.points import Day
from leaderboards.boards.revision import Revision, numbers_of, successor_of

Keys = dict[int, int]
"""The keys of a player's days, by the primary key of the daily board."""


class Sums:
    """The boards of points in a revision, for some players: they follow the boards of games."""

    def __init__(self, revision: Revision, players: Collection[int]) -> None:
        self._revision = revision
        self._players = players
        self._stored: dict[str, dict[int, Keys]] = {}

    def revise(self, boards: NamedBoards, player: int, rows_on: Callable[[Board], list[Entry]]) -> None:
        """Replace a player's rows on the boards of a game, the day's first, and then the sums that it counts in."""
        day = self._revision.boards[boards[0][0]]
        before = self._revision.listed(day, player)
        for slug, key in boards:
            board = self._revision.boards[slug]
            if key.days_that_count:
                self._update(board, player, before, self._revision.listed(day, player))
            else:
                self._revision.replace(board, player, rows_on(board))

    def _update(self, board: Board, player: int, before: Entry | None, after: Entry | None) -> None:
        """Update a player's sum after the listed row of a day has changed."""
        keys = before.key if before else None, after.key if after else None
        if keys[0] == keys[1]:
            return
        total = self._by_difference(board, player, *keys) or self._in_full(board, player)
        if total is None:
            rows = [successor_of(row, listed=False) for row in self._revision.rows(board, player)]
        else:
            key = board.key.order.pack(total)
            # A sum that has changed enters now: among equal ones it comes last.
            rows = [Entry(board=board, player_id=player, key=key, entered_at_version=board.version + 1)]
        self._revision.put(board, player, rows)

    def _by_difference(self, board: Board, player: int, before: int | None, after: int | None) -> dict[str, int] | None:
        """Return the new sum from the difference, or None if other days matter: not all count, or none is left."""
        listed = self._revision.listed(board, player)
        days_so_far = len(self._daily_boards[board.slug])
        if after is None or (before is not None and listed is None) or days_so_far > (board.key.days_that_count or 0):
            return None
        total = board.key.order.unpack(listed.key) if listed else dict.fromkeys(Day._fields, 0)
        lost = Day(0, 0, 0) if before is None else _day(board, before)
        return {
            name: total[name] - was + now for name, was, now in zip(Day._fields, lost, _day(board, after), strict=True)
        }

    def _in_full(self, board: Board, player: int) -> dict[str, int] | None:
        """Return the sum of the best days, or None if there is no day."""
        keys = dict(self._stored_days(board).get(player, {}))
        for slug, pk in self._daily_boards[board.slug].items():
            # Days that this revision changes are not in the database yet.
            if daily := self._revision.boards.get(slug):
                keys.pop(pk, None)
                if listed := self._revision.listed(daily, player):
                    keys[pk] = listed.key
        days = [_day(board, key) for key in keys.values()]
        return points.total(days, board.key.days_that_count or 0) if days else None

    def _stored_days(self, board: Board) -> dict[int, Keys]:
        if board.slug not in self._stored:
            found: dict[int, Keys] = {}
            dailies = self._daily_boards[board.slug].values()
            days = Entry.objects.filter(board__in=dailies, player__in=self._players, valid_to=None, listed=True)
            for player, daily, key in days.values_list("player_id", "board_id", "key"):
                found.setdefault(player, {})[daily] = key
            self._stored[board.slug] = found
        return self._stored[board.slug]

    @cached_property
    def _daily_boards(self) -> dict[str, dict[str, int]]:
        """The existing daily boards of each board of points."""
        sums = [board for board in self._revision.boards.values() if board.key.days_that_count]
        slugs = {board.slug: [str(key) for key in board.key.dailies()] for board in sums}
        wanted = {slug for dailies in slugs.values() for slug in dailies}
        present = numbers_of(sorted(wanted))
        return {board: {slug: present[slug] for slug in dailies if slug in present} for board, dailies in slugs.items()}


def _day(board: Board, key: int) -> Day:
    return points.day_of(RULE_SETS[board.key.rules], **TABLES[FEWEST_MOVES].unpack(key))
