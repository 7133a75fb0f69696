"""Guards of closed seasons and their honours."""

from games.runtime.triggers import frozen

CLOSED = "a closed season is never changed"

GUARDS = frozen("leaderboards_season", CLOSED, "a season is never deleted") | frozen(
    "leaderboards_honour", CLOSED, "an honour is never deleted"
)
