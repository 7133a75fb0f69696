"""Decisions, detectors and faults: the outcomes of moderation, and the problems to repair."""

from collections.abc import Iterator
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leaderboards.desk import words
from leaderboards.desk.doors import desk_page, reviewer_of
from leaderboards.moderation import log, transparency
from leaderboards.moderation.cases import visible_cases
from leaderboards.moderation.choices import words_of
from leaderboards.moderation.evidence_models import DetectorRun, KeptFinding
from leaderboards.moderation.finding import VERIFICATION
from leaderboards.moderation.models import UNDECIDED, Act, Case, LogLine, Outcome

ROWS = 50


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """Show the decisions, newest first, with the state of the log and the figures of each month."""
    reviewer = reviewer_of(request)
    made = LogLine.objects.filter(act=Act.DECIDED, case__in=visible_cases(reviewer))
    lines = made.select_related("case__player", "case__daily", "by", "confirms", "about").order_by("-number")
    page = Paginator(lines, ROWS).get_page(request.GET.get("page"))
    check = log.last_check()
    context = {
        "title": _("Decisions"),
        "rows": [
            {"line": line, "outcome": words.outcome(line.outcome), "words": words_of(line.reason)}
            for line in page.object_list
        ],
        "page": page,
        "check": check,
        "log_mistake": check.mistake if check else "",
        "months": transparency.report()[:12],
    }
    return desk_page(request, "desk/decisions.html", context)


@require_safe
def detectors(request: HttpRequest) -> HttpResponse:
    """Show for each detector its examinations, cost, errors, and share of cleared cases."""
    reviewer_of(request)
    return desk_page(request, "desk/detectors.html", {"title": _("Detectors"), "rows": list(_work())})


def _work() -> Iterator[dict[str, Any]]:
    """Yield the work of each detector and version, and the outcomes of its findings."""
    runs = DetectorRun.objects.order_by("detector", "version").values("detector", "version")
    totals = runs.annotate(games=Sum("games"), cpu=Sum("cpu_us"), errors=Sum("errors"), last=Max("last_run_at"))
    failures = DetectorRun.objects.exclude(last_error="").order_by("day")
    errors = {(run.detector, run.version): run.last_error for run in failures}
    ran: dict[tuple[str, str], dict[str, Any]] = {(row["detector"], row["version"]): {**row} for row in totals}
    found = _findings()
    for name, version in dict.fromkeys([*ran, *found]):
        run, kept = ran.get((name, version)), found.get((name, version), {})
        decided = kept.get("decided", 0)
        yield {
            "title": words.detector(name),
            "name": name,
            "version": version,
            "games": run["games"] if run else 0,
            "errors": run["errors"] if run else 0,
            "per_game_ms": round(run["cpu"] / run["games"] / 1000, 1) if run and run["games"] else None,
            "last_error": errors.get((name, version), ""),
            "last_run_at": run["last"] if run else None,
            "found": kept.get("cases", 0),
            "decided": decided,
            "cleared_percent": round(100 * kept["cleared"] / decided) if decided else None,
        }


def _findings() -> dict[tuple[str, str], dict[str, Any]]:
    """Return for each detector and version the numbers of cases: all, decided, and cleared."""
    rows = KeptFinding.objects.exclude(case=None).order_by("detector").values("detector", "version")
    counted = rows.annotate(
        cases=Count("case", distinct=True),
        decided=Count("case", filter=Q(case__decision__isnull=False), distinct=True),
        cleared=Count("case", filter=Q(case__decision__outcome=Outcome.CLEAR), distinct=True),
    )
    return {(row["detector"], row["version"]): {**row} for row in counted}


@require_safe
def faults(request: HttpRequest) -> HttpResponse:
    """Show the games whose record does not replay, which is a fault of the server, not a suspicion."""
    reviewer = reviewer_of(request)
    broken = KeptFinding.objects.filter(detector=VERIFICATION, case__in=visible_cases(reviewer))
    rows = broken.select_related("player", "game", "case").order_by("-pk")[:ROWS]
    failed = DetectorRun.objects.filter(errors__gt=0).order_by("-day")[:ROWS]
    return desk_page(request, "desk/faults.html", {"title": _("Faults"), "rows": list(rows), "failed": list(failed)})


def open_faults(visible: QuerySet[Case]) -> int:
    """Return the number of waiting cases in which a record does not replay."""
    broken = KeptFinding.objects.filter(detector=VERIFICATION, case__in=visible.filter(state__in=UNDECIDED))
    return broken.values("case").distinct().count()
