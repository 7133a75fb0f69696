"""The kind of notifications about decisions of reviewers."""

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register
from leaderboards.cups.models import CupDecision


def _renamed(facts: Facts) -> str:
    reason = CupDecision.Reason(facts["reason"]).label
    text = gettext("Reviewers have removed the name of your tournament.")
    return f"{text} {reason}"


RENAMED = register(
    NotificationKind(
        "cup_renamed",
        _("Decisions of reviewers about your tournaments"),
        _renamed,
        lambda facts: reverse("web:cup", args=[facts["cup"]]),
        is_optional=False,
    )
)
