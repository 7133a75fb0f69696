"""Answers of the REST API about seasons."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, cast

from msgspec import UNSET, Meta, UnsetType

from games.doors.wire import Input, JsonObject, Number, Ordinal, Text
from games.play.notation_wire import RuleSlug
from games.play.wire import BoardSlug
from leaderboards.boards.wire import Amendment, Cursor, DivisionName, Limit, MonthName, RankedPlayer, Row, Rules
from leaderboards.seasons import models

# Such as `2026-11.standard.main`.
SeasonSlug = Annotated[str, Meta(pattern=r"^\d{4}-\d\d\.[a-z0-9-]+\.[a-z-]+$", max_length=80)]


class SeasonsInput(Input, frozen=True):
    """The seasons of a year, or some of them."""

    year: Annotated[Annotated[int, Meta(ge=1, le=9999)] | UnsetType, Meta(description="By default the newest.")] = UNSET
    rules: Rules = UNSET
    division: Annotated[Text | UnsetType, Meta(description="A division, for example `main` or `open-bots`.")] = UNSET


class SeasonInput(Input, frozen=True):
    """Some rows of a season's table."""

    limit: Limit = 20
    cursor: Annotated[Cursor | UnsetType, Meta(description="`next` of an earlier answer.")] = UNSET


class Season(JsonObject, frozen=True):
    """A month of a rule set in a division that is over."""

    slug: SeasonSlug
    month: Annotated[MonthName, Meta(description="Such as `2026-11`.")]
    rules: RuleSlug
    division: DivisionName
    board: Annotated[BoardSlug, Meta(description="The board of which the season is a version.")]
    version: Number
    count: Annotated[Number, Meta(description="How many entries the table has.")]
    closed_at: Annotated[datetime, Meta(tz=True)]

    @classmethod
    def of(cls, row: models.Season) -> Season:
        key = row.board.key
        return cls(
            slug=row.slug,
            month=f"{row.month:%Y-%m}",
            rules=key.rules,
            division=cast(DivisionName, key.division_name),
            board=row.board.slug,
            version=row.version,
            count=row.count,
            closed_at=row.closed_at,
        )


class Seasons(JsonObject, frozen=True):
    """The seasons that ended in a year."""

    seasons: Annotated[list[Season], Meta(description="Newest first.")]
    years: Annotated[list[Ordinal], Meta(description="The years that have seasons, newest first.")]


class SeasonHonour(JsonObject, frozen=True):
    """A place among the first three of a season, or in its top 1, 5 or 10%."""

    player: RankedPlayer
    rank: Ordinal
    top: Annotated[Ordinal | None, Meta(description="1, 5 or 10, as a percentage; null for the first three of few.")]

    @classmethod
    def of(cls, row: models.Honour) -> SeasonHonour:
        return cls(RankedPlayer.of(row.player), row.rank, row.top)


class SeasonPage(JsonObject, frozen=True):
    """Consecutive rows of a season's table, which never change."""

    season: Season
    honours: Annotated[list[SeasonHonour], Meta(description="Those that hold, the best first, at most 100.")]
    rows: list[Row]
    amendments: Annotated[list[Amendment], Meta(description="Decisions about its games since it was closed.")]
    next: Annotated[Cursor | None, Meta(description="The `cursor` of the rows that follow, if there are any.")]


class PlayerHonour(JsonObject, frozen=True):
    """An honour of a player."""

    season: Season
    rank: Ordinal
    top: Annotated[Ordinal | None, Meta(description="1, 5 or 10, as a percentage; null for the first three of few.")]

    @classmethod
    def of(cls, row: models.Honour) -> PlayerHonour:
        return cls(Season.of(row.season), row.rank, row.top)


class PlayerHonours(JsonObject, frozen=True):
    """The honours of a player."""

    player: RankedPlayer
    honours: Annotated[list[PlayerHonour], Meta(description="Newest first.")]
