"""A forgotten password is looked up by mail address."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0025_data_exports")]

    operations = [
        migrations.AddIndex(
            model_name="player",
            index=models.Index(condition=~Q(email=""), fields=["email"], name="players_by_mail"),
        ),
    ]
