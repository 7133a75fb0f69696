"""The notification about ranks that a decision moved."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register
from leaderboards.boards.titles import short_title


def _moved(facts: Facts) -> str:
    words = gettext("You moved from %(before)d to %(after)d because of a decision about another score: %(board)s.")
    if others := facts["others"]:
        more = ngettext("You moved on %(others)d other table too.", "You moved on %(others)d other tables too.", others)
        words = f"{words} {more}"
    return words % {**facts, "board": short_title(facts["board"])}


MOVED = register(
    NotificationKind(
        "moved",
        _("Ranks that a decision moved"),
        _moved,
        lambda facts: reverse("boards:board", args=[facts["board"]]),
    )
)
