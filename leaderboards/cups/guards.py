"""Guards of the results of cups, and of what reviewers decided about their names."""

from games.runtime.triggers import frozen

GUARDS = frozen(
    "leaderboards_cupresult", "a result of a cup is never changed", "a result of a cup is never deleted"
) | frozen("leaderboards_cupdecision", "a decision about a cup is never changed or deleted")
