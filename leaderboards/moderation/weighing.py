"""The moves of cases' games are weighed in the worker, and kept for the desk."""

import logging
from datetime import datetime

import msgspec
from django.db.models import Exists, OuterRef

from games.deals.daily import first_day_not_public
from games.play.models import Game
from games.rules import RulesError
from leaderboards.detectors.foresight import is_exact_for
from leaderboards.detectors.hindsight import weigh
from leaderboards.moderation.evidence_models import WeighedGame
from leaderboards.moderation.models import Case
from leaderboards.moderation.playing import ranked_game

WEIGHED_AT_ONCE = 2

logger = logging.getLogger(__name__)


def weigh_cases(now: datetime) -> int:
    """Weigh some games of cases whose day is public and that are not weighed yet; return how many."""
    cases = Case.objects.filter(
        player=OuterRef("player"), daily=OuterRef("daily"), daily__day__lt=first_day_not_public(now)
    )
    waiting = Game.objects.filter(Exists(cases), weighed=None).exclude(status=Game.Status.PLAYING)
    games = list(waiting.select_related("player", "deal", "daily").order_by("pk")[:WEIGHED_AT_ONCE])
    for game in games:
        WeighedGame.objects.get_or_create(game=game, defaults=_weighed(game) | {"at": now})
    return len(games)


def _weighed(game: Game) -> dict[str, object]:
    try:
        ranked = ranked_game(game, game.deal.par)
        if not is_exact_for(ranked):
            return {"error": f"the order of the stock decides more than the cards that come under {ranked.rules.slug}"}
        return {"steps": msgspec.to_builtins(weigh(ranked))}
    except RulesError as error:
        return {"error": f"the record does not replay: {error.code}"}
    except Exception as error:
        logger.exception("game %s cannot be weighed", game.pk)
        return {"error": f"{type(error).__name__}: {error}"[:300]}
