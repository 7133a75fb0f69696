"""Join and leave clubs, and decide about the members of a club."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from games.notifications.notifications import notify
from games.players.models import Player
from games.players.names import find_player
from games.runtime.limits import Hit, count
from leaderboards.clubs import notifications
from leaderboards.clubs.models import Club, ClubAct, Membership, Outsider, Role
from leaderboards.clubs.reading import find_club, member_of, roster_of
from leaderboards.clubs.refusals import BannedFromClub, ByInvitation, ClubFull, NotInClub, NotOfficer, TooManyClubs

MOST_MEMBERS = 500
MOST_CLUBS = 10
ASKED, INVITED, BANNED = Outsider.State.ASKED, Outsider.State.INVITED, Outsider.State.BANNED


def join(club_id: str, player: Player, now: datetime) -> None:
    """Join a club, or ask to; repeating the call changes nothing.

    Raises `UnknownClub`, `BannedFromClub`, `ByInvitation`, `TooManyClubs`, `ClubFull` or `Throttled`.
    """
    count(Hit("club_joins", str(player.pk)))
    with transaction.atomic():
        club, roster = _locked(club_id)
        outsider = club.outsiders.filter(player=player).first()
        if outsider is not None and outsider.state == BANNED:
            raise BannedFromClub("this club has banned you")
        if any(one.player == player for one in roster) or (outsider is not None and outsider.state == ASKED):
            return
        if club.admission == Club.Admission.OPEN or outsider is not None:
            _enter(club, player, now)
        elif club.admission == Club.Admission.REQUEST:
            require_room(player, club)
            club.outsiders.create(player=player, state=ASKED, at=now)
        else:
            raise ByInvitation("this club takes only players whom it has invited")


def leave(club_id: str, player: Player, now: datetime) -> None:
    """Leave a club, take back a request or decline an invitation. Raises `UnknownClub`."""
    with transaction.atomic():
        club = _lock(club_id)
        club.outsiders.filter(player=player).exclude(state=BANNED).delete()
        if club.memberships.filter(player=player, left_at=None).update(left_at=now):
            note(club, "left", player, player, now)


class _Rule(NamedTuple):
    """The role that an act takes, and whether it is one on a member of a lower role."""

    role: Role
    is_on_member: bool


RULES = {
    "invite": _Rule(Role.OFFICER, is_on_member=False),
    "admit": _Rule(Role.OFFICER, is_on_member=False),
    "decline": _Rule(Role.OFFICER, is_on_member=False),
    "ban": _Rule(Role.OFFICER, is_on_member=False),
    "unban": _Rule(Role.OFFICER, is_on_member=False),
    "remove": _Rule(Role.OFFICER, is_on_member=True),
    "appoint": _Rule(Role.OWNER, is_on_member=True),
    "demote": _Rule(Role.OWNER, is_on_member=True),
    "hand_over": _Rule(Role.OWNER, is_on_member=True),
}


def manage(club_id: str, by: Player, act: str, handle: str, now: datetime) -> None:
    """Invite, admit, decline, ban, unban, remove, appoint or demote a player, or hand the club over.

    Raises `UnknownClub`, `NotInClub`, `NotOfficer`, `UnknownPlayer`, `BannedFromClub`, `TooManyClubs`, `ClubFull` or
    `Throttled`.
    """
    rule = RULES[act]
    with as_member(club_id, by, rule.role, handle) as (club, roster):
        player = find_player(handle)
        is_member = any(one.player == player for one in roster)
        if is_member and not rule.is_on_member and act != "ban":
            return
        if is_member or rule.is_on_member:
            done = _act_on_member(act, member_of(roster, player), member_of(roster, by), now)
        else:
            done = _act_on_outsider(act, club, player, now)
        if done:
            note(club, done, by, player, now)
            _notify(done, club, by, player, now)


def _act_on_member(act: str, member: Membership, by: Membership, now: datetime) -> str:
    """Return the act, or "" if nothing has changed."""
    if member.role <= by.role:
        raise NotOfficer("this takes a higher role than that of the member")
    leaves = act in {"ban", "remove"}
    if not leaves and member.role == ROLES_GIVEN[act]:
        return ""
    change = {"left_at": now} if leaves else {"role": ROLES_GIVEN[act]}
    if not member.club.memberships.filter(pk=member.pk, left_at=None).update(**change):
        raise NotInClub(f"{member.player.username!r} has just left this club")
    if act == "ban":
        member.club.outsiders.create(player=member.player, state=BANNED, at=now)
    elif act == "hand_over":
        by.role = Role.OFFICER
        by.save(update_fields=["role"])
    return act


ROLES_GIVEN = {"appoint": Role.OFFICER, "demote": Role.MEMBER, "hand_over": Role.OWNER}


def _act_on_outsider(act: str, club: Club, player: Player, now: datetime) -> str:
    """Return what was done, or "" if nothing has changed: to invite a player who has asked is to admit the player."""
    outsider = club.outsiders.filter(player=player).first()
    state = outsider.state if outsider else None
    if act == "ban":
        if state == BANNED:
            return ""
        club.outsiders.update_or_create(player=player, defaults={"state": BANNED, "at": now})
    elif act in {"invite", "admit"} and state == ASKED:
        _enter(club, player, now)
        return "admit"
    elif act == "invite":
        if state == BANNED:
            raise BannedFromClub("this club has banned this player")
        _, is_new = club.outsiders.get_or_create(player=player, defaults={"state": INVITED, "at": now})
        return act if is_new else ""
    elif outsider is None or act != UNDONE_BY[outsider.state]:
        raise NotInClub(f"{player.username!r} has not asked to join this club")
    else:
        outsider.delete()
    return act


def _notify(done: str, club: Club, by: Player, player: Player, now: datetime) -> None:
    """Notify a player of an invitation or an admission, once for each club. A banned player hears of nothing."""
    if player.banned_at is not None:
        return
    if done == "invite":
        facts = {"club": club.pk, "name": club.name, "by": by.listed_name}
        notify(notifications.INVITED, {player.pk: facts}, club.pk, now, sender=by)
    elif done == "admit":
        notify(notifications.ADMITTED, {player.pk: {"club": club.pk, "name": club.name}}, club.pk, now)


UNDONE_BY = {ASKED.value: "decline", INVITED.value: "decline", BANNED.value: "unban"}


def require_room(player: Player, club: Club | None = None) -> None:
    """Lock a player within a transaction. Raises `TooManyClubs` if the player cannot join a club."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    inside = player.club_memberships.filter(left_at=None).count()
    if inside + player.outside_clubs.filter(state=ASKED).exclude(club=club).count() >= MOST_CLUBS:
        raise TooManyClubs(f"{player.username!r} is in {MOST_CLUBS} clubs, or has asked to join them")


def note(club: Club, act: str, by: Player, about: Player | None, now: datetime) -> None:
    """Write a line in the log of a club."""
    ClubAct.objects.create(club=club, act=act, by=by, about=about, at=now)


@contextmanager
def as_member(club_id: str, player: Player, role: Role, about: str = "") -> Iterator[tuple[Club, list[Membership]]]:
    """Lock a club for a member of some role or a higher one. Raises `UnknownClub`, `NotInClub` or `NotOfficer`."""
    count(Hit("club_acts", str(player.pk)), *([Hit("club_acts_on_one", f"{player.pk}:{about}")] if about else []))
    with transaction.atomic():
        club, roster = _locked(club_id)
        require_role(roster, player, role)
        yield club, roster


def require_role(roster: list[Membership], player: Player, role: Role) -> None:
    """Raise `NotInClub` or `NotOfficer` unless a player has some role or a higher one."""
    if member_of(roster, player).role > role:
        raise NotOfficer(f"only {'the owner' if role == Role.OWNER else 'an officer'} of this club can do that")


def _lock(club_id: str) -> Club:
    """Return a club, locked before any of its members are, or two acts would wait for each other."""
    return Club.objects.select_for_update().get(pk=find_club(club_id).pk)


def _locked(club_id: str) -> tuple[Club, list[Membership]]:
    """Lock a club, and write down who leads it, so that no later officer takes precedence."""
    club = _lock(club_id)
    roster = roster_of(club)
    club.memberships.filter(pk=roster[0].pk).exclude(role=Role.OWNER).update(role=Role.OWNER)
    club.memberships.filter(pk__in=[one.pk for one in roster[1:] if one.player.banned_at]).update(role=Role.MEMBER)
    return club, roster


def _enter(club: Club, player: Player, now: datetime) -> None:
    require_room(player, club)
    if club.memberships.filter(left_at=None).count() >= MOST_MEMBERS:
        raise ClubFull(f"this club has {MOST_MEMBERS} members, and no room for more")
    club.outsiders.filter(player=player).delete()
    club.memberships.create(player=player, joined_at=now)
    note(club, "joined", player, player, now)
