"""Guards of the closed weeks of the leagues and their seats."""

from games.runtime.triggers import frozen

CHANGED = "a closed week of the leagues is never changed"
EMPTIED = "a closed week of the leagues is never deleted"

GUARDS = frozen("leaderboards_leagueclosing", CHANGED, EMPTIED) | frozen("leaderboards_leagueseat", CHANGED, EMPTIED)
