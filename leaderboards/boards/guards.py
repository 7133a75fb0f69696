"""Guards of entries, which only ever end, and of decisions about them; and the triggers that record ended games."""

from typing import Any

from django.db import connections

from games.runtime.triggers import differ, following, frozen, refusing, refusing_truncation

STAYS = (
    *("id", "board_id", "player_id", "game_id", "key", "entered_at_version", "valid_from", "changed_at"),
    *("state", "listed", "held"),
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
    | frozen(
        "leaderboards_decision",
        "what was decided or sealed is never changed",
        "a decision is never changed or deleted",
    )
)

# The end of each ranked attempt is recorded, so that none is missed, whichever process or query ended it.
ENDED_GAMES = following(
    "leaderboards_note_ended_game",
    ["INSERT", "UPDATE OF status"],
    "games_game",
    """INSERT INTO leaderboards_pendinggame (game_id, finished_at, error) VALUES (NEW.id, NEW.finished_at, '')
    ON CONFLICT DO NOTHING""",
    when="NEW.status <> 'playing' AND NEW.daily_id IS NOT NULL",
)


def create_lost_triggers(sender: object, using: str, **signal: Any) -> None:
    """Restore the triggers after migrations: SQLite alters a table by copying it, which drops its triggers."""
    connection = connections[using]
    if connection.vendor == "sqlite" and {"leaderboards_pendinggame", "games_game"} <= set(
        connection.introspection.table_names()
    ):
        with connection.cursor() as cursor:
            ENDED_GAMES.create(connection.vendor, cursor.execute)
