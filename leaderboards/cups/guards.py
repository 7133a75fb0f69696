"""Guards of the results of cups."""

from games.runtime.triggers import frozen

GUARDS = frozen("leaderboards_cupresult", "a result of a cup is never changed", "a result of a cup is never deleted")
