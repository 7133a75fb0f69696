"""The kinds of notifications about cups."""

from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import NotificationKind, register

MATCH = register(
    NotificationKind(
        "cup_match",
        _("Your matches in cups"),
        lambda facts: gettext("Your match in the cup begins."),
        lambda facts: reverse("web:race", args=[facts["race"]]),
        is_pushed=True,
        is_urgent=True,
        useful_until=lambda facts, at: at + timedelta(minutes=2),
    )
)

AHEAD = timedelta(minutes=10)
"""The time before a tournament at which those who signed up are reminded of it."""

SOON = register(
    NotificationKind(
        "cup_soon",
        _("Tournaments that you signed up for"),
        lambda facts: gettext("A tournament that you signed up for begins in a few minutes."),
        lambda facts: reverse("web:cup", args=[facts["cup"]]),
        is_pushed=True,
        useful_until=lambda facts, at: at + AHEAD,
    )
)
