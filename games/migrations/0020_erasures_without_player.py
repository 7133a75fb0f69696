"""Allow an erasure without a player: the record that remains when a guest is removed."""

from __future__ import annotations

from copy import copy

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

HELP = "Empty: a guest of whom nothing is left."
TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%games_erasure%'"


def allow_none(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alter(apps, schema_editor, null=True)


def forbid_none(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alter(apps, schema_editor, null=False)


def alter(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor, *, null: bool) -> None:
    """Change the column. SQLite makes the table anew, without its triggers, and looks at all that name it."""
    erasure = apps.get_model("games", "Erasure")
    old, new = erasure._meta.get_field("player"), copy(erasure._meta.get_field("player"))
    old.null, new.null = not null, null
    triggers: list[tuple[str, str]] = []
    if schema_editor.connection.vendor == "sqlite":
        with schema_editor.connection.cursor() as cursor:
            triggers = cursor.execute(TRIGGERS).fetchall()
    for name, _ in triggers:
        schema_editor.execute(f"DROP TRIGGER {name}")
    schema_editor.alter_field(erasure, old, new)
    for _, sql in triggers:
        schema_editor.execute(sql)


class Migration(migrations.Migration):
    dependencies = [("games", "0019_names")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(allow_none, forbid_none)],
            state_operations=[
                migrations.AlterField(
                    model_name="erasure",
                    name="player",
                    field=models.ForeignKey(
                        help_text=HELP,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erasures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                )
            ],
        )
    ]
