"""Shared deals, open to everyone's practice: those of past days, and those of finished practice games."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import QuerySet

from games.calendar.dailies import daily_of
from games.calendar.models import Deal
from games.play.models import Game
from games.play.refusals import DealNotYet, UnknownDeal
from games.play.scores import counting
from games.play.starting import practise
from games.play.visibility import is_shared, require_open_to
from games.players.models import Player


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """A shared deal as anyone may know it, without its cards.

    `day` is the day whose daily deal it was, `best` the best of its games without hints, `yours` the reader's best.
    """

    deal: Deal
    day: date | None
    best: Game | None
    yours: Game | None


def find_deal(deal_id: str) -> Deal:
    """Return a deal, secret or not. Raises `UnknownDeal`."""
    deal = Deal.objects.select_related("daily").filter(pk=deal_id).first()
    if deal is None:
        raise UnknownDeal(f"there is no deal {deal_id!r}")
    return deal


def shared_deal(deal: Deal, reader: Player | None, now: datetime) -> SharedDeal:
    """Return a deal as anyone may know it. Raises `DealNotYet` if it is not shared."""
    require_shared(deal, now)
    daily = daily_of(deal)
    games = best_first(deal)
    yours = games.filter(player=reader).first() if reader else None
    return SharedDeal(deal, daily.day if daily else None, games.filter(hints=0).first(), yours)


def require_shared(deal: Deal, now: datetime) -> None:
    """Raise `DealNotYet` if a deal is not shared."""
    if not is_shared(deal, now):
        raise DealNotYet(f"deal {deal.id} is not shared yet")


def best_first(deal: Deal) -> QuerySet[Game]:
    """Return the finished games on a deal as the daily table ranks them."""
    finished = counting(deal.games.exclude(status=Game.Status.PLAYING)).select_related("player")
    return finished.order_by("cards_left", "moves", "elapsed_ms", "pk")


def practise_deal(player: Player, deal: Deal, now: datetime) -> Game:
    """Start an unranked game on a deal that is shared, or at which the player's ranked attempts have all ended.

    Raises `DealNotYet` or `TooManyOpenGames`.
    """
    require_open_to(player, deal, now)
    return practise(player, deal, now)
