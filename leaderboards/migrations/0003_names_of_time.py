"""Columns of entries under the names that temporal tables have; rulings are decisions.

The database renames columns also where indexes, constraints and triggers use them, so only the state needs to hear of
those.
"""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

RENAMED = {
    "since": "valid_from",
    "until": "valid_to",
    "entered": "entered_at_version",
    "since_at": "changed_at",
}
INDEXES: dict[str, dict[str, Any]] = {
    "entries_in_order": {
        "fields": ["board", "key", "entered_at_version", "valid_from", "valid_to"],
        "condition": Q(listed=True),
    },
    "entries_by_beginning": {"fields": ["board", "valid_from"]},
    "entries_by_end": {"fields": ["board", "valid_to"], "condition": Q(valid_to__isnull=False)},
    "entries_by_time": {"fields": ["board", "changed_at"]},
}
CONSTRAINTS = [
    models.UniqueConstraint(
        fields=["board", "game"], condition=Q(valid_to=None), name="one_current_entry_per_board_and_game"
    ),
    models.UniqueConstraint(
        fields=["board", "player"],
        condition=Q(valid_to=None, listed=True),
        name="one_listed_entry_per_board_and_player",
    ),
    models.CheckConstraint(name="ends_after_it_begins", condition=Q(valid_to=None) | Q(valid_to__gt=F("valid_from"))),
]

renaming = [migrations.RenameField("entry", old, new) for old, new in RENAMED.items()]


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboards", "0002_standing_at_all_times"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel("Ruling", "Decision"),
        migrations.AlterField(
            "decision",
            "game",
            models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="decisions", to="games.game"),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=renaming,
            state_operations=[
                *(migrations.RemoveIndex("entry", name) for name in INDEXES),
                *(migrations.RemoveConstraint("entry", constraint.name) for constraint in CONSTRAINTS),
                *renaming,
                *(migrations.AddIndex("entry", models.Index(name=name, **index)) for name, index in INDEXES.items()),
                *(migrations.AddConstraint("entry", constraint) for constraint in CONSTRAINTS),
                migrations.AlterModelOptions("entry", {"ordering": ["board", "key", "entered_at_version"]}),
            ],
        ),
    ]
