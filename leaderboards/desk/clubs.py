"""Clubs on the desk: those that players reported, any other one, and what is removed of them."""

from typing import Any

from django.contrib import messages
from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from games.players.models import Player
from leaderboards.boards.refusals import ModerationError
from leaderboards.clubs.models import Club, ClubDecision, ClubReport, Membership, Removal
from leaderboards.clubs.reporting import Choice, decide
from leaderboards.desk.doors import desk_page, now, reviewer_of, see_other
from leaderboards.moderation.links import linked_to
from leaderboards.moderation.refusals import BadDecision

ROWS = 50
LONGEST_TEXT = 500


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the clubs that were reported, those with the most reports first, or those that `?club=` finds; decisions."""
    visible, term = visible_clubs(reviewer_of(request)), request.GET.get("club", "").strip()
    found = visible.filter(Q(name__icontains=term) | Q(pk=term)) if term else with_reports(visible)
    decisions = ClubDecision.objects.filter(club__in=visible).select_related("club", "by")
    context = {
        "title": pgettext("of players", "Clubs"),
        "rows": _counted(found)[:ROWS],
        "decisions": decisions[:ROWS],
        "term": term,
    }
    return desk_page(request, "desk/clubs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def club(request: HttpRequest, club_id: str) -> HttpResponse:
    """Show a club with its reports and decisions; a POST decides."""
    reviewer = reviewer_of(request)
    found = visible_clubs(reviewer).filter(pk=club_id).first()
    if found is None:
        raise Http404(f"there is no club {club_id}")
    if request.method != "POST":
        return _page(request, found)
    try:
        made = decide(found.pk, reviewer, _choice(request), now())
    except ModerationError as error:
        return _page(request, Club.objects.get(pk=club_id), refusal=error)
    messages.success(request, made.get_removed_display())
    return see_other("admin:review-clubs")


def visible_clubs(reviewer: Player) -> QuerySet[Club]:
    """Return the clubs that a reviewer may decide about: none that the reviewer, or a linked account, was ever in."""
    hidden = {reviewer.pk, *linked_to(reviewer.pk)}
    return Club.objects.exclude(pk__in=Membership.objects.filter(player__in=hidden).values("club"))


def with_reports(visible: QuerySet[Club]) -> QuerySet[Club]:
    """Return the clubs with reports that nobody has answered."""
    return visible.filter(pk__in=ClubReport.objects.filter(decision=None).values("club"))


def _counted(found: QuerySet[Club]) -> QuerySet[Club]:
    unanswered = Q(reports__decision=None)
    counted = found.annotate(reported=Count("reports", filter=unanswered), last=Max("reports__at", filter=unanswered))
    return counted.order_by("-reported", "-founded_at")


def _page(request: HttpRequest, club: Club, refusal: ModerationError | None = None) -> HttpResponse:
    inside = club.memberships.filter(left_at=None, player__is_active=True).select_related("player")
    context: dict[str, Any] = {
        "title": _("Club %(name)s") % {"name": club.name},
        "club": club,
        "members": inside.count(),
        "owner": inside.first(),
        "reports": club.reports.filter(decision=None),
        "decisions": club.decisions.select_related("by"),
        "choices": Removal.choices,
        "reasons": ClubDecision.Reason.choices,
        "posted": request.POST,
        "refusal": str(refusal) if refusal else "",
    }
    return desk_page(request, "desk/club.html", context, status=refusal.status if refusal else 200)


def _choice(request: HttpRequest) -> Choice:
    """Return what a form says. Raises `BadDecision`."""
    given = {name: str(value).replace("\0", "").strip() for name, value in request.POST.items()}
    removed, reason, text = (given.get(name, "") for name in ("removed", "reason", "text"))
    if removed not in Removal.values or (removed == Removal.NOTHING) == (reason in ClubDecision.Reason.values):
        raise BadDecision(_("choose what is removed and why, or nothing without a reason"))
    if len(text) > LONGEST_TEXT:
        raise BadDecision(_("the text for colleagues is too long"))
    return Choice(Removal(removed), reason, text, given.get("name", ""), given.get("description", ""))
