"""Guards of the roots of days and the results that they seal."""

from games.runtime.triggers import frozen

CHANGED = "what was decided or sealed is never changed"
EMPTIED = "the results of a day are sealed once"

GUARDS = (
    frozen("leaderboards_dayroot", CHANGED, EMPTIED)
    | frozen("leaderboards_sealedresult", CHANGED, EMPTIED)
    | frozen("leaderboards_merkletile", CHANGED, EMPTIED)
)
