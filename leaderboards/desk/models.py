"""Data that the desk stores for its readers."""

from typing import ClassVar

from django.db import models

from games.players.models import Player


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
