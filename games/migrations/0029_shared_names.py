"""Tables show the handles of all who share a name, not only of those who took it later."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count


def mark_all_who_share_a_name(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    named = apps.get_model("games", "Player").objects.exclude(name_key="")
    shared = named.values("name_key").annotate(holders=Count("pk")).filter(holders__gt=1).values("name_key")
    named.filter(name_is_shared=False, name_key__in=shared).update(name_is_shared=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0028_notifications"),
    ]

    operations = [
        migrations.AlterField(
            model_name="player",
            name="name_is_shared",
            field=models.BooleanField(
                default=False,
                editable=False,
                help_text="Others have the name, or one like it: tables show the handle.",
            ),
        ),
        migrations.RunPython(mark_all_who_share_a_name, migrations.RunPython.noop),
    ]
