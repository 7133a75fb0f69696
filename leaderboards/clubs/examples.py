"""Examples of clubs for the documents of the API."""

from datetime import UTC, date, datetime

from leaderboards.boards.catalog import POINTS_TABLE, BoardKey, Entrants, Period
from leaderboards.boards.models import Board
from leaderboards.boards.wire import Board as BoardOnWire
from leaderboards.boards.wire import RankedPlayer
from leaderboards.clubs.wire import Club, ClubMember, ClubReport, ClubRow, ClubsOfWeek, OwnClub, OwnClubs, RankedClub

FOUNDED = datetime(2026, 3, 1, 10, tzinfo=UTC)
CLUB = Club(
    id="2x9k4m7vq1ht",
    name="Oxbow Club",
    description="A cup of tea and one pyramid.",
    emblem="sc-blue",
    admission="open",
    founded_at=FOUNDED,
    you="owner",
    letters="BCDFGH",
    members=[ClubMember(RankedPlayer("alice", "Alice", is_bot=False), "owner", FOUNDED)],
    outsiders=[],
)
OWN_CLUBS = OwnClubs([OwnClub(CLUB.id, CLUB.name, CLUB.emblem, "owner")])

_WEEK = BoardKey(Period.WEEKLY, date(2026, 11, 16), "standard", "open", Entrants.PEOPLE, POINTS_TABLE)
_ROW = ClubRow(1, RankedClub(CLUB.id, CLUB.name, CLUB.emblem), points=7215, wins=5, moves=236, members=5)
CLUBS_OF_WEEK = ClubsOfWeek(
    BoardOnWire.of(Board(slug=str(_WEEK), version=12)), version=12, count=1, rows=[_ROW], next=None
)
REPORT = ClubReport("name", FOUNDED)
