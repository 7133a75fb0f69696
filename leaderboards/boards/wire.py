"""The types of all messages about score tables, for REST, the socket, OpenAPI and AsyncAPI."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any, Literal, cast

from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

from games.accounts.wire import ListedName
from games.doors.wire import Check, Input, JsonObject, Milliseconds, Number, Ordinal, Text, documented
from games.play.notation_wire import GameId, Result, RuleSlug
from games.play.wire import BoardSlug
from games.players.models import Player
from games.players.wire import HANDLE, Handle
from leaderboards.boards import models, reading, scores
from leaderboards.boards.catalog import OrderField
from leaderboards.boards.models import Decision

Time = Annotated[datetime, Meta(tz=True)]
DivisionName = Literal["main", "main-bots", "open", "open-bots"]
TableName = Literal["fewest-moves", "fastest", "points", "storm", "streak"]
PeriodName = Literal["daily", "weekly", "monthly", "all-time"]
MonthName = Annotated[str, Meta(pattern=r"^\d{4}-\d\d$")]
ScoreState = Literal["provisional", "verified", "flagged", "disqualified", "reinstated"]


MOST_PLAYERS = 50
HANDLES = rf"^\s*[a-z0-9][a-z0-9-]{{0,31}}\s*(,\s*[a-z0-9][a-z0-9-]{{0,31}}\s*){{0,{MOST_PLAYERS - 1}}}$"
Rules = Annotated[Text | UnsetType, Meta(description="A rule set.")]
Cursor = Annotated[Text, Meta(max_length=8192)]
Limit = Annotated[int, Meta(ge=1, le=100, description="How many rows to return at most.")]


class BoardsInput(Input, frozen=True):
    """The boards of a day, or some of them."""

    day: Annotated[date | UnsetType, Meta(description="A UTC day; today if it is left out.")] = UNSET
    period: PeriodName | UnsetType = UNSET
    rules: Rules = UNSET
    division: Annotated[Text | UnsetType, Meta(description="A division, for example `open` or `open-bots`.")] = UNSET


class ViewInput(Input, frozen=True):
    """A version of a board, and a part of its entries."""

    as_of: Annotated[Time | UnsetType, Meta(description="The board as it was at this time.")] = UNSET
    verified: Annotated[bool, Meta(description="Only entries that were re-executed or reinstated.")] = False
    following: Annotated[bool, Meta(description="Only you and the players whom you follow.")] = False


class TableInput(ViewInput, frozen=True):
    """Some rows of a board."""

    limit: Limit = 20
    around: Annotated[
        Annotated[Text, Meta(pattern=HANDLE), documented(pattern=HANDLE)] | UnsetType,
        Meta(description="The handle of a player whose row is to be in the middle."),
    ] = UNSET
    cursor: Annotated[
        Cursor | UnsetType, Meta(description="`next` of an earlier answer; continues in the same version.")
    ] = UNSET

    def mistakes(self) -> dict[str, str]:
        has_more = any((self.around, self.as_of, self.verified, self.following))
        return {"cursor": _("A cursor contains all parameters except the limit.")} if self.cursor and has_more else {}


def _mistake_in_handles(text: str) -> str | None:
    handles = _split(text)
    if len(handles) > MOST_PLAYERS:
        return _("At most %(count)d handles.") % {"count": MOST_PLAYERS}
    return None if all(re.search(HANDLE, handle) for handle in handles) else _("Not handles, separated by commas.")


def _split(handles: str) -> list[str]:
    return [handle.strip() for handle in handles.split(",")]


class PlayersInput(ViewInput, frozen=True, kw_only=True):
    """Several players on a board."""

    handles: Annotated[
        Text,
        Meta(description=f"Up to {MOST_PLAYERS} handles, separated by commas."),
        documented(pattern=HANDLES),
        Check(_mistake_in_handles),
    ]

    @property
    def players(self) -> list[str]:
        return _split(self.handles)


class HistogramInput(ViewInput, frozen=True):
    """A distribution."""

    field: Annotated[
        OrderField | UnsetType,
        Meta(description="One of the board's `order`; the first of it if it is left out."),
    ] = UNSET
    bins: Annotated[int, Meta(ge=1, le=100, description="How many bins at most.")] = 20
    won: Annotated[bool, Meta(description="Only scores without cards left.")] = False


class Board(JsonObject, frozen=True):
    """A score table."""

    slug: BoardSlug
    period: PeriodName
    first_day: Annotated[date, Meta(description="0001-01-01 for all time.")]
    last_day: Annotated[date, Meta(description="9999-12-31 for all time.")]
    rules: RuleSlug
    division: DivisionName
    table: TableName
    order: Annotated[list[OrderField], Meta(description="What rows are compared by, weightiest first.")]
    version: Annotated[Number, Meta(description="How many changes the board has seen.")]

    @classmethod
    def of(cls, row: models.Board) -> Board:
        key = row.key
        return cls(
            slug=row.slug,
            period=key.period.value,
            first_day=key.first,
            last_day=key.last,
            rules=key.rules,
            division=cast(DivisionName, key.division_name),
            table=cast(TableName, key.table),
            order=cast("list[OrderField]", list(key.order.fields)),
            version=row.version,
        )


class Boards(JsonObject, frozen=True):
    """Some score tables."""

    boards: list[Board]


class RankedPlayer(JsonObject, frozen=True):
    """A player as score tables name them."""

    handle: Handle
    display_name: ListedName
    is_bot: bool

    @classmethod
    def of(cls, row: Player) -> RankedPlayer:
        return cls(row.listed_handle, row.listed_name, row.is_bot)


class Followed(JsonObject, frozen=True):
    """The players whom you follow."""

    players: list[RankedPlayer]

    @classmethod
    def of(cls, players: Iterable[Player]) -> Followed:
        return cls([RankedPlayer.of(player) for player in players])


class Score(JsonObject, frozen=True, kw_only=True):
    """A score: of a game, with `game` and `result`, a sum of points, with `points` and `wins`, or a run of puzzles."""

    player: RankedPlayer
    game: GameId | None
    points: Number | UnsetType = UNSET
    wins: Number | UnsetType = UNSET
    cards_left: Number | UnsetType = UNSET
    moves: Number | UnsetType = UNSET
    elapsed_ms: Milliseconds | UnsetType = UNSET
    solved: Number | UnsetType = UNSET
    mistakes: Number | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    score_state: ScoreState
    at: Annotated[Time, Meta(description="When the game ended, or when the sum became what it is.")]

    @classmethod
    def of(cls, score: scores.Score) -> Score:
        return cls(**_fields_of(score))


class Row(Score, frozen=True, kw_only=True):
    """A score with its rank."""

    rank: Annotated[Ordinal, Meta(description="Equal scores share a rank: 1, 2, 2, 4.")]
    place: Annotated[Ordinal, Meta(description="The number of the row, from 1.")]

    @classmethod
    def at_place(cls, row: reading.Row) -> Row:
        return cls(rank=row.place.rank, place=row.place.place, **_fields_of(row.score))


class Amendment(JsonObject, frozen=True):
    """A change by two reviewers after the day was final."""

    game: GameId
    score_state: ScoreState
    reason: Annotated[str, Meta(max_length=500)]
    at: Time

    @classmethod
    def of(cls, row: Decision) -> Amendment:
        return cls(row.game_id, cast(ScoreState, row.state), row.reason, row.at)


class TablePage(JsonObject, frozen=True):
    """Consecutive rows of a board."""

    board: Board
    version: Annotated[Number, Meta(description="The version of the board that the rows are of.")]
    count: Annotated[Number, Meta(description="How many entries there are in all.")]
    rows: list[Row]
    amendments: Annotated[list[Amendment], Meta(description="What two reviewers changed on a final day.")]
    next: Annotated[Cursor | None, Meta(description="The `cursor` of the rows that follow, if there are any.")]


class Standing(JsonObject, frozen=True):
    """The standing of a player."""

    row: Row
    percentile: Annotated[
        float, Meta(ge=0, le=100, description="Percent of the entries that this one equals or beats, itself included.")
    ]

    @classmethod
    def of(cls, standing: reading.Standing) -> Standing:
        return cls(Row.at_place(standing.row), standing.percentile)


class Standings(JsonObject, frozen=True):
    """The standings of several players."""

    version: Number
    standings: Annotated[
        list[Standing], Meta(description="Those of the players that are on the board, the best first.")
    ]
    missing: Annotated[list[Handle], Meta(description="The handles that are not.")]


class Change(JsonObject, frozen=True):
    """A score as it stood from a version of the board on."""

    version: Number
    changed_at: Time
    listed: Annotated[bool, Meta(description="Whether it had a rank. A better game or a disqualification takes it.")]
    score: Score

    @classmethod
    def of(cls, change: reading.Change) -> Change:
        return cls(change.version, change.changed_at, change.listed, Score.of(change.score))


class History(JsonObject, frozen=True):
    """The history of a player's scores on a board."""

    changes: list[Change]


def _fields_of(score: scores.Score) -> dict[str, Any]:
    return {
        "player": RankedPlayer(score.handle, score.display_name, score.is_bot),
        "game": score.game,
        **score.values,
        "result": score.result or UNSET,
        "score_state": score.state,
        "at": score.at,
    }
