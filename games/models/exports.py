"""Exports of what is kept about a player."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models.players import Player


class DataExport(models.Model):
    """The export of a player, at most one: requested, made by a worker, kept for some days.

    `done` of `total` games are in it; `total` is 0 until a worker begins, at `claimed_at`.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        FAILED = "failed"

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="export")
    state = models.CharField(max_length=7, choices=State.choices, default=State.PENDING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    requested_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
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

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"
