"""The log of a club, as its members may read it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.players.models import Player
from leaderboards.clubs.models import Club, ClubAct, Membership, Role
from leaderboards.clubs.reading import member_of, roster_of

DUELS = ("propose_duel", "accept_duel", "decline_duel", "withdraw_duel")
FOR_MEMBERS = ("founded", "changed", "joined", "left", "appoint", "demote", "hand_over", *DUELS)
ENDINGS = ("remove", "ban")


class Line(NamedTuple):
    """A line of a log; a player is None if the account was deleted."""

    id: int
    at: datetime
    act: str
    by: Player | None
    about: Player | None


def log_of(club: Club, reader: Player, before: int | None, limit: int) -> list[Line]:
    """Return lines of the log, newest first: all for the owner and officers, changes of the club for other members.

    Raises `UnknownClub` or `NotInClub`.
    """
    is_led = member_of(roster_of(club), reader).role <= Role.OFFICER
    acts = club.acts.select_related("by", "about")
    acts = acts.filter(pk__lt=before) if before else acts
    return [_line(row, is_led=is_led) for row in (acts if is_led else _for_members(acts))[:limit]]


def _for_members(acts: QuerySet[ClubAct]) -> QuerySet[ClubAct]:
    """Return what changed the club or its roster: a ban ends a membership, or else concerns nobody inside."""
    ended = Membership.objects.filter(club=OuterRef("club"), player=OuterRef("about"), left_at=OuterRef("at"))
    return acts.filter(Q(act__in=FOR_MEMBERS) | Q(Exists(ended), act__in=ENDINGS))


def _line(row: ClubAct, *, is_led: bool) -> Line:
    """Return a line: to ordinary members a player who was removed or banned has left."""
    if is_led or row.act not in ENDINGS:
        return Line(row.pk, row.at, row.act, row.by, row.about)
    return Line(row.pk, row.at, "left", row.about, row.about)
