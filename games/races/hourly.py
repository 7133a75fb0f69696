"""The hourly race: public, and opened by the server itself."""

from datetime import datetime, timedelta

from django.conf import settings

from games.races.models import Race
from games.races.rooms import Terms, create_public

TERMS = Terms(rules="standard", countdown_s=30, is_public=True)


def ensure_hourly_race(now: datetime) -> Race | None:
    """Open the room for the race of the next full hour; return it if it is new. Safe in several processes at once."""
    if not settings.PYRAMID_HOURLY_RACE:
        return None
    hour = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return create_public(TERMS, hour, now)
