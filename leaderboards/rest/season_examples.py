"""Examples about seasons for the OpenAPI document."""

from __future__ import annotations

from datetime import UTC, datetime

from games.kit.rest.openapi import REFUSALS
from leaderboards.errors import UnknownSeason
from leaderboards.rest import season_schemas as schemas
from leaderboards.wire import RankedPlayer, Row

_CLOSED_AT = datetime(2026, 12, 2, 0, 40, tzinfo=UTC)
_ALICE = RankedPlayer("alice", "Alice", is_bot=False)
_SEASON = schemas.Season(
    slug="2026-11.standard.main",
    month="2026-11",
    rules="standard",
    division="main",
    board="monthly.2026-11.standard.main.points",
    version=3120,
    count=412,
    closed_at=_CLOSED_AT,
)
_ROW = Row(
    rank=1,
    place=1,
    player=_ALICE,
    game=None,
    points=34_120,
    wins=24,
    moves=1010,
    score_state="provisional",
    at=datetime(2026, 11, 30, 9, tzinfo=UTC),
)
SEASONS = schemas.Seasons([_SEASON], [2026])
SEASON_PAGE = schemas.SeasonPage(
    _SEASON, [schemas.SeasonHonour(_ALICE, rank=1, top=1)], [_ROW], amendments=[], next=None
)
HONOURS = schemas.PlayerHonours(_ALICE, [schemas.PlayerHonour(_SEASON, rank=1, top=1)])
REFUSALS[UnknownSeason] = UnknownSeason("there is no season '2026-13.standard.main' that is closed")
