"""The queue: which case to read first, with the views of it that reviewers save."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.contrib import messages
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from games.play.models import Game
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.desk import words
from leaderboards.desk.doors import desk_page, now, reviewer_of, see_other
from leaderboards.desk.models import SavedView
from leaderboards.desk.rows import rows_of, with_evidence
from leaderboards.moderation import log
from leaderboards.moderation.cases import visible_cases
from leaderboards.moderation.evidence_models import KeptFinding
from leaderboards.moderation.models import Case
from leaderboards.moderation.reading import View, counts_of, queue_of

ROWS, MOST_PAGES = 25, 400
MOST_VIEWS, LONGEST_QUERY = 20, 300
TITLES = {
    View.OPEN: gettext_lazy("Open"),
    View.MINE: gettext_lazy("Mine"),
    View.SECOND: gettext_lazy("Needs a second"),
    View.APPEALS: gettext_lazy("Appeals"),
    View.TOP_TEN: gettext_lazy("Top ten"),
    View.DECIDED_TODAY: gettext_lazy("Decided today"),
}
ORDERS = {
    "priority": ("-urgency", "pk"),
    "oldest": ("opened_at", "pk"),
    "newest": ("-opened_at", "-pk"),
    "rank": ("rank", "pk"),
}
STATES: dict[str, str | Promise] = {"": gettext_lazy("any"), **{state.value: state.label for state in Case.State}}
DECIDED = (Case.State.DECIDED, Case.State.CLOSED)
REVIEWERS = {"": gettext_lazy("anyone"), "me": gettext_lazy("me"), "nobody": gettext_lazy("nobody")}
FILTERS = ("state", "day", "rules", "signal", "reviewer", "q", "order")


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show the cases of a view, filtered, the most urgent first."""
    reviewer, at = reviewer_of(request), now()
    view = _view_of(request.GET)
    visible = visible_cases(reviewer)
    counts = counts_of(visible, reviewer, at)
    found = _filtered(_cases_of(visible, view, request.GET, reviewer, at), request.GET, reviewer.pk)
    number = _page_of(request.GET.get("page", ""))
    cases = with_evidence(found, (number - 1) * ROWS, number * ROWS + 1)  # one more shows that there is another page
    context = {
        "title": _("Queue"),
        "tabs": [
            {"title": TITLES[one], "count": counts[one], "address": f"?view={one.value}", "is_current": one is view}
            for one in View
        ],
        "saved": _saved(request, reviewer.pk),
        "rows": rows_of(cases[:ROWS], reviewer, at),
        "page": number,
        "has_more": len(cases) > ROWS,
        "counts": {"open": counts[View.OPEN], "top": counts[View.TOP_TEN]},
        "filters": _filters(request.GET),
        "view": view.value,
        "q": request.GET.get("q", ""),
        "query": _kept(request.GET).urlencode(),
        "log_mistake": log.mistake_found(),
    }
    return desk_page(request, "desk/queue.html", context)


def _cases_of(visible: QuerySet[Case], view: View, query: QueryDict, reviewer: Player, at: datetime) -> QuerySet[Case]:
    """Return the cases of a view; those that are open give way to all for who searches, or asks for a decided state."""
    is_about_all = query.get("q", "").strip() or query.get("state") in DECIDED
    return visible if view is View.OPEN and is_about_all else queue_of(visible, view, reviewer, at)


def _view_of(query: QueryDict) -> View:
    try:
        return View(query.get("view", View.OPEN))
    except ValueError:
        return View.OPEN


def _page_of(text: str) -> int:
    """Return the requested page, from 1."""
    return max(1, min(int(text), MOST_PAGES)) if text.isdecimal() and len(text) < 6 else 1


def _filtered(cases: QuerySet[Case], query: QueryDict, reviewer: int) -> QuerySet[Case]:
    """Return the cases that match the filters; unknown values are ignored."""
    wanted = Q()
    if query.get("state") in Case.State.values:
        wanted &= Q(state=query["state"])
    if (day := _day(query.get("day", ""))) is not None:
        wanted &= Q(daily__day=day)
    if query.get("rules") in RULE_SETS:
        wanted &= Q(daily__rules=query["rules"])
    if query.get("signal") in words.DETECTORS:
        wanted &= Q(Exists(KeptFinding.objects.filter(case=OuterRef("pk"), detector=query["signal"])))
    if query.get("reviewer") in REVIEWERS and query["reviewer"]:
        wanted &= Q(reviewer=reviewer if query["reviewer"] == "me" else None)
    order = ORDERS.get(query.get("order", ""), ORDERS["priority"])
    return cases.filter(wanted, _named(query.get("q", "").strip())).order_by(*order)


def _named(term: str) -> Q:
    """Return the condition of a search: a case's number, its player, or a game."""
    if not term:
        return Q()
    matching = Q(player__username__icontains=term) | Q(player__display_name__icontains=term)
    matching |= Q(Exists(Game.objects.filter(pk=term, player=OuterRef("player"), daily=OuterRef("daily"))))
    matching |= Q(pk__in=KeptFinding.objects.filter(game=term, case__isnull=False).values("case"))
    return matching | Q(pk=int(term)) if term.isdecimal() and len(term) < 10 else matching


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _filters(query: QueryDict) -> list[dict[str, Any]]:
    """Return the fields above the queue with their options."""
    offered: dict[str, tuple[str, Mapping[str, str | Promise]]] = {
        "state": (_("State"), STATES),
        "rules": (_("Rule set"), {"": _("all"), **{rules.slug: _(rules.title) for rules in RULE_SETS.values()}}),
        "signal": (_("Signal"), {"": _("all"), **words.DETECTORS}),
        "reviewer": (_("Reviewer"), REVIEWERS),
        "order": (_("Order"), {"": _("priority"), "oldest": _("oldest"), "newest": _("newest"), "rank": _("rank")}),
    }
    return [
        {"name": name, "title": title, "value": query.get(name, ""), "options": list(options.items())}
        for name, (title, options) in offered.items()
    ]


def _kept(query: QueryDict) -> QueryDict:
    """Return view and filters of a query, without its page."""
    kept = QueryDict(mutable=True)
    kept.update({name: str(query.get(name, "")) for name in ("view", *FILTERS) if query.get(name)})
    return kept


def _saved(request: HttpRequest, reviewer: int) -> list[dict[str, Any]]:
    current = _kept(request.GET).urlencode()
    seen = SavedView.objects.filter(Q(owner=reviewer) | Q(is_shared=True)).order_by("pk")
    return [
        {
            "title": one.name,
            "address": f"?{one.query}",
            "is_current": one.query == current,
            "is_own": one.owner_id == reviewer,
        }
        for one in seen
    ]


@require_POST
def views(request: HttpRequest) -> HttpResponse:
    """Keep the query of the queue under a name, or delete a view of the reviewer's own."""
    reviewer = reviewer_of(request)
    name = request.POST.get("name", "").replace("\0", "").strip()[:40]
    query = request.POST.get("query", "").replace("\0", "")[:LONGEST_QUERY]
    own = SavedView.objects.filter(owner=reviewer)
    if request.POST.get("act") == "delete":
        own.filter(name=name).delete()
        return see_other("admin:review")
    if own.exclude(name=name).count() >= MOST_VIEWS:
        messages.error(request, _("You have saved %(count)d views: delete one first.") % {"count": MOST_VIEWS})
    elif name:
        kept = {"query": query, "is_shared": request.POST.get("is_shared") == "on"}
        SavedView.objects.update_or_create(owner=reviewer, name=name, defaults=kept)
    return see_other(f"{reverse('admin:review')}?{query}")
