"""Triggers that note every game that ends, so that none is missing from the tallies."""

from games.runtime.triggers import Triggers, in_postgresql

NOTE_UNCOUNTED_GAME = in_postgresql(
    "games_note_uncounted_game",
    "AFTER INSERT OR UPDATE OF status",
    "games_game",
    """
BEGIN
    INSERT INTO games_uncountedgame (game_id, player_id, due_at, is_counted)
    VALUES (NEW.id, NEW.player_id, NEW.finished_at, false) ON CONFLICT DO NOTHING;
    RETURN NULL;
END""",
    each="FOR EACH ROW WHEN (NEW.status <> 'playing')",
)

NOTE_UNCOUNTED_GAME_IN_SQLITE = Triggers(
    sqlite={
        f"games_note_uncounted_game_on_{name}": f"""AFTER {event} ON games_game
WHEN NEW.status <> 'playing'
BEGIN
    INSERT OR IGNORE INTO games_uncountedgame (game_id, player_id, due_at, is_counted)
    VALUES (NEW.id, NEW.player_id, NEW.finished_at, 0);
END"""  # noqa: S608  nothing here comes from outside
        for name, event in (("insert", "INSERT"), ("update", "UPDATE OF status"))
    }
)

GUARDS = NOTE_UNCOUNTED_GAME | NOTE_UNCOUNTED_GAME_IN_SQLITE
