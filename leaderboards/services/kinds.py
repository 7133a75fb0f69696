"""The kinds of notifications about score tables, with their texts and links."""

from __future__ import annotations

from datetime import date

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.rules import RULE_SETS
from games.services.notifications import Facts, NotificationKind, register
from leaderboards.achievements import BY_CODE
from leaderboards.titles import short_title


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
    said = {"season": season, "honour": honour_words(facts["rank"], facts["top"])}
    return gettext("The season %(season)s is over. Your honour: %(honour)s.") % said


HONOUR = register(
    NotificationKind(
        "honour",
        _("Honours of a season"),
        _honoured,
        lambda facts: reverse("season-page", args=[facts["season"]]),
    )
)


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


def _achieved(facts: Facts) -> str:
    achievement = BY_CODE.get(facts["code"])
    return gettext("A new achievement: %(title)s.") % {"title": achievement.title if achievement else facts["code"]}


ACHIEVEMENT = register(
    NotificationKind("achievement", _("Achievements"), _achieved, lambda facts: reverse("achievements-page"))
)
