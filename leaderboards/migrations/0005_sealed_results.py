"""Roots of days and the results that they seal; what was decided, entered or sealed is never changed or deleted."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers

KEPT = ("decision", "dayroot", "sealedresult")
ENTRY_STAYS = "id, board_id, player_id, game_id, key, entered_at_version, valid_from, changed_at, state, listed"
OLD, NEW = (", ".join(f"{row}.{column}" for column in ENTRY_STAYS.split(", ")) for row in ("OLD", "NEW"))

POSTGRESQL = f"""
CREATE FUNCTION leaderboards_guard_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation USING MESSAGE = TG_ARGV[0];
END $$;

{
    "".join(
        f'''
CREATE TRIGGER leaderboards_guard_{table} BEFORE UPDATE OR DELETE ON leaderboards_{table}
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('what was decided or sealed is never changed');
'''
        for table in KEPT
    )
}
CREATE TRIGGER leaderboards_guard_deleted_entry BEFORE DELETE ON leaderboards_entry
    FOR EACH ROW EXECUTE FUNCTION leaderboards_guard_history('an entry is never deleted');
CREATE TRIGGER leaderboards_guard_entry BEFORE UPDATE ON leaderboards_entry FOR EACH ROW
    WHEN (OLD.valid_to IS NOT NULL OR ({NEW}) IS DISTINCT FROM ({OLD}))
    EXECUTE FUNCTION leaderboards_guard_history('an entry only ever ends');
"""

POSTGRESQL_WITHOUT = f"""
DROP TRIGGER leaderboards_guard_entry ON leaderboards_entry;
DROP TRIGGER leaderboards_guard_deleted_entry ON leaderboards_entry;
{"".join(f"DROP TRIGGER leaderboards_guard_{table} ON leaderboards_{table};" for table in KEPT)}
DROP FUNCTION leaderboards_guard_history;
"""

SQLITE = {
    f"leaderboards_guard_{event.lower()}_{table}": f"""
        BEFORE {event} ON leaderboards_{table}
        BEGIN SELECT RAISE(ABORT, 'what was decided or sealed is never changed'); END"""
    for table in KEPT
    for event in ("UPDATE", "DELETE")
} | {
    "leaderboards_guard_deleted_entry": """
        BEFORE DELETE ON leaderboards_entry
        BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END""",
    "leaderboards_guard_entry": f"""
        BEFORE UPDATE ON leaderboards_entry
        WHEN OLD.valid_to IS NOT NULL OR ({NEW}) IS NOT ({OLD})
        BEGIN SELECT RAISE(ABORT, 'an entry only ever ends'); END""",
}


class Migration(migrations.Migration):
    dependencies = [("games", "0011_history_guards"), ("leaderboards", "0004_pending_games")]

    operations = [
        migrations.CreateModel(
            name="DayRoot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("day", models.DateField(unique=True)),
                ("count", models.PositiveBigIntegerField(help_text="How many results there are.")),
                ("root", models.CharField(max_length=64)),
                ("link", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
            ],
            options={"ordering": ["number"]},
        ),
        migrations.CreateModel(
            name="SealedResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveBigIntegerField()),
                ("leaf", models.CharField(max_length=300)),
                (
                    "day_root",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="leaderboards.dayroot",
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sealed", to="games.game"
                    ),
                ),
            ],
            options={"ordering": ["day_root", "index"]},
        ),
        migrations.AddConstraint(
            model_name="sealedresult",
            constraint=models.UniqueConstraint(fields=("day_root", "index"), name="one_leaf_per_place"),
        ),
        migrations.AddField(model_name="decision", name="amends", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="decision",
            name="confirmed_by",
            field=models.ForeignKey(
                help_text="The second reviewer, who final days need.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("state", "provisional"), ("valid_to", None)),
                fields=["game"],
                name="entries_to_verify",
            ),
        ),
        CreateTriggers(Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)),
    ]
