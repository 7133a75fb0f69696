"""The notifications of an offer, for its player, and of a sitting that begins, for the reviewer who offered it."""

from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register


def _offered(facts: Facts) -> str:
    text = ngettext(
        "A reviewer offers you a retest with %(deals)d deal. You are free to decline it.",
        "A reviewer offers you a retest with %(deals)d deals. You are free to decline it.",
        facts["deals"],
    )
    free = gettext("Declining is not evidence against you.")
    return f"{text % facts} {free}"


OFFERED = register(
    NotificationKind(
        "retest", _("Offers of a retest"), _offered, lambda facts: reverse("own-retests"), is_optional=False
    )
)
BEGUN = register(
    NotificationKind(
        "sitting",
        _("For reviewers: a retest that you offered begins"),
        lambda facts: gettext("The retest in case %(case)d has begun: you can watch.") % facts,
        lambda facts: f"{reverse('admin:review-case', args=[facts['case']])}#retests",
        is_pushed=True,
        useful_until=lambda facts, at: at + timedelta(minutes=facts["minutes"]),
    )
)
