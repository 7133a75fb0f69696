"""Answers of the REST API about results of cups."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from games.doors.wire import Input, JsonObject, Number, Ordinal
from games.play.notation_wire import RuleSlug
from games.players.wire import Id
from leaderboards.boards.wire import Cursor, Limit, MonthName, RankedPlayer
from leaderboards.cups import models
from leaderboards.cups.results import KnownResult
from leaderboards.cups.seasons import CupTable, Row
from leaderboards.reporting.wire import ForReviewers

Of = Literal["people", "bots"]
Medal = Literal["gold", "silver", "bronze"]


class CupPlace(JsonObject, frozen=True):
    """A place in a cup that is over."""

    cup: Id
    rules: RuleSlug
    opened_at: Annotated[datetime, Meta(tz=True)]
    division: Ordinal
    place: Annotated[Ordinal, Meta(description="In the division.")]
    entrants: Annotated[Number, Meta(description="Of the division.")]
    points: Annotated[
        Number | None, Meta(description="Null if it does not count: of a guest, or of the lesser account of a person.")
    ]
    medal: Annotated[Medal | None, Meta(description="Of the first three of the first division, if it counts.")]

    @classmethod
    def of(cls, known: KnownResult) -> CupPlace:
        entry = known.entry
        return cls(
            cup=entry.cup_id,
            rules=entry.cup.rules,
            opened_at=entry.cup.opens_at,
            division=entry.division,
            place=cast(int, entry.place),
            entrants=known.entrants,
            points=known.points,
            medal=cast(Medal | None, known.medal),
        )


class PlayerCups(JsonObject, frozen=True):
    """Consecutive places of a player in cups."""

    player: RankedPlayer
    places: Annotated[list[CupPlace], Meta(description="The newest first.")]
    next: Annotated[Cursor | None, Meta(description="The `cursor` of the older ones, if there are any.")]


class PlayerCupsInput(Input, frozen=True):
    """Some places of a player in cups."""

    limit: Limit = 20
    cursor: Annotated[Cursor | UnsetType, Meta(description="`next` of an earlier answer.")] = UNSET


class CupSeasonInput(Input, frozen=True):
    """Some rows of a season of cups."""

    of: Annotated[Of, Meta(description="Both have separate cups.")] = "people"
    limit: Limit = 20
    cursor: Annotated[Cursor | UnsetType, Meta(description="`next` of an earlier answer.")] = UNSET


class CupSeasonRow(JsonObject, frozen=True):
    """A player in a season of cups."""

    rank: Annotated[Ordinal, Meta(description="By points; equal points share a rank.")]
    player: RankedPlayer
    points: Number
    cups: Annotated[Number, Meta(description="Those that count.")]
    won: Number

    @classmethod
    def of(cls, row: Row) -> CupSeasonRow:
        own = row.standing
        return cls(own.rank, RankedPlayer.of(row.player), own.points, own.cups, own.won)


class CupSeason(JsonObject, frozen=True):
    """Consecutive rows of a season of cups."""

    month: MonthName
    of: Of
    count: Annotated[Number, Meta(description="How many players have points.")]
    rows: list[CupSeasonRow]
    next: Annotated[Cursor | None, Meta(description="The `cursor` of the rows that follow, if there are any.")]

    @classmethod
    def table(cls, table: CupTable) -> CupSeason:
        of: Of = "bots" if table.season.for_bots else "people"
        return cls(table.season.name, of, table.count, [CupSeasonRow.of(row) for row in table.rows], table.next)


class ReportCupInput(Input, frozen=True):
    """A report of the name of a tournament by hand."""

    example: ClassVar = {"text": "It insults my neighbour."}

    text: ForReviewers = ""


class CupReport(JsonObject, frozen=True):
    """A report of yours that reviewers have not answered yet."""

    at: Annotated[datetime, Meta(tz=True)]

    @classmethod
    def of(cls, row: models.CupReport) -> CupReport:
        return cls(row.at)
