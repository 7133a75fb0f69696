"""The results of moderation, month by month: from the decision log, and from the decisions about names."""

from collections import Counter, defaultdict
from datetime import datetime
from functools import lru_cache
from statistics import median
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from games.doors.wire import JsonObject, Number
from leaderboards.boards.wire import MonthName
from leaderboards.moderation.models import Act, LogLine, Outcome
from leaderboards.moderation.reports import BY_REPORT
from leaderboards.reporting.figures import decisions_by_month

IN_FAVOUR = (Outcome.CLEAR, Outcome.REINSTATE, Outcome.UNBAN)
SECONDS_PER_HOUR = 3600
Hours = Annotated[float, Meta(ge=0)]


class ModerationMonth(JsonObject, frozen=True):
    """The results of moderation in a month."""

    month: MonthName
    opened: Annotated[Number, Meta(description="Cases opened.")]
    reported: Annotated[Number, Meta(description="Reports by players.")]
    decided: Annotated[dict[str, Number], Meta(description="Decisions by outcome.")]
    median_hours: Annotated[Hours | None, Meta(description="From opening, or from an appeal, to the decision.")]
    longest_hours: Hours | None
    appeals: Number
    appeals_answered: Number
    appeals_upheld: Annotated[Number, Meta(description="Answered in favour of the player.")]
    names_decided: Annotated[Number, Meta(description="Decisions about names of clubs and tournaments.")] = 0
    names_removed: Annotated[
        Number, Meta(description="Those that removed a name or description, or closed a club.")
    ] = 0


def report() -> list[ModerationMonth]:
    """Return all months with decisions, newest first; those of the log are counted again when it has grown."""
    newest = LogLine.objects.order_by("-number").values_list("salt", flat=True).first() or ""
    months, names = {one.month: one for one in _report(newest)}, decisions_by_month()
    for month, count in names.items():
        known = months.get(month) or _month(month, Counter(), Counter(), [])
        months[month] = replace(known, names_decided=count.total(), names_removed=count[True])
    return [months[month] for month in sorted(months, reverse=True)]


def lines_of_log() -> int:
    return LogLine.objects.order_by("-number").values_list("number", flat=True).first() or 0


@lru_cache(maxsize=1)
def _report(newest: str) -> list[ModerationMonth]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    decided: dict[str, Counter[str]] = defaultdict(Counter)
    hours: dict[str, list[float]] = defaultdict(list)
    waiting: dict[int, datetime] = {}
    lines = LogLine.objects.order_by("number").values_list("at", "act", "case_id", "outcome", "facts")
    for at, act, case_id, outcome, facts in lines.iterator(1000):
        month = f"{at:%Y-%m}"
        count = counts[month]
        match act:
            case Act.OPENED | Act.APPEALED:
                count[act] += 1
                waiting[case_id] = at
            case Act.DECIDED:
                decided[month][outcome] += 1
                if since := waiting.pop(case_id, None):
                    hours[month].append((at - since).total_seconds() / SECONDS_PER_HOUR)
                count["answered"] += facts["appeal"]
                count["upheld"] += facts["appeal"] and outcome in IN_FAVOUR
        count["reported"] += facts.get("by") == BY_REPORT
    return [_month(month, counts[month], decided[month], hours[month]) for month in sorted(counts, reverse=True)]


def _month(month: str, counts: Counter[str], decided: Counter[str], hours: list[float]) -> ModerationMonth:
    return ModerationMonth(
        month=month,
        opened=counts[Act.OPENED],
        reported=counts["reported"],
        decided={outcome.value: decided[outcome] for outcome in Outcome if decided[outcome]},
        median_hours=round(median(hours), 1) if hours else None,
        longest_hours=round(max(hours), 1) if hours else None,
        appeals=counts[Act.APPEALED],
        appeals_answered=counts["answered"],
        appeals_upheld=counts["upheld"],
    )
