"""Requested analyses."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.play.models import Game
from games.players.models import Player
from games.worker.jobs import Job


class GameAnalysis(Job):
    """A requested analysis of a finished game. Its parts are positions."""

    LEASE = timedelta(minutes=10)

    game = models.OneToOneField(Game, models.CASCADE, related_name="analysis")
    asked_by = models.ForeignKey(Player, models.SET_NULL, related_name="+", null=True, help_text="Who asked first.")
    result = models.JSONField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="result_exactly_when_done",
                condition=Q(state="done", result__isnull=False) | ~Q(state="done") & Q(result__isnull=True),
            ),
            models.CheckConstraint(
                name="analysis_pending_until_finished",
                condition=Q(state="pending", finished_at__isnull=True)
                | ~Q(state="pending") & Q(finished_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["created_at"], name="pending_analyses", condition=Q(state="pending")),
        ]
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.state}"
