"""Guards of logs: the moves of an unfinished game are 1, 2, 3 ..., and none is changed or deleted.

They are deleted when the log is sealed, and with a game that is (`games.play.guards`).
"""

from games.runtime.triggers import in_postgresql, in_sqlite, refusing, refusing_truncation

TABLE = "games_move"

# PostgreSQL looks once at a batch, not at each row.
APPENDED = in_postgresql(
    "games_guard_appended",
    "AFTER INSERT",
    TABLE,
    """
BEGIN
    -- Scalar subqueries look into an index row by row, however small the tables were when the plan was made.
    -- The lock makes the games' end wait for these moves to be committed, or these moves for the games' end.
    PERFORM FROM appended WHERE (SELECT status FROM games_game WHERE id = appended.game_id FOR SHARE) <> 'playing';
    IF FOUND THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a finished game takes no moves';
    END IF;
    PERFORM FROM appended WHERE version > 1 AND (
        SELECT true FROM games_move AS earlier
        WHERE earlier.game_id = appended.game_id AND earlier.version = appended.version - 1
    ) IS NULL;
    IF FOUND THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'versions have no gaps';
    END IF;
    RETURN NULL;
END""",
    each="REFERENCING NEW TABLE AS appended FOR EACH STATEMENT",
)

APPENDED_IN_SQLITE = in_sqlite(
    {"games_finished_game_takes_no_moves": f"BEFORE INSERT ON {TABLE}"},
    "a finished game takes no moves",
    when="(SELECT status FROM games_game WHERE id = NEW.game_id) <> 'playing'",
) | in_sqlite(
    {"games_versions_have_no_gaps": f"BEFORE INSERT ON {TABLE}"},
    "versions have no gaps",
    when="""NEW.version > 1
            AND NOT EXISTS (SELECT 1 FROM games_move WHERE game_id = NEW.game_id AND version = NEW.version - 1)""",
)

DELETED = in_postgresql(
    "games_guard_deleted_move",
    "AFTER DELETE",
    TABLE,
    """
BEGIN
    PERFORM FROM (SELECT DISTINCT game_id FROM deleted) AS of WHERE NOT EXISTS (
        SELECT FROM games_game WHERE id = of.game_id AND (
            sealed_log IS NOT NULL
            OR daily_id IS NULL AND EXISTS (
                SELECT FROM games_erasure WHERE player_id = games_game.player_id AND is_open
            )
        )
    );
    IF FOUND THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'a move is never deleted';
    END IF;
    RETURN NULL;
END""",
    each="REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT",
) | in_sqlite(
    {"games_move_is_never_deleted": f"BEFORE DELETE ON {TABLE}"},
    "a move is never deleted",
    when="""NOT EXISTS (
            SELECT 1 FROM games_game WHERE id = OLD.game_id AND (
                sealed_log IS NOT NULL
                OR daily_id IS NULL AND EXISTS (
                    SELECT 1 FROM games_erasure WHERE player_id = games_game.player_id AND is_open
                )
            )
        )""",
)

GUARDS = (
    refusing("games_guard_move", "UPDATE", TABLE, "a move is never changed")
    | APPENDED
    | APPENDED_IN_SQLITE
    | DELETED
    | refusing_truncation(TABLE, "a move is never deleted")
)
