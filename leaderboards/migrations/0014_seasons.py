"""Seasons, whose tables and honours are never changed or deleted."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers

KEPT = ("season", "honour")

POSTGRESQL = "".join(
    f"""
CREATE TRIGGER leaderboards_guard_{table} BEFORE UPDATE OR DELETE ON leaderboards_{table}
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('a closed season is never changed');
"""
    for table in KEPT
)
POSTGRESQL_WITHOUT = "".join(f"DROP TRIGGER leaderboards_guard_{table} ON leaderboards_{table};" for table in KEPT)
SQLITE = {
    f"leaderboards_guard_{event.lower()}_{table}": f"""
        BEFORE {event} ON leaderboards_{table}
        BEGIN SELECT RAISE(ABORT, 'a closed season is never changed'); END"""
    for table in KEPT
    for event in ("UPDATE", "DELETE")
}


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboards", "0013_webhooks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="delivery",
            name="event",
            field=models.CharField(
                choices=[
                    ("day.opened", "Day Opened"),
                    ("day.closed", "Day Closed"),
                    ("day.final", "Day Final"),
                    ("season.closed", "Season Closed"),
                    ("decision.made", "Decision Made"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="subject",
            field=models.CharField(help_text="The day, the season or the number of the decision.", max_length=80),
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=80, unique=True)),
                (
                    "version",
                    models.PositiveBigIntegerField(help_text="The version of the board that is the season's table."),
                ),
                ("count", models.PositiveBigIntegerField(help_text="How many entries the table has.")),
                ("month", models.DateField(help_text="Its first day.")),
                ("closed_at", models.DateTimeField()),
                (
                    "board",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="season", to="leaderboards.board"
                    ),
                ),
            ],
            options={
                "ordering": ["-month", "slug"],
            },
        ),
        migrations.CreateModel(
            name="Honour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rank", models.PositiveBigIntegerField()),
                (
                    "top",
                    models.PositiveSmallIntegerField(
                        help_text="1, 5 or 10, as a percentage; empty: none of these.", null=True
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        help_text="The row of the season's table.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leaderboards.entry",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="honours", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="honours", to="leaderboards.season"
                    ),
                ),
            ],
            options={
                "ordering": ["season", "rank", "id"],
            },
        ),
        migrations.AddConstraint(
            model_name="honour",
            constraint=models.UniqueConstraint(fields=("season", "player"), name="one_honour_per_season_and_player"),
        ),
        migrations.AddConstraint(
            model_name="honour",
            constraint=models.CheckConstraint(
                condition=models.Q(("rank__lte", 3), ("top__isnull", False), _connector="OR"),
                name="honours_are_for_something",
            ),
        ),
        CreateTriggers(Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)),
    ]
