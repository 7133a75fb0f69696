"""Decisions that moved ranks, and the notices of version 1.0."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from games.models import Player
from leaderboards.models.cases import LogLine


class Notice(models.Model):
    """A notice of version 1.0 to a player; a notification has taken its place.

    Nodes of that version write it while they are replaced. Nothing reads it but exports; it goes with the next version.
    """

    class Kind(models.TextChoices):
        DECIDED = "decided"
        ANSWERED = "answered"
        MOVED = "moved"

    player = models.ForeignKey(Player, models.CASCADE, related_name="notices")
    at = models.DateTimeField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    line = models.ForeignKey(LogLine, models.PROTECT, related_name="notices")
    facts = models.JSONField(default=dict)
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "line"], name="one_notice_per_player_and_line")
        ]
        indexes: ClassVar = [models.Index(fields=["player", "-id"], name="notices_of_player")]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"


class MovedRanks(models.Model):
    """A decision that moved ranks. The worker notifies the players and deletes the row."""

    line = models.OneToOneField(LogLine, models.PROTECT, primary_key=True, related_name="moved_ranks")

    def __str__(self) -> str:
        return f"line {self.line_id}"
