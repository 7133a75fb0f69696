"""The notification about an achievement."""

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register
from leaderboards.achievements.catalog import BY_CODE


def _achieved(facts: Facts) -> str:
    achievement = BY_CODE.get(facts["code"])
    return gettext("A new achievement: %(title)s.") % {"title": achievement.title if achievement else facts["code"]}


ACHIEVEMENT = register(
    NotificationKind("achievement", _("Achievements"), _achieved, lambda facts: reverse("achievements-page"))
)
