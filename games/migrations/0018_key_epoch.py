"""Sessions and tickets can be ended all together."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0017_downtime")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="key_epoch",
            field=models.PositiveIntegerField(
                default=0, editable=False, help_text="Sessions and tickets of an earlier one have ended."
            ),
        ),
    ]
