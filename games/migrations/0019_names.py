"""Names that look alike are known as such; accounts without a name are called by their handle."""

from __future__ import annotations

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F, Q

from games.kit.names import name_key

MADE_UP = r"^Guest [0-9a-z]{4}$"
TOGETHER = 500


def find_keys(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    players = apps.get_model("games", "Player").objects
    players.filter(display_name="").update(display_name=F("username"))
    seen: set[str] = set()
    named = []
    for player in players.exclude(is_guest=True, display_name__regex=MADE_UP).order_by("pk").iterator():
        player.name_key = name_key(player.display_name)
        player.name_is_shared = player.name_key in seen
        seen.add(player.name_key)
        named.append(player)
    players.bulk_update(named, ["name_key", "name_is_shared"], batch_size=TOGETHER)


class Migration(migrations.Migration):
    dependencies = [("games", "0018_key_epoch")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="name_key",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="What names that look alike have in common; empty: made up.",
                max_length=120,
                default="",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="player",
            name="name_is_shared",
            field=models.BooleanField(
                default=False,
                editable=False,
                help_text="Someone had the name, or one like it, before: tables show the handle.",
            ),
        ),
        migrations.RunPython(find_keys, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(condition=~Q(name_key=""), fields=["name_key"], name="player_names"),
        ),
    ]
