"""When no server was up, so that games are not charged for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings

from games.models import Uptime
from games.session import MILLISECOND, Pause

# Longer than any ranked attempt can last.
KEPT = timedelta(days=7)

# Since when this process has been up, and until when it may be taken to be.
_own: tuple[datetime, datetime] | None = None


def beat(stretch: Uptime | None, now: datetime) -> Uptime:
    """Note that this server process is up, and return the stretch of time that the next heartbeat goes on with.

    A heartbeat that comes late, because the process or its database stood still, begins a new one.
    """
    global _own  # noqa: PLW0603  of the process
    going_on = _go_on(stretch, now) if stretch is not None and now - stretch.until <= _patience() else None
    stretch = going_on or Uptime.objects.create(since=now, until=now)
    _own = stretch.since, stretch.until + _patience()
    return stretch


def was_up_since(moment: datetime, now: datetime) -> bool:
    """Tell whether no heartbeat of this process is missing between two times. One that is missing may be credited."""
    if _own is not None and _own[0] <= moment and now <= _own[1]:
        return True
    return not settings.PYRAMID_HEARTBEAT_SECONDS


def forget_old_uptime(now: datetime) -> int:
    """Delete what no attempt can need any more, and return how much."""
    return Uptime.objects.filter(until__lt=now - KEPT).delete()[0]


def uptime_between(start: datetime, end: datetime) -> list[Uptime]:
    """Return what is known of the time between, in order; nothing where no heartbeats are kept."""
    if not settings.PYRAMID_HEARTBEAT_SECONDS:
        return []
    return list(Uptime.objects.filter(until__gte=start - _patience(), since__lte=end).order_by("since"))


def downtimes(start: datetime, end: datetime, known: Sequence[Uptime] | None = None) -> list[tuple[datetime, datetime]]:
    """Return the stretches between two times in which no server process was up; one was at the start.

    Where nothing is known, none is assumed. Up to now the last heartbeat may just be due. `known` is what
    `uptime_between` returns for these times or for earlier ones too.
    """
    stretches = [
        stretch
        for stretch in (uptime_between(start, end) if known is None else known)
        if stretch.until >= start - _patience()
    ]
    if not stretches:
        return []
    down, up_to = [], max(start, stretches[0].since)
    for stretch in stretches:
        if stretch.since > up_to:
            down.append((up_to, stretch.since))
        up_to = max(up_to, stretch.until)
    return [*down, (up_to, end)] if end - up_to > _patience() else down


def pauses_of(started_at: datetime, now: datetime, known: Sequence[Uptime] | None = None) -> tuple[Pause, ...]:
    """Return when the clock of a game that started then stood still because no server was up; `known` as above."""
    return tuple(
        Pause((start - started_at) // MILLISECOND, (end - started_at) // MILLISECOND)
        for start, end in downtimes(started_at, now, known)
    )


def _go_on(stretch: Uptime, now: datetime) -> Uptime | None:
    until = max(now, stretch.until)
    if not Uptime.objects.filter(pk=stretch.pk).update(until=until):
        return None
    stretch.until = until
    return stretch


def _patience() -> timedelta:
    return timedelta(seconds=2 * settings.PYRAMID_HEARTBEAT_SECONDS)
