"""Keys that open an account: browser sessions, and the names and scopes of tokens."""

from typing import Any, ClassVar

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from games.players.models import Player


class BrowserSession(AbstractBaseSession):
    """A session of Django, with its player, so that players can see where they are signed in, and end it."""

    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="sessions")
    created_at = models.DateTimeField(default=timezone.now)  # noqa: TID251  migrations name the function
    used_at = models.DateTimeField(default=timezone.now, help_text="Correct to a day.")  # noqa: TID251

    class Meta(AbstractBaseSession.Meta):
        verbose_name = "browser session"
        verbose_name_plural = "browser sessions"

    def save(self, *arguments: Any, force_update: bool = False, **options: Any) -> None:
        """Save without changing when it began, because the session store makes the row again for each update."""
        if force_update:
            options["update_fields"] = ["session_data", "expire_date", "player", "used_at"]
        super().save(*arguments, force_update=force_update, **options)


class TokenTerms(models.Model):
    """The name of a token, such as that of the bot that uses it, and what it may be used for.

    A token without such a row may do everything; so one of an app, whose row is never deleted before it, names what was
    allowed.
    """

    token = models.OneToOneField("knox.AuthToken", models.CASCADE, primary_key=True, related_name="terms")
    name = models.CharField(max_length=40)
    scopes = models.CharField(max_length=60, help_text="Words separated by spaces; a word that is missing is refused.")
    grant = models.ForeignKey(
        "games.Grant", models.RESTRICT, null=True, related_name="tokens", help_text="What an app got the token for."
    )

    class Meta:
        verbose_name_plural = "terms of tokens"
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name
