"""Find clubs, and what they are to a reader."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, QuerySet

from games.players.models import Player
from games.runtime.limits import Hit, count
from leaderboards.clubs.models import Club, Membership, Outsider, Role
from leaderboards.clubs.refusals import NotInClub, UnknownClub


@dataclass(frozen=True)
class KnownClub:
    """A club with its members, the first of whom is its owner, and its reader in it or outside."""

    club: Club
    roster: list[Membership]
    reader: Player | None
    outsider: Outsider | None

    @property
    def own(self) -> Membership | None:
        return next((one for one in self.roster if one.player == self.reader), None)

    @property
    def is_led(self) -> bool:
        """True if the reader is the owner or an officer."""
        return self.own is not None and self.own.role <= Role.OFFICER

    @property
    def you(self) -> str | None:
        """The role of the reader in the club, or the state outside."""
        if self.own is not None:
            return Role(self.own.role).name.lower()
        return self.outsider.state if self.outsider else None

    @property
    def outsiders(self) -> list[Outsider]:
        """Those outside whom the club knows; none for readers who do not lead it."""
        return list(self.club.outsiders.filter(player__is_active=True).select_related("player")) if self.is_led else []


def in_rank(memberships: QuerySet[Membership]) -> QuerySet[Membership]:
    """Return the present members of clubs by rank: of each club the first is its owner; banned players are the last."""
    present = memberships.filter(left_at=None, player__is_active=True)
    return present.order_by(F("player__banned_at").asc(nulls_first=True), "role", "joined_at", "pk")


def roster_of(club: Club) -> list[Membership]:
    """Return the members of a club. Raises `UnknownClub` if there are none."""
    roster = list(in_rank(club.memberships.all()).select_related("player"))
    if not roster:
        raise UnknownClub("this club has no members any more")
    for one in roster:
        if one.player.banned_at is not None:
            one.role = Role.MEMBER
    roster[0].role = Role.OWNER  # the one before may be gone
    return roster


def member_of(roster: list[Membership], player: Player) -> Membership:
    """Return a member. Raises `NotInClub`."""
    for member in roster:
        if member.player == player:
            return member
    raise NotInClub(f"{player.username!r} is not a member of this club")


def find_club(club_id: str) -> Club:
    """Return a club. Raises `UnknownClub`."""
    club = Club.objects.filter(pk=club_id).first()
    if club is None:
        raise UnknownClub(f"there is no club {club_id!r}")
    return club


def find_by_code(code: str, address: str) -> Club:
    """Return the club with a code; every try counts. Raises `UnknownClub` or `Throttled`."""
    count(Hit("club_codes", address))
    club = Club.objects.filter(code=code.upper()).first()
    if club is None:
        raise UnknownClub("there is no club with these letters")
    return club


def read_club(club: Club, reader: Player | None) -> KnownClub:
    """Return a club as its reader knows it. Raises `UnknownClub`."""
    outsider = club.outsiders.filter(player=reader).first() if reader else None
    return KnownClub(club, roster_of(club), reader, outsider)


def clubs_of(player: Player) -> list[tuple[Club, str]]:
    """Return the clubs that a player is in, the first joined first, and those that wait; with the role or state."""
    inside = player.club_memberships.filter(left_at=None).select_related("club").order_by("joined_at", "pk")
    outside = player.outside_clubs.exclude(state=Outsider.State.BANNED).select_related("club")
    roles = [(one.club, read_club(one.club, player).you or "") for one in inside]
    return [*roles, *((one.club, one.state) for one in outside)]


def clubs_led_by(player: Player) -> list[Club]:
    """Return the clubs whose owner or officer a player is."""
    inside = player.club_memberships.filter(left_at=None).select_related("club").order_by("joined_at", "pk")
    return [one.club for one in inside if read_club(one.club, player).is_led]
