"""Examples of what happened in clubs for the documents of the API."""

from datetime import UTC, date, datetime

from leaderboards.boards.catalog import FEWEST_MOVES, BoardKey, Entrants, Period
from leaderboards.boards.wire import RankedPlayer
from leaderboards.clubs.history_wire import ClubLog, ClubLogLine, ClubNotice, ClubNotices, FirstGame, MutedPlayers

_ALICE, _BOB = RankedPlayer("alice", "Alice", is_bot=False), RankedPlayer("bob", "Bob", is_bot=False)
_DAY = BoardKey(Period.DAILY, date(2026, 11, 20), "standard", "open", Entrants.PEOPLE, FEWEST_MOVES)
_GAME = FirstGame(str(_DAY), _DAY.first, "7k3m9q2vx4pt8dn", cards_left=0, moves=43, elapsed_ms=171_250)
NOTICES = ClubNotices(
    [
        ClubNotice("joined-7", "joined", datetime(2026, 11, 22, 9, tzinfo=UTC), _BOB, None),
        ClubNotice("won-7k3m9q2vx4pt8dn", "won", datetime(2026, 11, 22, 0, 30, tzinfo=UTC), _ALICE, _GAME),
    ],
    None,
)
LOG = ClubLog([ClubLogLine(31, datetime(2026, 11, 23, 8, tzinfo=UTC), "appoint", _ALICE, _BOB)], None)
MUTED = MutedPlayers([RankedPlayer("mallory", "Mallory", is_bot=False)])
