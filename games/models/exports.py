"""Exports of all data about a player."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models.jobs import Job
from games.models.players import Player


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
