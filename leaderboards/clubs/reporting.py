"""Report clubs to the reviewers, and decide what of them is removed."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from games.notifications.notifications import notify
from games.players.models import Player
from leaderboards.clubs.models import Club, ClubDecision, ClubReport, Membership, Removal
from leaderboards.clubs.notifications import REMOVED, rename_in_notifications
from leaderboards.clubs.reading import find_club, roster_of
from leaderboards.clubs.refusals import GuestsReportNoClubs
from leaderboards.reporting.refusals import NameChanged
from leaderboards.reporting.reporting import Choice, require_reporter


def report_club(club_id: str, reporter: Player, about: str, text: str, now: datetime) -> ClubReport:
    """Report a club; another report of the same player changes nothing until reviewers have decided.

    Raises `GuestsReportNoClubs`, `UnknownClub` or `Throttled`.
    """
    require_reporter(reporter, GuestsReportNoClubs("a guest cannot report a club; claim the account first"))
    club = find_club(club_id)
    roster_of(club)
    made = {"about": about, "text": text, "at": now}
    return ClubReport.objects.get_or_create(club=club, reporter=reporter, decision=None, defaults=made)[0]


@transaction.atomic
def decide(club_id: str, by: Player, choice: Choice, now: datetime) -> ClubDecision:
    """Remove something of a club or nothing, answer its reports, and notify its owner of what is gone.

    Raises `UnknownClub` or `NameChanged`.
    """
    club = Club.objects.select_for_update().get(pk=find_club(club_id).pk)
    if (club.name, club.description) != (choice.name, choice.description):
        raise NameChanged("the name or description of this club has changed; look at it again")
    owner = club.memberships.filter(left_at=None, player__is_active=True).select_related("player").first()
    before = {"name": club.name, "name_key": club.name_key, "description": club.description}
    made = ClubDecision.objects.create(club=club, **before, **choice.columns(by, now))
    club.reports.filter(decision=None).update(decision=made)
    if choice.removed != Removal.NOTHING:
        _REMOVERS[choice.removed](club, now)
        _notify(owner, made, now)
    return made


def _remove_name(club: Club, now: datetime) -> None:
    """Name a club by its identifier; no name that a player can choose has such a key."""
    club.name, club.name_key = f"Club {club.pk}", f"REMOVED {club.pk}"
    club.save(update_fields=["name", "name_key"])
    rename_in_notifications(club)


def _remove_description(club: Club, now: datetime) -> None:
    club.description = ""
    club.save(update_fields=["description"])


def _close(club: Club, now: datetime) -> None:
    """End all memberships: the club is gone as if all had left, and past tables keep who was in it."""
    _remove_name(club, now)
    _remove_description(club, now)
    club.outsiders.all().delete()
    club.memberships.filter(left_at=None).update(left_at=now)


_REMOVERS: dict[str, Callable[[Club, datetime], None]] = {
    Removal.NAME: _remove_name,
    Removal.DESCRIPTION: _remove_description,
    Removal.CLOSE: _close,
}


def _notify(owner: Membership | None, made: ClubDecision, now: datetime) -> None:
    if owner is not None:
        facts = {"club": made.club_id, "removed": made.removed, "reason": made.reason}
        notify(REMOVED, {owner.player_id: facts}, str(made.pk), now)
