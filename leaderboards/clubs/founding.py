"""Found clubs, and change their terms."""

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from games.players.lookalikes import name_key, normal, speaks_for_server
from games.players.models import Player
from games.runtime.limits import Hit, count
from leaderboards.clubs.membership import as_member, note, require_room
from leaderboards.clubs.models import Club, ClubDecision, Removal, Role
from leaderboards.clubs.refusals import ClubNameRemoved, ClubNameReserved, ClubNameTaken, GuestsFoundNoClubs


@dataclass(frozen=True)
class Terms:
    """The name, description, emblem and admission of a club."""

    name: str
    description: str
    emblem: str
    admission: str

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the club. Raises `ClubNameReserved`."""
        name = normal(self.name)
        if speaks_for_server(name):
            raise ClubNameReserved(f"{name!r} could be mistaken for the server")
        key, description = name_key(name), normal(self.description)
        return {"name": name, "name_key": key, "description": description} | {
            "emblem": self.emblem,
            "admission": self.admission,
        }


def found(founder: Player, terms: Terms, now: datetime) -> Club:
    """Found a club, with its founder as owner.

    Raises `GuestsFoundNoClubs`, `TooManyClubs`, `ClubNameReserved`, `ClubNameRemoved`, `ClubNameTaken` or `Throttled`.
    """
    count(Hit("clubs", str(founder.pk)))
    if founder.is_guest:
        raise GuestsFoundNoClubs("a guest cannot found a club; claim the account first")
    with transaction.atomic():
        require_room(founder)
        club = Club(founded_at=now)
        _write(club, terms)
        club.memberships.create(player=founder, role=Role.OWNER, joined_at=now)
        note(club, "founded", founder, founder, now)
    return club


def change(club_id: str, owner: Player, terms: Terms, now: datetime) -> None:
    """Change the terms of a club.

    Raises `UnknownClub`, `NotInClub`, `NotOfficer`, `ClubNameReserved`, `ClubNameRemoved`, `ClubNameTaken` or
    `Throttled`.
    """
    with as_member(club_id, owner, Role.OWNER) as (club, _):
        _write(club, terms)
        note(club, "changed", owner, None, now)


def _write(club: Club, terms: Terms) -> None:
    for name, value in terms.fields.items():
        setattr(club, name, value)
    if ClubDecision.objects.filter(name_key=club.name_key, removed__in=(Removal.NAME, Removal.CLOSE)).exists():
        raise ClubNameRemoved(f"reviewers have removed the name {club.name!r}")
    if Club.objects.filter(name_key=club.name_key).exclude(pk=club.pk).exists():
        raise ClubNameTaken(f"another club has the name {club.name!r}, or one that looks like it")
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:  # another club was as fast
        raise ClubNameTaken(f"another club has the name {club.name!r}, or one that looks like it") from error
