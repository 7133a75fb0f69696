"""The deals of a retest, each made when its game starts: before that, it does not exist anywhere."""

import secrets
from datetime import datetime

from django.db.models import QuerySet

from games.calendar.models import Deal
from games.deals.certify import winnable_at_once
from games.deals.daily import first_day_not_public
from games.deals.look_alikes import disguised
from games.play.models import Game
from games.players.models import Player
from games.rules import RULE_SETS, Deck
from leaderboards.boards.decisions import ranked_games
from leaderboards.retests.models import Retest, RetestDeal


def won_before(player: Player, rules: str, now: datetime) -> QuerySet[Game]:
    """Return the won ranked games of past days whose deals no retest of the player has used yet."""
    won = ranked_games(player).filter(status=Game.Status.WON, attempt=1, deal__rules=rules)
    past = won.filter(daily__day__lt=first_day_not_public(now))
    return past.exclude(pk__in=RetestDeal.objects.filter(retest__player=player, origin__isnull=False).values("origin"))


def next_deal(retest: Retest, now: datetime) -> tuple[Deal, Game | None]:
    """Store the next deal of a retest, and return it with the won game that it plays like, None for a fresh one.

    Which kind comes is drawn among those that are left, so that nobody can tell them apart by their order; so is the
    game, whatever its result was: choosing the best ones would make honest play look worse than it was.
    """
    rules = RULE_SETS[retest.rules]
    origin = _origin(retest, now)
    deck = disguised(Deck.from_text(origin.deal.deck), rules) if origin else winnable_at_once(rules)
    assert deck is not None  # noqa: S101  `offer` takes only rules whose verdict needs no search
    deal = Deal.objects.create(
        rules=rules.slug, deck=deck.text, created_at=now, is_winnable=True, kept_for=Deal.KeptFor.RETEST
    )
    return deal, origin


def _origin(retest: Retest, now: datetime) -> Game | None:
    dealt = retest.deals.count()
    alike = retest.alike - retest.deals.exclude(origin=None).count()
    if secrets.randbelow(retest.size - dealt) >= alike:
        return None
    known = list(won_before(retest.player, retest.rules, now).select_related("deal"))
    return secrets.choice(known) if known else None
