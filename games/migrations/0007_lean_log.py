"""A log that costs less to append to: no index beside the unique one; PostgreSQL looks once at a batch, not at each row.

The index is dropped as it is: to alter the field would copy the log (SQLite) or check it all over again (PostgreSQL).
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

INDEX = "games_move_game_id_aca66fc5"

POSTGRESQL = """
DROP TRIGGER games_guard_move ON games_move;
CREATE TRIGGER games_guard_move BEFORE UPDATE ON games_move FOR EACH ROW EXECUTE FUNCTION games_guard_move();

CREATE FUNCTION games_guard_appended() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;

CREATE TRIGGER games_guard_appended AFTER INSERT ON games_move
    REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION games_guard_appended();
"""

POSTGRESQL_WITHOUT = f"""
DROP TRIGGER games_guard_appended ON games_move;
DROP FUNCTION games_guard_appended;

DROP TRIGGER games_guard_move ON games_move;
CREATE TRIGGER games_guard_move BEFORE INSERT OR UPDATE ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_guard_move();

CREATE INDEX {INDEX}_like ON games_move (game_id varchar_pattern_ops);
"""


def make_lean(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(f"DROP INDEX {INDEX}")
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX {INDEX}_like")
        schema_editor.execute(POSTGRESQL)


def make_fat(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(f"CREATE INDEX {INDEX} ON games_move (game_id)")
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL_WITHOUT)


class Migration(migrations.Migration):
    dependencies = (("games", "0006_uptime"),)
    operations = (
        migrations.SeparateDatabaseAndState(
            [migrations.RunPython(make_lean, make_fat)],
            [
                migrations.AlterField(
                    model_name="move",
                    name="game",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log",
                        to="games.game",
                    ),
                ),
            ],
        ),
    )
