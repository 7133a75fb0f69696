"""Score the deals of a retest that has ended, in the worker: with the bet and near par, as daily deals are.

Only fresh deals count. Of a deal that plays like one the account has won, a player with a good memory, or with the old
record at hand, may know the stock, so a bet on its cards would be unfair to nobody but worth nothing. Its result stands
beside that of the game it was won in, no more.
"""

import logging
from datetime import datetime
from time import monotonic

from django.db import InterfaceError, OperationalError, transaction

from games.play.models import Game
from games.rules import Deck, Position, RulesError
from leaderboards.detectors import foresight, near_par
from leaderboards.detectors.accounts import NO_PAR_FACTORS
from leaderboards.detectors.fortunes import from_the_first
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import THRESHOLDS, VERSION
from leaderboards.judging.days import par_of
from leaderboards.moderation.playing import ranked_game
from leaderboards.retests.models import Retest, RetestDeal
from leaderboards.retests.steps import Step, locked, log_step

SECONDS_AT_ONCE = 2.0
NO_BET = (1.0,) * len(THRESHOLDS.slips)

logger = logging.getLogger(__name__)


def score_ended(now: datetime, seconds: float = SECONDS_AT_ONCE) -> int:
    """Score deals of ended retests for about the given time, and return how many."""
    end, scored = monotonic() + seconds, 0
    for retest in Retest.objects.filter(end__in=(Retest.End.DONE, Retest.End.TIME_UP), scored_at=None):
        for deal in retest.deals.filter(scored_at=None).select_related("game__deal", "game__player", "game__daily"):
            _score(deal, now)
            scored += 1
            if monotonic() > end:
                return scored
        _conclude(retest.pk, now)
    return scored


def _score(deal: RetestDeal, now: datetime) -> None:
    if deal.game is not None:
        deal.outcome, deal.moves, deal.cards_left = deal.game.status, deal.game.moves, deal.game.cards_left
        try:
            _read(deal, deal.game)
        except RulesError as error:
            deal.error = f"the record does not replay: {error.code}"
        except (OperationalError, InterfaceError):  # no database; it is scored again
            raise
        except Exception as error:
            logger.exception("deal %s cannot be scored", deal)
            deal.error = f"{type(error).__name__}: {error}"[:300]
    deal.scored_at = now
    RetestDeal.objects.filter(pk=deal.pk, scored_at=None).update(
        **{name: getattr(deal, name) for name in ("scored_at", "outcome", "moves", "cards_left", "par")},
        **{name: getattr(deal, name) for name in ("bets", "bet", "par_factors", "error")},
    )


def _read(deal: RetestDeal, game: Game) -> None:
    """Note the par of a deal, and of a fresh one what its bets and its distance from par are worth."""
    deal.par = par_of(Position.deal(Deck.from_text(game.deal.deck), game.deal.rule_set), game.deal.par)
    if deal.origin_id is not None:
        return
    played = ranked_game(game, deal.par)
    bets = foresight.bets(played, Orders(played.play.start))
    deal.bets, deal.bet = len(bets), list(foresight.factors(bets))
    deal.par_factors = list(near_par.factors(played) or NO_PAR_FACTORS)


@transaction.atomic
def _conclude(pk: str, now: datetime) -> None:
    retest = locked(pk)
    if retest.scored_at is not None:
        return
    fresh = list(retest.deals.filter(origin=None))
    retest.foresight = from_the_first([deal.bet or NO_BET for deal in fresh], len(NO_BET))
    retest.near_par = from_the_first([deal.par_factors or NO_PAR_FACTORS for deal in fresh], len(NO_PAR_FACTORS))
    retest.scored_at, retest.version = now, VERSION
    retest.save(update_fields=["foresight", "near_par", "scored_at", "version"])
    values = {"foresight": f"{retest.foresight:.3g}", "near_par": f"{retest.near_par:.3g}"}
    log_step(retest, Step.SCORED, {"version": VERSION, "fresh": len(fresh), **values}, now)
