"""Awards: the achievements that players have."""

from typing import ClassVar

from django.db import models

from games.players.models import Player


class Award(models.Model):
    """An achievement of a player, as long as the games that it takes count. See `leaderboards.achievements.catalog`."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="awards", db_index=False)
    code = models.CharField(max_length=24)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "code"], name="one_award_per_player_and_achievement")
        ]
        ordering: ClassVar = ["player", "at", "code"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.code}"
