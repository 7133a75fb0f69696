"""History stays: moves, finished games, commitments and links are neither changed nor deleted, by plain SQL either.

What may be deleted is what an erasure row of the same transaction names: the unranked games of one player
(`games.services.erasure`).
"""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.kit.triggers import CreateTriggers, Triggers

GUARD_DELETED_MOVE = """
CREATE OR REPLACE FUNCTION games_guard_deleted_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM games_game JOIN games_erasure ON games_erasure.player_id = games_game.player_id
        WHERE games_game.id = OLD.game_id AND games_game.daily_id IS NULL AND games_erasure.is_open
    ) THEN
        RETURN OLD;
    END IF;
    RAISE integrity_constraint_violation USING MESSAGE = 'a move is never deleted';
END $$;
CREATE TRIGGER games_guard_deleted_move BEFORE DELETE ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_guard_deleted_move();
"""

GUARDS_OF_HISTORY = """
CREATE FUNCTION games_guard_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation USING MESSAGE = TG_ARGV[0];
END $$;

CREATE FUNCTION games_guard_deleted_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.daily_id IS NULL AND EXISTS (
        SELECT FROM games_erasure WHERE player_id = OLD.player_id AND is_open
    ) THEN
        RETURN OLD;
    END IF;
    RAISE integrity_constraint_violation USING MESSAGE = 'a game is never deleted';
END $$;

CREATE TRIGGER games_guard_deleted_game BEFORE DELETE ON games_game
    FOR EACH ROW EXECUTE FUNCTION games_guard_deleted_game();
CREATE TRIGGER games_guard_daily BEFORE UPDATE OR DELETE ON games_dailydeal
    FOR EACH ROW EXECUTE FUNCTION games_guard_history('a commitment is never changed or deleted');
CREATE TRIGGER games_guard_deal BEFORE UPDATE ON games_deal FOR EACH ROW
    WHEN ((NEW.id, NEW.rules, NEW.deck, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.rules, OLD.deck, OLD.created_at))
    EXECUTE FUNCTION games_guard_history('the cards of a deal are never changed');
CREATE TRIGGER games_guard_deleted_deal BEFORE DELETE ON games_deal
    FOR EACH ROW EXECUTE FUNCTION games_guard_history('a deal is never deleted');
CREATE TRIGGER games_guard_erasure BEFORE UPDATE ON games_erasure FOR EACH ROW
    WHEN (NOT OLD.is_open OR NEW.is_open)
    EXECUTE FUNCTION games_guard_history('an erasure is only ever closed');
CREATE TRIGGER games_guard_deleted_erasure BEFORE DELETE ON games_erasure
    FOR EACH ROW EXECUTE FUNCTION games_guard_history('an erasure is only ever closed');
"""

POSTGRESQL_WITHOUT = """
DROP TRIGGER games_guard_deleted_erasure ON games_erasure;
DROP TRIGGER games_guard_erasure ON games_erasure;
DROP TRIGGER games_guard_deleted_deal ON games_deal;
DROP TRIGGER games_guard_deal ON games_deal;
DROP TRIGGER games_guard_daily ON games_dailydeal;
DROP TRIGGER games_guard_deleted_game ON games_game;
DROP TRIGGER games_guard_deleted_move ON games_move;
DROP FUNCTION games_guard_deleted_game;
DROP FUNCTION games_guard_deleted_move;
DROP FUNCTION games_guard_history;
"""

SQLITE = {
    "games_move_is_never_deleted": """
        BEFORE DELETE ON games_move
        WHEN NOT EXISTS (
            SELECT 1 FROM games_game JOIN games_erasure ON games_erasure.player_id = games_game.player_id
            WHERE games_game.id = OLD.game_id AND games_game.daily_id IS NULL AND games_erasure.is_open
        )
        BEGIN SELECT RAISE(ABORT, 'a move is never deleted'); END""",
    "games_game_is_never_deleted": """
        BEFORE DELETE ON games_game
        WHEN OLD.daily_id IS NOT NULL
            OR NOT EXISTS (SELECT 1 FROM games_erasure WHERE player_id = OLD.player_id AND is_open)
        BEGIN SELECT RAISE(ABORT, 'a game is never deleted'); END""",
    "games_commitment_is_never_changed": """
        BEFORE UPDATE ON games_dailydeal
        BEGIN SELECT RAISE(ABORT, 'a commitment is never changed or deleted'); END""",
    "games_commitment_is_never_deleted": """
        BEFORE DELETE ON games_dailydeal
        BEGIN SELECT RAISE(ABORT, 'a commitment is never changed or deleted'); END""",
    "games_cards_of_a_deal_are_never_changed": """
        BEFORE UPDATE ON games_deal
        WHEN (NEW.id, NEW.rules, NEW.deck, NEW.created_at) IS NOT (OLD.id, OLD.rules, OLD.deck, OLD.created_at)
        BEGIN SELECT RAISE(ABORT, 'the cards of a deal are never changed'); END""",
    "games_deal_is_never_deleted": """
        BEFORE DELETE ON games_deal
        BEGIN SELECT RAISE(ABORT, 'a deal is never deleted'); END""",
    "games_erasure_is_only_closed": """
        BEFORE UPDATE ON games_erasure WHEN NOT OLD.is_open OR NEW.is_open
        BEGIN SELECT RAISE(ABORT, 'an erasure is only ever closed'); END""",
    "games_erasure_is_never_forgotten": """
        BEFORE DELETE ON games_erasure
        BEGIN SELECT RAISE(ABORT, 'an erasure is only ever closed'); END""",
}


class Migration(migrations.Migration):
    dependencies = [("games", "0010_grades")]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
                ("games", models.PositiveIntegerField(default=0, help_text="How many unranked games were deleted.")),
                ("is_open", models.BooleanField(default=True)),
                (
                    "by",
                    models.ForeignKey(
                        help_text="Empty: the player, or the server itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erasures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        CreateTriggers(Triggers(GUARD_DELETED_MOVE + GUARDS_OF_HISTORY, POSTGRESQL_WITHOUT, SQLITE)),
    ]
