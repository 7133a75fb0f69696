"""Answers of the REST API about games, days and statistics."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from games.deals.daily import DailyState
from games.deals.grading import Grade
from games.deals.policy import Policy
from games.kit.wire import JsonObject
from games.models import SUMMARY_FIELDS, DailyDeal, GameKind
from games.models import Game as GameRow
from games.rest.account_schemas import Player, Time
from games.services.disclosure import DisclosedDaily
from games.services.disclosure import Reveal as Revealed
from games.services.races.rating import Family
from games.services.races.rating import Figures as RatingFigures
from games.services.races.ratings import Rated
from games.services.statistics import Statistics as Figures
from games.services.streaks import Streak as Days

COPIED = ("created_at", "started_at", "downtime_ms", *SUMMARY_FIELDS)


class Streak(JsonObject, frozen=True):
    """UTC days in a row."""

    current: Annotated[int, Meta(description="Ends today or yesterday; 0 once a whole day has been missed.")]
    longest: int


class Best(JsonObject, frozen=True):
    """The bests of games of a kind under a rule set that were won without hints."""

    rules: str
    kind: GameKind
    moves: Annotated[int, Meta(description="The fewest moves.")]
    elapsed_ms: Annotated[int, Meta(description="The shortest time, not always of the same game.")]


class Results(JsonObject, frozen=True):
    """The finished games of a kind under a rule set."""

    rules: str
    kind: GameKind
    played: int
    won: int
    over_par: Annotated[
        list[int],
        Meta(
            description="The number of wins at par, one move over it and so on; the last of 21 is for 20 or more. "
            "Wins on deals whose par is not known or not public yet are left out."
        ),
    ]


class Rating(JsonObject, frozen=True):
    """A rating from races under the rule sets of a family; people and bots are rated separately."""

    family: Family
    rating: int
    uncertainty: Annotated[int, Meta(description="Two standard deviations of the rating.")]
    races: Annotated[int, Meta(description="The number of rated races.")]
    is_provisional: Annotated[bool, Meta(description="Until ten races are rated.")]

    @classmethod
    def of(cls, family: str, figures: RatingFigures) -> Rating:
        return cls(Family(family), *figures, is_provisional=figures.is_provisional)


class OwnRating(Rating, frozen=True):
    """A rating and its course."""

    course: Annotated[list[int], Meta(description="The ratings after the last 100 races, the oldest first.")]

    @classmethod
    def of_rated(cls, rated: Rated) -> OwnRating:
        return cls(rated.family, *rated.figures, is_provisional=rated.figures.is_provisional, course=rated.course)


class Statistics(JsonObject, frozen=True):
    """The statistics of a player's games."""

    player: Player
    played: Annotated[Streak, Meta(description="Days on which a ranked attempt was started, whatever its result.")]
    won: Annotated[Streak, Meta(description="Days on which at least one daily deal was won.")]
    bests: Annotated[list[Best], Meta(description="By kind and rule set; none without a win.")]
    results: Annotated[list[Results], Meta(description="By kind and rule set.")]
    ratings: Annotated[list[OwnRating], Meta(description="From races, by family of rule sets.")]

    @classmethod
    def of(cls, statistics: Figures) -> Statistics:
        return cls(
            Player.of(statistics.player),
            _streak(statistics.played),
            _streak(statistics.won),
            [
                Best(row.rules, GameKind(row.kind), row.moves, row.elapsed_ms)
                for row in statistics.tallies
                if row.moves is not None and row.elapsed_ms is not None
            ],
            [Results(row.rules, GameKind(row.kind), row.played, row.won, row.over_par) for row in statistics.tallies],
            [OwnRating.of_rated(rated) for rated in statistics.ratings],
        )


class RatedPlayer(JsonObject, frozen=True):
    """A player on a table of ratings."""

    place: int
    player: Player
    rating: Rating


class Ratings(JsonObject, frozen=True):
    """The best ratings of a family that are not provisional, of people or of bots."""

    family: Family
    of: Literal["people", "bots"]
    rows: list[RatedPlayer]


class Game(JsonObject, frozen=True):
    """A game without its cards. The fields of the result are null while it is played."""

    id: str
    kind: Literal["daily", "practice"]
    rules: str
    deal: str
    day: Annotated[date | None, Meta(description="The day of a daily deal.")]
    division: Annotated[str | None, Meta(description="That of a daily deal.")]
    attempt: Annotated[int | None, Meta(description="1, 2, 3 ... of your ranked attempts; null for practice.")]
    policy: Policy
    player: Player
    status: Literal["playing", "won", "stuck", "resigned", "expired"]
    created_at: Time
    started_at: Annotated[Time | None, Meta(description="When the layout was first sent.")]
    finished_at: Time | None
    elapsed_ms: int | None
    downtime_ms: Annotated[
        int, Meta(description="How long no server was up before the game ended; not part of `elapsed_ms`.")
    ]
    moves: int | None
    draws: int | None
    recycles: int | None
    undos: int | None
    hints: int | None
    cards_left: int | None
    socket: Annotated[str, Meta(description="Where the game can be played live.")]

    @classmethod
    def of(cls, row: GameRow) -> Game:
        daily = row.daily
        return cls(
            id=row.id,
            kind="daily" if daily else "practice",
            rules=row.deal.rules,
            deal=row.deal_id,
            day=daily.day if daily else None,
            division=daily.division if daily else None,
            attempt=row.attempt if daily else None,
            policy=row.policy,
            player=Player.of(row.player),
            status=row.status,  # type: ignore[arg-type]  # one of the statuses
            socket=f"/ws/games/{row.id}/",
            **{name: getattr(row, name) for name in COPIED},
        )


class Games(JsonObject, frozen=True):
    """Some of your games."""

    games: Annotated[list[Game], Meta(description="Newest first.")]
    next: Annotated[str | None, Meta(description="The address of older games, if there may be some.")]


class Record(JsonObject, frozen=True):
    """A whole game as one text."""

    record: Annotated[str, Meta(description="Cards that the reader may not know are `??` in its deck.")]


class Reveal(JsonObject, frozen=True):
    """The disclosed deal; docs/daily-deals.md explains how to check it against the commitment."""

    seed: Annotated[str, Meta(description="32 bytes, hexadecimal.")]
    candidate: Annotated[int, Meta(description="Which of the decks that the seed leads to, from 0.")]
    deck: str
    par: Annotated[int | None, Meta(description="The fewest moves that win; null if that is not known.")]
    greedy_moves: Annotated[int | None, Meta(description="What a greedy player needs; null if it loses.")]
    grade: Grade | None

    @classmethod
    def of(cls, reveal: Revealed) -> Reveal:
        measured = reveal.par, reveal.greedy_moves, _grade(reveal.grade)
        return cls(reveal.seed, reveal.candidate, reveal.deck, *measured)


class Daily(JsonObject, frozen=True):
    """A daily deal as you may know it."""

    day: date
    rules: str
    division: str
    state: DailyState
    opens_at: Time
    closes_at: Annotated[Time, Meta(description="No attempt starts from here on.")]
    finish_by: Annotated[Time, Meta(description="Attempts still being played expire.")]
    commitment: Annotated[str, Meta(description="SHA-256 of the seed with the day, published when it was made.")]
    committed_at: Annotated[Time, Meta(description="When the deal was committed to; part of the chain.")]
    grade: Annotated[Grade | None, Meta(description="What it was chosen to be; null: anything.")]
    is_certified: Annotated[bool, Meta(description="The deal is proved winnable.")]
    yours: Annotated[bool, Meta(description="You compete in this division on that day. New players compete in `open`.")]
    policy: Policy
    attempt: Annotated[str | None, Meta(description="The id of your newest ranked attempt, if there is one.")]
    reveal: Annotated[Reveal | None, Meta(description="Null until `finish_by`.")]

    @classmethod
    def of(cls, daily: DisclosedDaily) -> Daily:
        key = daily.key
        return cls(
            day=key.day,
            rules=key.rules,
            division=key.division,
            state=daily.state,
            opens_at=key.opens_at,
            closes_at=key.closes_at,
            finish_by=key.finish_by,
            commitment=daily.commitment,
            committed_at=daily.committed_at,
            grade=_grade(daily.grade),
            is_certified=daily.is_certified,
            yours=daily.is_yours,
            policy=daily.policy,
            attempt=daily.attempt,
            reveal=Reveal.of(daily.reveal) if daily.reveal else None,
        )


class Day(JsonObject, frozen=True):
    """The deals of a day."""

    server_now: Time
    day: date
    dailies: list[Daily]


class DailyHistory(JsonObject, frozen=True):
    """Some past deals."""

    server_now: Time
    dailies: Annotated[list[Daily], Meta(description="The newest day first.")]
    next: Annotated[str | None, Meta(description="The address of earlier days, if there may be some.")]


class Commitment(JsonObject, frozen=True):
    """A link of the chain: a commitment, its purpose and its time; see docs/daily-deals.md."""

    number: Annotated[int, Meta(description="1, 2, 3 ... in the order in which they were made.")]
    day: date
    rules: str
    division: str
    grade: Annotated[str | None, Meta(description="What the deal was chosen to be; null: anything.")]
    committed_at: Annotated[Time, Meta(description="Never before that of the link before.")]
    commitment: str
    link: str

    @classmethod
    def of(cls, row: DailyDeal) -> Commitment:
        return cls(**{name: getattr(row, name) for name in cls.__struct_fields__})


class Commitments(JsonObject, frozen=True):
    """A stretch of the chain."""

    commitments: Annotated[list[Commitment], Meta(description="Oldest first; days that lie ahead too.")]
    next: Annotated[str | None, Meta(description="The address of later ones, if there may be some.")]


def _grade(text: str | None) -> Grade | None:
    return Grade(text) if text else None


def _streak(days: Days) -> Streak:
    return Streak(days.current, days.longest)
