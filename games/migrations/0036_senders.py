"""Names that deleting an account would miss: in invitations to other players, and in the log of the admin."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget_names(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    """Delete invitations without a sender, and replace the names of tokens and of deleted accounts in the log."""
    apps.get_model("games", "Notification").objects.filter(kind__in=["invited", "rematch"]).delete()
    entries = apps.get_model("admin", "LogEntry").objects
    entries.filter(content_type__app_label="knox").update(object_repr="token")
    about = entries.filter(content_type__app_label="games", content_type__model="player")
    deleted = apps.get_model("games", "Player").objects.filter(is_active=False, username__startswith="deleted-")
    for player, handle in deleted.values_list("pk", "username"):
        about.filter(object_id=str(player)).update(object_repr=handle)


class Migration(migrations.Migration):
    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0035_unrated_races"),
    ]

    operations = [
        migrations.RunPython(forget_names, migrations.RunPython.noop, elidable=True),
        migrations.AddField(
            model_name="notification",
            name="sender",
            field=models.ForeignKey(
                db_index=False,
                help_text="Whose name it has, so that it goes with that account.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="notifications_sent",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(
                condition=models.Q(("sender__isnull", False)), fields=["sender"], name="notifications_by_sender"
            ),
        ),
    ]
