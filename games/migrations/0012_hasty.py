from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0011_history_guards")]

    operations = [
        # Without a default the column is added in place; SQLite does not copy the table, and its triggers stay.
        migrations.AddField(
            model_name="game",
            name="hasty",
            field=models.PositiveIntegerField(
                help_text="How many actions followed sooner than a person acts; empty until the end.", null=True
            ),
        ),
    ]
