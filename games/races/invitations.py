"""Invite players to a race by their handles, or all members of a circle."""

from datetime import datetime

from games.notifications.notifications import notify
from games.players.models import Player
from games.players.names import find_player
from games.races.circles import Circle, members_of, require_inside
from games.races.models import Race
from games.races.notifications import INVITED
from games.races.refusals import NotInCircle
from games.races.rooms import as_racer, require_open, require_welcome
from games.runtime.limits import Hit, count


def invite(race_id: str, racer: Player, handle: str, now: datetime) -> None:
    """Notify a player of an invitation by a racer, at most once for a race.

    The caller does not learn whether the player is notified: banned players and those who have switched invitations off
    are not. Raises `UnknownRace`, `NotInRace`, `RaceStarted`, `RaceFull`, `UnknownPlayer`, `BotsNotAdmitted`,
    `NotInCircle` or `Throttled`.
    """
    count(Hit("race_invitations", str(racer.pk)))
    with as_racer(race_id, racer) as race:
        require_open(race, now)
        invited = find_player(handle)
        require_welcome(invited, race.admits_bots)
        if race.circle:
            require_inside(race.circle, invited)
        count(Hit("race_invitations_to_one", f"{racer.pk}:{invited.pk}"), Hit("race_invitations_to_race", race_id))
        if invited.banned_at is None and not race.racers.filter(player=invited).exists():
            notify(INVITED, {invited.pk: _facts(race, racer)}, race_id, now, sender=racer)


def invite_circle(race_id: str, racer: Player, circle_id: str, now: datetime) -> None:
    """Notify all members of a circle of an invitation by a racer who leads it, each at most once for a race.

    Raises `UnknownRace`, `NotInRace`, `RaceStarted`, `RaceFull`, `NotInCircle` or `Throttled`.
    """
    count(Hit("race_invitations", str(racer.pk)))
    with as_racer(race_id, racer) as race:
        require_open(race, now)
        circle = require_inside(circle_id, racer, leads=True)
        if not takes(race, circle):
            raise NotInCircle("this race is for members of another club")
        count(Hit("race_invitations_to_circle", circle_id))
        members = Player.objects.filter(pk__in=members_of(circle_id), banned_at=None).exclude(races__race=race)
        invited = members if race.admits_bots else members.filter(is_bot=False)
        facts = _facts(race, racer)
        notify(INVITED, dict.fromkeys(invited.values_list("pk", flat=True), facts), race_id, now, sender=racer)


def takes(race: Race, circle: Circle) -> bool:
    """Return True if the members of a circle can join a race."""
    return race.circle in {"", circle.id}


def _facts(race: Race, racer: Player) -> dict[str, object]:
    # The invite is computed where it is shown, and never stored.
    return {"race": race.pk, "by": racer.listed_name, "is_public": race.is_public or race.circle != ""}
