"""Guards of cases and their log, which is only ever added to, a line at a time."""

from games.runtime.triggers import frozen, refusing, refusing_truncation

CASE = "a case is never deleted"
LINE = "a line of the decision log is never changed"

GUARDS = (
    refusing("leaderboards_guard_deleted_case", "DELETE", "leaderboards_case", CASE)
    | refusing_truncation("leaderboards_case", CASE)
    | frozen("leaderboards_logline", LINE)
)
