"""The results of moderation, month by month, from the decision log alone."""

from collections import Counter, defaultdict
from datetime import datetime
from functools import lru_cache
from statistics import median
from typing import Annotated

from msgspec import Meta

from games.doors.wire import JsonObject, Number
from leaderboards.boards.wire import MonthName
from leaderboards.moderation.models import Act, LogLine, Outcome
from leaderboards.moderation.reports import BY_REPORT

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


def report() -> list[ModerationMonth]:
    """Return all months with decisions, newest first; they are counted again when the log has grown."""
    return _report(LogLine.objects.order_by("-number").values_list("salt", flat=True).first() or "")


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
