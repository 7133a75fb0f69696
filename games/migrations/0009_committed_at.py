"""The chain of commitments names what each is for and when it was made.

The links that there are stay as they were published, by the formula of their time: whoever kept one must find it again.
When they were made is taken from their deals, which were stored in the same moment; no old link vouches for it.
"""

from __future__ import annotations

from importlib import import_module

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from games.kit.triggers import CreateTriggers, DropTriggers

GUARDS = import_module("games.migrations.0004_policy").GUARDS.of_sqlite


def tell_when_committed(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    daily_deal = apps.get_model("games", "DailyDeal")
    last = None
    for daily in daily_deal.objects.select_related("deal").order_by("number").iterator():
        made = daily.deal.created_at.replace(microsecond=0)
        last = daily.committed_at = max(made, last) if last else made
        daily.save(update_fields=["committed_at"])


class Migration(migrations.Migration):
    dependencies = [("games", "0008_restart_of")]

    operations = [
        DropTriggers(GUARDS),
        migrations.AddField(
            model_name="dailydeal",
            name="committed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(tell_when_committed, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="dailydeal",
            name="committed_at",
            field=models.DateTimeField(help_text="To the second, never before the one of the link before."),
        ),
        migrations.AddField(
            model_name="dailydeal",
            name="grade",
            field=models.CharField(
                help_text="What the deal was chosen to be; empty: anything.", max_length=6, null=True
            ),
        ),
        CreateTriggers(GUARDS),
    ]
