"""Grades by two players on orders of the unseen cards, stored with the deal. The worker measures every deal anew."""

from __future__ import annotations

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget_measures(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("games", "Deal").objects.update(careless_wins=None)


class Migration(migrations.Migration):
    dependencies = [("games", "0009_committed_at")]

    operations = [
        migrations.RunPython(forget_measures, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="deal", name="graded_deals"),
        migrations.AddField(
            model_name="deal",
            name="careful_wins",
            field=models.PositiveSmallIntegerField(null=True, help_text="Wins of the careful player, of 24."),
        ),
        migrations.AddField(
            model_name="deal",
            name="grade",
            field=models.CharField(max_length=6, null=True, help_text="How hard it is; empty while not measured."),
        ),
        migrations.AlterField(
            model_name="deal",
            name="careless_wins",
            field=models.PositiveSmallIntegerField(null=True, help_text="Wins of the careless player, of 24."),
        ),
        migrations.AddIndex(
            model_name="deal",
            index=models.Index(
                fields=["rules", "grade"], name="graded_deals", condition=models.Q(("is_winnable", True))
            ),
        ),
    ]
