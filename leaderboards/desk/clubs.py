"""Clubs on the desk: those that players reported, any other one, and what is removed of them."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from games.players.models import Player
from leaderboards.clubs.models import Club, ClubDecision, ClubReport, Membership, Removal
from leaderboards.clubs.reporting import decide
from leaderboards.desk.names import Kind, list_page, one_page, own_accounts


def visible_clubs(reviewer: Player) -> QuerySet[Club]:
    """Return the clubs that a reviewer may decide about: none that the reviewer, or a linked account, was ever in."""
    return Club.objects.exclude(pk__in=Membership.objects.filter(player__in=own_accounts(reviewer)).values("club"))


CLUBS = Kind("club", visible_clubs, decide, Removal, ClubReport.objects, ClubDecision.objects, "-founded_at")


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the clubs that were reported, those with the most reports first, or those that `?club=` finds; decisions."""
    context = {
        "title": pgettext("of players", "Clubs"),
        "lead": _(
            "Names and descriptions that players reported. Clubs that you or a linked account were in are for other "
            "reviewers."
        ),
        "search": _("Name or identifier of a club"),
        "singular": pgettext("of players", "Club"),
        "details": _("Description"),
    }
    return list_page(request, CLUBS, context)


@require_http_methods(["GET", "HEAD", "POST"])
def club(request: HttpRequest, club_id: str) -> HttpResponse:
    """Show a club with its reports and decisions; a POST decides."""
    return one_page(request, CLUBS, club_id, _about)


def _about(club: Club) -> dict[str, Any]:
    inside = club.memberships.filter(left_at=None, player__is_active=True).select_related("player")
    return {
        "title": _("Club %(name)s") % {"name": club.name},
        "members": inside.count(),
        "owner": inside.first(),
        "hint": _(
            "A removed name can be taken by no club. A club that is closed cannot be opened again; its members keep "
            "their scores and its past tables."
        ),
        "reader": _("Reason the owner reads"),
    }
