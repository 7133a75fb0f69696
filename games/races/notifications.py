"""The kinds of notifications about games, with their texts and links."""

from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register
from games.races.invites import invite_link


def _address_of_race(facts: Facts) -> str:
    """Return the path of a race, with its invite if it is not public."""
    return reverse("web:race", args=[facts["race"]]) if facts["is_public"] else invite_link(facts["race"])


def _for_an_hour(facts: Facts, at: datetime) -> datetime:
    """Return the time until which the room of a race is open, about: who comes later meets nobody."""
    return at + timedelta(hours=1)


INVITED = register(
    NotificationKind(
        "invited",
        _("Invitations to races"),
        lambda facts: gettext("%(by)s invites you to a race.") % facts,
        _address_of_race,
        is_pushed=True,
        useful_until=_for_an_hour,
    )
)
REMATCH = register(
    NotificationKind(
        "rematch",
        _("Invitations to race again"),
        lambda facts: gettext("%(host)s wants to race you again.") % facts,
        lambda facts: reverse("web:race", args=[facts["race"]]),
        is_pushed=True,
        useful_until=_for_an_hour,
    )
)
