"""Have the worker rate the public races that ended before there were ratings."""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def queue_unrated(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    race, unrated = apps.get_model("games", "Race"), apps.get_model("games", "UnratedRace")
    ended = race.objects.filter(is_public=True, begun_at__isnull=False, ended_at__isnull=False)
    missing = ended.exclude(racers__rating_change__isnull=False).order_by().values_list("pk", flat=True)
    unrated.objects.bulk_create((unrated(race_id=pk) for pk in missing), batch_size=1000, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0034_bot_owners"),
    ]

    operations = [
        migrations.RunPython(queue_unrated, migrations.RunPython.noop, elidable=True),
    ]
