"""Inputs and answers of the REST API about duels of clubs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal, cast

from msgspec import Meta

from games.doors.wire import Input, JsonObject, Number, Text
from games.play.wire import BoardSlug
from games.players.wire import Id
from leaderboards.boards.catalog import BoardKey
from leaderboards.boards.wire import DivisionName, Time
from leaderboards.clubs import models
from leaderboards.clubs.duel_results import Sides, final_at, sides_of
from leaderboards.clubs.duels import Challenge
from leaderboards.clubs.wire import RankedClub

WeekName = Annotated[str, Meta(pattern=r"^\d{4}-W\d\d$", max_length=8)]
GivenId = Annotated[Text, Meta(max_length=12)]


class DuelInput(Input, frozen=True):
    """The club to propose a duel to, and the week."""

    example: ClassVar = {"opponent": "2x9k4m7vq1ht", "week": "2026-W48"}

    opponent: Annotated[GivenId, Meta(description="The other club.")]
    week: Annotated[Text, Meta(max_length=8, description="One of the next eight weeks, such as `2026-W48`.")]
    rules: Annotated[Text, Meta(max_length=40, description="A rule set.")] = "standard"
    division: DivisionName = "open"

    @property
    def challenge(self) -> Challenge:
        return Challenge(self.opponent, self.week, self.rules, self.division)


class DuelAnswerInput(Input, frozen=True):
    """An answer to a duel that is proposed."""

    example: ClassVar = {"act": "accept"}

    act: Annotated[
        Literal["accept", "decline", "withdraw"],
        Meta(description="`accept` or `decline` what another club has proposed, `withdraw` what yours has."),
    ]


class DuelSum(JsonObject, frozen=True):
    """The sum of the best members of a club."""

    points: Number
    wins: Number
    moves: Number


class Duel(JsonObject, frozen=True, kw_only=True):
    """A week in which two clubs compare the sums of their best members."""

    id: Id
    board: Annotated[BoardSlug, Meta(description="The table of the week that decides.")]
    week: WeekName
    challenger: RankedClub
    opponent: RankedClub
    state: Annotated[
        Literal["offered", "accepted", "declined", "withdrawn"],
        Meta(description="A duel that is not accepted before its week begins is off."),
    ]
    challenger_sum: Annotated[DuelSum | None, Meta(description="Null before, and without a member on the table.")]
    opponent_sum: Annotated[DuelSum | None, Meta(description="The same of the other club.")]
    is_final: Annotated[bool, Meta(description="True once the last day is final; it does not change any more.")]
    final_at: Time
    winner: Annotated[Id | None, Meta(description="The club that is ahead, and at the end has won; null in a draw.")]

    @classmethod
    def of(cls, row: models.Duel, found: Sides | None = None) -> Duel:
        key, sides = BoardKey.parse(row.board), found or Sides(None, None)
        sums = [None if side is None else DuelSum(**key.order.unpack(side)) for side in sides]
        return cls(
            id=row.pk,
            board=row.board,
            week=key.period.date_text(row.week),
            challenger=_club(row.challenger),
            opponent=_club(row.opponent),
            state=cast("Literal['offered', 'accepted', 'declined', 'withdrawn']", row.state),
            challenger_sum=sums[0],
            opponent_sum=sums[1],
            is_final=hasattr(row, "result"),
            final_at=final_at(row),
            winner=None if sides.winner is None else row.clubs[sides.winner].pk,
        )


class Duels(JsonObject, frozen=True):
    """The duels of a club."""

    duels: Annotated[list[Duel], Meta(description="The last week first, at most 50.")]

    @classmethod
    def of(cls, rows: list[models.Duel], now: datetime) -> Duels:
        return cls([Duel.of(row, sides) for row, sides in zip(rows, sides_of(rows, now), strict=True)])


def _club(club: models.Club) -> RankedClub:
    return RankedClub(club.pk, club.name, club.emblem)
