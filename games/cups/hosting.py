"""Announce a tournament by hand, and what its organiser decides until it begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from games.cups.drawing import FEWEST_ENTRANTS
from games.cups.ending import end_cup
from games.cups.models import Cup
from games.cups.naming import require_allowed
from games.cups.refusals import CannotHost, NotOrganiser, StartOutOfRange, TooFewEntrants, TooManyCups
from games.cups.signups import before_start, entrants_of
from games.players.lookalikes import normal
from games.players.models import Player
from games.players.names import find_player
from games.practice.stock import require_certifiable
from games.races.circles import require_inside
from games.races.invites import new_code
from games.rules import RULE_SETS
from games.runtime.limits import Hit, count

MOST_HOSTED = 3
MOST_ROUNDS = 9
AHEAD = timedelta(days=30)


@dataclass(frozen=True)
class Terms:
    """The terms of a tournament by hand: knockout, or Swiss by points with a number of rounds.

    With a circle, its members alone see and enter the tournament.
    """

    name: str
    rules: str
    opens_at: datetime
    limit_s: int = 600
    rounds: int = 0
    circle: str = ""

    def require_allowed(self, now: datetime) -> None:
        """Raise `UnknownRuleSet`, `NotCertifiable`, `StartOutOfRange` or what the name raises if they cannot be."""
        require_allowed(normal(self.name))
        require_certifiable(RULE_SETS[self.rules])
        if not now < self.opens_at <= now + AHEAD:
            raise StartOutOfRange(f"a tournament starts within the next {AHEAD.days} days")


def announce(host: Player, terms: Terms, now: datetime) -> Cup:
    """Announce a tournament by hand.

    Raises `CannotHost`, `NotInCircle`, `CupNameReserved`, `CupNameRemoved`, `UnknownRuleSet`, `NotCertifiable`,
    `StartOutOfRange`, `TooManyCups` or `Throttled`.
    """
    count(Hit("tournaments", str(host.pk)))
    if host.is_guest or host.is_bot or host.banned_at is not None:
        raise CannotHost("guests, bots and banned players announce no tournaments")
    if terms.circle:
        require_inside(terms.circle, host, leads=True)
    terms.require_allowed(now)
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=host.pk)
        if Cup.objects.filter(host=host, ended_at=None).count() >= MOST_HOSTED:
            raise TooManyCups(f"you have {MOST_HOSTED} tournaments that are not over")
        return Cup.objects.create(
            name=normal(terms.name),
            host=host,
            code=new_code(),
            rules=RULE_SETS[terms.rules].slug,
            for_bots=False,
            announced_for=terms.opens_at,
            opens_at=terms.opens_at,
            qualify_s=0,
            limit_s=terms.limit_s,
            rounds=terms.rounds,
            circle=terms.circle,
        )


def start(cup_id: str, host: Player, now: datetime) -> None:
    """Begin a tournament now; the worker draws it. Raises what `_as_host` raises, or `TooFewEntrants`."""
    with _as_host(cup_id, host, now) as cup:
        if len(entrants_of(cup)) < FEWEST_ENTRANTS:
            raise TooFewEntrants(f"a tournament starts with {FEWEST_ENTRANTS} entrants or more")
        cup.opens_at = now
        cup.save(update_fields=["opens_at"])


def call_off(cup_id: str, host: Player, now: datetime) -> None:
    """Cancel a tournament that has not begun. Raises what `_as_host` raises."""
    with _as_host(cup_id, host, now) as cup:
        end_cup(cup, Cup.End.CALLED_OFF, now)


def remove(cup_id: str, host: Player, handle: str, now: datetime) -> None:
    """Remove an entrant, who then stays out. Raises what `_as_host` raises, or `UnknownPlayer`."""
    with _as_host(cup_id, host, now) as cup:
        cup.signups.filter(player=find_player(handle), removed_at=None).update(removed_at=now)


def leads(player: Player, cup: Cup) -> bool:
    """Return True for the organiser of a tournament, who leads it no more once banned."""
    return cup.host_id == player.pk and player.banned_at is None


@contextmanager
def _as_host(cup_id: str, player: Player, now: datetime) -> Iterator[Cup]:
    """Lock a tournament that has not begun for its organiser.

    Raises `UnknownCup`, `NotOrganiser`, `CupNotOpen` or `Throttled`.
    """
    count(Hit("tournament_acts", str(player.pk)))
    with before_start(cup_id, player, now) as cup:
        if not leads(player, cup):
            raise NotOrganiser("only the organiser of this tournament can do that")
        yield cup


DECISIONS = {"start": start, "call_off": call_off}
