"""A player's attempts at daily deals."""

from collections.abc import Sequence

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player


def attempts_at(dailies: Sequence[DailyDeal], player: Player) -> dict[int | None, Game]:
    """Return the player's newest ranked attempts at these deals, by the daily deal's primary key."""
    return {attempt.daily_id: attempt for attempt in player.games.filter(daily__in=dailies).order_by("attempt")}


def newest_attempts(dailies: Sequence[DailyDeal], player: Player) -> dict[int | None, str]:
    """Return the ids of the player's newest ranked attempts at these deals by the key of the deal's row."""
    attempts = player.games.filter(daily__in=[daily.pk for daily in dailies]).order_by("attempt")
    return dict(attempts.values_list("daily_id", "id"))
