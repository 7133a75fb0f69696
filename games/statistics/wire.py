from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from games.doors.wire import JsonObject, Milliseconds, Number
from games.play.models import GameKind
from games.play.notation_wire import RuleSlug
from games.players.wire import Player
from games.races.rating_wire import Rating
from games.races.ratings import Rated
from games.statistics import streaks
from games.statistics.statistics import PlayerStatistics


class Streak(JsonObject, frozen=True):
    """UTC days in a row."""

    current: Annotated[Number, Meta(description="Ends today or yesterday; 0 once a whole day has been missed.")]
    longest: Number


class PlayedStreak(Streak, frozen=True):
    """UTC days in a row, with earned days of rest in between, which do not add to the streak."""

    current: Annotated[Number, Meta(description="0 once a day has been missed for which no day of rest was left.")]
    rest_days_left: Annotated[
        Number,
        Meta(description="Each day played earns a seventh of one, and two at most are kept; a missed day takes one."),
    ]
    weeks: Annotated[
        Streak, Meta(description="Weeks in a row, from Monday, with a day played; ends this or last week.")
    ]
    total: Annotated[Number, Meta(description="All days played.")]


class Best(JsonObject, frozen=True):
    """The bests of games of a kind under a rule set that were won without hints."""

    rules: RuleSlug
    kind: GameKind
    moves: Annotated[Number, Meta(description="The fewest moves.")]
    elapsed_ms: Annotated[Milliseconds, Meta(description="The shortest time, not always of the same game.")]


class Results(JsonObject, frozen=True):
    """The finished games of a kind under a rule set."""

    rules: RuleSlug
    kind: GameKind
    played: Number
    won: Number
    over_par: Annotated[
        list[Number],
        Meta(
            description="The number of wins at par, one move over it and so on; the last of 21 is for 20 or more. "
            "Wins on deals whose par is not known or not public yet are left out."
        ),
    ]


class OwnRating(Rating, frozen=True):
    """A rating and its course."""

    course: Annotated[list[int], Meta(description="The ratings after the last 100 races, the oldest first.")]

    @classmethod
    def of_rated(cls, rated: Rated) -> OwnRating:
        return cls(rated.family, *rated.figures, is_provisional=rated.figures.is_provisional, course=rated.course)


class Statistics(JsonObject, frozen=True):
    """The statistics of a player's games."""

    player: Player
    played: Annotated[
        PlayedStreak, Meta(description="Days on which a ranked attempt was started, whatever its result.")
    ]
    won: Annotated[Streak, Meta(description="Days on which at least one daily deal was won.")]
    bests: Annotated[list[Best], Meta(description="By kind and rule set; none without a win.")]
    results: Annotated[list[Results], Meta(description="By kind and rule set.")]
    ratings: Annotated[list[OwnRating], Meta(description="From races, by family of rule sets.")]

    @classmethod
    def of(cls, statistics: PlayerStatistics) -> Statistics:
        return cls(
            Player.of(statistics.player),
            _played(statistics.played),
            _streak(statistics.won),
            [
                Best(row.rules, GameKind(row.kind), row.moves, row.elapsed_ms)
                for row in statistics.tallies
                if row.moves is not None and row.elapsed_ms is not None
            ],
            [Results(row.rules, GameKind(row.kind), row.played, row.won, row.over_par) for row in statistics.tallies],
            [OwnRating.of_rated(rated) for rated in statistics.ratings],
        )


def _streak(days: streaks.Streak) -> Streak:
    return Streak(days.current, days.longest)


def _played(days: streaks.RestedStreak) -> PlayedStreak:
    return PlayedStreak(days.current, days.longest, days.rests_left, _streak(days.weeks), days.total)
