"""Identities: who a player is at an issuer."""

from typing import ClassVar

from django.db import models

from games.players.models import Player

LONGEST_SUBJECT = 255  # OpenID Connect Core, section 2


class Identity(models.Model):
    """A way into an account: the number or name under which an issuer knows its player.

    Neither a token, nor a name, nor a mail address of the issuer is kept.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=200, help_text="The address of the issuer, which no setting can give another.")
    subject = models.CharField(max_length=LONGEST_SUBJECT)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(help_text="When the player last signed in with it.")

    class Meta:
        verbose_name_plural = "identities"
        constraints: ClassVar = [models.UniqueConstraint(fields=["issuer", "subject"], name="one_player_per_identity")]
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.player_id} at {self.issuer}"
