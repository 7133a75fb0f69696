"""Games of the database as the detectors read them, with the tables that games on a deal are compared with.

The moves of cases' games are weighed in the worker and kept for the desk.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import msgspec
from django.db.models import Exists, OuterRef

from games.calendar.models import DailyDeal
from games.deals.daily import first_day_not_public
from games.play.models import Game
from games.rules import Deck, Play, Position, RulesError
from leaderboards.detectors.copied_line import Cohort, Line, line_of
from leaderboards.detectors.foresight import is_exact_for
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.hindsight import WeighedStep, weigh
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.scouting import Crowd
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.judging.days import par_of
from leaderboards.moderation.evidence_models import WeighedGame
from leaderboards.moderation.links import linked_to
from leaderboards.moderation.models import Case
from leaderboards.moderation.scouts import crowd_at

KEPT_TABLES = 4
WEIGHED_AT_ONCE = 2

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class DealTable:
    """The data shared by all attempts at a deal: its par, sampled orders of its stock, everybody's lines and ends."""

    daily: int
    par: int | None
    orders: Orders | None
    cohort: Cohort | None
    crowd: Crowd

    def linked_games(self, game: Game) -> Iterator[tuple[RankedGame, float]]:
        """Yield the attempts of accounts linked to a game's player, each with the strength of the link."""
        links = linked_to(game.player_id)
        attempts = Game.objects.filter(daily=self.daily, player__in=links).exclude(status=Game.Status.PLAYING)
        for other in attempts.select_related("player", "deal", "daily"):
            try:
                yield ranked_game(other, self.par), links[other.player_id]
            except RulesError:
                continue  # there is a finding about that game, which is examined as well


def table_of(daily: DailyDeal) -> DealTable:
    """Return the data shared by the attempts at a public deal; cached for the most recent deals."""
    attempts = daily.attempts.filter(attempt=1).exclude(status=Game.Status.PLAYING)
    return _table(daily.pk, attempts.count())


def ranked_game(game: Game, par: int | None) -> RankedGame:
    """Return a finished attempt in the suits of its deal. Raises `RulesError` for a record that does not replay."""
    log = game.whole_log()
    play = game.record(log).as_dealt().replay()
    begun = game.started_at or game.created_at
    client = tuple(row.client_ms for row in log)
    deal = str(game.daily_id)
    return RankedGame(game.pk, str(game.player_id), deal, round(begun.timestamp() * 1000), play, par, client)


@lru_cache(maxsize=KEPT_TABLES)
def _table(pk: int, games: int) -> DealTable:
    daily = DailyDeal.objects.select_related("deal").get(pk=pk)
    start = Position.deal(Deck.from_text(daily.deal.deck), daily.deal.rule_set)
    orders = Orders(start) if is_exact_for(RankedGame("", "", "", 0, Play(start))) else None
    lines = list(_lines(daily)) if games >= THRESHOLDS.fewest_lines else []
    cohort = Cohort(lines) if lines else None
    return DealTable(pk, par_of(start, daily.deal.par), orders, cohort, crowd_at(daily))


def _lines(daily: DailyDeal) -> Iterator[Line]:
    attempts = daily.attempts.filter(attempt=1).exclude(status=Game.Status.PLAYING)
    for game in attempts.select_related("player", "deal", "daily").iterator():
        try:
            yield line_of(ranked_game(game, None))
        except RulesError:
            continue


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


def weighings_of(game: Game) -> list[WeighedStep]:
    """Return the weighed steps of a game; empty if there are none yet or there cannot be any."""
    kept: WeighedGame | None = getattr(game, "weighed", None)
    return msgspec.convert(kept.steps, list[WeighedStep]) if kept and kept.steps else []


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
