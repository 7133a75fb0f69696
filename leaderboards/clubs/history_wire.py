"""Inputs and answers of the REST API about what happened in clubs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from games.doors.wire import Address, Input, JsonObject, Number, RowId
from games.play.notation_wire import GameId
from games.play.wire import BoardSlug
from games.players.models import Player
from leaderboards.boards.wire import Cursor, RankedPlayer
from leaderboards.clubs import log, notices
from leaderboards.clubs.models import Club
from leaderboards.clubs.wire import Act, DuelAct, Time

ActName = Literal["founded", "changed", "joined", "left", Act, DuelAct]
LINES = 50


class NoticesInput(Input, frozen=True):
    """Some notices of a club."""

    limit: Annotated[int, Meta(ge=1, le=100, description="How many notices to return at most.")] = 20
    cursor: Annotated[Cursor | UnsetType, Meta(description="`next` of an earlier answer.")] = UNSET


class LogInput(Input, frozen=True):
    """Some lines of the log of a club."""

    before: Annotated[RowId | UnsetType, Meta(description="The id of a line: those before it.")] = UNSET


class FirstGame(JsonObject, frozen=True):
    """A game that is first on a table of the club."""

    board: BoardSlug
    day: date
    game: GameId
    cards_left: Number
    moves: Number
    elapsed_ms: Number


class ClubNotice(JsonObject, frozen=True):
    """Something that happened in a club."""

    id: Annotated[str, Meta(pattern="^[a-z]+-[0-9a-z]+$", description="The same in every answer and in the feed.")]
    kind: Annotated[
        Literal["joined", "left", "won", "record"],
        Meta(description="`won`: first of the club on a day's table; `record`: first of it on that of all time."),
    ]
    at: Annotated[Time, Meta(description="When it happened; of a game, when its day was final.")]
    player: RankedPlayer
    first: Annotated[FirstGame | None, Meta(description="The game of `won` and `record`.")]

    @classmethod
    def of(cls, notice: notices.Notice) -> ClubNotice:
        won = notice.first
        first = FirstGame(str(won.board), won.day, won.game, **notice.values) if won else None
        return cls(notice.id, notice.kind.value, notice.at, RankedPlayer.of(notice.player), first)


class ClubNotices(JsonObject, frozen=True):
    """The notices of a club, the newest first."""

    notices: list[ClubNotice]
    next: Annotated[Cursor | None, Meta(description="The `cursor` of the notices that follow, if there are any.")]


class ClubLogLine(JsonObject, frozen=True):
    """Something that was done in a club."""

    id: RowId
    at: Time
    act: Annotated[ActName, Meta(description="To ordinary members a player who was removed or banned has `left`.")]
    by: Annotated[RankedPlayer | None, Meta(description="Who did it; null if the account was deleted.")]
    about: Annotated[
        RankedPlayer | None, Meta(description="To whom; null of `changed`, or if the account was deleted.")
    ]

    @classmethod
    def of(cls, line: log.Line) -> ClubLogLine:
        by, about = (RankedPlayer.of(one) if one else None for one in (line.by, line.about))
        return cls(line.id, line.at, cast(ActName, line.act), by, about)


class ClubLog(JsonObject, frozen=True):
    """The log of a club, the newest line first."""

    lines: list[ClubLogLine]
    next: Annotated[Address | None, Meta(description="The address of the lines that follow, if there may be some.")]

    @classmethod
    def of(cls, club: Club, lines: list[log.Line]) -> ClubLog:
        older = f"/api/clubs/{club.pk}/log/?before={lines[-1].id}" if len(lines) == LINES else None
        return cls([ClubLogLine.of(line) for line in lines], older)


class MutedPlayers(JsonObject, frozen=True):
    """The players whose notices you do not see."""

    players: list[RankedPlayer]

    @classmethod
    def of(cls, players: Iterable[Player]) -> MutedPlayers:
        return cls([RankedPlayer.of(player) for player in players])
