"""Examples about leagues for the OpenAPI document."""

from datetime import date

from leaderboards.boards.wire import RankedPlayer
from leaderboards.leagues import wire

_ALICE = RankedPlayer("alice", "Alice", is_bot=False)
_BOB = RankedPlayer("bob", "Bob", is_bot=False)
_TIERS = [wire.LeagueTier(1, groups=1, players=44), wire.LeagueTier(2, groups=1, players=38)]
_WEEK = wire.LeagueWeek("2026-W48", date(2026, 11, 23), is_over=False, tiers=_TIERS)
_ROWS = [
    wire.LeagueRow(_ALICE, rank=1, points=6840, wins=5, moves=236, move="up"),
    wire.LeagueRow(_BOB, rank=None, points=None, wins=None, moves=None, move="stays"),
]
LEAGUES = wire.Leagues(_WEEK)
GROUP = wire.LeagueGroup(_WEEK, tier=2, group=1, rows=_ROWS)
OF_PLAYER = wire.PlayerLeagues(
    _ALICE, tier=2, group=GROUP, weeks=[wire.PlayedLeagueWeek("2026-W47", tier=2, group=1, rank=12, move="stays")]
)
