"""Apps of third parties, what players allow them, and what an app exchanges for tokens."""

from typing import ClassVar

from django.db import models

from games.players.models import Player, new_id

LONGEST_ADDRESS = 400


class App(models.Model):
    """A program of somebody else, registered by its owner. It has no secret: every app is a public client."""

    id = models.CharField(primary_key=True, max_length=12, default=new_id, editable=False)
    owner = models.ForeignKey(Player, models.CASCADE, related_name="apps")
    name = models.CharField(max_length=40)
    addresses = models.TextField(blank=True, help_text="Where players are sent back to, one address a line.")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.name


class Grant(models.Model):
    """The consent of a player to what an app asked for, once: all tokens that come of it end with this row."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="grants")
    app = models.ForeignKey(App, models.CASCADE, related_name="grants")
    scopes = models.CharField(max_length=60)
    key_epoch = models.PositiveIntegerField(help_text="That of the player then; it is void when all keys have ended.")
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(help_text="When the app last got a token.")

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"{self.app_id}: {self.scopes}"


class Voucher(models.Model):
    """A code or a refresh token, which is exchanged for tokens once; only its hash is known."""

    digest = models.CharField(primary_key=True, max_length=64)
    grant = models.ForeignKey(Grant, models.CASCADE, related_name="vouchers")
    address = models.CharField(max_length=LONGEST_ADDRESS, blank=True, help_text="Of a code: where it was sent.")
    challenge = models.CharField(max_length=128, blank=True, help_text="Of a code: the hash of its verifier.")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["expires_at", "pk"]

    def __str__(self) -> str:
        return "code" if self.challenge else "refresh token"


class WaitingDevice(models.Model):
    """A device without a browser that waits until somebody has allowed its app something elsewhere.

    Both codes are known by their hashes alone. The one that people type is short, so its hash takes the server's key.
    """

    digest = models.CharField(primary_key=True, max_length=64)
    typed_digest = models.CharField(max_length=64, unique=True)
    app = models.ForeignKey(App, models.CASCADE, related_name="devices")
    scopes = models.CharField(max_length=60)
    expires_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True, help_text="When the device last asked.")
    is_denied = models.BooleanField(default=False)
    grant = models.OneToOneField(Grant, models.CASCADE, null=True, related_name="device")

    class Meta:
        ordering: ClassVar = ["expires_at", "pk"]

    def __str__(self) -> str:
        return f"{self.app_id}, until {self.expires_at}"
