"""Clubs as circles, whose members have races and tournaments of their own."""

from collections.abc import Iterator

from django.db.models import OuterRef, Subquery

from games.players.models import Player
from games.races.circles import Circle
from leaderboards.clubs.models import Membership, Role
from leaderboards.clubs.reading import in_rank


def circles_of_member(player: Player) -> Iterator[Circle]:
    """Yield the clubs that a player is in; the owner and officers speak for a club."""
    first = in_rank(Membership.objects.filter(club=OuterRef("club"))).values("pk")[:1]
    inside = player.club_memberships.filter(left_at=None).annotate(owner=Subquery(first)).select_related("club")
    is_banned = player.banned_at is not None
    for one in inside.order_by("joined_at", "pk"):
        yield Circle(one.club_id, one.club.name, one.pk == one.owner or (one.role <= Role.OFFICER and not is_banned))


def members_of_club(club_id: str) -> list[int]:
    """Return the members of a club."""
    inside = Membership.objects.filter(club=club_id, left_at=None, player__is_active=True)
    return list(inside.values_list("player", flat=True))
