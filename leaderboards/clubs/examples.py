"""Examples of clubs for the documents of the API."""

from datetime import UTC, datetime

from leaderboards.boards.wire import RankedPlayer
from leaderboards.clubs.wire import Club, ClubMember, OwnClub, OwnClubs

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
