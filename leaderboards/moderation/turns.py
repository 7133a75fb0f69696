"""Pairs of accounts that took turns at the deals of the last days."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from operator import attrgetter

from django.db.models import Count, F, Q, QuerySet

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.rules import RULE_SETS
from leaderboards.detectors.scouting import LEFT, least_of_a_look
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.detectors.turns import Pairs, Visit
from leaderboards.moderation.finding import keep_findings

DAYS = 30
MOST_WHO_LEFT = 200  # those who left the most deals; more would cost a worker minutes
SOON = timedelta(milliseconds=THRESHOLDS.turns_ms)


def find_turns(day: date, now: datetime) -> int:
    """Store findings about pairs that took turns in the days up to the given one, and return their number."""
    dailies = DailyDeal.objects.filter(day__lte=day, day__gt=day - timedelta(days=DAYS))
    who_left = _who_left(dailies)
    candidates = _often_in_turn(dailies, who_left)
    if not candidates:
        return 0
    pairs = Pairs()
    for visit in _visits(dailies, {player for pair in candidates for player in pair}):
        pairs.add(visit)
    found = list(pairs.findings(pairs=len(who_left) * _count_winners(dailies)))
    for _, finding in found:
        keep_findings(Game.objects.select_related("player").get(pk=finding.games[0]), [finding], now)
    return len(found)


def _who_left(dailies: QuerySet[DailyDeal]) -> list[int]:
    """Return the players who looked through the stock and left often enough, the most often first."""
    left = _first_attempts(dailies).filter(_is_look(dailies)).order_by().values("player")
    often = left.annotate(times=Count("pk")).filter(times__gte=THRESHOLDS.turns_deals)
    return list(often.order_by("-times", "player").values_list("player", flat=True)[:MOST_WHO_LEFT])


def _count_winners(dailies: QuerySet[DailyDeal]) -> int:
    """Return how many players have won often enough to be half of a pair."""
    won = _first_attempts(dailies).filter(status=Game.Status.WON).order_by().values("player")
    return won.annotate(times=Count("pk")).filter(times__gte=THRESHOLDS.turns_deals).count()


def _often_in_turn(dailies: QuerySet[DailyDeal], who_left: Collection[int]) -> set[tuple[int, int]]:
    """Return those who left, each with a player who won often enough soon afterwards."""
    won = {"daily__attempts__status": Game.Status.WON, "daily__attempts__attempt": 1}
    began = "daily__attempts__started_at__range"
    # The attempt of who went away ended with the day; the look itself takes minutes.
    soon = Q(status=Game.Status.EXPIRED, **{began: (F("started_at"), F("started_at") + 2 * SOON)})
    soon |= Q(**{began: (F("finished_at"), F("finished_at") + SOON)})
    looks = _first_attempts(dailies).filter(_is_look(dailies), player__in=who_left).filter(soon, **won).order_by()
    often = looks.values_list("player", "daily__attempts__player").annotate(times=Count("pk"))
    return {(left, won) for left, won, _ in often.filter(times__gte=THRESHOLDS.turns_deals)}


def _visits(dailies: QuerySet[DailyDeal], players: Collection[int]) -> list[Visit]:
    """Return the visits of players to deals, by their ends; who went away has left with the last action."""
    kinds = _is_look(dailies) | Q(status=Game.Status.WON)
    games = _first_attempts(dailies).filter(kinds, player__in=players, started_at__isnull=False)
    fields = ("pk", "player", "daily", "started_at", "finished_at", "elapsed_ms", "status")
    visits = [
        Visit(
            pk,
            str(player),
            str(daily),
            _milliseconds(start),
            _milliseconds(start) + elapsed_ms if status == Game.Status.EXPIRED else _milliseconds(end),
            status == Game.Status.WON,
        )
        for pk, player, daily, start, end, elapsed_ms, status in games.order_by().values_list(*fields)
    ]
    return sorted(visits, key=attrgetter("ended_ms"))


def _milliseconds(at: datetime | None) -> int:
    return round(at.timestamp() * 1000) if at else 0


def _first_attempts(dailies: QuerySet[DailyDeal]) -> QuerySet[Game]:
    return Game.objects.filter(daily__in=dailies, attempt=1)


def _is_look(dailies: QuerySet[DailyDeal]) -> Q:
    """Return the condition of a game that looked through the stock and left."""
    looks = Q(pk__in=[])
    for slug in dailies.order_by().values_list("rules", flat=True).distinct():
        draws, left = least_of_a_look(RULE_SETS[slug])
        if RULE_SETS[slug].has_stock:
            looks |= Q(daily__rules=slug, draws__gte=draws, cards_left__gte=left)
    return looks & Q(status__in=LEFT)
