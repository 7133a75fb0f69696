"""Decide the division in which a player competes on a day."""

from collections.abc import Iterable
from datetime import UTC, date

from django.db.models import Q
from django.db.models.functions import TruncDate

from games.calendar.models import DailyDeal, DayDivision
from games.deals.daily import DailyKey, Division
from games.deals.policy import Policy
from games.players.models import Player
from games.rules import Outcome

FEWEST_MOVES = 10  # before giving up, for a game to count as played


def enter_division(player: Player, daily: DailyDeal) -> str:
    """Return the player's division on the day of a daily deal, and fix it for that day.

    It is the same for all rule sets, and stays the same even if the account is claimed on that day.
    """
    eligible = eligible_division(player, daily.key, daily.policy)
    return DayDivision.objects.get_or_create(player=player, day=daily.day, defaults={"division": eligible})[0].division


def fixed_divisions(player: Player, days: Iterable[date]) -> dict[date, str]:
    """Return the divisions in which a player has started on these days."""
    return dict(player.day_divisions.filter(day__in=set(days)).values_list("day", "division"))


def eligible_division(player: Player | None, key: DailyKey, policy: Policy) -> Division:
    """Return the division that a player would start in; only the account's state before the day opened counts."""
    return eligible_divisions(player, [(key, policy)])[key]


def eligible_divisions(player: Player | None, dailies: Iterable[tuple[DailyKey, Policy]]) -> dict[DailyKey, Division]:
    """Return the division that a player would start in for each of these, with one query for all."""
    asked = list(dailies)
    old_enough = {key for key, policy in asked if may_be_main(player, key, policy)}
    wanted = [policy.minimum_finished_games for key, policy in asked if key in old_enough]
    played = _first_days(player, max(wanted)) if player and wanted else []
    return {
        key: Division.MAIN
        if key in old_enough and sum(day < key.day for day in played) >= policy.minimum_finished_games
        else Division.OPEN
        for key, policy in asked
    }


def may_be_main(player: Player | None, key: DailyKey, policy: Policy) -> bool:
    """Return True if the account is old enough for `main`, so that the games played to an end decide.

    Days are counted, not hours: an account of any time of yesterday is one day old.
    """
    if player is None or player.named_since is None:
        return False
    age = key.day - player.named_since.astimezone(UTC).date()
    return age.days >= max(1, policy.minimum_age_days)


def _first_days(player: Player, most: int) -> list[date]:
    """Return the first UTC days on which a player played a game to an end, at most as many as asked for.

    A game counts that was won, got stuck, or was given up after some moves; one that expired does not.
    """
    given_up = Q(status=Outcome.RESIGNED.value, moves__gte=FEWEST_MOVES)
    games = player.games.filter(Q(status__in=(Outcome.WON.value, Outcome.STUCK.value)) | given_up)
    days = games.order_by().values_list(TruncDate("finished_at", tzinfo=UTC), flat=True).distinct()
    return sorted(days)[:most] if most else []
