"""Findings name the version of the sampler too, as the runs of their detectors do."""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F, Value
from django.db.models.functions import Concat


def name_the_sampler(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Complete the versions that name the thresholds alone; so far there was one version of the sampler."""
    findings = apps.get_model("leaderboards", "KeptFinding").objects.exclude(version__contains="/")
    findings.update(version=Concat(F("version"), Value("/1")))


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0011_desk")]

    operations = [migrations.RunPython(name_the_sampler, migrations.RunPython.noop, elidable=True)]
