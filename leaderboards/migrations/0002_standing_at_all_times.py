"""Entries that stand from one version of a board to another, rulings about them, and following."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F, OuterRef, Subquery


def hold_since_they_were_entered(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    game = apps.get_model("games", "Game").objects.filter(pk=OuterRef("game"))
    apps.get_model("leaderboards", "Entry").objects.update(
        entered=F("since"), since_at=Subquery(game.values("finished_at"))
    )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_guards"),
        ("leaderboards", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Following",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "ordering": ["follower", "id"],
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("provisional", "Provisional"),
                            ("verified", "Verified"),
                            ("flagged", "Flagged"),
                            ("disqualified", "Disqualified"),
                            ("reinstated", "Reinstated"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["game", "id"],
            },
        ),
        migrations.AlterModelOptions(
            name="entry",
            options={"ordering": ["board", "key", "entered"]},
        ),
        migrations.RemoveConstraint(
            model_name="entry",
            name="one_entry_per_board_and_game",
        ),
        migrations.RemoveConstraint(
            model_name="entry",
            name="one_entry_per_board_and_player",
        ),
        migrations.RemoveConstraint(
            model_name="entry",
            name="one_change_per_version",
        ),
        migrations.RemoveIndex(
            model_name="entry",
            name="entries_in_order",
        ),
        migrations.AddField(
            model_name="entry",
            name="entered",
            field=models.PositiveBigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="entry",
            name="listed",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="entry",
            name="since_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
            preserve_default=False,
        ),
        migrations.RunPython(hold_since_they_were_entered, migrations.RunPython.noop),
        migrations.AddField(
            model_name="entry",
            name="state",
            field=models.CharField(
                choices=[
                    ("provisional", "Provisional"),
                    ("verified", "Verified"),
                    ("flagged", "Flagged"),
                    ("disqualified", "Disqualified"),
                    ("reinstated", "Reinstated"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="provisional",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="entry",
            name="until",
            field=models.PositiveBigIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="entry",
            name="game",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="games.game"
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("listed", True)),
                fields=["board", "key", "entered", "since", "until"],
                name="entries_in_order",
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["board", "player"], name="entries_of_player"),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["board", "since"], name="entries_by_beginning"),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("until__isnull", False)), fields=["board", "until"], name="entries_by_end"
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["board", "since_at"], name="entries_by_time"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("until", None)),
                fields=("board", "game"),
                name="one_current_entry_per_board_and_game",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("listed", True), ("until", None)),
                fields=("board", "player"),
                name="one_listed_entry_per_board_and_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("until", None), ("until__gt", models.F("since")), _connector="OR"),
                name="ends_after_it_begins",
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("listed", True), ("state__in", ("disqualified", "withdrawn")), _negated=True),
                name="unranked_is_not_listed",
            ),
        ),
        migrations.AddField(
            model_name="following",
            name="followed",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="followers", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="following",
            name="follower",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="followed", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="ruling",
            name="by",
            field=models.ForeignKey(
                help_text="Empty: the server itself.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="ruling",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to="games.game"
            ),
        ),
        migrations.AddConstraint(
            model_name="following",
            constraint=models.UniqueConstraint(fields=("follower", "followed"), name="followed_once"),
        ),
        migrations.AddConstraint(
            model_name="following",
            constraint=models.CheckConstraint(
                condition=models.Q(("follower", models.F("followed")), _negated=True), name="nobody_follows_themselves"
            ),
        ),
    ]
