"""Data that the review desk stores for its readers."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from games.models import Game, Player


class SavedView(models.Model):
    """A named query of the queue, a reviewer's own or shared with all."""

    owner = models.ForeignKey(Player, models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=40)
    query = models.CharField(max_length=300)
    is_shared = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["owner", "name"], name="views_by_name")]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class WeighedGame(models.Model):
    """The waste of each move of a case's game, by what was seen and in truth; computed by the worker.

    `steps` is a list of `detectors.hindsight.WeighedStep` as plain data; null where it cannot be said, see `error`.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="weighed")
    at = models.DateTimeField()
    steps = models.JSONField(null=True)
    error = models.CharField(max_length=300, blank=True, default="")

    def __str__(self) -> str:
        return self.game_id
