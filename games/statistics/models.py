"""Sums of the finished games of players, and the games that have not been added yet."""

from typing import Any, ClassVar

from django.db import models

from games.play.models import Game
from games.players.models import Player


class Tally(models.Model):
    """A player's finished games of a kind under a rule set. The bests are of games won without hints.

    `over_par` counts wins by their moves over par, the last number those far over it; see `games.services.results`.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="tallies", db_index=False)
    kind = models.CharField(max_length=8)
    rules = models.CharField(max_length=40)
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    moves = models.PositiveIntegerField(null=True, help_text="The fewest of a win.")
    elapsed_ms = models.PositiveBigIntegerField(null=True, help_text="The shortest time of a win.")
    over_par: Any = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "kind", "rules"], name="one_tally_per_player_kind_rules"),
        ]
        ordering: ClassVar = ["player", "kind", "rules"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind} {self.rules}: {self.won} of {self.played}"


class PlayedDays(models.Model):
    """The days of which a player finished, and won, a daily deal, as stretches of ordinals: first and last.

    A change of the player's tallies locks the row.
    """

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="played_days")
    played: Any = models.JSONField(default=list)
    won: Any = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"days of {self.player_id}"


class UncountedGame(models.Model):
    """A finished game that is not in its player's tallies yet; a trigger adds the row when the game ends.

    A win at a daily deal is counted twice: at once, and when its day is over among the moves over par, which would
    reveal the par before. Until then the row stays, counted.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="uncounted")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    due_at = models.DateTimeField(db_index=True)
    is_counted = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.game_id} due {self.due_at}"
