"""Statistics of a player's ranked attempts: streaks of days, and personal bests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.db.models import Min

from games.deals.daily import first_day_not_public
from games.errors import UnknownPlayer
from games.models import Game, Player
from games.services.sanctions import counting


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive days. `current` ends today or yesterday, and is 0 once a whole day has been missed."""

    current: int
    longest: int


@dataclass(frozen=True, slots=True)
class Best:
    """The fewest moves and the shortest time of the attempts won under a rule set, perhaps from two different games."""

    rules: str
    moves: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The streaks of days with a daily deal played and won, and the bests by rule set."""

    player: Player
    played: Streak
    won: Streak
    bests: tuple[Best, ...]


def streak_of(days: Iterable[date], today: date) -> Streak:
    """Return the streak of some days, in any order, none of them later than today."""
    numbers = sorted({day.toordinal() for day in days})
    # Within a run of consecutive days, a day's number minus its index in the list is constant.
    runs = [[day for _, day in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    is_alive = bool(runs) and runs[-1][-1] >= today.toordinal() - 1
    return Streak(current=len(runs[-1]) if is_alive else 0, longest=max(map(len, runs), default=0))


def statistics_of(player: Player, reader: Player | None, now: datetime) -> Statistics:
    """Return a player's statistics as the reader may know them, in two queries.

    An unfinished attempt counts as played; others do not see it until it is over or its time has run out.
    """
    ranked = counting(player.games.filter(daily__isnull=False))
    attempts = list(ranked.values_list("daily__day", "status"))
    if reader is None or reader.pk != player.pk:
        secret_from = first_day_not_public(now)
        attempts = [(day, status) for day, status in attempts if status != Game.Status.PLAYING or day < secret_from]
    won = ranked.filter(status=Game.Status.WON).order_by("deal__rules").values("deal__rules")
    bests = won.annotate(fewest=Min("moves"), shortest=Min("elapsed_ms"))
    return Statistics(
        player=player,
        played=streak_of((day for day, _ in attempts), now.date()),
        won=streak_of((day for day, status in attempts if status == Game.Status.WON), now.date()),
        bests=tuple(Best(best["deal__rules"], best["fewest"], best["shortest"]) for best in bests),
    )


def find_player(handle: str) -> Player:
    """Return a player by handle. Raises `UnknownPlayer`, also for a closed account."""
    player = Player.objects.filter(username=handle, is_active=True).first()
    if player is None:
        raise UnknownPlayer(f"there is no player {handle!r}")
    return player


def best_of(player: Player, rules: str, *, is_ranked: bool) -> Best | None:
    """Return the fewest moves and the shortest time of a player's games won under a rule set, ranked or in practice."""
    won = player.games.filter(status=Game.Status.WON, deal__rules=rules, daily__isnull=not is_ranked)
    best = won.aggregate(fewest=Min("moves"), shortest=Min("elapsed_ms"))
    return None if best["fewest"] is None else Best(rules, best["fewest"], best["shortest"])
