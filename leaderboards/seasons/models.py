"""Seasons: months whose tables of points are frozen, with the honours of their best players."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.players.models import Player
from leaderboards.boards.models import Board, Entry


class Season(models.Model):
    """A month of a rule set in a division that is over: its table is its board at a version. The row never changes."""

    slug = models.CharField(max_length=80, unique=True)
    board = models.OneToOneField(Board, models.PROTECT, related_name="season")
    version = models.PositiveBigIntegerField(help_text="The version of the board that is the season's table.")
    count = models.PositiveBigIntegerField(help_text="How many entries the table has.")
    month = models.DateField(help_text="Its first day.")
    closed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-month", "slug"]

    def __str__(self) -> str:
        return self.slug


class Honour(models.Model):
    """A place among the first three of a season, or in its top 1, 5 or 10%. The row never changes."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="honours")
    player = models.ForeignKey(Player, models.PROTECT, related_name="honours")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+", help_text="The row of the season's table.")
    rank = models.PositiveBigIntegerField()
    top = models.PositiveSmallIntegerField(null=True, help_text="1, 5 or 10, as a percentage; empty: none of these.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "player"], name="one_honour_per_season_and_player"),
            models.CheckConstraint(name="honours_are_for_something", condition=Q(rank__lte=3) | Q(top__isnull=False)),
        ]
        ordering: ClassVar = ["season", "rank", "id"]

    def __str__(self) -> str:
        return f"{self.season_id} {self.rank}"
