"""Guards of what reviewers decided about clubs, and of the results of duels."""

from games.runtime.triggers import frozen

GUARDS = frozen("leaderboards_clubdecision", "a decision about a club is never changed or deleted") | frozen(
    "leaderboards_duelresult", "the result of a duel is never changed or deleted"
)
