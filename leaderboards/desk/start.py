"""The start page: pending work, problems, and the day's events."""

from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import Count, Min, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.calendar.models import DailyDeal
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.desk import words
from leaderboards.desk.clubs import CLUBS
from leaderboards.desk.cups import CUPS
from leaderboards.desk.doors import now
from leaderboards.desk.lists import open_faults
from leaderboards.desk.retested import running_retests
from leaderboards.desk.rows import rows_of, with_evidence
from leaderboards.moderation import log
from leaderboards.moderation.cases import MODERATE, visible_cases
from leaderboards.moderation.evidence_models import DetectorRun
from leaderboards.moderation.models import Act, Case, LogLine, Outcome
from leaderboards.moderation.reading import View, counts_of, queue_of

LAST = 100  # decisions that the figures are made of


def today_of(request: HttpRequest) -> dict[str, Any]:
    """Return the contents of the start page; the part about cases is for reviewers only."""
    reader, at = request.user, now()
    shown: dict[str, Any] = {"days": _days(at) if reader.has_perm("games.view_dailydeal") else []}
    if not (isinstance(reader, Player) and reader.has_perm(MODERATE)):
        return shown
    visible = visible_cases(reader)
    counts = counts_of(visible, reader, at)
    waiting = queue_of(visible, View.OPEN, reader, at)
    oldest = waiting.order_by().aggregate(first=Min("opened_at"))["first"]
    check, failed = log.last_check(), _failed(at)
    return shown | {
        "moderates": True,
        "counts": {view.name.lower(): number for view, number in counts.items()},
        "oldest": words.age(at - oldest) if oldest else "",
        **_last_decisions(visible),
        "next": rows_of(with_evidence(waiting, 0, 3), reader, at),
        "sittings": running_retests(visible, at),
        "faults": open_faults(visible),
        "clubs": CLUBS.reported(reader).count(),
        "cups": CUPS.reported(reader).count(),
        "failed": failed,
        "check": check,
        "log_mistake": check.mistake if check else "",
    }


def _days(at: datetime) -> list[dict[str, Any]]:
    dailies = DailyDeal.objects.filter(day__range=(at.date() - timedelta(days=1), at.date()))
    counted = dailies.annotate(played=Count("attempts")).order_by("-day", "rules", "division")
    return [
        {
            "daily": daily,
            "title": _(RULE_SETS[daily.rules].title),
            "state": daily.key.state(at).value,
            "played": getattr(daily, "played", 0),
        }
        for daily in counted
    ]


def _last_decisions(visible: QuerySet[Case]) -> dict[str, Any]:
    """Return the median time to a decision, and how many cleared of how many, of the last ones."""
    made = LogLine.objects.filter(act=Act.DECIDED, case__in=visible)
    decided = list(made.select_related("case").order_by("-number")[:LAST])
    seconds = [(line.at - line.case.opened_at).total_seconds() for line in decided]
    cleared = sum(line.outcome == Outcome.CLEAR for line in decided)
    half = words.age(timedelta(seconds=median(seconds))) if seconds else ""
    return {"half": half, "cleared": (cleared, len(decided)), "last": decided[0] if decided else None}


def _failed(at: datetime) -> list[str]:
    """Return the detectors that failed today or yesterday."""
    runs = DetectorRun.objects.filter(errors__gt=0, day__gte=at.date() - timedelta(days=1)).order_by("detector")
    return [words.detector(name) for name in runs.values_list("detector", flat=True).distinct()]
