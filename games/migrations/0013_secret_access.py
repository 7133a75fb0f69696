"""Who looked at what nobody may know yet: kept for good, because such a player cannot start the deal."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

POSTGRESQL = """
CREATE TRIGGER games_guard_secretaccess BEFORE UPDATE OR DELETE ON games_secretaccess
    FOR EACH ROW EXECUTE FUNCTION games_guard_history('who looked at secrets is never forgotten');
"""
SQLITE = {
    f"games_guard_{event.lower()}_secretaccess": f"""
        BEFORE {event} ON games_secretaccess
        BEGIN SELECT RAISE(ABORT, 'who looked at secrets is never forgotten'); END"""
    for event in ("UPDATE", "DELETE")
}


def create_guards(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
    else:
        for name, body in SQLITE.items():
            schema_editor.execute(f"CREATE TRIGGER {name} {body}")


def drop_guards(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER games_guard_secretaccess ON games_secretaccess")
    else:
        for name in SQLITE:
            schema_editor.execute(f"DROP TRIGGER {name}")


class Migration(migrations.Migration):
    dependencies = [("games", "0012_hasty")]

    operations = [
        migrations.CreateModel(
            name="SecretAccess",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("reason", models.CharField(max_length=500)),
                (
                    "daily",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seen_by", to="games.dailydeal"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="secrets_seen",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.RunPython(create_guards, drop_guards),
    ]
