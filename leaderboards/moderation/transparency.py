"""The results of moderation, month by month, from the decision log alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from statistics import median
from typing import Any, Protocol

from leaderboards.moderation.models import Act, LogHead, LogLine, Outcome

IN_FAVOUR = (Outcome.CLEAR, Outcome.REINSTATE, Outcome.UNBAN)
SECONDS_PER_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Month:
    """Moderation in a month, like `2026-11`: times in hours from opening, or from an appeal, to the decision."""

    month: str
    opened: int
    reported: int
    decided: dict[str, int]
    median_hours: float | None
    longest_hours: float | None
    appeals: int
    appeals_answered: int
    appeals_upheld: int


@dataclass(slots=True)
class _Counts:
    opened: int = 0
    reported: int = 0
    appeals: int = 0
    answered: int = 0
    upheld: int = 0


class Line(Protocol):
    """The part of a line of the log that the figures are made of."""

    at: datetime
    act: str
    case_id: int
    outcome: str
    facts: dict[str, Any]


def report() -> list[Month]:
    """Return all months with decisions, newest first; they are counted again when the log has grown."""
    return _report(LogHead.objects.values_list("link", flat=True).first() or "")


@lru_cache(maxsize=1)
def _report(link: str) -> list[Month]:
    lines = LogLine.objects.order_by("number").values_list("at", "act", "case_id", "outcome", "facts", named=True)
    return report_of(lines.iterator(1000))


def report_of(lines: Iterable[Line]) -> list[Month]:
    """Sum up lines of the log by month, in their order."""
    counts: dict[str, _Counts] = defaultdict(_Counts)
    decided: dict[str, Counter[str]] = defaultdict(Counter)
    hours: dict[str, list[float]] = defaultdict(list)
    waiting: dict[int, datetime] = {}
    for line in lines:
        month = f"{line.at:%Y-%m}"
        own = counts[month]
        match line.act:
            case Act.OPENED:
                own.opened += 1
                waiting[line.case_id] = line.at
            case Act.APPEALED:
                own.appeals += 1
                waiting[line.case_id] = line.at
            case Act.DECIDED:
                decided[month][line.outcome] += 1
                if since := waiting.pop(line.case_id, None):
                    hours[month].append((line.at - since).total_seconds() / SECONDS_PER_HOUR)
                own.answered += line.facts["appeal"]
                own.upheld += line.facts["appeal"] and line.outcome in IN_FAVOUR
        own.reported += line.facts.get("by") == "report"
    return [_month(month, counts[month], decided[month], hours[month]) for month in sorted(counts, reverse=True)]


def _month(month: str, counts: _Counts, decided: Counter[str], hours: list[float]) -> Month:
    return Month(
        month=month,
        opened=counts.opened,
        reported=counts.reported,
        decided={outcome.value: decided[outcome] for outcome in Outcome if decided[outcome]},
        median_hours=round(median(hours), 1) if hours else None,
        longest_hours=round(max(hours), 1) if hours else None,
        appeals=counts.appeals,
        appeals_answered=counts.answered,
        appeals_upheld=counts.upheld,
    )
