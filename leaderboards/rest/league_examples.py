"""Examples about leagues for the OpenAPI document."""

from __future__ import annotations

from datetime import date

from games.kit.rest.openapi import REFUSALS
from leaderboards.errors import UnknownLeague
from leaderboards.rest import league_schemas as schemas
from leaderboards.wire import RankedPlayer

_ALICE = RankedPlayer("alice", "Alice", is_bot=False)
_BOB = RankedPlayer("bob", "Bob", is_bot=False)
_TIERS = [schemas.LeagueTier(1, groups=1, players=44), schemas.LeagueTier(2, groups=1, players=38)]
_WEEK = schemas.LeagueWeek("2026-W48", date(2026, 11, 23), is_over=False, tiers=_TIERS)
_ROWS = [
    schemas.LeagueRow(_ALICE, rank=1, points=6840, wins=5, moves=236, move="up"),
    schemas.LeagueRow(_BOB, rank=None, points=None, wins=None, moves=None, move="stays"),
]
LEAGUES = schemas.Leagues(_WEEK)
GROUP = schemas.LeagueGroup(_WEEK, tier=2, group=1, rows=_ROWS)
OF_PLAYER = schemas.PlayerLeagues(
    _ALICE, tier=2, group=GROUP, weeks=[schemas.PlayedLeagueWeek("2026-W47", tier=2, group=1, rank=12, move="stays")]
)
REFUSALS[UnknownLeague] = UnknownLeague("there is no group 9 of tier 2 in the week '2026-W48'")
