"""The tables of a club: those that exist, narrowed to its members."""

from datetime import UTC, datetime, time

from django.db.models import Q

from games.runtime.memory import Memory
from leaderboards.boards.catalog import BoardKey
from leaderboards.boards.ranking.view import View
from leaderboards.boards.reading import narrowed
from leaderboards.clubs.reading import find_club
from leaderboards.seasons import seasons
from leaderboards.seasons.models import Season

MOST_READ = 1000

# Those of a day that has opened stay: joining and leaving count from the next one on.
_members: Memory[tuple[int, ...]] = Memory("clubs.members", MOST_READ)


def narrowed_to_club(club_id: str, view: View, at: datetime) -> View:
    """Narrow a view to the members of a club who count at a time. Raises `UnknownClub`."""
    return narrowed(view, members_who_count(club_id, view.board.key, at))


def season_of_club(club_id: str, season: Season) -> View:
    """Return the table of a season, narrowed to those who were members when its last day opened.

    Raises `UnknownClub`.
    """
    return narrowed_to_club(club_id, seasons.view_of(season), season.closed_at)


def members_who_count(club_id: str, key: BoardKey, at: datetime) -> tuple[int, ...]:
    """Return the players who count on a club's table at a time: its members when the last day so far opened.

    Raises `UnknownClub`.
    """
    opened = last_opening(key, at)
    return _members.get(f"{club_id} {opened}", lambda: _members_at(club_id, opened)) or ()


def _members_at(club_id: str, opened: datetime) -> tuple[int, ...]:
    counting = find_club(club_id).memberships.filter(inside_at(opened)).order_by("player")
    return tuple(counting.values_list("player", flat=True))


def last_opening(key: BoardKey, at: datetime) -> datetime:
    """Return when the last day so far of a board opened."""
    return datetime.combine(min(key.last, at.date()), time.min, UTC)


def inside_at(opened: datetime, memberships: str = "") -> Q:
    """Return the condition that finds memberships at a time, by the path that leads to them."""
    left_later = Q(**{f"{memberships}left_at": None}) | Q(**{f"{memberships}left_at__gt": opened})
    return left_later & Q(**{f"{memberships}joined_at__lte": opened})
