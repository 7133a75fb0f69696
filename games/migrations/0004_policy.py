"""A policy for every competition and game, and numbered attempts that do not exceed it."""

from importlib import import_module

from django.db import migrations, models

from games.kit.triggers import CreateTriggers, DropTriggers, Triggers

GUARDS_BEFORE = import_module("games.migrations.0002_guards").GUARDS

POSTGRESQL = """
CREATE FUNCTION games_guard_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.deal_id, NEW.daily_id, NEW.attempt, NEW.suits, NEW.policy)
            IS DISTINCT FROM (OLD.deal_id, OLD.daily_id, OLD.attempt, OLD.suits, OLD.policy)
        THEN
            RAISE integrity_constraint_violation USING MESSAGE = 'what a game was started with never changes';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.attempt > (
        SELECT coalesce((policy->>'attempts')::integer, 1) FROM games_dailydeal WHERE id = NEW.daily_id
    ) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'the policy allows no more attempts';
    END IF;
    IF NEW.daily_id IS NOT NULL AND NEW.attempt > 1 AND NOT EXISTS (
        SELECT FROM games_game WHERE player_id = NEW.player_id AND daily_id = NEW.daily_id
            AND attempt = NEW.attempt - 1 AND status <> 'playing'
    ) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'an attempt follows one that has ended';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER games_guard_start BEFORE INSERT OR UPDATE ON games_game
    FOR EACH ROW EXECUTE FUNCTION games_guard_start();
"""

POSTGRESQL_WITHOUT = """
DROP TRIGGER games_guard_start ON games_game;
DROP FUNCTION games_guard_start;
"""

SQLITE = {
    "games_start_never_changes": """
        BEFORE UPDATE ON games_game
        WHEN (NEW.deal_id, NEW.daily_id, NEW.attempt, NEW.suits, NEW.policy)
            IS NOT (OLD.deal_id, OLD.daily_id, OLD.attempt, OLD.suits, OLD.policy)
        BEGIN SELECT RAISE(ABORT, 'what a game was started with never changes'); END""",
    "games_policy_bounds_attempts": """
        BEFORE INSERT ON games_game
        WHEN NEW.attempt > (
            SELECT coalesce(json_extract(policy, '$.attempts'), 1) FROM games_dailydeal WHERE id = NEW.daily_id
        )
        BEGIN SELECT RAISE(ABORT, 'the policy allows no more attempts'); END""",
    "games_attempts_follow_each_other": """
        BEFORE INSERT ON games_game
        WHEN NEW.daily_id IS NOT NULL AND NEW.attempt > 1 AND NOT EXISTS (
            SELECT 1 FROM games_game WHERE player_id = NEW.player_id AND daily_id = NEW.daily_id
                AND attempt = NEW.attempt - 1 AND status <> 'playing'
        )
        BEGIN SELECT RAISE(ABORT, 'an attempt follows one that has ended'); END""",
}


GUARDS = GUARDS_BEFORE | Triggers(POSTGRESQL, POSTGRESQL_WITHOUT, SQLITE)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_suits")]

    operations = [
        # SQLite changes a table by copying it, and its triggers are not copied.
        DropTriggers(GUARDS_BEFORE),
        migrations.AddField(
            model_name="dailydeal",
            name="policy",
            field=models.JSONField(
                help_text="What its attempts allow; empty: what ranked attempts do by default.", null=True
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="attempt",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="Which of the player's ranked attempts at the deal."
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="policy",
            field=models.JSONField(
                help_text="What it was started under; empty: what its kind allows by default.", null=True
            ),
        ),
        migrations.RemoveConstraint(model_name="game", name="one_ranked_attempt"),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(
                fields=("player", "daily", "attempt"), name="ranked_attempts_are_numbered"
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(condition=models.Q(("attempt__gte", 1)), name="attempts_from_one"),
        ),
        CreateTriggers(GUARDS),
    ]
