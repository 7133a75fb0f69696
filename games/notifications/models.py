"""Notifications to players, and the kinds that they switched off."""

from typing import ClassVar

from django.db import models

from games.players.models import Player


class Notification(models.Model):
    """Something that a player is to know, once for each kind and subject. `facts` are what its words are made of."""

    DAYS_KEPT = 180  # privacy and exports name it; older ones are of no use

    player = models.ForeignKey(Player, models.CASCADE, related_name="notifications")
    sender = models.ForeignKey(
        Player,
        models.CASCADE,
        related_name="notifications_sent",
        null=True,
        db_index=False,
        help_text="Whose name it has, so that it goes with that account.",
    )
    kind = models.CharField(max_length=24)
    subject = models.CharField(max_length=80, help_text="What makes it the same notification if it is sent again.")
    facts = models.JSONField(default=dict)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "kind", "subject"], name="one_notification_per_subject")
        ]
        indexes: ClassVar = [
            models.Index(fields=["player", "-id"], name="notifications_of_player"),
            models.Index(fields=["at"], name="notifications_by_age"),
            models.Index(fields=["sender"], name="notifications_by_sender", condition=models.Q(sender__isnull=False)),
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind} {self.subject}"


class MutedKind(models.Model):
    """A kind of notification that a player does not want."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="muted_kinds")
    kind = models.CharField(max_length=24)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "kind"], name="muted_once")]
        ordering: ClassVar = ["kind"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"
