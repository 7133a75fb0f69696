"""Measure how much of players' results is due to them and to the deals, by the first attempts of the last year."""

from datetime import date, datetime, timedelta

from django.db import transaction

from games.deals.daily import first_day_not_public
from leaderboards.skill.deal_results import first_attempts
from leaderboards.skill.estimating import Results, Share, shares
from leaderboards.skill.models import DealResults, PlayerShare

DAYS = 365
MOST_GAMES = 1_000_000  # held in the worker's memory; if a year has more, fewer days are used
BATCH = 1000
FIELDS = [name for name in Share._fields if name != "player"]


def measure_skill(now: datetime) -> int:
    """Measure the shares of all players again, by rule set, and return the number of measured shares."""
    end = first_day_not_public(now)
    games = first_attempts().filter(daily__day__lt=end, daily__day__gte=_first_day(end))
    slugs = games.values_list("daily__rules", flat=True).distinct()
    before = set(PlayerShare.objects.order_by().values_list("rules", flat=True).distinct())
    total = 0
    for rules in sorted(before | set(slugs)):
        rows = list(games.filter(daily__rules=rules).values_list("player", "daily", "cards_left"))
        measured = shares(Results.of(*zip(*rows, strict=True))) if rows else []
        made = [
            PlayerShare(rules=rules, at=now, player_id=one.player, **{name: getattr(one, name) for name in FIELDS})
            for one in measured
        ]
        with transaction.atomic():
            PlayerShare.objects.filter(rules=rules).delete()
            PlayerShare.objects.bulk_create(made, batch_size=BATCH, ignore_conflicts=True)
        total += len(made)
    return total


def _first_day(end: date) -> date:
    """Return the first day to use: `DAYS` before `end`, or a later one if those days have more than `MOST_GAMES`."""
    first, total = end - timedelta(days=DAYS), 0
    played = DealResults.objects.filter(daily__day__range=(first, end)).order_by("-daily__day")
    for day, count in played.values_list("daily__day", "played"):
        total += count
        if total > MOST_GAMES:
            return day + timedelta(days=1)
    return first
