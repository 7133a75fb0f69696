"""Clubs as circles, whose members have races and tournaments of their own."""

from collections.abc import Iterator

from games.players.models import Player
from games.races.circles import Circle
from leaderboards.clubs.models import Membership, Role


def circles_of_member(player: Player) -> Iterator[Circle]:
    """Yield the clubs that a player is in; the owner and officers speak for a club."""
    inside = player.club_memberships.filter(left_at=None).select_related("club").order_by("joined_at", "pk")
    return (Circle(one.club_id, one.club.name, one.role <= Role.OFFICER) for one in inside)


def members_of_club(club_id: str) -> list[int]:
    """Return the members of a club."""
    inside = Membership.objects.filter(club=club_id, left_at=None, player__is_active=True)
    return list(inside.values_list("player", flat=True))
