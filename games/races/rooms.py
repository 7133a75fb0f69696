"""Open, find, join, leave and start the rooms of races, and open rematches."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from games.notifications.notifications import mark_subject_read, notify
from games.players.models import Player
from games.practice.stock import certified_for_race
from games.races.circles import is_inside, members_of, require_inside
from games.races.course import FEWEST_RACERS, call_off, locked
from games.races.invites import code_of, invite_of
from games.races.models import Race, Racer
from games.races.notices import publish_change
from games.races.notifications import INVITED, REMATCH
from games.races.refusals import (
    BotsNotAdmitted,
    NotHost,
    NotInRace,
    RaceFull,
    RaceNotOver,
    RaceStarted,
    TooFewRacers,
    TooManyRaces,
    UnknownRace,
)
from games.rules import RULE_SETS
from games.runtime.limits import Hit, count

MOST_RACERS = 50
MOST_HOSTED = 3
MOST_JOINED = 5


@dataclass(frozen=True)
class Terms:
    """The terms of a race. Times are in seconds. With a circle, its members alone see and enter the race."""

    rules: str
    tie_break: str = Race.TieBreak.TIME
    limit_s: int = 600
    countdown_s: int = 5
    is_public: bool = False
    admits_bots: bool = False
    circle: str = ""

    @classmethod
    def of(cls, race: Race) -> Terms:
        """Return the terms of a race."""
        own = {name: getattr(race, name) for name in cls.__dataclass_fields__ if name != "rules"}
        return cls(rules=race.deal.rules, **own)


def create_race(host: Player, terms: Terms, now: datetime) -> Race:
    """Open a room on a new certified deal, with its host in it.

    Raises `UnknownRuleSet`, `NotCertifiable`, `NoCertifiedDeal`, `BotsNotAdmitted`, `NotInCircle`, `TooManyRaces` or
    `Throttled`.
    """
    require_welcome(host, terms.admits_bots)
    if terms.circle:
        require_inside(terms.circle, host)
    with _room_to_host(host):
        return _create(terms, now, host=host)


def create_public(terms: Terms, hour: datetime, now: datetime) -> Race | None:
    """Open the server's own race of an hour, None if it is open already. Raises what `certified_for_race` raises."""
    if Race.objects.filter(hour=hour).exists():
        return None
    try:
        return _create(terms, now, hour=hour, starts_at=hour)
    except IntegrityError:  # another worker was as fast
        return None


def find_race(race_id: str, reader: Player | None) -> Race:
    """Return a race that is public, of a circle of its reader, or that the reader is in or may join as a rematch.

    Raises `UnknownRace`.
    """
    race = Race.objects.select_related("deal", "host", "rematch").filter(pk=race_id).first()
    if race is None or race.entry == Race.Entry.ROLLING or not (race.is_public or _is_known_to(race, reader)):
        raise UnknownRace(f"there is no race {race_id!r}, or you need its invite")
    return race


def find_by_code(code: str, address: str) -> Race:
    """Return the race with a code, unless it is over; every try counts. Raises `UnknownRace` or `Throttled`."""
    count(Hit("race_codes", address))
    asked = code.upper().encode()
    known = Race.objects.filter(ended_at=None, is_public=False, circle="").values_list("pk", flat=True)
    found = [race_id for race_id in known if secrets.compare_digest(code_of(race_id).encode(), asked)]
    if len(found) != 1:
        raise UnknownRace("there is no race with this code, or it is over")
    return Race.objects.select_related("deal", "host").get(pk=found[0])


def join(race_id: str, player: Player, invite: str, now: datetime) -> Race:
    """Enter a race before it starts; joining again, from any device, changes nothing.

    Raises `UnknownRace` if the race requires an invite and this one is wrong, `RaceStarted`, `RaceFull`,
    `BotsNotAdmitted`, `TooManyRaces` or `Throttled`.
    """
    race = _invited(race_id, player, invite)
    if race.racers.filter(player=player).exists():
        return race
    require_welcome(player, race.admits_bots)
    count(Hit("race_joins", str(player.pk)))
    with transaction.atomic():
        # The lock makes simultaneous joins of a player, even to different races, count one another.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        race = locked(race_id)
        require_open(race, now)
        if Racer.objects.filter(player=player, race__ended_at=None).exclude(race=race).count() >= MOST_JOINED:
            raise TooManyRaces(f"you are in {MOST_JOINED} races that are not over; leave one first")
        race.racers.get_or_create(player=player, defaults={"joined_at": now})
        mark_subject_read(player, race.pk, [INVITED, REMATCH], now)
        publish_change(race.pk)
    return race


def leave(race_id: str, player: Player, now: datetime) -> Racer | None:
    """Leave a race that has not begun; if it has, return the racer, whose game the caller has to give up.

    If the host leaves, the racer who has been there longest becomes host. A room that its last racer leaves is called
    off, except that of an hourly race. Those with whom a race was made stay until it begins. Raises `UnknownRace`.
    """
    find_race(race_id, player)
    with transaction.atomic():
        race = locked(race_id)
        racer = race.racers.select_related("game").filter(player=player).first()
        if racer is None or race.is_over or (race.begun_at is None and race.entry != Race.Entry.OPEN):
            return None
        if race.begun_at is not None:
            return racer
        racer.delete()
        _hand_over(race, player, now)
        publish_change(race_id)
    return None


def leave_all(player: Player, now: datetime) -> None:
    """Leave all rooms whose races have not begun, for a player whose account ends; those that have lose the racer."""
    own = Racer.objects.filter(player=player, race__ended_at=None)
    waiting = own.filter(race__entry=Race.Entry.OPEN, race__begun_at=None)
    for race_id in waiting.values_list("race", flat=True):
        leave(race_id, player, now)
    publish_change(*own.values_list("race", flat=True))


def start(race_id: str, player: Player, now: datetime) -> Race:
    """Begin the countdown; repeating the call changes nothing.

    Raises `UnknownRace`, `NotInRace`, `NotHost`, or `TooFewRacers`.
    """
    with as_racer(race_id, player) as race:
        if race.starts_at is None:
            if race.host_id != player.pk:
                raise NotHost("only the host can start this race")
            if race.racers.count() < FEWEST_RACERS:
                raise TooFewRacers(f"a race starts with {FEWEST_RACERS} racers or more; send someone the invite")
            race.starts_at = now + timedelta(seconds=race.countdown_s)
            race.save(update_fields=["starts_at"])
            publish_change(race_id)
    return race


def rematch(race_id: str, player: Player, now: datetime) -> Race:
    """Return the one rematch of a race, on the same terms, with the player in it.

    The first to ask becomes its host; the racers of the race before need no invite, but are still in its circle. Raises
    `UnknownRace`, `NotInRace`, `RaceNotOver`, or what `create_race` and `join` raise.
    """
    with as_racer(race_id, player) as race:
        if not race.is_over:
            raise RaceNotOver("this race is not over; play again after it")
        if race.circle:
            require_inside(race.circle, player)
    follower = Race.objects.filter(rematch_of=race).first() or _follow(race, player, now)
    return join(follower.pk, player, "", now)


def _follow(race: Race, player: Player, now: datetime) -> Race:
    try:
        with _room_to_host(player):
            follower = _create(Terms.of(race), now, host=player, rematch_of=race)
            others = set(race.racers.exclude(player=player).values_list("player", flat=True))
            welcome = others & members_of(race.circle) if race.circle else others
            facts = {"race": follower.pk, "host": player.listed_name}
            notify(REMATCH, dict.fromkeys(welcome, facts), follower.pk, now, sender=player)
    except IntegrityError:  # another racer was as fast
        return Race.objects.get(rematch_of=race)
    publish_change(race.pk)
    return follower


def _create(terms: Terms, now: datetime, host: Player | None = None, **more: object) -> Race:
    own = {name: getattr(terms, name) for name in terms.__dataclass_fields__ if name != "rules"}
    own["is_public"] &= not terms.circle
    with transaction.atomic():
        deal = certified_for_race(RULE_SETS[terms.rules], now)
        race = Race(host=host, deal=deal, created_at=now, **own, **more)
        race.save(force_insert=True)
        if host is not None:
            race.racers.create(player=host, joined_at=now)
    return race


def require_open(race: Race, now: datetime) -> None:
    """Raise `RaceStarted` or `RaceFull` if nobody can join a race any more."""
    if race.state(now) not in {Race.State.OPEN, Race.State.COUNTDOWN}:
        raise RaceStarted("this race has started; nobody can join it any more")
    if race.entry != Race.Entry.OPEN or race.racers.count() >= MOST_RACERS:
        raise RaceFull("this race has all its racers, and no room for more")


def require_welcome(player: Player, admits_bots: bool) -> None:
    """Raise `BotsNotAdmitted` for a bot where only people race."""
    if player.is_bot and not admits_bots:
        raise BotsNotAdmitted("this race does not admit bots")


@contextmanager
def _room_to_host(player: Player) -> Iterator[None]:
    """Open a race of a player; of several at once each counts those before it. Raises `TooManyRaces` or `Throttled`."""
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if Race.objects.filter(host=player, ended_at=None).count() >= MOST_HOSTED:
            raise TooManyRaces(f"you host {MOST_HOSTED} races that are not over; leave one first")
        count(Hit("races", str(player.pk)))
        yield


def _is_known_to(race: Race, reader: Player | None) -> bool:
    """Return True for racers of a race, and for members of its circle or, without one, racers of the one before it."""
    before = None if race.circle else race.rematch_of_id  # who has left the circle meanwhile
    known = Racer.objects.filter(race__in=[race.pk, before], player=reader)
    return reader is not None and (known.exists() or (race.circle != "" and is_inside(race.circle, reader)))


def _invited(race_id: str, player: Player, invite: str) -> Race:
    """Return a race that a player may join. A wrong invite is counted, and does not reveal whether the race exists."""
    try:
        return find_race(race_id, player)
    except UnknownRace:
        race = Race.objects.select_related("deal", "host", "rematch").filter(pk=race_id).first()
        expected = invite_of(race.pk) if race is not None else ""
        if race is None or race.circle or not secrets.compare_digest(invite.encode(), expected.encode()):
            count(Hit("race_invites", str(player.pk)))
            raise
        return race


@contextmanager
def as_racer(race_id: str, player: Player) -> Iterator[Race]:
    """Lock a race for one of its racers. Raises `UnknownRace` or `NotInRace`."""
    find_race(race_id, player)
    with transaction.atomic():
        race = locked(race_id)
        if not race.racers.filter(player=player).exists():
            raise NotInRace("you are not in this race; join it first")
        yield race


def _hand_over(race: Race, leaving: Player, now: datetime) -> None:
    left = race.racers.select_related("player").first()
    if left is None and race.hour is None:
        call_off(race.pk, now)
    elif race.host_id == leaving.pk and left is not None:
        race.host = left.player
        race.save(update_fields=["host"])
