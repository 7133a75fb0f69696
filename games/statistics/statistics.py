"""PlayerStatistics of a player: streaks of days, and results, bests and moves over par by rule set and kind of game."""

from dataclasses import dataclass
from datetime import date, datetime

from games.deals.daily import first_day_not_public
from games.play.models import Game, GameKind
from games.play.scores import counting
from games.players.models import Player
from games.races.ratings import Rated, rated
from games.statistics.models import Tally
from games.statistics.streaks import RestedStreak, Streak
from games.statistics.tallies import tallies_of


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """The streaks of days with a daily deal played and won, and the tallies, daily deals first, by rule set.

    `ratings` are those from races.
    """

    player: Player
    played: RestedStreak
    won: Streak
    tallies: tuple[Tally, ...]
    ratings: tuple[Rated, ...]


def statistics_of(player: Player, reader: Player | None, now: datetime) -> PlayerStatistics:
    """Return a player's statistics as the reader may know them.

    An unfinished attempt counts as played; others do not see it until it is over or its time has run out.
    """
    found = tallies_of(player, now)
    played, won = found.days(player.pk)
    return PlayerStatistics(
        player=player,
        played=played.with_days(_days_being_played(player, reader, now)).rested_streak(now.date()),
        won=won.streak(now.date()),
        tallies=tuple(found.tallies[place] for place in sorted(found.tallies)),
        ratings=tuple(rated(player)),
    )


def best_of(player: Player, rules: str, kind: GameKind, now: datetime) -> Tally | None:
    """Return the tally of a player's games of a kind under a rule set, None if it has no best."""
    tally = tallies_of(player, now).tallies.get((player.pk, kind, rules))
    return None if tally is None or tally.moves is None else tally


def _days_being_played(player: Player, reader: Player | None, now: datetime) -> list[date]:
    """Return the days of a player's unfinished attempts that the reader may know of."""
    attempts = player.games.filter(status=Game.Status.PLAYING, daily__isnull=False)
    if reader is None or reader.pk != player.pk:
        attempts = attempts.filter(daily__day__lt=first_day_not_public(now))
    return list(counting(attempts).order_by().values_list("daily__day", flat=True))
