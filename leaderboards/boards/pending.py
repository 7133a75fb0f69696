"""Triggers that record the end of each ranked attempt, so that none is missed, whichever process or query ended it."""

from typing import Any

from django.db import connections

from games.runtime.triggers import Triggers, in_postgresql

IN_POSTGRESQL = in_postgresql(
    "leaderboards_note_ended_game",
    "AFTER INSERT OR UPDATE OF status",
    "games_game",
    """
BEGIN
    INSERT INTO leaderboards_pendinggame (game_id, finished_at, error) VALUES (NEW.id, NEW.finished_at, '')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END""",
    each="FOR EACH ROW WHEN (NEW.status <> 'playing' AND NEW.daily_id IS NOT NULL)",
)
IN_SQLITE = {
    f"leaderboards_note_ended_game_on_{name}": f"""AFTER {event} ON games_game
WHEN NEW.status <> 'playing' AND NEW.daily_id IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO leaderboards_pendinggame (game_id, finished_at, error) VALUES (NEW.id, NEW.finished_at, '');
END"""  # noqa: S608  nothing here comes from outside
    for name, event in (("insert", "INSERT"), ("update", "UPDATE OF status"))
}
TRIGGERS = IN_POSTGRESQL | Triggers(sqlite=IN_SQLITE)


def create_lost_triggers(sender: object, using: str, **signal: Any) -> None:
    """Restore the triggers after migrations: SQLite alters a table by copying it, which drops its triggers."""
    connection = connections[using]
    if connection.vendor == "sqlite" and {"leaderboards_pendinggame", "games_game"} <= set(
        connection.introspection.table_names()
    ):
        with connection.cursor() as cursor:
            TRIGGERS.create(connection.vendor, cursor.execute)
