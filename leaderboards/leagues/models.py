"""Leagues: the weeks that are closed, and the groups that their results led to."""

from datetime import date, timedelta
from typing import ClassVar

from django.db import models

from games.players.models import Player
from leaderboards.boards.models import Board


class LeagueClosing(models.Model):
    """A week whose results are final: its board at a version, from which the groups of the week after were made.

    The row never changes. A week in which nobody played has no board.
    """

    week = models.DateField(unique=True, help_text="Its Monday.")
    board = models.ForeignKey(Board, models.PROTECT, null=True, related_name="+")
    version = models.PositiveBigIntegerField(default=0, help_text="The version of the board that counts.")
    sizes = models.JSONField(help_text="The number of players in each open tier of the week after, the highest first.")
    closed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-week"]

    def __str__(self) -> str:
        return self.week.isoformat()

    @property
    def next_week(self) -> date:
        """The week in which the groups play."""
        return self.week + timedelta(days=7)


class LeagueSeat(models.Model):
    """A player's tier and group in the week after a closing, and the rank in the week that it closed.

    The row never changes; `leaderboards.leagues.tiers.Seat` has its meaning.
    """

    closing = models.ForeignKey(LeagueClosing, models.PROTECT, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="league_seats")
    tier = models.PositiveSmallIntegerField(help_text="1 is the highest.")
    group = models.PositiveIntegerField(help_text="1, 2, 3 ... within the tier.")
    rank = models.PositiveSmallIntegerField(null=True, help_text="In the closed week's group; empty: did not play.")
    idle = models.PositiveSmallIntegerField(default=0, help_text="Weeks in a row without a game.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "closing"], name="one_seat_per_player_and_week")
        ]
        indexes: ClassVar = [models.Index(fields=["closing", "tier", "group"], name="seats_of_a_group")]
        ordering: ClassVar = ["closing", "tier", "group", "id"]

    def __str__(self) -> str:
        return f"{self.closing_id} {self.tier}.{self.group}"
