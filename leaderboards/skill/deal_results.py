"""Count people's results on past daily deals: once, and again after a decision."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Count, QuerySet

from games.calendar.dailies import daily_of
from games.calendar.models import DailyDeal, Deal
from games.deals.daily import first_day_not_public
from games.play.models import Game
from games.play.refusals import DealNotYet
from games.play.scores import counting
from games.play.sessions import expire_overdue
from games.players.models import Player
from games.statistics.tallies import FAR_OVER
from leaderboards.skill.models import DealResults, PlayerShare

TOGETHER = 100  # in one run of the worker


def count_results(now: datetime) -> int:
    """Count the results of some past deals that are not counted yet, and return the number of these deals."""
    over = DailyDeal.objects.filter(day__lt=first_day_not_public(now), results=None)
    found = list(
        over.exclude(deal__is_winnable=True, deal__grade=None).select_related("deal").order_by("day")[:TOGETHER]
    )
    if found:
        expire_overdue(now)  # attempts whose time has just run out have results, too
    counts: defaultdict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
    alike = first_attempts().filter(daily__in=found).values_list("daily", "cards_left", "moves")
    for daily, left, moves, count in alike.annotate(count=Count("pk")):
        counts[daily][left, moves] = count
    DealResults.objects.bulk_create((_results(daily, counts[daily.pk]) for daily in found), ignore_conflicts=True)
    return len(found)


def count_again(dailies: Collection[int]) -> None:
    """Have the results of deals counted again after a decision about their games."""
    DealResults.objects.filter(daily__in=dailies).delete()


def results_of(deal: Deal) -> DealResults:
    """Return people's results on a deal. Raises `DealNotYet` unless it is that of a day that is over and counted."""
    daily = daily_of(deal)
    found = daily and DealResults.objects.filter(daily=daily).select_related("daily__deal").first()
    if not found:
        raise DealNotYet(f"deal {deal.pk} has no results yet: its day is not over, or it is not a daily deal")
    return found


def shares_of(player: Player) -> QuerySet[PlayerShare]:
    """Return the shares of a player and of the deals in the player's results, by rule set."""
    return PlayerShare.objects.filter(player=player, player__banned_at=None)


def first_attempts() -> QuerySet[Game]:
    """Return the first attempts of people that have ended and count."""
    people = Game.objects.filter(daily__isnull=False, attempt=1, player__is_bot=False)
    return counting(people).exclude(status=Game.Status.PLAYING).order_by()


def _results(daily: DailyDeal, counts: Counter[tuple[int, int]]) -> DealResults:
    lost, over_par, par = Counter[int](), Counter[int](), daily.deal.par
    for (left, moves), count in counts.items():
        if left:
            lost[left] += count
        elif par is not None:
            over_par[min(max(moves - par, 0), FAR_OVER)] += count
    played = counts.total()
    return DealResults(
        daily=daily, played=played, won=played - lost.total(), lost=_listed(lost), over_par=_listed(over_par)
    )


def _listed(counts: Counter[int]) -> Sequence[int]:
    return [counts[index] for index in range(max(counts, default=-1) + 1)]
