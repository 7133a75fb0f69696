"""Find the times when no server was up, so that games are not charged for them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings

from games.play.models import Uptime
from games.play.session import MILLISECOND, Pause

# Longer than any ranked attempt.
KEPT = timedelta(days=7)

# The time of this process's first heartbeat that was written.
_up_since: datetime | None = None


def record_heartbeat(stretch: Uptime | None, now: datetime) -> Uptime:
    """Record that this server process is up, and return the interval that the next heartbeat extends.

    A running process is up from its first heartbeat on. A late heartbeat leaves no gap, so that nobody can gain time
    by keeping the database or the process busy.
    """
    global _up_since  # noqa: PLW0603  of the process
    since = stretch.since if stretch is not None else now
    going_on = _go_on(stretch, now) if stretch is not None else None
    stretch = going_on or Uptime.objects.create(since=since, until=max(since, now))
    _up_since = since
    return stretch


def was_up_since(moment: datetime) -> bool:
    """Return True if this process has been up since a time, so that there was no downtime."""
    return (_up_since is not None and _up_since <= moment) or not settings.PYRAMID_HEARTBEAT_SECONDS


def forget_old_uptime(now: datetime) -> int:
    """Delete the intervals that no attempt can still need, and return how many."""
    return Uptime.objects.filter(until__lt=now - KEPT).delete()[0]


def uptime_between(start: datetime, end: datetime) -> list[Uptime]:
    """Return the recorded intervals between two times, in order; none if heartbeats are not recorded."""
    if not settings.PYRAMID_HEARTBEAT_SECONDS:
        return []
    known = Uptime.objects.filter(until__gte=start - 2 * _interval(), since__lte=end)
    return list(known.order_by("since"))


def downtimes(start: datetime, end: datetime, known: Sequence[Uptime] | None = None) -> list[tuple[datetime, datetime]]:
    """Return the intervals between two times in which no server process was up; one was up at the start.

    A downtime begins when a process dies, at the latest one period after its last heartbeat, and ends when a process
    comes back. Without records no downtime is assumed; the calling process is up. `known` is what `uptime_between`
    returns for these times or for a wider range.
    """
    known = uptime_between(start, end) if known is None else known
    recent = [stretch for stretch in known if stretch.until >= start - 2 * _interval()]
    stretches = [(stretch.since, stretch.until + _interval()) for stretch in recent]
    if settings.PYRAMID_HEARTBEAT_SECONDS and _up_since is not None and _up_since <= end:
        stretches = sorted([*stretches, (_up_since, end)])
    # The time before the first record counts as up: perhaps nothing was recorded then.
    down, up_to = [], max(start, stretches[0][0]) if stretches else start
    for since, until in stretches:
        if since > up_to:
            down.append((up_to, since))
        up_to = max(up_to, until)
    return down


def pauses_of(started_at: datetime, now: datetime, known: Sequence[Uptime] | None = None) -> tuple[Pause, ...]:
    """Return the pauses of a game's clock, since its start, while no server was up; `known` as in `downtimes`."""
    if was_up_since(started_at):
        return ()
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


def _interval() -> timedelta:
    return timedelta(seconds=settings.PYRAMID_HEARTBEAT_SECONDS)
