"""Guards of entries, which only ever end, and of what was ruled about them."""

from games.runtime.triggers import differ, refusing, refusing_truncation

STAYS = (
    *("id", "board_id", "player_id", "game_id", "key", "entered_at_version", "valid_from", "changed_at"),
    *("state", "listed"),
)

GUARDS = (
    refusing(
        "leaderboards_guard_entry",
        "UPDATE",
        "leaderboards_entry",
        "an entry only ever ends",
        when=f"OLD.valid_to IS NOT NULL OR {differ(STAYS)}",
    )
    | refusing("leaderboards_guard_deleted_entry", "DELETE", "leaderboards_entry", "an entry is never deleted")
    | refusing_truncation("leaderboards_entry", "an entry is never deleted")
    | refusing(
        "leaderboards_guard_decision",
        "UPDATE OR DELETE",
        "leaderboards_decision",
        "what was decided or sealed is never changed",
    )
    | refusing_truncation("leaderboards_decision", "a decision is never changed or deleted")
)
