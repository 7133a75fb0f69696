"""Answers of the REST API about leagues."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from games.doors.wire import JsonObject, Number, Ordinal
from games.players.models import Player
from leaderboards.boards.catalog import Period
from leaderboards.boards.wire import RankedPlayer
from leaderboards.leagues import tables
from leaderboards.leagues.tiers import groups_for

Move = Literal["up", "down", "stays"]
WeekName = Annotated[str, Meta(pattern=r"^\d{4}-W\d\d$", description="Such as `2026-W48`.")]
Rank = Annotated[Ordinal | None, Meta(description="Within the group; null for those who did not play.")]


class LeagueTier(JsonObject, frozen=True):
    """A tier in a week."""

    tier: Annotated[Ordinal, Meta(description="1 is the highest.")]
    groups: Number
    players: Number


class LeagueWeek(JsonObject, frozen=True):
    """A week of the leagues."""

    week: WeekName
    first_day: date
    is_over: Annotated[bool, Meta(description="Whether its results are final.")]
    tiers: Annotated[list[LeagueTier], Meta(description="The open tiers, the highest first.")]

    @classmethod
    def of(cls, week: tables.LeagueWeek) -> LeagueWeek:
        tiers = [LeagueTier(tier, groups_for(size), size) for tier, size in enumerate(week.sizes, 1)]
        return cls(Period.WEEKLY.date_text(week.monday), week.monday, week.is_over, tiers)


class Leagues(JsonObject, frozen=True):
    """The newest week of the leagues."""

    week: Annotated[LeagueWeek | None, Meta(description="Null before the first week has been closed.")]


class LeagueRow(JsonObject, frozen=True):
    """A player of a group."""

    player: RankedPlayer
    rank: Rank
    points: Number | None
    wins: Number | None
    moves: Number | None
    move: Annotated[Move, Meta(description="At the end of the week; until then, as if it ended now.")]

    @classmethod
    def of(cls, row: tables.GroupRow) -> LeagueRow:
        values = row.values or {}
        points, wins, moves = (values.get(name) for name in ("points", "wins", "moves"))
        return cls(RankedPlayer.of(row.player), row.rank, points, wins, moves, _move(row.tiers_down))


class LeagueGroup(JsonObject, frozen=True):
    """A group of up to 50 players in a week."""

    week: LeagueWeek
    tier: Ordinal
    group: Ordinal
    rows: Annotated[list[LeagueRow], Meta(description="The best first; those who have not played last.")]

    @classmethod
    def of(cls, table: tables.GroupTable) -> LeagueGroup:
        return cls(LeagueWeek.of(table.week), table.tier, table.group, [LeagueRow.of(row) for row in table.rows])


class PlayedLeagueWeek(JsonObject, frozen=True):
    """A week in which a player was in a group."""

    week: WeekName
    tier: Ordinal
    group: Ordinal
    rank: Rank
    move: Move

    @classmethod
    def of(cls, row: tables.PlayedWeek) -> PlayedLeagueWeek:
        return cls(Period.WEEKLY.date_text(row.monday), row.tier, row.group, row.rank, _move(row.tiers_down))


class PlayerLeagues(JsonObject, frozen=True):
    """A player's tier, current group and past weeks."""

    player: RankedPlayer
    tier: Annotated[Ordinal | None, Meta(description="Null for a player who has never had one.")]
    group: Annotated[LeagueGroup | None, Meta(description="Null for a player who has not played for weeks.")]
    weeks: Annotated[list[PlayedLeagueWeek], Meta(description="Past weeks, the newest first, at most a year.")]

    @classmethod
    def of(cls, player: Player, career: tables.Career) -> PlayerLeagues:
        group = LeagueGroup.of(career.group) if career.group else None
        weeks = [PlayedLeagueWeek.of(row) for row in career.weeks]
        return cls(RankedPlayer.of(player), career.tier, group, weeks)


def _move(tiers_down: int) -> Move:
    return "stays" if tiers_down == 0 else "up" if tiers_down < 0 else "down"
