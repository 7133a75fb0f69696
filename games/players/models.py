"""Players."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac

from games.doors.scopes import EVERYTHING, Scopes

ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 12
LETTER_OF_BYTE = ID_ALPHABET.encode() * 8  # each of 32 letters for 8 of 256 bytes
CLOSED_ACCOUNT = "Closed account"
DELETED_NAME = "Deleted player"
# The mark of players whose personal data has been deleted: who has this name otherwise has its key too.
ERASED = Q(is_active=False, display_name=DELETED_NAME, name_key="")


def new_id() -> str:
    """Return a public identifier of 60 random bits, without letters that look like digits."""
    return secrets.token_bytes(ID_LENGTH).translate(LETTER_OF_BYTE).decode()


def listed_as(pk: int, handle: str, display_name: str, *, is_shared: bool, is_active: bool) -> tuple[str, str]:
    """Return the handle and the name of a player on score tables; both in the name where others have it too."""
    if not is_active:
        return f"closed-{pk}", CLOSED_ACCOUNT
    name = display_name or handle
    return handle, f"{name} ({handle})" if is_shared else name


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
    name_key = models.CharField(
        max_length=120,
        blank=True,
        editable=False,
        help_text="What names that look alike have in common; empty: the name is the handle, or was deleted.",
    )
    name_is_shared = models.BooleanField(
        default=False, editable=False, help_text="Others have the name, or one like it: tables show the handle."
    )
    is_guest = models.BooleanField(default=False)
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="When a guest became a named account.")
    is_bot = models.BooleanField(default=False, help_text="Plays by program and says so.")
    model = models.CharField(
        max_length=40, blank=True, editable=False, help_text="The language model that plays a bot, as its owner says."
    )
    owner = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="bots",
        db_index=False,
        help_text="The person who made the bot and answers for it.",
    )
    banned_at = models.DateTimeField(null=True, blank=True, help_text="Since when no game of the player has a rank.")

    key_epoch = models.PositiveIntegerField(
        default=0, editable=False, help_text="Sessions and tickets of an earlier one have ended."
    )

    # What the key may be used for with which the player came in; `games.keys` narrows it for a token.
    scopes: Scopes = EVERYTHING
    # What an app was allowed, if the key is a token of one.
    allowance: int | None = None

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta(AbstractUser.Meta):
        verbose_name = "player"
        verbose_name_plural = "players"
        indexes: ClassVar = [
            models.Index(fields=["name_key"], name="player_names", condition=~Q(name_key="")),
            models.Index(fields=["email"], name="players_by_mail", condition=~Q(email="")),
            models.Index(fields=["owner"], name="players_by_owner", condition=~Q(owner=None)),
            models.Index(fields=["model"], name="models_that_play", condition=~Q(model="")),
            models.Index(fields=["is_active"], name="bots_that_play", condition=Q(is_bot=True)),
            models.Index(fields=["id"], name="erased_players", condition=ERASED),
            models.Index(fields=["id"], name="banned_players", condition=~Q(banned_at=None)),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(owner=None) | Q(is_bot=True), name="only_bots_have_owners")
        ]

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *arguments: Any, **options: Any) -> None:
        """Save; an account that is made without a name, such as by `createsuperuser`, is called by its handle."""
        self.display_name = self.display_name or self.username
        super().save(*arguments, **options)

    def set_unusable_password(self) -> None:
        """Set one that nobody has, as Django does, but with a single draw: most players are guests."""
        self.password = UNUSABLE_PASSWORD_PREFIX + secrets.token_urlsafe()

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return the hash that a session stores: it changes with the password and with the epoch of the keys."""
        if not self.key_epoch:
            return str(super()._get_session_auth_hash(secret))  # type: ignore[misc]
        value = f"{self.password} {self.key_epoch}"
        return salted_hmac("games.play.session", value, secret=secret, algorithm="sha256").hexdigest()

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Return True for a right that staff have; who is banned has none, or would judge and be judged."""
        return self.banned_at is None and super().has_perm(perm, obj)

    def has_module_perms(self, app_label: str) -> bool:
        """Return True for an app about which staff have a right; who is banned has none."""
        return self.banned_at is None and super().has_module_perms(app_label)

    @property
    def listed_handle(self) -> str:
        """The handle shown on score tables; for a closed account one that leads nowhere."""
        return self._listed[0]

    @property
    def listed_name(self) -> str:
        """The name on score tables, with the handle where someone else has the name too."""
        return self._listed[1]

    @property
    def listed_owner(self) -> Player | None:
        """The owner of a bot, as lists name it; None for an account that is closed."""
        return self.owner if self.owner is not None and self.owner.is_active else None

    @property
    def _listed(self) -> tuple[str, str]:
        names = self.pk, self.username, self.display_name
        return listed_as(*names, is_shared=self.name_is_shared, is_active=self.is_active)

    @property
    def named_since(self) -> datetime | None:
        """The time at which the account was claimed; None for a guest."""
        return None if self.is_guest else self.claimed_at or self.date_joined


class KeptAnswer(models.Model):
    """The answer to a request with an `Idempotency-Key`, which only that key can read; empty while it is under way."""

    place = models.CharField(
        primary_key=True, max_length=64, help_text="The hash of the key, its sender and the address."
    )
    request = models.CharField(max_length=64, help_text="The hash of the body.")
    sealed = models.BinaryField(null=True)
    begun_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["begun_at"], name="kept_answers_by_age")]

    def __str__(self) -> str:
        return self.place[:12]
