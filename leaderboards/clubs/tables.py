"""The tables of a club: those that exist, narrowed to its members."""

from datetime import UTC, datetime, time

from django.db.models import Q

from leaderboards.boards.catalog import BoardKey
from leaderboards.clubs.models import Club


def members_who_count(club: Club, key: BoardKey, at: datetime) -> list[int]:
    """Return the players who count on a club's table at a time: its members when the last day so far opened."""
    counting = club.memberships.filter(inside_at(last_opening(key, at))).order_by("player")
    return list(counting.values_list("player", flat=True))


def last_opening(key: BoardKey, at: datetime) -> datetime:
    """Return when the last day so far of a board opened."""
    return datetime.combine(min(key.last, at.date()), time.min, UTC)


def inside_at(opened: datetime, memberships: str = "") -> Q:
    """Return the condition that finds memberships at a time, by the path that leads to them."""
    left_later = Q(**{f"{memberships}left_at": None}) | Q(**{f"{memberships}left_at__gt": opened})
    return left_later & Q(**{f"{memberships}joined_at__lte": opened})
