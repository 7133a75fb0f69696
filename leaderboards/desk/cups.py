"""Tournaments by hand on the desk: those that players reported, any other one, and whose names are removed."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from games.cups.models import Cup, CupEntry, CupSignup
from games.players.models import Player
from leaderboards.clubs.models import Membership
from leaderboards.cups.models import CupDecision, CupRemoval, CupReport
from leaderboards.cups.reporting import decide
from leaderboards.desk.names import Kind, list_page, one_page, own_accounts


def visible_cups(reviewer: Player) -> QuerySet[Cup]:
    """Return the tournaments by hand that a reviewer may decide about.

    None that the reviewer, or a linked account, organised or signed up for, nor one of a club that they were ever in.
    """
    own = own_accounts(reviewer)
    entered = [table.objects.filter(player__in=own).values("cup") for table in (CupSignup, CupEntry)]
    clubs = Membership.objects.filter(player__in=own).values("club")
    is_own = Q(host__in=own) | Q(pk__in=entered[0]) | Q(pk__in=entered[1]) | Q(circle__in=clubs)
    return Cup.objects.exclude(code="").exclude(is_own).select_related("host")


CUPS = Kind("cup", visible_cups, decide, CupRemoval, CupReport.objects, CupDecision.objects, "-opens_at")


@require_safe
def cups(request: HttpRequest) -> HttpResponse:
    """Show the tournaments that were reported, the most often reported first, or those that `?cup=` finds."""
    context = {
        "title": _("Tournaments by hand"),
        "lead": _(
            "Names that players reported. Tournaments that you or a linked account took part in, or whose club you "
            "were in, are for other reviewers."
        ),
        "search": _("Name or identifier of a tournament"),
        "singular": _("Tournament"),
        "details": pgettext("of a tournament", "Begins"),
    }
    return list_page(request, CUPS, context)


@require_http_methods(["GET", "HEAD", "POST"])
def cup(request: HttpRequest, cup_id: str) -> HttpResponse:
    """Show a tournament with its reports and decisions; a POST decides."""
    return one_page(request, CUPS, cup_id, _about)


def _about(cup: Cup) -> dict[str, Any]:
    return {
        "title": _("Tournament %(name)s") % {"name": cup.name},
        "hint": _("A removed name can be taken by no tournament; this one is called by its identifier from then on."),
        "reader": _("Reason the organiser reads"),
    }
