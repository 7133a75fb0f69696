"""Identities: who a player is at an issuer, and passkeys, which are the players' own."""

from typing import ClassVar

from django.db import models

from games.players.models import Player

LONGEST_SUBJECT = 255  # OpenID Connect Core, section 2
LONGEST_CREDENTIAL = 1364  # characters: 1023 bytes in base64 (WebAuthn, section 4)
LONGEST_LABEL = 40
PASSKEY = "passkey"


class Identity(models.Model):
    """A way into an account: the number or name under which an issuer knows its player, or a passkey.

    Neither a token, nor a name, nor a mail address of the issuer is kept. A passkey has no issuer: a device of the
    player signs, and what is kept is the key to check that with.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=200, help_text="The address of the issuer, which no setting can give another.")
    subject = models.CharField(max_length=LONGEST_CREDENTIAL, help_text="The number there, or that of the passkey.")
    public_key = models.BinaryField(default=b"", help_text="Of a passkey: the key of its signatures, as COSE has it.")
    sign_count = models.BigIntegerField(default=0, help_text="Of a passkey: the last count of its device, or 0.")
    name = models.CharField(max_length=LONGEST_LABEL, blank=True, help_text="What the player calls a passkey.")
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(help_text="When the player last signed in with it.")

    class Meta:
        verbose_name_plural = "identities"
        constraints: ClassVar = [models.UniqueConstraint(fields=["issuer", "subject"], name="one_player_per_identity")]
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.player_id} at {self.issuer}"
