"""Sign up for tournaments by hand until they begin, and the seeds that follow."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial

from django.db import transaction

from games.cups.finding import find_cup, require_seen
from games.cups.models import Cup
from games.cups.notifications import AHEAD, SOON
from games.cups.reading import forget_cup
from games.cups.refusals import CupFull, CupNotOpen, NotYourCup, RemovedFromCup
from games.notifications.notifications import notify
from games.players.models import Player
from games.races.circles import members_of
from games.races.models import Rating
from games.races.strength import NEWCOMER, family_of
from games.runtime.limits import Hit, count

MOST_ENTRANTS = 64


def sign_up(cup_id: str, player: Player, now: datetime) -> None:
    """Sign up for a tournament by hand; repeating the call changes nothing.

    Raises `UnknownCup`, `NotYourCup`, `CupNotOpen`, `RemovedFromCup`, `CupFull` or `Throttled`.
    """
    count(Hit("cup_entries", str(player.pk)))
    if player.is_bot:
        raise NotYourCup("tournaments by hand are for people")
    with before_start(cup_id, player, now) as cup:
        known = cup.signups.filter(player=player).first()
        if known is not None and known.removed_at is not None:
            raise RemovedFromCup("the organiser of this tournament has removed you")
        if known is None:
            require_room(cup, now)
            cup.signups.create(player=player, at=now)


def require_room(cup: Cup, now: datetime) -> None:
    """Raise `CupNotOpen` or `CupFull` if nobody else can sign up for a tournament by hand."""
    _require_waiting(cup, now)
    if cup.signups.filter(removed_at=None).count() >= MOST_ENTRANTS:
        raise CupFull(f"this tournament has {MOST_ENTRANTS} entrants, and no room for more")


def withdraw(cup_id: str, player: Player, now: datetime) -> None:
    """Take back that one signed up; repeating the call changes nothing. Raises `UnknownCup` or `CupNotOpen`."""
    with before_start(cup_id, player, now) as cup:
        cup.signups.filter(player=player, removed_at=None).delete()


def entrants_of(cup: Cup) -> list[int]:
    """Return who signed up and can come, in that order: not those who have left the circle that it is for."""
    players = cup.signups.filter(removed_at=None, player__is_active=True).values_list("player", flat=True)
    inside = members_of(cup.circle) if cup.circle else None
    return [player for player in players if inside is None or player in inside]


def seeded(cup: Cup) -> list[int]:
    """Return the entrants, the best first: by rating, a newcomer's if there is none, then who was first to sign up."""
    players = entrants_of(cup)
    known = Rating.objects.filter(player__in=players, family=family_of(cup.rule_set))
    means = dict(known.values_list("player", "mean"))
    return sorted(players, key=lambda player: -means.get(player, NEWCOMER.mean))


def remind_entrants(now: datetime) -> None:
    """Notify those who signed up for tournaments that begin in the next minutes, each once."""
    soon = Cup.objects.filter(ended_at=None, opens_at__gt=now, opens_at__lte=now + AHEAD).exclude(code="")
    for cup in soon:
        notify(SOON, {player: {"cup": cup.pk} for player in entrants_of(cup)}, cup.pk, now)


@contextmanager
def before_start(cup_id: str, player: Player, now: datetime) -> Iterator[Cup]:
    """Lock a tournament by hand that has not begun, for a player who sees it. Raises `UnknownCup` or `CupNotOpen`."""
    require_seen(find_cup(cup_id), player)
    with transaction.atomic():
        cup = Cup.objects.select_for_update(no_key=True).get(pk=cup_id)
        _require_waiting(cup, now)
        yield cup
        transaction.on_commit(partial(forget_cup, cup_id))


def _require_waiting(cup: Cup, now: datetime) -> None:
    if not cup.is_by_hand or cup.state != Cup.State.ANNOUNCED or now >= cup.opens_at:
        raise CupNotOpen("this tournament has begun, or it is over")
