"""The tables that the games on a deal are compared with, for the worker alone: they load the solver."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.rules import Deck, Position, RulesError
from leaderboards.detectors.copied_line import Cohort, Line, line_of
from leaderboards.detectors.deal_orders import DealOrders, orders_of
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.scouting import Crowd
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.judging.days import par_of
from leaderboards.moderation.links import linked_to
from leaderboards.moderation.playing import ranked_game
from leaderboards.moderation.scouts import crowd_at

KEPT_TABLES = 4


@dataclass(frozen=True)
class DealTable:
    """The data shared by all attempts at a deal: its par, orders of its hidden cards, everybody's lines and ends."""

    daily: int
    par: int | None
    orders: DealOrders | None
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


@lru_cache(maxsize=KEPT_TABLES)
def _table(pk: int, games: int) -> DealTable:
    daily = DailyDeal.objects.select_related("deal").get(pk=pk)
    start = Position.deal(Deck.from_text(daily.deal.deck), daily.deal.rule_set)
    lines = list(_lines(daily)) if games >= THRESHOLDS.fewest_lines else []
    cohort = Cohort(lines) if lines else None
    return DealTable(pk, par_of(start, daily.deal.par), orders_of(start), cohort, crowd_at(daily))


def _lines(daily: DailyDeal) -> Iterator[Line]:
    attempts = daily.attempts.filter(attempt=1).exclude(status=Game.Status.PLAYING)
    for game in attempts.select_related("player", "deal", "daily").iterator():
        try:
            yield line_of(ranked_game(game, None))
        except RulesError:
            continue
