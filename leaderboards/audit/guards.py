"""Guards of the roots of days and the results that they seal."""

from games.runtime.triggers import refusing, refusing_truncation

CHANGED = "what was decided or sealed is never changed"
EMPTIED = "the results of a day are sealed once"

GUARDS = (
    refusing("leaderboards_guard_dayroot", "UPDATE OR DELETE", "leaderboards_dayroot", CHANGED)
    | refusing_truncation("leaderboards_dayroot", EMPTIED)
    | refusing("leaderboards_guard_sealedresult", "UPDATE OR DELETE", "leaderboards_sealedresult", CHANGED)
    | refusing_truncation("leaderboards_sealedresult", EMPTIED)
    | refusing("leaderboards_guard_merkletile", "UPDATE OR DELETE", "leaderboards_merkletile", CHANGED)
    | refusing_truncation("leaderboards_merkletile", EMPTIED)
)
