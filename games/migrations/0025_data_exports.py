"""Exports of what is kept about a player."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0024_browser_sessions")]

    operations = [
        migrations.CreateModel(
            name="DataExport",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="export",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("done", "Done"), ("failed", "Failed")],
                        default="pending",
                        max_length=7,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("requested_at", models.DateTimeField()),
                ("claimed_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("file", models.BinaryField(null=True)),
            ],
            options={
                "ordering": ["requested_at"],
                "indexes": [
                    models.Index(condition=Q(state="pending"), fields=["requested_at"], name="pending_exports")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(state="done", file__isnull=False) | ~Q(state="done") & Q(file__isnull=True),
                        name="file_exactly_when_exported",
                    )
                ],
            },
        ),
    ]
