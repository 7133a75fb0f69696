"""Accounts, and where they compete."""

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
    """Return a public identifier: 60 random bits, no letters that look like digits."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def listed_as(pk: int, handle: str, display_name: str, *, is_active: bool) -> tuple[str, str]:
    """Return the handle and the name of a player on score tables."""
    return (handle, display_name or handle) if is_active else (f"closed-{pk}", CLOSED_ACCOUNT)


class Player(AbstractUser):
    """Someone who plays: a guest with nothing but a token, or a named account. The user name is the ASCII handle."""

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
        """The handle on score tables; a closed account has none that leads anywhere."""
        return listed_as(self.pk, self.username, self.display_name, is_active=self.is_active)[0]

    @property
    def listed_name(self) -> str:
        """The name on score tables."""
        return listed_as(self.pk, self.username, self.display_name, is_active=self.is_active)[1]

    @property
    def named_since(self) -> datetime | None:
        """Since when the account has a name and a password; None for a guest."""
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
    """That one of the staff looked at what nobody may know of a deal yet. Such a player cannot start it any more."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="secrets_seen")
    daily = models.ForeignKey("games.DailyDeal", models.PROTECT, related_name="seen_by")
    at = models.DateTimeField()
    reason = models.CharField(max_length=500)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.daily_id} {self.at}"


class Erasure(models.Model):
    """The deletion of a player's personal data. While a row is open, in its transaction alone, guards let it through.

    The row stays: that something was deleted, when, why and how much, is no secret.
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
