"""The stored hashes of the trees of sealed days, which are never changed or deleted either."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers, against_truncation
from leaderboards import merkle

TABLE = "leaderboards_merkletile"
COMPLAINT = "what was decided or sealed is never changed"
POSTGRESQL = f"""
CREATE TRIGGER leaderboards_guard_merkletile BEFORE UPDATE OR DELETE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('{COMPLAINT}');
"""
POSTGRESQL_WITHOUT = f"DROP TRIGGER leaderboards_guard_merkletile ON {TABLE};\n"
SQLITE = {
    f"leaderboards_guard_{event.lower()}_merkletile": f"""
        BEFORE {event} ON {TABLE}
        BEGIN SELECT RAISE(ABORT, '{COMPLAINT}'); END"""
    for event in ("UPDATE", "DELETE")
}


def store_tiles(apps: Any, schema_editor: object) -> None:
    """Store the trees of the days that are sealed already."""
    tile = apps.get_model("leaderboards", "MerkleTile")
    for day in apps.get_model("leaderboards", "DayRoot").objects.all():
        leaves = day.results.order_by("index").values_list("leaf", flat=True)
        tree = merkle.tiles([leaf.encode("ascii") for leaf in leaves])
        rows = (
            tile(day_root=day, level=level, number=number, hashes=hashes) for (level, number), hashes in tree.items()
        )
        tile.objects.bulk_create(rows, batch_size=100)


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0018_skill")]

    operations = [
        migrations.CreateModel(
            name="MerkleTile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.PositiveSmallIntegerField()),
                ("number", models.PositiveIntegerField()),
                ("hashes", models.BinaryField()),
                (
                    "day_root",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tiles",
                        to="leaderboards.dayroot",
                    ),
                ),
            ],
            options={
                "ordering": ["day_root", "level", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("day_root", "level", "number"), name="one_tile_per_place")
                ],
            },
        ),
        CreateTriggers(
            Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)
            | against_truncation("leaderboards_guard_history", {TABLE: "the results of a day are sealed once"})
        ),
        migrations.RunPython(store_tiles, migrations.RunPython.noop),
    ]
