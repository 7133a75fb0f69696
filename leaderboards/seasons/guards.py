"""Guards of closed seasons and their honours."""

from games.runtime.triggers import refusing, refusing_truncation

CLOSED = "a closed season is never changed"

GUARDS = (
    refusing("leaderboards_guard_season", "UPDATE OR DELETE", "leaderboards_season", CLOSED)
    | refusing_truncation("leaderboards_season", "a season is never deleted")
    | refusing("leaderboards_guard_honour", "UPDATE OR DELETE", "leaderboards_honour", CLOSED)
    | refusing_truncation("leaderboards_honour", "an honour is never deleted")
)
