"""Decisions that moved ranks."""

from __future__ import annotations

from django.db import models

from leaderboards.models.cases import LogLine


class MovedRanks(models.Model):
    """A decision that moved ranks. The worker notifies the players and deletes the row."""

    line = models.OneToOneField(LogLine, models.PROTECT, primary_key=True, related_name="moved_ranks")

    def __str__(self) -> str:
        return f"line {self.line_id}"
