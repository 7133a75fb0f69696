"""The notification about a new tier."""

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register


def _in_new_tier(facts: Facts) -> str:
    tier, before = facts["tier"], facts["before"]
    if before is None:
        return gettext("You are in the leagues: tier %(tier)d, group %(group)d.") % facts
    if tier < before:
        return gettext("You move up to tier %(tier)d of the leagues, group %(group)d.") % facts
    return gettext("You move down to tier %(tier)d of the leagues, group %(group)d.") % facts


LEAGUE = register(
    NotificationKind(
        "league",
        _("Moves between the tiers of the leagues"),
        _in_new_tier,
        lambda facts: reverse("league-page", args=[facts["week"], facts["tier"], facts["group"]]),
    )
)
