"""Inputs and answers of the REST API about clubs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from games.accounts.wire import GivenHandle
from games.doors.wire import Check, Input, JsonObject, Number, Ordinal, Stripped, Text, documented
from games.players.lookalikes import LONGEST_NAME, mistake_in, mistake_in_text
from games.players.wire import DisplayName, Id
from leaderboards.boards.wire import Board, Cursor, DivisionName, Limit, RankedPlayer
from leaderboards.clubs import models, week
from leaderboards.clubs.emblems import PATTERN
from leaderboards.clubs.founding import Terms
from leaderboards.clubs.models import LONGEST_DESCRIPTION, Role
from leaderboards.clubs.reading import KnownClub
from leaderboards.reporting.wire import ForReviewers

Time = Annotated[datetime, Meta(tz=True)]
Admission = Literal["open", "request", "invitation"]
RoleName = Literal["owner", "officer", "member"]
You = Literal["owner", "officer", "member", "asked", "invited", "banned"]
DuelAct = Literal["propose_duel", "accept_duel", "decline_duel", "withdraw_duel"]
Act = Literal["invite", "admit", "decline", "ban", "unban", "remove", "appoint", "demote", "hand_over"]
ClubLetters = Annotated[str, Meta(pattern="^[B-DF-HJ-NP-TV-Z]{6}$")]
Emblem = Annotated[
    str, Meta(pattern=PATTERN, description="The suits in the middle and above, and a colour: `sc-blue`.")
]


class ClubInput(Input, frozen=True):
    """The name, description, emblem and admission of a club."""

    example: ClassVar = {"name": "Oxbow Club", "description": "A cup of tea and one pyramid.", "admission": "open"}

    name: Annotated[Text, documented(maxLength=LONGEST_NAME), Check(mistake_in)]
    description: Annotated[Stripped, Meta(max_length=LONGEST_DESCRIPTION), Check(mistake_in_text)] = ""
    emblem: Emblem = "sc-blue"
    admission: Annotated[
        Admission, Meta(description="Who can join: all who have the letters, by request, or invited.")
    ] = "open"

    @property
    def terms(self) -> Terms:
        return Terms(self.name, self.description, self.emblem, self.admission)


class LettersInput(Input, frozen=True):
    """The six letters of a club."""

    example: ClassVar = {"letters": "BCDFGH"}

    letters: Annotated[Text, Meta(max_length=6)]


class ActInput(Input, frozen=True):
    """A player, and the decision about this player."""

    example: ClassVar = {"handle": "dave", "act": "invite"}

    handle: GivenHandle
    act: Act


class ReportClubInput(Input, frozen=True):
    """A report of the name or description of a club."""

    example: ClassVar = {"about": "name", "text": "It insults my neighbour."}

    about: Literal["name", "description"]
    text: ForReviewers = ""


class ClubsOfWeekInput(Input, frozen=True):
    """Some rows of the clubs of a week."""

    rules: Annotated[Text, Meta(description="A rule set.")] = "standard"
    division: DivisionName = "open"
    limit: Limit = 20
    cursor: Annotated[Cursor | UnsetType, Meta(description="`next` of an earlier answer.")] = UNSET


class ClubMember(JsonObject, frozen=True):
    """A member of a club."""

    player: RankedPlayer
    role: RoleName
    joined_at: Time

    @classmethod
    def of(cls, row: models.Membership) -> ClubMember:
        return cls(RankedPlayer.of(row.player), cast(RoleName, Role(row.role).name.lower()), row.joined_at)


class ClubOutsider(JsonObject, frozen=True):
    """A player who is not in the club."""

    player: RankedPlayer
    state: Literal["asked", "invited", "banned"]
    at: Time

    @classmethod
    def of(cls, row: models.Outsider) -> ClubOutsider:
        return cls(RankedPlayer.of(row.player), row.state, row.at)  # type: ignore[arg-type]


class Club(JsonObject, frozen=True, kw_only=True):
    """A club."""

    id: Id
    name: DisplayName
    description: Annotated[str, Meta(max_length=LONGEST_DESCRIPTION)]
    emblem: Emblem
    admission: Admission
    founded_at: Time
    you: Annotated[You | None, Meta(description="What you are to the club.")]
    letters: Annotated[ClubLetters | None, Meta(description="The letters to join with, for members.")]
    members: Annotated[list[ClubMember], Meta(description="The owner, the officers, then the others.")]
    outsiders: Annotated[list[ClubOutsider], Meta(description="For the owner and officers; else empty.")]

    @classmethod
    def of(cls, known: KnownClub) -> Club:
        club = known.club
        return cls(
            id=club.pk,
            name=club.name,
            description=club.description,
            emblem=club.emblem,
            admission=cast(Admission, club.admission),
            founded_at=club.founded_at,
            you=cast("You | None", known.you),
            letters=club.code if known.own else None,
            members=[ClubMember.of(row) for row in known.roster],
            outsiders=[ClubOutsider.of(row) for row in known.outsiders],
        )


class OwnClub(JsonObject, frozen=True):
    """A club of yours, or one that waits for its or your answer."""

    id: Id
    name: DisplayName
    emblem: Emblem
    you: You

    @classmethod
    def of(cls, club: models.Club, you: str) -> OwnClub:
        return cls(club.pk, club.name, club.emblem, cast(You, you))


class OwnClubs(JsonObject, frozen=True):
    """Your clubs."""

    clubs: list[OwnClub]


class RankedClub(JsonObject, frozen=True):
    """A club as tables name it."""

    id: Id
    name: DisplayName
    emblem: Emblem


class ClubRow(JsonObject, frozen=True):
    """A club with the sums of its best members."""

    rank: Annotated[Ordinal, Meta(description="Equal sums share a rank: 1, 2, 2, 4.")]
    club: RankedClub
    points: Number
    wins: Number
    moves: Number
    members: Annotated[Number, Meta(description="The number of members who are summed, at most five.")]

    @classmethod
    def of(cls, row: week.ClubRow) -> ClubRow:
        club = RankedClub(row.club.pk, row.club.name, row.club.emblem)
        return cls(row.rank, club, **row.values, members=row.members)


class ClubsOfWeek(JsonObject, frozen=True):
    """Consecutive rows of the clubs of a week."""

    board: Board
    version: Annotated[Number, Meta(description="The version of the board that is summed.")]
    count: Annotated[Number, Meta(description="The number of clubs in all.")]
    rows: list[ClubRow]
    next: Annotated[Cursor | None, Meta(description="The `cursor` of the rows that follow, if there are any.")]

    @classmethod
    def of(cls, table: week.ClubTable, first: int, limit: int) -> ClubsOfWeek:
        count, end = len(table.sums), first + limit
        rows = [ClubRow.of(row) for row in table.rows(first, limit)]
        return cls(Board.of(table.board), table.version, count, rows, table.cursor(end) if end < count else None)


class ClubReport(JsonObject, frozen=True):
    """A report of yours that reviewers have not answered yet."""

    about: Literal["name", "description"]
    at: Time

    @classmethod
    def of(cls, row: models.ClubReport) -> ClubReport:
        return cls(cast(Literal["name", "description"], row.about), row.at)
