"""The state of the server, and the share of what players asked for that they got in time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.db.models import Q, Sum

from games.runtime.objectives import Objective, objectives
from games.status.models import ServiceHour

PartName = Literal["play", "live", "days", "work"]
State = Literal["ok", "failing", "unknown"]
# What each part needs of what the server examines about itself.
PARTS: dict[PartName, tuple[str, ...]] = {
    "play": ("database", "migrations", "clock"),
    "live": ("redis",),
    "days": ("days",),
    "work": ("worker", "tasks"),
}
PERIODS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}

# Registered by who examines the server: the verdict of each check, "ok", "failing" or "unknown".
examiners: list[Callable[[], Mapping[str, str]]] = []


@dataclass(frozen=True, slots=True)
class Kept:
    """The share that was in time in the last 24 hours, 7 days and 30 days; None if nothing was asked for."""

    objective: Objective
    day: float | None
    week: float | None
    month: float | None

    @property
    def is_promise_kept(self) -> bool:
        """True unless fewer than promised were in time in the last 24 hours."""
        return self.day is None or self.day >= self.objective.promised


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The state of each part, and the shares of each objective."""

    parts: dict[PartName, State]
    objectives: list[Kept]


def status_of_server(now: datetime) -> ServerStatus:
    """Return how the server is; waits until it has been examined."""
    verdicts = {check: verdict for examine in examiners for check, verdict in examine().items()}
    return ServerStatus({name: _state(verdicts, checks) for name, checks in PARTS.items()}, list(_kept(now)))


def _state(verdicts: Mapping[str, str], checks: tuple[str, ...]) -> State:
    found = {verdicts.get(check, "unknown") for check in checks}
    if "failing" in found:
        return "failing"
    return "unknown" if "unknown" in found else "ok"


def _kept(now: datetime) -> Iterator[Kept]:
    sums = {
        f"{period}_{field}": Sum(field, filter=Q(hour__gt=now - length), default=0)
        for period, length in PERIODS.items()
        for field in ("total", "missed")
    }
    recent = ServiceHour.objects.filter(hour__gt=now - max(PERIODS.values()))
    counts: dict[str, Mapping[str, Any]] = {}
    for row in recent.order_by().values("objective").annotate(**sums):
        counts[row["objective"]] = row
    for objective in objectives.values():
        own = counts.get(objective.name, {})
        shares = {period: _share(own.get(f"{period}_total", 0), own.get(f"{period}_missed", 0)) for period in PERIODS}
        yield Kept(objective, **shares)


def _share(total: int, missed: int) -> float | None:
    """Return the share that was in time, rounded down: a single miss among millions is not none."""
    return (total - missed) * 10_000 // total / 10_000 if total else None
