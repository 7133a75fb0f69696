"""Guards of the closed weeks of the leagues and their seats."""

from games.runtime.triggers import refusing, refusing_truncation

CHANGED = "a closed week of the leagues is never changed"
EMPTIED = "a closed week of the leagues is never deleted"

GUARDS = (
    refusing("leaderboards_guard_leagueclosing", "UPDATE OR DELETE", "leaderboards_leagueclosing", CHANGED)
    | refusing_truncation("leaderboards_leagueclosing", EMPTIED)
    | refusing("leaderboards_guard_leagueseat", "UPDATE OR DELETE", "leaderboards_leagueseat", CHANGED)
    | refusing_truncation("leaderboards_leagueseat", EMPTIED)
)
