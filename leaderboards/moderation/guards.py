"""Guards of cases and their log, which is only ever added to, a line at a time."""

from games.runtime.triggers import frozen, refusing, refusing_truncation

CASE = "a case is never deleted"
LINE = "a line of the decision log is never changed"
HEAD = "the decision log only ever grows, and is never cut"

GUARDS = (
    refusing("leaderboards_guard_deleted_case", "DELETE", "leaderboards_case", CASE)
    | refusing_truncation("leaderboards_case", CASE)
    | frozen("leaderboards_logline", LINE)
    | refusing(
        "leaderboards_guard_loghead", "UPDATE", "leaderboards_loghead", HEAD, when="NEW.number <> OLD.number + 1"
    )
    | refusing("leaderboards_guard_deleted_loghead", "DELETE", "leaderboards_loghead", HEAD)
    | refusing_truncation("leaderboards_loghead", HEAD)
)
