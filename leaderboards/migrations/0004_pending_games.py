"""Ended games that are on no board yet are rows of their own, which triggers add."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from games.kit.triggers import CreateTriggers
from leaderboards.pending import TRIGGERS


def note_games_without_entries(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    ended = apps.get_model("games", "Game").objects.filter(daily__isnull=False).exclude(status="playing")
    missing = ended.filter(entries=None).values_list("pk", "finished_at")
    pending_game = apps.get_model("leaderboards", "PendingGame")
    pending_game.objects.bulk_create(
        (pending_game(game_id=game, finished_at=finished_at) for game, finished_at in missing.iterator()),
        batch_size=1000,
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_guards"),
        ("leaderboards", "0003_names_of_time"),
    ]

    operations = [
        migrations.CreateModel(
            name="PendingGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="pending",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("finished_at", models.DateTimeField()),
                ("error", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={"ordering": ["finished_at"]},
        ),
        migrations.RunPython(note_games_without_entries, migrations.RunPython.noop),
        CreateTriggers(TRIGGERS),
    ]
