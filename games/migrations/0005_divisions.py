import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def keep_divisions_of_attempts(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Whoever has started on a day keeps the division of that day, which was the same for everyone."""
    games = apps.get_model("games", "Game").objects.filter(daily__isnull=False)
    started = games.values_list("player", "daily__day", "daily__division").distinct()
    day_division = apps.get_model("games", "DayDivision")
    day_division.objects.bulk_create(
        (day_division(player_id=player, day=day, division=division) for player, day, division in started.iterator()),
        batch_size=1000,
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0004_policy")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="claimed_at",
            field=models.DateTimeField(blank=True, help_text="When a guest became a named account.", null=True),
        ),
        migrations.CreateModel(
            name="DayDivision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("division", models.CharField(max_length=16)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="day_divisions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("player", "day"), name="one_division_per_player_and_day")
                ],
            },
        ),
        migrations.RunPython(keep_divisions_of_attempts, migrations.RunPython.noop),
    ]
