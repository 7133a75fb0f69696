"""Examples about seasons for the OpenAPI document."""

from datetime import UTC, datetime

from leaderboards.boards.wire import RankedPlayer, Row
from leaderboards.seasons import wire

_CLOSED_AT = datetime(2026, 12, 2, 0, 40, tzinfo=UTC)
_ALICE = RankedPlayer("alice", "Alice", is_bot=False)
_SEASON = wire.Season(
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
SEASONS = wire.Seasons([_SEASON], [2026])
SEASON_PAGE = wire.SeasonPage(_SEASON, [wire.SeasonHonour(_ALICE, rank=1, top=1)], [_ROW], amendments=[], next=None)
HONOURS = wire.PlayerHonours(_ALICE, [wire.PlayerHonour(_SEASON, rank=1, top=1)])
