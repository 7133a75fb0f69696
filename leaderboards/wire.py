"""The types of all messages about score tables, for REST, the socket, OpenAPI and AsyncAPI."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from games.kit.wire import JsonObject
from games.models import Player
from games.services.races.rating import Family
from leaderboards.models import Board as BoardRow
from leaderboards.models import DayRoot, Decision
from leaderboards.services import reading
from leaderboards.services.bots import ActiveBot as FoundBot
from leaderboards.services.histogram import Histogram as CountedBins
from leaderboards.services.scores import Score as ShownScore
from leaderboards.services.sealing import Proof as Path

Time = Annotated[datetime, Meta(tz=True)]
TableName = Literal["fewest-moves", "fastest", "points"]
PeriodName = Literal["daily", "weekly", "monthly", "all-time"]
Result = Literal["won", "stuck", "resigned", "expired"]
ScoreState = Literal["provisional", "verified", "flagged", "disqualified", "reinstated", "withdrawn"]


class Board(JsonObject, frozen=True):
    """A score table."""

    slug: str
    period: PeriodName
    first_day: Annotated[date, Meta(description="0001-01-01 for all time.")]
    last_day: Annotated[date, Meta(description="9999-12-31 for all time.")]
    rules: str
    division: str
    table: TableName
    order: Annotated[list[str], Meta(description="What rows are compared by, weightiest first.")]
    version: Annotated[int, Meta(description="How many changes the board has seen.")]

    @classmethod
    def of(cls, row: BoardRow) -> Board:
        key = row.key
        return cls(
            slug=row.slug,
            period=key.period.value,
            first_day=key.first,
            last_day=key.last,
            rules=key.rules,
            division=key.division_name,
            table=cast(TableName, key.table),
            order=list(key.order.fields),
            version=row.version,
        )


class Boards(JsonObject, frozen=True):
    """Some score tables."""

    boards: list[Board]


class RankedPlayer(JsonObject, frozen=True):
    """A player as score tables name them."""

    handle: str
    display_name: str
    is_bot: bool

    @classmethod
    def of(cls, row: Player) -> RankedPlayer:
        return cls(row.listed_handle, row.listed_name, row.is_bot)


class BotRating(JsonObject, frozen=True):
    """A rating of a bot from races among bots, under the rule sets of a family."""

    family: Family
    rating: int
    uncertainty: Annotated[int, Meta(description="Two standard deviations of the rating.")]
    races: Annotated[int, Meta(description="How many were rated.")]


class ActiveBot(JsonObject, frozen=True):
    """A bot, its owner, its finished ranked attempts of the last 30 days, and its ratings."""

    player: RankedPlayer
    owner: Annotated[RankedPlayer | None, Meta(description="The person who made it; null if nobody says so.")]
    days: Annotated[int, Meta(description="On how many days it played.")]
    played: int
    won: int
    last_day: date
    ratings: Annotated[list[BotRating], Meta(description="From races, those that are not provisional.")]

    @classmethod
    def of(cls, bot: FoundBot) -> ActiveBot:
        owner = bot.player.listed_owner
        return cls(
            player=RankedPlayer.of(bot.player),
            owner=None if owner is None else RankedPlayer.of(owner),
            days=bot.days,
            played=bot.played,
            won=bot.won,
            last_day=bot.last_day,
            ratings=[BotRating(family, *figures) for family, figures in bot.ratings],
        )


class Bots(JsonObject, frozen=True):
    """The bots that play, and where they compete."""

    bots: Annotated[list[ActiveBot], Meta(description="Those with most wins first, at most 100.")]
    boards: Annotated[list[str], Meta(description="The boards of bots on which today's deals count.")]


class Followed(JsonObject, frozen=True):
    """The players whom you follow."""

    players: list[RankedPlayer]

    @classmethod
    def of(cls, players: Iterable[Player]) -> Followed:
        return cls([RankedPlayer.of(player) for player in players])


class Score(JsonObject, frozen=True, kw_only=True):
    """A score: of a game, with `game` and `result`, or a sum of points, with `points` and `wins`."""

    player: RankedPlayer
    game: str | None
    points: int | UnsetType = UNSET
    wins: int | UnsetType = UNSET
    cards_left: int | UnsetType = UNSET
    moves: int
    elapsed_ms: int | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    score_state: ScoreState
    at: Annotated[Time, Meta(description="When the game ended, or when the sum became what it is.")]

    @classmethod
    def of(cls, score: ShownScore) -> Score:
        return cls(**_fields_of(score))


class Row(Score, frozen=True, kw_only=True):
    """A score with its rank."""

    rank: Annotated[int, Meta(description="Equal scores share a rank: 1, 2, 2, 4.")]
    place: Annotated[int, Meta(description="The number of the row, from 1.")]

    @classmethod
    def at_place(cls, row: reading.Row) -> Row:
        return cls(rank=row.place.rank, place=row.place.place, **_fields_of(row.score))


class Amendment(JsonObject, frozen=True):
    """A change by two reviewers after the day was final."""

    game: str
    score_state: ScoreState
    reason: str
    at: Time

    @classmethod
    def of(cls, row: Decision) -> Amendment:
        return cls(row.game_id, cast(ScoreState, row.state), row.reason, row.at)


class TablePage(JsonObject, frozen=True):
    """Consecutive rows of a board."""

    board: Board
    version: Annotated[int, Meta(description="The version of the board that the rows are of.")]
    count: Annotated[int, Meta(description="How many entries there are in all.")]
    rows: list[Row]
    amendments: Annotated[list[Amendment], Meta(description="What two reviewers changed on a final day.")]
    next: Annotated[str | None, Meta(description="The `cursor` of the rows that follow, if there are any.")]


class Standing(JsonObject, frozen=True):
    """The standing of a player."""

    row: Row
    percentile: Annotated[
        float, Meta(description="Percent of the entries that this one equals or beats, itself included.")
    ]

    @classmethod
    def of(cls, standing: reading.Standing) -> Standing:
        return cls(Row.at_place(standing.row), standing.percentile)


class Standings(JsonObject, frozen=True):
    """The standings of several players."""

    version: int
    standings: Annotated[
        list[Standing], Meta(description="Those of the players that are on the board, the best first.")
    ]
    missing: Annotated[list[str], Meta(description="The handles that are not.")]


class Histogram(JsonObject, frozen=True):
    """Bin i counts the values from `start + i * width` up to, but not including, the start of the next bin."""

    field: str
    start: int
    width: int
    counts: list[int]

    @classmethod
    def of(cls, counted: CountedBins) -> Histogram:
        return cls(counted.field, counted.start, counted.width, counted.counts)


class Change(JsonObject, frozen=True):
    """A score as it stood from a version of the board on."""

    version: int
    changed_at: Time
    listed: Annotated[bool, Meta(description="Whether it had a rank. A better game or a disqualification takes it.")]
    score: Score

    @classmethod
    def of(cls, change: reading.Change) -> Change:
        return cls(change.version, change.changed_at, change.listed, Score.of(change.score))


class History(JsonObject, frozen=True):
    """The history of a player's scores on a board."""

    changes: list[Change]


class Root(JsonObject, frozen=True):
    """A root of a day and its link in the chain of roots; docs/daily-deals.md has the formulas."""

    number: Annotated[int, Meta(description="1, 2, 3 ... in the order of the days.")]
    day: date
    count: Annotated[int, Meta(description="How many verified results there are.")]
    root: Annotated[str, Meta(description="The root of their Merkle tree, hexadecimal.")]
    link: str
    made_at: Time

    @classmethod
    def of(cls, row: DayRoot) -> Root:
        return cls(row.number, row.day, row.count, row.root, row.link, row.made_at)


class Roots(JsonObject, frozen=True):
    """Some roots of the chain."""

    roots: Annotated[list[Root], Meta(description="Oldest first.")]
    next: Annotated[str | None, Meta(description="The address of later ones, if there may be some.")]


class Proof(JsonObject, frozen=True):
    """The proof that a result is in the tree of its day."""

    game: str
    day: date
    leaf: Annotated[str, Meta(description="The result as the text that was hashed.")]
    index: Annotated[int, Meta(description="Which leaf of the tree, from 0.")]
    count: Annotated[int, Meta(description="How many leaves there are.")]
    path: Annotated[list[str], Meta(description="Hashes up to the root, the nearest first.")]
    root: str

    @classmethod
    def of(cls, proof: Path) -> Proof:
        sealed, tree = proof.sealed, proof.sealed.day_root
        return cls(sealed.game_id, tree.day, sealed.leaf, sealed.index, tree.count, proof.path, tree.root)


def _fields_of(score: ShownScore) -> dict[str, Any]:
    return {
        "player": RankedPlayer(score.handle, score.display_name, score.is_bot),
        "game": score.game,
        **score.values,
        "result": score.result or UNSET,
        "score_state": score.state,
        "at": score.at,
    }
