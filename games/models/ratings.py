"""Ratings from races, and the races that have not been rated yet."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from games.models.players import Player
from games.models.races import Race, Racer

FAMILY_LENGTH = 12


class RatingChange(models.Model):
    """The rating of a racer after a race, and its mean before.

    `races` is the number of rated races until then, this one included. Everything here follows from the results of
    races and can be computed again.
    """

    racer = models.OneToOneField(Racer, models.CASCADE, primary_key=True, related_name="rating_change")
    player = models.ForeignKey(Player, models.PROTECT, related_name="rating_changes", db_index=False)
    family = models.CharField(max_length=FAMILY_LENGTH)
    ended_at = models.DateTimeField(help_text="When the race ended.")
    races = models.PositiveIntegerField()
    mean_before = models.FloatField()
    mean = models.FloatField()
    deviation = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "family", "races"], name="one_rating_change_per_number"),
        ]
        indexes: ClassVar = [models.Index(fields=["family", "ended_at"], name="rating_changes_by_end")]
        ordering: ClassVar = ["player", "family", "races"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.family} {self.races}: {self.mean}"


class Rating(models.Model):
    """The rating that a player has in a family of rule sets: that of the last change."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", db_index=False)
    family = models.CharField(max_length=FAMILY_LENGTH)
    races = models.PositiveIntegerField()
    mean = models.FloatField()
    deviation = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "family"], name="one_rating_per_player_and_family"),
        ]
        indexes: ClassVar = [models.Index(fields=["family", "-mean"], name="ratings_by_mean")]
        ordering: ClassVar = ["player", "family"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.family}: {self.mean}"


class UnratedRace(models.Model):
    """A public race that has ended and is still to be rated, for the first time or again."""

    race = models.OneToOneField(Race, models.CASCADE, primary_key=True, related_name="unrated")

    def __str__(self) -> str:
        return self.race_id


class RatingsLock(models.Model):
    """The one row that is locked while ratings are computed, so that races are rated one after the other."""

    def __str__(self) -> str:
        return "ratings"
