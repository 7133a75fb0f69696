"""The results of all on a deal, and the shares of players in their results."""

from typing import Any, ClassVar

from django.db import models

from games.calendar.models import DailyDeal
from games.players.models import Player


class DealResults(models.Model):
    """The results of people's first attempts at a daily deal whose day is over.

    `lost` counts the attempts that were not won by the cards left, from 0; `over_par` the wins by their moves over par,
    the last number those far over it.
    """

    daily = models.OneToOneField(DailyDeal, models.PROTECT, primary_key=True, related_name="results")
    played = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    lost: Any = models.JSONField(default=list)
    over_par: Any = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.won} of {self.played} won {self.daily_id}"


class PlayerShare(models.Model):
    """The shares of deals and of the player in a player's results under a rule set; see `estimating`."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="shares", db_index=False)
    rules = models.CharField(max_length=40)
    at = models.DateTimeField()
    games = models.PositiveIntegerField()
    effect = models.FloatField(help_text="Cards that the player leaves more than others on the same deals.")
    by_player = models.FloatField()
    by_player_low = models.FloatField()
    by_player_high = models.FloatField()
    by_deal = models.FloatField()
    by_deal_low = models.FloatField()
    by_deal_high = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "rules"], name="one_share_per_player_and_rules")
        ]
        ordering: ClassVar = ["rules"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.rules}: {self.by_player:.2f}"
