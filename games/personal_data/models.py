"""Exports of all data about a player, and traces of deletions."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.players.models import Player
from games.worker.jobs import Job


class Erasure(models.Model):
    """The deletion of a player's personal data. The guards allow it while the row is open, in one transaction.

    The row remains as a public trace of the deletion: when, why and how much.
    """

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="erasures", null=True, help_text="Empty: a guest of whom nothing is left."
    )
    by = models.ForeignKey(
        Player, models.PROTECT, related_name="+", null=True, help_text="Empty: the player, or the server itself."
    )
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()
    games = models.PositiveIntegerField(default=0, help_text="How many unranked games were deleted.")
    is_open = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.at}"


class DataExport(Job):
    """The export of a player, at most one: requested, made by a worker, kept for some days. Its parts are games."""

    LEASE = timedelta(minutes=30)
    DAYS_KEPT = 7  # a player who comes too late asks again

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="export")
    requested_at = models.DateTimeField()
    file = models.BinaryField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="file_exactly_when_exported",
                condition=Q(state="done", file__isnull=False) | ~Q(state="done") & Q(file__isnull=True),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["requested_at"], name="pending_exports", condition=Q(state="pending")),
        ]
        ordering: ClassVar = ["requested_at"]
