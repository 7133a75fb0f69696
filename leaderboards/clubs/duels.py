"""Duels: the officers of one club propose a week to another, and theirs accept or decline before it begins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from games.notifications.notifications import notify
from games.players.models import Player
from games.runtime.limits import Hit, count
from leaderboards.boards.catalog import POINTS_TABLE, BoardKey, Period
from leaderboards.clubs import notifications
from leaderboards.clubs.membership import as_member, note
from leaderboards.clubs.models import Club, Duel, Role
from leaderboards.clubs.reading import find_club, roster_of
from leaderboards.clubs.refusals import DuelAnswered, DuelImpossible, TooManyDuels, UnknownDuel

MOST_OFFERED = 5
MOST_DAYS_AHEAD = 56
State = Duel.State


@dataclass(frozen=True)
class Challenge:
    """A duel to propose: the other club, a week such as `2026-W48`, a rule set and a division."""

    opponent: str
    week: str
    rules: str = "standard"
    division: str = "open"

    def key(self, now: datetime) -> BoardKey:
        """Return the board that decides. Raises `DuelImpossible` unless its week is among the coming ones."""
        try:
            key = BoardKey.parse(f"{Period.WEEKLY}.{self.week}.{self.rules}.{self.division}.{POINTS_TABLE}")
        except ValueError as error:
            raise DuelImpossible(f"{self.week} has no table of {self.rules} in {self.division}") from error
        if not timedelta(0) < key.first - now.date() <= timedelta(days=MOST_DAYS_AHEAD):
            raise DuelImpossible(f"{self.week} is not one of the next {MOST_DAYS_AHEAD // 7} weeks")
        return key


@transaction.atomic
def propose(club_id: str, by: Player, challenge: Challenge, now: datetime) -> Duel:
    """Propose a duel to another club; repeating the call returns the same one.

    Raises `UnknownClub`, `NotInClub`, `NotOfficer`, `DuelImpossible`, `TooManyDuels` or `Throttled`.
    """
    count(Hit("duels", str(by.pk)))
    # Both, in one order: two clubs that propose to each other at the same moment would each wait for the other's row.
    list(Club.objects.select_for_update().filter(pk__in=(club_id, challenge.opponent)).order_by("pk"))
    with as_member(club_id, by, Role.OFFICER, challenge.opponent) as (club, _):
        key, opponent = challenge.key(now), find_club(challenge.opponent)
        officers = [one.player for one in roster_of(opponent) if one.role <= Role.OFFICER]
        if opponent == club:
            raise DuelImpossible("a club cannot duel itself")
        known = _open(now).filter(board=str(key), challenger__in=(club, opponent), opponent__in=(club, opponent))
        if duel := known.first():
            return _own(duel, club)
        if _open(now).filter(challenger=club, state=State.OFFERED).count() >= MOST_OFFERED:
            raise TooManyDuels(f"{MOST_OFFERED} duels that this club proposed are not answered yet")
        duel = club.duels_proposed.create(opponent=opponent, board=str(key), week=key.first, proposed_at=now)
        note(club, "propose_duel", by, None, now)
        _notify("offered", duel, officers, now)
    return duel


def answer(club_id: str, by: Player, duel_id: str, act: str, now: datetime) -> Duel:
    """Accept or decline a duel that another club has proposed, or withdraw a proposal of one's club.

    Raises `UnknownClub`, `NotInClub`, `NotOfficer`, `UnknownDuel`, `DuelAnswered` or `Throttled`.
    """
    with as_member(club_id, by, Role.OFFICER) as (club, _):
        side = "challenger" if act == "withdraw" else "opponent"
        duel = Duel.objects.select_for_update().filter(pk=duel_id, **{side: club}).first()
        if duel is None:
            raise UnknownDuel("no such duel waits for this club")
        if duel.state == ANSWERS[act]:
            return duel
        if duel.state != State.OFFERED or duel.week <= now.date():
            raise DuelAnswered("this duel is answered already, or its week has begun")
        duel.state, duel.answered_at = ANSWERS[act], now
        duel.save(update_fields=["state", "answered_at"])
        note(club, f"{act}_duel", by, None, now)
        if act == "accept":
            officers = [one.player for one in roster_of(duel.challenger) if one.role <= Role.OFFICER]
            _notify("accepted", duel, officers, now)
    return duel


ANSWERS = {"accept": State.ACCEPTED, "decline": State.DECLINED, "withdraw": State.WITHDRAWN}


def duels_of(club: Club, now: datetime, *, is_led: bool) -> list[Duel]:
    """Return the duels of a club, the last week first: accepted ones, and for its officers those to answer."""
    found = Duel.objects.filter(Q(challenger=club) | Q(opponent=club)).select_related(
        "challenger", "opponent", "result"
    )
    waiting = Q(state=State.OFFERED, week__gt=now.date()) if is_led else Q(pk=None)
    return list(found.filter(Q(state=State.ACCEPTED) | waiting)[:MOST_SHOWN])


MOST_SHOWN = 50


def _open(now: datetime) -> QuerySet[Duel]:
    return Duel.objects.filter(state__in=(State.OFFERED, State.ACCEPTED), week__gt=now.date())


def _own(duel: Duel, club: Club) -> Duel:
    if duel.challenger != club:
        raise DuelImpossible("the other club has proposed this duel already; accept it")
    return duel


def _notify(what: str, duel: Duel, officers: list[Player], now: datetime) -> None:
    other, to = duel.clubs if what == "offered" else duel.clubs[::-1]
    facts = {"what": what, "club": to.pk, "other": other.name, "week": duel.week.isoformat()}
    notify(notifications.DUEL, {each.pk: facts for each in officers}, notifications.subject_of_duel(duel, what), now)
