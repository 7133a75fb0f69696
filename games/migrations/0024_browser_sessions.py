"""Browser sessions know their player, and tokens may have a name. Whoever was signed in stays so."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TOGETHER = 500


def bring_sessions(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    old, new = apps.get_model("sessions", "Session").objects, apps.get_model("games", "BrowserSession").objects
    players = set(apps.get_model("games", "Player").objects.values_list("pk", flat=True))
    store, rows = SessionStore(), []
    for session in old.filter(expire_date__gte=django.utils.timezone.now()).iterator():
        player = int(store.decode(session.session_data).get("_auth_user_id", 0))
        if player in players:
            kept = {"session_key": session.pk, "session_data": session.session_data, "expire_date": session.expire_date}
            rows.append(new.model(**kept, player_id=player))
    new.bulk_create(rows, batch_size=TOGETHER)
    old.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0023_lean_games"),
        ("knox", "0009_extend_authtoken_field"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="TokenName",
            fields=[
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="label",
                        serialize=False,
                        to="knox.authtoken",
                    ),
                ),
                ("name", models.CharField(max_length=40)),
            ],
            options={"ordering": ["name"]},
        ),
        migrations.CreateModel(
            name="BrowserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(default=django.utils.timezone.now, help_text="Correct to a day.")),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "browser session",
                "verbose_name_plural": "browser sessions",
                "abstract": False,
            },
        ),
        migrations.RunPython(bring_sessions, migrations.RunPython.noop),
    ]
