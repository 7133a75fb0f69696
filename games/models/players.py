"""Accounts and their divisions."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models

ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 12
CLOSED_ACCOUNT = "Closed account"


def new_id() -> str:
    """Return a public identifier of 60 random bits, without letters that look like digits."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def listed_as(pk: int, handle: str, display_name: str, *, is_active: bool) -> tuple[str, str]:
    """Return the handle and the name of a player on score tables."""
    return (handle, display_name or handle) if is_active else (f"closed-{pk}", CLOSED_ACCOUNT)


class Player(AbstractUser):
    """A player: a guest with only a token, or a named account. The user name is the ASCII handle."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        "handle",
        max_length=32,
        unique=True,
        validators=[RegexValidator(r"^[a-z0-9][a-z0-9-]*\Z", "Lower-case letters, digits and hyphens.")],
    )
    display_name = models.CharField(max_length=40)
    is_guest = models.BooleanField(default=False)
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="When a guest became a named account.")
    is_bot = models.BooleanField(default=False, help_text="Plays by program and says so.")
    banned_at = models.DateTimeField(null=True, blank=True, help_text="Since when no game of the player has a rank.")

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta(AbstractUser.Meta):
        verbose_name = "player"
        verbose_name_plural = "players"

    def __str__(self) -> str:
        return self.display_name or self.username

    @property
    def listed_handle(self) -> str:
        """The handle shown on score tables; for a closed account one that leads nowhere."""
        return listed_as(self.pk, self.username, self.display_name, is_active=self.is_active)[0]

    @property
    def listed_name(self) -> str:
        """The name shown on score tables."""
        return listed_as(self.pk, self.username, self.display_name, is_active=self.is_active)[1]

    @property
    def named_since(self) -> datetime | None:
        """The time at which the account was claimed; None for a guest."""
        return None if self.is_guest else self.claimed_at or self.date_joined


class DayDivision(models.Model):
    """The division in which a player plays on a UTC day, fixed by the first ranked attempt of the day."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="day_divisions")
    day = models.DateField()
    division = models.CharField(max_length=16)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "day"], name="one_division_per_player_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.day} {self.division}"


class SecretAccess(models.Model):
    """A look of a staff member at the secrets of a deal. This player can no longer start it."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="secrets_seen")
    daily = models.ForeignKey("games.DailyDeal", models.PROTECT, related_name="seen_by")
    at = models.DateTimeField()
    reason = models.CharField(max_length=500)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.daily_id} {self.at}"


class Erasure(models.Model):
    """The deletion of a player's personal data. The guards allow it while the row is open, in one transaction.

    The row remains as a public trace of the deletion: when, why and how much.
    """

    player = models.ForeignKey(Player, models.PROTECT, related_name="erasures")
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
