from importlib import import_module

from django.db import migrations, models

from games.kit.triggers import CreateTriggers, DropTriggers

GUARDS = import_module("games.migrations.0004_policy").GUARDS


class Migration(migrations.Migration):
    dependencies = [("games", "0005_divisions")]

    operations = [
        # SQLite changes a table by copying it, and its triggers are not copied.
        DropTriggers(GUARDS),
        migrations.AddField(
            model_name="game",
            name="credit_ms",
            field=models.PositiveBigIntegerField(
                default=0,
                help_text="How long no server was up before it ended; not part of the elapsed time.",
            ),
        ),
        CreateTriggers(GUARDS),
        migrations.CreateModel(
            name="Uptime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["until"], name="uptimes_by_end")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("until__gte", models.F("since"))), name="uptime_ends_after_it_begins"
                    )
                ],
            },
        ),
    ]
