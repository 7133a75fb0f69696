from importlib import import_module

from django.db import migrations, models

from games.kit.triggers import CreateTriggers, DropTriggers

GUARDS = import_module("games.migrations.0002_guards").GUARDS


class Migration(migrations.Migration):
    dependencies = [("games", "0002_guards")]

    operations = [
        # SQLite changes a table by copying it, and its triggers are not copied.
        DropTriggers(GUARDS),
        migrations.AddField(
            model_name="game",
            name="suits",
            field=models.CharField(
                blank=True,
                default="",
                help_text="What the suits of the deal become in this game; empty: the same.",
                max_length=52,
            ),
        ),
        CreateTriggers(GUARDS),
    ]
