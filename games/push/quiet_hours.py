"""The hours in which a player's devices stay quiet."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from games.players.models import Player
from games.push.models import QuietHours

AT_FIRST = 22, 8
HOURS = 24


def is_time_zone(name: str) -> bool:
    """Return True for the name of a time zone, such as Europe/Berlin."""
    return name in available_timezones()


def quiet_hours_of(player: Player) -> QuietHours | None:
    return QuietHours.objects.filter(player=player).first()


def keep_quiet(player: Player, time_zone: str, begins: int, ends: int) -> QuietHours:
    """Set a player's quiet hours, full hours by the clock of a time zone; none if they begin and end together."""
    hours = {"time_zone": time_zone, "begins": begins, "ends": ends}
    return QuietHours.objects.update_or_create(player=player, defaults=hours)[0]


def keep_quiet_at_night(player: Player, time_zone: str) -> None:
    """Give a player quiet hours at night, unless the player has had a choice already."""
    begins, ends = AT_FIRST
    hours = {"time_zone": time_zone, "begins": begins, "ends": ends}
    QuietHours.objects.get_or_create(player=player, defaults=hours)


def zone_of(hours: QuietHours | None) -> ZoneInfo:
    """Return the time zone of a player, UTC if it is not known."""
    return ZoneInfo(hours.time_zone if hours else "UTC")


def quiet_until(hours: QuietHours | None, now: datetime) -> datetime | None:
    """Return when the quiet hours end, or None if it is none of them."""
    if hours is None:
        return None
    here = now.astimezone(zone_of(hours))
    length, since = (hours.ends - hours.begins) % HOURS, (here.hour - hours.begins) % HOURS
    if since >= length:
        return None
    # By the player's clock, which may be set to summer time meanwhile.
    end = here.replace(hour=hours.ends, minute=0, second=0, microsecond=0)
    return (end if end > here else end + timedelta(days=1)).astimezone(UTC)
