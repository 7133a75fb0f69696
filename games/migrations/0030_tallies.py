"""Tallies of finished games. A trigger notes each game that ends; games from before are noted here, for the worker."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers

POSTGRESQL = """
CREATE FUNCTION games_note_uncounted_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO games_uncountedgame (game_id, player_id, due_at, is_counted)
    VALUES (NEW.id, NEW.player_id, NEW.finished_at, false) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER games_note_uncounted_game AFTER INSERT OR UPDATE OF status ON games_game
FOR EACH ROW WHEN (NEW.status <> 'playing') EXECUTE FUNCTION games_note_uncounted_game();
"""
POSTGRESQL_WITHOUT = """
DROP TRIGGER games_note_uncounted_game ON games_game;
DROP FUNCTION games_note_uncounted_game;
"""
SQLITE = {
    f"games_note_uncounted_game_on_{name}": f"""AFTER {event} ON games_game
WHEN NEW.status <> 'playing'
BEGIN
    INSERT OR IGNORE INTO games_uncountedgame (game_id, player_id, due_at, is_counted)
    VALUES (NEW.id, NEW.player_id, NEW.finished_at, 0);
END"""  # noqa: S608  nothing here comes from outside
    for name, event in (("insert", "INSERT"), ("update", "UPDATE OF status"))
}
TRIGGERS = Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)

NOTE_GAMES_FROM_BEFORE = """
INSERT INTO games_uncountedgame (game_id, player_id, due_at, is_counted)
SELECT id, player_id, finished_at, false FROM games_game WHERE status <> 'playing'
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0029_shared_names")]

    operations = [
        migrations.CreateModel(
            name="PlayedDays",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="played_days",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("played", models.JSONField(default=list)),
                ("won", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="UncountedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="uncounted",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("due_at", models.DateTimeField(db_index=True)),
                ("is_counted", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=8)),
                ("rules", models.CharField(max_length=40)),
                ("played", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
                ("moves", models.PositiveIntegerField(help_text="The fewest of a win.", null=True)),
                ("elapsed_ms", models.PositiveBigIntegerField(help_text="The shortest time of a win.", null=True)),
                ("over_par", models.JSONField(default=list)),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tallies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["player", "kind", "rules"],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind", "rules"), name="one_tally_per_player_kind_rules")
                ],
            },
        ),
        migrations.RunSQL(NOTE_GAMES_FROM_BEFORE, migrations.RunSQL.noop),
        CreateTriggers(TRIGGERS),
    ]
