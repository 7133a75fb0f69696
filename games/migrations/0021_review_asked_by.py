"""Reviews know who asked for them, so that nobody's keep the others' waiting."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0020_erasures_without_player")]

    operations = [
        migrations.AddField(
            model_name="gamereview",
            name="asked_by",
            field=models.ForeignKey(
                help_text="Who asked first.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
