"""The tables of a club: those that exist, narrowed to its members."""

from datetime import UTC, datetime, time

from django.db.models import Q

from leaderboards.boards.catalog import BoardKey
from leaderboards.clubs.models import Club


def members_who_count(club: Club, key: BoardKey, at: datetime) -> list[int]:
    """Return the players who count on a club's table at a time: its members when the last day so far opened."""
    opened = datetime.combine(min(key.last, at.date()), time.min, UTC)
    inside = Q(left_at=None) | Q(left_at__gt=opened)
    counting = club.memberships.filter(inside, joined_at__lte=opened).order_by("player")
    return list(counting.values_list("player", flat=True))
