"""Guards of what reviewers decided about clubs."""

from games.runtime.triggers import frozen

GUARDS = frozen("leaderboards_clubdecision", "a decision about a club is never changed or deleted")
