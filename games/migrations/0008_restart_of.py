"""The game that a game starts again, so that a restart which is asked for twice has one answer."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_put_aside: list[str] = []


def put_triggers_aside(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop all triggers in SQLite, which changes a table by copying it and does not copy its triggers."""
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = dict(cursor.fetchall())
    for name in triggers:
        schema_editor.execute(f"DROP TRIGGER {name}")
    _put_aside[:] = triggers.values()


def put_triggers_back(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for sql in _put_aside:
        schema_editor.execute(sql)
    _put_aside.clear()


class Migration(migrations.Migration):
    dependencies = [("games", "0007_lean_log")]

    operations = [
        migrations.RunPython(put_triggers_aside, put_triggers_back),
        migrations.AddField(
            model_name="game",
            name="restart_of",
            field=models.OneToOneField(
                help_text="The game that it starts again.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="restarted_as",
                to="games.game",
            ),
        ),
        migrations.RunPython(put_triggers_back, put_triggers_aside),
    ]
