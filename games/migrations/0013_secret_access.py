"""Who looked at what nobody may know yet: kept for good, because such a player cannot start the deal."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers

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
        CreateTriggers(Triggers(POSTGRESQL, "DROP TRIGGER games_guard_secretaccess ON games_secretaccess", SQLITE)),
    ]
