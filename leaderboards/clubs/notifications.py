"""The kinds of notifications about clubs."""

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register


def _page(facts: Facts) -> str:
    return reverse("club-page", args=[facts["club"]])


INVITED = register(
    NotificationKind(
        "club_invited",
        _("Invitations to clubs"),
        lambda facts: gettext("%(by)s invites you to the club %(name)s.") % facts,
        _page,
    )
)
ADMITTED = register(
    NotificationKind(
        "club_admitted",
        _("Clubs that admit you"),
        lambda facts: gettext("You are now in the club %(name)s.") % facts,
        _page,
    )
)
