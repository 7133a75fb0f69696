"""The bots that have played lately."""

from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Max, Prefetch, Q

from games.play.models import Game
from games.play.scores import counting
from games.players.models import Player
from games.races.ratings import sure_ratings
from games.races.strength import Family, Figures, figures_of
from games.runtime.memory import Memory
from leaderboards.boards.catalog import BoardKey, Entrants
from leaderboards.boards.reading import boards_of_day

DAYS = 30
MOST = 100


class RecentBot(NamedTuple):
    """A bot, its finished ranked attempts of the last days, and its ratings from races that are not provisional."""

    player: Player
    days: int
    played: int
    won: int
    last_day: date

    @property
    def ratings(self) -> list[tuple[Family, Figures]]:
        return [(Family(row.family), figures_of(row)) for row in self.player.ratings.all()]


# A game more shows up some seconds later: a month of games is not read for every reader.
_active: Memory[list[RecentBot]] = Memory("bots", most=1)


def active_bots(now: datetime) -> list[RecentBot]:
    """Return the bots that finished ranked attempts in the last days, those with most wins first."""
    return _active.get(now.date().isoformat(), lambda: _read_active_bots(now)) or []


def _read_active_bots(now: datetime) -> list[RecentBot]:
    lately = Game.objects.filter(daily__day__gt=now.date() - timedelta(days=DAYS))
    ranked = counting(lately.filter(player__is_bot=True, player__is_active=True)).exclude(status=Game.Status.PLAYING)
    by_player = (
        ranked.order_by()
        .values("player")
        .annotate(
            days=Count("daily__day", distinct=True),
            played=Count("pk"),
            won=Count("pk", filter=Q(status=Game.Status.WON)),
            last_day=Max("daily__day"),
        )
    )
    best_first = by_player.order_by("-won", "-days", "player")
    rows = list(best_first.values_list("player", "days", "played", "won", "last_day")[:MOST])
    known = Player.objects.select_related("owner").prefetch_related(Prefetch("ratings", sure_ratings()))
    players = known.in_bulk([player for player, *_ in rows])
    return [RecentBot(players[player], *figures) for player, *figures in rows]


def boards_of_bots(now: datetime) -> list[BoardKey]:
    """Return the boards of bots on which today's deals count."""
    keys = (board.key for board in boards_of_day(now.date(), now))
    return [key for key in keys if key.entrants is Entrants.BOTS]
