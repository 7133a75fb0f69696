"""The notification about an honour, with the titles of seasons and honours."""

from datetime import date

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register
from games.rules import RULE_SETS


def season_title(month: date, rules: str, division: str) -> str:
    """Return the name of a season for people: `November 2026, Standard, main`."""
    return f"{date_format(month, 'F Y')}, {gettext(RULE_SETS[rules].title)}, {gettext(division)}"


def honour_words(rank: int, top: int | None) -> str:
    """Return an honour in words: `2nd place, top 5%`, `top 10%`."""
    places = {1: gettext("1st place"), 2: gettext("2nd place"), 3: gettext("3rd place")}
    top_words = gettext("top %(percent)d%%") % {"percent": top} if top else ""
    return ", ".join(words for words in (places.get(rank, ""), top_words) if words)


def _honoured(facts: Facts) -> str:
    season = season_title(date.fromisoformat(facts["month"]), facts["rules"], facts["division"])
    labels = {"season": season, "honour": honour_words(facts["rank"], facts["top"])}
    return gettext("The season %(season)s is over. Your honour: %(honour)s.") % labels


HONOUR = register(
    NotificationKind(
        "honour",
        _("Honours of a season"),
        _honoured,
        lambda facts: reverse("season-page", args=[facts["season"]]),
    )
)
