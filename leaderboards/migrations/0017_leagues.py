"""Leagues, whose closed weeks are never changed or deleted."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers, against_truncation

KEPT = ("leagueclosing", "leagueseat")
COMPLAINT = "a closed week of the leagues is never changed"
GUARDED = {f"leaderboards_{table}": "a closed week of the leagues is never deleted" for table in KEPT}

POSTGRESQL = "".join(
    f"""
CREATE TRIGGER leaderboards_guard_{table} BEFORE UPDATE OR DELETE ON leaderboards_{table}
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('{COMPLAINT}');
"""
    for table in KEPT
)
POSTGRESQL_WITHOUT = "".join(f"DROP TRIGGER leaderboards_guard_{table} ON leaderboards_{table};" for table in KEPT)
SQLITE = {
    f"leaderboards_guard_{event.lower()}_{table}": f"""
        BEFORE {event} ON leaderboards_{table}
        BEGIN SELECT RAISE(ABORT, '{COMPLAINT}'); END"""
    for table in KEPT
    for event in ("UPDATE", "DELETE")
}


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboards", "0016_awards"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LeagueClosing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("week", models.DateField(help_text="Its Monday.", unique=True)),
                (
                    "version",
                    models.PositiveBigIntegerField(default=0, help_text="The version of the board that counts."),
                ),
                (
                    "sizes",
                    models.JSONField(
                        help_text="The number of players in each open tier of the week after, the highest first."
                    ),
                ),
                ("closed_at", models.DateTimeField()),
                (
                    "board",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leaderboards.board",
                    ),
                ),
            ],
            options={
                "ordering": ["-week"],
            },
        ),
        migrations.CreateModel(
            name="LeagueSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tier", models.PositiveSmallIntegerField(help_text="1 is the highest.")),
                ("group", models.PositiveIntegerField(help_text="1, 2, 3 ... within the tier.")),
                (
                    "rank",
                    models.PositiveSmallIntegerField(
                        help_text="In the closed week's group; empty: did not play.", null=True
                    ),
                ),
                ("idle", models.PositiveSmallIntegerField(default=0, help_text="Weeks in a row without a game.")),
                (
                    "closing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="leaderboards.leagueclosing",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="league_seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["closing", "tier", "group", "id"],
                "indexes": [models.Index(fields=["closing", "tier", "group"], name="seats_of_a_group")],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "closing"), name="one_seat_per_player_and_week")
                ],
            },
        ),
        CreateTriggers(Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)),
        CreateTriggers(against_truncation("leaderboards_guard_history", GUARDED)),
    ]
