"""The log of a finished game as one value of its row; its rows go when it is set, and in no other way.

That is one statement of the database itself: setting the value deletes the rows, and without it they stay. It may be
set once, to as many actions as there are rows, and nothing else of a finished game with it.
"""

from __future__ import annotations

from importlib import import_module

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.state import StateApps

from games.kit.triggers import CreateTriggers, DropTriggers, Triggers

GUARDS = import_module("games.migrations.0002_guards")
HISTORY_GUARDS = import_module("games.migrations.0011_history_guards")

# Bytes 2 and 3 of a sealed log are the number of its actions, in every format (docs/notation.md).
POSTGRESQL = """
CREATE OR REPLACE FUNCTION games_guard_game() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    logged integer;
    unsealed games_game;
BEGIN
    IF OLD.status = 'playing' AND NEW.sealed_log IS NOT NULL THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'an unfinished game is not sealed';
    END IF;
    IF OLD.status <> 'playing' THEN
        unsealed := NEW;
        unsealed.sealed_log := NULL;
        IF NEW.sealed_log IS NULL OR unsealed IS DISTINCT FROM OLD THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'a finished game is frozen';
        END IF;
    END IF;
    IF NEW.status <> 'playing' THEN
        SELECT count(*) INTO logged FROM games_move WHERE game_id = NEW.id;
        IF NEW.moves + NEW.hints <> logged THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'the summary counts every move';
        END IF;
        IF substr(NEW.sealed_log, 2, 2) <> decode(lpad(to_hex(logged), 4, '0'), 'hex') THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'a sealed log has every move';
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION games_guard_started_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation USING MESSAGE = 'no game starts sealed';
END $$;
CREATE TRIGGER games_guard_started_sealed BEFORE INSERT ON games_game
    FOR EACH ROW WHEN (NEW.sealed_log IS NOT NULL) EXECUTE FUNCTION games_guard_started_sealed();

CREATE FUNCTION games_delete_sealed_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM games_move WHERE game_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER games_delete_sealed_moves AFTER UPDATE ON games_game
    FOR EACH ROW WHEN (OLD.sealed_log IS NULL AND NEW.sealed_log IS NOT NULL)
    EXECUTE FUNCTION games_delete_sealed_moves();

CREATE OR REPLACE FUNCTION games_guard_deleted_move() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
CREATE TRIGGER games_guard_deleted_move AFTER DELETE ON games_move
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION games_guard_deleted_move();
"""

POSTGRESQL_WITHOUT = """
DROP TRIGGER games_guard_deleted_move ON games_move;
DROP TRIGGER games_delete_sealed_moves ON games_game;
DROP FUNCTION games_delete_sealed_moves;
DROP TRIGGER games_guard_started_sealed ON games_game;
DROP FUNCTION games_guard_started_sealed;
"""

COLUMNS = (
    *("id", "player_id", "deal_id", "daily_id", "suits", "attempt", "restart_of_id", "policy", "status"),
    *("created_at", "started_at", "finished_at", "elapsed_ms", "downtime_ms", "hasty"),
    *("moves", "draws", "recycles", "undos", "hints", "cards_left"),
)
NEW, OLD = (", ".join(f"{row}.{column}" for column in COLUMNS) for row in ("NEW", "OLD"))

SQLITE = {
    "games_finished_game_is_frozen": f"""
        BEFORE UPDATE ON games_game
        WHEN OLD.status <> 'playing'
            AND (NEW.sealed_log IS NULL OR OLD.sealed_log IS NOT NULL OR ({NEW}) IS NOT ({OLD}))
        BEGIN SELECT RAISE(ABORT, 'a finished game is frozen'); END""",
    "games_unfinished_game_is_not_sealed": """
        BEFORE UPDATE ON games_game WHEN OLD.status = 'playing' AND NEW.sealed_log IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'an unfinished game is not sealed'); END""",
    "games_no_game_starts_sealed": """
        BEFORE INSERT ON games_game WHEN NEW.sealed_log IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'no game starts sealed'); END""",
    "games_sealed_log_has_every_move": """
        BEFORE UPDATE ON games_game
        WHEN OLD.sealed_log IS NULL AND NEW.sealed_log IS NOT NULL AND hex(substr(NEW.sealed_log, 2, 2)) <> printf(
            '%04X', (SELECT count(*) FROM games_move WHERE game_id = NEW.id)
        )
        BEGIN SELECT RAISE(ABORT, 'a sealed log has every move'); END""",
    "games_sealed_moves_are_deleted": """
        AFTER UPDATE ON games_game WHEN OLD.sealed_log IS NULL AND NEW.sealed_log IS NOT NULL
        BEGIN DELETE FROM games_move WHERE game_id = NEW.id; END""",
    "games_move_is_never_deleted": """
        BEFORE DELETE ON games_move
        WHEN NOT EXISTS (
            SELECT 1 FROM games_game WHERE id = OLD.game_id AND (
                sealed_log IS NOT NULL
                OR daily_id IS NULL AND EXISTS (
                    SELECT 1 FROM games_erasure WHERE player_id = games_game.player_id AND is_open
                )
            )
        )
        BEGIN SELECT RAISE(ABORT, 'a move is never deleted'); END""",
}

TRIGGERS = Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)
# On the way back, first those that are new go and then these come again.
BEFORE = Triggers(
    GUARDS.GUARD_GAME + HISTORY_GUARDS.GUARD_DELETED_MOVE,
    "DROP TRIGGER games_guard_deleted_move ON games_move;",
    {
        name: {**GUARDS.SQLITE, **HISTORY_GUARDS.SQLITE}[name]
        for name in ("games_finished_game_is_frozen", "games_move_is_never_deleted")
    },
)


def refuse(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if apps.get_model("games", "Game").objects.filter(sealed_log__isnull=False).exists():
        raise IrreversibleError("sealed logs cannot be kept by the version before; restore a backup from before them")


class Migration(migrations.Migration):
    dependencies = [("games", "0021_review_asked_by")]

    operations = [
        # Without a default the column is added in place; SQLite does not copy the table, and its triggers stay.
        migrations.AddField(
            model_name="game",
            name="sealed_log",
            field=models.BinaryField(
                help_text="The whole log, some time after the end; until then it is kept as rows.", null=True
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("finished_at__isnull", False), ("sealed_log", None)),
                fields=["finished_at"],
                name="unsealed_games",
            ),
        ),
        DropTriggers(BEFORE),
        CreateTriggers(TRIGGERS),
        migrations.RunPython(migrations.RunPython.noop, refuse),
    ]
