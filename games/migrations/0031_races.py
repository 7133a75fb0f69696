"""Races. The database keeps who raced and how it ended.

What a race is run on never changes; one that has begun keeps its racers, and one that has ended its result.
"""

from __future__ import annotations
import django.db.models.deletion
import games.models.players
from django.conf import settings
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers

RACE_IS_RUN_ON = (
    "id",
    "deal_id",
    "tie_break",
    "limit_s",
    "countdown_s",
    "is_public",
    "admits_bots",
    "hour",
    "created_at",
)
RESULT = "place", "outcome", "cards_left", "moves", "elapsed_ms"


def _row(which: str, columns: tuple[str, ...]) -> str:
    return "(" + ", ".join(f"{which}.{column}" for column in columns) + ")"


def _differ(columns: tuple[str, ...], operator: str) -> str:
    return f"{_row('NEW', columns)} {operator} {_row('OLD', columns)}"


def _race_changed(operator: str) -> str:
    once = " OR ".join(
        f"OLD.{column} IS NOT NULL AND {_differ((column,), operator)}"
        for column in ("starts_at", "begun_at", "ended_at")
    )
    return f"{_differ(RACE_IS_RUN_ON, operator)} OR {once}"


def _racer_changed(operator: str) -> str:
    return (
        f"{_differ(('race_id', 'player_id', 'joined_at'), operator)}"
        f" OR OLD.place IS NOT NULL AND {_differ(RESULT, operator)}"
        " OR OLD.game_id IS NOT NULL AND NEW.game_id IS NOT NULL AND NEW.game_id <> OLD.game_id"
    )


CHANGED_RACE = "what a race is run on, and when, never changes"
CHANGED_RACER = "the result of a race is written once"
DELETED_RACE = "a race that has begun is never deleted"
OTHER_RACERS = "a race that has begun keeps its racers"

POSTGRESQL = f"""
CREATE FUNCTION games_guard_racers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM games_race WHERE id = COALESCE(NEW.race_id, OLD.race_id) AND begun_at IS NOT NULL) THEN
        RAISE integrity_constraint_violation USING MESSAGE = '{OTHER_RACERS}';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;
CREATE TRIGGER games_guard_race BEFORE UPDATE ON games_race FOR EACH ROW
    WHEN ({_race_changed("IS DISTINCT FROM")}) EXECUTE FUNCTION games_guard_history('{CHANGED_RACE}');
CREATE TRIGGER games_guard_deleted_race BEFORE DELETE ON games_race FOR EACH ROW
    WHEN (OLD.begun_at IS NOT NULL) EXECUTE FUNCTION games_guard_history('{DELETED_RACE}');
CREATE TRIGGER games_guard_racer BEFORE UPDATE ON games_racer FOR EACH ROW
    WHEN ({_racer_changed("IS DISTINCT FROM")}) EXECUTE FUNCTION games_guard_history('{CHANGED_RACER}');
CREATE TRIGGER games_guard_racers BEFORE INSERT OR DELETE ON games_racer
    FOR EACH ROW EXECUTE FUNCTION games_guard_racers();
"""

POSTGRESQL_WITHOUT = """
DROP TRIGGER games_guard_racers ON games_racer;
DROP TRIGGER games_guard_racer ON games_racer;
DROP TRIGGER games_guard_deleted_race ON games_race;
DROP TRIGGER games_guard_race ON games_race;
DROP FUNCTION games_guard_racers;
"""

SQLITE = {
    "games_race_is_never_changed": f"""
        BEFORE UPDATE ON games_race WHEN {_race_changed("IS NOT")}
        BEGIN SELECT RAISE(ABORT, '{CHANGED_RACE}'); END""",
    "games_race_is_never_deleted": f"""
        BEFORE DELETE ON games_race WHEN OLD.begun_at IS NOT NULL
        BEGIN SELECT RAISE(ABORT, '{DELETED_RACE}'); END""",
    "games_result_of_a_race_is_written_once": f"""
        BEFORE UPDATE ON games_racer WHEN {_racer_changed("IS NOT")}
        BEGIN SELECT RAISE(ABORT, '{CHANGED_RACER}'); END""",
    "games_race_that_began_takes_nobody_in": f"""
        BEFORE INSERT ON games_racer
        WHEN EXISTS (SELECT 1 FROM games_race WHERE id = NEW.race_id AND begun_at IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, '{OTHER_RACERS}'); END""",  # noqa: S608
    "games_race_that_began_lets_nobody_go": f"""
        BEFORE DELETE ON games_racer
        WHEN EXISTS (SELECT 1 FROM games_race WHERE id = OLD.race_id AND begun_at IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, '{OTHER_RACERS}'); END""",  # noqa: S608
}


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0030_tallies"),
    ]

    operations = [
        migrations.CreateModel(
            name="Race",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.models.players.new_id,
                        editable=False,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "tie_break",
                    models.CharField(
                        choices=[("time", "Time"), ("moves", "Moves")],
                        help_text="What counts after the cards left.",
                        max_length=5,
                    ),
                ),
                ("limit_s", models.PositiveSmallIntegerField(help_text="Seconds from the start to the end.")),
                (
                    "countdown_s",
                    models.PositiveSmallIntegerField(help_text="Seconds from the host's word to the start."),
                ),
                ("is_public", models.BooleanField()),
                ("admits_bots", models.BooleanField()),
                ("hour", models.DateTimeField(help_text="Of the server's own races.", null=True, unique=True)),
                ("created_at", models.DateTimeField()),
                ("starts_at", models.DateTimeField(null=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[("all_finished", "All Finished"), ("time_up", "Time Up"), ("cancelled", "Cancelled")],
                        default="",
                        max_length=12,
                    ),
                ),
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="race", to="games.deal"
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="hosted_races",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rematch_of",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="rematch", to="games.race"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="Racer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("joined_at", models.DateTimeField()),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=8)),
                ("cards_left", models.PositiveSmallIntegerField(null=True)),
                ("moves", models.PositiveIntegerField(null=True)),
                ("elapsed_ms", models.PositiveBigIntegerField(null=True)),
                (
                    "game",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="racer", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="races", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "race",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="racers",
                        to="games.race",
                    ),
                ),
            ],
            options={
                "ordering": ["joined_at", "pk"],
            },
        ),
        migrations.AddIndex(
            model_name="race",
            index=models.Index(condition=models.Q(("ended_at", None)), fields=["created_at"], name="races_not_over"),
        ),
        migrations.AddIndex(
            model_name="race",
            index=models.Index(
                condition=models.Q(("begun_at__isnull", False)), fields=["-ended_at"], name="races_by_end"
            ),
        ),
        migrations.AddConstraint(
            model_name="race",
            constraint=models.CheckConstraint(
                condition=models.Q(("begun_at", None), ("starts_at__lte", models.F("begun_at")), _connector="OR"),
                name="race_begins_from_its_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="race",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("end", ""), ("ended_at", None)),
                    models.Q(("ended_at__isnull", False), models.Q(("end", ""), _negated=True)),
                    _connector="OR",
                ),
                name="race_ends_in_some_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="race",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("end", "cancelled"), _negated=True), ("begun_at", None), _connector="OR"),
                name="race_that_began_is_not_cancelled",
            ),
        ),
        migrations.AddConstraint(
            model_name="racer",
            constraint=models.UniqueConstraint(fields=("race", "player"), name="one_racer_per_race_and_player"),
        ),
        migrations.AddConstraint(
            model_name="racer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("cards_left", None), ("elapsed_ms", None), ("moves", None), ("outcome", ""), ("place", None)
                    ),
                    models.Q(
                        ("cards_left__isnull", False),
                        ("elapsed_ms__isnull", False),
                        ("moves__isnull", False),
                        ("place__gte", 1),
                        models.Q(("outcome", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="racer_has_place_with_result",
            ),
        ),
        CreateTriggers(Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)),
    ]
