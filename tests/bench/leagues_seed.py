"""Weeks of the leagues in a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.core.management import call_command

from games.players.models import Player
from leaderboards.audit.models import DayRoot
from leaderboards.boards.models import Board, Entry
from leaderboards.leagues.leagues import board_key, close_leagues
from leaderboards.leagues.models import LeagueClosing, LeagueSeat
from leaderboards.leagues.tiers import Score, Seat

MONDAY = date(2026, 1, 5)
BATCH = 1000


class InDatabase:
    """Weeks whose boards have an entry for each player, closed as by the worker."""

    def __init__(self, players: int) -> None:
        call_command("migrate", verbosity=0)
        named = (Player(username=f"player-{number}", display_name=f"Player {number}") for number in range(players))
        self._players = [player.pk for player in Player.objects.bulk_create(named, batch_size=BATCH)]
        self._numbers = {player: number for number, player in enumerate(self._players)}
        self._closes_at = datetime.min.replace(tzinfo=UTC)

    def enter(self, number: int, table: Sequence[Score]) -> None:
        """Store the board of a week, and the seal of a day after it."""
        week = MONDAY + timedelta(weeks=number)
        after = week + timedelta(days=7)
        self._closes_at = datetime.combine(after, time(1), tzinfo=UTC)
        board = Board.objects.create(slug=str(board_key(week)), version=len(table))
        Entry.objects.bulk_create(
            (self._entry(board, score, version) for version, score in enumerate(table, 1)), batch_size=BATCH
        )
        DayRoot.objects.create(day=after, count=0, root="", made_at=self._closes_at)

    def close(self) -> None:
        assert close_leagues(self._closes_at) == 1

    def seats(self) -> Sequence[Seat]:
        rows = LeagueSeat.objects.filter(closing=LeagueClosing.objects.latest("week"))
        stored = rows.order_by("tier", "group", "player").values_list("player", "tier", "group", "rank", "idle")
        return [Seat(self._numbers[player], tier, group, rank, idle) for player, tier, group, rank, idle in stored]

    def _entry(self, board: Board, score: Score, version: int) -> Entry:
        return Entry(
            board=board,
            player_id=self._players[score.player],
            key=score.key,
            entered_at_version=version,
            valid_from=version,
            changed_at=self._closes_at,
        )
