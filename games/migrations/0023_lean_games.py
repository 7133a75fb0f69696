"""Games with fewer indexes: none for searches by the beginning of an id, and none that the constraint of attempts covers.

They are dropped as they are: to alter the fields would copy the table (SQLite) or check it all over again (PostgreSQL).
"""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

OF_PLAYER = "games_game_player_id_747add80"


def make_lean(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "games_game")
    for name in constraints:
        if name == OF_PLAYER or name.endswith("_like"):
            schema_editor.execute(f'DROP INDEX "{name}"')


def make_fat(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make the index of players again; nothing ever used those for the beginning of an id."""
    schema_editor.execute(f"CREATE INDEX {OF_PLAYER} ON games_game (player_id)")


class Migration(migrations.Migration):
    dependencies = [("games", "0022_sealed_logs")]

    operations = [
        migrations.SeparateDatabaseAndState(
            [migrations.RunPython(make_lean, make_fat)],
            [
                migrations.AlterField(
                    model_name="game",
                    name="player",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
