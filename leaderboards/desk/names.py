"""The common pages of the desk about names that players reported: a list, and one that decides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Count, Manager, Max, Q, QuerySet, TextChoices
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.players.models import Player
from leaderboards.boards.refusals import ModerationError
from leaderboards.desk.doors import desk_page, now, reviewer_of, see_other
from leaderboards.moderation.links import linked_to
from leaderboards.moderation.refusals import BadDecision
from leaderboards.reporting.models import LONGEST_TEXT, NameDecision
from leaderboards.reporting.reporting import Choice

ROWS = 50


@dataclass(frozen=True)
class Kind:
    """A kind of thing with names that players report: which of it a reviewer sees, and how it is decided."""

    field: str
    """Its name in tables and addresses."""
    visible: Callable[[Player], QuerySet[Any]]
    decide: Callable[[str, Player, Choice, datetime], NameDecision]
    removals: type[TextChoices]
    reports: Manager[Any]
    decisions: Manager[Any]
    newest: str
    """The order among things with equally many reports."""

    def reported(self, reviewer: Player) -> QuerySet[Any]:
        """Return what has reports that nobody has answered, and the reviewer may decide about."""
        return self.visible(reviewer).filter(pk__in=self.reports.filter(decision=None).values(self.field))


def own_accounts(reviewer: Player) -> set[int]:
    """Return the reviewer and the accounts that may belong to the same person."""
    return {reviewer.pk, *linked_to(reviewer.pk)}


def list_page(request: HttpRequest, kind: Kind, context: Mapping[str, Any]) -> HttpResponse:
    """Show what was reported, the most often reported first, or what a search finds; and the last decisions."""
    reviewer, term = reviewer_of(request), request.GET.get(kind.field, "").strip()
    visible = kind.visible(reviewer)
    found = visible.filter(Q(name__icontains=term) | Q(pk=term)) if term else kind.reported(reviewer)
    decided = kind.decisions.filter(**{f"{kind.field}__in": visible}).select_related("by")
    shown = {"rows": _counted(found, kind)[:ROWS], "decisions": _linked(decided[:ROWS], kind), "term": term}
    return desk_page(request, "desk/names.html", {**context, **shown, **_pages(kind)})


def one_page(request: HttpRequest, kind: Kind, pk: str, context: Callable[[Any], Mapping[str, Any]]) -> HttpResponse:
    """Show one of a kind with its reports and decisions; a POST decides."""
    reviewer = reviewer_of(request)
    found = kind.visible(reviewer).filter(pk=pk).first()
    if found is None:
        raise Http404(f"there is no {kind.field} {pk}")
    refusal: ModerationError | None = None
    if request.method == "POST":
        try:
            choice = _choice(request, kind)
            kind.decide(found.pk, reviewer, choice, now())
        except ModerationError as error:
            refusal = error
            found.refresh_from_db()
        else:
            messages.success(request, kind.removals(choice.removed).label)
            return see_other(f"admin:review-{kind.field}s")
    shown = {
        **_pages(kind),
        "one": found,
        "reports": found.reports.filter(decision=None),
        "decisions": _linked(found.decisions.select_related("by"), kind),
        "choices": kind.removals.choices,
        "reasons": NameDecision.Reason.choices,
        "posted": request.POST,
        "refusal": str(refusal) if refusal else "",
    }
    status = refusal.status if refusal else 200
    return desk_page(request, f"desk/{kind.field}.html", {**context(found), **shown}, status=status)


def _pages(kind: Kind) -> dict[str, str]:
    return {"field": kind.field, "list_page": f"admin:review-{kind.field}s", "one_page": f"admin:review-{kind.field}"}


def _linked(decisions: QuerySet[Any], kind: Kind) -> list[tuple[Any, str]]:
    """Return decisions with what they are about."""
    return [(row, getattr(row, f"{kind.field}_id")) for row in decisions]


def _counted(found: QuerySet[Any], kind: Kind) -> QuerySet[Any]:
    unanswered = Q(reports__decision=None)
    counted: QuerySet[Any] = found.annotate(
        reported=Count("reports", filter=unanswered), last=Max("reports__at", filter=unanswered)
    )
    return counted.order_by("-reported", kind.newest)


def _choice(request: HttpRequest, kind: Kind) -> Choice:
    """Return what a form says. Raises `BadDecision`."""
    given = {name: str(value).replace("\0", "").strip() for name, value in request.POST.items()}
    removed, reason, text = (given.get(name, "") for name in ("removed", "reason", "text"))
    if removed not in kind.removals.values or (removed == "nothing") == (reason in NameDecision.Reason.values):
        raise BadDecision(_("choose what is removed and why, or nothing without a reason"))
    if len(text) > LONGEST_TEXT:
        raise BadDecision(_("the text for colleagues is too long"))
    return Choice(removed, reason, text, given.get("name", ""), given.get("description", ""))
